"""The log of `fanlens serve --log-json`: JSON lines on standard error with each request, its status and duration.

It contains no personal data: no client address, file name, hand or photo token. A request is named by the pattern
of its address, an error by its class and its place in the code.
"""

import json
import logging
import traceback
from datetime import UTC, datetime
from types import TracebackType

from flask import Flask, Response, request

from webapp.metrics import METHODS, route_of_request, seconds_taken

_log = logging.getLogger("webapp.request_log")
# A message of another library may quote an address, so only the name of its logger is kept.
OURS = ("webapp", "vision", "scorer")

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class JsonLines(logging.Formatter):
    """One JSON object per record: `time`, `level`, `event`, the fields of `extra={"about": …}`, and the `error`.

    An error is logged as its class and the places it passed through; its message could quote the request.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
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
    """The places an exception passed through, outermost first: `module.py:line function`."""
    frames = traceback.extract_tb(error[2])
    return [f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno} {frame.name}" for frame in frames]


def to_stderr() -> None:
    """Writes the log, with every request, to standard error as JSON lines."""
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
    """A Flask application that logs an unhandled exception without the address or content of the request."""

    def log_exception(self, exc_info: ExcInfo) -> None:
        """Logs the route, the class of the exception and the places it passed through."""
        kind = "unknown" if exc_info[0] is None else exc_info[0].__name__
        about = {"route": route_of_request(), "error": kind, "at": places(exc_info)}
        _log.error("a request failed: %s, %s", kind, " > ".join(places(exc_info)), extra={"about": about})


def init_app(app: Flask) -> None:
    """Logs every request of `app` at level INFO, which is silent unless `to_stderr` was called."""
    app.after_request(_note)
