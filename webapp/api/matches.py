"""Matches in the API: start one, enter what happens, look at it, correct it.

The key in the address says what is allowed: the look key shows the match, the enter key also enters points, the
owner's key also renames players, hands the match over and deletes it. A phone that watches asks again every two
seconds with the `ETag` it got, which costs one short query and holds no thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import SystemRandom
from typing import Any, TypeGuard

from flask import Blueprint, Response, jsonify, request, url_for

from scorer import hand_to_json
from scorer.match import Correction, Event, Win, event_from_json
from webapp.api.bodies import entry_key, json_body
from webapp.api.match_search import keys_in, search_in, whole_number_in
from webapp.assessment import Claim, assess, read_claim, score_claim
from webapp.errors import Refusal, refusal_of
from webapp.language import gettext
from webapp.ledger import (
    Access,
    MatchError,
    NewMatch,
    OutOfDateError,
    Settings,
    StoredMatch,
    current_ledger,
)
from webapp.ledger.exchange import match_from_json, match_to_csv, match_to_json
from webapp.match_hand import hand_number
from webapp.match_picture import match_picture
from webapp.match_view import match_view, summary_view, versions_view
from webapp.pending_photos import current_photos
from webapp.profiles import profile_called
from webapp.score_sheet import score_sheet
from webapp.statistics_view import statistics_view

blueprint = Blueprint("matches", __name__, url_prefix="/matches")

PAGE = 50
MAX_IMPORT_BYTES = 8 << 20
"""A match of sixteen hands takes about 60 kB."""


@blueprint.post("")
def start() -> Response:
    """Start a match: `players` (four names), optional `title`, `settings` and `draw_seats`. 201 with its keys."""
    body = _object(json_body())
    players = body.get("players")
    if not isinstance(players, list) or len(players) != 4:
        raise MatchError("bad_players", "players must be a list of four names")
    if body.get("draw_seats") is True:
        SystemRandom().shuffle(players)
    settings = body.get("settings", {})
    known = {"profile", "seating", "hands", "minutes", "false_win"}
    if not isinstance(settings, Mapping) or not settings.keys() <= known:
        raise MatchError("bad_settings", f"settings may have {', '.join(sorted(known))}")
    profile = profile_called(settings.get("profile", Settings.profile))
    new = NewMatch(
        players=tuple(players),
        settings=Settings(**settings, base=profile.base),
        title=body.get("title", ""),
    )
    stored, owner = current_ledger().matches.start(new)
    answer = jsonify(_answer(stored, Access.OWN) | {"owner_key": owner})
    answer.status_code = 201
    answer.headers["Location"] = url_for("api.matches.show", key=stored.look_key)
    return answer


@blueprint.get("/<key>")
def show(key: str) -> Response:
    """The match as it stands; 304 if nothing happened since the `ETag` that the client has."""
    stored, access = _found(key)
    answer = jsonify(_answer(stored, access))
    answer.add_etag()
    return answer.make_conditional(request)  # type: ignore[return-value]


@blueprint.post("/<key>/entries")
def enter(key: str) -> Response:
    """Enter what happened: an `event`, or a `win` with a hand; `of` makes it a correction of an earlier entry.

    `after` is how many events the sender has seen: if more happened since, the answer is 409 with the match as it
    stands. `key` makes the request safe to repeat. 201 with the match.
    """
    body = _object(json_body())
    after, once = body.get("after"), entry_key(body)
    if not isinstance(after, int) or isinstance(after, bool) or after < 0:
        raise Refusal(400, "bad_after", gettext("Say how many events you have seen, as a number in “after”."))
    stored, _ = _found(key)
    event, details = _read_entry(body, stored)
    try:
        stored = current_ledger().matches.add(key, event, after=after, entry_key=once, **details)
    except OutOfDateError as error:
        refusal = refusal_of(error)
        answer = jsonify(
            error={"code": refusal.code, "message": refusal.message}, **_answer(error.stored, Access.ENTER)
        )
        answer.status_code = refusal.status
        return answer
    for token in body.get("photos", []) if isinstance(body.get("photos"), list) else []:
        current_photos().take(str(token))
    answer = jsonify(_answer(stored, Access.ENTER))
    answer.status_code = 201
    return answer


@blueprint.post("/<key>/preview")
def preview(key: str) -> Response:
    """What a `win` would pay in this match, by player, before it is entered; and the assessment of its hand.

    The winds follow from who won. `of` previews a correction.
    """
    body = _object(json_body())
    stored, _ = _found(key)
    win = _object(body.get("win"))
    winner, discarder = win.get("winner"), win.get("discarder")
    hand_body = _in_the_match(win, stored, body.get("of"))
    answer: dict[str, Any] = {"assessment": assess(hand_body), "gains": None, "totals": None}
    score = answer["assessment"]["score"]
    discarder = None if hand_body["self_drawn"] else discarder
    settled = hand_body["self_drawn"] or (_is_player(discarder) and discarder != winner)
    if score is not None and score["legal"] and _is_player(winner) and settled:
        event: Event = Win(winner, score["total"], discarder)
        if isinstance(body.get("of"), int):
            event = Correction(body["of"], event)  # type: ignore[arg-type]
        before, after = stored.match, stored.match.add(event)
        answer["gains"] = [now - had for had, now in zip(before.totals, after.totals, strict=True)]
        answer["totals"] = list(after.totals)
    return jsonify(answer)


@blueprint.get("/<key>/entries/<int:number>")
def entry(key: str, number: int) -> Response:
    """Every version of one entry, oldest first, with hand and score where a hand was read or typed."""
    stored, _ = _found(key)
    versions = versions_view(stored, number)
    if versions is None:
        raise Refusal(404, "no_such_entry", gettext("There is no such entry in this match."))
    return jsonify(versions=versions, players=list(stored.players))


@blueprint.get("/<key>/export.<form>")
def export(key: str, form: str) -> Response:
    """The match as a file: `json`, which Fanlens can import, `csv`, `pdf` (the score sheet) or `png` (the result)."""
    stored, _ = _found(key)
    if form == "json":
        answer = jsonify(match_to_json(stored))
    elif form == "csv":
        # With a byte order mark, without which spreadsheets take Chinese names for Latin letters.
        answer = Response("\ufeff" + match_to_csv(stored), mimetype="text/csv")
    elif form == "pdf":
        answer = Response(score_sheet(stored), mimetype="application/pdf")
    elif form == "png":
        answer = Response(match_picture(stored), mimetype="image/png")
    else:
        raise Refusal(404, "no_such_format", gettext("A match is exported as json, csv, pdf or png."))
    answer.headers["Content-Disposition"] = f'attachment; filename="fanlens-match-{stored.id}.{form}"'
    return answer


@blueprint.post("/<key>/rename")
def rename(key: str) -> Response:
    """Give `player` (0 to 3) another `name`; for the owner's key."""
    body = _object(json_body())
    player = body.get("player")
    if not _is_player(player):
        raise MatchError("bad_players", "player must be a number from 0 to 3")
    stored = current_ledger().matches.rename(key, player, body.get("name", ""))
    return jsonify(_answer(stored, Access.OWN))


