"""Rows put right before the hand is looked for: walls are dropped, tiles added to a pung join it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from vision.layout.frames import Flags
from vision.layout.rows import Row, spaces
from vision.layout.table import Table
from vision.tiles import BACK, CLASS_INDEX, WHITE_DRAGON

_KONG = 4
_COPIES = 4  # of the white dragon


def parts(row: Row, table: Table) -> list[tuple[tuple[int, ...], float]]:
    """The row cut at every visible space, with the width of the space before each part in tiles."""
    members = row.members
    found: list[tuple[list[int], float]] = [([members[0]], 0.0)]
    for tile, space in zip(members[1:], spaces(members, table.frames), strict=True):
        if space > table.settings.hand.space:
            found.append(([], space))
        found[-1][0].append(tile)
    return [(tuple(tiles), space) for tiles, space in found]


def without_walls(rows: Sequence[Row], table: Table) -> list[Row]:
    """The rows without stretches of more blank tiles than a kong has.

    The sides of a wall look like blank tiles: like backs, or like white dragons without a frame.
    """
    odds = table.faces[:, [CLASS_INDEX[BACK], CLASS_INDEX[WHITE_DRAGON]]].sum(axis=1)
    blank = odds > table.settings.hand.blank
    kept: list[Row] = []
    for row in rows:
        wall = {tile for stretch in _walls(row, blank, table) for tile in stretch}
        runs = [tuple(index for index in run if index not in wall) for run in row.runs]
        if any(runs):
            kept.append(Row(tuple(run for run in runs if run)))
    return kept


def _walls(row: Row, blank: Flags, table: Table) -> Iterator[list[int]]:
    """The stretches of a row that are the side of a wall."""
    for is_blank, stretch in groupby(row.members, key=lambda index: bool(blank[index])):
        members = list(stretch)
        if is_blank and len(members) > _KONG and not _kongs_in_a_line(members, row, table):
            yield members


def _kongs_in_a_line(blank: Sequence[int], row: Row, table: Table) -> bool:
    """Whether blank tiles side by side are kongs face down, a space between them, and up to four white dragons."""
    white = 0
    for part, _ in parts(row, table):
        shown = not set(part) <= set(blank)
        among = (tile for tile in part if tile in blank)
        for down, stretch in groupby(among, key=lambda tile: bool(table.backs[tile])):
            size = len(list(stretch))
            if not down:
                white += size
            elif not (size == _KONG or (shown and size < _KONG)):
                return False
    return white <= _COPIES


def with_added_tiles(rows: Sequence[Row], table: Table) -> list[Row]:
    """The rows with each tile that was added on top of a claimed pung moved into that pung."""
    runs = [run for row in rows for run in row.runs]
    under: dict[int, int] = {}
    for loner in (tile for run in runs if len(run) < _KONG - 1 for tile in run):
        below = [tile for run in runs if loner not in run for tile in _pung_tiles_under(loner, run, table)]
        if below:
            under[loner] = below[-1]
    kept = [
        [tuple(tile for tile in run if tile not in under) for run in row.runs if not set(run) <= under.keys()]
        for row in rows
    ]
    return [Row(tuple(_with_tiles_on_top(run, under) for run in row)) for row in kept if row]


def _pung_tiles_under(loner: int, run: Sequence[int], table: Table) -> Iterator[int]:
    """The tiles of a run on top of which a lone tile may lie, one of a pung of its own face."""
    hand, frame = table.settings.hand, table.frames
    nearest, farthest = hand.added_across
    for place, tile in enumerate(run):
        along, across = np.abs(frame.local[tile, loner])
        on_top = along < hand.added_along and nearest < across < farthest
        close = hand.added_close[0] < across < hand.added_close[1]
        if on_top and (close or frame.sideways[tile] or frame.sideways[loner]):
            around = run[max(place - 2, 0) : place + 3]
            if sum(table.alike(other, loner) > hand.added_alike for other in around) >= _KONG - 1:
                yield tile


def _with_tiles_on_top(run: Sequence[int], under: dict[int, int]) -> tuple[int, ...]:
    """The run with each tile that lies on top of one of its tiles right after that one."""
    return tuple(
        member for tile in run for member in (tile, *(top for top, below in under.items() if below == tile))
    )
