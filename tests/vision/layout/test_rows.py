"""Tiles fall into rows and runs whatever the angle, the perspective and a few misread turns."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.layout.doubles import distinct
from vision.layout.frames import frames
from vision.layout.rows import find_rows
from vision.tiles import CLASSES, Tiles


def runs(tiles: Tiles) -> list[list[list[int]]]:
    return [[list(run) for run in row.runs] for row in find_rows(frames(tiles.quads))]


def test_an_empty_table_has_no_rows() -> None:
    assert runs(Tiles.empty()) == []
    assert distinct(Tiles.empty()).tolist() == []


def test_a_single_tile_is_a_row(table: Any) -> None:
    table.put("1m", 100, 100)
    assert runs(table.tiles()) == [[[0]]]


@pytest.mark.parametrize("turn", range(0, 360, 15))
def test_a_row_at_any_angle_is_read_as_its_owner_reads_it(table: Any, turn: int) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z 2z", 0, 0)
    assert runs(table.tiles(turn=turn, jitter=0.5)) == [[list(range(14))]]


@given(turn=st.floats(0, 360), tilt=st.floats(0, 0.5), jitter=st.floats(0, 1.2), seed=st.integers(0, 99))
@settings(max_examples=80, deadline=None)
def test_a_row_survives_perspective_and_jitter(turn: float, tilt: float, jitter: float, seed: int) -> None:
    laid = Laid()
    laid.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z 2z", 0, 0)
    seen = laid.tiles(turn=turn, tilt=tilt, jitter=jitter, seed=seed)
    assert [sorted(row.members) for row in find_rows(frames(seen.quads))] == [list(range(14))]


def test_faces_read_a_quarter_turn_wrong_do_not_break_the_row(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z 2z", 0, 0)
    seen = table.tiles(turn=10)
    quads = seen.quads.copy()
    for index in range(0, 14, 2):
        quads[index] = np.roll(quads[index], index // 2 % 3 + 1, axis=0)
    assert runs(Tiles(quads, seen.probabilities, seen.scores)) == [[list(range(14))]]


@pytest.mark.parametrize(
    ("face", "score", "above", "kept"),
    [
        ("7z", 0.4, 38, False),  # the white top of a standing tile
        ("back", 0.4, 38, False),
        ("7z", 0.6, 38, True),
        ("5s", 0.4, 38, True),
        ("7z", 0.4, 60, True),
    ],
)
def test_a_faint_blank_find_that_overlaps_a_tile_is_its_side(
    table: Any, face: str, score: float, above: float, kept: bool
) -> None:
    table.row("1m 1m 5m 8s", 0, 0)
    table.put(face, 33, -above)
    seen = table.tiles()
    scores = np.array([0.9, 0.9, 0.9, 0.9, score], np.float32)
    seen = Tiles(seen.quads, seen.probabilities, scores)
    assert (4 in distinct(seen)) == kept
    assert set(range(4)) <= set(distinct(seen).tolist())


def test_tiles_that_lie_sideways_are_recognised(table: Any) -> None:
    table.row("1m 1m~ 1m 3p 4p 5p 9s 9s 9s", 0, 0)
    frame = frames(table.tiles(turn=200).quads)
    assert frame.sideways.tolist() == [index == 1 for index in range(9)]
    assert len(find_rows(frame)) == 1


def test_a_gap_parts_two_runs_of_one_row(table: Any) -> None:
    table.row("1m 2m 3m 4m", 0, 0)
    table.row("5m 6m 7m", 4 * 32 + 28, 0)
    assert runs(table.tiles(turn=33)) == [[[0, 1, 2, 3], [4, 5, 6]]]


def test_rows_behind_one_another_stay_apart(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m", 0, 0)
    table.row("1p 1p 1p 2p 2p 2p", 10, -42)
    assert runs(table.tiles(turn=-20, jitter=0.5)) == [[list(range(8))], [list(range(8, 14))]]


def test_a_tile_found_twice_counts_once(table: Any) -> None:
    table.put("1m", 0, 0, score=0.6)
    table.put("1m", 6, 4, score=0.8)
    table.put("2m", 32, 0)
    table.put("3m", 64, 0, scale=0.6, score=0.5)
    table.put("3m", 64, 5)
    assert distinct(table.tiles()).tolist() == [1, 2, 4]


def test_finds_that_are_not_tiles_are_dropped(table: Any) -> None:
    table.put("none", 0, 0)
    table.put("2m", 32, 0)
    assert distinct(table.tiles()).tolist() == [1]


class Laid:
    """As the `table` fixture, for hypothesis, which wants a fresh one for each example."""

    def __init__(self) -> None:
        self.quads: list[Any] = []

    def row(self, faces: str, x: float, y: float) -> None:
        for number, _ in enumerate(faces.split()):
            left = x + 32 * number
            self.quads.append([[left, y], [left + 30, y], [left + 30, y + 40], [left, y + 40]])

    def tiles(self, *, turn: float, tilt: float, jitter: float, seed: int) -> Tiles:
        points = np.array(self.quads, dtype=np.float64)
        points -= points.reshape(-1, 2).mean(axis=0)
        angle = np.radians(turn)
        points = points @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        points = points * [1.0, 1 - 0.5 * tilt] / (1 - tilt * points[..., 1:] / 400) + 600
        points += np.random.default_rng(seed).normal(0, jitter, points.shape)
        rows = np.eye(len(CLASSES))[: len(points)]
        return Tiles(points, rows, np.ones(len(points)))
