"""A quick test for the five winning shapes, for callers that ask it many times.

Recognition asks it about every hand that it considers. :func:`scorer.tiles_away` says more and takes
longer; :func:`scorer.score` tells what the hand is worth. ``docs/rules.md`` describes the five shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from scorer.tiles import FACE_INDEX, KNITTED_ARRANGEMENTS, ORPHANS

Counts = tuple[int, ...]
"""How many tiles there are of each face, in the order of ``FACES``."""

_ORPHANS: Final = frozenset(FACE_INDEX[face] for face in ORPHANS)
_KNITTED: Final = tuple(frozenset(FACE_INDEX[face] for face in faces) for faces in KNITTED_ARRANGEMENTS)


def is_winning(counts: Sequence[int], melds: int = 0) -> bool:
    """Whether the tiles outside the melds, together with the melds, have a winning shape.

    ``counts`` are 34 numbers: how many tiles there are of each face in ``SUIT_AND_HONOUR_FACES``, winning
    tile included, melds excluded. ``melds`` is the number of chows, pungs and kongs laid down. Whether the
    hand reaches the minimum is not asked. A wrong number of tiles is no winning shape.

    >>> pairs = [0] * 34
    >>> for face in (0, 3, 8, 12, 20, 27, 33): pairs[face] = 2
    >>> is_winning(tuple(pairs)), is_winning(tuple(pairs), melds=1)
    (True, False)
    """
    if sum(counts) + 3 * melds != 14:
        return False
    counts = tuple(counts)
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
    """Whether the tiles of one suit split into sets, or into sets and one pair if ``pair``."""
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
