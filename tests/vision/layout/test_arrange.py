"""Roles of tiles on tables as they are laid: rows, the winning tile set apart, strays, what is no hand."""

from typing import Any

import numpy as np
import pytest

from tests.vision.layout.sorting import CONCEALED, laid
from vision.layout.arrange import arrange
from vision.layout.roles import Layout, Role
from vision.tiles import Tiles


def test_nothing() -> None:
    assert arrange(Tiles.empty(), 100, 100) == Layout((), ())


@pytest.mark.parametrize("turn", [0, 37, 90, 180, 222, 271])
def test_one_row(table: Any, turn: float) -> None:
    table.row(CONCEALED, 0, 0)
    assert laid(table.tiles(turn=turn, jitter=0.7)) == {"concealed": [CONCEALED]}


def test_an_upside_down_row_reads_from_its_owners_left(table: Any) -> None:
    table.row(CONCEALED, 0, 0)
    seen = table.tiles(turn=180)
    assert seen.quads[0, :, 0].mean() > seen.quads[13, :, 0].mean()
    assert laid(seen) == {"concealed": [CONCEALED]}


@pytest.mark.parametrize("turn", [0, 140])
@pytest.mark.parametrize("tilt", [0.0, 0.4])
@pytest.mark.parametrize(
    "place",
    [(13 * 32 + 45, 0, 0), (13 * 32 + 45, 0, 90), (200, -52, 0), (200, -48, 90), (420, -60, 0)],
    ids=["gap", "gap-sideways", "above", "above-sideways", "above-right"],
)
def test_the_winning_tile_set_apart(
    table: Any, place: tuple[float, float, float], tilt: float, turn: float
) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z", 0, 0)
    table.put("2z", place[0], place[1], turn=place[2])
    found = laid(table.tiles(turn=turn, tilt=tilt, jitter=0.4))
    assert found == {
        "concealed": ["1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z"],
        "winning": ["2z~" if place[2] else "2z"],
    }


def test_a_sideways_tile_in_the_row_is_the_winning_tile(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z 2z~", 0, 0)
    assert laid(table.tiles(turn=5)) == {
        "concealed": ["1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z"],
        "winning": ["2z~"],
    }


def test_discards_walls_and_other_hands_are_strays(table: Any) -> None:
    table.row(CONCEALED, 0, 0)
    rng = np.random.default_rng(3)
    for number in range(20):  # a heap
        table.put("3p", 120 + 45 * (number % 5), -320 + 50 * (number // 5), turn=float(rng.uniform(0, 360)))
    for number in range(12):  # a wall
        table.put("back", 40 + 32 * number, -400)
    for number in range(13):  # another hand, further away
        table.put("4s", 60 + 20 * number, -520, scale=0.6, turn=180)
    found = laid(table.tiles(turn=7))
    assert found["concealed"] == [CONCEALED]
    assert set(found) == {"concealed", "stray"}
    assert len(found["stray"][0].split()) == 45


@pytest.mark.parametrize("side", ["back", "7z"])
def test_the_sides_of_a_wall_are_no_tiles_of_the_hand(table: Any, side: str) -> None:
    table.row(CONCEALED, 0, 0)
    table.row([side] * 12, 20, -70)
    table.row([side] * 12, 20, -112)
    found = laid(table.tiles(turn=4))
    assert set(found) == {"concealed", "stray"}
    assert found["concealed"] == [CONCEALED]


@pytest.mark.parametrize("face", ["7p", "back"])
def test_a_discard_near_a_hand_of_thirteen_is_not_the_winning_tile(table: Any, face: str) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z", 0, 0)
    table.put(face, 200, -110, turn=11)
    found = laid(table.tiles())
    assert found["stray"] == [face]
    assert "winning" not in found


def test_a_missed_tile_leaves_a_hand_of_thirteen_in_one_piece(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m", 0, 0)
    table.row("7m 8m 9m 1z 1z 2z 2z 2z", 6 * 32, 0)
    assert laid(table.tiles()) == {"concealed": ["1m 2m 3m 4m 5m 7m 8m 9m 1z 1z 2z 2z 2z"]}


def test_a_tray_is_no_hand_and_loses_no_tile(table: Any) -> None:
    for number in range(4):
        table.row("1m 2p 3s 4z 5m 6p 7s 1z 9p", 0, 44 * number)
    layout = arrange(table.tiles(turn=2), 1200, 1200)
    assert layout.count != 14
    assert Role.STRAY not in layout.roles


def test_loose_tiles_that_are_no_hand_are_all_given(table: Any) -> None:
    for place, faces in enumerate((("1s", "2s", "3s"), ("4s", "5s", "6s"), ("7s", "8s", "1f"))):
        for column, face in enumerate(faces):
            table.row(face, 75 * column, 110 * place)
    found = arrange(table.tiles(), 1280, 960)
    assert found.roles == (Role.CONCEALED,) * 8 + (Role.FLOWER,)


def test_discards_nearer_to_the_camera_are_not_the_hand(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 9s", 60, 0, turn=180)
    table.put("9s", 10, 0, turn=180)
    table.row("5z 5z 5z~", 60, 60, turn=180)
    table.row("1p 1p 1p", 190, 60, turn=180)
    table.row("3p 8s 1z 2m 6z 4s", 60, 160)
    table.row("9p 2z 7s 4p 8m 1s", 60, 202)
    found = laid(table.tiles(tilt=0.7))
    assert sorted(found["meld"]) == ["1p 1p 1p", "5z~ 5z 5z"]
    assert found["winning"] == ["9s"]
    assert len(found["stray"][0].split()) == 12


def test_a_clear_hand_has_nothing_unsure(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 9s", 0, 0)
    table.put("9s", 7 * 32 + 50, 0)
    table.row("7p~ 8p 9p", 60, -60)
    table.row("5z 5z~ 5z", 200, -60)
    assert arrange(table.tiles(turn=3), 1200, 1200).unsure == set()