@blueprint.post("/<key>/hand-over")
def hand_over(key: str) -> Response:
    """A new owner's key, which replaces the one in the address."""
    return jsonify(owner_key=current_ledger().matches.hand_over(key))


@blueprint.delete("/<key>")
def remove(key: str) -> Response:
    """Delete the match for good; for the owner's key."""
    current_ledger().matches.remove(key)
    return jsonify(removed=True)


@blueprint.post("/list")
def listed() -> Response:
    """The matches that `keys` open, newest first, 50 at a time; `player`, `fan` and `points` narrow them down.

    `since` is a date, and `fan` a name in any language of the page. `before` (the smallest id of the page before)
    gives the next page.
    """
    body = _object(json_body())
    keys, before = keys_in(body), whole_number_in(body, "before")
    found = current_ledger().matches.listed(search_in(body), keys=keys, before=before, limit=PAGE)
    return jsonify(matches=[summary_view(one) for one in found], names=current_ledger().matches.names(keys))


@blueprint.post("/statistics")
def statistics() -> Response:
    """What every player did in the matches that `keys` open, narrowed down as a list of matches is."""
    body = _object(json_body())
    return jsonify(statistics_view(current_ledger().matches.played(search_in(body), keys=keys_in(body))))


@blueprint.post("/import")
def bring_in() -> Response:
    """Add a match that was exported as JSON, or a list of them; each gets new keys, and the client owns it. 201."""
    body = json_body(MAX_IMPORT_BYTES)
    exported = [match_from_json(one) for one in (body if isinstance(body, list) else [body])]
    for one in exported:
        profile_called(one.new.settings.profile)
    added = current_ledger().matches.take_in(exported)
    answer = jsonify(matches=[_answer(stored, Access.OWN) | {"owner_key": owner} for stored, owner in added])
    answer.status_code = 201
    return answer


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Refusal(400, "not_an_object", gettext("The request must be a JSON object."))
    return value


