"""One row a photo: the object of `photo --json`, and where the photo came from, what read it, and how it was won."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from vision.batch.circumstances import Won
from vision.batch.listing.photo_source import Source

if TYPE_CHECKING:
    from vision.recognition import Recognition
    from vision.tilesets import TileSet

Row = dict[str, Any]

#: Reasons of a failed row that another run may not meet again; `--resume` tries these photos once more.
PASSING = frozenset(
    {"not_found", "unreadable", "worker_crashed", "worker_killed", "out_of_memory", "too_slow"}
)

#: What can cost a photo its reading beside the reasons of `vision.photo.PhotoError`.
REASONS: dict[str, str] = {
    "bad_circumstances": "how the hand was won is written down, but cannot be",
    "out_of_memory": "there was not enough memory for the photo",
    "worker_crashed": "the process reading the photo crashed, twice",
    "worker_killed": "the process reading the photo was killed, twice, most likely for want of memory",
    "too_slow": "the photo took longer than --timeout, twice",
    "internal_error": "an error in Fanlens itself; the message names it",
}


@dataclass(frozen=True)
class Stamp:
    """What read the photos: versions of the networks by name, the profile of the rules, and the tile set, if any.

    tileset: the name of the set and the sha256 of what was learned of it (see `learned`).
    """

    models: Mapping[str, str]
    profile: str
    tileset: Mapping[str, str] | None = None


def learned(known: TileSet) -> dict[str, str]:
    """The name of a tile set, and the sha256 of all that a reading with it depends on: its faces and their crops."""
    digest = hashlib.sha256()
    for reference in known.references:
        digest.update(reference.face.encode())
        digest.update(reference.crop.tobytes())
    return {"name": known.name, "sha256": digest.hexdigest()}


def read_row(source: Source, sha256: str, stamp: Stamp, won: Won, recognition: Recognition) -> Row:
    """The row of a photo that was read.

    `timing_ms` is empty: the same photo has the same row, whichever machine read it and however busy that was.
    """
    about = {"image": source.image, "timing_ms": {}}
    return {**_head(source, sha256, stamp, won), **recognition.to_json(), **about}


def failed_row(
    source: Source, sha256: str | None, stamp: Stamp, won: Won | None, code: str, message: str
) -> Row:
    """The row of a photo that could not be read, and why: the same keys, nothing in them."""
    return {
        **_head(source, sha256, stamp, won),
        "width": None,
        "height": None,
        "tiles": [],
        "hand": None,
        "readings": [],
        "score": None,
        "problems": [{"code": code, "message": message}],
        "timing_ms": {},
    }


def _head(source: Source, sha256: str | None, stamp: Stamp, won: Won | None) -> Row:
    return {
        "source": source.address,
        "sha256": sha256,
        "models": dict(stamp.models),
        "profile": stamp.profile,
        "tileset": None if stamp.tileset is None else dict(stamp.tileset),
        "circumstances": None if won is None else won.to_json(),
        "assumed": [] if won is None else list(won.assumed),
        "image": source.image,
    }


def key_of(row: Mapping[str, Any]) -> bytes | None:
    """What a row depends on (see `key_for`) as 16 bytes; None: the photo is to be tried again."""
    if row["sha256"] is None or reason(row) in PASSING:
        return None
    parts = [row[name] for name in ("sha256", "models", "profile", "circumstances", "assumed")]
    return _digest([*parts, row.get("tileset")])  # rows from before there were sets have none


def key_for(sha256: str, stamp: Stamp, won: Won) -> bytes:
    """The key that the row of this photo will have: its content, networks, profile, circumstances and tile set."""
    parts = [sha256, dict(stamp.models), stamp.profile, won.to_json(), list(won.assumed)]
    return _digest([*parts, None if stamp.tileset is None else dict(stamp.tileset)])


def _digest(parts: list[Any]) -> bytes:
    return blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=16).digest()


def reason(row: Mapping[str, Any]) -> str | None:
    """Why a photo failed, which is that it holds no tile or could not be read; None if it did not fail."""
    return None if row["tiles"] else str(row["problems"][0]["code"])


def status(row: Mapping[str, Any]) -> str:
    """`failed`, `doubtful` (read, but somebody should look) or `fine`."""
    if not row["tiles"]:
        return "failed"
    return "doubtful" if row["problems"] else "fine"


@dataclass
class Tally:
    """What a run has come to so far."""

    read: int = 0
    scored: int = 0
    doubtful: int = 0
    skipped: int = 0
    skipped_failed: int = 0
    failed: Counter[str] = field(default_factory=Counter)

    @property
    def photos(self) -> int:
        """Photos dealt with, skipped ones included."""
        return self.read + self.skipped + self.failed.total()

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a row."""
        why = reason(row)
        if why is not None:
            self.failed[why] += 1
            return
        self.read += 1
        self.scored += row["score"] is not None
        self.doubtful += bool(row["problems"])

    def to_json(self) -> dict[str, Any]:
        """The counts, failures by reason."""
        return {
            "photos": self.photos,
            "read": self.read,
            "scored": self.scored,
            "doubtful": self.doubtful,
            "skipped": self.skipped,
            "skipped_failed": self.skipped_failed,
            "failed": dict(sorted(self.failed.items())),
        }
