"""`fanlens photo`, `eval` and `models`, run as people run them."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from models.manifest import load_manifest
from vision.decoding.doubts import Doubt
from vision.photo import load_photo
from vision.recognition import Problem, recognise
from webapp.cli import main

SAMPLES = Path(__file__).parents[2] / "vision" / "samples"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A photo without tiles."""
    path = tmp_path / "plain.png"
    Image.new("RGB", (96, 72), (40, 90, 60)).save(path)
    return path


def test_a_sample_is_read_and_scored_for_people() -> None:
    result = run("photo", SAMPLES / "three-chows.jpg", "--self-drawn")
    assert result.exit_code == 0
    for words in ("concealed", "三色三同顺", "Mixed Triple Chow", "total", "ms"):
        assert words in result.output


def test_a_profile_file_works_with_its_own_minimum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    club = tmp_path / "club.toml"
    club.write_text('name = "club"\nminimum = 99\n')
    named = run("photo", SAMPLES / "three-chows.jpg", "--profile", club)
    assert named.exit_code == 0
    assert "not a legal win: under 99 without flowers" in named.output
    (row,) = map(
        json.loads, run("photo", SAMPLES / "three-chows.jpg", "--profile", club, "--json").stdout.splitlines()
    )
    assert "but 99 are needed" in next(p["message"] for p in row["problems"] if p["code"] == "below_minimum")
    unknown = run("photo", SAMPLES / "three-chows.jpg", "--profile", tmp_path / "absent.toml")
    assert unknown.exit_code == 2
    assert "absent.toml" in unknown.output


def test_the_terminal_names_tiles_as_players_do(monkeypatch: pytest.MonkeyPatch) -> None:
    recognition = recognise(load_photo(SAMPLES / "three-chows.jpg"))
    (first, second, *others) = recognition.tiles
    doubtful = replace(first, face="3m", doubt=Doubt(0, "rival", "look again"))
    hidden = replace(second, face="back")
    seen = replace(
        recognition,
        tiles=(doubtful, hidden, *others),
        problems=(Problem("doubtful_tile", "tile 1 (3m): look again", 0, "rival"),),
    )
    monkeypatch.setattr("vision.commands.recognise", lambda *_, **__: seen)
    output = run("photo", SAMPLES / "three-chows.jpg").output
    assert "? 3 Characters: look again" in output
    assert f"3 Characters ({first.confidence:.0%}?), face down" in output
    assert "tile 1" not in output


def test_json_is_one_object_per_line_and_bad_files_do_not_stop_it(tmp_path: Path, plain: Path) -> None:
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


def test_a_file_that_is_not_a_photo_is_reported(tmp_path: Path) -> None:
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


def test_photos_with_the_same_name_get_separate_pictures(tmp_path: Path, plain: Path) -> None:
    other = tmp_path / "other" / "plain.png"
    other.parent.mkdir()
    shutil.copy(plain, other)
    run("photo", plain, other, "--annotated", tmp_path / "out")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["plain-annotated-2.jpg", "plain-annotated.jpg"]


def test_file_names_of_any_bytes_are_printed(tmp_path: Path, plain: Path) -> None:
    """Bytes that are not UTF-8, markup, emoji codes and terminal codes: each photo gives one object and one line."""
    names = ["caf\udce9.png", "y[bold]z[/red].png", ":smile:.png", "a\x1b[31m\nb.png", "[/].png"]
    names += [f"absent {name}" for name in names]
    folder = tmp_path / "in[/x]"
    for name in names[:5]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(plain, folder / name)
    images = [folder / name for name in names]
    result = run("photo", *images, plain, "--json", "--annotated", tmp_path / "out")
    assert result.exit_code == 1
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["image"] for row in rows] == [str(image) for image in (*images, plain)]
    assert [row["problems"][0]["code"] for row in rows] == ["no_tiles"] * 5 + ["not_found"] * 5 + ["no_tiles"]
    assert len(list((tmp_path / "out").iterdir())) == 6
    shown = run("photo", *names[5:], *images[:5])
    assert shown.exit_code == 1
    for words in ("caf\\udce9.png", "y[bold]z[/red].png", ":smile:", "a\\x1b[31m\\nb.png", "absent [/].png"):
        assert words in shown.output


