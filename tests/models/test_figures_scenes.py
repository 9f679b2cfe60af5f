"""The figures of other tables and of pictures without tiles."""

from pathlib import Path

import numpy as np
import pytest

from models.figures import phone_rows, untiled
from models.figures.phone_rows import SceneCounts
from models.figures.untiled import Outcome
from vision.evaluation.labels import LabelledPhoto, LabelledTile
from vision.tiles import CLASS_INDEX, CLASSES, Tiles


def finds(*rows: tuple[str, float, float]) -> Tiles:
    """Squares of 40 pixels, each read as a face, with the place of its top left corner."""
    odds = np.zeros((len(rows), len(CLASSES)), np.float32)
    for row, (face, _, _) in zip(odds, rows, strict=True):
        row[CLASS_INDEX[face]] = 1
    quads = [[[x, y], [x + 40, y], [x + 40, y + 40], [x, y + 40]] for _, x, y in rows]
    return Tiles(np.array(quads, np.float32).reshape(-1, 4, 2), odds, np.ones(len(rows)))


def test_a_label_is_found_where_its_middle_lies_in_a_find() -> None:
    labels = [
        ("1m", (0, 0, 40, 40)),
        ("2f", (100, 0, 140, 10)),
        ("3m", (200, 0, 240, 40)),
        ("9p", (300, 0, 340, 40)),
    ]
    photo = LabelledPhoto(Path("x"), tuple(LabelledTile(face, box) for face, box in labels))
    tiles = finds(
        ("1m", 3, 2), ("2f", 100, 0), ("4m", 202, 0), ("back", 500, 0), ("1p", 600, 0), ("1p", 700, 0)
    )
    assert phone_rows.compare(photo, tiles) == SceneCounts(1, 4, found=3, right=2, faces=2, backs=1)


def test_counts_become_a_row_of_the_table() -> None:
    counts = SceneCounts(1, 4, 3, 2, 2, 1) + SceneCounts(1, 4, 4, 4, 0, 0)
    table = phone_rows.section([("sofa", counts)])
    assert table.splitlines()[-1] == "| sofa | 2 | 8 | 87.5% | 75.0% (6) | 2 | 1 |"


def test_every_kind_of_picture_is_counted() -> None:
    text = untiled.section(
        [Outcome("dice", 0, hand=False), Outcome("dice", 14, hand=True), Outcome("cards", 3, False)]
    )
    assert text.startswith("Of 3 pictures without a tile, 2 (66.7%) are said to show tiles, 1 a hand:")
    assert text.splitlines()[-2:] == ["| dice | 2 | 1 | 1 |", "| cards | 1 | 1 | 0 |"]


def test_rendered_pictures_are_read(tmp_path: Path) -> None:
    done: list[int] = []
    outcomes = untiled.measure(tmp_path / "missing", rendered=2, progress=done.append)
    assert [one.kind for one in outcomes] == ["keyboard", "dominoes"]
    assert done == [1, 2]
    assert not any(one.hand for one in outcomes)


@pytest.mark.shared
def test_a_photo_of_two_tiles_close_to_the_camera_is_read() -> None:
    labels = phone_rows.default_labels()
    photo = next(
        one
        for one in phone_rows.read_labels(labels, "train")
        if one.scene == "cutting-mat" and len(one.tiles) == 2
    )
    finder = phone_rows.Finder(
        phone_rows.Detector(phone_rows.open_session("detector")),
        phone_rows.Reader(phone_rows.open_session("reader")),
    )
    assert phone_rows.compare(photo, finder.find(phone_rows.load_photo(photo.path))).right == 2
