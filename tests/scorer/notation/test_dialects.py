"""What others write: every notation is read and written back, and what can mean two hands is refused."""

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
    NotationError,
    format_hand,
    parse_hand,
)
from scorer.notation import Notation, numbers_a_dragon, parse_tiles, says_winds
from tests.scorer.strategies import wins

PLAIN = Hand(("1m", "2m", "3m", "4m", "5m", "6m", "7p", "8p", "9p", "1s", "2s", "9s", "9s"), (), "3s")


@pytest.mark.parametrize("notation", Notation)
@given(won=wins())
def test_round_trip(notation: Notation, won: tuple[Hand, Circumstances]) -> None:
    text = format_hand(*won, notation)
    assert parse_hand(text) == won, text


@pytest.mark.parametrize(
    "text",
    [
        "123M456M789P12S99S3S",
        "123w456w789b12t99t3t",
        "一万二万三万四万五万六万七饼八饼九饼一条二条九条九条三条",
        "一二三萬四五六萬七八九筒一二索九九索三索",
        "1万2万3万伍万四万六万789餅12條99條+3條",
        "W1 W2 W3 W4 W5 W6 B7 B8 B9 T1 T2 T9 T9 T3",
        "W1W2W3W4W5W6B7B8B9T1T2T9T9+T3",
        "('W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'B7', 'B8', 'B9', 'T1', 'T2', 'T9', 'T9'), 'T3'",
        "１２３ｍ　４５６ｍ７８９ｐ１２ｓ９９ｓ３ｓ",
    ],
)
def test_many_ways_to_write_one_hand(text: str) -> None:
    assert parse_hand(text) == (PLAIN, Circumstances())


@pytest.mark.parametrize(
    "text",
    [
        "【中中中】（１２３ｍ）[三条三条三条三条,1]〔发发发发〕东+东",
        "[红中红中红中](一二三万)[3333s,1][發財發發財發]東風+东",
        "PENG J1 1 CHI W2 1 GANG T3 2 GANG J2 0 F1 F1",
        "('PENG', 'J1', 1), ('CHI', 'W2', 1), ('GANG', 'T3', 3), ('GANG', 'J2', 0), 'F1', 'F1'",
        "[J1J1J1][W1 W2 W3][T3T3T3T3 1][J2J2J2J2]F1+F1",
    ],
)
def test_melds(text: str) -> None:
    assert parse_hand(text) == parse_hand("[CCC][123m][3333s,1][FFFF]E+E")


def test_names_of_every_honour_and_flower() -> None:
    honours = tuple(f"{rank}z" for rank in range(1, 8))
    for text in ("东南西北中发白", "東南西北紅中發財白板", "东风南风西風北风红中青发白板"):
        assert parse_tiles(text)[0] == honours
    assert parse_tiles("春夏秋冬梅兰竹菊")[0] == parse_tiles("efghabcd")[0]
    assert parse_hand("一二三万四五六万七八九饼一二条九九条三条|EE0000|春兰")[0].flowers == ("1f", "6f")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("123b456b789b99bEEE+E", "dots .* or bamboo"),
        ("123m456b", "write p for dots or s for bamboo"),
        ("GANG W1 B1 B2", "concealed kong or a melded one"),
        ("[一万二万三万]四五六万七八九万九九条[一二三条]", "winning tile is unknown"),
    ],
)
def test_two_meanings(text: str, words: str) -> None:
    with pytest.raises(AmbiguousHand, match=words):
        parse_hand(text)


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("CHI W1 1 B1", 4, "middle tile of a chow"),
        ("CHI F1 1 B1", 4, "middle tile of a chow"),
        ("CHI", 0, "expected a tile after CHI"),
        ("PENG CHI", 0, "expected a tile after PENG"),
        ("PENG W1 4", 8, "expected 0, 1, 2 or 3"),
        ("W1 PENG W2 1 2", 13, "a number only follows"),
        ("PENG W1 1 ]", 10, "closes none"),
        ("[W1 W1 W1 B1", 0, "not closed"),
        ("[W1 CHI W2 1]", 4, "tiles of one meld and then ]"),
        ("PENG W1 1 123m", 13, "is not part of Botzone's notation"),
        ("PENG W1 1 xx", 10, "is not part of Botzone's notation; expected W1-W9"),
        ("123m456m789p12s99sw3s", 18, "西 is written with a capital letter, W"),
        ("nnn", 0, "北 is written with a capital letter, N"),
        ("123m0p", 4, "riichi tools: .* in that order"),
        ("三", 0, "then their suit"),
        ("四萬5", 2, "then their suit"),
    ],
)
def test_what_was_expected_and_where(text: str, position: int, words: str) -> None:
    with pytest.raises(NotationError, match=words) as caught:
        parse_hand(text)
    assert caught.value.position == position


def test_faces_that_do_not_exist() -> None:
    for text in ("F5 W1", "J4 W1", "W1 PENG J9 1"):
        with pytest.raises(ImpossibleHand, match="winds are F1-F4, dragons J1-J3"):
            parse_hand(text)


def test_a_small_letter_for_an_honour_gets_a_hint() -> None:
    with pytest.raises(
        ImpossibleHand, match=r"e is the flower 春; .* 东 is written with a capital letter, E"
    ):
        parse_hand("123m456m789p12s99se")
    with pytest.raises(ImpossibleHand) as caught:
        parse_hand("123m456m789p12s99sa")
    assert "capital" not in caught.value.message


def test_thirteen_tiles_are_sent_to_waits() -> None:
    with pytest.raises(ImpossibleHand, match="`fanlens waits` lists what they wait for"):
        parse_hand("123m456m789p12s99s")
    with pytest.raises(ImpossibleHand) as caught:
        parse_hand("123m456m789p12s")
    assert "waits" not in caught.value.message


def test_what_a_text_says() -> None:
    assert says_winds("1m｜ＥＥ００００")
    assert not says_winds("1m||2")
    assert numbers_a_dragon("１２５ｚ")
    assert not numbers_a_dragon("12346z5m")


@given(st.text(alphabet="123456789mpswbtzESWNCFPJTB[]()【】,|+ 0一二万饼条中发CHIPENGA'", max_size=40))
def test_any_text_is_a_hand_or_a_named_refusal(text: str) -> None:
    try:
        hand, how = parse_hand(text)
    except HandError as error:
        position = getattr(error, "position", None)
        assert position is None or 0 <= position <= len(text)
    else:
        for notation in Notation:
            assert parse_hand(format_hand(hand, how, notation)) == (hand, how)
