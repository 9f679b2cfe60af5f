"""One photo of a batch: what it is called, and where its bytes are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from scorer import FanlensError
from vision.photo_formats import ENDINGS

MAX_SIDECAR_BYTES = 1_000_000
"""Longest sidecar in a tar, in bytes; a longer one is ignored."""
MAX_SIDECARS_BYTES = 1_000_000_000
"""All sidecars of a tar together, in bytes. They are kept in a temporary file while the tar is read."""


class SourceError(FanlensError):
    """SOURCE cannot be read; the message says what is wrong and what to do.

    code: `no_source` (it is empty or does not exist), `bad_source` (it is not a photo, folder, list or archive),
        `damaged_archive`, `unreadable` (it cannot be opened or listed), `no_photos` (nothing in it is a photo),
        `missing_library` (the library for such addresses is not installed).
    """


@dataclass(frozen=True)
class PhotoSource:
    """One photo of a batch.

    address: its name in the results: a path, `zip://member::archive`, `tar://member::archive` or a URL.
    image: its name where it lies, as `fanlens photo` would print it.
    archive: the zip that holds it.
    data: its bytes, if no other process can read them.
    sidecar: the JSON beside it, read together with `data`.
    beside: the names of the sidecars that exist, None if nobody has looked.
    trouble: code and message, if listing already showed that the photo cannot be read.
    """

    address: str
    image: str
    archive: Path | None = None
    data: bytes | None = None
    sidecar: bytes | None = None
    beside: tuple[str, ...] | None = None
    trouble: tuple[str, str] | None = None

    def names(self) -> Iterator[str]:
        """The names by which a table of circumstances may call it, the most exact one first."""
        yield self.address
        yield self.image
        path = PurePosixPath(self.image.replace(os.sep, "/"))
        yield from (str(PurePosixPath(*path.parts[start:])) for start in range(1, len(path.parts)))


def is_photo(name: str) -> bool:
    """Whether the name is that of a photo: it has the ending of one and is not hidden."""
    return name.lower().endswith(ENDINGS) and not name.rpartition("/")[2].startswith(".")


def reason_of(error: Exception) -> str:
    """The reason that the system or a library gave for an error."""
    return str(getattr(error, "strerror", None) or error)


def sidecar_names(name: str) -> tuple[str, str]:
    """The names that the sidecar of a photo may have: photo.json, or photo.jpg.json.

    >>> sidecar_names("club/a.jpg")
    ('club/a.json', 'club/a.jpg.json')
    """
    head, slash, last = name.rpartition("/")
    stem = last.rpartition(".")[0] or last
    return f"{head}{slash}{stem}.json", f"{name}.json"
