"""Payments, penalties and the order of a match."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import HandError, false_win, parse_hand, penalty, points_paid, score, settle
from scorer.match import SEAT_CHANGES, Match
from scorer.settlement import add

SEAT = st.integers(0, 3)


@pytest.mark.parametrize("charge", [penalty, false_win])
def test_a_negative_penalty_is_told_as_it_was_given(charge: Callable[[int, int], object]) -> None:
    with pytest.raises(HandError, match="from 0 up, not -10") as caught:
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
    assert add(penalty(0, 30), points_paid(8, winner=0, discarder=1)) == (2, -6, 2, 2)
    assert add() == (0, 0, 0, 0)


class TestMatch:
    def test_sixteen_hands(self) -> None:
        match = Match()
        winds = []
        dealers = []
        while not match.is_over:
            winds.append(match.prevalent_wind)
            dealers.append(match.dealer)
            assert sorted(map(match.seat_of, range(4))) == sorted("ESWN")
            assert match.player_at(match.seat_of(2)) == 2
            match = match.play(points_paid(8, winner=match.dealer, self_drawn=True))
        assert "".join(winds) == "EEEESSSSWWWWNNNN"
        for start in range(0, 16, 4):
            assert sorted(dealers[start : start + 4]) == [0, 1, 2, 3]
        assert dealers[:4] == [0, 1, 2, 3]
        assert match.totals == (0, 0, 0, 0)
        assert match.prevalent_wind == "N"
        with pytest.raises(HandError, match="over"):
            match.play()

    def test_seats_change_between_rounds(self) -> None:
        rounds = [Match(((0, 0, 0, 0),) * played) for played in (0, 4, 8, 12)]
        seats = ["".join(match.seat_of(player) for match in rounds) for player in range(4)]
        assert seats == ["ESWN", "SENW", "WNSE", "NWES"]
        fixed = Match(((0, 0, 0, 0),) * 8, "fixed")
        assert [fixed.seat_of(player) for player in range(4)] == list("ESWN")

    @pytest.mark.parametrize("seating", SEAT_CHANGES)
    def test_every_round_seats_everybody(self, seating: str) -> None:
        for number in range(4):
            assert sorted(row[number] for row in SEAT_CHANGES[seating]) == sorted("ESWN")

    def test_drawn_hands_pass_the_deal(self) -> None:
        match = Match().play().play()
        assert (match.dealer, match.hand, match.round, match.totals) == (2, 2, 0, (0, 0, 0, 0))
        assert match.seat_of(0) == "W"

    def test_undo(self) -> None:
        match = Match().play(points_paid(8, winner=1, discarder=0))
        assert match.undo() == Match()
        with pytest.raises(HandError, match="no hand"):
            Match().undo()

    @pytest.mark.parametrize(
        "build",
        [
            lambda: Match(seating="random"),
            lambda: Match(((0, 0, 0, 0),) * 17),
            lambda: Match(((1, 0, 0, 0),)),
            lambda: Match().play((1, 1, 1, 1)),
        ],
    )
    def test_refusals(self, build: object) -> None:
        with pytest.raises(HandError) as caught:
            build()  # type: ignore[operator]
        assert caught.value.code == "bad_match"
