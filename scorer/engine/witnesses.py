"""Which tiles make each fan of a reading, and how often each fan counts.

Awards and explanations both ask here, so that they always show the same tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from scorer.bitboard import CHOW_FIELD, PAIR_SHIFT, PUNG_FIELD, PUNG_SHIFT, bits_of, chows_of
from scorer.circumstances import Circumstances
from scorer.engine.linking import Claim, Link, Linker, RankedSet
from scorer.engine.reading import Group, Reading, Tiles, chow_tiles
from scorer.engine.search import Candidate, Claims
from scorer.engine.tables import FanTables, chow_sets, pung_sets, ranked
from scorer.fans import NINE_GATES, ORPHAN_PUNG
from scorer.fans.model import Fan, ShapeKind
from scorer.hand import Hand
from scorer.tiles import SUIT_AND_HONOUR_FACES as FACE
from scorer.tiles import WINDS


def flower_counts(tables: FanTables, hand: Hand, circumstances: Circumstances) -> Mapping[str, int]:
    """How often each fan of flowers counts; no reading changes it."""
    if isinstance(hand.flowers, int):
        return tables.flowers(hand.flowers, 0)
    seat = WINDS.index(circumstances.seat_wind)
    seasonal = sum([(int(flower[0]) - 1) % 4 == seat for flower in hand.flowers])
    return tables.flowers(len(hand.flowers), seasonal)


def fan_counts(
    tables: FanTables, hand: Hand, circumstances: Circumstances, candidate: Candidate
) -> dict[str, int]:
    """How often each fan of a candidate counts, the highest fan first, flowers last."""
    counts = tables.names[candidate.counted].copy()
    for bit, _, count in candidate.repeats:
        if candidate.counted & bit:
            counts[tables.name[bit]] = count
    if hand.flowers:
        counts |= flower_counts(tables, hand, circumstances)
    return counts


class Combinations(NamedTuple):
    """The chows or the suit pungs of a reading, and the fans that combine them.

    ``sets`` are ascending, ``tiles`` the tiles of each. ``pair`` is None if it is an honour, and for pungs.
    """

    linker: Linker
    sets: tuple[RankedSet, ...]
    tiles: tuple[Tiles, ...]
    pair: RankedSet | None
    pair_tiles: Tiles
    claimed: Claim
    """The links that are claimed together."""

    @property
    def present(self) -> Claim:
        """All links, claimed or not."""
        return self.linker.present(self.sets, self.pair)

    def tiles_of(self, link: Link) -> Tiles:
        """The tiles that make the fan of ``link``."""
        tiles = tuple([tile for member in link.members for tile in self.tiles[member]])
        return tiles + self.pair_tiles if link.fan.needs_pair else tiles


class Witnesses:
    """The tiles that make each fan present in one reading, whether or not the fan counts."""

    def __init__(
        self,
        tables: FanTables,
        hand: Hand,
        circumstances: Circumstances,
        candidate: Candidate,
        reading: Reading,
    ) -> None:
        """``reading`` must be the candidate written out in tiles."""
        self._tables = tables
        self._hand = hand
        self._reading = reading
        self._kongs = {meld.tiles[0]: meld.tiles for meld in hand.melds if meld.is_kong}
        self._nine_gates = bool(candidate.present & tables.bit.get(NINE_GATES, 0))
        self._pungs = 0
        self._single_pungs: dict[str, int] = {}
        self._by_fan: dict[str, list[Tiles]] = {}
        self.combinations: tuple[Combinations, ...] = ()
        if candidate.kind in (ShapeKind.STANDARD, ShapeKind.KNITTED_STRAIGHT):
            self._find_sets(circumstances, candidate)

    def _find_sets(self, circumstances: Circumstances, candidate: Candidate) -> None:
        whole = candidate.concealed + self._hand.packed.fixed
        pair = (whole >> PAIR_SHIFT) - 1
        pair_tiles = (FACE[pair],) * 2
        field = whole & CHOW_FIELD
        self._pungs = whole >> PUNG_SHIFT & PUNG_FIELD
        chows, pungs = chow_sets(field), pung_sets(self._pungs)
        suit_pair = ranked(pair) if pair < 27 else None
        by_chows, by_pungs = self._tables.chow_linker, self._tables.pung_linker
        claims = candidate.claims or Claims(by_chows.best(chows, suit_pair), by_pungs.best(pungs, None))
        chow_groups = tuple(map(chow_tiles, chows_of(field)))
        pung_groups = tuple([self._pung(face) for face in bits_of(self._pungs) if face < 27])
        self.combinations = (
            Combinations(by_chows, chows, chow_groups, suit_pair, pair_tiles, claims.chows),
            Combinations(by_pungs, pungs, pung_groups, None, (), claims.pungs),
        )
        for combinations in self.combinations:
            for link in combinations.claimed:
                self._by_fan.setdefault(link.fan.name, []).append(combinations.tiles_of(link))
        self._single_pungs = self._tables.honours.pungs_by_fan(
            self._pungs,
            pair if pair >= 27 else -1,
            circumstances.packed >> 4 & 15,
            nine_gates=self._nine_gates,
        )
        for name, mask in self._single_pungs.items():
            fan = self._tables.profile.by_name[name]
            parts = [self._pung(face) for face in bits_of(mask)]
            if not fan.repeats:
                together = tuple([tile for part in parts for tile in part])
                parts = [together + pair_tiles if fan.needs_pair else together]
            self._by_fan[name] = parts

    def _pung(self, face: int) -> Tiles:
        """The three tiles of a pung, the four of a kong."""
        return self._kongs.get(FACE[face]) or (FACE[face],) * 3

    def of(self, fan: Fan) -> tuple[Tiles, ...]:
        """The tiles of each time that ``fan`` is present; empty if it is made of uncounted flowers."""
        return tuple(self._by_fan.get(fan.name) or PARTS[fan.made_of](self._reading, self._hand))

    def used_orphan_pungs(self) -> Iterator[tuple[Tiles, set[str]]]:
        """Pungs that would be 幺九刻, and the names of the fans that use them up."""
        left = self._single_pungs.get(ORPHAN_PUNG, 0)
        for face in bits_of(self._tables.honours.orphan_pungs(self._pungs) & ~left):
            users = {name for name, mask in self._single_pungs.items() if mask >> face & 1}
            yield self._pung(face), users | ({NINE_GATES} if self._nine_gates else set())


def _all(reading: Reading, _: Hand) -> list[Tiles]:
    return [tuple(tile for group in reading.groups for tile in group.tiles)]


def _groups_that(choose: Callable[[Group], bool]) -> Callable[[Reading, Hand], list[Tiles]]:
    return lambda reading, _: [group.tiles for group in reading.groups if choose(group)]


def _winning_group(reading: Reading, _: Hand) -> list[Tiles]:
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
    "kongs": _groups_that(lambda group: group.kind in ("melded_kong", "concealed_kong")),
    "melded_kongs": _groups_that(lambda group: group.kind == "melded_kong"),
    "concealed_kongs": _groups_that(lambda group: group.kind == "concealed_kong"),
    "concealed_pungs": _groups_that(
        lambda group: group.kind in ("pung", "concealed_kong") and not group.melded
    ),
    "knitted": _groups_that(lambda group: group.kind == "knitted"),
    "edge": _winning_group,
    "closed": _winning_group,
    "pair": _groups_that(lambda group: group.kind == "pair"),
    "winning_tile": _winning_tile,
    "fours": _fours,
    "flowers": _flowers,
    "seasonal": lambda _, __: [],
}
"""The tiles of a reading that make a fan, by the ``made_of`` of the fan."""
