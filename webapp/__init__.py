"""The web page, the JSON API and the `fanlens` command."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webapp.app import create_app

__all__ = ["create_app"]


def __getattr__(name: str) -> Any:
    """Import the application on first use: `webapp.cli` is in this package too, and most commands serve no page."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("webapp.app"), name)
