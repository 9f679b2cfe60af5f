"""Payments and penalties."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import HandError, false_win, parse_hand, penalty, points_paid, score, settle

SEAT = st.integers(0, 3)


@pytest.mark.parametrize("charge", [penalty, false_win])
def test_a_negative_penalty_is_told_as_it_was_given(charge: Callable[[int, int], object]) -> None:
    with pytest.raises(HandError, match="cannot be negative, not -10") as caught:
        charge(1, -10)
    assert caught.value.code == "bad_penalty"


@given(st.integers(0, 400), SEAT)
def test_self_drawn(points: int, winner: int) -> None:
    gains = points_paid(points, winner=winner, self_drawn=True)
    assert sum(gains) == 0
    assert gains[winner] == 3 * (8 + points)
    assert sorted(gains)[:3] == [-8 - points] * 3


@given(st.integers(0, 400), st.permutations(range(4)))
def test_discard(points: int, seats: list[int]) -> None:
    winner, discarder, *others = seats
    gains = points_paid(points, winner=winner, discarder=discarder)
    assert sum(gains) == 0
    assert gains[winner] == 24 + points
    assert gains[discarder] == -8 - points
    assert [gains[seat] for seat in others] == [-8, -8]


def test_a_scored_hand() -> None:
    hand, how = parse_hand("[123m]456m789m66p45s6s|EE0000|2")
    result = score(hand, how)
    assert settle(result, winner=2, discarder=0) == (-8 - 21, -8, 24 + 21, -8)
    assert settle(result, winner=0, self_drawn=True) == (87, -29, -29, -29)
    drawn = score(*parse_hand("[123m]456m789m66p45s6s|EE1000"))
    assert settle(drawn, winner=1) == (-28, 84, -28, -28)


def test_penalties_and_false_wins() -> None:
    assert penalty(0, 30) == (-30, 10, 10, 10)
    assert false_win(3, 8) == (8, 8, 8, -24)
