"""How tiles lie to one another: doubled finds dropped, neighbours joined to runs, runs in line to rows.

Pure geometry, nothing is known here about hands. Distances are measured in a tile's own lengths, so that
perspective, distance and any turn of the table drop out: a tile's *frame* is the vector of one tile along the
row and the vector of one tile across it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from math import atan2, cos, hypot, sin
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles import BACK, CLASS_INDEX, NONE, Tiles

Array = NDArray[np.float64]

_NOT_A_TILE = 0.5  # a find more likely no tile than a tile is dropped
_SAME_SPOT = 0.45  # centres nearer than this share of the tile's size are one tile found twice
_COVERED = 0.55  # so are quads of which the smaller is covered to this share
_BLANK = [CLASS_INDEX[face] for face in ("7z", BACK)]
_FAINT = 0.5  # a blank find fainter than this
_OVERLAPS = 0.01  # of which another tile covers such a share is that tile's side, seen as a tile of its own
_SIZE_RATIO = 1.8  # tiles side by side differ at most this much in size
_NEIGHBOURHOOD = 4.0  # how many tile sizes around a tile vote on the direction of its row
_PULL_CONE = np.cos(np.radians(30))  # neighbours within this cone and reach straighten the direction
_PULL_REACH = 2.2
_KIN = 3  # a chain of so many near tiles is enough to take a row's measures from
_LONG_CHAIN = 6  # tiles in chains at least so long count most
_READ_VOTE = 0.15  # weight of the way a face was read, beside that of the longer chain, which is up to 1
_SHAPE_VOTE = 0.15  # the most that the shape of the tile, the log of its proportions, may weigh
# A tile this much longer along the row than those around lies sideways: where it was also read so, and where not.
_SIDEWAYS = (1.3, 1.45)
_BESIDE_ALONG = (0.5, 1.9)  # a neighbour's centre lies this far along the row, in tiles
_BESIDE_ACROSS = 0.45  # and at most this far across it
_USUAL_STEP = 1.2  # from tile to tile, in outlined tiles, where a row is too short to tell
#: A step longer than the row's usual one by so much of a tile is a gap between two runs.
BREAK = 0.45
_LYING = 0.16  # half of what a tile is longer than wide, in widths
_CLEAR_VOTE = 0.4  # net share of a row's tiles that must be read one way; else it runs from left to right
_IN_LINE_RATIO = 1.4  # runs in one line differ at most this much in tile size where they face each other
_IN_LINE_ACROSS = 0.35  # and one of them sees the other this much out of line at most
_GAP = 5.0  # runs in one line with a gap up to this many tiles are one row


@dataclass(frozen=True, eq=False)
class Frames:
    """The frame of each of N tiles, in pixels.

    centres: N×2.
    along, across: N×2, the vectors of one tile in the direction of its row and at right angles to it (in the
        picture plane, perspective included); `across` is a quarter turn clockwise of `along`.
    sideways: N, whether the tile lies across its row, as claimed tiles do.
    sizes: N, square root of the tile's area.
    upright: N, +1 where the tile is read with `along` running to its right, -1 where it stands on its head,
        0 where it is read from the side.
    edges: N×2, the vector from left to right of the tile as it is read, by itself.
    """

    centres: Array
    along: Array
    across: Array
    sideways: NDArray[np.bool_]
    sizes: Array
    upright: NDArray[np.int_]
    edges: Array

    @cached_property
    def local(self) -> Array:
        """N×N×2: every centre (second) in the frame of every tile (first), along and across in its lengths."""
        steps = self.centres[None] - self.centres[:, None]
        (ax, ay), (bx, by) = self.along.T[..., None], self.across.T[..., None]
        x, y = steps[..., 0], steps[..., 1]
        places: Array = np.stack([by * x - bx * y, ax * y - ay * x], axis=2) / (ax * by - ay * bx)[..., None]
        return places

    @cached_property
    def apart(self) -> Array:
        """N×N: how far each tile (second) lies from each (first), in lengths of the first."""
        distances: Array = np.hypot(self.local[..., 0], self.local[..., 1])
        return distances

    @cached_property
    def steps(self) -> list[list[float]]:
        """How far any two tiles of a row are apart along it, in tiles: the mean of what each sees in its frame.

        What a tile that lies sideways is longer does not count.
        """
        gaps = self.centres[None] - self.centres[:, None]
        seen = np.abs((gaps * self.along[:, None]).sum(axis=2)) / (self.along**2).sum(axis=1)[:, None]
        longer = _LYING * self.sideways
        steps: list[list[float]] = ((seen + seen.T) / 2 - longer - longer[:, None]).tolist()
        return steps

    def away(self, members: Sequence[int], others: Sequence[int]) -> float:
        """How far the nearest of some tiles lies from the nearest of others, in lengths of the first."""
        return float(self.apart[np.ix_(members, others)].min()) if members and others else float(np.inf)


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


def distinct(tiles: Tiles) -> NDArray[np.int_]:
    """The indices, ascending, of the finds that are tiles, each tile once: of several finds the surest."""
    none = tiles.probabilities[:, CLASS_INDEX[NONE]]
    centres = tiles.quads.astype(np.float64).mean(axis=1)
    areas = np.array([cv2.contourArea(quad) for quad in tiles.quads], dtype=np.float64)
    smaller = np.minimum(areas[:, None], areas[None])
    distance = np.hypot(*(centres[None] - centres[:, None]).transpose(2, 0, 1))
    same_spot = distance < _SAME_SPOT * np.sqrt(smaller)
    near = distance < 1.5 * np.sqrt(np.maximum(areas[:, None], areas[None]))
    rivals: list[list[int]] = [[] for _ in areas]
    for index, other in np.argwhere(near).tolist():
        rivals[index].append(other)
    blank = tiles.probabilities[:, _BLANK].sum(1) > 0.5
    enough = np.where(blank & (tiles.scores < _FAINT), _OVERLAPS, _COVERED)
    kept: set[int] = set()
    for index in np.argsort(-tiles.scores * (1 - none), kind="stable").tolist():
        if none[index] < _NOT_A_TILE and not any(
            same_spot[index, other]
            or cv2.intersectConvexConvex(tiles.quads[other], tiles.quads[index])[0]
            > enough[index] * smaller[index, other]
            for other in rivals[index]
            if other in kept
        ):
            kept.add(index)
    return np.array(sorted(kept), dtype=np.int_)


def frames(quads: NDArray[np.float32]) -> Frames:
    """The frame of each quad of an N×4×2 array, whose corners run clockwise from the tile's own top left.

    Along which of its sides the row runs is a vote of the tiles around: mostly of the side along which they
    form the longer chain, then of their short sides and of the way up their faces were read, which may be
    wrong by a quarter turn for some.
    """
    q = quads.astype(np.float64)
    centres = q.mean(axis=1)
    right = (q[:, 1] - q[:, 0] + q[:, 2] - q[:, 3]) / 2
    down = (q[:, 3] - q[:, 0] + q[:, 2] - q[:, 1]) / 2
    sizes = np.sqrt(np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]))
    distance = np.hypot(*(centres[None] - centres[:, None]).transpose(2, 0, 1)) / sizes[:, None]
    ratio = sizes[:, None] / sizes[None]
    near = (distance < _NEIGHBOURHOOD) & (ratio < _SIZE_RATIO) & (ratio > 1 / _SIZE_RATIO)
    wide, tall = np.hypot(*right.T), np.hypot(*down.T)
    # How far each tile speaks for its row running along its own `right` (above 0) or its own `down`.
    shape = np.clip(np.log(tall / wide), -_SHAPE_VOTE, _SHAPE_VOTE)
    chains, lengths = _chains(centres, right, down, sizes)
    longest = lengths.max(axis=1, initial=1)
    speaks = _READ_VOTE + shape + (lengths[:, 0] - lengths[:, 1]) / longest
    # Doubling the angle makes a direction and its opposite the same, and a quarter turn the opposite vote.
    # Tiles in long chains are surely laid in a row; those of a heap beside them must not outvote them.
    weight = near / (1 + distance) ** 2 * np.minimum(longest, _LONG_CHAIN)[None]
    vote = weight @ (_doubled(right) * speaks[:, None])
    turned = (vote * _doubled(right)).sum(axis=1) < 0
    kin = _kin(near, np.where(turned, chains[:, 1], chains[:, 0]))
    weight *= kin
    axis = _halved(weight @ _doubled(np.where(turned[:, None], down, right)))
    axis = _halved(weight @ (_doubled(axis) + _pull(axis, centres[None] - centres[:, None], distance, near)))
    lying = np.abs((right * axis).sum(axis=1)) / wide < np.abs((down * axis).sum(axis=1)) / tall
    along = np.where(lying[:, None], down, right)
    across = np.where(lying[:, None], -right, down)
    sign = np.where((along * axis).sum(axis=1) < 0, -1, 1)
    upright = np.where(lying, 0, sign).astype(np.int_)
    shape = np.where(lying, tall / wide, wide / tall)
    (usual,) = _medians(kin, shape)
    sideways = shape > np.where(lying, _SIDEWAYS[0], _SIDEWAYS[1]) * usual
    along, across = _smoothed(along * sign[:, None], across * sign[:, None], axis, kin)
    return Frames(centres, along, across, sideways, sizes, upright, right)


def _kin(near: NDArray[np.bool_], chain: NDArray[np.int_]) -> NDArray[np.bool_]:
    """For each tile those near it in its own chain; all near it where its chain is too short to tell."""
    kin = near & (chain[:, None] == chain[None])
    return np.where((kin.sum(axis=1) >= _KIN)[:, None], kin, near)


def _chains(
    centres: Array, right: Array, down: Array, sizes: Array
) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """The chain that each tile is in along its `right` and along its `down`: number N×2 and length N×2.

    Where rows lie behind one another and the camera looks along the table, neighbours behind are nearer than
    those beside; but rows are longer than columns.
    """
    count = len(centres)
    basis = np.linalg.inv(np.stack([right, down], axis=2))
    local = np.einsum("ikl,ijl->ijk", basis, centres[None] - centres[:, None])
    ratio = sizes[:, None] / sizes[None]
    alike = (ratio < _SIZE_RATIO) & (ratio > 1 / _SIZE_RATIO)
    nearest: dict[tuple[int, int, int], int] = {}  # (tile, which axis, which way) to the neighbour there
    for axis, side in product((0, 1), (1, -1)):
        along, across = local[..., axis] * side, np.abs(local[..., 1 - axis])
        fits = alike & (along > _BESIDE_ALONG[0]) & (along < _BESIDE_ALONG[1]) & (across < _BESIDE_ACROSS)
        cost = np.where(fits, along + across, np.inf)
        for tile in np.flatnonzero(fits.any(axis=1)):
            nearest[int(tile), axis, side] = int(cost[tile].argmin())
    # A tile appears once for each of its axes; two are linked where each is the other's nearest.
    back = {(tile, other): axis for (tile, axis, _), other in nearest.items()}
    links = [
        (2 * tile + axis, 2 * other + back[other, tile])
        for (tile, other), axis in back.items()
        if tile < other and (other, tile) in back
    ]
    number, length = np.zeros(2 * count, np.int_), np.ones(2 * count, np.int_)
    for name, chain in enumerate(_components(2 * count, links)):
        number[chain], length[chain] = name, len(chain)
    return number.reshape(count, 2), length.reshape(count, 2)


def _smoothed(along: Array, across: Array, axis: Array, near: NDArray[np.bool_]) -> tuple[Array, Array]:
    """The frames along the voted axes with the usual lengths around: one bad outline spoils none."""
    normal = np.stack([-axis[:, 1], axis[:, 0]], axis=1)
    width = np.abs((along * axis).sum(axis=1))
    slant, height = (across * axis).sum(axis=1), np.abs((across * normal).sum(axis=1))
    width, slant, height = _medians(near, width, slant, height)[..., None]
    return width * axis, slant * axis + height * normal


def _medians(groups: NDArray[np.bool_], *values: Array) -> Array:
    """For each of K arrays of N values their medians in N groups (N×N, one a row, none empty): K×N."""
    ranked = np.sort(np.where(groups, np.stack(values)[:, None], np.inf), axis=2)
    count = groups.sum(axis=1)
    group = np.arange(len(groups))
    medians: Array = (ranked[:, group, (count - 1) // 2] + ranked[:, group, count // 2]) / 2
    return medians


def _pull(axis: Array, steps: Array, distance: Array, near: NDArray[np.bool_]) -> Array:
    """For each tile the doubled directions to its neighbours along the row, the nearest counting most.

    Outlines are short and may be sheared; from middle to middle the direction of a row shows better.
    """
    towards = np.abs((steps * axis[:, None]).sum(axis=2)) / np.maximum(
        np.hypot(steps[..., 0], steps[..., 1]), 1e-9
    )
    beside = near & (towards > _PULL_CONE) & (distance > 0) & (distance < _PULL_REACH)
    strength = np.where(beside, np.maximum(distance, 0.5) ** -4, 0.0)
    pull: Array = (_doubled(steps) * strength[..., None]).sum(axis=1)
    return pull


def _halved(doubled: Array) -> Array:
    """The unit vectors of half the angle, undoing `_doubled`."""
    angle = np.arctan2(doubled[:, 1], doubled[:, 0]) / 2
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _doubled(vectors: Array) -> Array:
    """Unit vectors of twice the angle; zero for a zero vector."""
    x, y = vectors[..., 0], vectors[..., 1]
    square = np.maximum(x * x + y * y, 1e-9)
    doubled: Array = np.stack([(x * x - y * y) / square, 2 * x * y / square], axis=-1)
    return doubled


def find_rows(frame: Frames) -> tuple[Row, ...]:
    """All tiles in rows, each tile in exactly one; longest row first. A lone tile is a row of its own."""
    count = len(frame.centres)
    runs = [_in_order(run, frame) for run in _components(count, _beside(frame.local, frame))]
    local = frame.local.tolist()
    in_line = [
        (one, other)
        for one in range(len(runs))
        for other in range(one)
        if _continues(runs[one], runs[other], frame, local)
    ]
    rows = [_row([runs[index] for index in group], frame) for group in _components(len(runs), in_line)]
    return tuple(sorted(rows, key=lambda row: (-len(row.members), row.members)))


def _beside(local: Array, frame: Frames) -> list[tuple[int, int]]:
    """Pairs that are each other's nearest neighbour along the row, on one side or the other."""
    count = len(local)
    ratio = frame.sizes[:, None] / frame.sizes[None]
    steps, offset = local[..., 0], np.abs(local[..., 1])
    fits = (np.abs(steps) > _BESIDE_ALONG[0]) & (np.abs(steps) < _BESIDE_ALONG[1]) & (offset < _BESIDE_ACROSS)
    fits &= fits.T & (ratio < _SIZE_RATIO) & (ratio > 1 / _SIZE_RATIO)
    chosen: set[tuple[int, int]] = set()
    for side in (1, -1):
        cost = np.where(fits & (steps * side > 0), np.abs(steps) + offset, np.inf)
        chosen |= {(i, int(cost[i].argmin())) for i in range(count) if np.isfinite(cost[i]).any()}
    return [(i, j) for i, j in chosen if (j, i) in chosen and i < j]


