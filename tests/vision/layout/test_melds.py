"""Melds and kongs, beside the hand, in rows of their own, or left in the hand's row."""

from typing import Any

import pytest

from tests.vision.layout.sorting import laid, laid_in_melds
from vision.layout.arrange import arrange
from vision.layout.roles import Role

FOUR_MELDS = ("1s 2s 3s", "5z 5z 5z~", "7p~ 8p 9p", "3m 3m 3m")


@pytest.mark.parametrize("turn", [0, 75, 190])
def test_melds_beside_the_row(table: Any, turn: float) -> None:
    table.row("1m 2m 3m 4m 5m 6m 9s 9s", 0, 0)
    table.row("7p~ 8p 9p", 8 * 32 + 24, 0)
    table.row("5z 5z~ 5z", 8 * 32 + 24 + 130, 0)
    assert laid(table.tiles(turn=turn, jitter=0.3)) == {
        "meld": ["7p~ 8p 9p", "5z 5z~ 5z"],
        "concealed": ["1m 2m 3m 4m 5m 6m 9s 9s"],
    }


@pytest.mark.parametrize("turn", [0, 75, 190])
def test_melds_in_a_row_behind(table: Any, turn: float) -> None:
    table.row("1m 2m 3m 9s 9s", 40, 0)
    table.row("7p 8p 9p 5z 5z 5z 3s 3s 3s", 0, -44)
    assert laid(table.tiles(turn=turn, tilt=0.2, jitter=0.3)) == {
        "meld": ["7p 8p 9p", "5z 5z 5z", "3s 3s 3s"],
        "concealed": ["1m 2m 3m 9s 9s"],
    }


