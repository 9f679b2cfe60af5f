"""Whether this installation can work: what `fanlens doctor` tells, and what `/healthz` answers from."""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from models.manifest import ModelError, load_manifest
from scorer.errors import FanlensError
from vision.isolation.memory import available_bytes
from vision.isolation.service import PHOTO_BYTES, PhotoService
from webapp.ledger import Ledger

MEGABYTE: Final = 10**6
LEAST_DISK: Final = 200 * MEGABYTE
LEAST_MEMORY: Final = PHOTO_BYTES + 300 * MEGABYTE
"""What the largest photo takes, the networks included."""
LEAST_MEMORY_AT_WORK: Final = 300 * MEGABYTE
"""What the photo of a phone takes, beside the networks."""
LEAST_FILES: Final = 1024
SAMPLE: Final = Path(__file__).resolve().parents[1] / "vision" / "samples" / "three-chows.jpg"


@dataclass(frozen=True)
class Finding:
    """What a check found: what it looked at, whether that is well, and in a sentence what is so or what to do."""

    name: str
    ok: bool
    message: str


def network_finding() -> Finding:
    """Whether the networks are those of the manifest."""
    try:
        names = _verified(tuple(_state(model.path) for model in load_manifest().models))
    except ModelError as error:
        return Finding("networks", False, error.message)
    return Finding("networks", True, f"{', '.join(names)}: as in the manifest")


def verify_networks() -> None:
    """Raises ModelError unless the networks are those of the manifest: without them the server need not start."""
    finding = network_finding()
    if not finding.ok:
        raise ModelError(finding.message)


def _state(path: Path) -> tuple[str, int, int] | None:
    """What changes when the file changes."""
    try:
        found = path.stat()
    except OSError:
        return None
    return str(path), found.st_size, found.st_mtime_ns


@lru_cache(maxsize=1)
def _verified(_states: tuple[tuple[str, int, int] | None, ...]) -> tuple[str, ...]:
    """The networks, after comparing their sha256; once for each state of their files. Raises ModelError."""
    models = load_manifest().models
    for model in models:
        model.read()
    return tuple(f"{model.name} {model.version}" for model in models)


def ledger_finding(ledger: Ledger) -> Finding:
    """Whether the ledger answers."""
    try:
        ledger.check()
    except FanlensError as error:
        return Finding("ledger", False, error.message)
    return Finding("ledger", True, f"{ledger.database.name} answers")


def disk_finding(folder: Path) -> Finding:
    """Whether there is room for the ledger."""
    free = shutil.disk_usage(_existing(folder)).free
    if free < LEAST_DISK:
        message = f"only {free // MEGABYTE} MB are free for {folder}: free some space"
        return Finding("disk", False, message)
    return Finding("disk", True, f"{free // MEGABYTE} MB are free for {folder}")


def _existing(folder: Path) -> Path:
    return next(each for each in (folder, *folder.absolute().parents) if each.exists())


def memory_finding(least: int = LEAST_MEMORY) -> Finding:
    """Whether there is memory for photos."""
    free = available_bytes()
    if free < least:
        message = (
            f"only {free // MEGABYTE} MB of memory are available, and a photo takes up to {least // MEGABYTE} MB: "
            "close other programs, or have photos scaled down"
        )
        return Finding("memory", False, message)
    return Finding("memory", True, f"{free // MEGABYTE} MB of memory are available")


def files_finding() -> Finding:
    """Whether the server may have enough connections."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and hard < LEAST_FILES:
        advice = "raise the limit (ulimit -n, LimitNOFILE=)"
        message = f"only {hard} files may be open, and every connection is one: {advice}"
        return Finding("open files", False, message)
    return Finding(
        "open files", True, "unlimited" if hard == resource.RLIM_INFINITY else f"{hard} may be open"
    )


def photo_finding() -> Finding:
    """Whether a sample photo is read."""
    service = PhotoService()
    try:
        tiles = service.read(SAMPLE.read_bytes()).recognition["tiles"]
    except (OSError, FanlensError) as error:
        return Finding("a photo", False, f"the sample photo cannot be read ({error}): install Fanlens again")
    finally:
        service.close()
    return Finding("a photo", bool(tiles), f"the sample photo shows {len(tiles)} tiles")


def camera_finding(folder: Path) -> Finding:
    """Whether the live camera can be offered, which browsers allow over HTTPS only."""
    place = _existing(folder)
    if not os.access(place, os.W_OK):
        message = (
            f"the certificate of `fanlens serve --https` cannot be kept in {folder}: give another --database"
        )
        return Finding("camera", False, message)
    made = (folder / "fanlens-certificate.pem").exists()
    told = "has its certificate" if made else "will make a certificate"
    return Finding(
        "camera", True, f"browsers allow it over HTTPS only; `fanlens serve --https` {told} in {folder}"
    )


def watched(ledger: Ledger, folder: Path) -> Iterator[Finding]:
    """What `/healthz` looks at: quick, and without effect."""
    yield network_finding()
    yield ledger_finding(ledger)
    yield disk_finding(folder)
    yield memory_finding(LEAST_MEMORY_AT_WORK)


def examined(open_ledger: Callable[[], Ledger], folder: Path) -> Iterator[Finding]:
    """What `fanlens doctor` looks at."""
    yield network_finding()
    yield photo_finding()
    try:
        ledger = open_ledger()
    except FanlensError as error:
        yield Finding("ledger", False, error.message)
    else:
        yield ledger_finding(ledger)
        ledger.close()
    yield disk_finding(folder)
    yield memory_finding()
    yield files_finding()
    yield camera_finding(folder)


def to_json(findings: list[Finding]) -> dict[str, Any]:
    """The findings for `/healthz`: only names, because anybody may ask."""
    failing = [finding.name for finding in findings if not finding.ok]
    return {"status": "failing" if failing else "ok", "failing": failing}
