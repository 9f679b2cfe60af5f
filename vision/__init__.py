"""Photo in, named tiles and a scored hand out.

The stages, each a plain function on immutable values: `vision.photo` opens, `vision.detect` finds tiles,
`vision.read` names them, `vision.layout` tells what each is for, `vision.decode` reads them together,
`vision.recognise` does it all and has the score counted.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.photo import Photo, PhotoError, load_photo
    from vision.recognise import Recognition, recognise

__all__ = ["Photo", "PhotoError", "Recognition", "load_photo", "recognise"]


def __getattr__(name: str) -> Any:
    """Import what is asked for only then: a command that only looks after other processes can do without OpenCV."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "vision.recognise" if name.lower().startswith("recogni") else "vision.photo"
    return getattr(import_module(home), name)


class _Vision(ModuleType):
    """This package, whose `recognise` is the function and never the module of that name."""

    def __setattr__(self, name: str, value: Any) -> None:
        # Python would put the module here when somebody imports from it.
        if not (name == "recognise" and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Vision
