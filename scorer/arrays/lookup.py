"""A dictionary over arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Columns = Sequence[NDArray[Any]]
Fill = Callable[[Words, Words], Columns]
"""The columns of new keys; the second array holds their high words, if there are any."""

_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_MIX: Final = np.uint64(29)


class Lookup:
    """Keys of one word, or two, to rows of columns; all keys met for the first time are filled in together.

    Keys are found by open addressing, a whole array at a time. ``columns[i][lookup.rows(keys)]`` is the answer.
    """

    def __init__(self, fill: Fill, kinds: Sequence[type], *, wide: bool = False, most: int = 1 << 17) -> None:
        """``kinds`` are the types of the columns; a lookup with more than ``most`` rows starts over."""
        self._fill = fill
        self._kinds = kinds
        self._wide = wide
        self.most = most
        self._bits = 12
        self.clear()

    def clear(self) -> None:
        """Forget every row."""
        self.size = 1
        self.keys = np.zeros(64, np.uint64)
        self._high = np.zeros(64, np.uint64)
        self.columns: list[NDArray[Any]] = [np.zeros(64, kind) for kind in self._kinds]
        self._slots = np.zeros(1 << self._bits, np.int32)

    def trim(self) -> None:
        """Start over if there are too many rows; rows given out before are no longer valid."""
        if self.size > self.most:
            self.clear()

    @property
    def bytes(self) -> int:
        """The memory it takes."""
        arrays: list[NDArray[Any]] = [self.keys, self._high, self._slots, *self.columns]
        return sum(array.nbytes for array in arrays)

    def rows(self, keys: Words, high: Words | None = None) -> Numbers:
        """The row of each key, filled in if it is new."""
        words = keys if high is None else high
        found = self._find(keys, words)
        if not found.all():
            missing = found == 0
            self._add(keys[missing], words[missing])
            found = self._find(keys, words)
        return found

    def _start(self, keys: Words, high: Words) -> Numbers:
        mixed = keys * _FIRST
        if self._wide:
            mixed ^= high * _SECOND
            mixed ^= mixed >> _MIX
            mixed *= _FIRST
        mixed >>= np.uint64(64 - self._bits)
        return mixed.view(np.int64)

    def _find(self, keys: Words, high: Words) -> Numbers:
        """The row of each key, 0 where there is none."""
        at = self._start(keys, high)
        rows = self._slots.take(at).astype(np.int64)
        wrong = self.keys.take(rows) != keys
        if self._wide:
            wrong |= self._high.take(rows) != high
        wrong &= rows > 0
        left = np.flatnonzero(wrong)
        while left.size:
            at[left] = (at[left] + 1) & (len(self._slots) - 1)
            found = self._slots[at[left]]
            rows[left] = found
            wrong = self.keys[found] != keys[left]
            if self._wide:
                wrong |= self._high[found] != high[left]
            left = left[wrong & (found > 0)]
        return rows

    def _add(self, keys: Words, high: Words) -> None:
        if self._wide:
            order = np.lexsort((keys, high))
            keys, high = keys[order], high[order]
            new = np.ones(len(keys), bool)
            new[1:] = (keys[1:] != keys[:-1]) | (high[1:] != high[:-1])
            keys, high = keys[new], high[new]
        else:
            keys = high = np.unique(keys)
        columns = self._fill(keys, high)
        old, self.size = self.size, self.size + len(keys)
        if self.size > len(self.keys):
            self._grow(2 * self.size)
        part = slice(old, self.size)
        self.keys[part], self._high[part] = keys, high
        for column, values in zip(self.columns, columns, strict=True):
            column[part] = values
        self._place(old)

    def _grow(self, room: int) -> None:
        self.keys, self._high = np.resize(self.keys, room), np.resize(self._high, room)
        self.columns = [np.resize(column, room) for column in self.columns]

    def _place(self, first: int) -> None:
        """Give the rows from ``first`` on their slots, four slots or more for each row."""
        while self.size * 4 > 1 << self._bits:
            self._bits += 1
            first = 1
        if first == 1:
            self._slots = np.zeros(1 << self._bits, np.int32)
        rows = np.arange(first, self.size, dtype=np.int32)
        at = self._start(self.keys[first : self.size], self._high[first : self.size])
        while rows.size:
            free = self._slots[at] == 0
            self._slots[at[free]] = rows[free]
            lost = self._slots[at] != rows
            rows, at = rows[lost], (at[lost] + 1) & (len(self._slots) - 1)
