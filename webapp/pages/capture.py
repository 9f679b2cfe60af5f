"""The first page: take, choose, drop or paste a photo; and the photo itself while it waits."""

from flask import Blueprint, Response, abort, render_template

from vision.photo_formats import MAX_BYTES, MEDIA_TYPES
from webapp.api.tilesets import tilesets
from webapp.pending_photos import current_photos

blueprint = Blueprint("capture", __name__)


@blueprint.get("/")
def home() -> str:
    """Where a hand begins. The last hands are fetched by the page, so that the page itself may be kept."""
    return render_template("capture.html", max_bytes=MAX_BYTES, media_types=MEDIA_TYPES)


@blueprint.get("/tilesets")
def tilesets_page() -> str:
    """The tile sets of one's own: which one reads, what each lacks, and forgetting one."""
    return render_template("tilesets.html", tilesets=tilesets())


@blueprint.get("/photos/<token>.jpg")
def photo(token: str) -> Response:
    """A pending photo, for the person who sent it: the token is the only key and caches keep nothing."""
    pending = current_photos().get(token)
    if pending is None:
        abort(404)
    return Response(pending.jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})
