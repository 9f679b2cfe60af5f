"""One row per photo: the object of `fanlens photo --json`, with where the photo came from and what read it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from scorer import PROFILES, Profile
from vision.batch.circumstances import Won
from vision.batch.listing.photo_source import PhotoSource

if TYPE_CHECKING:
    from vision.recognition import Recognition
    from vision.tilesets import TileSet

Row = dict[str, Any]

ATTEMPTS = 2
"""How often a photo is tried that kills or blocks its process.

At least 2: the first time another photo in the same process may be the cause; from the second on there is none."""


def attempts_text(attempts: int = ATTEMPTS) -> str:
    """A number of attempts in words.

    >>> attempts_text(1), attempts_text(2), attempts_text(3)
    ('once', 'twice', '3 times')
    """
    return {1: "once", 2: "twice"}.get(attempts, f"{attempts} times")


REASONS: dict[str, str] = {
    "bad_circumstances": "the sidecar or the table gives circumstances that are not valid",
    "out_of_memory": "there was not enough memory for the photo",
    "worker_crashed": f"the process reading the photo crashed, {attempts_text()}",
    "worker_killed": f"the process reading the photo was killed, {attempts_text()}, most likely for lack of memory",
    "too_slow": f"the photo took longer than --timeout, {attempts_text()}",
    "internal_error": "an error in Fanlens itself; the message names it",
}
"""Why a photo can fail, in addition to the reasons of `vision.errors.PHOTO_REASONS`."""

PASSING = frozenset(
    {"not_found", "unreadable", "worker_crashed", "worker_killed", "out_of_memory", "too_slow"}
)
"""Reasons that may not occur again: `--resume` tries these photos once more."""


@dataclass(frozen=True)
class Stamp:
    """What reads and scores the photos; each row shows it.

    models: version of each network by name. profile: the rules. tileset: name and sha256 of the tile set (see
    `fingerprint`), None without one.
    """

    models: Mapping[str, str]
    profile: Profile
    tileset: Mapping[str, str] | None = None

    def to_json(self) -> dict[str, Any]:
        """The stamp as a row shows it."""
        return {
            "models": dict(self.models),
            "profile": self.profile.name,
            "profile_sha256": self.profile.key,
            "minimum": self.profile.minimum,
            "tileset": None if self.tileset is None else dict(self.tileset),
        }


def fingerprint(tileset: TileSet) -> dict[str, str]:
    """The name of a tile set, and the sha256 of everything in it that a reading depends on: its faces and crops."""
    digest = hashlib.sha256()
    for reference in tileset.references:
        digest.update(reference.face.encode())
        digest.update(reference.crop.tobytes())
    return {"name": tileset.name, "sha256": digest.hexdigest()}


def read_row(source: PhotoSource, sha256: str, stamp: Stamp, won: Won, recognition: Recognition) -> Row:
    """The row of a photo that was read.

    `timing_ms` is empty, so that the same photo gives the same row on every machine.
    """
    about = {"image": source.image, "timing_ms": {}}
    return {**_head(source, sha256, stamp, won), **recognition.to_json(), **about}


def failed_row(
    source: PhotoSource, sha256: str | None, stamp: Stamp, won: Won | None, code: str, message: str
) -> Row:
    """The row of a photo that could not be read: the same keys without values, and the reason in `problems`."""
    return {
        **_head(source, sha256, stamp, won),
        "width": None,
        "height": None,
        "tiles": [],
        "hand": None,
        "readings": [],
        "score": None,
        "totals": None,
        "problems": [{"code": code, "message": message}],
        "timing_ms": {},
    }


def _head(source: PhotoSource, sha256: str | None, stamp: Stamp, won: Won | None) -> Row:
    return {
        "source": source.address,
        "sha256": sha256,
        **stamp.to_json(),
        "circumstances": None if won is None else won.to_json(),
        "assumed": [] if won is None else list(won.assumed),
        "image": source.image,
    }


def key_of(row: Mapping[str, Any]) -> bytes | None:
    """What a row depends on (see `key_for`) as 16 bytes, None if the photo should be tried again."""
    if row["sha256"] is None or reason(row) in PASSING:
        return None
    # Rows of older versions lack the fingerprint of the profile, which was built in, and the tile set.
    built_in = PROFILES.get(row["profile"])
    profile = row.get("profile_sha256", built_in and built_in.key)
    parts = [row["sha256"], row["models"], profile, row["circumstances"], row["assumed"], row.get("tileset")]
    return _digest(parts)


def key_for(sha256: str, stamp: Stamp, won: Won) -> bytes:
    """The key that the row of this photo will have.

    It covers the photo's content, the networks, the content of the profile, the circumstances and the tile set. A row
    with another key is out of date.
    """
    tileset = None if stamp.tileset is None else dict(stamp.tileset)
    parts = [sha256, dict(stamp.models), stamp.profile.key, won.to_json(), list(won.assumed), tileset]
    return _digest(parts)


def _digest(parts: list[Any]) -> bytes:
    return blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=16).digest()


def reason(row: Mapping[str, Any]) -> str | None:
    """The code of the reason why a photo failed, None if it did not. A photo fails if no tile was read from it."""
    return None if row["tiles"] else str(row["problems"][0]["code"])


def status(row: Mapping[str, Any]) -> str:
    """`failed`, `doubtful` (read, but a person should check it) or `fine`."""
    if not row["tiles"]:
        return "failed"
    return "doubtful" if row["problems"] else "fine"


@dataclass
class Tally:
    """Counts of photos by outcome.

    skipped: photos whose row of an earlier run is still right. skipped_failed: those of them that failed then.
    failed: failures by code.
    """

    read: int = 0
    scored: int = 0
    doubtful: int = 0
    skipped: int = 0
    skipped_failed: int = 0
    failed: Counter[str] = field(default_factory=Counter)

    @property
    def photos(self) -> int:
        """How many photos have an outcome, skipped ones included."""
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
        """The counts."""
        return {
            "photos": self.photos,
            "read": self.read,
            "scored": self.scored,
            "doubtful": self.doubtful,
            "skipped": self.skipped,
            "skipped_failed": self.skipped_failed,
            "failed": dict(sorted(self.failed.items())),
        }
