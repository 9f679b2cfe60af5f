"""The page where a hand is put right, scored and confirmed, with a photo or without."""

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.api.photos import recognition_in_words
from webapp.pending_photos import current_photos

blueprint = Blueprint("confirm", __name__)


@blueprint.get("/photo/<token>")
def photo_page(token: str) -> str:
    """The hand read from a pending photo.

    When the photo is gone the page still opens, with what the browser remembers of the corrections.
    """
    pending = current_photos().get(token)
    recognition = None
    if pending is not None:
        address = url_for("capture.photo", token=token)
        recognition = recognition_in_words(pending.recognition) | {"photo": address}
    return render_template("confirm.html", token=token, photo_gone=pending is None, recognition=recognition)


@blueprint.get("/photo/")
def no_photo() -> BaseResponse:
    """A photo page without a token: back to the start."""
    return redirect(url_for("capture.home"))


@blueprint.get("/hand")
def typed_page() -> str:
    """A hand typed without a photo."""
    return render_template("confirm.html", token=None, photo_gone=False, recognition=None)
