"""Which tiles would have completed a winning hand: 边张, 坎张 and 单钓将 count only if one tile would.

A mask is an integer with one bit for each of the faces 0-33.
"""

from __future__ import annotations

from scorer.bitboard import ODD, Packed
from scorer.engine.knitted import knitted_waits
from scorer.engine.suit_splits import SETS_AND_PAIR, TO_SETS, TO_SETS_AND_PAIR
from scorer.hand import Hand
from scorer.tiles import SUIT_AND_HONOUR_FACES


def standard_wait(packed: Packed) -> int:
    """Mask of every tile that completes a standard hand without its winning tile.

    The hand must win with four sets and a pair. Such a hand can also wait for seven pairs, but for no other
    shape: the others need more different faces, far apart, than five groups can hold.
    """
    suits, pair_suit, winning, _, melds, *_ = packed
    suit = winning // 9
    before = suits[suit] - (1 << 3 * (winning % 9))
    if suit == pair_suit:
        mask = TO_SETS_AND_PAIR[suit][before] << 9 * suit
    else:
        mask = TO_SETS[suit][before] << 9 * suit
        if SETS_AND_PAIR[suit][before]:
            mask |= TO_SETS[pair_suit][suits[pair_suit]] << 9 * pair_suit
    if melds == 0:
        mask |= _seven_pairs_wait(suits, suit, before)
    return mask


def knitted_wait(packed: Packed) -> int:
    """Mask of every tile that completes a hand which wins with a knitted straight.

    Such a hand cannot wait for any other shape.
    """
    suit = packed.winning // 9
    tiles = list(packed.suits)
    tiles[suit] -= 1 << 3 * (packed.winning % 9)
    return knitted_waits(tuple(tiles))


def _seven_pairs_wait(suits: tuple[int, ...], suit: int, before: int) -> int:
    """Mask of the one face that would make seven pairs; 0 if two or more faces are odd."""
    mask = 0
    for place, key in enumerate(suits):
        odd = (before if place == suit else key) & ODD
        if odd:
            if mask or odd & (odd - 1):
                return 0
            mask = 1 << 9 * place + odd.bit_length() // 3
    return mask


def exhausted(hand: Hand) -> int:
    """Mask of the faces of which the hand holds all four before the win, kongs included."""
    held = hand.tiles[:-1]
    return sum(1 << face for face, name in enumerate(SUIT_AND_HONOUR_FACES) if held.count(name) == 4)
