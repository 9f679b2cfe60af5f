"""Pictures and checks for the tests of `vision.photo`."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.errors import PHOTO_REASONS, PhotoError
from vision.photo import Photo, load_photo
from vision.photo_formats import PHOTO_FORMATS

#: Pillow's names of the formats that Fanlens reads.
DECODERS = [form.decoder for form in PHOTO_FORMATS]
RED, GREEN, BLUE, GREY = (220, 30, 30), (30, 200, 40), (20, 40, 210), (128, 128, 128)
#: How an upright picture is stored under each EXIF orientation.
TURNS = {
    1: [],
    2: [Image.Transpose.FLIP_LEFT_RIGHT],
    3: [Image.Transpose.ROTATE_180],
    4: [Image.Transpose.FLIP_TOP_BOTTOM],
    5: [Image.Transpose.TRANSPOSE],
    6: [Image.Transpose.ROTATE_90],  # stored a quarter turn counter-clockwise: the reader turns it back
    7: [Image.Transpose.TRANSVERSE],
    8: [Image.Transpose.ROTATE_270],
}


def quartered(width: int = 96, height: int = 64) -> Image.Image:
    """A picture whose four quarters differ, so that every turn and mirroring shows."""
    image = Image.new("RGB", (width, height), RED)
    image.paste(GREEN, (width // 2, 0, width, height // 2))
    image.paste(BLUE, (0, height // 2, width // 2, height))
    image.paste(GREY, (width // 2, height // 2, width, height))
    return image


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def code(source: bytes | Path) -> str:
    with pytest.raises(PhotoError) as caught:
        load_photo(source)
    assert len(caught.value.message) > 20
    assert str(caught.value) == caught.value.message
    assert caught.value.code in PHOTO_REASONS
    return caught.value.code


def difference(photo: Photo, picture: Image.Image) -> float:
    want = np.asarray(picture.convert("RGB")).astype(int)
    assert photo.pixels.shape == want.shape
    return float(np.abs(photo.pixels.astype(int) - want).mean())
