"""How tiles lie to one another: neighbours are joined to runs, and runs in line to rows.

Pure geometry: nothing here knows about hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import atan2, cos, hypot, sin
from statistics import median

import numpy as np

from vision.layout.frames import Array, Frames, components


@dataclass(frozen=True)
class Row:
    """Tiles in one line, as row indices of the table.

    runs: contiguous stretches, each in reading order, themselves in reading order.
    """

    runs: tuple[tuple[int, ...], ...]

    @cached_property
    def members(self) -> tuple[int, ...]:
        """All tiles of the row in reading order."""
        return tuple(index for run in self.runs for index in run)


def find_rows(frame: Frames) -> tuple[Row, ...]:
    """Return all tiles in rows, each tile in exactly one; longest row first. A lone tile is a row by itself."""
    count = len(frame.centres)
    runs = [_in_order(run, frame) for run in components(count, _beside(frame.local, frame))]
    local = frame.local.tolist()
    in_line = [
        (one, other)
        for one in range(len(runs))
        for other in range(one)
        if _continues(runs[one], runs[other], frame, local)
    ]
    rows = [_row([runs[index] for index in group], frame) for group in components(len(runs), in_line)]
    return tuple(sorted(rows, key=lambda row: (-len(row.members), row.members)))


def spaces(members: Sequence[int], frame: Frames) -> list[float]:
    """How much wider than usual the space between each tile of a row and the next is, in tiles."""
    geometry = frame.geometry
    steps = [frame.steps[one][other] for one, other in pairwise(members)]
    # Outlines may hug the printed face, so the usual step is the row's own, not one tile.
    usual = median(steps) if len(steps) > 2 else geometry.usual_step
    usual = min(usual, geometry.beside_along[1] - geometry.gap)
    return [step - usual for step in steps]


def principal(points: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The direction of the straight line that fits points best, as a unit vector one way or the other."""
    mean_x = sum([x for x, _ in points]) / len(points)
    mean_y = sum([y for _, y in points]) / len(points)
    xx = yy = xy = 0.0
    for x, y in points:
        off_x, off_y = x - mean_x, y - mean_y
        xx += off_x * off_x
        yy += off_y * off_y
        xy += off_x * off_y
    angle = atan2(2 * xy, xx - yy) / 2
    return cos(angle), sin(angle)


def _beside(local: Array, frame: Frames) -> list[tuple[int, int]]:
    """Pairs that are each other's nearest neighbour along the row, on one side or the other."""
    geometry, count = frame.geometry, len(local)
    ratio = frame.sizes[:, None] / frame.sizes[None]
    steps, offset = local[..., 0], np.abs(local[..., 1])
    least, most = geometry.beside_along
    fits = (np.abs(steps) > least) & (np.abs(steps) < most) & (offset < geometry.beside_across)
    fits &= fits.T & (ratio < geometry.size_ratio) & (ratio > 1 / geometry.size_ratio)
    chosen: set[tuple[int, int]] = set()
    for side in (1, -1):
        cost = np.where(fits & (steps * side > 0), np.abs(steps) + offset, np.inf)
        chosen |= {(i, int(cost[i].argmin())) for i in range(count) if np.isfinite(cost[i]).any()}
    return [(i, j) for i, j in chosen if (j, i) in chosen and i < j]


def _heading(members: list[int], frame: Frames) -> tuple[float, float]:
    """The reading direction of these tiles: their common direction, the way most of them are read."""
    along = frame.along[members].tolist()
    signs = [-1 if x * along[0][0] + y * along[0][1] < 0 else 1 for x, y in along]
    dx = sum(sign * x for sign, (x, _) in zip(signs, along, strict=True))
    dy = sum(sign * y for sign, (_, y) in zip(signs, along, strict=True))
    if len(members) > 2:
        # The edges of a tile are short; where several lie in line, the line itself tells better.
        px, py = principal(frame.centres[members].tolist())
        shared = px * dx + py * dy
        dx, dy = (px, py) if shared > 0 else (-px, -py)
    votes = sum(sign * way for sign, way in zip(signs, frame.upright[members].tolist(), strict=True))
    clear = abs(votes) > frame.geometry.clear_vote * len(members)
    length = hypot(dx, dy) * (-1 if (votes if clear else dx) < 0 else 1)
    return dx / length, dy / length


def _in_order(members: list[int], frame: Frames) -> list[int]:
    """These tiles in the order in which they are read."""
    x, y = _heading(members, frame)
    reach = {
        tile: px * x + py * y for tile, (px, py) in zip(members, frame.centres[members].tolist(), strict=True)
    }
    return sorted(members, key=reach.__getitem__)


def _continues(one: list[int], other: list[int], frame: Frames, local: list[list[list[float]]]) -> bool:
    """Whether the second run lies in the line of the first, both seen from the ends that face each other."""
    geometry = frame.geometry
    pairs = [(i, j) for i in {one[0], one[-1]} for j in {other[0], other[-1]}]
    i, j = min(pairs, key=lambda pair: abs(local[pair[0]][pair[1]][0]) + abs(local[pair[0]][pair[1]][1]))
    if (
        min(abs(local[i][j][1]), abs(local[j][i][1])) > geometry.surely_out_of_line
        or abs(local[i][j][0]) > geometry.surely_too_far
    ):
        return False
    if not 1 / geometry.in_line_ratio < frame.sizes[i] / frame.sizes[j] < geometry.in_line_ratio:
        return False
    offsets = []
    nearest, farthest = geometry.in_line_along
    for start, end, run in ((i, j, one), (j, i, other)):
        x, y = _heading(_nearest(run, start, geometry.end_tiles), frame)
        gap_x, gap_y = (frame.centres[end] - frame.centres[start]).tolist()
        along_x, along_y = frame.along[start].tolist()
        steps = abs(gap_x * x + gap_y * y) / max(abs(along_x * x + along_y * y), 1e-6)
        if not nearest < steps < farthest:
            return False
        offsets.append(abs(gap_x * y - gap_y * x) / hypot(*frame.across[start].tolist()))
    # A lone tile cannot tell a direction well, so one of the two views may be further off.
    return bool(min(offsets) < geometry.in_line_across and max(offsets) < geometry.in_line_across_other)


def _nearest(run: list[int], end: int, most: int) -> list[int]:
    """At most so many tiles of a run, nearest to one end first."""
    return run[:most] if run[0] == end else run[: -most - 1 : -1]


def _row(runs: list[list[int]], frame: Frames) -> Row:
    """One row of these runs, parted anew at every gap."""
    ordered = _in_order([index for run in runs for index in run], frame)
    pieces = [[ordered[0]]]
    for index, space in zip(ordered[1:], spaces(ordered, frame), strict=True):
        if space > frame.geometry.gap:
            pieces.append([])
        pieces[-1].append(index)
    return Row(tuple(tuple(piece) for piece in pieces))
