"""One photo of a batch: what it is called, where its bytes are, and what its name tells."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from vision.photo_formats import ENDINGS

#: Longest JSON beside a photo that is looked at.
MAX_SIDECAR_BYTES = 1_000_000


class SourceError(ValueError):
    """There is nothing to run on: the message says what is wrong and what to do."""


@dataclass(frozen=True)
class Source:
    """One photo of a batch.

    address: what the row calls it: a path, `zip://member::archive`, `tar://member::archive` or a URL.
    image: its name where it lies, as `fanlens photo` would print it.
    archive: the zip it lies in. data: its bytes where only the process that listed it can read them.
    sidecar: the JSON beside it, read with `data`. beside: the names of such JSON that there are, None where
    nobody has looked. trouble: why it cannot be read, where listing found out.
    """

    address: str
    image: str
    archive: Path | None = None
    data: bytes | None = None
    sidecar: bytes | None = None
    beside: tuple[str, ...] | None = None
    trouble: tuple[str, str] | None = None

    def names(self) -> Iterator[str]:
        """What a table of circumstances may call it, the most exact name first."""
        yield self.address
        yield self.image
        path = PurePosixPath(self.image.replace(os.sep, "/"))
        yield from (str(PurePosixPath(*path.parts[start:])) for start in range(1, len(path.parts)))


def is_photo(name: str) -> bool:
    """Whether a file of that name is taken for a photo; hidden ones are not."""
    return name.lower().endswith(ENDINGS) and not name.rpartition("/")[2].startswith(".")


def reason_of(error: Exception) -> str:
    """What the system, or a library, said went wrong."""
    return str(getattr(error, "strerror", None) or error)


def sidecar_names(name: str) -> tuple[str, str]:
    """Where circumstances may lie beside a photo: photo.json, or photo.jpg.json.

    >>> sidecar_names("club/a.jpg")
    ('club/a.json', 'club/a.jpg.json')
    """
    head, slash, last = name.rpartition("/")
    stem = last.rpartition(".")[0] or last
    return f"{head}{slash}{stem}.json", f"{name}.json"
