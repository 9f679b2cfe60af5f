"""Photos in the API: `/recognise`."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request, url_for

from vision.errors import PhotoError
from vision.isolation.service import BusyError, PhotoService
from vision.tilesets import load_tileset
from webapp.api.bodies import photo_body
from webapp.errors import Refusal
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
