"""Statistics over matches as the page and the API show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from scorer.match import PlayedMatch, PlayerStatistics, statistics
from webapp.fans import english_names

LONGEST_COURSE: Final = 240
"""A line on a phone has no room for more points."""


def statistics_view(matches: Sequence[PlayedMatch]) -> dict[str, Any]:
    """How many matches there are, and every player of them, whoever played most first."""
    return {"matches": len(matches), "players": [_player(one) for one in statistics(matches)]}


def _player(one: PlayerStatistics) -> dict[str, Any]:
    english = english_names()
    return {
        "name": one.name,
        "matches": one.matches,
        "hands": one.hands,
        "wins": one.wins,
        "self_drawn": one.self_drawn,
        "deal_ins": one.deal_ins,
        "average": None if one.average is None else round(one.average, 1),
        "biggest": one.biggest,
        "points": one.points,
        "course": thinned(one.course, LONGEST_COURSE),
        "fans": [
            {"fan": fan, "english": english.get(fan, fan), "count": count} for fan, count in one.fans.items()
        ],
    }


def thinned(course: Sequence[int], most: int) -> list[int]:
    """At most so many of the points, evenly spread, with the last one.

    >>> thinned(range(10), 4)
    [1, 4, 6, 9]
    """
    if len(course) <= most:
        return list(course)
    return [course[(place + 1) * len(course) // most - 1] for place in range(most)]
