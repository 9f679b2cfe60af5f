"""Where the tiles are: a first look at the whole photo, then a closer one at full resolution where they lie.

Framing, not megapixels, decides what a network can find: the first look only has to see that there are tiles and
about how large; a closer one shows the network the region that holds them at the tile size it reads best. If that was
guessed from tiles too small to tell, it is done again. Thresholds are in `vision.networks.limits`.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks.limits import DETECTION, DetectionLimits
from vision.networks.resize import shrink
from vision.networks.runtime import InferenceSession
from vision.photo import Photo
from vision.tiles import Detections, Floats

Region = tuple[float, float, float, float]
"""Left, top, right and bottom of a part of the photo, in its pixels."""

STRIDE = 4
"""Pixels between neighbouring cells of the network's maps; follows from the network."""
SIDE_MULTIPLE = 16
"""The sides of what the network is shown are multiples of this many pixels; follows from the network."""
OUTSIDE_GREY = 114
"""What surrounds the photo if the network needs more: the grey of the training crops' border."""


@dataclass(frozen=True)
class Finds:
    """What one look found: parallelograms N×4×2 in pixels of the upright photo, and scores from 0 to 1."""

    quads: Floats
    scores: Floats

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.scores)

    def __getitem__(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> "Finds":
        """Return the finds that a mask or an index array selects."""
        return Finds(self.quads[which], self.scores[which])

    @property
    def sizes_px(self) -> Floats:
        """Square root of each find's area."""
        first, second = self.quads[:, 2] - self.quads[:, 0], self.quads[:, 3] - self.quads[:, 1]
        area = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2
        return np.asarray(np.sqrt(area), dtype=np.float32)


class Detector:
    """Finds tiles in photos with one ONNX session."""

    def __init__(self, session: InferenceSession, limits: DetectionLimits = DETECTION) -> None:
        """Use the session of the network `detector` (see `vision.networks.sessions`)."""
        self._session, self._limits = session, limits

    def detect(self, photo: Photo) -> Detections:
        """Return the tiles of a photo, face up or face down; where finds are read too, `Finder` knows better.

        Quads are in pixels of the photo, clockwise, the side nearest to horizontal first; the reader finds out which
        way up a face is printed.
        """
        limits = self._limits
        best = Detections.empty()
        for scale in dict.fromkeys(self.scale_of(photo, share) for share in limits.whole_looks):
            found = self.detect_at(photo, scale)
            if len(found) >= limits.handful or not len(best):
                best = found
            if len(best) >= limits.handful:
                break
        return best

    def detect_at(self, photo: Photo, scale: float) -> Detections:
        """Return the tiles found from a look at the whole photo, and from closer ones where they turned out to lie."""
        finds = self._look_closer(photo, scale)
        return Detections(as_large_as_their_neighbours(finds, self._limits), finds.scores)

    def glance(self, photo: Photo, scale: float, score: float | None = None) -> Finds:
        """Return what a single look at the whole photo finds with at least this score, by default the sure finds."""
        whole = (0.0, 0.0, float(photo.width), float(photo.height))
        finds = self._look(photo, whole, scale)
        return finds[finds.scores >= (self._limits.sure if score is None else score)]

    def detect_around(self, photo: Photo, known: Finds, scale: float) -> Detections:
        """Return the tiles found from one closer look around tiles known from a look at this scale."""
        finds = self._look(photo, *_closer(photo, known, scale, self._limits))
        finds = finds[finds.scores >= self._limits.sure]
        return Detections(as_large_as_their_neighbours(finds, self._limits), finds.scores)

    def scale_of(self, photo: Photo, share: float) -> float:
        """The scale of a look at the whole photo: a share of the first look's, unless that shows too many pixels."""
        limits = self._limits
        fits = float(np.sqrt(limits.most_pixels / photo.width / photo.height))
        longest = max(photo.width, photo.height)
        return min(share * limits.first_look_px / longest, limits.whole_look_scale, fits)

    def _look_closer(self, photo: Photo, scale: float) -> Finds:
        """Return the sure finds of a look at the whole photo, after closer ones where the tiles turned out to lie."""
        limits = self._limits
        look: tuple[Region, float] = ((0.0, 0.0, float(photo.width), float(photo.height)), scale)
        finds = self._look(photo, *look)
        least, most = limits.near_enough
        for _ in range(limits.closer_looks):
            sure = finds[finds.scores >= limits.sure]
            if not len(sure) or least <= look[1] * float(np.median(sure.sizes_px)) / limits.tile_px <= most:
                break
            before, look = look, _closer(photo, finds, look[1], limits)
            if look == before:
                break  # no look may show more pixels, and this one did already
            finds = self._look(photo, *look)
            if look[1] > limits.full_detail:
                break
            least, most = limits.large_enough, np.inf
        return finds[finds.scores >= limits.sure]

    def _look(self, photo: Photo, region: Region, scale: float) -> Finds:
        """Run the network on the region (x0, y0, x1, y1) of the photo, scaled; finds in photo pixels."""
        pixels = photo.at_least(scale)
        per_pixel = np.array([photo.width / pixels.shape[1], photo.height / pixels.shape[0]], np.float32)
        x0, y0 = (int(low / step) for low, step in zip(region[:2], per_pixel, strict=True))
        x1, y1 = (int(np.ceil(high / step)) for high, step in zip(region[2:], per_pixel, strict=True))
        part = pixels[y0:y1, x0:x1]
        width = max(round((x1 - x0) * per_pixel[0] * scale), 1)
        height = max(round((y1 - y0) * per_pixel[1] * scale), 1)
        smaller = width <= part.shape[1]
        if smaller:
            shown, seen = shrink(part, width, height)
        else:
            shown = np.asarray(cv2.resize(part, (width, height)), np.uint8)
            seen = (part.shape[1], part.shape[0])
        canvas = np.full((_rounded_up(height), _rounded_up(width), 3), OUTSIDE_GREY, np.uint8)
        canvas[:height, :width] = shown
        peaks, geometry = self._session.run(None, {"pixels": canvas[None]})
        finds = _finds_of(np.asarray(peaks)[0], np.asarray(geometry)[0], self._limits)
        # What is more than half outside the picture cannot be read, and there may be no photo where it lies.
        middles = finds.quads.mean(1)
        inside = ((middles > 0) & (middles < (width, height))).all(1)
        small = finds.sizes_px**2 < self._limits.largest * width * height
        finds = without_doubles(finds[inside & small], self._limits)
        per_shown = np.array([seen[0] / width, seen[1] / height], np.float32)
        quads = (finds.quads * per_shown + np.array([x0, y0], np.float32)) * per_pixel
        return Finds(quads, finds.scores)


def _rounded_up(side_px: int) -> int:
    """The next side that the network takes."""
    return -(-side_px // SIDE_MULTIPLE) * SIDE_MULTIPLE


def _closer(photo: Photo, first: Finds, first_scale: float, limits: DetectionLimits) -> tuple[Region, float]:
    """Return where the tiles lie of which a look found some, and the scale that shows them as they are read best."""
    sure = first[first.scores >= limits.sure]
    size = float(np.median(sure.sizes_px))
    smallest, largest = limits.likely_sizes
    likely = first[
        (first.scores >= limits.faint)
        & (first.sizes_px > smallest * size)
        & (first.sizes_px < largest * size)
    ]
    around = np.concatenate([sure.quads, likely.quads]).reshape(-1, 2)
    # If tiles were seen too small to find them all, the rest of their row lies beyond the finds.
    margin = (limits.margin if size * first_scale > limits.small_px else limits.wide_margin) * size
    low = np.maximum(around.min(0) - margin, 0)
    high = np.minimum(around.max(0) + margin, (photo.width, photo.height))
    fits = float(np.sqrt(limits.most_pixels / np.prod(high - low)))
    scale = min(limits.tile_px / size, fits, limits.closer_scale)
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1])), scale


