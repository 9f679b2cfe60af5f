"""The page and the JSON API: a photo or a typed hand in, an agreed score out."""

from webapp.app import create_app

__all__ = ["create_app"]
