"""What a player needs in the hand in play to move up: the fewest points, self-drawn or on somebody's discard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scorer.errors import HandError
from scorer.profiles import DEFAULT
from scorer.settlement import BASE, Payments, points_paid

MOST_NEEDED = 999
"""A win of more points than this is not worth hoping for."""


@dataclass(frozen=True, slots=True)
class Need:
    """The fewest points with which ``player`` reaches ``rank`` (from 1), alone or shared with equal totals.

    ``self_drawn`` is for a win on the wall; ``discards`` maps each other player to the points a win on their discard
    needs. None stands for a win that cannot lift the player so far.
    """

    player: int
    rank: int
    self_drawn: int | None
    discards: dict[int, int | None]


def points_needed(totals: Payments, minimum: int = DEFAULT.minimum, base: int = BASE) -> tuple[Need, ...]:
    """For every player and every rank above the present one what a win must be worth, best ranks last.

    ``minimum`` is the least a legal win counts. Raises :class:`HandError` ``bad_event`` where the minimum is not from
    0 to 999.

    >>> [(need.player, need.rank, need.self_drawn, need.discards) for need in points_needed((20, 0, -8, -12))][:1]
    [(1, 1, 8, {0: 8, 2: 8, 3: 8})]
    """
    if not 0 <= minimum <= MOST_NEEDED:
        raise HandError("bad_event", f"the minimum must be from 0 to {MOST_NEEDED} points, not {minimum!r}")
    needs = []
    for player in range(4):
        others = [other for other in range(4) if other != player]
        for rank in range(_rank(totals, player) - 1, 0, -1):
            reaches = _reaching(totals, player, rank, minimum, base)
            needs.append(Need(player, rank, reaches(None), {other: reaches(other) for other in others}))
    return tuple(needs)


def _rank(totals: Payments, player: int) -> int:
    return 1 + sum(other > totals[player] for other in totals)


def _reaching(
    totals: Payments, player: int, rank: int, minimum: int, base: int
) -> Callable[[int | None], int | None]:
    """A function from who discards (None: self-drawn) to the fewest points with which ``player`` reaches ``rank``."""

    def fewest(discarder: int | None) -> int | None:
        # More points never cost the winner a place, so the first number that is enough is the fewest.
        low, high = minimum, MOST_NEEDED + 1
        while low < high:
            points = (low + high) // 2
            paid = points_paid(
                points, winner=player, discarder=discarder, self_drawn=discarder is None, base=base
            )
            one, two, three, four = (a + b for a, b in zip(totals, paid, strict=True))
            if _rank((one, two, three, four), player) <= rank:
                high = points
            else:
                low = points + 1
        return low if low <= MOST_NEEDED else None

    return fewest
