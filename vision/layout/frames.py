"""The frame of each tile: which way its row runs, and how large a tile is there.

Pure geometry. Distances are measured in a tile's own lengths, so that perspective, distance and any turn of the table
cancel out: a tile's *frame* is the vector of one tile along the row and the vector of one tile across it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.layout.geometry import GEOMETRY, RowGeometry

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Whole = NDArray[np.int_]


@dataclass(frozen=True, eq=False)
class Frames:
    """The frame of each of N tiles, in pixels of the upright photo.

    centres: N×2.
    along, across: N×2, the vectors of one tile in the direction of its row and at right angles to it (in the
        picture plane, perspective included); `across` is a quarter turn clockwise of `along`.
    sideways: N, whether the tile lies across its row, as claimed tiles do.
    sizes: N, square root of the tile's area.
    upright: N, +1 if the tile is read with `along` running to its right, -1 if it stands on its head, 0 if it is
        read from the side.
    edges: N×2, the vector from left to right of the tile itself, as it is read.
    geometry: the thresholds with which the frames were found.
    """

    centres: Array
    along: Array
    across: Array
    sideways: Flags
    sizes: Array
    upright: Whole
    edges: Array
    geometry: RowGeometry

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

        The extra length of a tile that lies sideways does not count.
        """
        gaps = self.centres[None] - self.centres[:, None]
        seen = np.abs((gaps * self.along[:, None]).sum(axis=2)) / (self.along**2).sum(axis=1)[:, None]
        longer = self.geometry.lying * self.sideways
        steps: list[list[float]] = ((seen + seen.T) / 2 - longer - longer[:, None]).tolist()
        return steps

    def away(self, members: Sequence[int], others: Sequence[int]) -> float:
        """How far the nearest of `others` lies from the nearest of `members`, in lengths of the latter."""
        return float(self.apart[np.ix_(members, others)].min()) if members and others else float(np.inf)


def frames(quads: NDArray[np.float32], geometry: RowGeometry = GEOMETRY) -> Frames:
    """Return the frame of each quad of an N×4×2 array, whose corners run clockwise from the tile's own top left.

    The tiles around a tile vote on which of its sides the row runs along. The side along which they form the longer
    chain counts most, then their short sides and the way up their faces were read, which may be wrong by a quarter
    turn for some.
    """
    q = quads.astype(np.float64)
    centres = q.mean(axis=1)
    right = (q[:, 1] - q[:, 0] + q[:, 2] - q[:, 3]) / 2
    down = (q[:, 3] - q[:, 0] + q[:, 2] - q[:, 1]) / 2
    sizes = np.sqrt(np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]))
    distance = np.hypot(*(centres[None] - centres[:, None]).transpose(2, 0, 1)) / sizes[:, None]
    near = (distance < geometry.neighbourhood) & _alike(sizes, geometry)
    wide, tall = np.hypot(*right.T), np.hypot(*down.T)
    axis, kin = _axes(centres, right, down, sizes, distance, near, np.log(tall / wide), geometry)
    lying = np.abs((right * axis).sum(axis=1)) / wide < np.abs((down * axis).sum(axis=1)) / tall
    along = np.where(lying[:, None], down, right)
    across = np.where(lying[:, None], -right, down)
    sign = np.where((along * axis).sum(axis=1) < 0, -1, 1)
    upright = np.where(lying, 0, sign).astype(np.int_)
    shape = np.where(lying, tall / wide, wide / tall)
    (usual,) = _medians(kin, shape)
    sideways = shape > np.where(lying, geometry.sideways_read, geometry.sideways_unread) * usual
    along, across = _smoothed(along * sign[:, None], across * sign[:, None], axis, kin)
    return Frames(centres, along, across, sideways, sizes, upright, right, geometry)


def _alike(sizes: Array, geometry: RowGeometry) -> Flags:
    """N×N: whether two tiles are of about one size."""
    ratio = sizes[:, None] / sizes[None]
    return (ratio < geometry.size_ratio) & (ratio > 1 / geometry.size_ratio)


