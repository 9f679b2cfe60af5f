"""Pictures on which quantisation measures the ranges of a network's values."""

from collections.abc import Sequence

import cv2
import numpy as np

from models.training.augment import change_light
from models.training.labels import Floats, TrainingPhoto
from vision.networks.detector import OUTSIDE_GREY
from vision.networks.reader import cut_crops
from vision.photo import Photo
from vision.tiles import Pixels, signed_area

PICTURE_PX = 384
"""Side of the pictures for the detector."""
TILES_PX = (20.0, 50.0)
"""Smallest and largest size of the tiles in them."""
CROPS_PER_PHOTO = 12


def calibration_pictures(
    photos: Sequence[TrainingPhoto], rng: np.random.Generator
) -> tuple[list[Pixels], list[Pixels]]:
    """Return pictures for the detector (each 1×384×384×3) and crops for the reader (each n×64×64×3).

    The light of every other photo is changed. Crops show what looks like a tile but is not one.
    """
    for_detector, for_reader = [], []
    for index, photo in enumerate(photos):
        pixels = photo.pixels() if index % 2 else change_light(photo.pixels(), rng)
        quads = np.concatenate([photo.quads, photo.nothing])
        if not len(quads):
            continue
        for_detector.append(_at_another_size(pixels, quads, rng)[None])
        which = rng.permutation(len(quads))[:CROPS_PER_PHOTO]
        crops = cut_crops(Photo(pixels), quads[which].astype(np.float32))
        for_reader.append(np.stack([np.rot90(crop, int(rng.integers(4))) for crop in crops]))
    return for_detector, for_reader


def _at_another_size(pixels: Pixels, quads: Floats, rng: np.random.Generator) -> Pixels:
    """Return the top left part of the photo, scaled at random."""
    scale = rng.uniform(*TILES_PX) / float(np.median(np.sqrt(np.abs(signed_area(quads)))))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    shown = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=how)[:PICTURE_PX, :PICTURE_PX]
    canvas = np.full((PICTURE_PX, PICTURE_PX, 3), OUTSIDE_GREY, np.uint8)
    canvas[: shown.shape[0], : shown.shape[1]] = shown
    return canvas
