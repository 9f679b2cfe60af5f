"""How likely ways of sorting a hand are weighed: each case lies a little to one side of where the answer changes.

Beside eleven concealed tiles lie two sets, of which one can be the hand's fourth. One set is clear, the other has a
tile that reads as part of it with a small probability only.
"""

from typing import Any

import pytest

from tests.vision.layout.sorting import laid

HAND = "1m 2m 3m 4m 5m 6m 7m 8m 9m 9s 9s"
CLEAR, DOUBTFUL = ["7p 7p 7p"], ["5z 5z 3s"]


def put_doubtful_pung(table: Any, probability: float, x: float, y: float) -> None:
    """A pung of 5z whose last tile is one with this probability, else a 3s."""
    table.row("5z 5z", x, y)
    table.put("5z", x + 80, y, sure=probability, rival="3s")


@pytest.mark.parametrize(("probability", "meld"), [(0.065, DOUBTFUL), (0.04, CLEAR)])
def test_a_misread_meld_beside_the_hand_is_likelier_than_strays_that_touch_it(
    table: Any, probability: float, meld: list[str]
) -> None:
    table.row(HAND, 0, 0)
    put_doubtful_pung(table, probability, 44, 50)
    table.row("7p 7p 7p", 204, -132)
    assert laid(table.tiles())["meld"] == meld


@pytest.mark.parametrize(("probability", "meld"), [(0.42, ["5z 5z 3s~"]), (0.32, CLEAR)])
def test_a_tile_that_lies_sideways_speaks_for_a_claimed_meld(
    table: Any, probability: float, meld: list[str]
) -> None:
    table.row(HAND, 0, 0)
    table.row("7p 7p 7p", -120, 0)
    table.row("5z 5z", 376, 0)
    table.put("5z", 376 + 85, 5, turn=90, sure=probability, rival="3s")
    assert laid(table.tiles())["meld"] == meld


@pytest.mark.parametrize(("probability", "meld"), [(0.42, DOUBTFUL), (0.37, CLEAR)])
def test_space_inside_speaks_against_a_meld(table: Any, probability: float, meld: list[str]) -> None:
    table.row(HAND, 0, 0)
    table.row("7p 7p", 0, 50)
    table.row("7p", 64 + 7.5, 50)  # a quarter of a tile farther than usual
    put_doubtful_pung(table, probability, 204, 50)
    assert laid(table.tiles())["meld"] == meld
