"""An installation that cannot work says so: at the start, in `/healthz`, and in `fanlens doctor`."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from models import manifest
from webapp import health
from webapp.cli import main


@pytest.fixture
def networks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the networks and their manifest, in place of them."""
    folder = tmp_path / "models"
    folder.mkdir()
    for path in (*manifest.FOLDER.glob("*.onnx"), manifest.FOLDER / "manifest.json"):
        shutil.copy(path, folder)
    monkeypatch.setattr(manifest, "FOLDER", folder)
    manifest.load_manifest.cache_clear()
    health._verified.cache_clear()
    yield folder
    manifest.load_manifest.cache_clear()
    health._verified.cache_clear()


def remove(folder: Path) -> None:
    next(folder.glob("*.onnx")).unlink()


def alter(folder: Path) -> None:
    path = next(folder.glob("*.onnx"))
    path.write_bytes(path.read_bytes()[:-1] + b"x")


def cut(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_text(path.read_text()[:-100])


def misname(folder: Path) -> None:
    (folder / "manifest.json").write_text('{"models": [{"name": "detector"}]}')


def lose(folder: Path) -> None:
    (folder / "manifest.json").unlink()


FAULTS = pytest.mark.parametrize("fault", [remove, alter, cut, misname, lose])


@FAULTS
def test_the_server_does_not_start_without_its_networks(networks: Path, tmp_path: Path, fault: Any) -> None:
    fault(networks)
    run = CliRunner().invoke(main, ["serve", "--port", "0", "--database", str(tmp_path / "a.sqlite3")])
    assert run.exit_code == 1
    assert run.output.startswith("Error: ")
    assert "install Fanlens again" in run.output
    assert not (tmp_path / "a.sqlite3").exists()


@FAULTS
def test_the_health_check_notices_networks_that_change(
    networks: Path, client: FlaskClient, fault: Any
) -> None:
    assert client.get("/healthz").json["failing"] == []
    fault(networks)
    manifest.load_manifest.cache_clear()
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json["failing"] == ["networks"]
    assert answer.json["status"] == "failing"


@pytest.mark.parametrize(("limit", "name"), [("LEAST_DISK", "disk"), ("LEAST_MEMORY_AT_WORK", "memory")])
def test_the_health_check_looks_at_disk_and_memory(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, limit: str, name: str
) -> None:
    monkeypatch.setattr(health, limit, 2**62)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json["failing"]) == (503, [name])


def test_doctor_finds_everything_well(tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["doctor", "--database", str(tmp_path / "a.sqlite3")])
    assert run.exit_code == 0, run.output
    lines = run.output.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "ok   networks",
        "ok   a photo",
        "ok   ledger",
        "ok   disk",
        "ok   memory",
        "ok   open files",
        "ok   camera",
    ]
    assert "shows 14 tiles" in lines[1]


def test_doctor_says_what_is_wrong(networks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alter(networks)
    (tmp_path / "notes.txt").write_text("hello " * 200)
    monkeypatch.setattr(health, "LEAST_DISK", 2**62)
    monkeypatch.setattr(health, "LEAST_FILES", 2**31)
    run = CliRunner().invoke(main, ["doctor", "--database", str(tmp_path / "notes.txt")])
    assert run.exit_code == 1
    wrong = {line.split(":")[0]: line for line in run.output.splitlines() if line.startswith("NOT")}
    assert {"NOT  networks", "NOT  ledger", "NOT  disk", "NOT  open files"} == set(wrong)
    assert "install Fanlens again" in wrong["NOT  networks"]
    assert "it is not a database" in wrong["NOT  ledger"]
    assert "free some space" in wrong["NOT  disk"]


def test_the_health_check_tells_strangers_only_names(client: FlaskClient) -> None:
    told = json.loads(client.get("/healthz").data)
    assert set(told) == {"status", "failing", "version"}
