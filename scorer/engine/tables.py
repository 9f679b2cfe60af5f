"""What the fans of a profile say about each part of a reading, asked once and remembered.

A fan's predicate sees only one small view of the hand (see :mod:`scorer.fans.model`). Each table maps a
packed view to a bit mask of the fans that hold for it, and works out an entry when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from scorer.bitboard import PUNG_FIELD, bits_of, chows_of
from scorer.circumstances import Opening
from scorer.engine.honours import HonourFans
from scorer.engine.linking import Link, Linker, RankedSet
from scorer.engine.remembered import Remembered
from scorer.fans import CHICKEN_HAND, printed_place
from scorer.fans.model import Chows, Fan, Frame, Honours, Palette, PlainCounts, Pungs, View, Win
from scorer.profiles import Profile

Repeats = tuple[tuple[int, int, int], ...]
"""Fans present more than once: (bit of the fan, points of the further ones, how often in all)."""


# The search unpacks these entries all the time, which is faster for plain tuples than for named ones.
ChowEntry = tuple[int, Repeats, int]
"""Mask of the fans of some chows, their repeats, and a mask over faces of the pairs that would change the answer (0 if
the pair is given)."""
PungEntry = tuple[int, Repeats]
"""Mask of the fans of some pungs, and their repeats."""


def ranked(face: int) -> RankedSet:
    """Suit 0-3 and rank from 1 of a face 0-33."""
    return face // 9, face % 9 + 1


def chow_sets(field: int) -> tuple[RankedSet, ...]:
    """The chows of a packed field as (suit, lowest rank)."""
    return tuple([(code // 7, code % 7 + 1) for code in chows_of(field)])


def pung_sets(pungs: int) -> tuple[RankedSet, ...]:
    """The suit pungs of a mask over faces as (suit, rank)."""
    return tuple([ranked(face) for face in bits_of(pungs) if face < 27])


class FanTables:
    """The tables of one profile. A mask of fans has the profile's first fan in its highest bit."""

    def __init__(self, profile: Profile) -> None:
        """Build empty tables."""
        self.profile = profile
        last = len(profile.fans) - 1
        self.bit = {fan.name: 1 << (last - place) for place, fan in enumerate(profile.fans)}
        self.name = {bit: name for name, bit in self.bit.items()}
        self._seeing: dict[type[Any], list[Fan]] = {}
        for fan in profile.fans:
            self._seeing.setdefault(fan.sees, []).append(fan)
        self.chow_linker = Linker(self.seeing(Chows))
        self.pung_linker = Linker(self.seeing(Pungs))
        self.honours = HonourFans(self.seeing(Honours))
        self._in_printed_order = sorted(profile.fans, key=printed_place)
        self._dropped = {fan.name: sum(self.bit.get(name, 0) for name in fan.drops) for fan in profile.fans}
        self.counted = Remembered(self._counted)
        self.names = Remembered(self._names)
        self.chows = Remembered(self._chows, 1 << 15)
        self.chows_beside = Remembered(self._chows_beside, 1 << 15)
        self.pungs = Remembered(self._pungs)
        self.frame = Remembered(self._frame)
        self.palette = Remembered(self._palette)
        self.win = Remembered(self._win)
        self.shape = lru_cache(maxsize=None)(self.mask)
        self.flowers = lru_cache(maxsize=None)(self._flowers)

    def seeing(self, view: type[Any]) -> list[Fan]:
        """The fans that see this kind of view, in the order of a score."""
        return self._seeing.get(view, [])

    def mask(self, view: View) -> int:
        """The fans that hold for ``view``."""
        return sum(self.bit[fan.name] for fan in self.seeing(type(view)) if fan.holds(view))

    def points(self, name: str) -> int:
        """The points of a fan; 0 if the profile does not have it."""
        return self.profile.by_name[name].points if name in self.bit else 0

    def fans_of(self, mask: int) -> list[Fan]:
        """The fans of a mask, the highest first."""
        last = len(self.profile.fans) - 1
        return [self.profile.fans[last - place] for place in reversed(bits_of(mask))]

    def _counted(self, present: int) -> tuple[int, int]:
        """The fans that count out of those present, and their points, each fan taken once (不重复)."""
        counted = points = 0
        # The order is that of the printed values: a fan is dropped by what implies it, even if the profile
        # makes that fan cheaper.
        for fan in self._in_printed_order:
            bit = self.bit[fan.name]
            if present & bit:
                counted |= bit
                points += fan.points
                present &= ~self._dropped[fan.name]
        if not counted:
            counted, points = self.bit.get(CHICKEN_HAND, 0), self.points(CHICKEN_HAND)
        return counted, points

    def _names(self, mask: int) -> dict[str, int]:
        """The names of the fans of a mask, the highest first, each once."""
        return dict.fromkeys([fan.name for fan in self.fans_of(mask)], 1)

    def chow_entry(self, links: Iterable[Link], mattering: int = 0) -> ChowEntry:
        """The entry of chows of which ``links`` are claimed."""
        return *self.linked(links), mattering

    def _chows(self, field: int) -> ChowEntry:
        """The fans of a packed field of chows, whatever the pair."""
        sets = chow_sets(field)
        mattering = 0
        if len(sets) == 4:
            pairs = self.chow_linker.pairs_that_matter(sets)
            mattering = sum(1 << 9 * suit + rank - 1 for suit, rank in pairs)
        return self.chow_entry(self.chow_linker.best(sets, None), mattering)

    def _chows_beside(self, key: int) -> ChowEntry:
        """The fans of chows with a pair that matters: its face in the lowest six bits, above it the chows."""
        sets = chow_sets(key >> 6)
        return self.chow_entry(self.chow_linker.best(sets, ranked(key & 63)))

    def combined_pungs(self, pungs: int) -> PungEntry:
        """The fans that combine suit pungs of a mask over faces."""
        return self.linked(self.pung_linker.best(pung_sets(pungs), None))

    def single_pungs(self, key: int) -> PungEntry:
        """The fans over single pungs of ``key`` (see :meth:`_pungs`)."""
        pair = (key >> 34 & 15) - 1
        pungs_by_fan = self.honours.pungs_by_fan(
            key & PUNG_FIELD, pair + 27 if pair >= 0 else -1, key >> 38 & 15, nine_gates=bool(key >> 42)
        )
        mask = 0
        counts = {}
        for name, faces in pungs_by_fan.items():
            mask |= self.bit[name]
            if self.profile.by_name[name].repeats:
                counts[name] = faces.bit_count()
        return mask, self._repeats(counts)

    def pung_entry(self, key: int, combined: PungEntry) -> PungEntry:
        """The entry of the pungs in ``key`` (see :meth:`_pungs`) whose combinations are ``combined``."""
        mask, repeats = self.single_pungs(key)
        return combined[0] | mask, combined[1] + repeats

    def _pungs(self, key: int) -> PungEntry:
        """The fans of a mask of pungs.

        Bits 0-33 are the pungs, 34-37 the place of the honour that is the pair + 1 (0: a suit tile), 38-41 the seat
        wind + 4 * the prevalent wind, 42 whether it is nine gates.
        """
        return self.pung_entry(key, self.combined_pungs(key & PUNG_FIELD))

    def linked(self, links: Iterable[Link]) -> PungEntry:
        """The fans of links that are claimed together."""
        mask = 0
        counts: dict[str, int] = {}
        for link in links:
            mask |= self.bit[link.fan.name]
            counts[link.fan.name] = counts.get(link.fan.name, 0) + 1
        return mask, self._repeats(counts)

    def _repeats(self, counts: dict[str, int]) -> Repeats:
        return tuple(
            (self.bit[name], (count - 1) * self.points(name), count)
            for name, count in counts.items()
            if count > 1
        )

    def _flowers(self, number: int, seasonal: int) -> Mapping[str, int]:
        """How often each fan of flowers counts, by name; ``seasonal`` flowers match the winner's seat."""
        view = PlainCounts(hogs=0, flowers=number, seasonal=seasonal)
        counts = {fan.name: fan.holds(view) for fan in self.seeing(PlainCounts)}
        return {name: count for name, count in counts.items() if count}

    # The keys of the following tables are put together in scorer.engine.search; for palettes see scorer.bitboard.

    def _frame(self, key: int) -> int:
        pungs, knitted = key >> 9 & 7, bool(key >> 24 & 1)
        return self.mask(
            Frame(
                chows=(1 if knitted else 4) - pungs,
                pungs=pungs,
                concealed_pungs=key >> 12 & 7,
                melded_kongs=key >> 15 & 15,
                concealed_kongs=key >> 19 & 15,
                fives=key & 7,
                outsiders=key >> 3 & 7,
                evens=key >> 6 & 7,
                suit_pair=bool(key >> 23 & 1),
                knitted=knitted,
            )
        )

    def _palette(self, key: int) -> int:
        return self.mask(
            Palette(
                ranks=key & 511,
                suits=(key >> 9 & 7).bit_count(),
                winds=bool(key >> 12 & 1),
                dragons=bool(key >> 13 & 1),
                green=not key >> 14 & 1,
                reversible=not key >> 15 & 1,
            )
        )

    def _win(self, key: int) -> int:
        opening = key >> 8 & 3
        return self.mask(
            Win(
                self_drawn=bool(key & 1),
                last_tile=bool(key & 2),
                kong=bool(key & 4),
                fourth_tile=bool(key & 8),
                concealed=bool(key & 16),
                all_melded=bool(key & 32),
                opening=list(Opening)[opening - 1] if opening else "",
            )
        )
