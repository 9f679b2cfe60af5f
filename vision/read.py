"""Which face each tile shows and which way up it lies: one batch of rectified crops through the reader network."""

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.tiles import Detections, Floats, Tiles

Pixels = NDArray[np.uint8]

CROP = 80
"""Side of a crop in pixels."""
FACE = 64
"""Side of the square in the middle of the crop that the face is stretched to."""


class Reader:
    """Reads found tiles with one ONNX session."""

    def __init__(self, session: onnxruntime.InferenceSession) -> None:
        """Use the session of the network `reader` (see `vision.sessions`)."""
        self._session = session

    def read(self, pixels: Pixels, detections: Detections) -> Tiles:
        """Return the tiles of an upright RGB photo H×W×3 with the probabilities of their faces.

        The quads come back starting at the tile's own top left, as far as its face tells top from bottom.
        """
        if not len(detections.scores):
            return Tiles(detections.quads, np.empty((0, 44), np.float32), detections.scores)
        faces, turns = self._session.run(None, {"pixels": cut_crops(pixels, detections.quads)})
        probabilities = np.asarray(faces, np.float32)
        quads = np.stack(
            [
                np.roll(quad, -int(turn), axis=0)
                for quad, turn in zip(detections.quads, turns.argmax(1), strict=True)
            ]
        )
        return Tiles(quads, probabilities / probabilities.sum(1, keepdims=True), detections.scores)


def cut_crops(pixels: Pixels, quads: Floats) -> Pixels:
    """Return N×80×80×3 crops: each quad stretched to the middle 64×64, its surroundings around it."""
    crops = np.empty((len(quads), CROP, CROP, 3), np.uint8)
    low, high = (CROP - FACE) / 2, (CROP + FACE) / 2
    square = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    areas = np.array([abs(cv2.contourArea(quad.astype(np.float32))) for quad in quads])
    # Large tiles are shrunk once for the whole photo: warping alone would skip pixels and show moiré.
    shrink = min(1.0, 1.5 * FACE / float(np.sqrt(np.median(areas))))
    if shrink < 0.8:
        origin = np.floor(np.maximum(quads.reshape(-1, 2).min(0) - 0.5 * np.sqrt(areas.max()), 0)).astype(int)
        end = np.ceil(quads.reshape(-1, 2).max(0) + 0.5 * np.sqrt(areas.max())).astype(int)
        region = pixels[origin[1] : end[1], origin[0] : end[0]]
        pixels = np.asarray(
            cv2.resize(region, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
        scale = np.array([pixels.shape[1] / region.shape[1], pixels.shape[0] / region.shape[0]])
        quads = ((quads - origin) * scale).astype(np.float32)
    for crop, quad in zip(crops, quads, strict=True):
        # The frame has pixel middles at halves, OpenCV at whole numbers.
        matrix = cv2.getPerspectiveTransform(quad.astype(np.float32) - 0.5, square - 0.5)
        cv2.warpPerspective(pixels, matrix, (CROP, CROP), dst=crop, borderMode=cv2.BORDER_REPLICATE)
    return crops
