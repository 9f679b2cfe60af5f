"""Hands, melds and circumstances: valid once built, and every refusal by its public name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from scorer import (
    REASONS,
    Circumstances,
    Hand,
    HandError,
    ImpossibleHand,
    Meld,
    MeldKind,
    NotationError,
    Opening,
    best_discards,
    false_win,
    hand_from_json,
    parse_hand,
    parse_profile,
    penalty,
    points_paid,
    profile_named,
    score,
    settle,
)
from scorer.match import Match, Win
from scorer.profiles import PROFILES

TILES = ("1m", "2m", "3m", "4m", "5m", "6m", "7p", "8p", "9p", "1s", "2s", "9s", "9s")
JSON: dict[str, Any] = {"concealed": list(TILES), "winning_tile": "3s"}


def hand(tiles: str, *melds: Meld, win: str = "9s", flowers: Any = 0) -> Hand:
    return Hand(tuple(tiles.split()), melds, win, flowers)


def with_circumstances(text: str, **changes: Any) -> None:
    won, _ = parse_hand(text)
    score(won, Circumstances(**changes))


REFUSALS: list[tuple[str, Callable[[], object]]] = [
    ("unknown_face", lambda: Hand(("0m", *TILES[1:]), (), "3s")),
    ("unknown_face", lambda: Hand(TILES, (), "8z")),
    ("unknown_face", lambda: hand_from_json({**JSON, "winning_tile": None})),
    ("unknown_face", lambda: best_discards([*TILES, "10m"])),
    ("face_down_tile", lambda: Hand(("back", *TILES[1:]), (), "3s")),
    ("flower_in_hand", lambda: Hand(("1f", *TILES[1:]), (), "3s")),
    ("flower_in_hand", lambda: Hand(TILES, (), "8f")),
    ("flower_in_hand", lambda: Meld(MeldKind.PUNG, ("1f", "1f", "1f"))),
    ("wrong_tile_count", lambda: Hand(TILES[1:], (), "3s")),
    ("wrong_tile_count", lambda: Hand((*TILES, "9s"), (), "3s")),
    ("wrong_tile_count", lambda: Hand(TILES, (Meld.pung("1z"),), "3s")),
    ("too_many_of_a_face", lambda: hand("9s 9s 9s 9s 1m 1m 1m 2m 2m 2m 3m 3m 3m")),
    ("too_many_of_a_face", lambda: hand("1m 1m 1m 2m 2m 2m 3m 3m 3m 9p", Meld.chow("1m"), win="1m")),
    ("winning_tile_exhausted", lambda: hand("1m 1m 2m 2m 2m 3m 3m 3m 4m 4m", Meld.kong("9s"))),
    ("too_many_melds", lambda: hand("", *[Meld.pung(f"{n}z") for n in range(1, 6)])),
    ("unknown_meld_kind", lambda: Meld("pair", ("1m", "1m"))),  # type: ignore[arg-type]
    ("not_a_chow", lambda: Meld(MeldKind.CHOW, ("1m", "2m", "4m"))),
    ("not_a_chow", lambda: Meld(MeldKind.CHOW, ("1m", "2m", "3p"))),
    ("not_a_chow", lambda: Meld(MeldKind.CHOW, ("8m", "9m", "1p"))),
    ("not_a_chow", lambda: Meld(MeldKind.CHOW, ("1z", "2z", "3z"))),
    ("not_a_chow", lambda: Meld(MeldKind.CHOW, ("1m", "2m", "3m", "4m"))),
    ("not_a_chow", lambda: Meld(MeldKind.CHOW, ())),
    ("not_a_pung", lambda: Meld(MeldKind.PUNG, ("1m", "1m", "2m"))),
    ("not_a_pung", lambda: Meld(MeldKind.PUNG, ("1m", "1m"))),
    ("not_a_kong", lambda: Meld(MeldKind.MELDED_KONG, ("1m", "1m", "1m"))),
    ("not_a_kong", lambda: Meld(MeldKind.CONCEALED_KONG, ("1m", "1m", "1m", "2m"))),
    ("two_of_one_flower", lambda: Hand(TILES, (), "3s", ("1f", "2f", "1f"))),
    ("bad_flower_count", lambda: Hand(TILES, (), "3s", 9)),
    ("bad_flower_count", lambda: Hand(TILES, (), "3s", -1)),
    ("not_a_flower", lambda: Hand(TILES, (), "3s", ("1z",))),
    ("not_a_flower", lambda: Hand(TILES, (), "3s", "1f")),  # type: ignore[arg-type]
    ("not_a_flower", lambda: Hand(TILES, (), "3s", True)),
    ("bad_wind", lambda: Circumstances(seat_wind="X")),
    ("bad_wind", lambda: Circumstances(prevalent_wind="ES")),
    ("bad_wind", lambda: Circumstances(prevalent_wind=None)),  # type: ignore[arg-type]
    ("bad_flag", lambda: Circumstances(self_drawn=1)),  # type: ignore[arg-type]
    ("robbed_kong_on_last_tile", lambda: Circumstances(last_tile=True, kong=True)),
    (
        "replacement_without_kong",
        lambda: with_circumstances("123m456m789p12s99s+3s", self_drawn=True, kong=True),
    ),
    ("replacement_without_kong", lambda: hand_from_json({**JSON, "self_drawn": True, "kong": True})),
    ("robbed_tile_in_hand", lambda: with_circumstances("123m456m789p123s9s+9s", kong=True)),
    ("robbed_tile_in_hand", lambda: with_circumstances("[123m]456m789p99s23m+1m", kong=True)),
    ("fourth_tile_in_hand", lambda: with_circumstances("123m456m789p123s9s+9s", fourth_tile=True)),
    ("bad_opening", lambda: Circumstances(opening="lucky")),  # type: ignore[arg-type]
    ("opening_conflict", lambda: Circumstances(True, seat_wind="S", opening="heavenly")),  # type: ignore[arg-type]
    ("opening_conflict", lambda: Circumstances(opening="heavenly")),  # type: ignore[arg-type]
    ("opening_conflict", lambda: Circumstances(opening="human", seat_wind="E")),  # type: ignore[arg-type]
    ("opening_conflict", lambda: Circumstances(opening="earthly", seat_wind="S", last_tile=True)),  # type: ignore[arg-type]
    (
        "opening_conflict",
        lambda: with_circumstances("[123m]456m789p12s99s+3s", self_drawn=True, opening="heavenly"),
    ),
    ("not_the_notation", lambda: parse_hand("123")),
    ("ambiguous_hand", lambda: parse_hand("123m456m789p99s[123s]")),
    ("not_json", lambda: hand_from_json(["1m"])),  # type: ignore[arg-type]
    ("missing_field", lambda: hand_from_json({"concealed": list(TILES)})),
    ("missing_field", lambda: hand_from_json({**JSON, "melds": [{"kind": "pung"}]})),
    ("bad_field", lambda: hand_from_json({**JSON, "concealed": "1m2m"})),
    ("bad_field", lambda: hand_from_json({**JSON, "melds": 3})),
    ("bad_field", lambda: hand_from_json({**JSON, "melds": ["pung"]})),
    ("bad_field", lambda: hand_from_json({**JSON, "flowers": "2"})),
    ("bad_field", lambda: hand_from_json({**JSON, "flowers": None})),
    ("bad_field", lambda: hand_from_json({**JSON, "flowers": 1.5})),
    ("not_winning", lambda: score(*parse_hand("123m456m789p123s89s"))),
    ("unknown_profile", lambda: score(*parse_hand("123m456m789p123s99s"), "riichi")),
    ("unknown_profile", lambda: profile_named("riichi")),
    ("bad_profile", lambda: parse_profile("colour = 1")),
    ("needs_jokers", lambda: PROFILES["platform"].fan("混杠")),
    ("unknown_fan", lambda: PROFILES["guobiao"].fan("混四节")),
    ("bad_seat", lambda: points_paid(8, winner=4, self_drawn=True)),
    ("bad_seat", lambda: points_paid(8, winner=1, discarder=1)),
    ("bad_seat", lambda: points_paid(8, winner=1)),
    ("bad_seat", lambda: points_paid(8, winner=1, discarder=2, self_drawn=True)),
    ("bad_seat", lambda: false_win(7, 10)),
    ("below_minimum", lambda: settle(score(*parse_hand("123m456m678p123sC+C")), winner=0, discarder=1)),
    ("bad_penalty", lambda: penalty(0, 10)),
    ("bad_penalty", lambda: penalty(0, -3)),
    ("bad_match", lambda: Match(seating="other")),
    ("bad_event", lambda: Win(winner=4, points=8)),
]


@pytest.mark.parametrize(
    ("code", "build"), REFUSALS, ids=[f"{n}-{code}" for n, (code, _) in enumerate(REFUSALS)]
)
def test_refused_by_name(code: str, build: Callable[[], object]) -> None:
    with pytest.raises(HandError) as caught:
        build()
    assert caught.value.code == code
    assert len(caught.value.message) > 10


def test_every_public_reason_is_tested() -> None:
    assert {code for code, _ in REFUSALS} == set(REASONS)


def test_a_reason_must_be_published() -> None:
    with pytest.raises(LookupError, match="published"):
        HandError("whatever", "no")


def test_kinds_of_refusal_are_told_apart() -> None:
    assert issubclass(NotationError, HandError)
    assert issubclass(ImpossibleHand, HandError)
    assert not issubclass(NotationError, ImpossibleHand)


@pytest.mark.parametrize("value", [Hand(TILES, (), "3s"), Meld.pung("1z"), Circumstances()])
def test_frozen(value: Any) -> None:
    name = dataclasses.fields(value)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, name, None)


def test_order_of_concealed_tiles_does_not_make_another_hand() -> None:
    assert Hand(TILES[::-1], (), "3s") == Hand(TILES, (), "3s")
    assert hash(Hand(TILES[::-1], (), "3s")) == hash(Hand(TILES, (), "3s"))
    assert Meld(MeldKind.CHOW, ("3m", "1m", "2m")) == Meld.chow("1m")


def test_repr_reads_back() -> None:
    hand = Hand(TILES[3:], (Meld.chow("1m"),), "3s", ("1f",))
    how = Circumstances(True, opening=Opening.HEAVENLY)
    names = {
        "Hand": Hand,
        "Meld": Meld,
        "MeldKind": MeldKind,
        "Circumstances": Circumstances,
        "Opening": Opening,
    }
    assert eval(repr((hand, how)), names) == (hand, how)  # noqa: S307


def test_flowers_are_kept_in_order() -> None:
    assert Hand(TILES, (), "3s", ("3f", "1f")).flowers == ("1f", "3f")


def test_sizes() -> None:
    with_kong = Hand(TILES[3:], (Meld.kong("1z", concealed=True),), "3s", 2)
    assert (with_kong.size, with_kong.flower_count, with_kong.is_concealed) == (15, 2, True)
    assert not Hand(TILES[3:], (Meld.kong("1z"),), "3s").is_concealed
    assert Hand(TILES, (), "3s", ()).flowers == 0


@pytest.mark.parametrize("tile", ["2m", "3m", None, 1, ["1m"], "pung"])
def test_the_tile_of_a_meld_is_its_lowest(tile: object) -> None:
    row = {"concealed": list(TILES[3:]), "winning_tile": "3s"}
    meld = {"kind": "chow", "tiles": ["3m", "2m", "1m"]}
    plain, _ = hand_from_json({**row, "melds": [meld]})
    assert hand_from_json({**row, "melds": [{**meld, "tile": "1m"}]})[0] == plain
    with pytest.raises(HandError, match="here 1m, not ") as caught:
        hand_from_json({**row, "melds": [{**meld, "tile": tile}]})
    assert caught.value.code == "bad_field"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"flowers": None}, "a count from 0 to 8 or a list of 1f-8f, not None"),
        ({"flowers": 1.5}, "a count from 0 to 8 or a list of 1f-8f, not 1.5"),
        ({"melds": [{"kind": "pung", "tiles": []}]}, "a meld of no tiles is not a pung"),
    ],
)
def test_messages_say_what_belongs_there(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(HandError) as caught:
        hand_from_json({**JSON, **changes})
    assert said in caught.value.message
