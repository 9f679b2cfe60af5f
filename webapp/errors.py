"""Errors as the caller reads them: JSON under /api, a page elsewhere."""

from http import HTTPStatus

from flask import Flask, Response, current_app, jsonify, render_template, request
from sqlalchemy.exc import DatabaseError
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as BaseResponse

from webapp.language import gettext, later

# What a person is told about a failed request; the way out is part of the sentence.
STATUS_WORDS = {
    400: later("The request could not be read. Reload the page and try again."),
    403: later("This request came from another site and was refused. Open the page again and retry."),
    404: later("There is nothing at this address. The hand may have been removed, or the photo has expired."),
    405: later("This address does not answer that kind of request."),
    413: later("The request is too large. Reload the page and try again."),
    500: later("Something went wrong here. Try again; if it stays so, restart `fanlens serve`."),
}


# Where the phrase of HTTP is not the name a refusal has elsewhere.
STATUS_REASONS = {413: "too_large"}


class Refusal(HTTPException):
    """A request turned down for a named reason.

    `reason` is a snake_case code that programs may rely on; `message` says what is wrong and what to do.
    """

    def __init__(self, status: int, reason: str, message: str) -> None:
        """Keep the named reason beside the status and the sentence."""
        super().__init__(message)
        self.code = status
        self.reason = reason


def error_response(error: HTTPException) -> BaseResponse:
    """The answer for an HTTP error: `{"error": {"code", "message"}}` under /api, a page elsewhere."""
    status = error.code or 500
    if status < 400:
        return error.get_response()
    in_api = f"{request.path}/".startswith("/api/")
    if isinstance(error, Refusal):
        reason, message = error.reason, error.description or ""
    else:
        reason = STATUS_REASONS.get(status) or HTTPStatus(status).phrase.lower().replace(" ", "_")
        message = gettext(STATUS_WORDS.get(status, STATUS_WORDS[500 if status >= 500 else 400]))
        if in_api and status == HTTPStatus.NOT_FOUND:
            message = gettext("The API has no such address. Check the spelling: it begins with /api/v1/.")
    if in_api:
        answer: Response = jsonify(error={"code": reason, "message": message})
    else:
        answer = Response(render_template("error.html", status=status, message=message))
    answer.status_code = status
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        answer.headers["Allow"] = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
    return answer


def _ledger_failed(error: DatabaseError) -> BaseResponse:
    current_app.logger.error("the ledger failed: %s", error.orig)
    message = gettext(
        "The ledger of confirmed hands cannot be read or written. "
        "See that its disk has room and its file is whole, then try again."
    )
    return error_response(Refusal(503, "ledger_failed", message))


def init_app(app: Flask) -> None:
    """Answers every HTTP error of `app` through `error_response`: unhandled exceptions as 500, a failing
    database as 503.
    """
    app.register_error_handler(HTTPException, error_response)
    app.register_error_handler(DatabaseError, _ledger_failed)
