"""Every error becomes an answer here: JSON under /api, a page elsewhere.

The packages raise `FanlensError`; `refusal_of` gives each its HTTP status and a sentence in the language of the
request, so that no view has to catch anything.
"""

from http import HTTPStatus

from flask import Flask, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as BaseResponse

from models.manifest import ModelError
from scorer import HandError
from scorer.errors import FanlensError
from vision.errors import PhotoError
from vision.isolation.service import BusyError
from vision.tilesets.errors import TileSetError
from vision.tracking.errors import FrameError
from webapp.language import Message, gettext, later
from webapp.ledger import AlreadyConfirmedError, HandChangedError, LedgerError, MatchError
from webapp.messages import sentence_for

#: What a person reads about a failed request; each sentence says what to do.
STATUS_MESSAGES: dict[int, Message] = {
    400: later("The request could not be read. Reload the page and try again."),
    403: later("This request came from another website and was refused. Open the page again and retry."),
    404: later(
        "There is nothing at this address. The hand may have been removed, or the photo may have expired."
    ),
    405: later("This address does not accept that kind of request."),
    413: later("The request is too large. Reload the page and try again."),
    500: later(
        "Something went wrong on the server. Try again; if it keeps happening, restart `fanlens serve`."
    ),
}

# Statuses whose code in the API differs from HTTP's own phrase.
STATUS_CODES = {413: "too_large"}

_MATCH_STATUS = {"no_such_match": 404, "not_allowed": 403, "out_of_date": 409, "key_used": 409}
_TILESET_STATUS = {"unknown_tileset": 404, "damaged": 503, "not_written": 503}


class Refusal(FanlensError):  # noqa: N818 - the public name says what it is
    """A request that is refused with an HTTP status; `message` is in the language of the request."""

    def __init__(self, status: int, code: str, message: str, fields: tuple[str, ...] = ()) -> None:
        """Keep the status beside the code and the message; `fields` are those of the body that are missing or wrong."""
        super().__init__(code, message)
        self.status = status
        self.fields = fields


def refusal_of(error: FanlensError) -> Refusal:
    """The refusal that a client gets for `error`."""
    if isinstance(error, Refusal):
        return error
    status, code = _status_and_code(error)
    if isinstance(error, LedgerError):
        current_app.logger.error("the ledger failed: %s", error.message)
    return Refusal(status, code, sentence_for(error), error.fields if isinstance(error, HandError) else ())


def _status_and_code(error: FanlensError) -> tuple[int, str]:
    match error:
        case PhotoError(code="too_many_bytes"):
            found = (413, "too_large")
        case FrameError(code="frame_too_large"):
            found = (413, error.code)
        case FrameError():
            found = (400, error.code)
        case ModelError() | BusyError():
            found = (503, error.code)
        case PhotoError() | HandError():
            found = (422, error.code)
        case TileSetError():
            found = (_TILESET_STATUS.get(error.code, 422), error.code)
        case MatchError():
            found = (_MATCH_STATUS.get(error.code, 422), error.code)
        case AlreadyConfirmedError() | HandChangedError():
            found = (409, error.code)
        case LedgerError():
            found = (507 if error.code == "ledger_full" else 503, error.code)
        case _:
            raise error
    return found


def answer_for(error: FanlensError) -> BaseResponse:
    """The answer for an error of Fanlens."""
    refusal = refusal_of(error)
    answer = _answer(refusal.status, refusal.code, refusal.message, refusal.fields)
    if isinstance(error, BusyError):
        answer.headers["Retry-After"] = str(error.retry_after_s)
    return answer


def http_answer_for(error: HTTPException) -> BaseResponse:
    """The answer for an error that Flask or Werkzeug raised."""
    status = error.code or 500
    if status < 400:
        return error.get_response()
    code = STATUS_CODES.get(status) or HTTPStatus(status).phrase.lower().replace(" ", "_")
    message = gettext(STATUS_MESSAGES.get(status, STATUS_MESSAGES[500 if status >= 500 else 400]))
    if _in_api() and status == HTTPStatus.NOT_FOUND:
        message = gettext(
            "There is no such address in the API. Check the spelling: addresses begin with /api/v1/."
        )
    answer = _answer(status, code, message)
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        answer.headers["Allow"] = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
    return answer


def _in_api() -> bool:
    return f"{request.path}/".startswith("/api/")


def _answer(status: int, code: str, message: str, fields: tuple[str, ...] = ()) -> Response:
    if _in_api():
        named = {"fields": list(fields)} if fields else {}
        answer: Response = jsonify(error={"code": code, "message": message, **named})
    else:
        answer = Response(render_template("error.html", status=status, message=message))
    answer.status_code = status
    return answer


def init_app(app: Flask) -> None:
    """Answers every error of Fanlens and every HTTP error."""
    app.register_error_handler(FanlensError, answer_for)
    app.register_error_handler(HTTPException, http_answer_for)
