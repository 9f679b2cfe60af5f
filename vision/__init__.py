"""Photo in, named tiles and a scored hand out.

The stages are plain functions on immutable values: `vision.photo` opens a file, `vision.networks` finds the tiles and
reads them, `vision.layout` decides what each tile is for, `vision.decoding` reads them together as a hand, and
`vision.recognition` runs them all and has the hand scored.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.errors import PhotoError
    from vision.photo import Photo, load_photo
    from vision.recognition import Recognition, recognise

__all__ = ["Photo", "PhotoError", "Recognition", "load_photo", "recognise"]

#: The module that defines each public name.
_HOMES = {
    "Photo": "vision.photo",
    "PhotoError": "vision.errors",
    "Recognition": "vision.recognition",
    "load_photo": "vision.photo",
    "recognise": "vision.recognition",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that commands that read no photo start without OpenCV (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The names of the module, those included that are imported on first use."""
    return sorted({*globals(), *__all__})
