"""Seats and winds of every hand."""

import pytest

from scorer import HandError
from scorer.match import SEAT_CHANGES, seats_in


def test_seats_at_the_start_of_each_round() -> None:
    rounds = [seats_in(hand) for hand in (0, 4, 8, 12)]
    assert ["".join(seats[player] for seats in rounds) for player in range(4)] == [
        "ESNW",
        "SEWN",
        "WNES",
        "NWSE",
    ]


def test_moves_between_the_rounds() -> None:
    """After the East and the West round neighbours change places; after the South round E to W to S to N to E."""
    for before, moves in ((0, "ES SE WN NW"), (4, "EW WS SN NE"), (8, "ES SE WN NW")):
        moved = dict(move for move in moves.split())
        assert tuple(moved[seat] for seat in seats_in(before)) == seats_in(before + 4)


@pytest.mark.parametrize("seating", SEAT_CHANGES)
def test_everybody_deals_once_in_each_round(seating: str) -> None:
    for start in (0, 4, 8, 12):
        hands = [seats_in(hand, seating) for hand in range(start, start + 4)]
        assert all(sorted(seats) == sorted("ESWN") for seats in hands)
        assert sorted(seats.index("E") for seats in hands) == [0, 1, 2, 3]


def test_fixed_seats_stay() -> None:
    assert seats_in(12, "fixed") == ("E", "S", "W", "N")


@pytest.mark.parametrize(("hand", "seating"), [(-1, "usual"), (16, "usual"), (0, "random")])
def test_refusals(hand: int, seating: str) -> None:
    with pytest.raises(HandError) as caught:
        seats_in(hand, seating)
    assert caught.value.code == "bad_match"
