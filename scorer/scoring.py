"""Scoring one hand or many.

>>> from scorer import parse_hand
>>> hand, circumstances = parse_hand("123m456m789p12s99s+3s")
>>> result = score(hand, circumstances)
>>> result.total, result.legal, [award.fan.name for award in result.fans]
(14, True, ['花龙', '门前清', '平和', '喜相逢', '边张'])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from scorer.circumstances import Circumstances, check_together
from scorer.engine.reading import Reading, Tiles, reading_of
from scorer.engine.search import Candidate, Engine
from scorer.engine.thorough import engine_of
from scorer.engine.witnesses import Witnesses, fan_counts, flower_counts
from scorer.errors import HandError, NotWinning
from scorer.fans.model import Fan
from scorer.hand import Hand
from scorer.profile_file import profile_named
from scorer.profiles import DEFAULT, Profile
from scorer.winning.distance import tiles_away


def engine_for(profile: str | Profile) -> Engine:
    """The engine of a profile, a built-in name or the path of a profile file."""
    return _engine(profile if isinstance(profile, Profile) else profile_named(profile))


@lru_cache(maxsize=32)
def _engine(profile: Profile) -> Engine:
    return engine_of(profile)


@dataclass(frozen=True, slots=True)
class FanAward:
    """A fan that counts: how often, for how many points in all, and the tiles that make it each time."""

    fan: Fan
    count: int
    points: int
    tiles: tuple[Tiles, ...]

    def to_json(self) -> dict[str, Any]:
        """The award as a JSON object."""
        return {
            "fan": self.fan.name,
            "english": self.fan.english,
            "count": self.count,
            "points": self.points,
            "tiles": [list(group) for group in self.tiles],
        }


@dataclass(frozen=True, init=False)
class Score:
    """What a winning hand is worth; :func:`score` builds it.

    ``qualifying`` is the number of points that count towards the minimum; ``total`` adds the flowers.
    """

    hand: Hand
    circumstances: Circumstances
    candidate: Candidate = field(repr=False)
    """The reading that counts, as the engine found it; for :mod:`scorer.explain`."""
    engine: Engine = field(repr=False, compare=False)

    def __init__(
        self, hand: Hand, circumstances: Circumstances, candidate: Candidate, engine: Engine
    ) -> None:
        """Take the best ``candidate`` of the engine."""
        # This takes a fifth of the time of the frozen way to set attributes.
        fields = self.__dict__
        fields["hand"] = hand
        fields["circumstances"] = circumstances
        fields["candidate"] = candidate
        fields["engine"] = engine

    @property
    def qualifying(self) -> int:
        """Points without flowers."""
        return self.candidate.points

    @property
    def flowers(self) -> int:
        """Points of the flowers, which never count towards the minimum."""
        if not self.hand.flowers:
            return 0
        counts = flower_counts(self.engine.tables, self.hand, self.circumstances)
        return sum(count * self.engine.tables.points(name) for name, count in counts.items())

    @property
    def total(self) -> int:
        """All points, flowers included."""
        points = self.candidate.points
        return points + self.flowers if self.hand.flowers else points

    @property
    def minimum(self) -> int:
        """The points that a win needs by the profile, without flowers."""
        return self.engine.profile.minimum

    @property
    def legal(self) -> bool:
        """Whether the hand reaches the minimum without its flowers."""
        return self.candidate.points >= self.minimum

    @property
    def profile(self) -> str:
        """The name of the profile it was scored by."""
        return self.engine.profile.name

    @cached_property
    def reading(self) -> Reading:
        """The hand read as sets, pairs or single tiles."""
        return reading_of(self.hand, self.candidate, self_drawn=self.circumstances.self_drawn)

    @cached_property
    def fans(self) -> tuple[FanAward, ...]:
        """The fans that count, the highest first, flowers last."""
        found = []
        for name, count in self.counts.items():
            fan = self.engine.profile.by_name[name]
            tiles = self.witnesses.of(fan)
            found.append(FanAward(fan, count, count * fan.points, tiles[:count] if fan.repeats else tiles))
        return tuple(found)

    @cached_property
    def witnesses(self) -> Witnesses:
        """The tiles that make each fan, for awards and explanations."""
        return Witnesses(self.engine.tables, self.hand, self.circumstances, self.candidate, self.reading)

    @property
    def counts(self) -> dict[str, int]:
        """How often each fan counts, by name, the highest fan first, flowers last."""
        return fan_counts(self.engine.tables, self.hand, self.circumstances, self.candidate)

    def to_json(self) -> dict[str, Any]:
        """The result object of ``fanlens score --jsonl`` (without ``id``), with awards and reading."""
        return {
            **self.summary(),
            "awards": [award.to_json() for award in self.fans],
            "reading": self.reading.to_json(),
        }

    def summary(self) -> dict[str, Any]:
        """The result object without awards and reading, which take longer to find."""
        flowers = self.flowers
        return {
            "total": self.qualifying + flowers,
            "fans": self.counts,
            "points": {"qualifying": self.qualifying, "flowers": flowers},
            "legal": self.legal,
            "profile": self.profile,
            "error": None,
        }


def score(hand: Hand, circumstances: Circumstances, profile: str | Profile = DEFAULT) -> Score:
    """Score a hand by its best reading.

    ``profile`` is a profile, the name of a built-in one or the path of a profile file. Raises
    :class:`scorer.NotWinning` if the hand has no winning shape, :class:`scorer.ImpossibleHand` if it cannot
    have been won in these circumstances, and :class:`scorer.HandError` ``unknown_profile`` or
    ``bad_profile``.
    """
    engine = engine_for(profile)
    check_together(hand, circumstances)
    best = engine.best(hand, circumstances)
    if best is None:
        raise NotWinning(tiles_away(hand))
    return Score(hand, circumstances, best, engine)


def score_many(
    hands: Iterable[tuple[Hand, Circumstances]], profile: str | Profile = DEFAULT
) -> Iterator[Score | HandError]:
    """Score hands one after the other; a hand that cannot be scored yields its error instead."""
    for hand, circumstances in hands:
        try:
            yield score(hand, circumstances, profile)
        except HandError as error:
            yield error
