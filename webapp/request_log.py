"""The log as JSON lines on standard error, `fanlens serve --log-json`: what was asked, what came of it, how long.

There is nothing personal in it: no address of anyone, no name of a file, no hand, no token of a photo. Requests
are named by the pattern of their address, errors by their kind and the place in the code.
"""

import json
import logging
import traceback
from datetime import UTC, datetime
from types import TracebackType

from flask import Flask, Response, request

from webapp.metrics import METHODS, route_of_request, seconds_taken

_log = logging.getLogger("webapp.request_log")
# What others log may quote an address; of theirs only the name is kept.
OURS = ("webapp", "vision", "scorer")

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class JsonLines(logging.Formatter):
    """One JSON object a record: `time`, `level`, `event`, what was given as `extra={"about": …}`, and the `error`.

    The error is its class and the places it came through: its message could quote what a person sent.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        told: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage() if record.name.startswith(OURS) else record.name,
            **getattr(record, "about", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            told["error"] = record.exc_info[0].__name__
            told["at"] = places(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def places(error: ExcInfo) -> list[str]:
    """Where an exception came through, outermost first: `module.py:line function`."""
    frames = traceback.extract_tb(error[2])
    return [f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno} {frame.name}" for frame in frames]


def to_stderr() -> None:
    """Writes everything that Fanlens logs to standard error as JSON lines, requests included."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers = [handler]
    _log.setLevel(logging.INFO)


def _note(response: Response) -> Response:
    if _log.isEnabledFor(logging.INFO):
        about = {
            "method": request.method if request.method in METHODS else "other",
            "route": route_of_request(),
            "status": response.status_code,
            "ms": round(seconds_taken() * 1000, 1),
        }
        if response.is_json and response.status_code >= 400:
            about["reason"] = response.get_json()["error"]["code"]
        _log.info("request", extra={"about": about})
    return response


class Quiet(Flask):
    """A Flask application that logs an unhandled exception without the address and the words of the request."""

    def log_exception(self, exc_info: ExcInfo) -> None:
        """Names the route, the kind of exception and the places it came through."""
        kind = "unknown" if exc_info[0] is None else exc_info[0].__name__
        about = {"route": route_of_request(), "error": kind, "at": places(exc_info)}
        _log.error("a request failed: %s, %s", kind, " > ".join(places(exc_info)), extra={"about": about})


def init_app(app: Flask) -> None:
    """Logs every request of `app` on the level INFO, which is silent unless `to_stderr` was called."""
    app.after_request(_note)
