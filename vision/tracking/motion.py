"""How the camera moved between two frames, told from the tiles that both show.

Tiles in a row look alike and lie a tile's width apart, so that places alone cannot tell a camera that stood still from
one that moved by a tile. Faces can: pairs of tiles of one face propose motions, and the motion under which most tiles
lie on a tile of their own face wins.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles import Floats, Tiles
from vision.tracking.limits import MOTION, MotionLimits

Matrix = NDArray[np.float64]
"""Two rows of three numbers: what takes (x, y, 1) in one frame to (x, y) in another."""

STANDING_STILL: Matrix = np.eye(2, 3)
STANDING_STILL.flags.writeable = False

_Places = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class Motion:
    """A camera's motion, and which tiles it was told from.

    matrix: takes places in the earlier frame to the later one. pairs: K×2 rows of the earlier and the later table.
    """

    matrix: Matrix
    pairs: NDArray[np.intp]


def moved(quads: Floats, matrix: Matrix) -> Floats:
    """Return N×4×2 quads as another frame shows them."""
    return (quads @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32)


def motion_between(earlier: Tiles, later: Tiles, limits: MotionLimits = MOTION) -> Motion | None:
    """Return how the camera moved; None if the frames do not show the same tiles."""
    if not len(earlier) or not len(later):
        return None
    alike = earlier.probabilities.astype(np.float64) @ later.probabilities.T.astype(np.float64)
    start = _best_similarity(earlier, later, alike, limits)
    pairs = _pairs(moved(earlier.quads, start), later.quads, alike, limits)
    # The first motion follows two tiles. All that it brings together make it better, and may bring more together.
    matrix = start
    for _ in range(2):
        if len(pairs):
            matrix = _fitted(earlier.quads[pairs[:, 0]], later.quads[pairs[:, 1]], matrix)
            pairs = _pairs(moved(earlier.quads, matrix), later.quads, alike, limits)
    if len(pairs) < limits.least_share * min(len(earlier), len(later)):
        return None
    return Motion(matrix, pairs)


def _middles(quads: Floats) -> _Places:
    middles = quads.astype(np.float64).mean(axis=1)
    return np.asarray(middles[:, 0] + 1j * middles[:, 1])


def _sizes(quads: Floats) -> NDArray[np.float64]:
    first, second = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    area = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2
    return np.asarray(np.sqrt(area), np.float64)


def _best_similarity(
    earlier: Tiles, later: Tiles, alike: NDArray[np.float64], limits: MotionLimits
) -> Matrix:
    """The motion without change of perspective under which most tiles lie on tiles of their face."""
    old, new = _middles(earlier.quads), _middles(later.quads)
    grown, shift = _proposals(earlier, later, alike, limits)
    expected = grown[:, None] * old[None] + shift[:, None]
    reach = limits.same_place * _sizes(later.quads)
    best = np.zeros(len(grown))
    for row in range(len(old)):
        apart = np.abs(expected[:, row, None] - new[None]) / reach
        # Of two motions that bring the same tiles together, the one that brings them nearer.
        gain = np.where(apart < 1, (limits.by_place + alike[row]) * (1 - apart**2 / 2), 0)
        best += gain.max(axis=1)
    a, b = grown[best.argmax()], shift[best.argmax()]
    return np.array([[a.real, -a.imag, b.real], [a.imag, a.real, b.imag]])


def _proposals(
    earlier: Tiles, later: Tiles, alike: NDArray[np.float64], limits: MotionLimits
) -> tuple[_Places, _Places]:
    """Motions to try, z → a·z + b: none at all, those of one pair of tiles, and those of two."""
    old, new = _middles(earlier.quads), _middles(later.quads)
    # A face that lies on the table once tells more than one that lies there four times.
    rows, columns = np.unravel_index(
        np.argsort(-alike / (alike.sum(0)[None] + alike.sum(1)[:, None]), axis=None), alike.shape
    )
    rows, columns = rows[: limits.surest_pairs], columns[: limits.surest_pairs]
    one, other = np.triu_indices(len(rows), 1)
    apart = old[rows[one]] - old[rows[other]]
    usable = (rows[one] != rows[other]) & (columns[one] != columns[other])
    usable &= np.abs(apart) > _sizes(earlier.quads)[rows[one]]
    one, other, apart = one[usable], other[usable], apart[usable]
    grown = (new[columns[one]] - new[columns[other]]) / apart
    smallest, largest = limits.zoom
    size = np.abs(grown)
    likely = (size > smallest) & (size < largest) & (np.abs(np.angle(grown, deg=True)) < limits.turn)
    grown, one = grown[likely], one[likely]
    alone = (_sizes(later.quads)[columns] / _sizes(earlier.quads)[rows]).astype(np.complex128)
    every = np.concatenate([[1.0 + 0j], np.ones(len(rows)), alone, grown])
    from_old = np.concatenate([[0.0 + 0j], old[rows], old[rows], old[rows[one]]])
    to_new = np.concatenate([[0.0 + 0j], new[columns], new[columns], new[columns[one]]])
    return every, to_new - every * from_old


def _pairs(
    expected: Floats, quads: Floats, alike: NDArray[np.float64], limits: MotionLimits
) -> NDArray[np.intp]:
    """Which expected tile is which found one, each at most once, the nearest first."""
    apart = np.abs(_middles(expected)[:, None] - _middles(quads)[None]) / _sizes(quads)[None]
    order = np.argsort(apart - limits.by_place * alike, axis=None, kind="stable")
    taken: tuple[set[int], set[int]] = (set(), set())
    pairs = []
    for row, column in zip(*np.unravel_index(order, apart.shape), strict=True):
        if apart[row, column] < limits.same_place and row not in taken[0] and column not in taken[1]:
            taken[0].add(row)
            taken[1].add(column)
            pairs.append((row, column))
    return np.array(sorted(pairs), dtype=np.intp).reshape(-1, 2)


def _fitted(earlier: Floats, later: Floats, fallback: Matrix) -> Matrix:
    """The affine motion that takes the corners of quads to those of others; strangers among them do not count."""
    start = _turned_alike(moved(earlier, fallback), later)
    spread = 0.25 * float(np.median(_sizes(later)))
    matrix, _ = cv2.estimateAffine2D(
        earlier.reshape(-1, 2), start.reshape(-1, 2), method=cv2.RANSAC, ransacReprojThreshold=spread
    )
    return fallback if matrix is None else np.asarray(matrix, np.float64)


def _turned_alike(expected: Floats, quads: Floats) -> Floats:
    """The quads, each beginning at the corner that lies nearest to the first corner expected."""
    turns = np.stack([np.roll(quads, -turn, axis=1) for turn in range(4)])
    nearest = np.linalg.norm(turns - expected[None], axis=3).sum(axis=2).argmin(axis=0)
    return np.asarray(turns[nearest, np.arange(len(quads))], np.float32)
