"""Which flowers are the hand's, and which are in doubt."""

from typing import Any

import pytest

from tests.vision.layout.sorting import CONCEALED, laid
from vision.layout.arrange import arrange
from vision.layout.roles import Role


def test_flowers_in_the_row_and_aside(table: Any) -> None:
    table.row("1f 6f " + CONCEALED, 0, 0)
    table.row("3f", -70, 0)
    found = laid(table.tiles(turn=15))
    assert found == {"flower": ["3f", "1f 6f"], "concealed": [CONCEALED]}


def test_a_flower_between_tiles_does_not_part_the_hand(table: Any) -> None:
    table.row("1m 2m 3m 7f 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z 2z", 0, 0)
    assert laid(table.tiles()) == {"flower": ["7f"], "concealed": [CONCEALED]}


def test_dice_are_no_flowers(table: Any) -> None:
    table.row(CONCEALED, 0, 0)
    table.put("8f", 100, -70, scale=0.5)
    table.put("6f", 118, -74, scale=0.5)
    assert laid(table.tiles()) == {"concealed": [CONCEALED], "stray": ["8f 6f"]}


def test_flowers_among_discards_are_not_the_hands(table: Any) -> None:
    table.row(CONCEALED, 0, 0)
    table.row("3f", 40, -46)
    table.row("5p 1f 8s 2z 7s 8f", 60, -110)
    table.row("9p 4s 6f", 60, -152)
    assert laid(table.tiles(turn=5)) == {
        "flower": ["3f"],
        "concealed": [CONCEALED],
        "stray": ["5p 1f 8s 2z 7s 8f 9p 4s 6f"],
    }


def test_a_row_of_flowers_alone_near_other_tiles_is_left_out_but_pointed_out(table: Any) -> None:
    table.row(CONCEALED, 0, 0)
    flowers = table.row("3f 6f", 60, -120)
    table.row("5p 8s 2z 7s", 60, -165)
    found = arrange(table.tiles(turn=5), 1200, 1200)
    assert {found.roles[tile] for tile in flowers} == {Role.STRAY}
    assert found.unsure == frozenset(flowers)


@pytest.mark.parametrize(("turn", "role"), [(0, Role.FLOWER), (90, Role.FLOWER), (35, Role.STRAY)])
def test_a_lone_flower_away_from_the_hand_is_doubtful(table: Any, turn: float, role: Role) -> None:
    table.row(CONCEALED, 0, 0)
    flower = table.put("3f", 200, -130, turn=turn)
    found = arrange(table.tiles(turn=8), 1200, 1200)
    assert found.roles[flower] is role
    assert found.unsure == {flower}


def test_a_flower_aside_may_be_any_flower(table: Any) -> None:
    table.row(CONCEALED, 0, 0)
    table.put("3f", 100, -120, sure=0.6, rival="1f")
    table.put("6f", 132, -120, sure=0.6, rival="8f")
    assert laid(table.tiles(turn=8))["flower"] == ["3f 6f"]
