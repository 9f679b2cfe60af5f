"""Which tiles are put into the hand, against what a person told."""

from pathlib import Path

import pytest

from models.figures.hand_sets import HandSet, judge, read_hand_sets, section
from models.figures.specimens import default_labels
from tests.vision.conftest import Table
from vision.evaluation.labels import LabelledPhoto, LabelledTile, read_labels
from vision.recognition import interpret


def labelled(table: Table) -> LabelledPhoto:
    tiles = table.tiles()
    labels = [
        LabelledTile(face, (*map(float, quad.min(axis=0)), *map(float, quad.max(axis=0))))
        for face, quad in zip(tiles.faces, tiles.quads, strict=True)
    ]
    return LabelledPhoto(Path("table.jpg"), tuple(labels))


def laid() -> tuple[Table, int]:
    """A table with a whole hand and a tile far off, and the number of that tile."""
    table = Table()
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z", 0, 0)
    table.put("2z", 13 * 32 + 50, 0)
    return table, table.put("9s", 200, -300, turn=30)


def test_a_tile_that_does_not_belong_may_be_left_out() -> None:
    table, far = laid()
    read = interpret(table.tiles(), (1200, 1200))
    assert judge(labelled(table), read, (far,)).right
    assert judge(labelled(table), read, ()).lost == 1
    assert judge(labelled(table), read, (0, far)).added == 1


def test_the_section_counts_what_is_wrong() -> None:
    photos = [HandSet("a.jpg", 0, 0, asked=True), HandSet("b.jpg", 1, 2, asked=False)]
    text = section(photos)
    assert "In 1 of 2 training photos" in text
    assert "b (1 left out, 2 added)" in text
    assert "1 are wrong without a question" in text


@pytest.mark.shared
def test_the_photos_are_training_photos_with_these_tiles() -> None:
    photos = {photo.image: photo for photo in read_labels(default_labels(), "train")}
    for image, left_out in read_hand_sets().items():
        assert set(left_out) <= set(range(len(photos[image].boxes))), image
