"""The page where a hand is put right, scored and confirmed, with a photo or without."""

from flask import Blueprint, current_app, redirect, render_template, url_for
from werkzeug.wrappers import Response

from webapp.api import recognition_in_words
from webapp.tray import Tray

blueprint = Blueprint("confirm", __name__)


@blueprint.get("/photo/<token>")
def photo_page(token: str) -> str | tuple[str, int]:
    """The hand read from a pending photo.

    When the photo is gone the page still opens, with what the browser remembers of the corrections.
    """
    tray: Tray = current_app.extensions["tray"]
    pending = tray.get(token)
    if pending is None:
        return render_template("confirm.html", token=token, photo_gone=True, recognition=None), 200
    recognition = recognition_in_words(pending.recognition) | {"photo": url_for("capture.photo", token=token)}
    return render_template("confirm.html", token=token, photo_gone=False, recognition=recognition)


@blueprint.get("/photo/")
def no_photo() -> Response:
    """A photo page without a token: back to the start."""
    return redirect(url_for("capture.home"))


@blueprint.get("/hand")
def typed_page() -> str:
    """A hand typed without a photo."""
    return render_template("confirm.html", token=None, photo_gone=False, recognition=None)
