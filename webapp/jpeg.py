"""The copy of a photo that a page shows: upright, no metadata, no larger than a screen can use."""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

MAX_SIDE_PX = 2400


def display_jpeg(pixels: NDArray[np.uint8]) -> bytes:
    """`pixels` (H×W×3 RGB, upright) as JPEG bytes, the longer side at most `MAX_SIDE_PX`."""
    image = Image.fromarray(pixels)
    image.thumbnail((MAX_SIDE_PX, MAX_SIDE_PX), Image.Resampling.BILINEAR, reducing_gap=2.0)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=85)
    return file.getvalue()
