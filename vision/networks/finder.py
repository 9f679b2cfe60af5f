"""The tiles of a photo, at the size for which the evidence is best.

A look shows tiles well only if they have about the right size in it. From too near, parts of a face, letters and the
squares of a mat look like tiles; from too far, a row looks like one. So the photo is also looked at from afar, and what
a look found is read before it is believed. Thresholds are in `vision.networks.limits`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import numpy as np
from numpy.typing import NDArray

from vision.networks.detector import Detector, Finds, insides
from vision.networks.limits import SIZES, SizeLimits
from vision.networks.presence import sizes_px, surely_read
from vision.networks.reader import Reader
from vision.photo import Photo
from vision.tiles import Detections, Tiles

Timed = Callable[[str], AbstractContextManager[None]]
"""Measures the time of a stage, "detect" or "read"."""


class Finder:
    """Finds and reads the tiles of photos with both networks."""

    def __init__(self, detector: Detector, reader: Reader, limits: SizeLimits = SIZES) -> None:
        """Use these networks."""
        self._detector, self._reader, self._limits = detector, reader, limits

    def find(self, photo: Photo, timed: Timed = lambda _: nullcontext()) -> Tiles:
        """Return the tiles of a photo, finds that are probably none included."""
        limits = self._limits
        first, far, *near = (
            self._detector.scale_of(photo, share) for share in (1.0, limits.far_look, *limits.near_looks)
        )
        looks = [self._look(photo, first, timed)]
        larger = self._larger(photo, far, looks[0], timed)
        if len(larger):
            with timed("detect"):
                around = self._detector.detect_around(photo, larger, far)
            looks.append(self._read(photo, around, timed))
        for scale in dict.fromkeys(each for each in near if each > first):
            if any(self._enough(look) for look in looks):
                break
            looks.append(self._look(photo, scale, timed))
        best = looks[int(np.argmax(evidence(looks, limits)))]
        return best.select(~parts_of_others(best, limits))

    def _larger(self, photo: Photo, scale: float, first: Tiles, timed: Timed) -> Finds:
        """The tiles that can be read from afar and that the first look missed, or took for something smaller."""
        with timed("detect"):
            far = self._detector.glance(photo, scale)
        news = far[news_of(far.quads, first, self._limits)]
        tiles = self._read(photo, Detections(news.quads, news.scores), timed)
        return news[surely_read(tiles, self._limits)]

    def _look(self, photo: Photo, scale: float, timed: Timed) -> Tiles:
        """What is found and read from a look at the whole photo at this scale, and from closer ones."""
        with timed("detect"):
            detections = self._detector.detect_at(photo, scale)
        return self._read(photo, detections, timed)

    def _read(self, photo: Photo, detections: Detections, timed: Timed) -> Tiles:
        with timed("read"):
            return self._reader.read(photo, detections)

    def _enough(self, look: Tiles) -> bool:
        sure = int(surely_read(look, self._limits).sum())
        return sure >= self._limits.handful and sure >= self._limits.mostly * len(look)


def evidence(looks: list[Tiles], limits: SizeLimits = SIZES) -> list[float]:
    """How much speaks for each look: its surely read faces, times their share of its finds.

    A find inside a larger one that is surely read in another look is a part of that tile, and speaks against its look.
    """
    found = []
    for look in looks:
        sure = surely_read(look, limits)
        for other in looks:
            large = other.select(surely_read(other, limits))
            sure &= ~_in_larger(look, large, limits).any(1)
        # The finds themselves decide where no face is sure.
        found.append(float(sure.sum()) ** 2 / max(len(look), 1) + min(len(look), limits.handful) * 1e-3)
    return found


def news_of(quads: NDArray[np.float32], look: Tiles, limits: SizeLimits = SIZES) -> NDArray[np.bool_]:
    """Which quads of a look from afar show a tile that the other look did not find, or found much smaller."""
    known = insides(quads, look.quads) & (sizes_px(look.quads)[None] > limits.part * sizes_px(quads)[:, None])
    return np.asarray(~known.any(1), dtype=bool)


def parts_of_others(tiles: Tiles, limits: SizeLimits = SIZES) -> NDArray[np.bool_]:
    """Which finds are parts of a larger one that is surely read."""
    large = tiles.select(surely_read(tiles, limits))
    return np.asarray(_in_larger(tiles, large, limits).any(1), dtype=bool)


def _in_larger(tiles: Tiles, large: Tiles, limits: SizeLimits) -> NDArray[np.bool_]:
    """N×M: whether the centre of a find lies inside a much larger one."""
    smaller = sizes_px(tiles.quads)[:, None] < limits.part * sizes_px(large.quads)[None]
    return np.asarray(insides(large.quads, tiles.quads).T & smaller)
