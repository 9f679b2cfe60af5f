"""Ranks, table points, and what a player needs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import HandError, points_paid
from scorer.match import points_needed, standings

TOTALS = st.tuples(*[st.integers(-500, 500)] * 3).map(lambda three: (*three, -sum(three)))


def test_ranks_without_ties() -> None:
    assert [(one.player, one.total, one.rank, one.table_points) for one in standings((5, -20, 30, -15))] == [
        (2, 30, 1, 4),
        (0, 5, 2, 2),
        (3, -15, 3, 1),
        (1, -20, 4, 0),
    ]


def test_two_share_the_first_place() -> None:
    assert [(one.player, one.rank, one.table_points) for one in standings((20, 20, -10, -30))] == [
        (0, 1, 3),
        (1, 1, 3),
        (2, 3, 1),
        (3, 4, 0),
    ]


@given(TOTALS)
def test_seven_table_points_are_given(totals: tuple[int, int, int, int]) -> None:
    assert sum((one.table_points for one in standings(totals)), Fraction()) == 7


def test_needed_by_hand() -> None:
    # Player 3 is 100 behind player 0: self-drawn closes 4 x (8 + P), his discard 32 + 2P, another's 32 + P.
    needs = {(need.player, need.rank): need for need in points_needed((60, 10, -30, -40))}
    need = needs[3, 1]
    assert (need.self_drawn, need.discards) == (17, {0: 34, 1: 68, 2: 68})
    assert (0, 1) not in needs
    # The place above is 10 ahead: any legal win is enough.
    assert needs[3, 3].self_drawn == 8


@given(TOTALS)
def test_needed_is_the_fewest(totals: tuple[int, int, int, int]) -> None:
    for need in points_needed(totals):
        for discarder, points in {None: need.self_drawn, **need.discards}.items():

            def rank(points: int, discarder: int | None = discarder, player: int = need.player) -> int:
                paid = points_paid(points, winner=player, discarder=discarder, self_drawn=discarder is None)
                after = [a + b for a, b in zip(totals, paid, strict=True)]
                return 1 + sum(other > after[player] for other in after)

            if points is None:
                assert rank(999) > need.rank
            else:
                assert rank(points) <= need.rank
                assert points == 8 or rank(points - 1) > need.rank


def test_a_minimum_that_cannot_be() -> None:
    with pytest.raises(HandError) as caught:
        points_needed((0, 0, 0, 0), minimum=-1)
    assert caught.value.code == "bad_event"
