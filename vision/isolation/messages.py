"""What a photo service and its process send each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.tilesets import TileSet


@dataclass(frozen=True)
class PhotoRequest:
    """A photo to read: the bytes of its file, and the tile set that lies on the table, if any."""

    data: bytes = field(repr=False)
    tileset: TileSet | None = None


@dataclass(frozen=True)
class ReadPhoto:
    """What came of it: the `photo --json` object, and the upright photo as a JPEG of screen size without metadata."""

    recognition: Mapping[str, Any]
    jpeg: bytes = field(repr=False)


@dataclass(frozen=True)
class Refused:
    """Why a photo was not read. `kind` says what the error is about: `photo`, `models`, or `bug`."""

    kind: str
    code: str
    message: str
