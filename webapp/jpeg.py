"""The copy of a photo that the page shows: upright, without metadata and no larger than a screen can use."""

import io

from PIL import Image

from vision.photo import Photo

MAX_SIDE_PX = 2400


def display_jpeg(photo: Photo) -> bytes:
    """The photo as JPEG bytes; its longer side has at most `MAX_SIDE_PX` pixels."""
    image = Image.fromarray(photo.glance)
    image.thumbnail((MAX_SIDE_PX, MAX_SIDE_PX), Image.Resampling.BILINEAR, reducing_gap=2.0)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=85)
    return file.getvalue()
