"""Which tiles would have completed a winning hand, by form: what 边张, 坎张 and 单钓将 ask."""

from __future__ import annotations

from scorer.knit import knitted_waits
from scorer.packed import ODD, Packed, bits_of, chows_of, pungs_of
from scorer.profiles import Profile
from scorer.suits import SETS_AND_PAIR, TO_SETS, TO_SETS_AND_PAIR


def standard_wait(packed: Packed, profile: Profile) -> int:
    """Mask over faces 0-33 of every tile that completes a standard hand without its winning tile.

    The hand must win with four sets and a pair. Only seven pairs can be a second shape of such a hand:
    the others need more different faces far apart than five groups can hold.
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
    if not profile.exhausted_wait:
        mask &= ~_exhausted(packed, suit, before)
    return mask


def knitted_wait(packed: Packed, profile: Profile) -> int:
    """The same for a hand that wins with a knitted straight; no other shape can share its wait."""
    suit = packed.winning // 9
    tiles = list(packed.suits)
    tiles[suit] -= 1 << 3 * (packed.winning % 9)
    mask = knitted_waits(tuple(tiles))
    if not profile.exhausted_wait:
        mask &= ~_exhausted(packed, suit, tiles[suit])
    return mask


def _seven_pairs_wait(suits: tuple[int, ...], suit: int, before: int) -> int:
    """The face that would make seven pairs, as a mask; 0 if two or more faces are odd."""
    mask = 0
    for place, key in enumerate(suits):
        odd = (before if place == suit else key) & ODD
        if odd:
            if mask or odd & (odd - 1):
                return 0
            mask = 1 << 9 * place + odd.bit_length() // 3
    return mask


def _exhausted(packed: Packed, suit: int, before: int) -> int:
    """Faces of which the hand holds all four before the win."""
    counts = [0] * 34
    for place, key in enumerate(packed.suits):
        tiles = before if place == suit else key
        for rank in range(9 if place < 3 else 7):
            counts[9 * place + rank] += tiles >> 3 * rank & 7
    for code in chows_of(packed.fixed):
        low = 9 * (code // 7) + code % 7
        for face in (low, low + 1, low + 2):
            counts[face] += 1
    for face in pungs_of(packed.fixed):
        # A kong and a pung whose fourth tile is nowhere else differ only in that fourth tile; neither
        # face can be waited for in a form that matters, except as the fourth of a pung.
        counts[face] += 3
    return sum(1 << face for face in bits_of(sum(1 << f for f, n in enumerate(counts) if n >= 4)))
