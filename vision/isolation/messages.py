"""What a photo service and its process send each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class PhotoRequest:
    """A photo to read: the bytes of its file, and the name of the tile set that lies on the table, if any."""

    data: bytes = field(repr=False)
    tileset: str | None = None


@dataclass(frozen=True)
class ReadPhoto:
    """What came of it: the `photo --json` object, and the photo as a JPEG, upright, without metadata, of screen size."""

    recognition: Mapping[str, Any]
    jpeg: bytes = field(repr=False)


@dataclass(frozen=True)
class Refused:
    """Why a photo was not read. `kind` says what the error is about: `photo`, `tileset`, `models`, or `bug`."""

    kind: str
    code: str
    message: str
