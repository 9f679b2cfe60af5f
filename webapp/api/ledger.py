"""Confirmed hands in the API: add them to the ledger, list, correct, remove and restore them.

Hands belong to the browser that confirmed them (`webapp.owner`); to every other one they do not exist.
"""

import re
from urllib.parse import urlencode

from flask import Blueprint, Response, jsonify, request, url_for

from scorer import hand_to_json
from webapp.api.bodies import entry_key, json_body
from webapp.assessment import Claim, read_claim, score_claim, settled
from webapp.errors import Refusal
from webapp.hand_list import asked_page
from webapp.language import gettext
from webapp.ledger import ConfirmedHand, Entry, current_ledger
from webapp.owner import current_owner, ensure_owner
from webapp.pending_photos import current_photos

blueprint = Blueprint("ledger", __name__, url_prefix="/hands")


@blueprint.get("")
def hands() -> Response:
    """This browser's hands, newest first: at most 200, or `?limit=`; the header `Link` has the next page.

    `?player=`, `?fan=`, `?points=` (at least), `?until=` (a day) and `?removed=1` search.
    """
    page = asked_page(request.args)
    answer = jsonify(hands=[entry.to_json() for entry in page.entries])
    if page.following is not None:
        asked = urlencode({**request.args.to_dict(), "before": page.following})
        answer.headers["Link"] = f'<{url_for("api.ledger.hands")}?{asked}>; rel="next"'
    return answer


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
    entry = current_ledger().add(confirmed_hand(claim), key, ensure_owner())
    for token in photos:
        current_photos().take(str(token))
    answer = jsonify(entry.to_json())
    answer.status_code = 201
    answer.headers["Location"] = url_for("api.ledger.hand", number=entry.id)
    return answer


def confirmed_hand(claim: Claim) -> ConfirmedHand:
    """A claim with its score and payments. Raises Refusal for a hand that nobody pays for."""
    result = score_claim(claim)
    return ConfirmedHand(
        hand=hand_to_json(claim.hand, claim.circumstances),
        score=result.to_json(),
        payments=settled(claim, result),
        discarder=claim.discarder,
        players=claim.players,
    )


def _number(text: str) -> int:
    # No database counts further than 18 digits, so that a longer number names no hand.
    return int(text) if re.fullmatch("[0-9]{1,18}", text) else 0


def _found(entry: Entry | None) -> Entry:
    if entry is None:
        raise Refusal(404, "no_such_hand", gettext("There is no hand with this number."))
    return entry


@blueprint.get("/<number>")
def hand(number: str) -> Response:
    """One confirmed hand."""
    return jsonify(_found(current_ledger().entry(_number(number), current_owner())).to_json())


@blueprint.put("/<number>")
def correct_hand(number: str) -> Response:
    """Replaces a hand by a new version; the old one is kept.

    `seen` is how many versions the sender knew: if there are more by now, the correction is refused with 409.
    """
    body = json_body()
    claim = read_claim(body)
    seen = body.get("seen")
    if seen is not None and (not isinstance(seen, int) or isinstance(seen, bool)):
        raise Refusal(400, "bad_seen", gettext("The number of versions seen must be a whole number."))
    ledger, owner = current_ledger(), current_owner()
    _found(ledger.entry(_number(number), owner))
    corrected = ledger.correct(_number(number), confirmed_hand(claim), owner=owner, seen=seen)
    return jsonify(_found(corrected).to_json())


@blueprint.get("/<number>/versions")
def hand_versions(number: str) -> Response:
    """What a hand said before each correction, oldest first."""
    entry = _found(current_ledger().entry(_number(number), current_owner()))
    return jsonify(versions=[version.to_json() for version in current_ledger().versions(entry.id)])


@blueprint.delete("/<number>")
def remove_hand(number: str) -> Response:
    """Removes a hand from the list; it can be restored."""
    return jsonify(_found(current_ledger().remove(_number(number), current_owner())).to_json())


@blueprint.post("/<number>/restore")
def restore_hand(number: str) -> Response:
    """Brings a removed hand back."""
    return jsonify(_found(current_ledger().restore(_number(number), current_owner())).to_json())
