"""Confirmed hands in the API: add them to the ledger, list, remove and restore them."""

import re
from collections.abc import Callable

from flask import Blueprint, Response, jsonify, request, url_for

from scorer import hand_to_json
from webapp.api.bodies import entry_key, json_body
from webapp.assessment import read_claim, score_claim, settled
from webapp.errors import Refusal
from webapp.language import gettext
from webapp.ledger import ConfirmedHand, Entry, current_ledger
from webapp.pending_photos import current_photos

blueprint = Blueprint("ledger", __name__, url_prefix="/hands")

MOST_HANDS = 200


@blueprint.get("")
def hands() -> Response:
    """The confirmed hands, newest first: the last 200, or `?limit=` if that is less."""
    limit = request.args.get("limit", str(MOST_HANDS))
    if not re.fullmatch("[0-9]{1,9}", limit):
        raise Refusal(400, "bad_limit", gettext("The limit must be a whole number, 0 or more."))
    entries = current_ledger().entries(min(int(limit), MOST_HANDS))
    return jsonify(hands=[entry.to_json() for entry in entries])


@blueprint.post("")
def add_hand() -> Response:
    """Confirms a legal win: writes hand, score and payments into the ledger. 201 with the entry.

    The hand may come with `photos`, the tokens of its pending photos, which are then dropped, and with a `key`:
    the same hand under the same key is written once; another hand under that key is refused.
    """
    body = json_body()
    claim = read_claim(body)
    photos, key = body.get("photos", []), entry_key(body)
    if not isinstance(photos, list):
        raise Refusal(400, "bad_photos", gettext("The photos must be a list of tokens."))
    result = score_claim(claim)
    confirmed = ConfirmedHand(
        hand=hand_to_json(claim.hand, claim.circumstances),
        score=result.to_json(),
        payments=settled(claim, result),
        discarder=claim.discarder,
        players=claim.players,
    )
    entry = current_ledger().add(confirmed, key)
    for token in photos:
        current_photos().take(str(token))
    answer = jsonify(entry.to_json())
    answer.status_code = 201
    answer.headers["Location"] = url_for("api.ledger.hand", number=entry.id)
    return answer


def _found(find: Callable[[int], Entry | None], number: str) -> Response:
    # SQLite counts to 2**63, so a number of more than 18 digits names no hand.
    entry = find(int(number)) if re.fullmatch("[0-9]{1,18}", number) else None
    if entry is None:
        raise Refusal(404, "no_such_hand", gettext("There is no hand with this number."))
    return jsonify(entry.to_json())


@blueprint.get("/<number>")
def hand(number: str) -> Response:
    """One confirmed hand."""
    return _found(current_ledger().entry, number)


@blueprint.delete("/<number>")
def remove_hand(number: str) -> Response:
    """Removes a hand from the list; it can be restored."""
    return _found(current_ledger().remove, number)


@blueprint.post("/<number>/restore")
def restore_hand(number: str) -> Response:
    """Brings a removed hand back."""
    return _found(current_ledger().restore, number)