def test_a_picture_that_cannot_be_written_is_a_problem_of_its_photo(tmp_path: Path, plain: Path) -> None:
    out = tmp_path / "out"
    (out / "plain-annotated.jpg").mkdir(parents=True)
    long = tmp_path / ("n" * 250 + ".png")
    other = tmp_path / "other.png"
    for copy in (long, other):
        shutil.copy(plain, copy)
    result = run("photo", plain, long, other, "--json", "--annotated", out)
    assert result.exit_code == 1
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    codes = [[problem["code"] for problem in row["problems"]] for row in rows]
    assert codes == [["no_tiles", "picture_not_written"]] * 2 + [["no_tiles"]]
    assert "name another folder" in rows[0]["problems"][1]["message"]
    assert sorted(path.name for path in out.iterdir()) == ["other-annotated.jpg", "plain-annotated.jpg"]
    shown = run("photo", plain, other, "--annotated", out)
    assert shown.exit_code == 1
    assert "plain-annotated.jpg cannot be written" in shown.output.replace("\n", "")


def test_no_photo_of_the_run_is_overwritten(tmp_path: Path, plain: Path) -> None:
    first, second = tmp_path / "foo.jpg", tmp_path / "foo-annotated.jpg"
    linked = tmp_path / "foo-annotated-2.jpg"
    for copy in (first, second):
        shutil.copy(plain, copy)
    linked.hardlink_to(second)
    before = second.read_bytes()
    run("photo", first, second, "--annotated", tmp_path)
    assert second.read_bytes() == linked.read_bytes() == before
    names = {path.name for path in tmp_path.iterdir()} - {"plain.png", first.name, second.name, linked.name}
    assert names == {"foo-annotated-3.jpg", "foo-annotated-annotated.jpg"}


def test_an_empty_name_is_reported(plain: Path) -> None:
    result = CliRunner().invoke(main, ["photo", "", str(plain), "--json"])
    empty, nothing = (json.loads(line) for line in result.stdout.splitlines())
    assert (empty["image"], empty["problems"][0]["code"]) == ("", "not_found")
    assert "the name is empty" in empty["problems"][0]["message"]
    assert nothing["problems"][0]["code"] == "no_tiles"


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = run("photo", SAMPLES / "dragons.jpg", "--annotated", tmp_path / "file" / "deep")
    assert result.exit_code == 1
    assert "cannot be created" in result.output


def test_circumstances_that_exclude_each_other_are_a_usage_error() -> None:
    result = run("photo", SAMPLES / "dragons.jpg", "--kong", "--last-tile")
    assert result.exit_code == 2
    assert "a kong cannot be robbed on the last tile" in result.output


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


def test_eval_reports_a_missing_photo_and_continues(labels: Path) -> None:
    result = run("eval", labels)
    assert result.exit_code == 1
    assert "absent.jpg does not exist" in result.output
    assert "precision for tiles assigned to the hand" in result.output


def test_eval_of_a_bad_labels_file(tmp_path: Path) -> None:
    result = run("eval", tmp_path / "none.jsonl")
    assert result.exit_code == 1
    assert "cannot be read" in result.output


def test_eval_prints_scenes_and_names_as_they_are(labels: Path) -> None:
    row = json.loads(labels.read_text(encoding="utf-8").splitlines()[0])
    rows = [{**row, "scene": "[/x]\udce9"}, {**row, "image": "[/y] \udce9.jpg"}]
    labels.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    result = run("eval", labels)
    assert result.exit_code == 1
    assert "[/x]\\udce9" in result.output
    assert "[/y] \\udce9.jpg does not exist" in result.output.replace("\n", "")
    assert json.loads(run("eval", labels, "--json").stdout)["scenes"].keys() == {"[/x]\udce9"}


def test_a_report_never_replaces_its_labels_or_photos(labels: Path, tmp_path: Path) -> None:
    """Not even if a photo lies where the report puts its pictures."""
    folder = tmp_path / "report"
    (folder / "photos").mkdir(parents=True)
    photo = folder / "photos" / "three-chows.jpg"
    shutil.copy(SAMPLES / "three-chows.jpg", photo)
    before = photo.read_bytes()
    truth = json.loads(labels.read_text(encoding="utf-8").splitlines()[0])
    truth["tiles"][0]["face"] = "1z"
    own = folder / "photos.jsonl"
    own.write_text(json.dumps({**truth, "image": "photos/three-chows.jpg"}), encoding="utf-8")
    assert run("eval", own, "--report", folder).exit_code == 2
    elsewhere = folder / "labels.jsonl"
    own.rename(elsewhere)
    assert run("eval", elsewhere, "--report", folder).exit_code == 0
    assert photo.read_bytes() == before
    assert (folder / "photos" / "three-chows-2.jpg").exists()


def test_models_are_listed() -> None:
    shown = run("models")
    assert shown.exit_code == 0
    listed = [json.loads(line) for line in run("models", "--json").stdout.splitlines()]
    assert [row["name"] for row in listed] == [model.name for model in load_manifest().models]
    for row in listed:
        assert row["sha256"] in re.sub(r"[│\s]", "", shown.output)
        assert {"version", "classes", "metrics"} <= set(row)
