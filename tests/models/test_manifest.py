"""The manifest describes the files that ship, and any other file is refused."""

import json
from pathlib import Path

import pytest

from models import manifest
from models.manifest import ModelError, load_manifest
from vision.networks.sessions import open_session
from vision.tiles import CLASSES

MEGABYTE = 1_000_000


def test_both_networks_are_listed_with_their_checksums() -> None:
    models = load_manifest().models
    assert [model.name for model in models] == ["detector", "reader"]
    assert all(model.read() for model in models)


def test_the_networks_together_stay_under_twelve_megabytes() -> None:
    assert sum(model.path.stat().st_size for model in load_manifest().models) < 12 * MEGABYTE


def test_the_reader_has_the_classes_that_the_program_expects() -> None:
    assert load_manifest()["reader"].classes == CLASSES


def test_every_network_lists_its_commands_and_metrics() -> None:
    for model in load_manifest().models:
        assert all(command.startswith("python -m models.training ") for command in model.commands)
        assert model.commands
        assert model.metrics


def test_an_unknown_network_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="oracle"):
        load_manifest()["oracle"]


@pytest.mark.parametrize("name", ["detector", "reader"])
def test_metadata_inside_the_file_agrees_with_the_manifest(name: str) -> None:
    written = open_session(name).get_modelmeta().custom_metadata_map
    model = load_manifest()[name]
    assert written["name"] == name
    assert written["version"] == model.version
    assert tuple(json.loads(written["classes"])) == model.classes
    assert written["input"] == model.input


def test_a_session_is_opened_once_for_each_network() -> None:
    assert open_session("reader") is open_session("reader")


@pytest.fixture
def copied_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for model in load_manifest().models:
        (tmp_path / model.file).write_bytes(model.path.read_bytes())
    (tmp_path / "manifest.json").write_bytes((manifest.FOLDER / "manifest.json").read_bytes())
    monkeypatch.setattr(manifest, "FOLDER", tmp_path)
    return tmp_path


def test_a_damaged_file_is_refused(copied_models: Path) -> None:
    model = load_manifest()["detector"]
    content = bytearray(model.path.read_bytes())
    content[len(content) // 2] ^= 1
    model.path.write_bytes(content)
    with pytest.raises(ModelError, match="damaged or from another version; install Fanlens again"):
        model.read()


def test_a_missing_file_is_named(copied_models: Path) -> None:
    model = load_manifest()["reader"]
    model.path.unlink()
    with pytest.raises(ModelError, match=r"reader\.onnx cannot be read"):
        model.read()
