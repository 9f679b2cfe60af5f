"""Corrections change wrong labels, and are refused if they do not fit the labels."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

from vision.evaluation.corrections import Correction, apply_corrections, read_corrections
from vision.evaluation.labelled_photo import LabelledTile, photo_from_json
from vision.evaluation.labels import LabelError, read_labels
from webapp.cli import main

BOX = (0.0, 0.0, 30.0, 40.0)
QUAD = ((0.0, 0.0), (30.0, 0.0), (30.0, 40.0), (0.0, 40.0))
OTHER = (40.0, 0.0, 70.0, 40.0)
ROWS: list[dict[str, Any]] = [
    {
        "image": "a.jpg",
        "split": "valid",
        "tiles": [
            {"face": "3m", "box": [0, 0, 30, 40], "quad": QUAD},
            {"face": "5s", "box": list(OTHER)},
        ],
    },
    {"image": "b.jpg", "split": "train", "tiles": []},
]
PHOTOS = [photo_from_json(json.loads(json.dumps(row)), Path("photos")) for row in ROWS]
GOOD: dict[str, Any] = {
    "image": "a.jpg",
    "label": {"face": "3m", "box": list(BOX)},
    "correct": {"face": "2m"},
    "reason": "misnamed",
    "proof": "two strokes",
}


def write(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_a_face_is_changed_and_the_rest_of_the_label_stays(tmp_path: Path) -> None:
    (correction,) = read_corrections(write(tmp_path / "c.jsonl", GOOD))
    assert correction == Correction("a.jpg", ("3m", BOX), ("2m", BOX), "misnamed", "two strokes")
    assert str(correction) == "a.jpg: 3m at (0, 0) is 2m: misnamed"
    first, second = apply_corrections(PHOTOS, [correction])[0].tiles
    assert first == LabelledTile("2m", BOX, QUAD)
    assert second == LabelledTile("5s", OTHER)
    assert PHOTOS[0].faces == ("3m", "5s")


def test_a_box_is_moved_without_the_quad_that_no_longer_holds() -> None:
    moved = (1.0, 1.0, 29.0, 39.0)
    corrected, _ = apply_corrections(PHOTOS, [Correction("a.jpg", ("3m", BOX), ("3m", moved), "r", "p")])
    assert corrected.tiles[0] == LabelledTile("3m", moved)


def test_a_tile_is_removed_and_one_is_added() -> None:
    removed = Correction("a.jpg", ("5s", OTHER), None, "labelled twice", "one tile")
    added = Correction("b.jpg", None, ("8f", BOX), "not labelled", "it bears 菊")
    first, second = apply_corrections(PHOTOS, [removed, added])
    assert first.faces == ("3m",)
    assert second.tiles == (LabelledTile("8f", BOX),)
    assert str(removed) == "a.jpg: 5s at (40, 0) removed: labelled twice"
    assert str(added) == "b.jpg: 8f at (0, 0) added: not labelled"


@pytest.mark.parametrize(
    ("correction", "words"),
    [
        (Correction("z.jpg", ("3m", BOX), None, "r", "p"), "no photo z.jpg"),
        (Correction("a.jpg", ("4m", BOX), None, "r", "p"), "no 4m labelled at"),
        (Correction("a.jpg", ("3m", OTHER), None, "r", "p"), "no 3m labelled at"),
    ],
)
def test_a_correction_that_does_not_match_the_labels_is_refused(correction: Correction, words: str) -> None:
    with pytest.raises(LabelError, match=words):
        apply_corrections(PHOTOS, [correction])


def test_the_same_correction_twice_is_refused() -> None:
    correction = Correction("a.jpg", ("3m", BOX), ("2m", BOX), "r", "p")
    with pytest.raises(LabelError, match="already corrected"):
        apply_corrections(PHOTOS, [correction, correction])


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({**GOOD, "image": ""}, "needs image, reason and proof"),
        ({**GOOD, "proof": None}, "needs image, reason and proof"),
        ({key: value for key, value in GOOD.items() if key != "correct"}, "needs label and correct"),
        ({**GOOD, "label": None, "correct": None}, "would change nothing"),
        ({**GOOD, "correct": GOOD["label"]}, "would change nothing"),
        ({**GOOD, "correct": {"face": "0m"}}, "correct has the unknown face '0m'"),
        ({**GOOD, "label": {"face": "3m"}}, "label needs face and box"),
        ({**GOOD, "correct": {"face": None}}, "correct needs a face"),
        ({**GOOD, "label": None}, "correct needs face and box"),
        ("text", "one JSON object"),
    ],
)
def test_bad_corrections_are_reported_with_their_line(tmp_path: Path, row: object, words: str) -> None:
    path = write(tmp_path / "c.jsonl", GOOD, row)
    with pytest.raises(LabelError, match=words) as caught:
        read_corrections(path)
    assert str(caught.value).startswith(f"{path}, line 2 is not a correction: ")


def test_a_file_without_corrections_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="holds no correction"):
        read_corrections(write(tmp_path / "c.jsonl"))


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Labels of one photo without tiles."""
    Image.new("RGB", (120, 90), (30, 90, 40)).save(tmp_path / "a.jpg")
    write(tmp_path / "labels.jsonl", ROWS[0])
    return tmp_path


def test_eval_applies_corrections_and_reports_them(labelled: Path) -> None:
    removed = {**GOOD, "correct": None, "reason": "labelled twice"}
    write(labelled / "c.jsonl", removed)
    command = ["eval", str(labelled / "labels.jsonl"), "--json"]
    plain = CliRunner().invoke(main, command)
    assert json.loads(plain.stdout)["tiles"] == 2
    done = CliRunner().invoke(main, [*command, "--corrections", str(labelled / "c.jsonl")])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["tiles"] == 1
    assert json.loads(done.stdout).keys() == json.loads(plain.stdout).keys()
    assert "corrected: a.jpg: 3m at (0, 0) removed: labelled twice" in done.stderr


def test_eval_refuses_corrections_of_other_labels(labelled: Path) -> None:
    write(labelled / "c.jsonl", {**GOOD, "image": "z.jpg"})
    command = ["eval", str(labelled / "labels.jsonl"), "--corrections", str(labelled / "c.jsonl")]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 1
    assert "no photo z.jpg" in done.stderr


@pytest.mark.shared
def test_the_corrections_that_ship_fit_the_labels(shared_dir: Path) -> None:
    corrections = read_corrections(Path(__file__).parents[3] / "models" / "training" / "corrections.jsonl")
    photos = read_labels(shared_dir / "data" / "hand-photos" / "labels.jsonl")
    corrected = apply_corrections(photos, corrections)
    changed = sum(len(photo.tiles) for photo in corrected) - sum(len(photo.tiles) for photo in photos)
    assert changed == sum((c.label is None) - (c.correct is None) for c in corrections)
