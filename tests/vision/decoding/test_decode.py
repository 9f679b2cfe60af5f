"""Decoding repairs what the rest of the hand makes certain, keeps rivals, and never hides a doubt."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import Circumstances, Meld, MeldKind
from vision.decoding.decode import Decoding, decode
from vision.layout.arrange import arrange
from vision.layout.roles import Group, Layout, Role
from vision.tiles import CLASS_INDEX, CLASSES, Tiles

WON = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z 2z"


def read(table: Any, **view: float) -> Decoding:
    tiles = table.tiles(**view)
    return decode(tiles, arrange(tiles, 1200, 1200))


def doubts(decoding: Decoding) -> dict[int, str]:
    return {doubt.tile: doubt.code for doubt in decoding.doubts}


def test_nothing_to_read() -> None:
    assert decode(Tiles.empty(), Layout((), ())) == Decoding((), (), (), ())


def test_a_clear_hand_has_no_doubts(table: Any) -> None:
    table.row(WON, 0, 0)
    decoding = read(table)
    assert decoding.faces == tuple(WON.split())
    assert decoding.doubts == ()
    hand = decoding.readings[0].hand
    assert hand.winning_tile == "2z"
    assert hand.concealed == tuple(WON.split()[:-1])


def test_where_no_tile_lies_apart_every_tile_may_have_won_the_last_most_likely(table: Any) -> None:
    table.row(WON, 0, 0)
    readings = read(table).readings
    assert readings[0].hand.winning_tile == "2z"
    assert readings[0].probability > 0.5
    assert {reading.hand.winning_tile for reading in readings} > {"2z", "1z"}
    chances = [reading.probability for reading in readings]
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) <= 1.001


def test_the_tile_set_apart_won(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z", 0, 0)
    table.put("2z", 13 * 32 + 50, 0)
    (reading,) = read(table).readings
    assert reading.hand.winning_tile == "2z"
    assert reading.probability == pytest.approx(1, abs=0.01)


def test_five_of_a_face_is_repaired_and_flagged(table: Any) -> None:
    table.row("5s 5s 5s 5s 1z 1z 1z 7p 8p 9p 2m 2m 2m", 0, 0)
    table.put("5s", 13 * 32 + 50, 0, sure=0.6, rival="6s")
    decoding = read(table)
    assert decoding.faces[-1] == "6s"
    assert doubts(decoding) == {13: "changed"}
    assert decoding.confidences[-1] == pytest.approx(0.4, abs=0.01)
    assert "5 Bamboo" in decoding.doubts[0].message
    assert "6 Bamboo" in decoding.doubts[0].message


def test_a_tray_of_tiles_is_no_hand_and_may_hold_five_of_a_face(table: Any) -> None:
    faces = "7z 7z 7z 7z 7z 1p 2p 3p 4p 5p 6p 7p 8p 9p 1s 2s 3s 4s 5s 6s 7s 8s 9s 1m"
    table.row(faces, 0, 0)
    decoding = read(table)
    assert sorted(decoding.faces) == sorted(faces.split())
    assert decoding.readings == ()


def test_a_flower_is_there_once(table: Any) -> None:
    table.row(WON, 0, 0)
    table.put("3f", -90, 0, sure=0.9, rival="1f")
    table.put("3f", -58, 0, sure=0.7, rival="8f")
    decoding = read(table)
    assert decoding.faces[-2:] == ("3f", "8f")
    assert doubts(decoding)[15] == "changed"


def test_winning_turns_a_doubtful_tile(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z", 0, 0)
    table.put("3z", 13 * 32 + 50, 0, sure=0.7, rival="2z")
    decoding = read(table)
    assert decoding.faces[-1] == "2z"
    assert doubts(decoding) == {13: "changed"}
    assert [reading.hand.winning_tile for reading in decoding.readings] == ["2z", "3z"]


def test_winning_never_turns_a_clear_tile(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z", 0, 0)
    table.put("3z", 13 * 32 + 50, 0, sure=0.995, rival="2z")
    decoding = read(table)
    assert decoding.faces[-1] == "3z"
    assert decoding.readings[0].hand.winning_tile == "3z"
    assert decoding.readings[0].probability > 0.5


def test_a_hand_that_cannot_win_is_left_as_it_is(table: Any) -> None:
    losing = "1m 4m 7m 2p 5p 8p 3s 3s 9s 1z 2z 3z 4z 7z"
    table.row(losing, 0, 0)
    decoding = read(table)
    assert decoding.faces == tuple(losing.split())
    assert decoding.doubts == ()
    assert decoding.readings


def test_two_readings_that_both_win_are_both_kept(table: Any) -> None:
    table.row("2m 3m 4m 5m 6m 7m 8m 8m 8m 1z 1z 2z 2z", 0, 0)
    table.put("1z", 13 * 32 + 50, 0, sure=0.6, rival="2z")
    decoding = read(table)
    assert [reading.hand.winning_tile for reading in decoding.readings] == ["1z", "2z"]
    first, second = (reading.probability for reading in decoding.readings)
    assert first == pytest.approx(0.6, abs=0.02)
    assert second == pytest.approx(0.4, abs=0.02)
    assert doubts(decoding) == {13: "unsure"}


@pytest.mark.parametrize(("sure", "doubt"), [(0.8, {}), (0.65, {12: "unsure"})])
def test_a_won_hand_supports_a_tile_that_it_needs(table: Any, sure: float, doubt: dict[int, str]) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z", 0, 0)
    table.put("2z", 12 * 32, 0, sure=sure, rival="3z")
    table.put("2z", 13 * 32 + 50, 0)
    assert doubts(read(table)) == doubt


@pytest.mark.parametrize(("sure", "doubt"), [(0.99, {}), (0.9, {13: "unsure"})])
def test_nothing_supports_the_winning_tile_because_several_may_win(
    table: Any, sure: float, doubt: dict[int, str]
) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z", 0, 0)
    table.put("2z", 13 * 32 + 50, 0, sure=sure, rival="3z")
    assert doubts(read(table)) == doubt


def test_a_hand_that_does_not_win_supports_nothing(table: Any) -> None:
    table.row("1m 4m 7m 2p 5p 8p 3s 3s 9s 1z 2z 3z 4z", 0, 0)
    table.put("7z", 13 * 32 + 50, 0, sure=0.8, rival="6z")
    assert doubts(read(table)) == {13: "unsure"}


@pytest.mark.parametrize(
    ("rival", "sure", "doubt"),
    [("1f", 0.96, {}), ("1f", 0.93, {14: "unsure"}), ("1s", 0.96, {14: "unsure"}), ("1s", 0.99, {})],
)
def test_a_person_is_asked_whether_it_is_a_flower_sooner_than_which_one(
    table: Any, rival: str, sure: float, doubt: dict[int, str]
) -> None:
    table.row(WON, 0, 0)
    table.put("3f", -90, 0, sure=sure, rival=rival)
    table.put("8f", -58, 0)
    assert doubts(read(table)) == doubt


def test_a_strong_rival_flags_a_tile_that_alone_looks_sure(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z", 0, 0)
    table.put("3z", 13 * 32 + 50, 0, sure=0.988, rival="2z")
    assert doubts(read(table)) == {13: "rival"}


def test_melds_and_kongs_become_sets(table: Any) -> None:
    table.row("1m 2m 3m 9s 9s", 0, 0)
    table.row("8p~ 7p 9p", 5 * 32 + 30, 0)
    table.row("5z 5z 5z~ 5z", 9 * 32 + 40, 0)
    table.row("back 4s 4s back", 14 * 32 + 50, 0)
    hand = read(table).readings[0].hand
    assert [meld.tiles for meld in hand.melds] == [("7p", "8p", "9p"), ("5z",) * 4, ("4s",) * 4]
    assert [meld.kind for meld in hand.melds] == [
        MeldKind.CHOW,
        MeldKind.MELDED_KONG,
        MeldKind.CONCEALED_KONG,
    ]
    assert hand.size == 16


def test_a_kong_face_down_makes_no_hand_but_says_why(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 9s 9s", 0, 0)
    table.row("back back back back", 11 * 32 + 30, 0)
    decoding = read(table)
    assert decoding.readings == ()
    assert set(doubts(decoding).values()) == {"face_down"}
    assert len(decoding.doubts) == 4


def test_a_face_down_tile_in_the_row_is_not_guessed(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z back 2z", 0, 0)
    decoding = read(table)
    assert decoding.readings == ()
    assert doubts(decoding) == {12: "face_down"}


def test_the_backs_of_a_kong_whose_face_is_seen_are_no_doubt(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 9s 9s", 0, 0)
    table.row("back 6s 6s back", 11 * 32 + 30, 0)
    decoding = read(table)
    assert decoding.doubts == ()
    assert decoding.readings[0].hand.melds == (Meld.kong("6s", concealed=True),)


@pytest.mark.parametrize(
    ("meld", "kind"), [("5z 5z 5z", MeldKind.MELDED_KONG), ("5z 5z~ 5z", MeldKind.CONCEALED_KONG)]
)
def test_a_kong_that_lies_open_may_be_of_either_kind(table: Any, meld: str, kind: MeldKind) -> None:
    table.row("1m 2m 3m 9s", 0, 0)
    table.put("9s", -50, 0)
    table.row("2p 2p 2p 2p", 160, 0)
    table.row(meld, 330, 0)
    table.row(meld.replace("5z", "6z"), 480, 0)
    decoding = read(table)
    kinds = [
        next(found.kind for found in reading.hand.melds if "2p" in found.tiles)
        for reading in decoding.readings[:2]
    ]
    assert kinds[0] is kind
    assert set(kinds) == {MeldKind.MELDED_KONG, MeldKind.CONCEALED_KONG}
    assert "kong" in doubts(decoding).values()


def test_a_kong_with_a_tile_sideways_was_claimed(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 9s", 0, 0)
    table.put("9s", -50, 0)
    table.row("2p 2p 2p~ 2p", 350, 0)
    decoding = read(table)
    assert {meld.kind for reading in decoding.readings for meld in reading.hand.melds} == {
        MeldKind.MELDED_KONG
    }
    assert decoding.doubts == ()


def test_a_tile_that_may_be_for_something_else_is_flagged(table: Any) -> None:
    table.row(WON, 0, 0)
    near = table.put("3f", 200, -130)
    left_out = table.put("5f", 20, -150, turn=35)
    decoding = read(table)
    assert doubts(decoding) == {near: "role", left_out: "role"}
    assert decoding.readings[0].hand.flowers == ("3f",)


def test_a_misread_tile_in_a_meld_is_corrected(table: Any) -> None:
    table.row("1m 2m 3m 4m 5m 6m 7m 8m 9m 9s 9s", 0, 0)
    table.put("7z", 11 * 32 + 40, 0)
    table.put("6z", 12 * 32 + 40, 0, sure=0.7, rival="7z")
    table.put("7z", 13 * 32 + 45, 5, turn=90)
    decoding = read(table)
    assert decoding.readings[0].hand.melds == (Meld.pung("7z"),)
    assert "changed" in doubts(decoding).values()


def test_a_wrong_count_is_still_read_but_is_no_hand(table: Any) -> None:
    twelve = WON.removesuffix(" 2z 2z")
    table.row(twelve, 0, 0)
    decoding = read(table)
    assert decoding.readings == ()
    assert decoding.faces == tuple(twelve.split())


def test_strays_keep_what_the_reader_likes_best_and_are_never_none(table: Any) -> None:
    table.row(WON, 0, 0)
    table.put("none", 300, -500, sure=0.45, rival="3p")
    tiles = table.tiles()
    decoding = decode(tiles, arrange(tiles, 1200, 1200))
    assert decoding.faces[-1] == "3p"
    assert decoding.doubts == ()


def test_circumstances_go_into_the_readings(table: Any) -> None:
    table.row(WON, 0, 0)
    tiles = table.tiles()
    circumstances = Circumstances(self_drawn=True, seat_wind="S")
    reading = decode(tiles, arrange(tiles, 1200, 1200), circumstances).readings[0]
    assert reading.to_json()["hand"]["self_drawn"] is True
    assert reading.to_json()["hand"]["seat_wind"] == "S"


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_whatever_the_reader_says_the_readings_are_legal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.full(len(CLASSES), 0.02), size=14)
    for row in rows:  # a few faces share the tiles, so that five of one come up
        row[CLASS_INDEX["5p"]] += rng.uniform(0, 2)
    rows /= rows.sum(axis=1, keepdims=True)
    quads = [[[x, 0], [x + 30, 0], [x + 30, 40], [x, 40]] for x in range(0, 14 * 32, 32)]
    layout = Layout((Group(Role.CONCEALED, tuple(range(14))),), (False,) * 14)
    decoding = decode(Tiles(quads, rows, np.ones(14)), layout)
    shown = {doubt.tile for doubt in decoding.doubts}
    for tile, face in enumerate(decoding.faces):
        alone = CLASSES[int(np.delete(rows[tile], CLASS_INDEX["none"]).argmax())]
        assert face == alone or tile in shown
    if decoding.readings:
        assert max(decoding.faces.count(face) for face in decoding.faces) <= 4
    assert sum(reading.probability for reading in decoding.readings) <= 1.001


def test_more_of_a_face_than_there_are_is_flagged_where_nothing_else_fits(table: Any) -> None:
    table.row("5s 5s 5s 5s 5s 1z 1z 1z 7p 8p 9p 2m 2m 2m", 0, 0)
    for row in table.rows:
        row[:] = np.where(row > 0.5, 1.0, 0.0)
    decoding = read(table)
    assert decoding.faces[:5] == ("5s",) * 5
    assert doubts(decoding) == dict.fromkeys(range(5), "too_many")
    assert decoding.readings == ()


def test_no_constraint_turns_a_face_over(table: Any) -> None:
    table.row("7z 7z 7z 7z 1z 1z 1z 7p 8p 9p 2m 2m 2m", 0, 0)
    table.put("7z", 13 * 32 + 50, 0, sure=0.8, rival="back")
    assert "back" not in read(table).faces
