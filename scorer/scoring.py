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

from scorer.bitboard import CHOW_FIELD, PAIR_SHIFT, PUNG_FIELD, PUNG_SHIFT, bits_of, chows_of
from scorer.engine.search import Candidate, Engine
from scorer.errors import HandError, NotWinning
from scorer.fans.model import Fan, ShapeKind
from scorer.hand import Circumstances, Hand, check_together
from scorer.profile_file import profile_named
from scorer.profiles import DEFAULT, Profile
from scorer.reading import PARTS, Reading, Tiles, chow_tiles, reading_of
from scorer.tiles import SUIT_AND_HONOUR_FACES as FACE
from scorer.tiles import WINDS
from scorer.winning.distance import tiles_away


def engine_for(profile: str | Profile) -> Engine:
    """The engine of a profile, a built-in name or the path of a profile file."""
    return _engine(profile if isinstance(profile, Profile) else profile_named(profile))


@lru_cache(maxsize=32)
def _engine(profile: Profile) -> Engine:
    return Engine(profile)


@dataclass(frozen=True, slots=True)
class FanAward:
    """A fan that counts: how often, for how many points in all, and the tiles that make each."""

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


@dataclass(frozen=True)
class Score:
    """What a winning hand is worth. Build it with :func:`score`.

    ``qualifying`` are the points that count towards the minimum, ``total`` adds the flowers.
    """

    hand: Hand
    circumstances: Circumstances
    candidate: Candidate = field(repr=False)
    """The winning reading as the engine left it; derived, for :mod:`scorer.explain`."""
    engine: Engine = field(repr=False, compare=False)

    @property
    def qualifying(self) -> int:
        """Points without flowers."""
        return self.candidate.points

    @property
    def flowers(self) -> int:
        """Points of the flowers, which never count towards the minimum."""
        if not self.hand.flowers:
            return 0
        by_name = self.engine.profile.by_name
        counts = flower_fans(self.engine, self.hand, self.circumstances)
        return sum(count * by_name[name].points for name, count in counts.items())

    @property
    def total(self) -> int:
        """All points, flowers included."""
        return self.candidate.points + self.flowers

    @property
    def minimum(self) -> int:
        """The points the profile asks for, without flowers."""
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
        """The sets the hand was read as."""
        return reading_of(self.hand, self.candidate, self_drawn=self.circumstances.self_drawn)

    @cached_property
    def fans(self) -> tuple[FanAward, ...]:
        """The fans that count, the highest first, flowers last."""
        return awards(self.engine, self.hand, self.circumstances, self.candidate, self.reading)

    @property
    def counts(self) -> dict[str, int]:
        """Fan name to how often it counts."""
        return {award.fan.name: award.count for award in self.fans}

    def to_json(self) -> dict[str, Any]:
        """The result object of ``fanlens score --jsonl`` (without ``id``), with awards and reading."""
        return {
            **self.summary(),
            "awards": [award.to_json() for award in self.fans],
            "reading": self.reading.to_json(),
        }

    def summary(self) -> dict[str, Any]:
        """The result object without awards and reading; cheaper."""
        return {
            "total": self.total,
            "fans": fan_counts(self.engine, self.hand, self.circumstances, self.candidate),
            "points": {"qualifying": self.qualifying, "flowers": self.flowers},
            "legal": self.legal,
            "profile": self.profile,
            "error": None,
        }


def score(hand: Hand, circumstances: Circumstances, profile: str | Profile = DEFAULT) -> Score:
    """Score a hand by its best reading.

    Raises :class:`scorer.NotWinning` if it has none, :class:`scorer.ImpossibleHand` if it cannot have
    been won in these circumstances, :class:`scorer.HandError` ``unknown_profile``.
    """
    engine = engine_for(profile)
    check_together(hand, circumstances)
    found = engine.candidates(hand, circumstances)
    if not found:
        raise NotWinning(tiles_away(hand))
    return Score(
        hand, circumstances, max(found, key=engine.preference) if len(found) > 1 else found[0], engine
    )


