"""What a photo service and its process send each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.tilesets import TileSet


@dataclass(frozen=True)
class PhotoRequest:
    """A photo to read: the bytes of its file, and the tile set that lies on the table, if any.

    evidence: what frames of a camera said before, as text (`vision.tracking.travel`).
    """

    data: bytes = field(repr=False)
    tileset: TileSet | None = None
    evidence: str = field(default="", repr=False)


@dataclass(frozen=True)
class FrameRequest:
    """A frame of a live camera: the bytes of its JPEG, its number from 1 on, and the evidence of the frames before."""

    data: bytes = field(repr=False)
    number: int
    evidence: str = field(default="", repr=False)
    tileset: TileSet | None = None


@dataclass(frozen=True)
class SeenFrame:
    """What the frames up to one of them show (`vision.tracking.look.Look`).

    recognition: the `photo --json` object. numbers: by which each of its tiles is known from frame to frame.
    advice: `hint`, `tiles`, `number` and `side` of an `Advice`, if there is one.
    spent_ms: how long the frame took in its process.
    """

    evidence: str = field(repr=False)
    recognition: Mapping[str, Any]
    numbers: tuple[int, ...]
    advice: Mapping[str, Any] | None
    settled: bool
    spent_ms: float


@dataclass(frozen=True)
class ReadPhoto:
    """What came of it: the `photo --json` object, and the upright photo as a JPEG of screen size without metadata."""

    recognition: Mapping[str, Any]
    jpeg: bytes = field(repr=False)


@dataclass(frozen=True)
class Refused:
    """Why a photo was not read. `kind` says what the error is about: `photo`, `frame`, `models`, or `bug`."""

    kind: str
    code: str
    message: str