def test_melds_in_front_of_the_row(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 9s 9s", 0, 0)
    table.row("5z 5z 5z~", 60, 50)
    assert laid(table.tiles()) == {
        "meld": ["5z 5z 5z~"],
        "concealed": ["1m 2m 3m 4m 5m 6m 7m 8m 9m 9s 9s"],
    }


def test_a_hand_laid_in_two_rows_that_are_no_melds(table: Any) -> None:
    table.row("1m 1m 3p 3p 5p 5p 9s", 0, -44)
    table.row("9s 1z 1z 3z 3z 7z 7z", 0, 0)
    found = laid(table.tiles(turn=12))
    assert found == {"concealed": ["1m 1m 3p 3p 5p 5p 9s 9s 1z 1z 3z 3z 7z 7z"]}


def test_a_kong_left_in_the_row(table: Any) -> None:
    table.row("1m 2m 3m 8p 8p 8p 8p 5m 5m 7s 8s 9s 3z 3z 3z", 0, 0)
    assert laid(table.tiles(turn=3)) == {
        "meld": ["8p 8p 8p 8p"],
        "concealed": ["1m 2m 3m 5m 5m 7s 8s 9s 3z 3z 3z"],
    }


def test_four_alike_that_are_no_kong(table: Any) -> None:
    table.row("1m 1m 1m 1m 2m 3m 5m 5m 7s 8s 9s 3z 3z 3z", 0, 0)
    assert laid(table.tiles())["concealed"] == ["1m 1m 1m 1m 2m 3m 5m 5m 7s 8s 9s 3z 3z 3z"]


def test_a_kong_with_one_tile_on_top(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 9s 9s", 0, 0)
    pung = table.row("2p 2p~ 2p", 11 * 32 + 30, 0)
    middle = table.quads[pung[1]].mean(axis=0)
    table.put("2p", middle[0], middle[1] - 31, turn=90)
    assert laid(table.tiles(turn=170)) == {
        "meld": ["2p 2p~ 2p~ 2p"],
        "concealed": ["1m 2m 3m 4m 5m 6m 7m 8m 9m 9s 9s"],
    }


@pytest.mark.parametrize(
    "kong", ["back back back back", "back 6s 6s back", "6s back back 6s", "back 6s 6s 6s"]
)
def test_concealed_kongs(table: Any, kong: str) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 9s 9s", 0, 0)
    table.row(kong, 11 * 32 + 30, 0)
    assert laid(table.tiles(turn=8)) == {
        "meld": [kong],
        "concealed": ["1m 2m 3m 4m 5m 6m 7m 8m 9m 9s 9s"],
    }


def test_a_concealed_kong_in_the_row(table: Any) -> None:
    table.row("back 6s 6s back 1m 2m 3m 4m 5m 6m 7m 8m 9m 9s 9s", 0, 0)
    assert laid(table.tiles())["meld"] == ["back 6s 6s back"]


def test_small_spaces_tell_melds_from_concealed_tiles(table: Any) -> None:
    laid_in_melds(table, ("2m 3m 4m 4m", "1s 1s 1s~", "3p 3p 3p", "6z 6z 6z"), 0, 0)
    table.put("4m", -60, 0)
    assert laid(table.tiles(turn=4, jitter=0.3)) == {
        "meld": ["1s 1s 1s~", "3p 3p 3p", "6z 6z 6z"],
        "concealed": ["2m 3m 4m 4m"],
        "winning": ["4m"],
    }


@pytest.mark.parametrize("turn", [0, 110, 185])
@pytest.mark.parametrize(
    "pair",
    [((-60, 0, 0), (-110, 0, 0)), ((-70, 20, 0), (-70, -26, 0)), ((-100, 0, 0), (-62, 4, 90))],
    ids=["beside", "behind", "sideways"],
)
def test_a_pair_beside_four_melds(table: Any, pair: Any, turn: float) -> None:
    laid_in_melds(table, FOUR_MELDS, 0, 0)
    for x, y, across in pair:
        table.put("9s", x, y, turn=across)
    found = laid(table.tiles(turn=turn, jitter=0.3))
    assert sorted(found["meld"]) == sorted(FOUR_MELDS)
    assert found["concealed"] == ["9s"]
    assert [face.rstrip("~") for face in found["winning"]] == ["9s"]


def test_white_dragons_beside_a_kong_face_down_are_no_wall(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 9s 9s 7z 7z", 0, 0)
    table.put("7z", 10 * 32 + 40, 0)
    table.row("back back back back", 12 * 32 + 30, 0)
    assert laid(table.tiles(turn=6)) == {
        "meld": ["back back back back"],
        "concealed": ["1m 2m 3m 4m 5m 6m 9s 9s 7z 7z"],
        "winning": ["7z"],
    }


def test_kongs_face_down_side_by_side_are_no_wall(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 9s", 0, 0)
    table.put("9s", -60, 0)
    laid_in_melds(table, ("back back back back", "back 6p 6p back"), 7 * 32 + 30, 0)
    assert laid(table.tiles(turn=6)) == {
        "meld": ["back back back back", "back 6p 6p back"],
        "concealed": ["1m 2m 3m 4m 5m 6m 9s"],
        "winning": ["9s"],
    }


def test_a_tile_added_to_a_pung_far_from_the_row(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 9s", 0, 0)
    table.put("9s", -60, 0)
    pung = table.row("2s 2s 2s~", 100, -115)
    middle = table.quads[pung[2]].mean(axis=0)
    table.put("2s", middle[0], middle[1] - 31, turn=90)
    (kong,) = laid(table.tiles())["meld"]
    assert kong.replace("~", "") == "2s 2s 2s 2s"


def test_sets_laid_apart_may_be_melds_or_concealed(table: Any) -> None:
    table.put("4m", -110, 0)
    table.put("4m", -60, 0)
    laid_in_melds(table, ("7s 8s 9s", "6z 6z 6z", "1p 2p 3p", "3m 3m 3m"), 0, 0, space=12)
    found = arrange(table.tiles(), 1200, 1200)
    assert len(found.melds) == 4
    assert set(found.members(Role.MELD)) & found.unsure
