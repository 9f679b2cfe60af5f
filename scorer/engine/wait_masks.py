"""Which tiles would have completed a winning hand: 边张, 坎张 and 单钓将 count only if one tile would.

A mask is an integer with one bit for each of the faces 0-33.
"""

from __future__ import annotations

from scorer.bitboard import DIGIT, ONE, ONES, SUIT, SUIT_FIELD, Packed, mask_of
from scorer.engine.suits import WAITS


def standard_wait(tiles: int, winning: int, pair: int, *, pairs: bool) -> int:
    """Mask of every tile that completes ``tiles``, sets and a pair, without one of the face ``winning``.

    ``pair`` is a face of the suit of the pair, which is the same in every reading. With ``pairs`` also of the tile that
    would make seven pairs. A hand that wins with four sets and a pair waits for no other shape: the others need more
    different faces, far apart, than five groups can hold.
    """
    suit = winning // 9
    before = tiles - ONE[winning]
    to_sets, to_sets_and_pair, is_sets_and_pair = WAITS[suit][before >> SUIT * suit & SUIT_FIELD]
    pair_suit = pair // 9
    if suit == pair_suit:
        mask = to_sets_and_pair << 9 * suit
    else:
        mask = to_sets << 9 * suit
        if is_sets_and_pair:
            mask |= WAITS[pair_suit][tiles >> SUIT * pair_suit & SUIT_FIELD][0] << 9 * pair_suit
    if pairs:
        odd = before & ONES
        if odd & (odd - 1) == 0:
            mask |= 1 << odd.bit_length() // DIGIT
    return mask


def exhausted(packed: Packed) -> int:
    """Mask of the faces of which the hand holds all four before the win, kongs included."""
    return mask_of(packed.everything - ONE[packed.winning] >> 2)
