"""The photo formats that Fanlens reads, and the largest and smallest photos it accepts.

This table is the only place that names the formats. File endings, media types, messages and help texts derive from
it. To add a format, add a row to `PHOTO_FORMATS`; if Pillow cannot decode it, register a decoder in `vision.photo`.

The module needs neither OpenCV nor Pillow, so that listing a folder stays quick.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.errors import PhotoError

MAX_BYTES: Final = 40 * 1000 * 1000
"""Largest file that Fanlens opens, in bytes."""
MAX_PIXELS: Final = 64 * 1024 * 1024
"""Largest photo, in pixels: enough for the 64 megapixel sensors of phones."""
MIN_SIDE_PX: Final = 32
"""Shortest side of a photo: in a smaller one no tile can be read."""


@dataclass(frozen=True)
class PhotoFormat:
    """One file format of photos. Raises ValueError if an ending or a media type is malformed.

    name: what people call it.
    endings: endings of file names, in lower case with the dot; the first is the usual one.
    media_types: what browsers and HTTP clients call it; the first is the registered one.
    decoder: Pillow's name for the decoder.
    signature: the offset and the bytes at the start of a file that reveal the format, even if the rest is damaged.
    several_are_animation: whether a file with several pictures is an animation. In other formats the further
        pictures are a depth map or the view of a second lens, and the primary picture is the photo.
    decoder_turns: whether the decoder already applies the EXIF orientation.
    """

    name: str
    endings: tuple[str, ...]
    media_types: tuple[str, ...]
    decoder: str
    signature: tuple[int, bytes]
    several_are_animation: bool = False
    decoder_turns: bool = False

    def __post_init__(self) -> None:
        """Check the endings and the media types."""
        if not self.endings or any(not end.startswith(".") or end != end.lower() for end in self.endings):
            raise ValueError(f"{self.name}: endings must be in lower case and start with a dot")
        if not self.media_types or any(not kind.startswith("image/") for kind in self.media_types):
            raise ValueError(f"{self.name}: media types must start with image/")

    def matches(self, data: bytes) -> bool:
        """Whether a file with this content begins as this format does."""
        offset, start = self.signature
        return data[offset : offset + len(start)] == start


PHOTO_FORMATS: Final[tuple[PhotoFormat, ...]] = (
    PhotoFormat(
        name="JPEG",
        endings=(
            ".jpg",
            ".jpeg",
            ".jpe",
            ".mpo",
        ),  # MPO: a JPEG with further pictures, as many phones write it
        media_types=("image/jpeg",),
        decoder="JPEG",
        signature=(0, b"\xff\xd8"),
    ),
    PhotoFormat(
        name="PNG",
        endings=(".png",),
        media_types=("image/png",),
        decoder="PNG",
        signature=(0, b"\x89PNG"),
        several_are_animation=True,
    ),
    PhotoFormat(
        name="WebP",
        endings=(".webp",),
        media_types=("image/webp",),
        decoder="WEBP",
        signature=(0, b"RIFF"),
        several_are_animation=True,
    ),
    PhotoFormat(
        name="HEIC",
        endings=(".heic", ".heif"),
        media_types=("image/heic", "image/heif"),
        decoder="HEIF",
        signature=(4, b"ftyp"),
        decoder_turns=True,
    ),
)
"""Every format that Fanlens reads, in the order in which messages name them."""

OTHER_FORMATS: Final[tuple[tuple[int, bytes, str], ...]] = (
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
"""First bytes (offset, bytes) of other files that people try, and what to call them; only for the error message.

Some belong to a family that a row of `PHOTO_FORMATS` matches too, so they are compared first.
"""

ENDINGS: Final[tuple[str, ...]] = tuple(ending for form in PHOTO_FORMATS for ending in form.endings)
"""Endings of the file names that a folder, a glob or an archive contributes."""
MEDIA_TYPES: Final[tuple[str, ...]] = tuple(kind for form in PHOTO_FORMATS for kind in form.media_types)
"""Media types of the photos that the page offers to choose and that the API documents."""


def format_names(conjunction: str) -> str:
    """The names of all formats as one phrase.

    >>> format_names("or")
    'JPEG, PNG, WebP or HEIC'
    """
    *others, last = (form.name for form in PHOTO_FORMATS)
    return f"{', '.join(others)} {conjunction} {last}"


def too_many_bytes(name: str) -> PhotoError:
    """The error for a file of this name that is larger than `MAX_BYTES`."""
    return PhotoError(
        "too_many_bytes", f"{name} is larger than {MAX_BYTES // 10**6} MB: save it as a JPEG and try again"
    )
