"""The camera's motion is told from the tiles that two frames show."""

import numpy as np
import pytest

from tests.vision.conftest import Table
from vision.tiles import Tiles
from vision.tracking.motion import motion_between, moved

FACES = "1m 2m 3m 5p 5p 6p 7p 8p 2s 2s 2s 5z 5z 9m"


def truth(zoom: float, turn: float, shift: tuple[float, float]) -> np.ndarray:
    angle = np.radians(turn)
    spin = zoom * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.column_stack([spin, shift])


def seen(tiles: Tiles, matrix: np.ndarray, jitter: float = 0.0) -> Tiles:
    noise = np.random.default_rng(3).normal(0, jitter, tiles.quads.shape)
    return Tiles(moved(tiles.quads, matrix) + noise, tiles.probabilities, tiles.scores)


@pytest.mark.parametrize("zoom", [0.5, 1.0, 2.7])
@pytest.mark.parametrize("turn", [-40.0, 0.0, 3.0])
@pytest.mark.parametrize("shift", [(0.0, 0.0), (32.0, 0.0), (-64.0, 5.0), (300.0, 400.0)])
def test_a_motion_is_found_whatever_it_is(
    table: Table, zoom: float, turn: float, shift: tuple[float, float]
) -> None:
    table.row(FACES, 0, 0)
    earlier, matrix = table.tiles(), truth(zoom, turn, shift)
    later = seen(earlier, matrix, jitter=0.5)
    found = motion_between(earlier, later)
    assert found is not None
    assert found.pairs.tolist() == [[row, row] for row in range(len(earlier))]
    assert np.abs(moved(earlier.quads, found.matrix) - moved(earlier.quads, matrix)).max() < 4 * zoom


def test_tiles_of_one_face_follow_the_others(table: Table) -> None:
    """A row shifted by one tile lies on itself; the two tiles that are not alike tell that it moved."""
    table.row("1s 2s 2s 2s 2s 3s", 0, 0)
    earlier = table.tiles()
    found = motion_between(earlier, seen(earlier, truth(1, 0, (32, 0))))
    assert found is not None
    assert np.allclose(found.matrix, truth(1, 0, (32, 0)), atol=0.5)


def test_a_perspective_that_changes_is_followed(table: Table) -> None:
    table.row(FACES, 0, 0)
    table.row("3z 3z 3z", 0, 90)
    earlier, later = table.tiles(tilt=0.2), table.tiles(tilt=0.45, turn=4)
    found = motion_between(earlier, later)
    assert found is not None
    assert len(found.pairs) == len(earlier)
    assert (found.pairs[:, 0] == found.pairs[:, 1]).all()


def test_a_tile_that_turns_its_first_corner_does_not_bend_the_motion(table: Table) -> None:
    table.row(FACES, 0, 0)
    earlier = table.tiles()
    quads = earlier.quads.copy()
    quads[3], quads[7] = np.roll(quads[3], 2, axis=0), np.roll(quads[7], 2, axis=0)
    found = motion_between(earlier, Tiles(quads, earlier.probabilities, earlier.scores))
    assert found is not None
    assert np.allclose(found.matrix, np.eye(2, 3), atol=1e-3)


def test_half_of_the_tiles_are_enough(table: Table) -> None:
    table.row(FACES, 0, 0)
    earlier = table.tiles()
    later = seen(earlier.select(np.arange(5, 14)), truth(1.1, 5, (40, -20)), jitter=1)
    found = motion_between(earlier, later)
    assert found is not None
    assert found.pairs.tolist() == [[row, row - 5] for row in range(5, 14)]


def test_other_tiles_are_no_motion(table: Table) -> None:
    table.row(FACES, 0, 0)
    other = Table()
    other.row("1z 2z 3z 4z", 0, 0)
    other.put("6s", 300, 300)
    other.put("7s", -100, 500)
    other.put("4s", 100, 700)
    assert motion_between(table.tiles(), other.tiles(turn=90)) is None
    assert motion_between(Tiles.empty(), table.tiles()) is None
    assert motion_between(table.tiles(), Tiles.empty()) is None
