"""The tables between the stages are valid once built, or are not built at all."""

import numpy as np
import pytest

from vision.tiles import BACK, CLASS_INDEX, CLASSES, FACES, Detections, Tiles, signed_area

QUAD = [[0, 0], [30, 0], [30, 40], [0, 40]]


def certain(face: str) -> list[float]:
    row = [0.0] * len(CLASSES)
    row[CLASS_INDEX[face]] = 1.0
    return row


def test_classes_are_the_42_faces_then_back_then_none() -> None:
    assert len(FACES) == 42
    assert [FACES[i] for i in (0, 26, 27, 34, 41)] == ["1m", "9s", "1z", "1f", "8f"]
    assert list(CLASSES) == [*FACES, BACK, "none"]


def test_arrays_are_copied_and_read_only() -> None:
    quads = np.array([QUAD], dtype=np.float64)
    found = Detections(quads, [0.5])
    quads[:] = 0
    assert found.quads.dtype == np.float32
    assert found.quads[0, 2].tolist() == [30, 40]
    with pytest.raises(ValueError, match="read-only"):
        found.quads[0, 0, 0] = 1
    with pytest.raises(AttributeError):
        found.scores = np.zeros(1)  # type: ignore[misc]


def test_empty_tables() -> None:
    assert len(Detections.empty()) == 0
    assert Detections.empty().boxes.shape == (0, 4)
    assert len(Tiles.empty()) == 0
    assert Tiles.empty().faces == ()
    assert Tiles.empty().confidences.shape == (0,)
    assert Detections([], []).quads.shape == (0, 4, 2)


def test_clockwise_is_positive() -> None:
    assert signed_area(np.array([QUAD], dtype=np.float32)).tolist() == [1200]


def test_select_keeps_order() -> None:
    quads = [QUAD, (np.array(QUAD) + 100).tolist()]
    tiles = Tiles(quads, [certain("1m"), certain(BACK)], [0.9, 0.8])
    assert tiles.faces == ("1m", "back")
    assert tiles.select(np.array([1, 0])).faces == ("back", "1m")
    assert tiles.select(np.array([False, True])).boxes.tolist() == [[100, 100, 130, 140]]


@pytest.mark.parametrize(
    ("quads", "scores", "message"),
    [
        ([QUAD[::-1]], [0.5], "clockwise"),
        ([[[0, 0]] * 4], [0.5], "clockwise"),
        ([QUAD], [0.5, 0.5], "scores has the shape"),
        ([QUAD], [1.5], "between 0 and 1"),
        ([QUAD], [float("nan")], "not finite"),
        ([QUAD[:3]], [0.5], "quads has the shape"),
    ],
)
def test_detections_refuse(quads: list[list[list[float]]], scores: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Detections(quads, scores)


def test_tiles_refuse_rows_that_do_not_sum_to_one() -> None:
    with pytest.raises(ValueError, match="sum to 1"):
        Tiles([QUAD], [[0.0] * len(CLASSES)], [0.5])
    with pytest.raises(ValueError, match="probabilities has the shape"):
        Tiles([QUAD], [[1.0]], [0.5])
