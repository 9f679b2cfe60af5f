"""Text to hand and back, and where each kind of fault lies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import (
    AmbiguousHand,
    Circumstances,
    Hand,
    HandError,
    ImpossibleHand,
    Meld,
    NotationError,
    format_hand,
    parse_hand,
)
from scorer.notation import format_tiles, parse_flowers, parse_tiles
from scorer.tiles import UNICODE_OF_FACE
from tests.scorer.strategies import wins

PLAIN = Hand(("1m", "2m", "3m", "4m", "5m", "6m", "7p", "8p", "9p", "1s", "2s", "9s", "9s"), (), "3s")
MELDED = Hand(
    ("3s", "4s", "5s", "3p", "5p", "5p", "5p", "5p", "6p", "7p"), (Meld.kong("7s", concealed=True),), "4p"
)


@pytest.mark.parametrize(
    "text",
    [
        "123m456m789p12s99s3s",
        "123456m789p1299s3s",
        "1m2m3m4m5m6m7p8p9p1s2s9s9s3s",
        " 123m 456m 789p 12s 99s + 3s ",
        "1299s789p123456m+3s",
        "🀇🀈🀉🀊🀋🀌🀟🀠🀡🀐🀑🀘🀘🀒",
        "１２３ｍ４５６ｍ７８９ｐ１２ｓ９９ｓ３ｓ｜ＥＥ００００",
        "123456m🀟🀠🀡1299s🀒",
        "123m456m789p12s99s3s|EE0000",
        "123m456m789p12s99s3s|EE0000|",
        "123m456m789p12s99s3s||0",
    ],
)
def test_many_ways_to_write_one_hand(text: str) -> None:
    assert parse_hand(text) == (PLAIN, Circumstances())


@pytest.mark.parametrize(
    "text",
    ["345s3p55p5567p[7777s]4p", "[7777s]345s3p555567p4p", "345s3555567p[🀫🀖🀖🀫]+4p", "[🀖🀖🀖🀖]345s3555567p4p"],
)
def test_concealed_kongs(text: str) -> None:
    assert parse_hand(text)[0] == MELDED


def test_the_example_of_the_notation() -> None:
    hand, how = parse_hand("345s3p55p5567p[7777s]4p|EE0100|cbaghdfe")
    assert hand.flower_count == 8
    assert how == Circumstances(fourth_tile=True)
    hand, how = parse_hand("[1111s,1][2222m,2][3333p,7][4444p]88s|SW1011|2")
    assert [meld.kind for meld in hand.melds] == ["melded_kong"] * 3 + ["concealed_kong"]
    assert how == Circumstances(True, True, True, False, "W", "S")
    assert hand.flowers == 2


def test_honours_and_flowers() -> None:
    assert parse_tiles("ESWNCFP1234567z")[0] == tuple(f"{n}z" for n in range(1, 8)) * 2
    assert parse_tiles("abcdefgh")[0] == ("5f", "6f", "7f", "8f", "1f", "2f", "3f", "4f")
    everything = "".join(UNICODE_OF_FACE.values())
    assert parse_tiles(everything)[0] == tuple(UNICODE_OF_FACE)


def test_ambiguous_texts() -> None:
    with pytest.raises(AmbiguousHand, match="winning tile") as caught:
        parse_hand("123m456m789p99s[123s]")
    assert caught.value.position == 21
    with pytest.raises(AmbiguousHand, match="kong in brackets") as caught:
        parse_hand("1111m456m789p123s99s")
    assert caught.value.position == 0


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("hello", 2),
        ("123", 0),
        ("123m45", 4),
        ("123m0p", 4),
        ("12x", 0),
        ("123m8z", 4),
        ("123m456m[789p", 8),
        ("123m456m[789p,9]", 14),
        ("123m456m789p12s99s3s|EE00", 21),
        ("123m456m789p12s99s3s|EE0000|x", 28),
        ("123m456m789p12s99s3s|EE0000|1|2", 29),
        ("123m456m789p12s99s3s|EE0000|1.5", 28),
        ("123m456m789p12s99s3s|EE0000| abE", 31),
        ("123m456m789p12s99s3s|EE0000|ab-", 30),
        ("123m456m789p12s+99s3s", 15),
        ("1+2+3m", 0),
        ("123m]", 4),
    ],
)
def test_what_is_not_the_notation_and_where(text: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_hand(text)
    assert caught.value.position == position
    assert f"character {position + 1}" in caught.value.message


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ("11111m456m789p123s", "too_many_of_a_face", 4),
        ("[124m]456m789p123s99s", "not_a_chow", 0),
        ("456m[112p]789p123s99s", "not_a_chow", 4),
        ("456m[12345p]789p123s", "not_a_chow", 4),
        ("123m456m789p12s99sa", "flower_in_hand", 18),
        ("123m456m789p12s99s", "wrong_tile_count", 18),
        ("123m456m789p12s99s3s|EE0011", "robbed_kong_on_last_tile", 21),
        ("123m456m789p12s99s3s|EE1001", "replacement_without_kong", 20),
        ("123m456m789p123s9s9s|EE0100", "fourth_tile_in_hand", 18),
        ("123m456m789p12s99s3s|EE0000|9", "bad_flower_count", 28),
        ("123m456m789p12s99s3s|EE0000|aa", "two_of_one_flower", 28),
        ("[3333s,1]123m456m99p12s3s", "winning_tile_exhausted", 23),
        ("[🀫🀫🀫🀫]123m456m99p12s", "face_down_tile", 0),
        ("[123m][123m][123m][456m][99p]", "not_a_pung", 24),
        ("[123m][123m][123m][456m][789p]99s", "too_many_melds", 24),
        ("[]123m456m789p99s", "not_a_chow", 0),
        ("1" * 145 + "m", "wrong_tile_count", 144),
        ("123m456m789p12s99s3s|EE0000| 12345", "bad_flower_count", 29),
        ("123m456m789p12s99s3s|EE0000|" + "9" * 5000, "bad_flower_count", 28),
        ("[111m][222m][333m][444m]", "wrong_tile_count", 24),
    ],
)
def test_what_is_impossible_and_where(text: str, code: str, position: int) -> None:
    with pytest.raises(ImpossibleHand) as caught:
        parse_hand(text)
    assert (caught.value.code, caught.value.position) == (code, position)


def test_messages_name_what_was_typed() -> None:
    with pytest.raises(NotationError, match=r"^expected flowers as a count 0-8 or as letters a-h"):
        parse_hand("123m456m789p12s99s3s|EE0000|1.5")
    with pytest.raises(ImpossibleHand, match=r"^a is the flower 梅; .* after the second"):
        parse_hand("abc")
    with pytest.raises(ImpossibleHand, match=r"^a meld of no tiles is not a chow"):
        parse_hand("[]123m")
    with pytest.raises(ImpossibleHand, match=r"must be 0 to 8, not 111… \(5000 digits\)"):
        parse_flowers("1" * 5000)
    assert parse_flowers("0" * 5000 + "８") == 8


def test_many_tiles_are_counted_once_each() -> None:
    """A wall of one tile is refused by its number, whatever its length, and no meld repeats it."""
    for text in ("1" * 200_000 + "m", "[123m]" * 20_000, "[" + "1" * 200_000 + "m]"):
        with pytest.raises(ImpossibleHand) as caught:
            parse_hand(text)
        assert len(caught.value.message) < 120


def test_printing_is_canonical() -> None:
    hand, how = parse_hand("[777z] [1111s,2] 44z 5m6m 123p +4m |SN1010| hg")
    assert format_hand(hand, how) == "56m123pNN[PPP][1111s,1]4m|SN1010|gh"
    assert format_tiles(["1m", "1p", "2p", "1z"]) == "1m12pE"


@given(wins())
def test_round_trip(won: tuple[Hand, Circumstances]) -> None:
    assert parse_hand(format_hand(*won)) == won


@given(st.text(alphabet="123456789mpszESWNCFPabcdefgh[],|+ 01🀇🀫", max_size=40))
def test_any_text_is_a_hand_or_a_named_refusal(text: str) -> None:
    try:
        hand, how = parse_hand(text)
    except HandError as error:
        position = getattr(error, "position", None)
        assert position is None or 0 <= position <= len(text)
    else:
        assert parse_hand(format_hand(hand, how)) == (hand, how)
