"""How far a hand is from winning, for every winning shape."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from scorer.fans.model import ShapeKind
from scorer.hand import Hand
from scorer.tiles import FACE_INDEX, KNITTED_ARRANGEMENTS, ORPHANS

UNREACHABLE: Final = 99

_ORPHANS: Final = tuple(FACE_INDEX[face] for face in ORPHANS)
_KNITTED: Final = tuple(tuple(FACE_INDEX[face] for face in faces) for faces in KNITTED_ARRANGEMENTS)

Costs = tuple[tuple[int, ...], tuple[int, ...]]
"""Tiles missing for 0-4 sets, without and with a pair."""


@lru_cache(maxsize=1 << 15)
def _suit_costs(tiles: tuple[int, ...], room: tuple[int, ...], chows: bool) -> Costs:
    """The tiles missing for 0-4 sets, without and with a pair, in a suit with ``tiles`` of each rank.

    ``room`` is how many tiles of each rank may be used at all.
    """
    # One step for each rank. A state is (chows begun one rank ago, chows begun two ranks ago, sets, pairs); the
    # value is the fewest tiles missing.
    states = {(0, 0, 0, 0): 0}
    for rank, have in enumerate(tiles):
        following: dict[tuple[int, int, int, int], int] = {}
        last_start = chows and rank + 2 < len(tiles)
        for (one, two, sets, pair), missing in states.items():
            for begun in range(5 - sets if last_start else 1):
                for pung in range(2 if sets + begun < 4 else 1):
                    for eyes in range(2 - pair):
                        used = one + two + begun + 3 * pung + 2 * eyes
                        if used > room[rank]:
                            continue
                        state = (begun, one, sets + begun + pung, pair + eyes)
                        cost = missing + max(0, used - have)
                        if cost < following.get(state, UNREACHABLE):
                            following[state] = cost
        states = following
    table = [[UNREACHABLE] * 5, [UNREACHABLE] * 5]
    for (one, two, sets, pair), missing in states.items():
        if one == two == 0:
            table[pair][sets] = min(table[pair][sets], missing)
    return tuple(table[0]), tuple(table[1])


def _standard(counts: Sequence[int], room: Sequence[int], sets: int) -> int:
    """The tiles missing for ``sets`` sets and a pair, given the ``counts`` of the 34 faces."""
    total = ([0] + [UNREACHABLE] * 4, [UNREACHABLE] * 5)
    for suit in range(4):
        low, high = 9 * suit, min(9 * suit + 9, 34)
        costs = _suit_costs(tuple(counts[low:high]), tuple(room[low:high]), suit < 3)
        merged = ([UNREACHABLE] * 5, [UNREACHABLE] * 5)
        for pair in (0, 1):
            for here in range(pair + 1):
                for n in range(sets + 1):
                    for k in range(n + 1):
                        cost = total[pair - here][n - k] + costs[here][k]
                        merged[pair][n] = min(merged[pair][n], cost)
        total = merged
    return total[1][sets]


def missing_by_shape(counts: Sequence[int], room: Sequence[int], melds: int) -> dict[ShapeKind, int]:
    """How many tiles are missing for each winning shape that a hand with ``melds`` melds can have.

    ``counts`` says how many concealed tiles there are of each of the 34 faces, ``room`` how many there may
    be: 4 less those in melds. Any tiles may be exchanged for the missing ones.
    """
    missing = {ShapeKind.STANDARD: _standard(counts, room, 4 - melds)}
    if melds == 0:
        missing[ShapeKind.SEVEN_PAIRS] = 7 - min(7, sum(count // 2 for count in counts))
        orphans = [counts[face] for face in _ORPHANS]
        missing[ShapeKind.THIRTEEN_ORPHANS] = 14 - sum(map(bool, orphans)) - (max(orphans) >= 2)
        honours = sum(map(bool, counts[27:]))
        most = max(honours + sum(bool(counts[face]) for face in group) for group in _KNITTED)
        missing[ShapeKind.UNRELATED] = 14 - min(14, most)
    if melds <= 1:
        straights = [_knitted(counts, room, 1 - melds, group) for group in _KNITTED]
        missing[ShapeKind.KNITTED_STRAIGHT] = min(straights)
    return missing


def _knitted(counts: Sequence[int], room: Sequence[int], sets: int, group: tuple[int, ...]) -> int:
    left, left_room = list(counts), list(room)
    missing = 0
    for face in group:
        if left_room[face] == 0:
            return UNREACHABLE
        left_room[face] -= 1
        if left[face]:
            left[face] -= 1
        else:
            missing += 1
    return missing + _standard(left, left_room, sets)


def counts_and_room(concealed: Sequence[int], melded: Sequence[int]) -> tuple[list[int], list[int]]:
    """How many concealed tiles there are of each face, and how many there may be beside the melds."""
    counts, room = [0] * 34, [4] * 34
    for face in concealed:
        counts[face] += 1
    for face in melded:
        room[face] -= 1
    return counts, room


def tiles_away(hand: Hand) -> int:
    """How many tiles of the hand must be exchanged until it wins; 0 if it wins already.

    >>> from scorer import parse_hand
    >>> tiles_away(parse_hand("123m456m789p123s8s9s")[0])
    1
    """
    concealed = [FACE_INDEX[face] for face in (*hand.concealed, hand.winning_tile)]
    melded = [FACE_INDEX[face] for meld in hand.melds for face in meld.tiles]
    return min(missing_by_shape(*counts_and_room(concealed, melded), len(hand.melds)).values())
