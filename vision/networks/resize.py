"""Scaling photos down quickly, as every look at a photo of many megapixels begins."""

import cv2
import numpy as np

from vision.tiles import Pixels


def shrink(pixels: Pixels, width: int, height: int) -> tuple[Pixels, tuple[int, int]]:
    """Return H×W×3 pixels averaged down to height×width×3, and the width and height of what they show.

    Halving is many times faster than averaging by another factor, and halves of halves give the same averages,
    so all steps but the last are halves. They leave out an odd last row or column, which is then not shown.
    """
    part = 1
    while pixels.shape[1] >= 2 * width and pixels.shape[0] >= 2 * height:
        half_width, half_height = pixels.shape[1] // 2, pixels.shape[0] // 2
        even = pixels[: 2 * half_height, : 2 * half_width]
        pixels = np.asarray(
            cv2.resize(even, (half_width, half_height), interpolation=cv2.INTER_AREA), np.uint8
        )
        part *= 2
    shown = (pixels.shape[1] * part, pixels.shape[0] * part)
    if pixels.shape[:2] == (height, width):
        return pixels, shown
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8), shown
