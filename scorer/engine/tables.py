"""What the fans of a profile say about each part of a reading, asked once and remembered.

A fan's predicate sees only one small view of the hand (see :mod:`scorer.fans.model`). Each table maps a
packed view to a bit mask of the fans that hold for it, and works out an entry when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from scorer.bitboard import bits_of, chows_of
from scorer.circumstances import Opening
from scorer.engine.honours import HonourFans
from scorer.engine.linking import Link, Linker, RankedSet
from scorer.fans import printed_place
from scorer.fans.model import Chows, Fan, Frame, Honours, Palette, PlainCounts, Pungs, View, Win
from scorer.profiles import Profile

Repeats = tuple[tuple[int, int, int], ...]
"""Fans present more than once: (bit of the fan, points of the further ones, how often in all)."""


# The search unpacks these entries all the time, which is faster for plain tuples than for named ones.
ChowEntry = tuple[int, int, Repeats, int]
"""Mask of the fans of some chows, the number of chows, their repeats, and a mask over faces of the pairs that
would change the answer (0 if the pair is given)."""
PungEntry = tuple[int, Repeats]
"""Mask of the fans of some pungs, and their repeats."""


def ranked(face: int) -> RankedSet:
    """Suit 0-3 and rank from 1 of a face 0-33."""
    return face // 9, face % 9 + 1


class FanTables:
    """The tables of one profile. A mask of fans has the profile's first fan in its highest bit."""

    def __init__(self, profile: Profile) -> None:
        """Build empty tables."""
        self.profile = profile
        last = len(profile.fans) - 1
        self.bit = {fan.name: 1 << (last - place) for place, fan in enumerate(profile.fans)}
        self._seeing: dict[type[Any], list[Fan]] = {}
        for fan in profile.fans:
            self._seeing.setdefault(fan.sees, []).append(fan)
        self.chow_linker = Linker(self.seeing(Chows))
        self.pung_linker = Linker(self.seeing(Pungs))
        self.honours = HonourFans(self.seeing(Honours))
        self.counted = lru_cache(maxsize=1 << 16)(self._counted)
        self.chows = lru_cache(maxsize=1 << 15)(self._chows)
        self.pungs = lru_cache(maxsize=1 << 16)(self._pungs)
        self.frame = lru_cache(maxsize=None)(self._frame)
        self.palette = lru_cache(maxsize=None)(self._palette)
        self.win = lru_cache(maxsize=None)(self._win)
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
        for fan in sorted(self.fans_of(present), key=printed_place):
            if present & self.bit[fan.name]:
                counted |= self.bit[fan.name]
                points += fan.points
                for name in fan.drops:
                    present &= ~self.bit.get(name, 0)
        return counted, points

    def _chows(self, field: int, pair: int) -> ChowEntry:
        """The fans of a packed field of chows; ``pair`` is a face, or -1 if it is not given."""
        sets = tuple((code // 7, code % 7 + 1) for code in chows_of(field))
        links = self.chow_linker.best(sets, None if pair < 0 else ranked(pair))
        mattering = 0
        if pair < 0 and len(sets) == 4:
            pairs = self.chow_linker.pairs_that_matter(sets)
            mattering = sum(1 << 9 * suit + rank - 1 for suit, rank in pairs)
        mask, repeats = self._linked(links)
        return mask, len(sets), repeats, mattering

    def _pungs(self, pungs: int, pair: int, winds: int, nine_gates: bool) -> PungEntry:
        """The fans of a mask of pungs; see :meth:`HonourFans.pungs_by_fan`."""
        links = self.pung_linker.best(tuple(ranked(face) for face in bits_of(pungs) if face < 27), None)
        mask, repeats = self._linked(links)
        counts = {}
        for name, faces in self.honours.pungs_by_fan(pungs, pair, winds, nine_gates=nine_gates).items():
            mask |= self.bit[name]
            if self.profile.by_name[name].repeats:
                counts[name] = faces.bit_count()
        return mask, repeats + self._repeats(counts)

    def _linked(self, links: Iterable[Link]) -> tuple[int, Repeats]:
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

    # The keys of the following tables are put together in scorer.engine.search and scorer.bitboard.

    def _frame(self, key: int) -> int:
        return self.mask(
            Frame(
                chows=key >> 12 & 7,
                pungs=key >> 9 & 7,
                concealed_pungs=key >> 15 & 7,
                melded_kongs=key >> 18 & 7,
                concealed_kongs=key >> 21 & 7,
                fives=key & 7,
                outsiders=key >> 3 & 7,
                evens=key >> 6 & 7,
                suit_pair=bool(key >> 24 & 1),
                knitted=bool(key >> 25 & 1),
            )
        )

    def _palette(self, key: int) -> int:
        return self.mask(
            Palette(
                ranks=key & 511,
                suits=(key >> 9 & 7).bit_count(),
                winds=bool(key >> 12 & 1),
                dragons=bool(key >> 13 & 1),
                green=bool(key >> 14 & 1),
                reversible=bool(key >> 15 & 1),
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
