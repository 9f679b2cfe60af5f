"""The one door through which a photo enters: any allowed file becomes upright sRGB pixels, or a clear error.

JPEG (and MPO, the JPEG of many phones), PNG, WebP and HEIC are let in; the content decides, never the name.
The caps are checked before anything is decoded. The EXIF orientation is applied exactly once: libheif has
already turned a HEIC when it hands the picture over, the other formats are turned here. Only pixels and the
file's name leave this module: no EXIF, no GPS position, no colour profile.
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

from vision.photo_error import MAX_BYTES, PhotoError
from vision.tiles import Pixels

__all__ = ["MAX_BYTES", "MAX_PIXELS", "MIN_SIDE", "Photo", "PhotoError", "load_photo"]


#: Largest picture let in, in pixels: room for the 64 megapixel sensors of phones.
MAX_PIXELS = 64 * 1024 * 1024
#: Shortest side let in, in pixels: below this no tile can be read.
MIN_SIDE = 32

#: A large JPEG is opened reduced, its longer side no shorter than this.
SMALLEST_GLANCE_PX = 1600

_ON_ITS_SIDE = 5  # EXIF orientations from this on exchange width and height

_FORMATS = ("JPEG", "PNG", "WEBP", "HEIF")
_ALLOWED = "JPEG, PNG, WebP or HEIC"

# What decoders raise on broken files: Pillow documents OSError and SyntaxError, the rest was seen.
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

# First bytes of files people try instead, only to say what they are.
_FOREIGN: tuple[tuple[int, bytes, str], ...] = (
    (0, b"GIF8", "a GIF"),
    (0, b"BM", "a BMP"),
    (0, b"II*\0", "a TIFF or raw camera file"),
    (0, b"MM\0*", "a TIFF or raw camera file"),
    (0, b"%PDF", "a PDF"),
    (0, b"PK\3\4", "a ZIP archive or office document"),
    (4, b"ftypavif", "an AVIF picture"),
    (4, b"ftypavis", "an animated AVIF picture"),
    (4, b"ftypqt", "a video"),
    (4, b"ftypisom", "a video"),
    (4, b"ftypmp4", "a video"),
    (4, b"ftypM4V", "a video"),
)

register_heif_opener()


@dataclass(frozen=True, eq=False)
class Photo:
    """An upright photo, sRGB, read-only.

    glance: uint8 H×W×3, the photo itself or, of a large JPEG, the photo at a half, a quarter or an eighth of its
        size, which is quicker to have. name: the file's name, for messages.
    full_size: width and height of the photo in pixels, where the glance is smaller.
    decode: the whole photo's pixels, where the glance is smaller.
    """

    glance: Pixels
    name: str = "photo"
    full_size: tuple[int, int] | None = None
    decode: Callable[[], Pixels] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Refuse arrays of another kind and freeze this one. Raises ValueError."""
        object.__setattr__(self, "glance", _frozen(self.glance))
        if (self.decode is None) != (self.full_size is None):
            raise ValueError("a photo of which only a glance was decoded needs both its size and its decoder")

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        return int(self.glance.shape[1]) if self.full_size is None else self.full_size[0]

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return int(self.glance.shape[0]) if self.full_size is None else self.full_size[1]

    @cached_property
    def pixels(self) -> Pixels:
        """The whole photo, uint8 H×W×3; decoded when first asked for. Raises PhotoError if memory runs out."""
        return self.glance if self.decode is None else _frozen(self.decode())

    def at_least(self, scale: float) -> Pixels:
        """Return the photo at this scale of its size (0 to 1) or at a larger one, whichever is at hand sooner."""
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
    """Open a photo from a file or from its bytes; upright, sRGB, without metadata.

    An animated PNG or WebP is refused, since which frame is meant is a guess; of a HEIC or MPO that holds
    several pictures the primary one is taken. Transparency is laid over white. Raises
    PhotoError, nothing else.
    """
    label = name or (source.name if isinstance(source, Path) else "photo")
    data = source if isinstance(source, bytes) else _read(source, label)
    if not data:
        raise PhotoError("empty", f"{label} is empty: choose another photo or copy the file again")
    if len(data) > MAX_BYTES:
        raise _too_many_bytes(label)
    picture, size = _decoded(data, label, SMALLEST_GLANCE_PX)
    if picture.shape[:2] == size[::-1]:
        return Photo(picture, label)
    return Photo(picture, label, size, partial(_whole, data, label))


def _whole(data: bytes, label: str) -> Pixels:
    """The upright picture, not reduced."""
    return _decoded(data, label)[0]


