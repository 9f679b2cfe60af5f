"""What each tile is for: which rows are the declared hand, which tiles are melds, flowers, the winning tile.

The cues are those of the table (`docs/rules.md`): the hand lies in a row in front of its owner, melds before it or
beside it, a concealed kong face down, flowers aside, the winning tile set apart. Whatever does not fit into a hand of
fourteen tiles (one more for each kong) and lies away from it is a stray: discards, walls, other hands.

Tiles fall into rows (`rows`), which are put right (`tidying`). Those that may be the hand's are cut into pieces
(`pieces`), and every way of sorting the pieces is weighed (`partition`). Then the flowers are added (`flowers`).
Nothing is forced: a heap, a tray or half a hand comes out as what it is, with a count that is not fourteen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.layout.flowers import HandFlowers, flowers_of
from vision.layout.partition import Partition, best_partitions, disputed, rivals
from vision.layout.pieces import HandRows, cut, main_rows, rows_around
from vision.layout.roles import HAND, Group, Layout, OtherWay, Role
from vision.layout.rows import Row, find_rows
from vision.layout.table import Table
from vision.layout.tidying import with_added_tiles, without_walls
from vision.layout.weights import LAYOUT, LayoutSettings
from vision.tiles import Tiles


@dataclass(frozen=True)
class _Found:
    """The rows that may be the hand's, and the ways of sorting their pieces, best first.

    elsewhere: other whole hands on the table.
    """

    rows: HandRows
    ways: tuple[Partition, ...]
    elsewhere: tuple[Partition, ...] = ()


def arrange(tiles: Tiles, width: int, height: int, settings: LayoutSettings = LAYOUT) -> Layout:
    """Separate the declared hand from everything else in a photo of width×height pixels.

    `tiles` should hold each tile once (`vision.layout.doubles.distinct`). A photo without any row gives strays only;
    if its rows make no hand (trays, loose tiles), every face that lies open is concealed.
    """
    if not len(tiles):
        return Layout((), ())
    table = Table.of(tiles, width, height, settings)
    sideways = tuple(bool(flag) for flag in table.frames.sideways)
    rows = with_added_tiles(without_walls(find_rows(table.frames), table), table)
    found = _hand_among(rows, table)
    if found is None:
        return Layout((), sideways)
    sideways = tuple(flag or index in found.rows.across for index, flag in enumerate(sideways))
    playing = _groups(found.ways[0]) if found.ways else []
    hand = {index for group in playing for index in group.members}
    if len(hand) < settings.hand.fewest_tiles:
        return Layout(tuple(_face_up(range(len(tiles)), table)), sideways)
    reach = _reach_of_loose_tiles(found.ways[0], table)
    if reach:
        return Layout(tuple(_face_up(_connected(hand, reach, table), table)), sideways)
    flowers = flowers_of(rows, found.rows.main, hand, table)
    groups = (*_as_groups(flowers.stretches), *playing)
    others = tuple(_other_ways(found, flowers, table))
    return Layout(groups, sideways, disputed(found.ways, table) | flowers.doubtful, others)


def _other_ways(found: _Found, flowers: HandFlowers, table: Table) -> Iterator[OtherWay]:
    """The other ways of sorting the hand, other hands, and the likeliest way without or with doubtful flowers."""
    kept = _as_groups(flowers.stretches)
    for way, chance in rivals(found.ways, table):
        yield OtherWay((*kept, *_groups(way)), chance)
    for way in found.elsewhere:
        yield OtherWay(tuple(_groups(way)), table.settings.weights.second_hand)
    if flowers.doubtful:
        inside = {tile for members in flowers.stretches for tile in members}
        fewer = [tuple(tile for tile in each if tile not in flowers.doubtful) for each in flowers.stretches]
        more = tuple(sorted(flowers.doubtful - inside))
        changed = _as_groups([members for members in (*fewer, more) if members])
        yield OtherWay((*changed, *_groups(found.ways[0])), table.settings.flowers.doubtful)


def _as_groups(stretches: Iterable[tuple[int, ...]]) -> tuple[Group, ...]:
    return tuple(Group(Role.FLOWER, members) for members in stretches)


def _hand_among(rows: Sequence[Row], table: Table) -> _Found | None:
    """Find the hand, and the ways of sorting it; None without rows that show a face.

    The likeliest main row is taken unless a hand around another one wins: discards before the hand may be larger and
    more. If several win, it is the one with the largest tiles.
    """
    first: _Found | None = None
    whole: list[_Found] = []
    looked_at: set[Row] = set()
    for main in main_rows(rows, table):
        if main in looked_at:
            continue
        around = rows_around(main, rows, table)
        found = _Found(around, tuple(best_partitions(cut(around, table), table)))
        first = first or found
        if found.ways and found.ways[0].complete:
            inside = found.ways[0].roles.keys()
            if all(inside.isdisjoint(other.ways[0].roles) for other in whole):
                whole.append(found)
            looked_at.update(row for row in rows if not inside.isdisjoint(row.members))
        else:
            looked_at.update(around.rows)
    if not whole:
        return first
    largest = max(whole, key=lambda each: _size(each, table))
    others = tuple(each.ways[0] for each in whole if each is not largest)
    return replace(largest, elsewhere=others)


def _size(found: _Found, table: Table) -> float:
    """How large the tiles of a hand are in the photo."""
    return float(np.mean(table.frames.sizes[list(found.ways[0].roles)]))


def _reach_of_loose_tiles(best: Partition, table: Table) -> float:
    """How near tiles lie that belong together though they are no hand; 0 if what was found is taken for a hand.

    There are more than any hand has, or more touch them, as in a tray; or they are part of a hand laid loosely, and
    little else is there.
    """
    if best.complete:
        return 0.0
    hand = table.settings.hand
    shown = np.flatnonzero(~(table.backs | table.flowers)).tolist()
    if best.count < HAND - 1 and len(shown) <= hand.most_tiles:
        return hand.loose
    rest = [tile for tile in np.flatnonzero(~table.backs).tolist() if tile not in best.roles]
    touching = [tile for tile in rest if table.frames.apart[list(best.roles), tile].min() < hand.touching]
    # A row of flowers beside the hand makes no tray of it.
    more = len(touching) >= hand.fewest_tiles and not all(table.flowers[tile] for tile in touching)
    return hand.touching if more or best.count > hand.most_tiles else 0.0


def _connected(hand: Iterable[int], reach: float, table: Table) -> list[int]:
    """These tiles and all that lie within reach of one of them, or of one that does."""
    inside, new = set(hand), set(hand)
    while new:
        near = (table.frames.apart[list(new)] < reach).any(axis=0)
        new = set(map(int, np.flatnonzero(near))) - inside
        inside |= new
    return sorted(inside)


def _groups(best: Partition) -> list[Group]:
    """The groups of a hand: melds, concealed tiles, the winning tile."""
    groups = [Group(Role.MELD, members) for members in best.melds]
    if best.concealed:
        groups.append(Group(Role.CONCEALED, best.concealed))
    if best.winning is not None:
        groups.append(Group(Role.WINNING, (best.winning,)))
    return groups


def _face_up(tiles: Iterable[int], table: Table) -> list[Group]:
    """Those of these tiles that lie face up. They are no hand, and what the person has to work with."""
    shown = np.array([tile for tile in tiles if not table.backs[tile]], dtype=np.intp)
    flower = table.flowers[shown]
    loose = ((Role.FLOWER, shown[flower]), (Role.CONCEALED, shown[~flower]))
    return [Group(role, tuple(map(int, members))) for role, members in loose if len(members)]
