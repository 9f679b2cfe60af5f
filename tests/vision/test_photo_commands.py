"""`fanlens photo`, `eval` and `models` as a person runs them."""

import json
import shutil
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from models.manifest import load_manifest
from vision.commands import COMMANDS

SAMPLES = Path(__file__).parents[2] / "vision" / "samples"
GROUP = click.Group("fanlens", commands=list(COMMANDS))


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(GROUP, [str(argument) for argument in arguments])


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A photo of nothing."""
    path = tmp_path / "plain.png"
    Image.new("RGB", (320, 240), (40, 90, 60)).save(path)
    return path


def test_a_sample_is_read_and_scored_for_people() -> None:
    result = run("photo", SAMPLES / "three-chows.jpg", "--self-drawn")
    assert result.exit_code == 0
    for words in ("concealed", "三色三同顺", "Mixed Triple Chow", "total", "ms"):
        assert words in result.output


def test_json_is_one_object_a_line_and_bad_files_do_not_stop_it(tmp_path: Path, plain: Path) -> None:
    result = run("photo", tmp_path / "absent.jpg", plain, SAMPLES / "three-chows.jpg", "--json")
    assert result.exit_code == 1
    absent, nothing, hand = (json.loads(line) for line in result.stdout.splitlines())
    assert [problem["code"] for problem in absent["problems"]] == ["not_found"]
    assert absent["tiles"] == []
    assert list(absent) == list(hand)
    assert [problem["code"] for problem in nothing["problems"]] == ["no_tiles"]
    assert hand["hand"]["winning_tile"] == "8m"
    assert hand["timing_ms"]["load"] > 0
    assert hand["image"].endswith("three-chows.jpg")


def test_a_file_that_is_no_photo_is_named(tmp_path: Path) -> None:
    path = tmp_path / "note.jpg"
    path.write_text("not a photo at all")
    result = run("photo", path)
    assert result.exit_code == 1
    assert "is not a photo" in result.output


def test_the_annotated_picture_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "pictures"
    result = run("photo", SAMPLES / "dragons.jpg", "--annotated", folder)
    assert result.exit_code == 0
    with Image.open(folder / "dragons-annotated.jpg") as picture:
        assert picture.width >= 1600


def test_photos_of_one_name_get_a_picture_each(tmp_path: Path, plain: Path) -> None:
    other = tmp_path / "other" / "plain.png"
    other.parent.mkdir()
    shutil.copy(plain, other)
    run("photo", plain, other, "--annotated", tmp_path / "out")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["plain-annotated-2.jpg", "plain-annotated.jpg"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = run("photo", SAMPLES / "dragons.jpg", "--annotated", tmp_path / "file" / "deep")
    assert result.exit_code == 1
    assert "cannot be made" in result.output


def test_circumstances_that_exclude_each_other_are_a_usage_error() -> None:
    result = run("photo", SAMPLES / "dragons.jpg", "--kong", "--last-tile")
    assert result.exit_code == 2
    assert "robbed kong" in result.output


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """The truth about one sample, and a photo that is missing."""
    truth: dict[str, Any] = json.loads((SAMPLES / "three-chows.json").read_text(encoding="utf-8"))
    shutil.copy(SAMPLES / "three-chows.jpg", tmp_path)
    path = tmp_path / "labels.jsonl"
    rows = [{**truth, "split": "valid"}, {**truth, "image": "absent.jpg", "split": "train"}]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_eval_measures_and_reports(labels: Path, tmp_path: Path) -> None:
    result = run("eval", labels, "--split", "valid", "--json", "--report", tmp_path / "report")
    assert result.exit_code == 0
    figures = json.loads(result.stdout)
    assert figures["photos"] == 1
    assert figures["tiles"] == 14
    assert figures["recall"] > 0.5
    assert json.loads((tmp_path / "report" / "evaluation.json").read_text(encoding="utf-8")) == figures


def test_eval_goes_on_past_a_missing_photo_and_says_so(labels: Path) -> None:
    result = run("eval", labels)
    assert result.exit_code == 1
    assert "absent.jpg does not exist" in result.output
    assert "precision where all tiles are labelled" in result.output


def test_eval_of_a_bad_labels_file(tmp_path: Path) -> None:
    result = run("eval", tmp_path / "none.jsonl")
    assert result.exit_code == 1
    assert "cannot be read" in result.output


def test_models_are_listed() -> None:
    shown = run("models")
    assert shown.exit_code == 0
    listed = [json.loads(line) for line in run("models", "--json").stdout.splitlines()]
    assert [row["name"] for row in listed] == [model.name for model in load_manifest().models]
    for row in listed:
        assert row["sha256"][:16] in shown.output.replace("\n", "")
        assert {"version", "classes", "metrics"} <= set(row)
