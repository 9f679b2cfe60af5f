"""Tables over the tiles of one suit: how they split into sets, and which tile completes them.

A key is the digits of one suit (see :mod:`scorer.bitboard`). A table works out a key when it first meets it; after that
the answer takes one dictionary look-up. Few different keys occur, so the tables soon know them all.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from scorer.bitboard import DIGIT, SUIT, SUIT_FIELD, bits_of, chow_value, pair_value, palette_of, pung_value
from scorer.engine.remembered import Remembered

_MASK: Final = (1 << DIGIT) - 1
_ONE_OF_EACH: Final = sum(1 << DIGIT * rank for rank in range(3))


class Splitter:
    """The ways to split tiles of a suit 0-2, or honours (3), into sets; with ``pairs``, into sets and one pair."""

    def __init__(self, suit: int, *, pairs: bool) -> None:
        """Prepare the packed values, by rank, of the sets and pairs that may be taken off at the lowest rank."""
        first = 9 * suit
        self._pairs = pairs
        self._pung_values = [pung_value(first + rank) for rank in range(9 if suit < 3 else 7)]
        self._pair_values = [pair_value(first + rank) for rank in range(9 if suit < 3 else 7)]
        self._chow_values = [chow_value(suit, rank) for rank in range(7)] if suit < 3 else []

    def __call__(self, key: int) -> tuple[int, ...]:
        """Every way to split these tiles, packed."""
        return tuple(sorted(set(self._split(key, self._pairs))))

    def _split(self, key: int, pair_wanted: bool) -> list[int]:
        if key == 0:
            return [] if pair_wanted else [0]
        rank = ((key & -key).bit_length() - 1) // DIGIT
        shift = DIGIT * rank
        copies = key >> shift & _MASK
        found: list[int] = []
        if copies >= 3:
            value = self._pung_values[rank]
            found += [value + rest for rest in self._split(key - (3 << shift), pair_wanted)]
        if copies >= 2 and pair_wanted:
            value = self._pair_values[rank]
            found += [value + rest for rest in self._split(key - (2 << shift), False)]
        if (
            rank < len(self._chow_values)
            and key >> shift + DIGIT & _MASK
            and key >> shift + 2 * DIGIT & _MASK
        ):
            value = self._chow_values[rank]
            found += [value + rest for rest in self._split(key - (_ONE_OF_EACH << shift), pair_wanted)]
        return found


def _completing(splits: Remembered[tuple[int, ...]], key: int, ranks: int) -> int:
    """Mask of the ranks that complete these tiles to something that splits.

    A rank counts even if all four of its tiles are there already: only the form of the wait matters.
    """
    return sum(1 << rank for rank in range(ranks) if splits[key + (1 << DIGIT * rank)])


_RANKS: Final = (9, 9, 9, 7)
SETS: Final = tuple(Remembered(Splitter(suit, pairs=False)) for suit in range(4))
SETS_AND_PAIR: Final = tuple(Remembered(Splitter(suit, pairs=True)) for suit in range(4))


class Suit(NamedTuple):
    """What the search asks about the tiles of one suit."""

    readings: tuple[int, ...]
    """The ways to split them into sets, or into sets and a pair, whichever their number allows; packed."""
    has_pair: bool
    """Whether their number asks for a pair."""
    palette: int


class Wait(NamedTuple):
    """What the tiles of one suit, one short, wait for."""

    to_sets: int
    """Mask of the ranks that complete them to sets."""
    to_sets_and_pair: int
    is_sets_and_pair: bool
    """Whether they are complete with a pair, so that the missing tile must be of another suit."""


def _suit(suit: int, key: int) -> Suit:
    places = range(_RANKS[suit])
    number = sum(key >> DIGIT * rank & _MASK for rank in places)
    splits: tuple[int, ...] = ()
    if number % 3 != 1:
        splits = (SETS_AND_PAIR if number % 3 == 2 else SETS)[suit][key]
    palette = 0
    for rank in places:
        if key >> DIGIT * rank & _MASK:
            palette |= palette_of(9 * suit + rank)
    return Suit(splits, number % 3 == 2, palette)


def _wait(suit: int, key: int) -> Wait:
    ranks = _RANKS[suit]
    return Wait(
        _completing(SETS[suit], key, ranks),
        _completing(SETS_AND_PAIR[suit], key, ranks),
        bool(SETS_AND_PAIR[suit][key]),
    )


SUITS: Final = tuple(Remembered(lambda key, suit=suit: _suit(suit, key)) for suit in range(4))  # type: ignore[misc]
WAITS: Final = tuple(Remembered(lambda key, suit=suit: _wait(suit, key)) for suit in range(4))  # type: ignore[misc]


def suits_of(tiles: int) -> list[int]:
    """The digits of each suit of some tiles, and of the honours."""
    return [tiles >> SUIT * suit & SUIT_FIELD for suit in range(4)]


def faces_of(tiles: int) -> list[int]:
    """The different faces of some tiles, ascending."""
    return sorted({place // DIGIT for place in bits_of(tiles)})
