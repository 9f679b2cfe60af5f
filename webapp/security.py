"""Headers of every answer, and the check that a change was asked for by our own page."""

from urllib.parse import urlsplit

from flask import Flask, Response, request

from webapp.errors import Refusal
from webapp.language import gettext

# Firefox holds `<use href="tiles.svg#…">` to default-src, so that cannot be 'none'.
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
# What holds nobody's hand may be kept and asked about again; everything else is kept by no cache at all.
PUBLIC = frozenset(
    {
        "api.scoring.fans",
        "api.scoring.openapi",
        "capture.home",
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
    """Host and port of an `Origin` header, None for one that names none (`null`, nonsense)."""
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None


def _refuse_other_sites() -> None:
    """Refuses a change that another site's page sent.

    Browsers state where a request comes from in `Sec-Fetch-Site` (secure contexts) or `Origin` (every cross-
    site POST); scripts that send neither are no browsers and carry nobody's cookies.
    """
    if request.method in SAFE_METHODS:
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    foreign_site = site is not None and site not in {"same-origin", "none"}
    foreign_origin = origin is not None and _host_of(origin) != request.host
    if foreign_site or foreign_origin:
        message = gettext(
            "This request came from another site and was refused. Open the page again and retry."
        )
        raise Refusal(403, "cross_site", message)


def init_app(app: Flask) -> None:
    """Puts the headers on every answer of `app` and refuses changes that other sites ask for."""
    app.before_request(_refuse_other_sites)
    app.after_request(_add_headers)
