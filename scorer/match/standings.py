"""Ranks and table points: who came first, ties shared."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from scorer.settlement import Payments

TABLE_POINTS: Final = (4, 2, 1, 0)
"""标准分: table points for the first to the fourth place."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a player stands: ``rank`` from 1, equal totals sharing it, and the table points of the places shared."""

    player: int
    total: int
    rank: int
    table_points: Fraction


def standings(
    totals: Payments, table_points: tuple[int, int, int, int] = TABLE_POINTS
) -> tuple[Standing, ...]:
    """The players from the first place to the last; players with equal totals in their own order.

    >>> [(one.player, one.rank, str(one.table_points)) for one in standings((10, -30, 10, 10))]
    [(0, 1, '7/3'), (2, 1, '7/3'), (3, 1, '7/3'), (1, 4, '0')]
    """
    found = []
    for player, total in sorted(enumerate(totals), key=lambda pair: -pair[1]):
        above = sum(other > total for other in totals)
        equal = sum(other == total for other in totals)
        shared = Fraction(sum(table_points[above : above + equal]), equal)
        found.append(Standing(player, total, above + 1, shared))
    return tuple(found)
