"""Whether the tiles of a hand make a winning shape: the quick yes or no that decoding asks hundreds of times.

The five shapes are those of RULES.md section 1. Scoring is the scorer's; here only face counts matter.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

Counts = tuple[int, ...]

_HONOURS = range(27, 34)
_ORPHANS = frozenset([suit * 9 + rank for suit in range(3) for rank in (0, 8)] + list(_HONOURS))
#: The six ways three suits share the knitted tiles 147, 258 and 369, nine faces each.
_KNITTED = tuple(
    frozenset(suit * 9 + rank + step for suit, rank in enumerate(ranks) for step in (0, 3, 6))
    for ranks in permutations(range(3))
)


def is_winning(counts: Counts, melds: int = 0) -> bool:
    """Whether tiles outside the melds, as 34 face counts, win together with so many melds.

    >>> pairs = [0] * 34
    >>> for face in (0, 3, 8, 12, 20, 27, 33): pairs[face] = 2
    >>> is_winning(tuple(pairs)), is_winning(tuple(pairs), melds=1)
    (True, False)
    """
    if sum(counts) + 3 * melds != 14:
        return False
    if _sets_and_pair(counts):
        return True
    if melds <= 1 and any(_knitted_straight(counts, body) for body in _KNITTED):
        return True
    return melds == 0 and (_seven_pairs(counts) or _orphans(counts) or _singles(counts))


def _sets_and_pair(counts: Counts) -> bool:
    suits = [counts[start : start + 9] for start in (0, 9, 18)] + [counts[27:]]
    rests = [sum(suit) % 3 for suit in suits]
    if sorted(rests) != [0, 0, 0, 2]:
        return False
    return all(
        _suit(suit, chows=place < 3, pair=rest == 2)
        for place, (suit, rest) in enumerate(zip(suits, rests, strict=True))
    )


@lru_cache(maxsize=20_000)
def _suit(counts: Counts, *, chows: bool, pair: bool) -> bool:
    """Whether the counts of one suit fall apart into sets, with a pair where one is asked for."""
    place = next((index for index, count in enumerate(counts) if count), None)
    if place is None:
        return not pair
    for taken, needs_pair in ((3, pair), (2, False)):
        if counts[place] >= taken and (taken == 3 or pair):
            rest = (*counts[:place], counts[place] - taken, *counts[place + 1 :])
            if _suit(rest, chows=chows, pair=needs_pair):
                return True
    if chows and place + 2 < len(counts) and counts[place + 1] and counts[place + 2]:
        rest = (*counts[:place], *(count - 1 for count in counts[place : place + 3]), *counts[place + 3 :])
        return _suit(rest, chows=chows, pair=pair)
    return False


def _seven_pairs(counts: Counts) -> bool:
    return all(count % 2 == 0 for count in counts)


def _orphans(counts: Counts) -> bool:
    return all((count > 0) == (face in _ORPHANS) for face, count in enumerate(counts))


def _singles(counts: Counts) -> bool:
    """Fourteen different tiles from the honours and the knitted tiles."""
    if max(counts) > 1:
        return False
    suited = {face for face in range(27) if counts[face]}
    return any(suited <= body for body in _KNITTED)


def _knitted_straight(counts: Counts, body: frozenset[int]) -> bool:
    if not all(counts[face] for face in body):
        return False
    return _sets_and_pair(tuple(count - (face in body) for face, count in enumerate(counts)))
