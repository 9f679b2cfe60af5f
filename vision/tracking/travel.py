"""Evidence as text, so that it travels with the phone: the server keeps nothing about a camera between two frames."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any

import numpy as np

from vision.tiles import CLASSES, signed_area
from vision.tracking.errors import FrameError
from vision.tracking.evidence import Evidence
from vision.tracking.limits import EVIDENCE, EvidenceLimits
from vision.tracking.motion import STANDING_STILL

VERSION = 1
_HEAD = np.dtype([("version", "<u2"), ("frame", "<u4"), ("size", "<u2", 2), ("next_number", "<u4")])
_TILE = np.dtype(
    [
        ("numbers", "<u4"),
        ("quads", "<f4", (4, 2)),
        ("logs", "<f2", len(CLASSES)),
        ("seen", "<f4"),
        ("missed", "<f4"),
        ("scores", "<f4"),
        ("turns", "<f4", 4),
    ]
)
_FIELDS = tuple(_TILE.names or ())
_FARTHEST_PX = 1e5
_MOST = 1e4  # no sum over frames reaches it


def to_text(evidence: Evidence) -> str:
    """Return the evidence as letters, digits, - and _, a few thousand of them for a hand."""
    head = np.zeros((), _HEAD)
    head["version"], head["frame"], head["next_number"] = VERSION, evidence.frame, evidence.next_number
    head["size"] = evidence.size
    rows = np.zeros(len(evidence), _TILE)
    for name in _FIELDS:
        rows[name] = getattr(evidence, name)
    return base64.urlsafe_b64encode(zlib.compress(head.tobytes() + rows.tobytes(), 1)).decode("ascii")


def from_text(text: str, limits: EvidenceLimits = EVIDENCE) -> Evidence:
    """Return the evidence that `to_text` wrote; an empty text is no frame yet. Raises FrameError `bad_evidence`.

    A client can write any evidence, about its own frames only; it must just be possible.
    """
    if not text:
        return Evidence.none()
    most = _HEAD.itemsize + limits.most_tiles * _TILE.itemsize
    try:
        inflating = zlib.decompressobj()
        data = inflating.decompress(base64.b64decode(text.encode("ascii"), b"-_", validate=True), most + 1)
        head = np.frombuffer(data[: _HEAD.itemsize], _HEAD)[0]
        rows = np.frombuffer(data[_HEAD.itemsize :], _TILE)
    except (UnicodeEncodeError, binascii.Error, zlib.error, ValueError, IndexError) as error:
        raise FrameError("bad_evidence") from error
    if len(data) > most or not inflating.eof or head["version"] != VERSION or not _possible(head, rows):
        raise FrameError("bad_evidence")
    fields: dict[str, Any] = {
        name: rows[name].astype(np.int64 if name == "numbers" else np.float32) for name in _FIELDS
    }
    width, height = (int(side) for side in head["size"])
    return Evidence(
        frame=int(head["frame"]),
        size=(width, height),
        next_number=int(head["next_number"]),
        motion=STANDING_STILL,
        **fields,
    )


def _possible(head: np.void, rows: np.ndarray[tuple[int], np.dtype[np.void]]) -> bool:
    """Whether frames could have given these numbers."""
    numbers = rows["numbers"]
    within = all(np.isfinite(rows[name]).all() for name in _FIELDS)
    return bool(
        within
        and head["size"].min() > 0
        and len(np.unique(numbers)) == len(rows)
        and (numbers < head["next_number"]).all()
        and (np.abs(rows["quads"]) < _FARTHEST_PX).all()
        and (signed_area(rows["quads"]) > 0).all()
        and (rows["logs"] <= 0).all()
        and ((rows["seen"] > 0) & (rows["seen"] < _MOST)).all()
        and ((rows["missed"] >= 0) & (rows["missed"] < _MOST)).all()
        and ((rows["scores"] >= 0) & (rows["scores"] <= 1)).all()
        and ((rows["turns"] >= 0) & (rows["turns"] < _MOST)).all()
    )
