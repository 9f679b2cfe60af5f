"""Roles of tiles on tables as they are laid: rows, melds, the tile set apart, kongs, flowers, strays."""

from typing import Any

import numpy as np
import pytest

from vision.layout.arrange import arrange
from vision.layout.roles import Group, Layout, Role
from vision.tiles import Tiles

CONCEALED = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z 2z"


def laid(tiles: Tiles) -> dict[str, list[str]]:
    """Role → the groups of that role, each as its faces in reading order, sideways tiles with ~."""
    layout = arrange(tiles, 1200, 1200)
    faces = [face + "~" * side for face, side in zip(tiles.faces, layout.sideways, strict=True)]
    found: dict[str, list[str]] = {}
    for group in layout.groups:
        found.setdefault(group.role.value, []).append(" ".join(faces[index] for index in group.members))
    strays = [face for face, role in zip(faces, layout.roles, strict=True) if role is Role.STRAY]
    if strays:
        found["stray"] = [" ".join(strays)]
    return found


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


FOUR_MELDS = ("1s 2s 3s", "5z 5z 5z~", "7p~ 8p 9p", "3m 3m 3m")


def laid_in_melds(table: Any, melds: tuple[str, ...], x: float, y: float, space: float = 9) -> None:
    for meld in melds:
        table.row(meld, x, y)
        x += 32 * len(meld.split()) + 10 * meld.count("~") + space


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


def test_sets_laid_apart_may_be_melds_or_concealed(table: Any) -> None:
    table.put("4m", -110, 0)
    table.put("4m", -60, 0)
    laid_in_melds(table, ("7s 8s 9s", "6z 6z 6z", "1p 2p 3p", "3m 3m 3m"), 0, 0, space=12)
    found = arrange(table.tiles(), 1200, 1200)
    assert len(found.melds) == 4
    assert set(found.members(Role.MELD)) & found.unsure


def test_a_clear_hand_has_nothing_unsure(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 9s", 0, 0)
    table.put("9s", 7 * 32 + 50, 0)
    table.row("7p~ 8p 9p", 60, -60)
    table.row("5z 5z~ 5z", 200, -60)
    assert arrange(table.tiles(turn=3), 1200, 1200).unsure == set()


def test_layouts_are_valid_once_built() -> None:
    with pytest.raises(ValueError, match="one group at most"):
        Layout((Group(Role.CONCEALED, (0, 1)), Group(Role.MELD, (1, 2, 3))), (False,) * 4)
    with pytest.raises(ValueError, match="must be a tile"):
        Layout((Group(Role.CONCEALED, (0, 5)),), (False,) * 4)
    with pytest.raises(ValueError, match="must be a tile"):
        Layout((), (False,) * 4, frozenset({4}))


def test_renumbered_layout_names_tiles_in_reading_order() -> None:
    groups = Group(Role.FLOWER, (3,)), Group(Role.CONCEALED, (2, 0))
    layout = Layout(groups, (True, False, False, False), frozenset({0, 3}))
    assert layout.reading_order == (3, 2, 0, 1)
    ordered = layout.renumbered()
    assert ordered.groups == (Group(Role.FLOWER, (0,)), Group(Role.CONCEALED, (1, 2)))
    assert ordered.sideways == (False, False, True, False)
    assert ordered.unsure == {0, 2}
    assert ordered.roles == (Role.FLOWER, Role.CONCEALED, Role.CONCEALED, Role.STRAY)
