"""圈 and 局: who sits where, whose wind it is, and what every player has won.

A match (局) is four rounds (圈) of four hands (盘); the dealer passes on after every hand, won or drawn.
The prevalent wind is the round's. Seats change between rounds as :data:`SEAT_CHANGES` says.

>>> from scorer.settlement import points_paid
>>> match = Match()
>>> match.prevalent_wind, match.dealer, match.seat_of(0)
('E', 0, 'E')
>>> after = match.play(points_paid(8, winner=0, discarder=2))
>>> after.hand, after.dealer, after.totals
(1, 1, (32, -8, -16, -8))
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from scorer.errors import HandError
from scorer.settlement import Payments
from scorer.tiles import WINDS

HANDS_IN_A_ROUND: Final = 4
ROUNDS: Final = 4

SEAT_CHANGES: Final[dict[str, tuple[str, str, str, str]]] = {
    "usual": ("ESWN", "SENW", "WNSE", "NWES"),
    "fixed": ("EEEE", "SSSS", "WWWW", "NNNN"),
}
"""For each player, by the seat drawn at the start, the seat at the start of the East, South, West and
North round. ``usual`` is common practice, ``fixed`` keeps the seats."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match at some moment; every move gives a new one.

    Players are 0-3 by the seat drawn at the start (0 sat East). ``payments`` holds what each player
    won in every hand played so far; a drawn hand is four zeros. Raises :class:`HandError` ``bad_match``.
    """

    payments: tuple[Payments, ...] = ()
    seating: str = "usual"

    def __post_init__(self) -> None:
        """Check that the hands played make a match."""
        if self.seating not in SEAT_CHANGES:
            raise HandError(
                "bad_match", f"seating must be one of {', '.join(SEAT_CHANGES)}, not {self.seating!r}"
            )
        if len(self.payments) > HANDS_IN_A_ROUND * ROUNDS:
            raise HandError("bad_match", f"{len(self.payments)} hands; a match has sixteen")
        for number, payment in enumerate(self.payments, 1):
            if len(payment) != 4 or sum(payment) != 0:
                raise HandError("bad_match", f"the payments of hand {number} are not four with sum zero")

    @property
    def hand(self) -> int:
        """How many hands have been played, which is the number of the hand in play from 0."""
        return len(self.payments)

    @property
    def is_over(self) -> bool:
        """All sixteen hands have been played."""
        return self.hand == HANDS_IN_A_ROUND * ROUNDS

    @property
    def round(self) -> int:
        """The round in play, 0-3; the last one once the match is over."""
        return min(self.hand // HANDS_IN_A_ROUND, ROUNDS - 1)

    @property
    def prevalent_wind(self) -> str:
        """圈风: the wind of the round."""
        return WINDS[self.round]

    def seat_of(self, player: int) -> str:
        """门风: the wind a player has in the hand in play."""
        if not 0 <= player <= 3:
            raise HandError("bad_match", f"players are 0 to 3, not {player!r}")
        start = WINDS.index(SEAT_CHANGES[self.seating][player][self.round])
        played = min(self.hand - self.round * HANDS_IN_A_ROUND, HANDS_IN_A_ROUND - 1)
        return WINDS[(start - played) % 4]

    def player_at(self, wind: str) -> int:
        """Who has this wind in the hand in play."""
        return next(player for player in range(4) if self.seat_of(player) == wind)

    @property
    def dealer(self) -> int:
        """Who sits East in the hand in play."""
        return self.player_at("E")

    @property
    def totals(self) -> Payments:
        """What every player has won so far; the sum is zero."""
        sums = [sum(payment[player] for payment in self.payments) for player in range(4)]
        return sums[0], sums[1], sums[2], sums[3]

    def play(self, payments: Payments = (0, 0, 0, 0)) -> Match:
        """The match after a hand that paid ``payments`` by player; nothing for a drawn hand."""
        if self.is_over:
            raise HandError("bad_match", "the match is over; start another one")
        return replace(self, payments=(*self.payments, payments))

    def undo(self) -> Match:
        """The match before its last hand."""
        if not self.payments:
            raise HandError("bad_match", "no hand has been played yet")
        return replace(self, payments=self.payments[:-1])
