"""The error for a file that Fanlens cannot use as a photo.

It has a module of its own so that code which only lists or fetches photos can raise it without importing OpenCV.
"""

from __future__ import annotations

from typing import Final

from scorer.errors import FanlensError

__all__ = ["PHOTO_REASONS", "PhotoError"]

PHOTO_REASONS: Final[dict[str, str]] = {
    "not_found": "there is no file of that name",
    "is_a_directory": "the name belongs to a folder",
    "unreadable": "the file exists but cannot be read",
    "empty": "the file has no content",
    "too_many_bytes": "the file is larger than `vision.photo_formats.MAX_BYTES`",
    "not_a_photo": "the content is not a picture",
    "unsupported_format": "the content is a picture or document of a format that Fanlens does not read",
    "animated": "the file is an animation",
    "too_many_pixels": "the picture has more pixels than `vision.photo_formats.MAX_PIXELS`",
    "too_small": "one side of the picture is shorter than `vision.photo_formats.MIN_SIDE_PX`",
    "damaged": "the file is damaged or cut short",
    "out_of_memory": "there is not enough memory to decode the picture",
    "too_slow": "reading the picture took too long, so `fanlens serve` gave it up",
    "crashed": "the process that read the picture for `fanlens serve` crashed",
}
"""Every code of a `PhotoError` with its meaning; the codes are part of the public API."""


class PhotoError(FanlensError, ValueError):
    """A file cannot be used as a photo; ``code`` is a key of `PHOTO_REASONS`."""

    def __init__(self, code: str, message: str) -> None:
        """Refuse the file with a published ``code``. Raises LookupError for any other code."""
        if code not in PHOTO_REASONS:
            raise LookupError(f"{code!r} is not a published reason")
        super().__init__(code, message)
