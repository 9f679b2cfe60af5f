"""The pages of matches: the list with "new match", and one match with its table and score sheet."""

import io
from collections.abc import Mapping
from typing import Any

import segno
from flask import Blueprint, Response, abort, render_template, url_for

from scorer import format_hand, hand_from_json, score
from scorer.match import SEAT_CHANGES
from webapp.assessment import explanation_in_words
from webapp.fans import english_names
from webapp.ledger import Access, MatchError, current_ledger
from webapp.ledger.match_values import LONGEST_NAME, LONGEST_TITLE, Settings
from webapp.match_view import versions_view
from webapp.profiles import profiles

blueprint = Blueprint("matches", __name__)


@blueprint.get("/matches")
def matches_page() -> str:
    """Start a match, go on with one, or look one up. The list comes from the keys that the browser holds."""
    return render_template(
        "matches.html",
        profiles=profiles().values(),
        seatings=list(SEAT_CHANGES),
        settings=Settings(),
        longest_name=LONGEST_NAME,
        longest_title=LONGEST_TITLE,
        fan_names=english_names(),
    )


@blueprint.get("/statistics")
def statistics_page() -> str:
    """What every player did in the matches whose keys the browser holds."""
    return render_template("statistics.html")


@blueprint.get("/match/<key>")
def match_page(key: str) -> str:
    """One match, for anyone with one of its links."""
    found = current_ledger().matches.find(key)
    if found is None:
        abort(404, MatchError("no_such_match", "there is no match at this link").message)
    stored, _ = found
    return render_template("match.html", key=key, title=stored.title, players=stored.players)


@blueprint.get("/match/<key>/qr.svg")
def match_qr(key: str) -> Response:
    """A QR code of the link, for other phones at the table."""
    if current_ledger().matches.find(key) is None:
        abort(404)
    file = io.BytesIO()
    address = url_for("matches.match_page", key=key, _external=True)
    segno.make(address, error="m").save(file, kind="svg", scale=6, light="white", xmldecl=False)
    return Response(file.getvalue(), mimetype="image/svg+xml")


@blueprint.get("/match/<key>/entry/<int:number>")
def entry_page(key: str, number: int) -> str:
    """One entry of a match with every version of it: the hand as read, its fans, why they count, and who paid."""
    found = current_ledger().matches.find(key)
    versions = None if found is None else versions_view(found[0], number)
    if found is None or versions is None:
        abort(404)
    stored, access = found
    for version in versions:
        version["why"] = _why(version, stored.settings.profile)
    played = next((one for one in stored.match.played if one.entry.number == number), None)
    return render_template(
        "match_entry.html",
        key=key,
        number=number,
        players=stored.players,
        versions=versions,
        played=played,
        may_enter=access >= Access.ENTER,
        notation=_notation(versions[-1]["hand"]),
    )


def _why(version: Mapping[str, Any], profile: str) -> dict[str, Any] | None:
    """Why the hand scores what it does; None where its rules have changed since or are not at hand."""
    if version["hand"] is None or version["score"] is None or profile not in profiles():
        return None
    result = score(*hand_from_json(version["hand"]), profiles()[profile])
    return explanation_in_words(result) if result.total == version["score"]["total"] else None


def _notation(hand: dict[str, Any] | None) -> str | None:
    """The hand as text, with which the page opens it for a correction."""
    return None if hand is None else format_hand(*hand_from_json(hand))
