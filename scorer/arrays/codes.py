"""Tiles and melds as small numbers, and what each adds to the keys of a hand."""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.arrays.lookup import Numbers, Words
from scorer.arrays.suit_table import POWER
from scorer.bitboard import CHOW_FIELD, COUNT_SHIFT, chow_value, pung_value
from scorer.hand import Meld, MeldKind
from scorer.tiles import FACE_INDEX
from scorer.tiles import SUIT_AND_HONOUR_FACES as FACE

NO_TILE, BAD_TILE = 34, 35
"""Codes beside the faces 0-33: an empty place of a shorter hand, and what is not a tile."""
NO_MELD, BAD_MELD = 0, 155
FIRST_CODE: Final = {
    MeldKind.CHOW: 1,
    MeldKind.PUNG: 40,
    MeldKind.MELDED_KONG: 80,
    MeldKind.CONCEALED_KONG: 120,
}
"""The code of a meld is this and its lowest face, 0-33; 0 is no meld."""
MELDS_MELDED_KONGS_CONCEALED: Final = (43, 46, 49, 52)
MELDS, MELDED, KONGS = 43, 46, 49
"""Places in the sum of the melds: pungs 0-33, counts 34-42, melds, melds without concealed kongs, melded kongs and
concealed kongs (three bits each)."""
COUNTS: Final = 34
FACES_A_WORD: Final = 12


def _all_melds() -> dict[int, Meld]:
    melds = {}
    for kind, face in product(MeldKind, range(34)):
        if kind is not MeldKind.CHOW:
            melds[FIRST_CODE[kind] + face] = Meld(kind, (FACE[face],) * (3 if kind is MeldKind.PUNG else 4))
        elif face < 27 and face % 9 < 7:
            melds[FIRST_CODE[kind] + face] = Meld(kind, FACE[face : face + 3])
    return melds


MELD_OF: Final = _all_melds()
"""The meld of each code."""
CODE_OF_MELD: Final = {meld: code for code, meld in MELD_OF.items()}


class TileKeys:
    """What a tile of each code adds."""

    low: Numbers = np.zeros(36, np.int64)
    """Three numbers in base 5, one for each suit, 21 bits each."""
    honours: Numbers = np.zeros(36, np.int64)
    """The same for the honours."""
    face: Numbers = np.zeros(36, np.int64)
    """Its bit in a mask over faces."""
    words: NDArray[np.uint64] = np.zeros((3, 36), np.uint64)
    """Five bits a face, twelve faces a word."""


class MeldKeys:
    """What a meld of each code adds."""

    chows: Words = np.zeros(156, np.uint64)
    sets: Numbers = np.zeros(156, np.int64)
    """See :data:`MELDS`."""
    low: Numbers = np.zeros(156, np.int64)
    honours: Numbers = np.zeros(156, np.int64)
    """Tiles as in :class:`TileKeys`, without kongs: a kong is no four of a kind for 四归一."""
    kongs: Numbers = np.zeros(156, np.int64)
    """Mask of the face of a kong."""
    words: NDArray[np.uint64] = np.zeros((3, 156), np.uint64)
    shows: NDArray[np.uint8] = np.zeros((156, 34), np.uint8)
    """How many tiles of each face it lays open, if it is melded and no kong."""
    known: NDArray[np.bool_] = np.zeros(156, bool)


def _fill_tiles() -> None:
    for face in range(34):
        if face < 27:
            TileKeys.low[face] = POWER[face % 9] << 21 * (face // 9)
        else:
            TileKeys.honours[face] = POWER[face - 27]
        TileKeys.face[face] = 1 << face
        TileKeys.words[face // FACES_A_WORD, face] = 1 << 5 * (face % FACES_A_WORD)


def _fill_melds() -> None:
    MeldKeys.known[NO_MELD] = True
    for code, meld in MELD_OF.items():
        faces = [FACE_INDEX[tile] for tile in meld.tiles]
        low = faces[0]
        packed = chow_value(low // 9, low % 9) if meld.kind is MeldKind.CHOW else pung_value(low)
        concealed = meld.kind is MeldKind.CONCEALED_KONG
        MeldKeys.known[code] = True
        MeldKeys.sets[code] = (packed >> COUNT_SHIFT) << COUNTS | 1 << MELDS | (not concealed) << MELDED
        if meld.kind is MeldKind.CHOW:
            MeldKeys.chows[code] = packed & CHOW_FIELD
        else:
            MeldKeys.sets[code] |= 1 << low
        if meld.is_kong:
            MeldKeys.sets[code] |= 1 << KONGS + 3 * concealed
            MeldKeys.kongs[code] = 1 << low
        for face in faces:
            MeldKeys.words[face // FACES_A_WORD, code] += TileKeys.words[face // FACES_A_WORD, face]
            if not meld.is_kong:
                MeldKeys.low[code] += TileKeys.low[face]
                MeldKeys.honours[code] += TileKeys.honours[face]
                MeldKeys.shows[code, face] += 1


_fill_tiles()
_fill_melds()
