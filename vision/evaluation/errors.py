"""The error for label files."""

from __future__ import annotations

from scorer.errors import FanlensError


class LabelError(FanlensError, ValueError):
    """A label file or a file of corrections cannot be used; the message names the line and the fault."""

    def __init__(self, message: str) -> None:
        """Refuse the file; the code is always ``bad_labels``."""
        super().__init__("bad_labels", message)
