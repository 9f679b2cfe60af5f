"""A hand as a few integers, so that the search builds no objects.

A face is a number 0-33, the place of the tile in ``SUIT_AND_HONOUR_FACES``. The tiles of one suit are a key:
an octal number whose lowest digit says how many tiles of rank 1 there are, and so on. The honours are a
fourth suit with seven digits.

Sets are packed into one integer whose fields only ever add up, so that the packed reading of a whole hand is
the sum (``+``) of its suits and melds:

========  =====  ====================================================
bits      width  field
========  =====  ====================================================
0-62      21x3   how many there are of each chow; its code is 7 * suit + lowest rank, both from 0
63-96     34x1   which faces are a pung or kong
97-99     3      sets and pairs that hold a 5
100-102   3      sets and pairs that hold a 1, a 9 or an honour
103-105   3      pungs and pairs of even rank
106-111   6      face of the pair + 1; 0 if there is no pair
========  =====  ====================================================
"""

from __future__ import annotations

from typing import Final, NamedTuple

ODD: Final = 0o111111111
"""The lowest bit of every digit of a suit; ``key & ODD`` finds the ranks with an odd number of tiles."""

CHOW_FIELD: Final = (1 << 63) - 1
PUNG_SHIFT: Final = 63
PUNG_FIELD: Final = (1 << 34) - 1
COUNT_SHIFT: Final = 97
COUNT_FIELD: Final = (1 << 9) - 1
PAIR_SHIFT: Final = 106

GREEN_FACES: Final = sum(1 << face for face in (19, 20, 21, 23, 25, 32))
"""Bit mask over faces: 2 3 4 6 8 bamboo and the green dragon."""
REVERSIBLE_FACES: Final = sum(1 << face for face in (9, 10, 11, 12, 13, 16, 17, 19, 21, 22, 23, 25, 26, 33))
"""Bit mask over faces: 1 2 3 4 5 8 9 dots, 2 4 5 6 8 9 bamboo and the white dragon."""


def chow_value(suit: int, low: int) -> int:
    """One packed chow of ``suit`` 0-2 whose lowest rank is ``low``, 0-6."""
    value = 1 << (3 * (7 * suit + low))
    if 2 <= low <= 4:
        value += 1 << COUNT_SHIFT
    if low in (0, 6):
        value += 1 << (COUNT_SHIFT + 3)
    return value


def _rank_counts(face: int) -> int:
    if face >= 27:
        return 1 << (COUNT_SHIFT + 3)
    rank = face % 9
    value = 0
    if rank == 4:
        value += 1 << COUNT_SHIFT
    if rank in (0, 8):
        value += 1 << (COUNT_SHIFT + 3)
    if rank % 2 == 1:
        value += 1 << (COUNT_SHIFT + 6)
    return value


def pung_value(face: int) -> int:
    """One packed pung or kong."""
    return (1 << (PUNG_SHIFT + face)) + _rank_counts(face)


def pair_value(face: int) -> int:
    """One packed pair."""
    return ((face + 1) << PAIR_SHIFT) + _rank_counts(face)


def chows_of(reading: int) -> list[int]:
    """The codes of the chows in a packed reading, ascending, with repeats."""
    found = []
    field = reading & CHOW_FIELD
    while field:
        code = ((field & -field).bit_length() - 1) // 3
        found += [code] * (field >> (3 * code) & 7)
        field &= ~(7 << (3 * code))
    return found


def pungs_of(reading: int) -> list[int]:
    """The faces of the pungs and kongs in a packed reading, ascending."""
    return bits_of(reading >> PUNG_SHIFT & PUNG_FIELD)


def pair_of(reading: int) -> int | None:
    """The face of the pair in a packed reading, None if it has no pair."""
    return (reading >> PAIR_SHIFT) - 1 if reading >> PAIR_SHIFT else None


