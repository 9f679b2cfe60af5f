"""What the server did not take, refused in the words of the application."""

from flask import Flask, abort, request

from vision.isolation.service import BusyError
from webapp.api.bodies import photo_too_large
from webapp.errors import Refusal
from webapp.language import gettext
from webapp.serving.gateway import PHOTOS, REFUSAL

RETRY_AFTER_S = 2


def _refuse() -> None:
    match request.environ.get(REFUSAL):
        case "busy":
            raise BusyError(RETRY_AFTER_S)
        case "too_slow":
            raise Refusal(408, "too_slow", gettext("The request took too long to arrive. Send it again."))
        case "too_large":
            if request.path == PHOTOS:
                raise photo_too_large()
            abort(413)


def init_app(app: Flask) -> None:
    """Refuses requests whose body the server did not take."""
    app.before_request(_refuse)
