"""Photos in the API: `/recognise`."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request, url_for

from vision.choice import MOST_CHOSEN, with_chosen
from vision.errors import PhotoError
from vision.isolation.service import BusyError, PhotoService
from vision.tilesets import load_tileset
from webapp.api.bodies import json_body, photo_body
from webapp.errors import Refusal
from webapp.language import gettext
from webapp.messages import sentence_for_code, sentence_for_problem
from webapp.metrics import metrics
from webapp.pending_photos import current_client, current_photos
from webapp.photo_draft import starting_point

blueprint = Blueprint("photos", __name__)


def recognition_in_words(recognition: Mapping[str, Any]) -> dict[str, Any]:
    """The `photo --json` object with its problems in the language of the request."""
    problems = [problem | {"message": sentence_for_problem(problem)} for problem in recognition["problems"]]
    return {**recognition, "problems": problems}


def _service() -> PhotoService:
    service: PhotoService = current_app.extensions["photo_service"]
    return service


@blueprint.post("/recognise")
def recognise() -> Response:
    """Reads the multipart file `photo`, with the help of the tile set named by `tileset` if there is one.

    `evidence` is what `/look` gave for frames of the same hand, which then help to read the photo. 201 with the
    `photo --json` object and two addresses: `photo` shows the photo until it is confirmed or expires, `page` lets a
    person correct the reading. `start` is what that page starts with (see `webapp.photo_draft`).
    """
    counted = metrics()
    try:
        data, name = photo_body(), request.form.get("tileset")
        tileset = load_tileset(name) if name else None
        found = _service().read(data, tileset, request.form.get("evidence", ""))
    except (PhotoError, BusyError) as error:
        counted.photos.labels(error.code).inc()
        raise
    recognition = found.recognition
    for stage, milliseconds in recognition["timing_ms"].items():
        counted.stages.labels(stage).observe(milliseconds / 1000)
    counted.photos.labels("read" if recognition["tiles"] else "no_tiles").inc()
    if not recognition["tiles"]:
        raise Refusal(422, "no_tiles", sentence_for_code("no_tiles", "no tile was found"))
    token = current_photos().put(found.jpeg, recognition, current_client())
    page, address = url_for("confirm.photo_page", token=token), url_for("capture.photo", token=token)
    more = {"photo": address, "page": page, "start": starting_point(recognition, address)}
    answer = jsonify(recognition_in_words(recognition) | more)
    answer.status_code = 201
    answer.headers["Location"] = page
    return answer


@blueprint.post("/photos/<token>/hand")
def choose_hand(token: str) -> Response:
    """What the page starts with if `tiles`, numbers of tiles of a pending photo, are the hand and nothing else is."""
    pending = current_photos().get(token)
    if pending is None:
        raise Refusal(404, "no_such_photo", gettext("The photo has expired. Take it again."))
    body = json_body()
    chosen = body.get("tiles") if isinstance(body, Mapping) else None
    seen = range(len(pending.recognition["tiles"]))
    if not isinstance(chosen, list) or not all(type(one) is int and one in seen for one in chosen):
        raise Refusal(400, "bad_tiles", gettext("The tiles must be a list of numbers of tiles of the photo."))
    if not 0 < len(set(chosen)) <= MOST_CHOSEN:
        raise Refusal(422, "bad_choice", gettext("Choose only the tiles of the hand: 1 to 40 of them."))
    recognition = with_chosen(pending.recognition, set(chosen))
    return jsonify(start=starting_point(recognition, url_for("capture.photo", token=token)))
