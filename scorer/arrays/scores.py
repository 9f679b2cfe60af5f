"""Scores as columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.arrays.columns import HandColumns
from scorer.arrays.lookup import Numbers
from scorer.arrays.masks import MOST_FANS, FanLists, Fans
from scorer.arrays.search import ArraySearch
from scorer.arrays.suit_table import suit_table
from scorer.engine.search import Engine
from scorer.engine.thorough import ThoroughEngine
from scorer.errors import HandError
from scorer.profiles import DEFAULT, Profile
from scorer.scoring import engine_for, score

SMALL_BATCH: Final = 400
"""Below so many hands one at a time is quicker."""


@dataclass(frozen=True, eq=False)
class ScoreColumns:
    """What many hands are worth; a hand without a score has 0 everywhere and an error."""

    hands: HandColumns = field(repr=False)
    profile: Profile
    scored: NDArray[np.bool_]
    """Which hands have a score: they are possible, and they win."""
    points: Numbers
    """Points without flowers."""
    total: Numbers
    """All points, flowers included."""
    list_numbers: Numbers
    """For each hand the place of its fans in ``lists``."""
    lists: FanLists
    """Lists of fans; hands with the same fans share one, so do not change them. The first one is empty."""

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Which hands reach the minimum without their flowers."""
        return self.scored & (self.points >= self.profile.minimum)

    @property
    def fans(self) -> list[Fans]:
        """The fans of each hand."""
        return list(map(self.lists.__getitem__, self.list_numbers.tolist()))

    @cached_property
    def errors(self) -> dict[int, HandError]:
        """The error of each hand without a score, by its place."""
        found = {}
        for place in np.flatnonzero(~self.scored).tolist():
            error = self._error(place)
            found[place] = error
        return found

    def _error(self, place: int) -> HandError:
        try:
            score(*self.hands.hand(place), self.profile)
        except HandError as error:
            return error
        raise AssertionError(f"hand {place} has a score, but not among columns")


def score_columns(hands: HandColumns, profile: str | Profile = DEFAULT) -> ScoreColumns:
    """Score many hands at once.

    The answers are those of :func:`scorer.score`. A small batch is scored one by one, because that is quicker, and so
    are all hands by a profile file that changes points, exclusions or the wait on an exhausted tile.
    """
    engine = engine_for(profile)
    if len(hands) < SMALL_BATCH or not scores_together(engine.profile):
        return _one_by_one(hands, engine)
    return _together(hands, search_for(engine))


def scores_together(profile: Profile) -> bool:
    """Whether hands can be scored together by these rules."""
    usual = not isinstance(engine_for(profile), ThoroughEngine)
    return usual and profile.exhausted_wait and len(profile.fans) <= MOST_FANS


@lru_cache(maxsize=8)
def search_for(engine: Engine) -> ArraySearch:
    """The array search of an engine; its tables fill as hands come."""
    return ArraySearch(engine)


def _one_by_one(hands: HandColumns, engine: Engine) -> ScoreColumns:
    number = len(hands)
    points, total, list_numbers = (np.zeros(number, np.int64) for _ in range(3))
    lists = FanLists()
    scored = hands.sound.copy()
    errors: dict[int, HandError] = {}
    for place in range(number):
        try:
            found = score(*hands.hand(place), engine.profile)
        except HandError as error:
            errors[place] = error
            scored[place] = False
            continue
        points[place], total[place], list_numbers[place] = found.qualifying, found.total, len(lists)
        lists.append(found.counts)
    made = ScoreColumns(hands, engine.profile, scored, points, total, list_numbers, lists)
    made.__dict__["errors"] = errors
    return made


def _together(hands: HandColumns, search: ArraySearch) -> ScoreColumns:
    number = len(hands)
    at: Numbers | slice = slice(None) if hands.sound.all() else np.flatnonzero(hands.sound)
    points, list_numbers = np.zeros(number, np.int64), np.zeros(number, np.int64)
    scored = np.zeros(number, bool)
    with search.lock:
        search.tables.trim()
        best = search.best(hands.tiles[:, at], hands.melds[:, at], hands.how[at])
        scored[at] = best.wins
        points[at] = best.points * best.wins
        list_numbers[at] = best.lists * best.wins
        total = points.copy()
        laid = np.flatnonzero((hands.flowers > 0) & scored)
        if laid.size:
            _lay_flowers(hands, search, laid, total, list_numbers)
        # The lists only grow, or are replaced when they start over, so they may be shared.
        lists = search.tables.lists
    return ScoreColumns(hands, search.engine.profile, scored, points, total, list_numbers, lists)


def _lay_flowers(
    hands: HandColumns, search: ArraySearch, laid: Numbers, total: Numbers, list_numbers: Numbers
) -> None:
    """Add the fans of flowers to the hands at ``laid``."""
    matching = hands.seasonal[laid] >> 2 * (hands.how[laid] >> 4 & 3).astype(np.uint8) & 3
    keys = list_numbers[laid] << 8 | hands.flowers[laid].astype(np.int64) << 4 | matching
    found = [search.tables.with_flowers[key] for key in keys.tolist()]
    list_numbers[laid] = [number for number, _ in found]
    total[laid] += np.array([worth for _, worth in found])


def memory(profile: str | Profile = DEFAULT) -> dict[str, int]:
    """The bytes that the tables take: those that all profiles share, and those of one profile."""
    own = search_for(engine_for(profile)).tables.lookups
    return {"shared": suit_table().bytes, "profile": sum(lookup.bytes for lookup in own)}
