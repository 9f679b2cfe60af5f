"""The web server: uvicorn speaks HTTP and TLS, and what is here sheds what would keep others waiting."""

from webapp.serving.server import Serving, ServingError

__all__ = ["Serving", "ServingError"]
