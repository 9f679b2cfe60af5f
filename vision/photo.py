"""Opens photos: every accepted file becomes upright sRGB pixels, and everything else a clear error.

`vision.photo_formats` lists the formats. The content of a file decides its format, never its name. The limits on size
are checked before anything is decoded. The EXIF orientation is applied exactly once: libheif has already applied it
to a HEIC picture, this module applies it to the others. Only the pixels and the file's name leave this module: no
EXIF, no GPS position, no colour profile.
"""

from __future__ import annotations

import errno
import io
import stat
import struct
import warnings
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

import cv2
import numpy as np
from PIL import ExifTags, Image, ImageCms, UnidentifiedImageError
from pillow_heif import register_heif_opener

from vision.errors import PhotoError
from vision.photo_formats import (
    MAX_BYTES,
    MAX_PIXELS,
    MIN_SIDE_PX,
    OTHER_FORMATS,
    PHOTO_FORMATS,
    format_names,
    too_many_bytes,
)
from vision.tiles import Pixels

__all__ = ["Photo", "PhotoError", "load_photo"]


#: A large JPEG is decoded at a reduced size, with its longer side no shorter than this.
SMALLEST_GLANCE_PX = 1600

_STRIP_PIXELS = 4 * 2**20
_EXCHANGES_SIDES = 5  # from this EXIF orientation on, width and height change places

_DECODERS = tuple(form.decoder for form in PHOTO_FORMATS)
_ANIMATED = frozenset(form.decoder for form in PHOTO_FORMATS if form.several_are_animation)
_TURNED = frozenset(form.decoder for form in PHOTO_FORMATS if form.decoder_turns)

# What decoders raise on broken files: Pillow documents OSError and SyntaxError; fuzzing found the others.
_DECODER_ERRORS = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    ArithmeticError,
    LookupError,
    TypeError,
    RuntimeError,
    struct.error,
    zlib.error,
)

register_heif_opener()  # Pillow has no HEIC decoder of its own


