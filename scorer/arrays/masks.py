"""Masks of fans as two words, and what the fan tables say about whole columns of keys.

A mask has the profile's first fan in its highest bit (see :mod:`scorer.engine.tables`). The low word holds bits 0-63;
the high word the others, and above them what else tells two answers apart.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

import numpy as np

from scorer.arrays.lookup import Columns, Fill, Lookup, Numbers, Words
from scorer.engine.remembered import Remembered
from scorer.engine.search import Engine
from scorer.engine.tables import Repeats
from scorer.fans import printed_place

U64, I64 = np.uint64, np.int64
MOST_FANS: Final = 64 + 40
"""The fans that two words have room for, beside the repeats."""
CHOW_REPEATS, PUNG_REPEATS, HONOUR_REPEATS, HOGS = 40, 46, 52, 58
"""Where the high word holds the numbers of the repeats and of the fours."""
_LOW: Final = (1 << 64) - 1
_SIX_BITS: Final = 63
_NO_MATTER: Final = ~(1 << HOGS - CHOW_REPEATS)
"""All of the repeats but the lowest bit of the number of fours: a single one is no repeat."""


def words(mask: int) -> tuple[np.uint64, np.uint64]:
    """The low and the high word of a mask."""
    return U64(mask & _LOW), U64(mask >> 64)


Fans = Mapping[str, int]
"""How often each fan counts, by name, the highest fan first, flowers last."""


class FanLists(list[Fans]):
    """Lists of fans, each shared by all hands with these fans. The first one is empty."""

    def __init__(self) -> None:
        """Start with the empty list."""
        super().__init__([{}])
        self.texts = Remembered(lambda number: json.dumps(self[number], ensure_ascii=False), most=1 << 17)
        """The lists as JSON."""


class MaskTables:
    """The tables of an engine, for columns."""

    def __init__(self, engine: Engine) -> None:
        """Build empty tables."""
        self.engine = engine
        tables = engine.tables
        self.repeats: list[Repeats] = [()]
        self._number_of: dict[Repeats, int] = {(): 0}
        self.chows = Lookup(_each(self._chows), [U64, U64, I64, I64])
        self.chows_beside = Lookup(_each(self._chows_beside), [U64, U64, I64])
        self.pungs = Lookup(_each(self._pungs), [U64, U64, I64])
        self.honours = Lookup(_each(self._honours), [U64, U64, I64])
        self.frames = Lookup(_each(lambda key: words(tables.frame[key])), [U64, U64])
        self.palettes = Lookup(_each(lambda key: words(tables.palette[key])), [U64, U64])
        self.answers = Lookup(self._answers, [I64, I64, U64, U64, I64], wide=True)
        """Points, number of the list of fans, the fans that count, and the length of their mask."""
        self._forget_lists()
        wins = [tables.win[key & 63 | key >> 6 << 8] for key in range(256)]
        self.wins = tuple(np.array(column) for column in zip(*map(words, wins), strict=True))
        self.pairs = tuple(np.array(column) for column in zip(*map(words, engine.pair), strict=True))

    @property
    def lookups(self) -> tuple[Lookup, ...]:
        """All lookups."""
        return (
            self.chows, self.chows_beside, self.pungs, self.honours, self.frames, self.palettes, self.answers,
        )  # fmt: skip

    def trim(self) -> None:
        """Start over where there are too many rows; rows given out before are no longer valid."""
        if self.answers.size > self.answers.most or len(self.lists) > self.answers.most:
            self.answers.clear()
            self._forget_lists()
        if self.chows.size > self.chows.most:
            self.chows_beside.clear()
        for lookup in self.lookups:
            lookup.trim()

    def _forget_lists(self) -> None:
        self.lists = FanLists()
        self._list_of: dict[object, int] = {}
        self.with_flowers = Remembered(self._with_flowers)
        """Number of a list with fans of flowers added, and their points.

        The key is the number of the list, and four bits each for the flowers and for those that match the seat.
        """

    def _with_flowers(self, key: int) -> tuple[int, int]:
        tables = self.engine.tables
        counts = tables.flowers(key >> 4 & 15, key & 15)
        worth = sum(count * tables.points(name) for name, count in counts.items())
        number = key >> 8
        return self._entered((number, tuple(counts.items())), lambda: {**self.lists[number], **counts}), worth

    def _entered(self, key: object, make: Callable[[], Fans]) -> int:
        """The number of the list that ``key`` stands for."""
        number = self._list_of.setdefault(key, len(self.lists))
        if number == len(self.lists):
            self.lists.append(make())
        return number

    def _number(self, repeats: Repeats) -> int:
        """The number of some repeats, the same for equal ones; 63 at most."""
        number = self._number_of.setdefault(repeats, len(self.repeats))
        if number == len(self.repeats):
            if number > _SIX_BITS:
                raise OverflowError("more kinds of repeated fans than six bits can number")
            self.repeats.append(repeats)
        return number

    def _chows(self, field: int) -> tuple[object, ...]:
        mask, repeats, mattering = self.engine.tables.chows[field]
        return *words(mask), self._number(repeats), mattering

    def _chows_beside(self, key: int) -> tuple[object, ...]:
        # The key holds the row of the chows: the chows themselves and the pair do not fit into one word.
        field = int(self.chows.keys[key >> 6])
        mask, repeats, _ = self.engine.tables.chows_beside[field << 6 | key & _SIX_BITS]
        return *words(mask), self._number(repeats)

    def _pungs(self, pungs: int) -> tuple[object, ...]:
        mask, repeats = self.engine.tables.combined_pungs(pungs)
        return *words(mask), self._number(repeats)

    def _honours(self, key: int) -> tuple[object, ...]:
        mask, repeats = self.engine.tables.single_pungs(key)
        return *words(mask), self._number(repeats)

    def _answers(self, low: Words, high: Words) -> Columns:
        """What counts out of the fans present (不重复), and for how many points, repeats included."""
        own = high & U64((1 << CHOW_REPEATS) - 1)
        counted_low, counted_high, points = self._counted(low, own)
        lists = np.zeros(len(low), I64)
        names = self.engine.tables.names
        masks = (counted_low.tolist(), counted_high.tolist(), high.tolist())
        for place, (first, second, all_bits) in enumerate(zip(*masks, strict=True)):
            counted = first | second << 64
            if all_bits >> CHOW_REPEATS & _NO_MATTER == 0:
                lists[place] = self._entered(counted, partial(names.__getitem__, counted))
                continue
            repeats = tuple([each for each in self._repeats(all_bits) if counted & each[0]])
            points[place] += sum(further for _, further, _ in repeats)
            lists[place] = self._list(counted, tuple([(bit, count) for bit, _, count in repeats]))
        length = np.zeros(len(low), I64)
        for bit in range(64):
            length[(counted_low >> U64(bit) & U64(1)) > 0] = bit + 1
        for bit in range(64, len(self.engine.profile.fans)):
            length[(counted_high >> U64(bit - 64) & U64(1)) > 0] = bit + 1
        return points, lists, counted_low, counted_high, length

    def _counted(self, low: Words, high: Words) -> tuple[Words, Words, Numbers]:
        """The engine's exclusions for columns of masks."""
        tables = self.engine.tables
        left_low, left_high = low.copy(), high.copy()
        counted_low, counted_high, points = np.zeros_like(low), np.zeros_like(high), np.zeros(len(low), I64)
        for fan in sorted(self.engine.profile.fans, key=printed_place):
            first, second = words(tables.bit[fan.name])
            has = np.flatnonzero((left_low & first) | (left_high & second))
            if not has.size:
                continue
            counted_low[has] |= first
            counted_high[has] |= second
            points[has] += fan.points
            dropped = sum(tables.bit.get(name, 0) for name in fan.drops)
            if dropped:
                first, second = words(dropped)
                left_low[has] &= ~first
                left_high[has] &= ~second
        # A chicken hand, if the profile has it.
        none = (counted_low | counted_high) == 0
        counted, worth = tables.counted[0]
        counted_low[none], counted_high[none] = words(counted)
        points[none] = worth
        return counted_low, counted_high, points

    def _repeats(self, high: int) -> Repeats:
        """The repeats that a high word names."""
        numbers = [high >> place & 63 for place in (CHOW_REPEATS, PUNG_REPEATS, HONOUR_REPEATS)]
        found = tuple([each for number in numbers for each in self.repeats[number]])
        hogs = high >> HOGS
        return found + self.engine.more_hogs(hogs) if hogs > 1 else found

    def _list(self, counted: int, often: tuple[tuple[int, int], ...]) -> int:
        def make() -> Fans:
            names = self.engine.tables.names[counted].copy()
            for bit, count in often:
                names[self.engine.tables.name[bit]] = count
            return names

        return self._entered((counted, often), make)


def _each(answer: Callable[[int], Iterable[object]]) -> Fill:
    """Fill new rows one by one."""

    def fill(keys: Words, _: Words) -> Columns:
        return [np.array(column) for column in zip(*map(answer, keys.tolist()), strict=True)]

    return fill
