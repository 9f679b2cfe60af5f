"""The error for a frame of a live camera that cannot be used."""

from __future__ import annotations

from typing import Final

from scorer.errors import FanlensError

FRAME_REASONS: Final[dict[str, str]] = {
    "bad_evidence": "the evidence of earlier frames is not what an answer gave: send this frame without it",
    "bad_frame_number": "the number of a frame must be a whole number from 1 on",
    "frame_too_large": "a frame may have 1.25 megapixels and 1 MB: scale it down",
    "not_a_frame": "a frame must be a JPEG",
}
"""Every code of a `FrameError` with what is wrong."""


class FrameError(FanlensError, ValueError):
    """A frame cannot be used; `code` is a key of `FRAME_REASONS`."""

    def __init__(self, code: str) -> None:
        """Refuse the frame with a published `code`. Raises LookupError for any other code."""
        super().__init__(code, FRAME_REASONS[code])
