"""Which finds are tiles: finds of no tile are dropped, and of several finds of one tile the surest is kept."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout.geometry import DOUBLES, Doubles
from vision.tiles import BACK, CLASS_INDEX, NONE, WHITE_DRAGON, Tiles

_BLANK = [CLASS_INDEX[face] for face in (WHITE_DRAGON, BACK)]


def distinct(tiles: Tiles, limits: Doubles = DOUBLES) -> NDArray[np.int_]:
    """Return the indices, ascending, of the finds that are tiles, each tile once."""
    none = tiles.probabilities[:, CLASS_INDEX[NONE]]
    centres = tiles.quads.astype(np.float64).mean(axis=1)
    areas = np.array([cv2.contourArea(quad) for quad in tiles.quads], dtype=np.float64)
    smaller = np.minimum(areas[:, None], areas[None])
    distance = np.hypot(*(centres[None] - centres[:, None]).transpose(2, 0, 1))
    same_spot = distance < limits.same_spot * np.sqrt(smaller)
    near = distance < limits.compared * np.sqrt(np.maximum(areas[:, None], areas[None]))
    rivals: list[list[int]] = [[] for _ in areas]
    for index, other in np.argwhere(near).tolist():
        rivals[index].append(other)
    blank = tiles.probabilities[:, _BLANK].sum(1) > limits.blank
    enough = np.where(blank & (tiles.scores < limits.faint), limits.overlaps, limits.covered)
    kept: set[int] = set()
    for index in np.argsort(-tiles.scores * (1 - none), kind="stable").tolist():
        if none[index] < limits.not_a_tile and not any(
            same_spot[index, other]
            or cv2.intersectConvexConvex(tiles.quads[other], tiles.quads[index])[0]
            > enough[index] * smaller[index, other]
            for other in rivals[index]
            if other in kept
        ):
            kept.add(index)
    return np.array(sorted(kept), dtype=np.int_)
