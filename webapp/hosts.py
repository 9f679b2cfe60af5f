"""The names this server answers to. A page of another site could make its own name point here (DNS rebinding).

Addresses are always answered to, because no page of another site can have one as its name.
"""

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable
from typing import Any, Final

from flask import Flask, request

from webapp.errors import Refusal
from webapp.language import gettext

_REFUSED: Final = "fanlens.refused_host"
_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[0-9a-z._-]+)(?::[0-9]{1,5})?", re.I)
_LONGEST_LABEL: Final = 63


def own_names(host: str = "") -> frozenset[str]:
    """The names of this computer, and `host` if it is one."""
    here = socket.gethostname()
    return frozenset(_normal(name) for name in ("localhost", here, f"{here}.local", host) if name)


def _normal(name: str) -> str:
    try:
        return name.rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        return name.lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class _HostCheck:
    """Notes a name that is not ours and hides it: Flask could not even write the error page under some of them."""

    def __init__(self, app: Callable[..., Any], names: frozenset[str]) -> None:
        self._app, self._names = app, names

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        host = environ.get("HTTP_HOST")
        if host is not None and not self._is_ours(host):
            environ = {**environ, "HTTP_HOST": "localhost", _REFUSED: host}
        return self._app(environ, start_response)

    def _is_ours(self, host: str) -> bool:
        found = _HOST.fullmatch(host)
        return found is not None and (_is_address(found[1]) or _normal(found[1]) in self._names)


def _refuse_other_names() -> None:
    host = request.environ.get(_REFUSED)
    if host is None:
        return
    found = _HOST.fullmatch(host)
    labels = found[1].rstrip(".").split(".") if found else [""]
    if not all(0 < len(label) <= _LONGEST_LABEL for label in labels):
        raise Refusal(400, "bad_host", gettext("The name of the server in this request is malformed."))
    message = gettext(
        "This server does not answer to the name %(name)s. Open it by its address, or start it with --name %(name)s."
    )
    raise Refusal(421, "unknown_host", message % {"name": found[1] if found else ""})


def init_app(app: Flask, names: Iterable[str]) -> None:
    """Refuses requests for other names than `names`, the names of this computer, and addresses."""
    app.wsgi_app = _HostCheck(app.wsgi_app, own_names() | {_normal(name) for name in names})  # type: ignore[method-assign]
    app.before_request(_refuse_other_names)