@dataclass(frozen=True, eq=False)
class Photo:
    """An upright sRGB photo. Its arrays are read-only.

    glance: uint8 H×W×3. The whole photo or, for a large JPEG, the photo at half, a quarter or an eighth of its size,
        which decodes faster.
    name: the file's name, for messages.
    full_size: width and height of the whole photo in pixels; None if the glance is the whole photo.
    decode: returns the pixels of the whole photo; None if the glance is the whole photo.
    """

    glance: Pixels
    name: str = "photo"
    full_size: tuple[int, int] | None = None
    decode: Callable[[], Pixels] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Check the array and make it read-only. Raises ValueError."""
        object.__setattr__(self, "glance", _frozen(self.glance))
        if (self.decode is None) != (self.full_size is None):
            raise ValueError("a photo with a reduced glance needs both its full size and its decoder")

    @property
    def width(self) -> int:
        """Width of the whole photo in pixels."""
        return int(self.glance.shape[1]) if self.full_size is None else self.full_size[0]

    @property
    def height(self) -> int:
        """Height of the whole photo in pixels."""
        return int(self.glance.shape[0]) if self.full_size is None else self.full_size[1]

    @cached_property
    def pixels(self) -> Pixels:
        """The whole photo, uint8 H×W×3, decoded on first use. Raises PhotoError if memory runs out."""
        return self.glance if self.decode is None else _frozen(self.decode())

    def at_least(self, scale: float) -> Pixels:
        """Return the photo at `scale` times its size (0 to 1) or larger, without decoding more than needed."""
        return self.glance if self.glance.shape[1] >= scale * self.width else self.pixels


def _frozen(pixels: Pixels) -> Pixels:
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3:
        raise ValueError(f"pixels must be uint8 H×W×3, not {pixels.dtype} of shape {pixels.shape}")
    if 0 in pixels.shape:
        raise ValueError("a photo must have pixels")
    frozen = pixels.view()
    frozen.flags.writeable = False
    return frozen


def load_photo(source: bytes | Path, name: str | None = None) -> Photo:
    """Open a photo, given its path or its bytes. The result is upright, sRGB and free of metadata.

    name: what messages call the photo; by default the file's name.

    Animations are refused because Fanlens cannot know which frame is meant. If a file holds several pictures for
    another reason, the primary one is taken. Transparent areas become white. Raises PhotoError and nothing else.
    """
    label = name or (source.name if isinstance(source, Path) else "photo")
    data = source if isinstance(source, bytes) else _read(source, label)
    if not data:
        raise PhotoError("empty", f"{label} is empty: choose another photo or copy the file again")
    if len(data) > MAX_BYTES:
        raise too_many_bytes(label)
    picture, size = _decoded(data, label, SMALLEST_GLANCE_PX)
    if picture.shape[:2] == size[::-1]:
        return Photo(picture, label)
    return Photo(picture, label, size, partial(_whole, data, label))


def _whole(data: bytes, label: str) -> Pixels:
    """The upright picture at full size."""
    return _decoded(data, label)[0]


def _decoded(data: bytes, label: str, smallest_px: int | None = None) -> tuple[Pixels, tuple[int, int]]:
    """Return the upright picture, and the width and height of the whole photo.

    With `smallest_px`, a JPEG is decoded at half, a quarter or an eighth of its size, as long as its longer side keeps
    at least that many pixels.
    """
    try:
        # Pillow warns about odd metadata and about sizes that we refuse anyway: nothing a person could act on.
        with (
            warnings.catch_warnings(action="ignore"),
            Image.open(io.BytesIO(data), formats=_DECODERS) as image,
        ):
            _check_before_decoding(image, label)
            width, height = image.size
            if smallest_px is not None:
                parts = max(
                    part for part in (1, 2, 4, 8) if part * smallest_px <= max(width, height, smallest_px)
                )
                image.draft(None, (width // parts, height // parts))
            orientation = _orientation(image)
            picture = _srgb(image)
            image.close()  # turning needs room for the picture once more
            size = (height, width) if orientation >= _EXCHANGES_SIDES else (width, height)
            return _turned(picture, orientation), size
    except PhotoError:
        raise
    except Image.DecompressionBombError as error:
        raise _too_many_pixels(label) from error
    except UnidentifiedImageError as error:
        raise _unidentified(data, label) from error
    except MemoryError as error:
        raise PhotoError(
            "out_of_memory", f"there is not enough memory here to open {label}: scale it down and try again"
        ) from error
    except _DECODER_ERRORS as error:
        raise PhotoError(
            "damaged", f"{label} is damaged or cut short: copy it again from the phone or take another photo"
        ) from error


def _read(path: Path, label: str) -> bytes:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise PhotoError(
                "is_a_directory", f"{path} is a folder: name the photos in it, e.g. {path}/*.jpg"
            )
        if not stat.S_ISREG(status.st_mode):
            # Opening a pipe that no process writes to would wait for ever.
            raise PhotoError(
                "unreadable", f"{path} is a pipe or a device: save the photo as a file and name that"
            )
        if status.st_size > MAX_BYTES:
            raise too_many_bytes(label)
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except PhotoError:
        raise
    except ValueError as error:
        raise PhotoError(
            "unreadable", f"{str(path)!r} is not a file name (it holds a null character): check the name"
        ) from error
    except OSError as error:
        raise _unread(path, error) from error


def _unread(path: Path, error: OSError) -> PhotoError:
    """The error for a file that the system would not open, with advice that fits the reason."""
    reason = error.strerror or str(error)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return PhotoError("not_found", f"{path} does not exist: check the name")
    advice = {
        errno.EACCES: "check its permissions",
        errno.EPERM: "check its permissions",
        errno.ENAMETOOLONG: "check the name, or give the file a shorter one",
        errno.ELOOP: "name the photo itself, its links lead in a circle",
        errno.EIO: "the disk or card may be failing, copy the photo from another place",
    }.get(error.errno or 0, "copy the photo to this computer's disk and try again")
    return PhotoError("unreadable", f"{path} cannot be read ({reason}): {advice}")


def _too_many_pixels(label: str) -> PhotoError:
    megapixels = MAX_PIXELS // 2**20
    return PhotoError(
        "too_many_pixels", f"{label} has more than {megapixels} megapixels: scale it down and try again"
    )


def _unidentified(data: bytes, label: str) -> PhotoError:
    for offset, start, what in OTHER_FORMATS:
        if data[offset : offset + len(start)] == start:
            return PhotoError(
                "unsupported_format", f"{label} is {what}: save the photo as {format_names('or')}"
            )
    if any(form.matches(data) for form in PHOTO_FORMATS):
        return PhotoError("damaged", f"{label} is damaged or cut short: copy it again or take another photo")
    return PhotoError("not_a_photo", f"{label} is not a photo: choose a {format_names('or')} file")


def _check_before_decoding(image: Image.Image, label: str) -> None:
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise _too_many_pixels(label)
    if min(width, height) < MIN_SIDE_PX:
        raise PhotoError(
            "too_small",
            f"{label} is only {width}×{height} pixels: tiles cannot be read, choose a larger photo",
        )
    if image.format in _ANIMATED and getattr(image, "is_animated", False):
        raise PhotoError("animated", f"{label} is an animation: choose a still photo")


def _srgb(image: Image.Image) -> Pixels:
    """The decoded picture as uint8 H×W×3 sRGB, before its EXIF orientation is applied.

    It is converted strip by strip: whole copies of a picture of 64 megapixels would take a gigabyte.
    """
    image.load()
    width, height = image.size
    manage = _Colours(image.info.get("icc_profile"))
    pixels = np.empty((height, width, 3), np.uint8)
    rows = max(1, _STRIP_PIXELS // width)
    for top in range(0, height, rows):
        bottom = min(top + rows, height)
        pixels[top:bottom] = _strip_srgb(image.crop((0, top, width, bottom)), manage)
    return pixels


def _strip_srgb(strip: Image.Image, manage: _Colours) -> Pixels:
    if strip.mode in ("I", "I;16", "I;16L", "I;16B", "I;16N"):
        grey = np.clip(np.asarray(strip).astype(np.int64) // 257, 0, 255).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if strip.has_transparency_data:
        layer = strip.convert("RGBA")
        over = Image.new("RGBA", layer.size, "white")
        over.alpha_composite(layer)
        opaque = over.convert("RGB")
    else:
        opaque = strip if strip.mode in ("RGB", "CMYK", "L") else strip.convert("RGB")
    managed = manage(opaque)
    return np.asarray(managed if managed.mode == "RGB" else managed.convert("RGB"))


class _Colours:
    """Converts strips of one picture to sRGB by its colour profile; leaves them alone if that is missing or broken."""

    def __init__(self, profile: bytes | None) -> None:
        srgb = not profile or b"sRGB" in profile or "sRGB".encode("utf-16-be") in profile
        self._profile = None if srgb else profile
        self._transform: ImageCms.ImageCmsTransform | None = None

    def __call__(self, image: Image.Image) -> Image.Image:
        if self._profile is None:
            return image
        try:
            if self._transform is None:
                self._transform = ImageCms.buildTransform(
                    ImageCms.ImageCmsProfile(io.BytesIO(self._profile)),
                    ImageCms.createProfile("sRGB"),
                    image.mode,
                    "RGB",
                    flags=ImageCms.Flags.NONE,
                )
            converted = ImageCms.applyTransform(image, self._transform)
        except (ImageCms.PyCMSError, OSError, ValueError):
            # Without its profile the photo only has slightly wrong hues: no reason to refuse it.
            self._profile = None
            return image
        return image if converted is None else converted


def _orientation(image: Image.Image) -> int:
    """The EXIF orientation (1 to 8) that the decoder has not applied yet."""
    if image.format in _TURNED:
        return 1
    try:
        orientation = image.getexif().get(ExifTags.Base.Orientation, 1)
    except _DECODER_ERRORS:
        return 1  # unreadable metadata, readable picture
    return orientation if isinstance(orientation, int) and 1 <= orientation <= 8 else 1


def _turned(pixels: Pixels, orientation: int) -> Pixels:
    """Turn the pixels upright, given the EXIF orientation of the picture."""
    match orientation:
        case 2:
            turned = cv2.flip(pixels, 1)
        case 3:
            turned = cv2.rotate(pixels, cv2.ROTATE_180)
        case 4:
            turned = cv2.flip(pixels, 0)
        case 5:
            turned = cv2.transpose(pixels)
        case 6:
            turned = cv2.rotate(pixels, cv2.ROTATE_90_CLOCKWISE)
        case 7:
            turned = cv2.rotate(cv2.transpose(pixels), cv2.ROTATE_180)
        case 8:
            turned = cv2.rotate(pixels, cv2.ROTATE_90_COUNTERCLOCKWISE)
        case _:
            return pixels
    return np.asarray(turned, dtype=np.uint8)
