"""Where the tiles are: a first look at the whole photo, then a closer one at full resolution where they lie.

Framing, not megapixels, decides what a network can find: the first look only has to see that there are tiles and
about how large; a closer one shows the network the region that holds them at the tile size it reads best. Where that
was guessed from tiles too small to tell, it is done once more.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks.resize import shrink
from vision.networks.runtime import InferenceSession
from vision.photo import Photo
from vision.tiles import Detections, Floats

Pixels = NDArray[np.uint8]
Region = tuple[float, float, float, float]
"""Left, top, right and bottom of a part of the photo, in its pixels."""

STRIDE = 4
"""Pixels between neighbouring cells of the network's maps."""
FIRST_LOOK_PX = 448
"""Longer side of the whole photo in the first look."""
TILE_PX = 40.0
"""Size (square root of the area) at which tiles are shown in a closer look."""
SMALL_PX = 16.0
"""Tiles smaller than this in a look may be missed there."""
MOST_PIXELS = 1_600_000
"""No look shows more pixels than this, whatever the tiles' size."""
NEAR_ENOUGH = (0.9, 1.6)
"""Where the first look showed the tiles at this many times `TILE_PX`, a closer one would show no more."""
AS_MEANT = (0.75, np.inf)
"""A closer look that shows the tiles at this many times `TILE_PX` shows them about as large as it was to."""
FULL_DETAIL = 0.8
"""A look at this scale or a larger one showed all that is in the photo."""
CLOSER_LOOKS = 3
"""So many at most; each tells better than the one before how large tiny tiles are."""
WHOLE_LOOKS = (1, 2, 4, 1 / 3)
"""Looks at the whole photo, in shares of the first: where it finds few or none, from nearer, at last from afar."""
A_HANDFUL = 4
"""Where a look finds fewer tiles, it may have been fooled by something else: a row far away looks like one tile."""
SURE = 0.35
"""Score from which a find is reported."""
FAINT = 0.12
"""Score from which a find may widen the region of a closer look."""
MOST_FINDS = 1000
"""So many of one look are kept at most, the surest: far more than lie in any photo of tiles, not what a mesh shows."""
LARGEST = 1.5
"""No tile is larger than so many times the picture it is seen in."""
NEIGHBOUR = 2.5
"""Tiles nearer than this many times the larger one's size are neighbours."""
MUCH_SMALLER = 0.85
"""A find smaller than this share of its neighbours' size is a tile outlined too tightly."""
WELL_INSIDE = 0.55
"""A centre within this share of the way from another tile's middle to its edges is that tile's, found twice."""
OUTSIDE_GREY = 114
"""What surrounds the photo where the network needs more: the grey of the training crops' border."""


