"""The JSON API, `/api/v1`: what the page itself uses, open to programs on the same terms.

Errors are 4xx with `{"error": {"code", "message"}}`; codes are stable, messages are in the language asked
for.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request, url_for

from models.manifest import ModelError
from scorer import HandError, NotationError, hand_to_json, parse_hand, profile_named
from vision.errors import PhotoError
from vision.photo import load_photo
from vision.recognition import recognise as recognise_photo
from webapp.assessment import (
    DEFAULT_PROFILE,
    assess,
    payments_for,
    read_claim,
    score_claim,
    waiting_in_json,
    words_for,
)
from webapp.bodies import json_body, photo_body, photo_too_large
from webapp.errors import Refusal
from webapp.fans import catalogue
from webapp.jpeg import display_jpeg
from webapp.language import gettext
from webapp.messages import problem_in_words, reason_in_words
from webapp.metrics import metrics
from webapp.openapi import document
from webapp.pending_photos import Tray
from webapp.picture import score_picture
from webapp.store import AlreadyConfirmedError, Entry, Store
from webapp.tilesets import tileset_named

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")

MOST_HANDS = 200


def _store() -> Store:
    store: Store = current_app.extensions["store"]
    return store


def recognition_in_words(recognition: Mapping[str, Any]) -> dict[str, Any]:
    """The `photo --json` object with its problems in the language of the request."""
    problems = [problem | {"message": problem_in_words(problem)} for problem in recognition["problems"]]
    return {**recognition, "problems": problems}


@blueprint.post("/recognise")
def recognise() -> Response:
    """Reads a photo sent as the multipart file `photo`, with the help of the `tileset` named beside it, if any.

    201 with the `photo --json` object, plus `photo`: where the photo can be seen until it is confirmed or
    expires, and `page`: where a person can put the reading right.
    """
    counted = metrics()
    try:
        photo = load_photo(photo_body())
        name = request.form.get("tileset")
        tileset = tileset_named(name) if name else None
        with current_app.extensions["recognising"]:
            recognition = recognise_photo(photo, tileset=tileset).to_json()
    except PhotoError as error:  # of a large photo also while it is read, when all of it is needed
        counted.photos.labels(error.code).inc()
        if error.code == "too_many_bytes":
            raise photo_too_large() from error
        raise Refusal(422, error.code, reason_in_words(error.code, error.message)) from error
    except ModelError as error:
        raise Refusal(503, "models_missing", reason_in_words("models_missing", str(error))) from error
    for stage, milliseconds in recognition["timing_ms"].items():
        counted.stages.labels(stage).observe(milliseconds / 1000)
    counted.photos.labels("read" if recognition["tiles"] else "no_tiles").inc()
    if not recognition["tiles"]:
        raise Refusal(422, "no_tiles", reason_in_words("no_tiles", "no tile was found"))
    tray: Tray = current_app.extensions["tray"]
    token = tray.put(display_jpeg(photo), recognition)
    answer = jsonify(
        recognition_in_words(recognition)
        | {
            "photo": url_for("capture.photo", token=token),
            "page": url_for("confirm.photo_page", token=token),
        }
    )
    answer.status_code = 201
    answer.headers["Location"] = url_for("confirm.photo_page", token=token)
    return answer


@blueprint.post("/score")
def score() -> Response:
    """Scores a hand (JSON as on the command line): the score object, 422 for a hand that cannot be scored."""
    return jsonify(score_claim(read_claim(json_body())).to_json())


@blueprint.post("/assess")
def assess_hand() -> Response:
    """Score, payments and notation of a hand, or the problem with it; for hands still being put right."""
    return jsonify(assess(json_body()))


@blueprint.post("/settle")
def settle() -> Response:
    """Who pays whom: a hand with its `discarder` (a seat) unless self-drawn; points by seat, sum zero."""
    claim = read_claim(json_body())
    result = score_claim(claim)
    payments = payments_for(claim, result)
    if payments is None:
        raise _cannot_settle(legal=result.legal)
    return jsonify(total=result.total, payments=payments)


def _cannot_settle(*, legal: bool) -> Refusal:
    if not legal:
        return Refusal(
            422, "below_minimum", gettext("Under 8 points without flowers: nobody pays for this hand.")
        )
    return Refusal(422, "no_discarder", gettext("Say who discarded the winning tile."))


@blueprint.post("/picture")
def picture() -> Response:
    """The score of a hand as a PNG to send around: its tiles, fans, total and, where known, payments."""
    claim = read_claim(json_body())
    result = score_claim(claim)
    drawn = score_picture(result, claim.discarder, payments_for(claim, result), claim.players)
    return Response(drawn, mimetype="image/png")


@blueprint.post("/waits")
def waits() -> Response:
    """What a hand of 13 tiles (a hand without `winning_tile`) waits for, with the score of each wait."""
    body = json_body()
    if not isinstance(body, Mapping):
        raise Refusal(400, "not_an_object", gettext("The request must be a JSON object with a hand in it."))
    try:
        return jsonify(waiting_in_json(body))
    except HandError as error:
        raise Refusal(422, error.code, words_for(error)) from error


@blueprint.post("/notation")
def notation() -> Response:
    """A hand written as text, read into the JSON hand; 422 says what is wrong and at which position."""
    body = json_body()
    written = body.get("text") if isinstance(body, Mapping) else None
    if not isinstance(written, str) or not written.strip():
        raise Refusal(400, "no_text", gettext("Write a hand first, for example 123m456p789s11222z."))
    try:
        hand, circumstances = parse_hand(written.strip())
    except NotationError as error:
        place = gettext("Position %(number)s: %(reason)s") % {
            "number": error.position + 1,
            "reason": words_for(error),
        }
        raise Refusal(422, error.code, place) from error
    except HandError as error:
        raise Refusal(422, error.code, words_for(error)) from error
    except ValueError as error:
        # Whatever else a reader of text stumbles over (a count of thousands of digits) is the text's fault.
        raise Refusal(422, "not_the_notation", reason_in_words("not_the_notation", str(error))) from error
    return jsonify(hand_to_json(hand, circumstances))


@blueprint.get("/fans")
def fans() -> Response:
    """The catalogue of fans of the rules that `?profile=` names: names in Chinese and English, points, examples."""
    try:
        profile = profile_named(request.args.get("profile", DEFAULT_PROFILE))
    except HandError as error:
        raise Refusal(422, error.code, words_for(error)) from error
    return jsonify(profile=profile.name, fans=catalogue(profile))


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """This API described for programs."""
    return jsonify(document())


@blueprint.get("/hands")
def hands() -> Response:
    """The confirmed hands, newest first: the last 200, or as many as `?limit=` says, if that is less."""
    limit = request.args.get("limit", str(MOST_HANDS))
    if not re.fullmatch("[0-9]{1,9}", limit):
        raise Refusal(400, "bad_limit", gettext("The limit must be a number."))
    entries = _store().entries(min(int(limit), MOST_HANDS))
    return jsonify(hands=[entry.to_json() for entry in entries])


@blueprint.post("/hands")
def add_hand() -> Response:
    """Confirms a legal win: writes hand, score and payments into the ledger. 201 with the entry.

    `photos`, the tokens of its pending photos, may come with the hand: those photos are then forgotten. So may
    a `key`: the same hand sent again with the same key is not written twice, another one is refused.
    """
    body = json_body()
    claim = read_claim(body)
    photos, key = body.get("photos", []), body.get("key")
    if key is not None and not (isinstance(key, str) and re.fullmatch("[A-Za-z0-9_-]{8,64}", key)):
        raise Refusal(400, "bad_key", gettext("The key must have 8 to 64 letters, digits, - or _."))
    if not isinstance(photos, list):
        raise Refusal(400, "bad_photos", gettext("The photos must be a list of tokens."))
    result = score_claim(claim)
    payments = payments_for(claim, result)
    if payments is None:
        raise _cannot_settle(legal=result.legal)
    hand = hand_to_json(claim.hand, claim.circumstances)
    try:
        entry = _store().add(hand, result.to_json(), payments, claim.discarder, claim.players, key)
    except AlreadyConfirmedError as error:
        message = gettext(
            "A hand was confirmed from here already, perhaps in another window. Look at the list of hands."
        )
        raise Refusal(409, "already_confirmed", message) from error
    tray: Tray = current_app.extensions["tray"]
    for token in photos:
        tray.take(str(token))
    answer = jsonify(entry.to_json())
    answer.status_code = 201
    answer.headers["Location"] = url_for("api.hand", number=entry.id)
    return answer


def _found(find: Callable[[int], Entry | None], number: str) -> Response:
    # SQLite counts to 2**63: whatever has more digits is no hand's number, no more than a word is.
    entry = find(int(number)) if re.fullmatch("[0-9]{1,18}", number) else None
    if entry is None:
        raise Refusal(404, "no_such_hand", gettext("There is no hand with this number."))
    return jsonify(entry.to_json())


@blueprint.get("/hands/<number>")
def hand(number: str) -> Response:
    """One confirmed hand."""
    return _found(_store().entry, number)


@blueprint.delete("/hands/<number>")
def remove_hand(number: str) -> Response:
    """Takes a hand out of the ledger; it can be restored."""
    return _found(_store().remove, number)


@blueprint.post("/hands/<number>/restore")
def restore_hand(number: str) -> Response:
    """Brings a removed hand back."""
    return _found(_store().restore, number)
