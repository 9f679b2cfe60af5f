"""What the run and the processes that read photos tell each other, apart from the libraries that reading takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vision.batch.listing.photo_source import Source
from vision.batch.results.result_rows import Row, Stamp, learned

if TYPE_CHECKING:
    from vision.tilesets import TileSet

#: What a process says once it can read.
READY = "ready"


@dataclass(frozen=True)
class Settings:
    """What holds for every photo of a run; `options` are the circumstances the command line gives.

    annotated: where pictures go. thumbs: whether small ones come back. folder: where relative paths start, the
    folder of the process by default. tileset: the set on the table, which travels whole, as a worker need not see
    the folder of sets; the stamp names it. Raises ValueError where the stamp names another.
    """

    stamp: Stamp
    options: Mapping[str, Any]
    annotated: Path | None = None
    thumbs: bool = False
    folder: Path | None = None
    tileset: TileSet | None = None

    def __post_init__(self) -> None:
        """See that rows will name the set that reads them."""
        if self.stamp.tileset != (None if self.tileset is None else learned(self.tileset)):
            raise ValueError("the stamp names another tile set than the one that reads")


@dataclass(frozen=True)
class Task:
    """A photo to read; `table` is what the CSV says of it, `done` the key of the row it has already."""

    number: int
    source: Source
    table: Mapping[str, Any]
    done: bytes | None = None


@dataclass(frozen=True)
class Reply:
    """What became of a task: its row, or None where the row it has is still right; a thumbnail if wanted.

    fatal: no photo can be read, and why.
    """

    number: int
    row: Row | None
    thumb: bytes | None = None
    fatal: str | None = None
