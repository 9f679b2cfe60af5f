"""Which face each tile shows and which way up it lies: one batch of rectified crops through the reader network.

Thresholds are in `vision.networks.limits`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.networks.limits import READING, ReadingLimits
from vision.networks.resize import shrink
from vision.networks.runtime import InferenceSession
from vision.photo import Photo
from vision.tiles import CLASSES, Detections, Floats, Pixels, Tiles

CROP = 64
"""Side of a crop in pixels; follows from the network."""
FACE = 54
"""Side of the square in the middle of the crop that the face is stretched to; as in training."""


@dataclass(frozen=True, eq=False)
class Looks:
    """What the network makes of N crops.

    probabilities: float32 N×44 over `CLASSES`, rows sum to 1. turns: float32 N×4, how likely the tile is turned
    clockwise by 0 to 3 quarters. features: float32 N×F, by which the network distinguishes faces.
    """

    probabilities: Floats
    turns: Floats
    features: Floats


Weigh = Callable[[Looks], Looks]
"""Takes looks and returns them corrected, as a tile set does (see `vision.tilesets`)."""


class Reader:
    """Reads found tiles with one ONNX session."""

    def __init__(
        self, session: InferenceSession, weigh: Weigh | None = None, limits: ReadingLimits = READING
    ) -> None:
        """Use the session of the network `reader` (see `vision.networks.sessions`); `weigh` has the last word."""
        self._session, self._weigh, self._limits = session, weigh, limits

    def look(self, crops: Pixels) -> Looks:
        """Return what the network makes of N×64×64×3 crops (see `cut_crops`); N may be 0."""
        if not len(crops):
            return Looks(*(np.empty((0, width), np.float32) for width in (len(CLASSES), 4, 1)))
        most = self._limits.at_once
        batches = [crops[start : start + most] for start in range(0, len(crops), most)]
        looks = [self._session.run(["faces", "turns", "features"], {"pixels": batch}) for batch in batches]
        faces, turns, features = (np.concatenate(parts) for parts in zip(*looks, strict=True))
        return Looks(faces / faces.sum(1, keepdims=True), turns, features)

    def read(self, photo: Photo, detections: Detections) -> Tiles:
        """Return the tiles of a photo with the probabilities of their faces.

        The quads come back starting at the tile's own top left, as far as its face tells top from bottom.
        """
        if not len(detections):
            return Tiles.empty()
        looks = self._look_again(
            photo, detections.quads, self.look(cut_crops(photo, detections.quads, self._limits))
        )
        if self._weigh is not None:
            looks = self._weigh(looks)
        quads = np.stack(
            [
                np.roll(quad, -int(turn), axis=0)
                for quad, turn in zip(detections.quads, looks.turns.argmax(1), strict=True)
            ]
        )
        return Tiles(quads, looks.probabilities, detections.scores)

    def _look_again(self, photo: Photo, quads: Floats, first: Looks) -> Looks:
        """Return the looks with those at doubtful tiles averaged over several crops, each shifted a little.

        A tile that is read correctly from where it was found is mostly read correctly from beside it too; one that is
        misread, not always. Logarithms are averaged, so that one crop can veto.
        """
        limits = self._limits
        surest = first.probabilities.max(1)
        doubtful = np.flatnonzero(surest < limits.certain)
        # The likeliest: what is unlikely in a photo of many tiles is no tile of the hand.
        doubtful = doubtful[np.argsort(-surest[doubtful], kind="stable")][: limits.most_again]
        if not len(doubtful):
            return first
        corners = quads[doubtful]
        along, across = (corners[:, [side]] - corners[:, [0]] for side in (1, 3))
        shifted = np.concatenate([corners + u * along + v * across for u, v in limits.aside])
        again = self.look(cut_crops(photo, shifted.astype(np.float32), limits))
        probabilities, turns = first.probabilities.copy(), first.turns.copy()
        for all_of_it, more in ((probabilities, again.probabilities), (turns, again.turns)):
            views = np.stack([all_of_it[doubtful], *np.split(more, len(limits.aside))])
            mean = np.exp(np.log(np.maximum(views, limits.least)).mean(0))
            all_of_it[doubtful] = mean / mean.sum(1, keepdims=True)
        return replace(first, probabilities=probabilities, turns=turns)


def cut_crops(photo: Photo, quads: Floats, limits: ReadingLimits = READING) -> Pixels:
    """Return N×64×64×3 crops: each quad stretched to the middle 54×54, its surroundings around it."""
    crops = np.empty((len(quads), CROP, CROP, 3), np.uint8)
    if not len(quads):
        return crops
    low, high = (CROP - FACE) / 2, (CROP + FACE) / 2
    square = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    pixels, quads = _shrunk(photo, quads, limits)
    for crop, quad in zip(crops, quads, strict=True):
        # In our frame pixel centres lie at halves, in OpenCV's at whole numbers.
        matrix = cv2.getPerspectiveTransform(quad.astype(np.float32) - 0.5, square - 0.5)
        cv2.warpPerspective(pixels, matrix, (CROP, CROP), dst=crop, borderMode=cv2.BORDER_REPLICATE)
    return crops


def _shrunk(photo: Photo, quads: Floats, limits: ReadingLimits) -> tuple[Pixels, Floats]:
    """Return pixels from which faces can be warped, and the quads in them.

    Large tiles are shrunk once for the whole photo: warping alone would skip pixels and show moiré.
    """
    sizes = np.sqrt([abs(cv2.contourArea(quad.astype(np.float32))) for quad in quads])
    pixels = photo.at_least(limits.enough_detail * FACE / float(np.median(sizes)))
    scale = np.array([pixels.shape[1] / photo.width, pixels.shape[0] / photo.height])
    quads, sizes = (quads * scale).astype(np.float32), sizes * scale.mean()
    factor = min(1.0, limits.shrunk_to * FACE / float(np.median(sizes)))
    if factor >= limits.worth_shrinking:
        return pixels, quads
    margin, (bottom, right) = limits.surroundings * sizes.max(), pixels.shape[:2]
    # Of an outline outside the photo the nearest pixels are shown.
    origin = np.floor(quads.reshape(-1, 2).min(0) - margin).clip(0, (right - 1, bottom - 1)).astype(int)
    end = np.ceil(quads.reshape(-1, 2).max(0) + margin).clip(origin + 1, None).astype(int)
    region = pixels[origin[1] : end[1], origin[0] : end[0]]
    height, width = (max(round(side * factor), 1) for side in region.shape[:2])
    smaller, shown = shrink(region, width, height)
    return smaller, ((quads - origin) * (np.array([width, height]) / shown)).astype(np.float32)
