"""Tables that people really lay, and that once were taken apart wrongly: each is a kind of `models.tables`."""

from typing import Any

import numpy as np

from tests.vision.layout.sorting import laid
from vision.layout.arrange import arrange
from vision.layout.roles import Role

PAIR_AND_SETS = "1m 2m 3m 4m 5m 6m 9s"


def test_melds_in_a_column_beside_the_hand(table: Any) -> None:
    table.row(PAIR_AND_SETS, 0, 0)
    table.put("9s", 7 * 32 + 50, 0)
    for number, meld in enumerate(("5z 5z 5z", "7p 8p 9p")):
        for place, face in enumerate(meld.split()):
            table.put(face, 400, -110 * number - 32 * place, turn=90)
    found = laid(table.tiles(turn=3, jitter=0.3))
    assert found["concealed"] == [PAIR_AND_SETS]
    assert found["winning"] == ["9s"]
    assert sorted("".join(sorted(meld)) for meld in found["meld"]) == sorted(
        "".join(sorted(meld)) for meld in ("5z 5z 5z", "7p 8p 9p")
    )


def test_claimed_melds_that_touch_the_row(table: Any) -> None:
    table.row(f"{PAIR_AND_SETS} 5z 5z~ 5z 7p~ 8p 9p", 0, 0)
    table.put("9s", -60, 0)
    assert laid(table.tiles(jitter=0.3)) == {
        "meld": ["5z 5z~ 5z", "7p~ 8p 9p"],
        "concealed": [PAIR_AND_SETS],
        "winning": ["9s"],
    }


def test_two_rows_of_concealed_tiles_before_a_meld(table: Any) -> None:
    table.row("1m 1m 3p 4p 5p", 0, -44)
    table.row("9s 9s 9s 2z 2z", 0, 0)
    table.put("2z", 5 * 32 + 60, 0)
    table.row("7p~ 8p 9p", 40, -100)
    found = laid(table.tiles(turn=4))
    assert found["meld"] == ["7p~ 8p 9p"]
    assert found["concealed"] == ["1m 1m 3p 4p 5p 9s 9s 9s 2z 2z"]
    assert found["winning"] == ["2z"]


def test_a_kong_beside_backs_that_look_like_one(table: Any) -> None:
    table.row("1s 1s 5s 5s 1m 1m 1m back 7s 7s back", 0, 0)
    table.put("1s", 11 * 32 + 50, 0)
    table.row("5m~ 5m 5m", 13 * 32 + 60, 0)
    found = laid(table.tiles())
    assert sorted(found["meld"]) == ["5m~ 5m 5m", "back 7s 7s back"]
    assert found["concealed"] == ["1s 1s 5s 5s 1m 1m 1m"]


def test_a_stray_that_touches_a_meld_is_left_out(table: Any) -> None:
    table.row(PAIR_AND_SETS, 0, 0)
    table.put("9s", -60, 0)
    table.row("5z 5z~ 5z", 60, -60)
    table.row("7p~ 8p 9p 3s", 200, -60)
    found = laid(table.tiles(turn=5))
    assert sorted(found["meld"]) == ["5z 5z~ 5z", "7p~ 8p 9p"]
    assert found["stray"] == ["3s"]


def test_a_clear_tile_that_touches_a_pung_makes_no_kong(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 9s", 0, 0)
    table.put("9s", -60, 0)
    table.row("5z 5z~ 5z 3s", 60, -60)
    found = laid(table.tiles(turn=5))
    assert found["meld"] == ["5z 5z~ 5z"]
    assert found["stray"] == ["3s"]


def test_the_marker_of_a_wind_beside_the_flowers_does_not_drop_them(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z 2z", 0, 0)
    flowers = table.row("1f 6f", 60, -70)
    table.put("7z", 158, -72, turn=33, scale=0.9)
    found = arrange(table.tiles(), 1200, 1200)
    assert {found.roles[tile] for tile in flowers} == {Role.FLOWER}
    assert found.unsure == frozenset(flowers)


def test_rows_of_five_where_nothing_else_lies_are_all_given(table: Any) -> None:
    for number in range(3):
        table.row(["1m", "4p", "7s", "2z", "9p"], 0, 60 * number)
    found = arrange(table.tiles(turn=2), 1200, 1200)
    assert found.roles == (Role.CONCEALED,) * 15


def test_fourteen_scattered_tiles_are_all_given_and_none_of_them_won(table: Any) -> None:
    rng = np.random.default_rng(5)
    faces = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "1z", "1z", "1z", "5z", "5z"]
    for number, face in enumerate(faces):
        x, y = rng.normal((60 * (number % 7), 80 * (number // 7)), 4)
        table.put(face, float(x), float(y), turn=float(rng.normal(0, 7)))
    found = arrange(table.tiles(), 1200, 1200)
    assert Role.STRAY not in found.roles
    assert Role.WINNING not in found.roles


def test_a_large_tray_loses_no_tile(table: Any) -> None:
    for number in range(7):
        table.row(["1m", "2p", "3s", "4z", "5m", "6p", "7s"], 0, 44 * number)
    found = arrange(table.tiles(), 1200, 1200)
    assert Role.STRAY not in found.roles


def test_in_a_spread_row_the_last_tile_is_not_apart(table: Any) -> None:
    for number, face in enumerate(
        ["1m", "1m", "1m", "2p", "3p", "4p", "5s", "6s", "7s", "9m", "9m", "9m", "2z", "2z"]
    ):
        table.put(face, 45 * number, 0)
    found = arrange(table.tiles(jitter=0.4), 1200, 1200)
    assert Role.WINNING not in found.roles


def test_far_flowers_look_smaller_but_are_the_hands(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z 2z", 0, 0)
    table.put("3f", 100, -120, scale=0.72)
    table.put("6f", 124, -120, scale=0.72)
    assert laid(table.tiles())["flower"] == ["3f 6f"]
