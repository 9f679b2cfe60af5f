"""What only whoever runs the server may see: from this computer itself, or with the operator's key."""

import hmac
import ipaddress

from flask import current_app, request

from webapp.errors import Refusal
from webapp.language import gettext

# A reverse proxy on this computer makes everybody look as if they were on it, but it says so.
_PASSED_ON = ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Via")


def require_operator() -> None:
    """Raises Refusal 403 `operators_only` unless an operator asks."""
    key = current_app.config["OPERATOR_KEY"]
    given = request.authorization.token if request.authorization else None
    if key and given and hmac.compare_digest(key.encode(), given.encode()):
        return
    if not _is_here():
        message = gettext(
            "Only whoever runs this server may see this: from its own computer, or with its key."
        )
        raise Refusal(403, "operators_only", message)


def _is_here() -> bool:
    if any(name in request.headers for name in _PASSED_ON):
        return False
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False
