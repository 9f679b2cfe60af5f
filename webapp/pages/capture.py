"""The start page, where a person takes, chooses, drops or pastes a photo; pending photos; and the tile sets."""

from pathlib import Path

from flask import Blueprint, Response, abort, render_template, send_file

import vision
from vision.photo_formats import MAX_BYTES, MEDIA_TYPES
from webapp.api.tilesets import tilesets
from webapp.messages import sentence_for_code
from webapp.pending_photos import current_photos

blueprint = Blueprint("capture", __name__)

SAMPLE = Path(vision.__file__).parent / "samples" / "dragons.jpg"

#: What file inputs accept. The formats come by name too, because some browsers do not count HEIC as an image.
ACCEPT = ",".join((*MEDIA_TYPES, "image/*"))


@blueprint.get("/")
def home() -> str:
    """The start page. Its script fetches the latest hands, so that browsers may cache the page itself."""
    return render_template(
        "capture.html", max_bytes=MAX_BYTES, too_large=sentence_for_code("too_many_bytes", ""), accept=ACCEPT
    )


@blueprint.get("/sample.jpg")
def sample() -> Response:
    """A photo to try, for people without tiles at hand."""
    return send_file(SAMPLE, mimetype="image/jpeg", conditional=True)


@blueprint.get("/tilesets")
def tilesets_page() -> str:
    """The tile sets: choose the one that helps to read photos, see which faces are missing, forget one."""
    return render_template("tilesets.html", tilesets=tilesets())


@blueprint.get("/photos/<token>.jpg")
def photo(token: str) -> Response:
    """A pending photo. Only the person who sent it knows its token, and no cache may keep it."""
    pending = current_photos().get(token)
    if pending is None:
        abort(404)
    return Response(pending.jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})
