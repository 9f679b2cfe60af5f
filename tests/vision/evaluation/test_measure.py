"""Labels are read strictly, boxes are matched one to one, and the figures are right."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from vision.evaluation.labels import UNKNOWN, LabelError, LabelledPhoto, LabelledTile, read_labels
from vision.evaluation.measure import (
    Evaluation,
    PhotoResult,
    calibration_error,
    compare,
    match,
)
from vision.evaluation.report import write_report
from vision.layout.roles import Role
from vision.recognition import interpret

HAND = "2p 3p 4p 2s 3s 4s 2m 3m 4m 6m 7m 8m 5p 5p"


def labels_of(
    table: Any, faces: str | None = None, *, path: str = "hand.jpg", turn: float = 0.0
) -> LabelledPhoto:
    """The labels of a table: the boxes of its tiles, with the faces given."""
    tiles = table.tiles(turn=turn)
    names = tuple(faces.split()) if faces else tiles.faces
    boxes = tuple(tuple(float(value) for value in box) for box in tiles.boxes)
    labelled = tuple(map(LabelledTile, names, boxes))  # type: ignore[arg-type]
    return LabelledPhoto(Path(path), labelled, scene="home-green")


def result_of(table: Any, faces: str | None = None) -> PhotoResult:
    return compare(labels_of(table, faces), interpret(table.tiles(), (1200, 1200)))


def test_everything_right(table: Any) -> None:
    table.row(HAND, 0, 0)
    figures = Evaluation((result_of(table),)).to_json()
    assert figures["recall"] == figures["precision"] == figures["clean_precision"] == 1
    assert (figures["rows"], figures["rows_exact"]) == (1, 1)
    assert figures["confusions"] == []
    assert figures["scenes"]["home-green"]["tiles"] == 14
    assert figures["right_among_first_three"] == 1
    assert figures["flagged"] == {"of_wrong": None, "of_right": 0.0, "wrong": 0, "right": 14}
    assert figures["roles"] == {"labelled": 0, "right": None}


def test_a_misread_tile(table: Any) -> None:
    table.row(HAND, 0, 0)
    figures = Evaluation((result_of(table, HAND.replace("8m", "9m")),)).to_json()
    assert figures["found"] == 1
    assert figures["recall"] == pytest.approx(13 / 14, abs=1e-4)
    assert figures["precision"] == pytest.approx(13 / 14, abs=1e-4)
    assert figures["rows_exact"] == 0
    assert figures["confusions"] == [["9m", "8m", 1]]
    assert figures["flagged"]["of_wrong"] == 0


def test_a_tile_too_many_in_the_hand_costs_precision_and_exactness(table: Any) -> None:
    table.row(HAND + " 9s", 0, 0)
    result = result_of(table, HAND)
    assert not result.exact
    assert result.right == 14
    figures = Evaluation((result,)).to_json()
    assert figures["recall"] == 1
    assert figures["precision"] == pytest.approx(14 / 15, abs=1e-4)


def test_an_unlabelled_stray_costs_nothing_but_is_counted(table: Any) -> None:
    table.row(HAND, 0, 0)
    table.put("9s", 200, -400, turn=30)
    result = result_of(table, HAND)
    assert result.exact
    figures = Evaluation((result,)).to_json()
    assert figures["precision"] == 1
    assert figures["precision_with_strays"] == pytest.approx(14 / 15, abs=1e-4)


def test_a_labelled_tile_read_as_a_stray_is_found_but_the_row_is_not_exact(table: Any) -> None:
    table.row(HAND, 0, 0)
    table.put("9s", 200, -400, turn=30)
    result = result_of(table)
    assert result.right == 15
    assert not result.exact


def test_a_missed_tile(table: Any) -> None:
    table.row(HAND, 0, 0)
    label = labels_of(table)
    more = replace(label, tiles=(*label.tiles, LabelledTile("1z", (900.0, 100.0, 930.0, 140.0))))
    result = compare(more, interpret(table.tiles(), (1200, 1200)))
    assert result.matches[-1] is None
    assert not result.exact
    assert Evaluation((result,)).to_json()["found"] == pytest.approx(14 / 15, abs=1e-4)


def test_decoding_for_better_and_for_worse(table: Any) -> None:
    table.row(HAND.removesuffix(" 5p"), 0, 0)
    table.put("6p", 13 * 32 + 50, 0, sure=0.6, rival="5p")
    better = Evaluation((result_of(table, HAND),)).to_json()
    assert better["decoding"] == {"changed": 1, "better": 1, "worse": 0}
    worse = Evaluation((result_of(table, HAND.removesuffix("5p") + "6p"),)).to_json()
    assert worse["decoding"] == {"changed": 1, "better": 0, "worse": 1}
    assert worse["flagged"]["of_wrong"] == 1


def test_roles_are_measured_where_labels_give_them(table: Any) -> None:
    table.row(HAND, 0, 0)
    label = labels_of(table)
    roles = (Role.FLOWER, *[None] * 3, *[Role.CONCEALED] * 10)
    given = replace(
        label,
        tiles=tuple(replace(tile, role=role) for tile, role in zip(label.tiles, roles, strict=True)),
    )
    figures = Evaluation((compare(given, interpret(table.tiles(), (1200, 1200))),)).to_json()
    assert figures["roles"] == {"labelled": 11, "right": pytest.approx(10 / 11, abs=1e-4)}


def test_rows_at_any_angle_are_rows_and_grids_are_not(table: Any) -> None:
    for turn in (0, 20, 90):
        table.quads.clear(), table.rows.clear(), table.scores.clear()
        table.row(HAND, 0, 0)
        assert labels_of(table, turn=turn).shows_one_row
    table.row("1m 2m 3m", 0, 60)
    assert not labels_of(table).shows_one_row
    table.quads.clear(), table.rows.clear(), table.scores.clear()
    table.row("1m 2m 3m 4m", 0, 0)
    assert not labels_of(table).shows_one_row


def test_no_found_box_is_used_twice() -> None:
    labels = np.array([[0.0, 0, 10, 10], [1.0, 0, 11, 10]])
    finds = np.array([[1.0, 0, 11, 10]])
    assert match(labels, finds) == (None, 0)
    assert match(labels, np.zeros((0, 4))) == (None, None)
    assert match(np.zeros((0, 4)), finds) == ()


def test_boxes_must_overlap_by_half() -> None:
    label = np.array([[0.0, 0, 10, 10]])
    assert match(label, np.array([[0.0, 0, 10, 5.1]])) == (0,)
    assert match(label, np.array([[0.0, 0, 10, 4.9]])) == (None,)


def test_calibration_error() -> None:
    assert calibration_error([]) is None
    assert calibration_error([(1.0, True)] * 5) == 0
    assert calibration_error([(0.9, False)] * 5) == pytest.approx(0.9)


def write(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


GOOD: dict[str, Any] = {
    "image": "a.jpg",
    "split": "valid",
    "scene": "tray",
    "tiles": [{"face": "1m", "box": [0, 0, 5, 6]}],
}


def test_labels_are_read_by_split(tmp_path: Path) -> None:
    path = write(tmp_path / "labels.jsonl", GOOD, {**GOOD, "split": "train"})
    (photo,) = read_labels(path, "valid")
    tile = LabelledTile("1m", (0, 0, 5, 6))
    assert photo == LabelledPhoto(tmp_path / "a.jpg", (tile,), "a.jpg", scene="tray", split="valid")
    assert len(read_labels(path)) == 2


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"image": "a.jpg"}, "it needs tiles"),
        ({"tiles": []}, "it needs image"),
        ({**GOOD, "image": 3}, "it needs image"),
        ({**GOOD, "tiles": {"face": "1m"}}, "it needs tiles"),
        ({**GOOD, "tiles": [{"face": "1m"}]}, "tile 1 needs face and box"),
        ({**GOOD, "tiles": [*GOOD["tiles"], 7]}, "tile 2 needs face and box"),
        ({**GOOD, "tiles": [{"face": "0m", "box": [0, 0, 5, 6]}]}, "tile 1 has the unknown face '0m'"),
        ({**GOOD, "tiles": [{"face": [1], "box": [0, 0, 5, 6]}]}, "tile 1 has the unknown face"),
        *(
            ({**GOOD, "tiles": [{"face": "1m", "box": box}]}, "the box of tile 1 must be")
            for box in (
                [5, 0, 5, 6],
                [5, 0],
                None,
                "abcd",
                [0, 0, float("nan"), 6],
                [0, 0, float("inf"), 6],
                [0, 0, 10**400, 6],
                [0, 0, True, 6],
                [0, 0, "5", 6],
            )
        ),
        ({**GOOD, "tiles": [{**GOOD["tiles"][0], "role": "king"}]}, "tile 1 has the unknown role 'king'"),
        ({**GOOD, "scene": None}, "its scene must be text"),
        ({**GOOD, "split": 3}, "its split must be text"),
        ({**GOOD, "oriented": "yes"}, "its oriented must be true or false"),
        ({**GOOD, "augmented": 1}, "its augmented must be true or false"),
        ({**GOOD, "unsure": 3}, "its unsure places must be a list"),
        ({**GOOD, "nothing": 3}, "its nothing places must be a list"),
        ({**GOOD, "unsure": [[[0, 0]]]}, "the quad of unsure place 1 must be four corners"),
        *(
            ({**GOOD, "tiles": [{**GOOD["tiles"][0], "quad": quad}]}, "the quad of tile 1 must be four")
            for quad in (None, [], [[0, 0]] * 3, [[0, 0]] * 3 + [[0, "x"]], [[0, 0]] * 3 + [[0]], "abcd")
        ),
        ({**GOOD, "tiles": [{**GOOD["tiles"][0], "partial_box": 1}]}, "its partial_box must be true or"),
        ("text", "one JSON object"),
    ],
)
def test_bad_labels_are_reported_with_their_line(tmp_path: Path, row: object, words: str) -> None:
    path = write(tmp_path / "labels.jsonl", GOOD, row)
    with pytest.raises(LabelError, match=words) as caught:
        read_labels(path)
    assert str(caught.value).startswith(f"{path}, line 2 is not a label: ")
    for name in ("Error", "NoneType", "object has no"):
        assert name not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{broken", "not JSON .* at character 2"),
        ("[" * 100_000, "JSON cannot be read"),
        ('{"image": ' + "1" * 5000 + "}", "JSON cannot be read"),
    ],
)
def test_lines_that_are_not_json(tmp_path: Path, line: str, words: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(f"\ufeff{json.dumps(GOOD)}\n\n{line}\n", encoding="utf-8")
    with pytest.raises(LabelError, match=f"line 3 is not a label: .*{words}"):
        read_labels(path)


def test_a_role_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "labels.jsonl", {**GOOD, "tiles": [{**GOOD["tiles"][0], "role": "meld"}]})
    assert read_labels(path)[0].tiles[0].role is Role.MELD


def test_all_other_fields_of_a_label_are_read(tmp_path: Path) -> None:
    quad = [[0, 0], [5, 0], [5, 6], [0, 6]]
    tile = {"face": "back", "box": [0, 0, 5, 6], "quad": quad, "partial_box": True}
    row = {"image": "a.jpg", "tiles": [tile], "augmented": True, "oriented": False, "unsure": [quad]}
    (photo,) = read_labels(write(tmp_path / "labels.jsonl", row))
    corners = ((0.0, 0.0), (5.0, 0.0), (5.0, 6.0), (0.0, 6.0))
    assert photo.tiles == (LabelledTile("back", (0, 0, 5, 6), corners, partial=True),)
    assert (photo.scene, photo.split, photo.augmented, photo.oriented) == ("all", None, True, False)
    assert photo.quads == photo.unsure == (corners,)
    (plain,) = read_labels(write(tmp_path / "labels.jsonl", {**row, "tiles": [tile, GOOD["tiles"][0]]}))
    assert plain.quads is None


def test_a_tile_without_a_face_is_accepted_only_on_request(tmp_path: Path) -> None:
    tiles = [GOOD["tiles"][0], {"face": None, "box": [0, 0, 5, 6]}]
    path = write(tmp_path / "labels.jsonl", {**GOOD, "tiles": tiles})
    with pytest.raises(LabelError, match=r"tile 2 of a\.jpg has no face"):
        read_labels(path)
    assert read_labels(path, unknown_faces=True)[0].faces == ("1m", UNKNOWN)


def test_missing_labels_and_splits_are_reported(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="cannot be read"):
        read_labels(tmp_path / "absent.jsonl")
    with pytest.raises(LabelError, match="no labelled photo of split 'test'"):
        read_labels(write(tmp_path / "labels.jsonl", GOOD), "test")


def test_the_report_shows_every_error(table: Any, tmp_path: Path) -> None:
    photo = tmp_path / "hand.jpg"
    Image.new("RGB", (1200, 1200), (30, 90, 40)).save(photo)
    table.row(HAND, 0, 0)
    label = labels_of(table, HAND.replace("8m", "9m"), path=str(photo))
    result = compare(label, interpret(table.tiles(), (1200, 1200)))
    folder = tmp_path / "report"
    folder.mkdir()
    write_report(Evaluation((result,)), folder)
    assert json.loads((folder / "evaluation.json").read_text(encoding="utf-8"))["rows_exact"] == 0
    with (folder / "confusions.csv").open(encoding="utf-8") as file:
        assert list(csv.reader(file)) == [["label", "read", "times"], ["9m", "8m", "1"]]
    (line,) = (folder / "photos.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["misnamed"] == [["9m", "8m"]]
    with Image.open(folder / "errors.png") as sheet:
        assert sheet.width > 96
    assert [path.name for path in (folder / "photos").iterdir()] == ["hand.jpg"]


def test_an_unlabelled_tile_is_on_the_sheet_which_goes_with_its_errors(table: Any, tmp_path: Path) -> None:
    photo = tmp_path / "hand.jpg"
    Image.new("RGB", (1200, 1200), (30, 90, 40)).save(photo)
    table.row(HAND + " 9s", 0, 0)
    more = compare(labels_of(table, HAND, path=str(photo)), interpret(table.tiles(), (1200, 1200)))
    write_report(Evaluation((more,)), tmp_path)
    assert (tmp_path / "errors.png").exists()
    right = compare(labels_of(table, path=str(photo)), interpret(table.tiles(), (1200, 1200)))
    write_report(Evaluation((right,)), tmp_path)
    assert not (tmp_path / "errors.png").exists()


def test_a_report_that_cannot_be_written_leaves_the_earlier_one(
    table: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.row(HAND, 0, 0)
    evaluation = Evaluation((result_of(table),))
    write_report(evaluation, tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vision.evaluation.report.json_line", full)
    with pytest.raises(OSError, match="No space"):
        write_report(evaluation, tmp_path)
    assert (tmp_path / "photos.jsonl").read_text(encoding="utf-8").count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before
