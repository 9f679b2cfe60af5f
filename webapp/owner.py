"""Whose hands these are: every browser that confirms a hand gets a random token, and the ledger keeps only its hash.

Whoever has the cookie sees, corrects and removes the hands that were confirmed with it, and no others.
"""

import hashlib
import re
import secrets
from typing import Final

from flask import Flask, Response, g, request

COOKIE: Final = "hands"
NOBODY: Final = ""
"""The owner of a request without a token. No hand belongs to it."""

_TOKEN_BYTES: Final = 24
_LIFETIME_S: Final = (
    400 * 24 * 3600
)  # the longest that browsers keep a cookie; each confirmed hand begins it anew


def current_owner() -> str:
    """The hash of the token that came with this request; `NOBODY` if none did."""
    token = request.cookies.get(COOKIE, "")
    return _hash_of(token) if re.fullmatch("[A-Za-z0-9_-]{32}", token) else NOBODY


def ensure_owner() -> str:
    """The hash of this browser's token. A browser that has none gets one with the answer."""
    owner = current_owner()
    token = secrets.token_urlsafe(_TOKEN_BYTES) if owner == NOBODY else request.cookies[COOKIE]
    g.owner_token = token
    return _hash_of(token)


def _hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _send_token(response: Response) -> Response:
    token = g.pop("owner_token", None)
    if token is not None:
        response.set_cookie(
            COOKIE, token, max_age=_LIFETIME_S, httponly=True, samesite="Lax", secure=request.is_secure
        )
    return response


def init_app(app: Flask) -> None:
    """Sends the tokens that `ensure_owner` made."""
    app.after_request(_send_token)