def _finds_of(peaks: Floats, geometry: Floats, limits: DetectionLimits) -> Finds:
    """Return the finds of one pair of maps, 2×h×w and 6×h×w, in pixels of the shown picture."""
    best = peaks.max(0)
    rows, columns = np.nonzero(best >= limits.faint)
    values = geometry[:, rows, columns].T
    centres = np.stack([columns, rows], 1) + 0.5 + values[:, :2]
    u, v = values[:, 2:4], values[:, 4:6]
    quads = np.stack([centres - u - v, centres + u - v, centres + u + v, centres - u + v], 1) * STRIDE
    finds = Finds(quads.astype(np.float32), best[rows, columns].astype(np.float32))
    # A quarter of the area in cells of the maps, negative if the corners run the wrong way round.
    quarter = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    return finds[quarter > (limits.smallest_px / (2 * STRIDE)) ** 2]


def without_doubles(finds: Finds, limits: DetectionLimits = DETECTION) -> Finds:
    """Return the surest finds without those whose centre lies well inside a better one, or that hold its centre."""
    finds = finds[np.argsort(-finds.scores, kind="stable")[: limits.most_finds]]
    doubles = _same_place(finds.quads, limits)
    kept = np.ones(len(finds), bool)
    for index in range(len(finds)):
        if kept[index]:
            kept[index + 1 :] &= ~doubles[index, index + 1 :]
    return finds[kept]


