"""A reading of a hand written out in tiles."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from scorer.bitboard import bits_of, chows_of, pair_of, pungs_of
from scorer.engine.knitted import knitted_straight
from scorer.engine.search import Candidate, claimed_pung
from scorer.fans.model import ShapeKind
from scorer.hand import Hand, MeldKind
from scorer.tiles import SUIT_AND_HONOUR_FACES as FACE

Tiles = tuple[str, ...]
"""Faces of some tiles."""


@dataclass(frozen=True, slots=True)
class Group:
    """Some tiles of a reading that belong together.

    ``kind`` is chow, pung, melded_kong, concealed_kong, pair, knitted (nine tiles) or single. ``melded`` is
    true for a meld, and for a concealed pung that a discard completed; if the discard can stand elsewhere
    in the reading, the pung stays concealed.
    """

    kind: str
    tiles: Tiles
    melded: bool

    def to_json(self) -> dict[str, Any]:
        """The group as a JSON object."""
        return {"kind": self.kind, "tiles": list(self.tiles), "melded": self.melded}


@dataclass(frozen=True, slots=True)
class Reading:
    """A hand read as one of the five winning shapes.

    ``groups`` are the concealed groups in tile order, then the melds in the order of the hand;
    ``winning_group`` is the place in ``groups`` of the group that the winning tile completes.
    """

    shape: ShapeKind
    groups: tuple[Group, ...]
    winning_group: int

    def to_json(self) -> dict[str, Any]:
        """The reading as a JSON object: shape, groups and the place of the winning group."""
        return {
            "shape": str(self.shape),
            "groups": [group.to_json() for group in self.groups],
            "winning_group": self.winning_group,
        }


def chow_tiles(code: int) -> Tiles:
    """The three tiles of a chow code (7 * suit + lowest rank)."""
    low = 9 * (code // 7) + code % 7
    return FACE[low], FACE[low + 1], FACE[low + 2]


def reading_of(hand: Hand, candidate: Candidate, *, self_drawn: bool) -> Reading:
    """The candidate written out in tiles."""
    if candidate.kind in (ShapeKind.STANDARD, ShapeKind.KNITTED_STRAIGHT):
        groups = _sets_and_pair(hand, candidate, self_drawn=self_drawn)
    else:
        groups = _equal_tiles(hand, in_pairs=candidate.kind is ShapeKind.SEVEN_PAIRS)
    melds = [
        Group(str(meld.kind), meld.tiles, meld.kind is not MeldKind.CONCEALED_KONG) for meld in hand.melds
    ]
    return Reading(candidate.kind, (*groups, *melds), _winning_group(groups, hand.winning_tile))


def _sets_and_pair(hand: Hand, candidate: Candidate, *, self_drawn: bool) -> list[Group]:
    sets, winning = candidate.concealed, hand.packed.winning
    claimed = not self_drawn and claimed_pung(sets, winning)
    groups = [Group("chow", chow_tiles(code), False) for code in chows_of(sets)]
    groups += [Group("pung", (FACE[face],) * 3, claimed and face == winning) for face in pungs_of(sets)]
    pair = pair_of(sets)
    if pair is not None:
        groups.append(Group("pair", (FACE[pair],) * 2, False))
    if candidate.kind is ShapeKind.KNITTED_STRAIGHT:
        straight = knitted_straight(hand.packed)
        body = straight.body if straight else 0
        groups.insert(0, Group("knitted", tuple(FACE[face] for face in bits_of(body)), False))
    return groups


def _equal_tiles(hand: Hand, *, in_pairs: bool) -> list[Group]:
    """The groups of a hand without sets: its tiles by face, or two by two if ``in_pairs``."""
    tiles = sorted([*hand.concealed, hand.winning_tile], key=FACE.index)
    if in_pairs:
        return [Group("pair", (tile,) * 2, False) for tile in tiles[::2]]
    counts = Counter(tiles)
    return [
        Group("single" if count == 1 else "pair", (face,) * count, False) for face, count in counts.items()
    ]


def _winning_group(groups: list[Group], tile: str) -> int:
    """The place of the group to show as completed: 边张, 坎张 and 单钓将 first, then any chow, then a pung."""

    def rank(group: Group) -> int:
        low = group.tiles[0]
        if group.kind == "chow":
            if (low[0] == "1" and tile == group.tiles[2]) or (low[0] == "7" and tile == low):
                return 0
            return 1 if tile == group.tiles[1] else 3
        return {"pair": 2, "pung": 4}.get(group.kind, 5)

    holding = [place for place, group in enumerate(groups) if tile in group.tiles]
    return min(holding, key=lambda place: rank(groups[place]))
