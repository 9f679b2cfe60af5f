"""Hands with knitted tiles: 147, 258 and 369, one group in each suit, in six arrangements."""

from __future__ import annotations

from typing import Final

from scorer.bitboard import Packed, bits_of
from scorer.engine.suit_splits import SETS, SETS_AND_PAIR, TO_SETS, TO_SETS_AND_PAIR
from scorer.tiles import FACE_INDEX, KNITTED_ARRANGEMENTS, SUITS

ARRANGEMENTS: Final = tuple(
    tuple(sum(1 << 3 * (int(face[0]) - 1) for face in faces if face[1] == suit) for suit in SUITS)
    for faces in KNITTED_ARRANGEMENTS
)
"""The suit keys (characters, dots, bamboo) of the nine tiles, for each arrangement."""
_FACES: Final = {
    keys: sum(1 << FACE_INDEX[face] for face in faces)
    for keys, faces in zip(ARRANGEMENTS, KNITTED_ARRANGEMENTS, strict=True)
}
"""The same nine tiles as a mask over faces."""


def _present(key: int) -> int:
    """One bit for each rank of a suit key that is there, in the lowest bit of its digit."""
    return (key | key >> 1 | key >> 2) & 0o111111111


def unrelated_knitted(characters: int, dots: int, bamboo: int) -> int | None:
    """How many tiles these are if all are different knitted tiles of one arrangement, else None."""
    for first, second, third in ARRANGEMENTS:
        if characters & ~first == 0 and dots & ~second == 0 and bamboo & ~third == 0:
            return characters.bit_count() + dots.bit_count() + bamboo.bit_count()
    return None


def _rest(suits: tuple[int, ...], arrangement: tuple[int, ...]) -> list[int] | None:
    """The suits without the nine tiles, None if one is missing."""
    for key, group in zip(suits, arrangement, strict=False):
        if group & ~_present(key):
            return None
    return [key - group for key, group in zip(suits, (*arrangement, 0), strict=True)]


def _splits(suits: list[int]) -> list[int]:
    """Every way to split what is left into sets and one pair."""
    found = []
    for pair_suit in range(4):
        tables = [SETS_AND_PAIR[suit] if suit == pair_suit else SETS[suit] for suit in range(4)]
        readings = [0]
        for table, key in zip(tables, suits, strict=True):
            parts = table[key]
            readings = [reading + part for reading in readings for part in parts]
            if not readings:
                break
        found += readings
    return found


def knitted_readings(packed: Packed) -> list[tuple[int, int]]:
    """(sets and pair that are not melds, mask of the faces of the nine tiles) for every reading."""
    found = []
    if packed.melds <= 1:
        for arrangement in ARRANGEMENTS:
            rest = _rest(packed.suits, arrangement)
            if rest is not None:
                found += [(split, _FACES[arrangement]) for split in _splits(rest)]
    return found


def _completing(suits: list[int]) -> int:
    """Mask of the faces that complete these suits to sets and one pair."""
    mask = 0
    for suit in range(4):
        others = [other for other in range(4) if other != suit]
        if all(SETS[other][suits[other]] for other in others):
            mask |= TO_SETS_AND_PAIR[suit][suits[suit]] << 9 * suit
        for pair_suit in others:
            rest = [other for other in others if other != pair_suit]
            if SETS_AND_PAIR[pair_suit][suits[pair_suit]] and all(
                SETS[other][suits[other]] for other in rest
            ):
                mask |= TO_SETS[suit][suits[suit]] << 9 * suit
    return mask


def knitted_waits(suits: tuple[int, ...]) -> int:
    """Mask of the faces that complete these concealed tiles, one short, to a knitted straight."""
    mask = 0
    for arrangement in ARRANGEMENTS:
        missing = [
            9 * suit + place // 3
            for suit, group in enumerate(arrangement)
            for place in bits_of(group & ~_present(suits[suit]))
        ]
        if len(missing) > 1:
            continue
        full = list(suits)
        for face in missing:
            full[face // 9] += 1 << 3 * (face % 9)
        rest = [key - group for key, group in zip(full, (*arrangement, 0), strict=True)]
        if missing:
            mask |= (1 << missing[0]) if _splits(rest) else 0
        else:
            mask |= _completing(rest)
    return mask
