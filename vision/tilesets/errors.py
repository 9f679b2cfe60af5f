"""The one error of this package."""

from __future__ import annotations

from scorer.errors import FanlensError

#: Every code a `TileSetError` may bear, with what it means.
TILESET_REASONS: dict[str, str] = {
    "bad_name": "the name is empty, too long, or holds something a folder's name may not",
    "unknown_tileset": "there is no tile set of that name",
    "unknown_face": "a face code that does not exist, or one of which there are no references to forget",
    "no_tiles": "no tile was confirmed, or none was found in the photo",
    "bad_tile": "a confirmed tile lies outside the photo, is too small, or its corners make no outline",
    "same_place": "two confirmed tiles lie in one place",
    "too_many": "more than four tiles of one face in one photo",
    "wrong_count": "more or fewer tiles were found than faces were named",
    "implausible": "the tiles do not look like the faces they were said to bear",
    "bad_sidecar": "the JSON beside a photo is missing or does not say what the tiles are",
    "no_photo": "no photo of the set was kept, so there is nothing to export",
    "damaged": "a file of the set is damaged, or from another version",
    "not_written": "a file or folder could not be written or removed",
}


class TileSetError(FanlensError, ValueError):
    """A tile set, or what should be learned, cannot be used; `code` is a key of `TILESET_REASONS`."""
