"""Security headers for every answer, and a check that changes come from this page and not from another website."""

from urllib.parse import urlsplit

from flask import Flask, Response, request

from webapp.errors import STATUS_MESSAGES, Refusal
from webapp.language import gettext

# Firefox applies default-src to `<use href="tiles.svg#…">`, so it cannot be 'none'.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' blob:; object-src 'none'; "
        "frame-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
# Answers without anybody's hand may be cached and revalidated; no cache may keep any other answer.
PUBLIC = frozenset(
    {
        "api.scoring.fans",
        "api.scoring.openapi",
        "capture.home",
        "capture.sample",
        "confirm.typed_page",
        "guide.fans_page",
        "guide.help_page",
        "install.manifest",
    }
)
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-cache" if request.endpoint in PUBLIC else "no-store")
    return response


def _host_of(origin: str) -> str | None:
    """Host and port of an `Origin` header, or None if it names none (`null`, nonsense)."""
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None


def _refuse_other_sites() -> None:
    """Refuses a change that a page of another website sent.

    Browsers state the source of a request in `Sec-Fetch-Site` (secure contexts) or `Origin` (every cross-site
    POST). A client that sends neither is not a browser and carries nobody's cookies.
    """
    if request.method in SAFE_METHODS:
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    foreign_site = site is not None and site not in {"same-origin", "none"}
    foreign_origin = origin is not None and _host_of(origin) != request.host
    if foreign_site or foreign_origin:
        raise Refusal(403, "cross_site", gettext(STATUS_MESSAGES[403]))


def init_app(app: Flask) -> None:
    """Adds the headers to every answer of `app` and refuses changes from other websites."""
    app.before_request(_refuse_other_sites)
    app.after_request(_add_headers)
