"""Tables over the tiles of one suit: how they split into sets, and which tile completes them.

A key is the suit's tiles as octal digits (see :mod:`scorer.bitboard`). A table works out a key when it first
meets it; after that the answer takes one dictionary look-up. Few different keys occur, so the tables soon
know them all.
"""

from __future__ import annotations

from typing import Final

from scorer.bitboard import chow_value, pair_value, pung_value


class Splits(dict[int, tuple[int, ...]]):
    """Key to every way to split these tiles into sets, packed; with ``pairs``, into sets and one pair."""

    def __init__(self, suit: int, *, pairs: bool) -> None:
        """Build the empty table of a suit 0-2, or of the honours (3)."""
        super().__init__()
        self._pairs = pairs
        first = 9 * suit
        # The packed values, by rank, of the sets and pairs that may be taken off at the lowest rank.
        self._pung_values = [pung_value(first + rank) for rank in range(9 if suit < 3 else 7)]
        self._pair_values = [pair_value(first + rank) for rank in range(9 if suit < 3 else 7)]
        self._chow_values = [chow_value(suit, rank) for rank in range(7)] if suit < 3 else []

    def __missing__(self, key: int) -> tuple[int, ...]:
        """Split the tiles of a new key."""
        splits = tuple(sorted(set(self._split(key, self._pairs))))
        self[key] = splits
        return splits

    def _split(self, key: int, pair_wanted: bool) -> list[int]:
        if key == 0:
            return [] if pair_wanted else [0]
        rank = ((key & -key).bit_length() - 1) // 3
        copies = key >> (3 * rank) & 7
        found: list[int] = []
        if copies >= 3:
            found += [
                self._pung_values[rank] + rest for rest in self._split(key - (3 << 3 * rank), pair_wanted)
            ]
        if copies >= 2 and pair_wanted:
            found += [self._pair_values[rank] + rest for rest in self._split(key - (2 << 3 * rank), False)]
        if rank < len(self._chow_values) and key >> (3 * rank + 3) & 7 and key >> (3 * rank + 6) & 7:
            found += [
                self._chow_values[rank] + rest for rest in self._split(key - (0o111 << 3 * rank), pair_wanted)
            ]
        return found


class Completions(dict[int, int]):
    """Key to a bit mask of the ranks that complete these tiles to something ``splits`` can split.

    A rank counts even if all four of its tiles are there already: only the form of the wait matters.
    """

    def __init__(self, splits: Splits, ranks: int) -> None:
        """Build the empty table; ``ranks`` is 9 for a suit, 7 for the honours."""
        super().__init__()
        self._splits = splits
        self._ranks = ranks

    def __missing__(self, key: int) -> int:
        """Find the ranks that complete a new key."""
        mask = sum(1 << rank for rank in range(self._ranks) if self._splits[key + (1 << 3 * rank)])
        self[key] = mask
        return mask


SETS: Final = tuple(Splits(suit, pairs=False) for suit in range(4))
SETS_AND_PAIR: Final = tuple(Splits(suit, pairs=True) for suit in range(4))
TO_SETS: Final = tuple(Completions(splits, 9 if suit < 3 else 7) for suit, splits in enumerate(SETS))
TO_SETS_AND_PAIR: Final = tuple(
    Completions(splits, 9 if suit < 3 else 7) for suit, splits in enumerate(SETS_AND_PAIR)
)
