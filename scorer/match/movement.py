"""What an event moves between the four players and the table; the five always sum to zero."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.errors import HandError
from scorer.match.events import FalseWin, Penalty, Plain, Win
from scorer.settlement import BASE, Payments, penalty, points_paid


@dataclass(frozen=True, slots=True)
class Movement:
    """What each player gains, by player, and what the table gains from penalties that are not divided.

    Raises :class:`HandError` ``bad_event`` where the five do not sum to zero.
    """

    players: Payments = (0, 0, 0, 0)
    table: int = 0

    def __post_init__(self) -> None:
        """Check the sum."""
        if len(self.players) != 4 or sum(self.players) + self.table:
            raise HandError("bad_event", f"{self.players} and {self.table} for the table do not sum to zero")

    def __add__(self, other: Movement) -> Movement:
        """Both together."""
        one, two, three, four = (a + b for a, b in zip(self.players, other.players, strict=True))
        return Movement((one, two, three, four), self.table + other.table)


NOTHING = Movement()


def movement_of(event: Plain, base: int = BASE) -> Movement:
    """What an event moves; ``base`` is what every loser of a hand pays beside the points.

    >>> movement_of(Penalty(player=1, points=10, divided=False))
    Movement(players=(0, -10, 0, 0), table=10)
    """
    match event:
        case Win(winner, points, None):
            return Movement(points_paid(points, winner=winner, self_drawn=True, base=base))
        case Win(winner, points, discarder):
            return Movement(points_paid(points, winner=winner, discarder=discarder, base=base))
        case FalseWin(player, each):
            return Movement(penalty(player, 3 * each))
        case Penalty(player, points, True):
            return Movement(penalty(player, points))
        case Penalty(player, points, False):
            one, two, three, four = (-points if other == player else 0 for other in range(4))
            return Movement((one, two, three, four), points)
    return NOTHING
