"""Hands in the API: score, settle, draw and read them, and the catalogue of fans."""

from collections.abc import Mapping

from flask import Blueprint, Response, jsonify, request

from scorer import HandError, hand_to_json, parse_hand
from scorer.jsonl import with_notes
from scorer.notes import notes_on
from webapp.api.bodies import json_body
from webapp.api.openapi import document
from webapp.assessment import (
    assess,
    payments_for,
    read_claim,
    score_claim,
    settled,
    waiting_in_json,
)
from webapp.errors import Refusal
from webapp.fans import catalogue
from webapp.language import gettext
from webapp.messages import sentence_for_code
from webapp.owner import NOBODY, current_owner, ensure_owner
from webapp.picture import score_picture
from webapp.profiles import DEFAULT_PROFILE, profile_called, profiles

blueprint = Blueprint("scoring", __name__)


@blueprint.post("/score")
def score() -> Response:
    """Scores a hand (JSON as on the command line): the score object, 422 for a hand that cannot be scored."""
    body = json_body()
    claim = read_claim(body)
    answer = score_claim(claim).to_json()
    return jsonify(with_notes(answer, notes_on(body, claim.circumstances, claim.profile)))


@blueprint.post("/assess")
def assess_hand() -> Response:
    """Score, payments and notation of a hand that a person still edits, or the problem with it."""
    body = json_body()
    answer = jsonify(assess(body))
    if "draft" in body and current_owner() == NOBODY:
        # The page gets its token before it confirms a hand, so that sending a hand twice never makes two owners of it.
        ensure_owner()
    return answer


@blueprint.post("/settle")
def settle() -> Response:
    """Who pays whom: a hand with its `discarder` (a seat) unless self-drawn; points by seat, sum zero."""
    body = json_body()
    claim = read_claim(body)
    result = score_claim(claim)
    answer = {"total": result.total, "payments": settled(claim, result)}
    return jsonify(with_notes(answer, notes_on(body, claim.circumstances, claim.profile)))


@blueprint.post("/picture")
def picture() -> Response:
    """The score of a hand as a PNG to share: its tiles, fans, total and, where known, payments."""
    claim = read_claim(json_body())
    result = score_claim(claim)
    drawn = score_picture(result, claim.discarder, payments_for(claim, result), claim.players)
    return Response(drawn, mimetype="image/png")


@blueprint.post("/waits")
def waits() -> Response:
    """What a hand of 13 tiles (a hand without `winning_tile`) waits for, with the score of each wait."""
    body = json_body()
    if not isinstance(body, Mapping):
        raise Refusal(400, "not_an_object", sentence_for_code("not_json", "the body must be a JSON object"))
    return jsonify(waiting_in_json(body))


@blueprint.post("/notation")
def notation() -> Response:
    """A hand written as text, read into the JSON hand; 422 says what is wrong and at which position."""
    body = json_body()
    written = body.get("text") if isinstance(body, Mapping) else None
    if not isinstance(written, str) or not written.strip():
        raise Refusal(400, "no_text", gettext("Write a hand first, for example 123m456p789s11222z."))
    try:
        hand, circumstances = parse_hand(written.strip())
    except HandError:
        raise
    except ValueError as error:
        # The parser lets Python's own errors pass, for example about a count of thousands of digits.
        raise HandError("not_the_notation", str(error)) from error
    return jsonify(hand_to_json(hand, circumstances))


@blueprint.get("/fans")
def fans() -> Response:
    """The fans of the rules that `?profile=` names: Chinese and English names, points, examples."""
    profile = profile_called(request.args.get("profile", DEFAULT_PROFILE))
    return jsonify(profile=profile.name, fans=catalogue(profile))


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """This API as an OpenAPI document."""
    return jsonify(document(profiles()))
