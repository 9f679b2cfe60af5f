"""The error of this package."""

from __future__ import annotations

from typing import Final

from scorer.errors import FanlensError

TILESET_REASONS: Final[dict[str, str]] = {
    "bad_name": "the name is empty, too long, or contains something that a folder's name must not contain",
    "unknown_tileset": "there is no tile set of that name",
    "unknown_face": "a face code does not exist, or the set has no reference of that face",
    "no_tiles": "no tile was confirmed, or none was found in the photo",
    "bad_tile": "a confirmed tile lies outside the photo, is too small, or its corners make no outline",
    "same_place": "two confirmed tiles lie in one place",
    "too_many": "more than four tiles of one face in one photo, or far too many tiles",
    "wrong_count": "more or fewer tiles were found than faces were named",
    "implausible": "the tiles do not look like the faces that were named",
    "bad_sidecar": "the JSON beside a photo is missing or does not say what the tiles are",
    "no_photo": "no photo of the set was kept, so there is nothing to export",
    "damaged": "a file of the set is damaged, or from another version",
    "not_written": "a file or folder could not be written or removed",
}
"""Every code of a `TileSetError` with its meaning; the codes are part of the public API."""


class TileSetError(FanlensError, ValueError):
    """A tile set, or what was to be learned, cannot be used; ``code`` is a key of `TILESET_REASONS`."""

    def __init__(self, code: str, message: str) -> None:
        """Refuse with a published ``code``. Raises LookupError for any other code."""
        if code not in TILESET_REASONS:
            raise LookupError(f"{code!r} is not a published reason")
        super().__init__(code, message)
