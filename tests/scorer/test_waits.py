"""Waits, distance from ready and discards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import (
    SUIT_AND_HONOUR_FACES,
    Circumstances,
    Hand,
    HandError,
    Meld,
    best_discards,
    from_ready_by_shape,
    score,
    tiles_away,
    tiles_from_ready,
    waits,
)
from scorer.notation import parse_tiles
from tests.scorer.naive import Block, wins
from tests.scorer.strategies import wins as winning_hands

WALL = [face for face in SUIT_AND_HONOUR_FACES for _ in range(4)]


def faces(text: str) -> list[str]:
    return [wait.tile for wait in waits(*parse_tiles(text)[:2])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1112345678999m", "1m 2m 3m 4m 5m 6m 7m 8m 9m"),
        ("19m19p19sESWNCFP", "1m 9m 1p 9p 1s 9s 1z 2z 3z 4z 5z 6z 7z"),
        ("1133m5577p2288sE", "1z"),
        ("147m258p369sESWN", "5z 6z 7z"),
        ("147m258p36s123mEE", "9s"),
        ("147m258p369s12mEE", "3m"),
        ("3344455566667m", "2m 3m 4m 5m 7m 8m"),
        ("123m456m789p1299s", "3s"),
        ("1177s888s[1111p][EEE]", "1s 7s"),
    ],
)
def test_known_waits(text: str, expected: str) -> None:
    assert " ".join(faces(text)) == expected


def test_copies_left_and_the_fourth_tile() -> None:
    concealed = parse_tiles("123m456m789p1299s")[0]
    (wait,) = waits(concealed)
    assert (wait.tile, wait.left) == ("3s", 4)
    (wait,) = waits(concealed, visible=["3s", "3s", "5z"])
    assert wait.left == 2
    assert wait.discard is not None
    assert "和绝张" not in wait.discard.counts
    (wait,) = waits(concealed, visible=["3s"] * 3)
    assert (wait.left, wait.discard and wait.discard.counts["和绝张"]) == (1, 1)
    assert wait.self_drawn is not None
    assert wait.self_drawn.counts["不求人"] == 1
    (wait,) = waits(concealed, visible=["3s"] * 4)
    assert (wait.left, wait.self_drawn, wait.discard) == (0, None, None)
    assert wait.to_json() == {"tile": "3s", "left": 0, "exhausted": True, "self_drawn": None, "discard": None}


def test_five_melds_are_too_many() -> None:
    with pytest.raises(HandError) as caught:
        waits([], [Meld.chow("1m")] * 5)
    assert caught.value.code == "too_many_melds"


def test_legal_or_not() -> None:
    cheap = waits(*parse_tiles("[123m]456m678p78sEE")[:2])
    assert [wait.tile for wait in cheap] == ["6s", "9s"]
    assert all(wait.discard and not wait.discard.legal for wait in cheap)
    dear = waits(*parse_tiles("1112345678999m")[:2])
    assert all(wait.discard and wait.discard.legal for wait in dear)


def test_circumstances_and_profile_are_heeded() -> None:
    concealed, melds = parse_tiles("[2222m][7777p]34m99p[567s]")[:2]
    found = waits(concealed, melds, Circumstances(seat_wind="S", last_tile=True), profile="wmo2006")
    assert {wait.tile for wait in found} == {"5m"}
    assert found[0].self_drawn is not None
    assert found[0].self_drawn.counts["妙手回春"] == 1
    robbed = waits(concealed, melds, Circumstances(kong=True))
    assert robbed[0].discard is not None
    assert robbed[0].discard.counts["抢杠和"] == 1
    plain = waits(parse_tiles("123m456m789p1299s")[0], (), Circumstances(kong=True))
    assert plain[0].self_drawn is None
    shown = plain[0].to_json()
    assert shown["self_drawn"] is None
    assert shown["discard"]["fans"]["抢杠和"] == 1


@settings(max_examples=40)
@given(winning_hands())
def test_waits_agree_with_the_naive_scorer(won: tuple[Hand, Circumstances]) -> None:
    hand, how = won
    melds = [Block(meld.tiles, meld.kind != "concealed_kong") for meld in hand.melds]
    held = Counter([*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles)])
    expected = [
        face for face in SUIT_AND_HONOUR_FACES if held[face] < 4 and wins([*hand.concealed, face], melds)
    ]
    found = waits(hand.concealed, hand.melds, replace(how, kong=False, fourth_tile=False))
    assert [wait.tile for wait in found] == expected
    assert hand.winning_tile in expected
    assert tiles_from_ready(hand.concealed, hand.melds) == 0
    for wait in found:
        assert wait.left == 4 - held[wait.tile]


def exchanges(tiles: list[str], melds: list[Block], limit: int) -> int:
    """How many tiles must be exchanged until the hand wins, by trying; up to ``limit``."""
    level = {tuple(sorted(tiles))}
    for steps in range(limit + 1):
        if any(wins(list(hand), melds) for hand in level):
            return steps
        level = {
            tuple(sorted([*hand[:place], *hand[place + 1 :], face]))
            for hand in level
            for place in range(len(hand))
            for face in SUIT_AND_HONOUR_FACES
            if hand.count(face) < 4
        }
    return limit + 1


def test_distance_agrees_with_trying() -> None:
    rng = Random(9)
    for _ in range(12):
        suit = rng.choice("mps")
        pool = [f"{rank}{suit}" for rank in range(1, 10)] * 4
        tiles = rng.sample(pool, 8)
        melds = [Block(("1z",) * 3, True), Block(("2z",) * 3, True)]
        hand = Hand(tuple(tiles[1:]), (Meld.pung("1z"), Meld.pung("2z")), tiles[0])
        found = exchanges(tiles, melds, 1)
        assert min(tiles_away(hand), 2) == found


@pytest.mark.parametrize(
    ("text", "away"),
    [
        ("123m456m789p1299s", 0),
        ("19m19p19sESWNCF1m", 0),
        ("1358m2479p1469sE", 4),
        ("1133m5577p228sEF", 1),
        ("147m258p3sESWN55z", 1),
    ],
)
def test_tiles_from_ready(text: str, away: int) -> None:
    concealed, melds = parse_tiles(text)[:2]
    assert tiles_from_ready(concealed, melds) == away


def test_each_shape_by_itself() -> None:
    concealed = parse_tiles("1133m5577p228sEF")[0]
    assert from_ready_by_shape(concealed) == {
        "standard": 3,
        "seven_pairs": 1,
        "thirteen_orphans": 9,
        "unrelated": 7,
        "knitted_straight": 5,
    }
    assert list(from_ready_by_shape(*parse_tiles("[123m][456m]123s99sEF")[:2])) == ["standard"]


@pytest.mark.parametrize(
    "hands", [pytest.param(8, id="sample"), pytest.param(60, id="whole", marks=pytest.mark.long)]
)
def test_drawing_a_tile_never_takes_further_away(hands: int) -> None:
    rng = Random(11)
    for _ in range(hands):
        tiles = rng.sample(WALL, 14)
        before = tiles_from_ready(tiles[:13])
        after = min(each.tiles_from_ready for each in best_discards(tiles))
        assert before - 1 <= after <= before
        assert before <= 6


def test_best_discards() -> None:
    concealed = parse_tiles("123m456m789p1299sE")[0]
    first, *others = best_discards(concealed)
    assert (first.tile, first.tiles_from_ready, first.improving, first.left) == ("1z", 0, ("3s",), 4)
    assert all(other.tiles_from_ready >= 0 for other in others)
    assert best_discards(concealed, visible=["3s"] * 4)[0].left == 0
    assert first.to_json() == {"tile": "1z", "tiles_from_ready": 0, "improving": ["3s"], "left": 4}


@given(st.lists(st.sampled_from(WALL), min_size=10, max_size=16))
def test_any_tiles_are_answered_or_refused(tiles: list[str]) -> None:
    for question in (tiles_from_ready, waits, best_discards):
        try:
            question(tiles)
        except HandError as error:
            assert error.code in ("wrong_tile_count", "too_many_of_a_face")  # noqa: PT017


def test_scores_of_waits_are_those_of_the_hand() -> None:
    concealed = parse_tiles("1112345678999m")[0]
    for wait in waits(concealed):
        assert wait.discard == score(Hand(concealed, (), wait.tile), Circumstances())
