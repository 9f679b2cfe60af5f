"""The page and the JSON API: a photo or a typed hand in, an agreed score out."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webapp.app import create_app

__all__ = ["create_app"]


def __getattr__(name: str) -> Any:
    """Import the app when it is asked for: `webapp.cli` lies in this package too, and most commands serve nothing."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("webapp.app"), name)
