"""Every way to hold the tiles of one suit, as one dense table.

The tiles of a suit are a number in base 5, the number of tiles of rank 1 in its lowest digit. The entry of a number
answers what scoring asks about it:

=====  ==========================================================
bits   meaning
=====  ==========================================================
0-8    ranks present
9-17   ranks with an odd number of tiles
18-20  how many ranks are there four times
21-29  ranks that complete the tiles to sets
30-38  ranks that complete them to sets and a pair
39-54  row in :class:`SuitTable`, 0 if the tiles cannot be split
=====  ==========================================================

A reading is packed like those of :mod:`scorer.bitboard`, in fewer bits: 0-20 chows, 21-29 pungs, 30-38 counts, 39-42
rank of the pair from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.arrays.lookup import Numbers
from scorer.bitboard import (
    CHOW_FIELD,
    COUNT_FIELD,
    COUNT_SHIFT,
    PUNG_FIELD,
    PUNG_SHIFT,
    chow_value,
    pair_value,
    pung_value,
)

ODD, FOURS, TO_SETS, TO_PAIR, ROW = 9, 18, 21, 30, 39
PUNGS, COUNTS, PAIR = 21, 30, 39
POWER: Final = tuple(5**rank for rank in range(9))
_MOST_TILES: Final = 14


@dataclass(frozen=True)
class SuitTable:
    """The tables of the suits and the honours together; rows of the honours follow those of the suits."""

    suit: Numbers
    """The entry of each number of a suit: 5 ** 9 of them."""
    honours: Numbers
    """The same for the honours: 5 ** 7."""
    first: Numbers
    """For each row the place of its first reading."""
    number: Numbers
    """For each row how many readings there are."""
    has_pair: NDArray[np.bool_]
    """For each row whether its readings have a pair."""
    readings: Numbers

    @property
    def bytes(self) -> int:
        """The memory it takes."""
        arrays = (self.suit, self.honours, self.first, self.number, self.has_pair, self.readings)
        return sum(array.nbytes for array in arrays)


@cache
def suit_table() -> SuitTable:
    """The tables, worked out once."""
    suit, honours = _Builder(9, first_face=0), _Builder(7, first_face=27)
    rows, readings = len(suit.first), len(suit.readings)
    there = honours.entries >> ROW > 0
    honours.entries[there] += rows << ROW
    return SuitTable(
        suit.entries,
        honours.entries,
        np.concatenate([suit.first, honours.first + readings]),
        np.concatenate([suit.number, honours.number]),
        np.concatenate([suit.has_pair, honours.has_pair]),
        np.concatenate([suit.readings, honours.readings]),
    )


def _field(value: int, first_face: int) -> int:
    """A packed set or pair in the fewer bits of a reading here."""
    pungs = value >> PUNG_SHIFT & PUNG_FIELD
    return value & CHOW_FIELD | pungs >> first_face << PUNGS | (value >> COUNT_SHIFT & COUNT_FIELD) << COUNTS


class _Builder:
    """Works out the table of a suit, or of the honours, which have no chows."""

    def __init__(self, ranks: int, first_face: int) -> None:
        self.ranks = ranks
        self.power = np.array(POWER[:ranks])
        self.entries = self._counts()
        self.first = self.number = np.zeros(1, np.int64)
        self.has_pair = np.zeros(1, bool)
        self.readings = np.zeros(0, np.int64)
        digits, values = self._sets(first_face)
        self._enter(digits, values, TO_SETS)
        pairs = np.eye(ranks, dtype=np.int64) * 2
        pair_values = [
            _field(pair_value(first_face + rank), first_face) | rank + 1 << PAIR for rank in range(ranks)
        ]
        with_pair = (digits[:, None, :] + pairs[None, :, :]).reshape(-1, ranks)
        sums = (values[:, None] + np.array(pair_values)[None, :]).ravel()
        self._enter(with_pair, sums, TO_PAIR)

    def _counts(self) -> Numbers:
        """What the digits themselves say."""
        digit = np.arange(5)
        entries = np.zeros(1, np.int64)
        for rank in range(self.ranks):
            own = (digit > 0) << rank | (digit & 1) << ODD + rank | (digit == 4).astype(np.int64) << FOURS
            entries = (own[:, None] + entries[None, :]).ravel()
        return entries

    def _sets(self, first_face: int) -> tuple[Numbers, Numbers]:
        """Digits and packed value of every choice of up to four sets."""
        blocks = [
            (3 * np.eye(self.ranks, dtype=np.int64)[rank], pung_value(first_face + rank))
            for rank in range(self.ranks)
        ]
        if first_face < 27:
            tiles = np.eye(self.ranks, dtype=np.int64)
            blocks += [(tiles[low : low + 3].sum(0), chow_value(0, low)) for low in range(self.ranks - 2)]
        chosen: list[Sequence[int]] = [
            [*choice, *[len(blocks)] * (4 - size)]
            for size in range(5)
            for choice in combinations_with_replacement(range(len(blocks)), size)
        ]
        digits = np.array([*(block for block, _ in blocks), np.zeros(self.ranks, np.int64)])
        values = np.array([*(_field(value, first_face) for _, value in blocks), 0])
        places = np.array(chosen)
        sums = digits[places].sum(1)
        # Five tiles of a rank matter only for waits on a rank of which all four tiles are there.
        fits = (sums.max(1) <= 5) & (sums.sum(1) <= _MOST_TILES)
        return sums[fits], values[places[fits]].sum(1)

    def _enter(self, digits: Numbers, values: Numbers, waits: int) -> None:
        """Enter readings, and what completes them with one tile less."""
        fives = digits == 5
        fits = (digits.max(1) <= 5) & (fives.sum(1) <= 1)
        digits, values, fives = digits[fits], values[fits], fives[fits]
        keys = digits @ self.power
        over = fives.any(1)
        for rank in range(self.ranks):
            one_less = np.where(over, fives[:, rank], digits[:, rank] > 0)
            self.entries[keys[one_less] - POWER[rank]] |= 1 << waits + rank
        keys, values = keys[~over], values[~over]
        order = np.argsort(keys, kind="stable")
        keys, values = keys[order], values[order]
        new, first, number = np.unique(keys, return_index=True, return_counts=True)
        self.entries[new] |= len(self.first) + np.arange(len(new)) << ROW
        self.first = np.concatenate([self.first, first + len(self.readings)])
        self.number = np.concatenate([self.number, number])
        self.has_pair = np.concatenate([self.has_pair, np.full(len(new), waits == TO_PAIR)])
        self.readings = np.concatenate([self.readings, values])
