"""One way a hand was read, in tiles: its sets, and which tiles make each fan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from scorer.bitboard import bits_of, chows_of, pair_of, pungs_of
from scorer.engine.search import ANY_CHOW, Candidate
from scorer.fans.model import ShapeKind
from scorer.hand import Hand, MeldKind
from scorer.knitted import knitted_readings
from scorer.tiles import SUIT_AND_HONOUR_FACES as FACE

Tiles = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Some tiles of a reading that belong together.

    ``kind`` is chow, pung, melded_kong, concealed_kong, pair, knitted (nine tiles) or single;
    ``melded`` says that it lies open. A pung completed by a discard is concealed here if the winning
    tile can stand elsewhere.
    """

    kind: str
    tiles: Tiles
    melded: bool

    def to_json(self) -> dict[str, Any]:
        """The group as a JSON object."""
        return {"kind": self.kind, "tiles": list(self.tiles), "melded": self.melded}


@dataclass(frozen=True, slots=True)
class Reading:
    """A hand read as one of the five shapes.

    ``shape`` is a :class:`ShapeKind`; ``groups`` are the concealed groups in tile order, then the melds
    as they were given; ``winning_group`` is the place of the group the winning tile completes.
    """

    shape: ShapeKind
    groups: tuple[Group, ...]
    winning_group: int

    def to_json(self) -> dict[str, Any]:
        """The reading as a JSON object: shape, groups and the place of the winning one."""
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
    kind = candidate.kind
    melds = [
        Group(str(meld.kind), meld.tiles, meld.kind is not MeldKind.CONCEALED_KONG) for meld in hand.melds
    ]
    winning = hand.packed.winning
    if kind in (ShapeKind.STANDARD, ShapeKind.KNITTED_STRAIGHT):
        sets = candidate.concealed
        groups = [Group("chow", chow_tiles(code), False) for code in chows_of(sets)]
        elsewhere = sets & ANY_CHOW[winning] or pair_of(sets) == winning
        for face in pungs_of(sets):
            claimed = face == winning and not self_drawn and not elsewhere
            groups.append(Group("pung", (FACE[face],) * 3, claimed))
        pair = pair_of(sets)
        if pair is not None:
            groups.append(Group("pair", (FACE[pair],) * 2, False))
        if kind is ShapeKind.KNITTED_STRAIGHT:
            body = next(body for reading, body in knitted_readings(hand.packed) if reading == sets)
            groups.insert(0, Group("knitted", tuple(FACE[face] for face in bits_of(body)), False))
    else:
        tiles = sorted([*hand.concealed, hand.winning_tile], key=FACE.index)
        if kind is ShapeKind.SEVEN_PAIRS:
            groups = [Group("pair", (tile,) * 2, False) for tile in tiles[::2]]
        else:
            faces = list(dict.fromkeys(tiles))
            groups = [
                Group("single" if tiles.count(f) == 1 else "pair", (f,) * tiles.count(f), False)
                for f in faces
            ]
    return Reading(kind, (*groups, *melds), _winning_group(groups, hand.winning_tile))


def _winning_group(groups: list[Group], tile: str) -> int:
    """Edge, closed and pair first, as the wait fans are named; then any chow, pung, the rest."""

    def rank(group: Group) -> int:
        low = group.tiles[0]
        if group.kind == "chow":
            if (low[0] == "1" and tile == group.tiles[2]) or (low[0] == "7" and tile == low):
                return 0
            return 1 if tile == group.tiles[1] else 3
        return {"pair": 2, "pung": 4}.get(group.kind, 5)

    holding = [place for place, group in enumerate(groups) if tile in group.tiles]
    return min(holding, key=lambda place: rank(groups[place]))


def _all(reading: Reading, _: Hand) -> list[Tiles]:
    return [tuple(tile for group in reading.groups for tile in group.tiles)]


def _of_kind(*kinds: str) -> Callable[[Reading, Hand], list[Tiles]]:
    def chosen(reading: Reading, _: Hand) -> list[Tiles]:
        return [group.tiles for group in reading.groups if group.kind in kinds]

    return chosen


def _concealed_pungs(reading: Reading, _: Hand) -> list[Tiles]:
    return [g.tiles for g in reading.groups if g.kind in ("pung", "concealed_kong") and not g.melded]


def _winning_set(reading: Reading, _: Hand) -> list[Tiles]:
    return [reading.groups[reading.winning_group].tiles]


def _winning_tile(_: Reading, hand: Hand) -> list[Tiles]:
    return [(hand.winning_tile,)]


def _fours(_: Reading, hand: Hand) -> list[Tiles]:
    kongs = {meld.tiles[0] for meld in hand.melds if meld.is_kong}
    faces = dict.fromkeys(sorted(hand.tiles, key=FACE.index))
    return [(face,) * 4 for face in faces if hand.tiles.count(face) == 4 and face not in kongs]


def _flowers(_: Reading, hand: Hand) -> list[Tiles]:
    return [(flower,) for flower in hand.flowers] if isinstance(hand.flowers, tuple) else []


PARTS: Final[dict[str, Callable[[Reading, Hand], list[Tiles]]]] = {
    "": _all,
    "kongs": _of_kind("melded_kong", "concealed_kong"),
    "melded_kongs": _of_kind("melded_kong"),
    "concealed_kongs": _of_kind("concealed_kong"),
    "concealed_pungs": _concealed_pungs,
    "knitted": _of_kind("knitted"),
    "edge": _winning_set,
    "closed": _winning_set,
    "pair": _of_kind("pair"),
    "winning_tile": _winning_tile,
    "fours": _fours,
    "flowers": _flowers,
    "seasonal": lambda _, __: [],
}
"""Which tiles of a reading make a fan; keys are the ``made_of`` of the fans."""