def _decoded(data: bytes, label: str, smallest_px: int | None = None) -> tuple[Pixels, tuple[int, int]]:
    """Return the upright picture and the photo's width and height.

    Of a JPEG the picture may be reduced, by two, four or eight, as long as its longer side keeps `smallest_px`.
    """
    try:
        # Pillow warns of odd metadata and of sizes our own cap refuses: nothing a person could act on.
        with (
            warnings.catch_warnings(action="ignore"),
            Image.open(io.BytesIO(data), formats=_FORMATS) as image,
        ):
            _check_before_decoding(image, label)
            width, height = image.size
            if smallest_px is not None:
                parts = max(
                    part for part in (1, 2, 4, 8) if part * smallest_px <= max(width, height, smallest_px)
                )
                image.draft(None, (width // parts, height // parts))
            orientation = _orientation(image)
            picture = _turned(_srgb(image), orientation)
            return picture, (height, width) if orientation >= _ON_ITS_SIDE else (width, height)
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
            # Opening a pipe that nobody writes to would wait for ever.
            raise PhotoError(
                "unreadable", f"{path} is a pipe or a device: save the photo as a file and name that"
            )
        if status.st_size > MAX_BYTES:
            raise _too_many_bytes(label)
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except PhotoError:
        raise
    except ValueError as error:
        raise PhotoError(
            "unreadable", f"{str(path)!r} is no file name (it holds a null character): check the name"
        ) from error
    except OSError as error:
        raise _unread(path, error) from error


def _unread(path: Path, error: OSError) -> PhotoError:
    """What kept the file from being read, and what to do about it."""
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


def _too_many_bytes(label: str) -> PhotoError:
    return PhotoError(
        "too_many_bytes", f"{label} is larger than {MAX_BYTES // 10**6} MB: save it as a JPEG and try again"
    )


def _too_many_pixels(label: str) -> PhotoError:
    megapixels = MAX_PIXELS // 2**20
    return PhotoError(
        "too_many_pixels", f"{label} has more than {megapixels} megapixels: scale it down and try again"
    )


def _unidentified(data: bytes, label: str) -> PhotoError:
    for offset, magic, kind in _FOREIGN:
        if data[offset : offset + len(magic)] == magic:
            return PhotoError("unsupported_format", f"{label} is {kind}: save the photo as {_ALLOWED}")
    starts = (b"\xff\xd8", b"\x89PNG", b"RIFF")
    if data.startswith(starts) or data[4:8] == b"ftyp":
        return PhotoError("damaged", f"{label} is damaged or cut short: copy it again or take another photo")
    return PhotoError("not_a_photo", f"{label} is not a photo: choose a {_ALLOWED} file")


def _check_before_decoding(image: Image.Image, label: str) -> None:
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise _too_many_pixels(label)
    if min(width, height) < MIN_SIDE:
        raise PhotoError(
            "too_small",
            f"{label} is only {width}×{height} pixels: tiles cannot be read, choose a larger photo",
        )
    # MPO and HEIC may hold further pictures (a depth map, the second lens) that are no animation.
    if image.format in ("PNG", "WEBP") and getattr(image, "is_animated", False):
        raise PhotoError("animated", f"{label} is an animation: choose a still photo")


def _srgb(image: Image.Image) -> Pixels:
    """The decoded picture as uint8 H×W×3 sRGB, not yet turned."""
    image.load()
    if image.mode in ("I", "I;16", "I;16L", "I;16B", "I;16N"):
        grey = np.clip(np.asarray(image).astype(np.int64) // 257, 0, 255).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if image.has_transparency_data:
        layer = image.convert("RGBA")
        over = Image.new("RGBA", layer.size, "white")
        over.alpha_composite(layer)
        opaque = over.convert("RGB")
    else:
        opaque = image if image.mode in ("RGB", "CMYK", "L") else image.convert("RGB")
    managed = _managed(opaque, image.info.get("icc_profile"))
    return np.asarray(managed if managed.mode == "RGB" else managed.convert("RGB"))


def _managed(image: Image.Image, profile: bytes | None) -> Image.Image:
    """The picture in sRGB by its colour profile; as it is where the profile is absent, sRGB or of no use."""
    if not profile or b"sRGB" in profile or "sRGB".encode("utf-16-be") in profile:
        return image
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        target = ImageCms.createProfile("sRGB")
        flags = ImageCms.Flags.NONE
        converted = ImageCms.profileToProfile(image, source, target, outputMode="RGB", flags=flags)
    except (ImageCms.PyCMSError, OSError, ValueError):
        # A broken or mismatched profile only costs the exact hue, which is no reason to refuse the photo.
        return image
    return image if converted is None else converted


def _orientation(image: Image.Image) -> int:
    """The EXIF orientation, 1 to 8, that is still to be seen to: the decoder of HEIC has turned the picture already."""
    if image.format == "HEIF":
        return 1
    try:
        orientation = image.getexif().get(ExifTags.Base.Orientation, 1)
    except _DECODER_ERRORS:
        return 1  # unreadable metadata, readable picture
    return orientation if isinstance(orientation, int) and 1 <= orientation <= 8 else 1


def _turned(pixels: Pixels, orientation: int) -> Pixels:
    """The pixels upright, given the EXIF orientation of the picture."""
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
