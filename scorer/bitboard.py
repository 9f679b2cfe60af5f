"""A hand as a few integers, so that the search builds no objects.

A face is a number 0-33, the place of the tile in ``SUIT_AND_HONOUR_FACES``. Tiles are one integer with five bits for
each face, which say how many there are of it; nine such digits are the tiles of a suit, and the last seven the honours.
Adding tiles adds the integers, and five bits have room for any number of melds that somebody might claim to have.

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

A palette is a mask that ``|`` joins: bits 0-8 ranks present, 9-11 suits present, 12 winds, 13 dragons, 14 a tile that
is not green, 15 a tile that is not reversible.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from scorer.tiles import SUIT_AND_HONOUR_FACES

DIGIT: Final = 5
"""Bits for each face in a number of tiles."""
SUIT: Final = 9 * DIGIT
SUIT_FIELD: Final = (1 << SUIT) - 1
ONE: Final = tuple(1 << DIGIT * face for face in range(34))
"""One tile of each face."""
TILE: Final = dict(zip(SUIT_AND_HONOUR_FACES, ONE, strict=True))
"""One tile, by the name of its face."""
ONES: Final = sum(ONE)
"""The lowest bit of every digit; ``tiles & ONES`` finds the faces with an odd number of tiles."""
TO_SIXTEEN: Final = 11 * ONES
SIXTEENS: Final = 16 * ONES
"""``(tiles + TO_SIXTEEN) & SIXTEENS`` is 0 if and only if there are at most four tiles of each face."""

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


class PackedMeld(NamedTuple):
    """A meld as the search sees it; melds of one hand are added up, their palettes joined."""

    sets: int
    """The packed set."""
    tiles: int
    palette: int
    kinds: int
    """See :class:`Packed`."""


class Packed(NamedTuple):
    """A hand as the search sees it."""

    own: int
    """The concealed tiles and the winning tile."""
    winning: int
    """Face of the winning tile, 0-33."""
    fixed: int
    """The sum of the packed melds, concealed kongs included."""
    everything: int
    """All tiles: ``own`` and those of the melds."""
    palette: int
    """The palette of the melds."""
    kinds: int
    """Four bits each: the number of melds with concealed kongs and without, of melded and of concealed kongs."""

    @property
    def melds(self) -> int:
        """The number of melds, concealed kongs included."""
        return self.kinds & 15

    @property
    def kongs(self) -> int:
        """The number of kongs of both kinds."""
        return (self.kinds >> 8 & 15) + (self.kinds >> 12)

    def suit(self, place: int) -> int:
        """The digits of one suit of ``own``, 0-2, or of the honours (3)."""
        return self.own >> SUIT * place & SUIT_FIELD


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


def palette_of(face: int) -> int:
    """The palette of one tile."""
    kind = 1 << face % 9 | 1 << 9 + face // 9
    if face >= 27:
        kind = 1 << 12 if face < 31 else 1 << 13
    return kind | (not GREEN_FACES >> face & 1) << 14 | (not REVERSIBLE_FACES >> face & 1) << 15


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


def mask_of(tiles: int) -> int:
    """Mask over faces 0-33 of the digits of ``tiles`` whose lowest bit is set."""
    return sum(1 << place // DIGIT for place in bits_of(tiles & ONES))