@dataclass(frozen=True)
class Finds:
    """What one look found: parallelograms N×4×2 in pixels of the upright photo, scores and face-down odds, 0 to 1."""

    quads: Floats
    scores: Floats
    back: NDArray[np.bool_]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.scores)

    def __getitem__(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> "Finds":
        """Return the finds that a mask or an index array selects."""
        return Finds(self.quads[which], self.scores[which], self.back[which])

    @property
    def sizes_px(self) -> Floats:
        """Square root of each find's area."""
        first, second = self.quads[:, 2] - self.quads[:, 0], self.quads[:, 3] - self.quads[:, 1]
        area = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2
        return np.asarray(np.sqrt(area), dtype=np.float32)


class Detector:
    """Finds tiles in photos with one ONNX session."""

    def __init__(self, session: InferenceSession) -> None:
        """Use the session of the network `detector` (see `vision.networks.sessions`)."""
        self._session = session

    def detect(self, photo: Photo) -> Detections:
        """Return the tiles of a photo, face up or face down.

        Quads are in pixels of the photo, clockwise, the side nearest to horizontal first; which way up a face is
        printed, the reader tells.
        """
        longest = max(photo.width, photo.height)
        most = min(2.0, float(np.sqrt(MOST_PIXELS / photo.width / photo.height)))
        best = Finds(np.empty((0, 4, 2), np.float32), np.empty(0, np.float32), np.empty(0, bool))
        for scale in dict.fromkeys(min(share * FIRST_LOOK_PX / longest, most) for share in WHOLE_LOOKS):
            finds = self._look_at_all(photo, scale)
            if len(finds) >= A_HANDFUL or not len(best):
                best = finds
            if len(best) >= A_HANDFUL:
                break
        return Detections(_as_large_as_their_neighbours(best), best.scores)

    def _look_at_all(self, photo: Photo, scale: float) -> Finds:
        """Return the sure finds of a look at the whole photo, after closer ones where the tiles turned out to lie."""
        look: tuple[Region, float] = ((0.0, 0.0, float(photo.width), float(photo.height)), scale)
        finds = self._look(photo, *look)
        least, most = NEAR_ENOUGH
        for _ in range(CLOSER_LOOKS):
            sure = finds[finds.scores >= SURE]
            if not len(sure) or least <= look[1] * float(np.median(sure.sizes_px)) / TILE_PX <= most:
                break
            before, look = look, _closer(photo, finds, look[1])
            if look == before:
                break  # no look may show more pixels, and this one did already
            finds = self._look(photo, *look)
            if look[1] > FULL_DETAIL:
                break
            least, most = AS_MEANT
        return finds[finds.scores >= SURE]

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
        canvas = np.full((-(-height // 16) * 16, -(-width // 16) * 16, 3), OUTSIDE_GREY, np.uint8)
        canvas[:height, :width] = shown
        peaks, geometry = self._session.run(None, {"pixels": canvas[None]})
        finds = _finds_of(np.asarray(peaks)[0], np.asarray(geometry)[0])
        # What is more than half outside the picture cannot be read, and there may be no photo where it lies.
        middles = finds.quads.mean(1)
        inside = ((middles > 0) & (middles < (width, height))).all(1)
        finds = _without_doubles(finds[inside & (finds.sizes_px**2 < LARGEST * width * height)])
        per_shown = np.array([seen[0] / width, seen[1] / height], np.float32)
        quads = (finds.quads * per_shown + np.array([x0, y0], np.float32)) * per_pixel
        return Finds(quads, finds.scores, finds.back)


def _closer(photo: Photo, first: Finds, first_scale: float) -> tuple[Region, float]:
    """Return where the tiles lie of which a look found some, and the scale that shows them as they are read best."""
    sure = first[first.scores >= SURE]
    size = float(np.median(sure.sizes_px))
    likely = first[(first.scores >= FAINT) & (first.sizes_px > 0.4 * size) & (first.sizes_px < 2.5 * size)]
    around = np.concatenate([sure.quads, likely.quads]).reshape(-1, 2)
    # Where tiles were seen too small to find them all, the rest of their row lies beyond the finds.
    margin = (1.3 if size * first_scale > SMALL_PX else 5.0) * size
    low = np.maximum(around.min(0) - margin, 0)
    high = np.minimum(around.max(0) + margin, (photo.width, photo.height))
    scale = min(TILE_PX / size, float(np.sqrt(MOST_PIXELS / np.prod(high - low))), 2.5)
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1])), scale


def _finds_of(peaks: Floats, geometry: Floats) -> Finds:
    """Return the finds of one pair of maps, 2×h×w and 6×h×w, in pixels of the shown picture."""
    best = peaks.max(0)
    rows, columns = np.nonzero(best >= FAINT)
    values = geometry[:, rows, columns].T
    centres = np.stack([columns, rows], 1) + 0.5 + values[:, :2]
    u, v = values[:, 2:4], values[:, 4:6]
    quads = np.stack([centres - u - v, centres + u - v, centres + u + v, centres - u + v], 1) * STRIDE
    back = peaks[1, rows, columns] > peaks[0, rows, columns]
    finds = Finds(quads.astype(np.float32), best[rows, columns].astype(np.float32), back)
    turning = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    return finds[(turning > 1.0) & (finds.sizes_px > 6)]


def _without_doubles(finds: Finds) -> Finds:
    """Return the surest finds without those whose centre lies well inside a better one, or that hold its centre."""
    finds = finds[np.argsort(-finds.scores, kind="stable")[:MOST_FINDS]]
    doubles = _same_place(finds.quads)
    kept = np.ones(len(finds), bool)
    for index in range(len(finds)):
        if kept[index]:
            kept[index + 1 :] &= ~doubles[index, index + 1 :]
    return finds[kept]


def _as_large_as_their_neighbours(finds: Finds) -> Floats:
    """Return the quads, those enlarged about their middles that came out much smaller than the ones around them.

    Tiles of a set are of one size; a face with little on it, seen aslant, is outlined too tightly at times.
    """
    sizes, middles = finds.sizes_px, finds.quads.mean(1)
    apart = np.hypot(*(middles[None] - middles[:, None]).transpose(2, 0, 1))
    near = (apart < NEIGHBOUR * np.maximum(sizes, sizes[:, None])) & ~np.eye(len(finds), dtype=bool)
    beside = np.flatnonzero(near.sum(1) >= 2)
    around = sizes.copy()
    around[beside] = np.nanmedian(np.where(near[beside], sizes, np.nan), axis=1) if len(beside) else 0
    factor = np.where(sizes < MUCH_SMALLER * around, around / sizes, 1.0)[:, None, None]
    return np.asarray(middles[:, None] + (finds.quads - middles[:, None]) * factor, np.float32)


def _same_place(quads: Floats) -> NDArray[np.bool_]:
    """Return N×N: whether two of N parallelograms show one tile, the centre of one lying well inside the other.

    Seen from its middle, a parallelogram reaches from -1 to 1 along either half axis.
    """
    u, v = (quads[:, 1] - quads[:, 0]) / 2, (quads[:, 3] - quads[:, 0]) / 2
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    centres = quads.mean(1)
    step = centres[None] - centres[:, None]
    along = (step[..., 0] * v[:, None, 1] - step[..., 1] * v[:, None, 0]) / area[:, None]
    across = (u[:, None, 0] * step[..., 1] - u[:, None, 1] * step[..., 0]) / area[:, None]
    inside = np.maximum(np.abs(along), np.abs(across)) < WELL_INSIDE
    return np.asarray(inside | inside.T)