def score_many(
    hands: Iterable[tuple[Hand, Circumstances]], profile: str | Profile = DEFAULT
) -> Iterator[Score | HandError]:
    """Score hands one after the other; a hand that is refused yields its error instead."""
    for hand, circumstances in hands:
        try:
            yield score(hand, circumstances, profile)
        except HandError as error:
            yield error


def flower_fans(engine: Engine, hand: Hand, circumstances: Circumstances) -> dict[str, int]:
    """The fans of flowers, which depend on no reading, and how often they count."""
    counts = {"花牌": hand.flower_count}
    if isinstance(hand.flowers, tuple):
        seat = WINDS.index(circumstances.seat_wind)
        counts["季花"] = sum((int(flower[0]) - 1) % 4 == seat for flower in hand.flowers)
    return {name: count for name, count in counts.items() if count and name in engine.bit}


def fan_counts(
    engine: Engine, hand: Hand, circumstances: Circumstances, candidate: Candidate
) -> dict[str, int]:
    """Fan name to how often it counts, the highest first, flowers last."""
    often = {bit: count for bit, _, count in candidate.repeats}
    hog = engine.bit.get("四归一", 0)
    counts = {}
    for fan in engine.fans_of(candidate.counted):
        bit = engine.bit[fan.name]
        counts[fan.name] = hand.packed.hogs if bit == hog else often.get(bit, 1)
    if hand.flowers:
        counts |= flower_fans(engine, hand, circumstances)
    return counts


def awards(
    engine: Engine, hand: Hand, circumstances: Circumstances, candidate: Candidate, reading: Reading
) -> tuple[FanAward, ...]:
    """The counted fans of a candidate with the tiles that make them."""
    groups = tiles_by_fan(engine, hand, circumstances, candidate)
    found = []
    for name, count in fan_counts(engine, hand, circumstances, candidate).items():
        fan = engine.profile.by_name[name]
        tiles = groups.get(name) or PARTS[fan.made_of](reading, hand)
        found.append(FanAward(fan, count, count * fan.points, tuple(tiles)))
    return tuple(found)


def tiles_by_fan(
    engine: Engine, hand: Hand, circumstances: Circumstances, candidate: Candidate
) -> dict[str, list[Tiles]]:
    """For the fans over sets that the best claim holds: the tiles of each time they count."""
    if candidate.kind not in (ShapeKind.STANDARD, ShapeKind.KNITTED_STRAIGHT):
        return {}
    made: dict[str, list[Tiles]] = {}
    whole = candidate.concealed + hand.packed.fixed
    pair = (whole >> PAIR_SHIFT) - 1
    codes = chows_of(whole & CHOW_FIELD)
    for link in engine.chow_links(codes, pair if pair < 27 else -1):
        tiles = tuple(tile for member in link.members for tile in chow_tiles(codes[member]))
        if link.fan.needs_pair:
            tiles += (FACE[pair],) * 2
        made.setdefault(link.fan.name, []).append(tiles)
    pungs = whole >> PUNG_SHIFT & PUNG_FIELD
    sizes = {meld.tiles[0]: len(meld.tiles) for meld in hand.melds if meld.is_kong}

    def pung(face: int) -> Tiles:
        return (FACE[face],) * sizes.get(FACE[face], 3)

    faces = [face for face in bits_of(pungs) if face < 27]
    for link in engine.pung_links(pungs):
        tiles = tuple(tile for member in link.members for tile in pung(faces[member]))
        made.setdefault(link.fan.name, []).append(tiles)
    winds = circumstances.packed >> 4 & 15
    gates = bool(candidate.present & engine.bit.get("九莲宝灯", 0))
    for name, mask in engine.honour_fans(pungs, pair if pair >= 27 else -1, winds, gates).items():
        each = [pung(face) for face in bits_of(mask)]
        fan = engine.profile.by_name[name]
        if fan.repeats:
            made[name] = each
        else:
            tiles = tuple(tile for group in each for tile in group)
            made[name] = [tiles + (FACE[pair],) * 2 if fan.needs_pair else tiles]
    return made