def bits_of(mask: int) -> list[int]:
    """The positions of the bits set in ``mask``, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


TILE: Final = [(face // 9, 1 << 3 * (face % 9), 1 << face) for face in range(34)]
"""For each face its suit, one such tile as a suit key, and its bit in a mask over faces."""
CHOW_VALUE: Final = {9 * suit + low: chow_value(suit, low) for suit in range(3) for low in range(7)}
PUNG_VALUE: Final = [pung_value(face) for face in range(34)]


class Packed(NamedTuple):
    """A hand as the search sees it."""

    suits: tuple[int, int, int, int]
    """Concealed tiles and the winning tile, suit by suit."""
    pair_suit: int
    """The only suit that can hold the pair, by its number of tiles; -1 if no suit can."""
    winning: int
    """Face of the winning tile, 0-33."""
    fixed: int
    """The sum of the packed melds, concealed kongs included."""
    melds: int
    """The number of melds, concealed kongs included."""
    melded: int
    """The number of melds without concealed kongs."""
    kongs: int
    """The number of melded kongs + 8 * the number of concealed kongs."""
    palette: int
    """Bits: 0-8 ranks present, 9-11 suits present, 12 winds, 13 dragons, 14 all green, 15 all reversible."""
    hogs: int
    """The number of faces of which the hand holds all four tiles without a kong."""
    melds_show_three: bool
    """Whether the open melds hold the other three tiles of the winning face."""


class MeldedFaces(NamedTuple):
    """The faces 0-33 of the melds: of a chow its lowest face, of the others their one face."""

    chows: list[int]
    pungs: list[int]
    melded_kongs: list[int]
    concealed_kongs: list[int]


def pack(concealed: list[int], winning: int, melds: MeldedFaces) -> Packed:
    """Pack a hand, given the faces 0-33 of its concealed tiles, its winning tile and its melds."""
    chows, pungs, melded_kongs, concealed_kongs = melds
    suits, numbers = [0, 0, 0, 0], [0, 0, 0, 0]
    faces = 0
    for face in (*concealed, winning):
        suit, key, bit = TILE[face]
        suits[suit] += key
        numbers[suit] += 1
        faces |= bit
    everything = suits.copy()
    fixed = shown = 0
    for face in chows:
        suit, key, bit = TILE[face]
        everything[suit] += 0o111 * key
        faces |= 7 * bit
        fixed += CHOW_VALUE[face]
        shown += face <= winning <= face + 2
    for face in pungs:
        suit, key, bit = TILE[face]
        everything[suit] += 3 * key
        faces |= bit
        fixed += PUNG_VALUE[face]
        shown += 3 * (face == winning)
    for face in melded_kongs + concealed_kongs:
        faces |= 1 << face
        fixed += PUNG_VALUE[face]
    # Of the digits 0-4, only 4 has its highest bit set.
    hogs = sum((key >> 2 & ODD).bit_count() for key in everything)
    leftover = [number % 3 for number in numbers]
    return Packed(
        (suits[0], suits[1], suits[2], suits[3]),
        leftover.index(2) if sum(leftover) == 2 and 2 in leftover else -1,
        winning,
        fixed,
        len(chows) + len(pungs) + len(melded_kongs) + len(concealed_kongs),
        len(chows) + len(pungs) + len(melded_kongs),
        len(melded_kongs) + 8 * len(concealed_kongs),
        _palette(faces),
        hogs,
        shown == 3,
    )


def _palette(faces: int) -> int:
    """The palette (see :class:`Packed`) of a mask over faces."""
    characters, dots, bamboo, honours = faces & 511, faces >> 9 & 511, faces >> 18 & 511, faces >> 27
    return (
        characters | dots | bamboo
        | (characters > 0) << 9 | (dots > 0) << 10 | (bamboo > 0) << 11
        | (honours & 15 > 0) << 12 | (honours > 15) << 13
        | (faces & ~GREEN_FACES == 0) << 14 | (faces & ~REVERSIBLE_FACES == 0) << 15
    )  # fmt: skip