def _components(count: int, links: list[tuple[int, int]]) -> list[list[int]]:
    parent = list(range(count))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for one, other in links:
        parent[root(one)] = root(other)
    groups: dict[int, list[int]] = {}
    for index in range(count):
        groups.setdefault(root(index), []).append(index)
    return list(groups.values())


def _heading(members: list[int], frame: Frames) -> tuple[float, float]:
    """The reading direction of these tiles: their common direction, the way most of them are read."""
    along = frame.along[members].tolist()
    signs = [-1 if x * along[0][0] + y * along[0][1] < 0 else 1 for x, y in along]
    dx = sum(sign * x for sign, (x, _) in zip(signs, along, strict=True))
    dy = sum(sign * y for sign, (_, y) in zip(signs, along, strict=True))
    if len(members) > 2:
        # The tiles' own edges are short; where several lie in line, the line itself tells better.
        px, py = principal(frame.centres[members].tolist())
        shared = px * dx + py * dy
        if abs(shared) > 0.7 * hypot(dx, dy):
            dx, dy = (px, py) if shared > 0 else (-px, -py)
    votes = sum(sign * way for sign, way in zip(signs, frame.upright[members].tolist(), strict=True))
    clear = abs(votes) > _CLEAR_VOTE * len(members)
    length = hypot(dx, dy) * (-1 if (votes if clear else dx) < 0 else 1)
    return dx / length, dy / length


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


