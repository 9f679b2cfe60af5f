"""What an engine does: it takes tasks and gives replies. The messages here travel between processes and machines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from scorer import FanlensError
from vision.batch.listing.photo_source import PhotoSource
from vision.batch.results.result_rows import Row, Stamp, fingerprint

if TYPE_CHECKING:
    from vision.tilesets import TileSet


class EngineError(FanlensError):
    """No photo can be read.

    code: `no_processes` (worker processes do not start), `models_missing` (a network is missing or damaged),
        `no_cluster` (the Dask cluster cannot be reached or has no worker), `wrong_worker` (a Dask worker would give
        other rows), `missing_library` (Dask is not installed).
    """


@dataclass(frozen=True)
class Settings:
    """What holds for every photo of a run.

    stamp: the networks, the profile and the tile set; each row shows them.
    given: circumstances from the command line.
    annotated: the folder for annotated pictures, None for no pictures.
    thumbs: whether replies carry thumbnails.
    folder: the folder that relative paths start from, by default that of the process.
    tileset: the tile set on the table. It is sent whole, so a worker need not see the folder of tile sets.

    Raises ValueError if the stamp names another tile set than `tileset`.
    """

    stamp: Stamp
    given: Mapping[str, Any]
    annotated: Path | None = None
    thumbs: bool = False
    folder: Path | None = None
    tileset: TileSet | None = None

    def __post_init__(self) -> None:
        """Check that rows will name the tile set that helps to read them."""
        if self.stamp.tileset != (None if self.tileset is None else fingerprint(self.tileset)):
            raise ValueError("the stamp names another tile set than the one that reads")


@dataclass(frozen=True)
class Task:
    """A photo to read.

    number: identifies the task in its reply. table: circumstances from the table. done: the key of the row that the
    photo already has, None if it has none or should be tried again.
    """

    number: int
    source: PhotoSource
    table: Mapping[str, Any]
    done: bytes | None = None


@dataclass(frozen=True)
class Reply:
    """The result of a task.

    row: the photo's row, None if the row it already has is still right. thumb: its thumbnail as a JPEG, if wanted.
    fatal: why no photo at all can be read.
    """

    number: int
    row: Row | None
    thumb: bytes | None = None
    fatal: str | None = None


class Engine(AbstractContextManager["Engine"], Protocol):
    """Reads photos. Entering starts what it needs, leaving stops it."""

    def run(self, tasks: Iterator[Task]) -> Iterator[Reply | None]:
        """Yield one reply for every task, in any order, and None now and then so that the caller can look around.

        Takes a task only when there is room for it. Raises EngineError.
        """
        ...
