"""Seats and winds: who sits where in every hand of a match (docs/rules.md, "Seats and rounds").

Players are numbered 0 to 3 by the seat they drew at the start: player 0 sat East in the first hand.
"""

from __future__ import annotations

from typing import Final

from scorer.errors import HandError
from scorer.tiles import WINDS

HANDS_IN_A_ROUND: Final = 4
ROUNDS: Final = 4

SEAT_CHANGES: Final[dict[str, tuple[str, str, str, str]]] = {
    "usual": ("ESNW", "SEWN", "WNES", "NWSE"),
    "fixed": ("EEEE", "SSSS", "WWWW", "NNNN"),
}
"""For each player, the seat held at the start of the East, South, West and North round.

``usual`` is common practice: after the East and the West round East changes with South and West with North;
after the South round East moves to West, West to South, South to North and North to East. ``fixed`` keeps the seats.
"""


def seats_in(hand: int, seating: str = "usual") -> tuple[str, str, str, str]:
    """The seat wind of every player in a hand numbered from 0.

    >>> seats_in(0), seats_in(1)
    (('E', 'S', 'W', 'N'), ('N', 'E', 'S', 'W'))
    """
    if seating not in SEAT_CHANGES:
        raise HandError("bad_match", f"seating must be one of {', '.join(SEAT_CHANGES)}, not {seating!r}")
    if not 0 <= hand < HANDS_IN_A_ROUND * ROUNDS:
        raise HandError("bad_match", f"hands are numbered 0 to {HANDS_IN_A_ROUND * ROUNDS - 1}, not {hand!r}")
    round_number, played = divmod(hand, HANDS_IN_A_ROUND)
    first, second, third, fourth = (
        WINDS[(WINDS.index(seats[round_number]) - played) % 4] for seats in SEAT_CHANGES[seating]
    )
    return first, second, third, fourth
