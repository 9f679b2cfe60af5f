"""Hands with knitted tiles: 147, 258 and 369, one group in each suit, in six arrangements; and thirteen orphans."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

from scorer.bitboard import ONE, ONES, PAIR_SHIFT, Packed
from scorer.engine.suits import SUITS, suits_of
from scorer.engine.wait_masks import standard_wait
from scorer.fans.model import HandShape, ShapeKind
from scorer.tiles import FACE_INDEX, KNITTED_ARRANGEMENTS, ORPHANS

_HONOURS: Final = range(27, 34)
_ARRANGEMENTS: Final = tuple(tuple(FACE_INDEX[face] for face in faces) for faces in KNITTED_ARRANGEMENTS)
_BODIES: Final = tuple(
    (sum(ONE[face] for face in faces), sum(1 << face for face in faces)) for faces in _ARRANGEMENTS
)
"""The nine tiles of each arrangement, as tiles and as a mask over faces."""


@cache
def singles_and_orphans() -> dict[int, HandShape]:
    """The tiles of every hand of fourteen knitted singles and of thirteen orphans, with their shape: 733 hands."""
    found = {}
    for body in _ARRANGEMENTS:
        faces = [*body, *_HONOURS]
        whole = sum(ONE[face] for face in faces)
        for first, second in combinations(faces, 2):
            honours = 7 - (first >= 27) - (second >= 27)
            shape = HandShape(ShapeKind.UNRELATED, honours=honours, knitted=14 - honours)
            found[whole - ONE[first] - ONE[second]] = shape
    orphans = [ONE[FACE_INDEX[face]] for face in ORPHANS]
    for double in orphans:
        found[sum(orphans) + double] = HandShape(ShapeKind.THIRTEEN_ORPHANS)
    return found


class KnittedStraight(NamedTuple):
    """A hand read as a knitted straight."""

    readings: tuple[int, ...]
    """The ways to read the other tiles as sets and a pair, packed, without melds."""
    body: int
    """Mask of the faces of the nine tiles."""
    waits: int
    """Mask of every tile that would complete it; such a hand waits for no other shape."""


def knitted_straight(packed: Packed) -> KnittedStraight | None:
    """The knitted straight of a hand that has one; at most one arrangement fits."""
    if packed.melds > 1:
        return None
    own, winning = packed.own, packed.winning
    # A digit plus seven reaches eight if there is a tile.
    present = (own + 7 * ONES >> 3) & ONES
    for tiles, faces in _BODIES:
        if tiles & ~present:
            continue
        rest = own - tiles
        suits = [SUITS[suit][key] for suit, key in enumerate(suits_of(rest))]
        if sum(suit.has_pair for suit in suits) != 1:
            continue
        readings = [0]
        for suit in suits:
            readings = [reading + part for reading in readings for part in suit.readings]
        if readings:
            if faces >> winning & 1 and rest & 7 * ONE[winning] == 0:
                return KnittedStraight(tuple(readings), faces, 1 << winning)
            pair = (readings[0] >> PAIR_SHIFT) - 1
            return KnittedStraight(tuple(readings), faces, standard_wait(rest, winning, pair, pairs=False))
    return None
