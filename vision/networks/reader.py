"""Which face each tile shows and which way up it lies: one batch of rectified crops through the reader network."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks.resize import shrink
from vision.networks.runtime import InferenceSession
from vision.photo import Photo
from vision.tiles import CLASSES, Detections, Floats, Tiles

Pixels = NDArray[np.uint8]

CROP = 64
"""Side of a crop in pixels."""
FACE = 54
"""Side of the square in the middle of the crop that the face is stretched to."""
AT_ONCE = 64
"""So many crops at most go through the network together: more would cost memory and save no time."""
CERTAIN = 0.99
"""Tiles read with a smaller probability are read again, from crops cut a little aside."""
ASIDE = ((0.04, 0.03), (-0.04, -0.03), (-0.03, 0.04), (0.03, -0.04))
"""How far aside, along the first side and the second, in sides."""
LEAST = 1e-6
"""No crop makes a face less likely than this."""
MOST_AGAIN = 16
"""So many are read again at most, the likeliest: what is unlikely in a photo of many is no tile of the hand."""
ENOUGH = 1.2
"""Tiles that are this many times larger than `FACE` in the photo's glance gain nothing from the whole photo."""


@dataclass(frozen=True, eq=False)
class Looks:
    """What the network makes of N crops.

    probabilities: float32 N×44 over `CLASSES`, rows sum to 1. turns: float32 N×4, how likely the tile is turned
    clockwise by so many quarters. features: float32 N×F, what the network tells faces apart by.
    """

    probabilities: Floats
    turns: Floats
    features: Floats


Weigh = Callable[[Looks], Looks]
"""A second opinion: the looks as they should be taken (see `vision.tilesets`)."""


class Reader:
    """Reads found tiles with one ONNX session."""

    def __init__(self, session: InferenceSession, weigh: Weigh | None = None) -> None:
        """Use the session of the network `reader` (see `vision.networks.sessions`); `weigh` has the last word."""
        self._session, self._weigh = session, weigh

    def look(self, crops: Pixels) -> Looks:
        """Return what the network makes of N×64×64×3 crops (see `cut_crops`), nothing weighed; N may be 0."""
        if not len(crops):
            return Looks(*(np.empty((0, width), np.float32) for width in (len(CLASSES), 4, 1)))
        batches = [crops[start : start + AT_ONCE] for start in range(0, len(crops), AT_ONCE)]
        looks = [self._session.run(["faces", "turns", "features"], {"pixels": batch}) for batch in batches]
        faces, turns, features = (np.concatenate(parts) for parts in zip(*looks, strict=True))
        return Looks(faces / faces.sum(1, keepdims=True), turns, features)

    def read(self, photo: Photo, detections: Detections) -> Tiles:
        """Return the tiles of a photo with the probabilities of their faces.

        The quads come back starting at the tile's own top left, as far as its face tells top from bottom.
        """
        if not len(detections):
            return Tiles.empty()
        looks = self._look_again(photo, detections.quads, self.look(cut_crops(photo, detections.quads)))
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
        """Return the looks with those at doubtful tiles averaged over several crops, each cut a little aside.

        A tile that is read right from where it was found is mostly read right from beside it too; one that is
        read wrong, not always. Averaged are logarithms, so that one crop can veto.
        """
        surest = first.probabilities.max(1)
        doubtful = np.flatnonzero(surest < CERTAIN)
        doubtful = doubtful[np.argsort(-surest[doubtful], kind="stable")][:MOST_AGAIN]
        if not len(doubtful):
            return first
        corners = quads[doubtful]
        along, across = (corners[:, [side]] - corners[:, [0]] for side in (1, 3))
        aside = np.concatenate([corners + u * along + v * across for u, v in ASIDE]).astype(np.float32)
        again = self.look(cut_crops(photo, aside))
        probabilities, turns = first.probabilities.copy(), first.turns.copy()
        for all_of_it, more in ((probabilities, again.probabilities), (turns, again.turns)):
            views = np.stack([all_of_it[doubtful], *np.split(more, len(ASIDE))])
            mean = np.exp(np.log(np.maximum(views, LEAST)).mean(0))
            all_of_it[doubtful] = mean / mean.sum(1, keepdims=True)
        return replace(first, probabilities=probabilities, turns=turns)


def cut_crops(photo: Photo, quads: Floats) -> Pixels:
    """Return N×64×64×3 crops: each quad stretched to the middle 54×54, its surroundings around it."""
    crops = np.empty((len(quads), CROP, CROP, 3), np.uint8)
    if not len(quads):
        return crops
    low, high = (CROP - FACE) / 2, (CROP + FACE) / 2
    square = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    sizes = np.sqrt([abs(cv2.contourArea(quad.astype(np.float32))) for quad in quads])
    pixels = photo.at_least(ENOUGH * FACE / float(np.median(sizes)))
    scale = np.array([pixels.shape[1] / photo.width, pixels.shape[0] / photo.height])
    quads, sizes = (quads * scale).astype(np.float32), sizes * scale.mean()
    # Large tiles are shrunk once for the whole photo: warping alone would skip pixels and show moiré.
    factor = min(1.0, 1.5 * FACE / float(np.median(sizes)))
    if factor < 0.8:
        margin, (bottom, right) = 0.5 * sizes.max(), pixels.shape[:2]
        # Of an outline outside the photo the pixels nearest to it are shown.
        origin = np.floor(quads.reshape(-1, 2).min(0) - margin).clip(0, (right - 1, bottom - 1)).astype(int)
        end = np.ceil(quads.reshape(-1, 2).max(0) + margin).clip(origin + 1, None).astype(int)
        region = pixels[origin[1] : end[1], origin[0] : end[0]]
        height, width = (max(round(side * factor), 1) for side in region.shape[:2])
        pixels, shown = shrink(region, width, height)
        scale = np.array([width, height]) / shown
        quads = ((quads - origin) * scale).astype(np.float32)
    for crop, quad in zip(crops, quads, strict=True):
        # The frame has pixel middles at halves, OpenCV at whole numbers.
        matrix = cv2.getPerspectiveTransform(quad.astype(np.float32) - 0.5, square - 0.5)
        cv2.warpPerspective(pixels, matrix, (CROP, CROP), dst=crop, borderMode=cv2.BORDER_REPLICATE)
    return crops