def _in_order(members: list[int], frame: Frames) -> list[int]:
    x, y = _heading(members, frame)
    reach = {
        tile: px * x + py * y for tile, (px, py) in zip(members, frame.centres[members].tolist(), strict=True)
    }
    return sorted(members, key=reach.__getitem__)


def _continues(one: list[int], other: list[int], frame: Frames, local: list[list[list[float]]]) -> bool:
    """Whether the second run lies in the line of the first, both seen from the ends that face each other."""
    pairs = [(i, j) for i in {one[0], one[-1]} for j in {other[0], other[-1]}]
    i, j = min(pairs, key=lambda pair: abs(local[pair[0]][pair[1]][0]) + abs(local[pair[0]][pair[1]][1]))
    if min(abs(local[i][j][1]), abs(local[j][i][1])) > 3 * _BESIDE_ACROSS or abs(local[i][j][0]) > 2 * _GAP:
        return False  # out of the question, before the finer look
    if not 1 / _IN_LINE_RATIO < frame.sizes[i] / frame.sizes[j] < _IN_LINE_RATIO:
        return False
    offsets = []
    for start, end, run in ((i, j, one), (j, i, other)):
        x, y = _heading(_nearest(run, start), frame)
        gap_x, gap_y = (frame.centres[end] - frame.centres[start]).tolist()
        along_x, along_y = frame.along[start].tolist()
        steps = abs(gap_x * x + gap_y * y) / max(abs(along_x * x + along_y * y), 1e-6)
        if not 0.5 < steps < _GAP:
            return False
        offsets.append(abs(gap_x * y - gap_y * x) / hypot(*frame.across[start].tolist()))
    # A lone tile cannot tell a direction well, so one of the two views may be further off.
    return bool(min(offsets) < _IN_LINE_ACROSS and max(offsets) < 2 * _IN_LINE_ACROSS)


def _nearest(run: list[int], end: int) -> list[int]:
    """The up to four tiles nearest to one end of a run, that one first."""
    return run[:4] if run[0] == end else run[-1:-5:-1]


def _row(runs: list[list[int]], frame: Frames) -> Row:
    ordered = _in_order([index for run in runs for index in run], frame)
    pieces = [[ordered[0]]]
    for index, space in zip(ordered[1:], spaces(ordered, frame), strict=True):
        if space > BREAK:
            pieces.append([])
        pieces[-1].append(index)
    return Row(tuple(tuple(piece) for piece in pieces))


def spaces(members: Sequence[int], frame: Frames) -> list[float]:
    """How much wider than usual the space between each tile of a row and the next is, in tiles."""
    steps = [frame.steps[one][other] for one, other in pairwise(members)]
    # Outlines may hug the printed face, so the usual step is the row's own, not one tile.
    usual = median(steps) if len(steps) > 2 else _USUAL_STEP
    usual = min(usual, _BESIDE_ALONG[1] - BREAK)
    return [step - usual for step in steps]