def _axes(
    centres: Array,
    right: Array,
    down: Array,
    sizes: Array,
    distance: Array,
    near: Flags,
    proportions: Array,
    geometry: RowGeometry,
) -> tuple[Array, Flags]:
    """The direction in which the row of each tile runs (unit vectors, N×2), and the tiles it was taken from (N×N)."""
    # How far each tile speaks for its row running along its own `right` (above 0) or its own `down`.
    shape = np.clip(proportions, -geometry.shape_vote, geometry.shape_vote)
    chains, lengths = _chains(centres, right, down, sizes, geometry)
    longest = lengths.max(axis=1, initial=1)
    speaks = geometry.read_vote + shape + (lengths[:, 0] - lengths[:, 1]) / longest
    # Doubling the angle makes a direction and its opposite the same, and a quarter turn the opposite vote.
    # Tiles in long chains were surely laid in a row; those of a heap beside them must not outvote them.
    heard = np.minimum(longest, geometry.long_chain)[None]
    weight = near / (1 + distance) ** geometry.vote_falloff * heard
    vote = weight @ (_doubled(right) * speaks[:, None])
    turned = (vote * _doubled(right)).sum(axis=1) < 0
    kin = _kin(near, np.where(turned, chains[:, 1], chains[:, 0]), geometry)
    weight *= kin
    axis = _halved(weight @ _doubled(np.where(turned[:, None], down, right)))
    pull = _pull(axis, centres[None] - centres[:, None], distance, near, geometry)
    return _halved(weight @ (_doubled(axis) + pull)), kin


def _kin(near: Flags, chain: Whole, geometry: RowGeometry) -> Flags:
    """For each tile those near it in its own chain; all near it if its chain is too short to tell."""
    kin = near & (chain[:, None] == chain[None])
    return np.where((kin.sum(axis=1) >= geometry.kin)[:, None], kin, near)


def _chains(
    centres: Array, right: Array, down: Array, sizes: Array, geometry: RowGeometry
) -> tuple[Whole, Whole]:
    """The chain that each tile is in along its `right` and along its `down`: number N×2 and length N×2.

    If rows lie behind one another and the camera looks along the table, neighbours behind are nearer than those
    beside; but rows are longer than columns.
    """
    count = len(centres)
    basis = np.linalg.inv(np.stack([right, down], axis=2))
    local = np.einsum("ikl,ijl->ijk", basis, centres[None] - centres[:, None])
    alike = _alike(sizes, geometry)
    least, most = geometry.beside_along
    nearest: dict[tuple[int, int, int], int] = {}  # (tile, which axis, which way) to the neighbour there
    for axis, side in product((0, 1), (1, -1)):
        along, across = local[..., axis] * side, np.abs(local[..., 1 - axis])
        fits = alike & (along > least) & (along < most) & (across < geometry.beside_across)
        cost = np.where(fits, along + across, np.inf)
        for tile in np.flatnonzero(fits.any(axis=1)):
            nearest[int(tile), axis, side] = int(cost[tile].argmin())
    # A tile appears once for each of its axes; two are linked if each is the other's nearest.
    back = {(tile, other): axis for (tile, axis, _), other in nearest.items()}
    links = [
        (2 * tile + axis, 2 * other + back[other, tile])
        for (tile, other), axis in back.items()
        if tile < other and (other, tile) in back
    ]
    number, length = np.zeros(2 * count, np.int_), np.ones(2 * count, np.int_)
    for name, chain in enumerate(components(2 * count, links)):
        number[chain], length[chain] = name, len(chain)
    return number.reshape(count, 2), length.reshape(count, 2)


def components(count: int, links: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The numbers below `count` grouped so that linked ones are together, each group ascending."""
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


def _smoothed(along: Array, across: Array, axis: Array, near: Flags) -> tuple[Array, Array]:
    """The frames along the voted axes with the usual lengths around, so that one bad outline spoils no frame."""
    normal = np.stack([-axis[:, 1], axis[:, 0]], axis=1)
    width = np.abs((along * axis).sum(axis=1))
    slant, height = (across * axis).sum(axis=1), np.abs((across * normal).sum(axis=1))
    width, slant, height = _medians(near, width, slant, height)[..., None]
    return width * axis, slant * axis + height * normal


def _medians(groups: Flags, *values: Array) -> Array:
    """For each of K arrays of N values their medians in N groups (N×N, one group per row, none empty): K×N."""
    ranked = np.sort(np.where(groups, np.stack(values)[:, None], np.inf), axis=2)
    count = groups.sum(axis=1)
    group = np.arange(len(groups))
    medians: Array = (ranked[:, group, (count - 1) // 2] + ranked[:, group, count // 2]) / 2
    return medians


def _pull(axis: Array, steps: Array, distance: Array, near: Flags, geometry: RowGeometry) -> Array:
    """For each tile the doubled directions to its neighbours along the row, the nearest counting most.

    Outlines are short and may be sheared; the line from centre to centre shows the direction of a row better.
    """
    towards = np.abs((steps * axis[:, None]).sum(axis=2)) / np.maximum(
        np.hypot(steps[..., 0], steps[..., 1]), 1e-9
    )
    cone = np.cos(np.radians(geometry.pull_cone))
    beside = near & (towards > cone) & (distance > 0) & (distance < geometry.pull_reach)
    strength = np.where(beside, np.maximum(distance, geometry.pull_nearest) ** -geometry.pull_falloff, 0.0)
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