def _is_player(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 3


def _found(key: str) -> tuple[StoredMatch, Access]:
    found = current_ledger().matches.find(key)
    if found is None:
        raise MatchError("no_such_match", "there is no match at this link")
    return found


def _answer(stored: StoredMatch, access: Access) -> dict[str, Any]:
    profile = profile_called(stored.settings.profile)
    keys = {"look": stored.look_key, "enter": stored.enter_key if access >= Access.ENTER else None}
    return {"match": match_view(stored, profile), "access": access.name.lower(), "keys": keys}


def _read_entry(body: Mapping[str, Any], stored: StoredMatch) -> tuple[Event, dict[str, Any]]:
    """The event of a request, and the hand and score to keep with it."""
    of = body.get("of")
    details: dict[str, Any] = {}
    if "win" in body:
        win = _object(body["win"])
        claim = _claim(win, stored, of)
        result = score_claim(claim)
        if not result.legal:
            raise _below_minimum(claim.profile.minimum)
        discarder = None if claim.circumstances.self_drawn else win.get("discarder")
        if discarder is None and not claim.circumstances.self_drawn:
            raise Refusal(422, "no_discarder", gettext("Choose who discarded the winning tile."))
        event: Event = Win(win["winner"], result.total, discarder)
        details = {"hand": hand_to_json(claim.hand, claim.circumstances), "score": result.to_json()}
    else:
        event = event_from_json(body.get("event"))
        minimum = profile_called(stored.settings.profile).minimum
        if isinstance(event, Win) and event.points < minimum:
            raise _below_minimum(minimum)
    return (event if of is None else Correction(of, event)), details  # type: ignore[arg-type]


def _below_minimum(minimum: int) -> Refusal:
    words = gettext("Without its flowers this hand has fewer than %(minimum)s points, so nobody pays for it.")
    return Refusal(422, "below_minimum", words % {"minimum": minimum})


def _claim(win: Mapping[str, Any], stored: StoredMatch, of: object) -> Claim:
    if not _is_player(win.get("winner")):
        raise Refusal(422, "no_winner", gettext("Choose who won."))
    return read_claim(_in_the_match(win, stored, of))


def _in_the_match(win: Mapping[str, Any], stored: StoredMatch, of: object) -> dict[str, Any]:
    """The hand of a win with the rules of the match and the winds that follow from who won."""
    hand = _object(win.get("hand"))
    match = stored.match
    number = hand_number(match, of)
    winner = win.get("winner")
    seats = match.seats(number)
    wind = "ESWN"[(number - 1) // 4]
    self_drawn = hand.get("self_drawn", False)
    return {
        **{name: value for name, value in hand.items() if name not in ("discarder", "players")},
        "self_drawn": self_drawn,
        "seat_wind": seats[winner] if isinstance(winner, int) and _is_player(winner) else "E",
        "prevalent_wind": wind,
        "profile": stored.settings.profile,
    }
