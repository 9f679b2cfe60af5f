"""Opens a frame of a live camera: a small JPEG."""

from __future__ import annotations

import io
import warnings
from typing import Final

from PIL import Image

from vision.photo import Photo, load_photo
from vision.tracking.errors import FrameError

MAX_FRAME_BYTES: Final = 1 << 20
MAX_FRAME_PIXELS: Final = 1_250_000


def load_frame(data: bytes) -> Photo:
    """Open a frame. Raises FrameError, and PhotoError for a JPEG that is damaged.

    What is too large is refused before it is decoded: a camera sends five frames a second.
    """
    if not data.startswith(b"\xff\xd8\xff"):
        raise FrameError("not_a_frame")
    if len(data) > MAX_FRAME_BYTES or _pixels(data) > MAX_FRAME_PIXELS:
        raise FrameError("frame_too_large")
    return load_photo(data, "frame")


def _pixels(data: bytes) -> int:
    """How many pixels a JPEG says that it has; 0 if it cannot tell, which `load_photo` explains."""
    try:
        with (
            warnings.catch_warnings(action="ignore"),
            Image.open(io.BytesIO(data), formats=["JPEG"]) as image,
        ):
            return image.width * image.height
    except Image.DecompressionBombError:
        return MAX_FRAME_PIXELS + 1
    except (OSError, SyntaxError, ValueError):
        return 0
