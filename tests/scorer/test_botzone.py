"""The drop-in for PyMahjongGB against PyMahjongGB itself."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import MahjongGB
import pytest

from scorer import FanlensError, botzone
from scorer.simulate import random_win
from scorer.tiles import SUIT_AND_HONOUR_FACES
from tests.bench.compare_engines import peer_arguments

HAND = ("W1", "W2", "W3", "W4", "W5", "W6", "B7", "B8", "T1", "T1", "F1", "F1", "F1")
WIN: tuple[Any, ...] = ((), HAND, "B9", 0, True, False, False, False, 0, 0)


def test_codes_and_faces() -> None:
    codes = [botzone.tile_of(face) for face in SUIT_AND_HONOUR_FACES]
    assert (codes[0], codes[9], codes[18], codes[27], codes[31], codes[33]) == (
        "W1",
        "B1",
        "T1",
        "F1",
        "J1",
        "J3",
    )
    assert [botzone.face_of(code) for code in codes] == list(SUIT_AND_HONOUR_FACES)


def test_fans_of_random_hands() -> None:
    rng = Random(20261201)
    ties = 0
    for _ in range(1500):
        arguments = peer_arguments(*random_win(rng))
        ours = botzone.MahjongFanCalculator(*arguments, True)  # type: ignore[call-overload]
        theirs = MahjongGB.MahjongFanCalculator(*arguments, True)
        if ours != theirs:
            ties += 1
            assert sum(points * count for points, count, *_ in ours) == sum(
                points * count for points, count, *_ in theirs
            )
        plain = botzone.MahjongFanCalculator(*arguments)  # type: ignore[call-overload]
        assert plain == tuple((points * count, name) for points, count, name, _ in ours)
    assert ties <= 3


def changed(place: int, value: object) -> tuple[Any, ...]:
    return (*WIN[:place], value, *WIN[place + 1 :])


@pytest.mark.parametrize(
    "arguments",
    [
        changed(2, "B3"),
        changed(1, HAND[:-1]),
        changed(2, "X9"),
        changed(2, "H1"),
        changed(1, list(HAND)),
        changed(0, []),
        (("CHI", "W2", 7),),
    ],
)
def test_refusals_have_the_same_text(arguments: tuple[Any, ...]) -> None:
    if len(arguments) == 1:
        arguments = (arguments, HAND[3:], *WIN[2:])
    with pytest.raises(TypeError) as theirs:
        MahjongGB.MahjongFanCalculator(*arguments)
    with pytest.raises(TypeError) as ours:
        botzone.MahjongFanCalculator(*arguments)
    assert str(ours.value) == str(theirs.value)
    assert isinstance(ours.value, FanlensError)
    assert ours.value.message != str(ours.value)


def test_a_kong_where_there_is_none_is_ignored() -> None:
    arguments = changed(6, True)
    assert botzone.MahjongFanCalculator(*arguments) == MahjongGB.MahjongFanCalculator(*arguments)
    assert botzone.MahjongFanCalculator(*arguments) == botzone.MahjongFanCalculator(*WIN)


@pytest.mark.parametrize(
    "arguments",
    [
        changed(3, 9),
        changed(8, 4),
        (*WIN[:4], False, False, True, True, 0, 0),
        (*WIN[:1], ("W1",) * 5 + HAND[5:], *WIN[2:]),
    ],
)
def test_wins_no_table_can_produce(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(botzone.BotzoneError) as caught:
        botzone.MahjongFanCalculator(*arguments)
    assert caught.value.code == "ERROR_IMPOSSIBLE"


def random_ready(rng: Random, codes: list[str]) -> tuple[tuple[tuple[str, str, int], ...], tuple[str, ...]]:
    """13 tiles with up to four packs, from a whole wall or from two suits."""
    wall = [code for code in codes for _ in range(4) if rng.random() < 0.9]
    if rng.random() < 0.3:
        wall = [code for code in codes for _ in range(4) if code[0] in "WF"]
    rng.shuffle(wall)
    packs: list[tuple[str, str, int]] = []
    for _ in range(rng.choice([0, 0, 1, 2, 3, 4])):
        kind = rng.choice(["CHI", "PENG", "GANG"])
        tile = f"{rng.choice('WBT')}{rng.randint(2, 8)}" if kind == "CHI" else rng.choice(codes)
        packs.append((kind, tile, 1))
    return tuple(packs), tuple(wall[: 13 - 3 * len(packs)])


def test_shanten_of_random_hands() -> None:
    rng = Random(7)
    codes = [botzone.tile_of(face) for face in SUIT_AND_HONOUR_FACES]
    seen = set()
    for _ in range(1500):
        packs, hand = random_ready(rng, codes)
        theirs = MahjongGB.MahjongShanten(packs, hand)
        assert botzone.MahjongShanten(packs, hand) == theirs, (packs, hand)
        seen.add(theirs)
    assert {0, 1, 2, 3, 4, 5} <= seen


@pytest.mark.parametrize("shanten", [MahjongGB.MahjongShanten, botzone.MahjongShanten])
def test_shanten_refuses_other_counts(shanten: Callable[..., int]) -> None:
    with pytest.raises(TypeError, match=r"^ERROR_INVALID_HAND_OR_PACK$"):
        shanten((), (*HAND, "B9"))


def test_every_fan_has_the_name_it_has_there() -> None:
    """Hands for what random ones rarely show: the names are compared, not only the points."""
    for hand, win in (
        (("W1", "W1", "W1", *(f"W{rank}" for rank in range(2, 9)), "W9", "W9", "W9"), "W5"),
        (("W1", "W2", "W3", "W7", "W8", "W9", "W5", "W5", "W1", "W2", "W3", "W7", "W8"), "W9"),
        (("W1", "W2", "W3", "W7", "W8", "W9", "B1", "B2", "B3", "B7", "B8", "B9", "T5"), "T5"),
        (("W1", "W1", "W1", "B1", "B2", "B3", "B4", "B5", "B6", "T8", "T8", "T1", "T2"), "T3"),
        (("W1", "W1", "W1", "B1", "B2", "B3", "B4", "B5", "B6", "T8", "T8", "T4", "T6"), "T5"),
    ):
        arguments = ((), hand, win, 0, False, False, False, False, 1, 2, True)
        assert botzone.MahjongFanCalculator(*arguments) == MahjongGB.MahjongFanCalculator(*arguments)