def as_large_as_their_neighbours(finds: Finds, limits: DetectionLimits = DETECTION) -> Floats:
    """Return the quads; those much smaller than the ones around them are enlarged about their centres.

    Tiles of a set are of one size; a face with little on it, seen aslant, is outlined too tightly at times.
    """
    sizes, middles = finds.sizes_px, finds.quads.mean(1)
    apart = np.hypot(*(middles[None] - middles[:, None]).transpose(2, 0, 1))
    near = (apart < limits.neighbour * np.maximum(sizes, sizes[:, None])) & ~np.eye(len(finds), dtype=bool)
    beside = np.flatnonzero(near.sum(1) >= limits.neighbours)
    around = sizes.copy()
    around[beside] = np.nanmedian(np.where(near[beside], sizes, np.nan), axis=1) if len(beside) else 0
    factor = np.where(sizes < limits.much_smaller * around, around / sizes, 1.0)[:, None, None]
    return np.asarray(middles[:, None] + (finds.quads - middles[:, None]) * factor, np.float32)


def insides(quads: Floats, others: Floats) -> NDArray[np.bool_]:
    """Return N×M: whether the centre of each other parallelogram lies inside each of the N."""
    along, across = _reaches(quads, others.mean(1))
    return np.asarray(np.maximum(np.abs(along), np.abs(across)) < 1)


def _reaches(quads: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Return N×M twice: how far each point lies from the centre of each parallelogram along its half axes.

    Seen from its centre, a parallelogram reaches from -1 to 1 along either half axis.
    """
    u, v = (quads[:, 1] - quads[:, 0]) / 2, (quads[:, 3] - quads[:, 0]) / 2
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    step = points[None] - quads.mean(1)[:, None]
    along = (step[..., 0] * v[:, None, 1] - step[..., 1] * v[:, None, 0]) / area[:, None]
    across = (u[:, None, 0] * step[..., 1] - u[:, None, 1] * step[..., 0]) / area[:, None]
    return along, across


def _same_place(quads: Floats, limits: DetectionLimits) -> NDArray[np.bool_]:
    """Return N×N: whether two of N parallelograms show one tile, the centre of one lying well inside the other."""
    along, across = _reaches(quads, quads.mean(1))
    inside = np.maximum(np.abs(along), np.abs(across)) < limits.well_inside
    return np.asarray(inside | inside.T)
