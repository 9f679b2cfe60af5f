"""What the page says about a hand: score, payments, notation, or in words why there is no score."""

import contextlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorer import (
    SUIT_AND_HONOUR_FACES,
    Circumstances,
    Hand,
    HandError,
    Profile,
    Score,
    format_hand,
    hand_from_json,
    score,
    settle,
    tiles_from_ready,
    waits,
)
from scorer.errors import FanlensError
from scorer.explain import PRINCIPLES, explain
from scorer.notes import notes_on
from scorer.tiles import WINDS
from webapp.controls import changes, condition_name, conditions_in, controls, label_for
from webapp.draft import read_draft
from webapp.draft_answer import about_draft
from webapp.errors import Refusal, refusal_of
from webapp.fans import english_names
from webapp.language import current, gettext, ngettext
from webapp.match_hand import about_match, controls_in_match, match_hand_in
from webapp.messages import sentence_for_code
from webapp.profiles import DEFAULT_PROFILE, profile_called
from webapp.verdict import under_minimum, verdict

SEATS = ("E", "S", "W", "N")
LONGEST_NAME = 40


@dataclass(frozen=True)
class Claim:
    """A hand as a person submits it, and the rules to score it by.

    `discarder` is a seat, None for a self-drawn win or while not said; `players` names who sits where, as far
    as known.
    """

    hand: Hand
    circumstances: Circumstances
    discarder: str | None
    profile: Profile
    players: Mapping[str, str]


def read_profile(body: Mapping[str, Any]) -> Profile:
    """The profile of this server that `profile` in a JSON body names; the default one where it is absent.

    Raises HandError `unknown_profile`.
    """
    return profile_called(body.get("profile", DEFAULT_PROFILE))


def read_players(body: Mapping[str, Any]) -> dict[str, str]:
    """The names by seat that `players` in a JSON body gives, without the blank ones.

    Raises Refusal `bad_players`.
    """
    players = body.get("players", {})
    if not isinstance(players, Mapping) or not all(
        seat in SEATS and isinstance(name, str) and len(name) <= LONGEST_NAME
        for seat, name in players.items()
    ):
        message = gettext(
            "The players must be an object that maps seats (E, S, W, N) to names of at most 40 characters."
        )
        raise Refusal(400, "bad_players", message)
    named = {seat: " ".join(players[seat].split()) for seat in SEATS if seat in players}
    return {seat: name for seat, name in named.items() if name}


def read_claim(body: object) -> Claim:
    """The claim in a JSON body: a hand as on the command line, with optional `discarder`, `profile` and `players`.

    Raises HandError when the hand is impossible or the profile unknown, Refusal for anything else.
    """
    if not isinstance(body, Mapping):
        raise Refusal(400, "not_an_object", sentence_for_code("not_json", "the body must be a JSON object"))
    discarder = body.get("discarder")
    if discarder is not None and discarder not in SEATS:
        raise Refusal(400, "unknown_seat", gettext("The discarder must be one of E, S, W, N."))
    players = read_players(body)
    profile = read_profile(body)
    hand, circumstances = hand_from_json({key: value for key, value in body.items() if key != "discarder"})
    if circumstances.self_drawn:
        discarder = None
    elif discarder == circumstances.seat_wind:
        raise Refusal(422, "discarder_is_winner", gettext("The winner cannot also be the discarder."))
    return Claim(hand, circumstances, discarder, profile, players)


def score_claim(claim: Claim) -> Score:
    """The score of a claim. Raises NotWinning when the hand does not win."""
    return score(claim.hand, claim.circumstances, claim.profile)


def payments_for(claim: Claim, result: Score) -> dict[str, int] | None:
    """Points won or lost by seat, summing to zero; None while the discarder is not known."""
    if not result.legal or (claim.discarder is None and not claim.circumstances.self_drawn):
        return None
    points = settle(
        result,
        self_drawn=claim.circumstances.self_drawn,
        winner=SEATS.index(claim.circumstances.seat_wind),
        discarder=None if claim.discarder is None else SEATS.index(claim.discarder),
    )
    return dict(zip(SEATS, points, strict=True))


def settled(claim: Claim, result: Score) -> dict[str, int]:
    """`payments_for`, where they must be known. Raises Refusal `below_minimum` or `no_discarder`."""
    if not result.legal:
        words = gettext(
            "Without its flowers this hand has fewer than %(minimum)s points, so nobody pays for it."
        )
        raise Refusal(422, "below_minimum", words % {"minimum": claim.profile.minimum})
    payments = payments_for(claim, result)
    if payments is None:
        words = gettext("Choose who discarded the winning tile.")
        raise Refusal(422, "no_discarder", words, ("discarder",))
    return payments


def explanation_in_words(result: Score) -> dict[str, Any]:
    """Why a score is what it is, in the language of the request.

    `rules`: the definition of each counted fan by its Chinese name. `not_counted`: fans that are present but do
    not count, each with `fan`, `english`, `points`, `tiles` and the `reason`.
    """
    language = current()
    chinese = language.is_chinese

    def name(fan: str) -> str:
        return language.chinese(fan) if chinese else english_names().get(fan, fan)

    told = explain(result)
    return {
        "rules": {
            one.fan.name: language.chinese(one.fan.rule) if chinese else one.fan.rule_english
            for one in told.counted
        },
        "not_counted": [
            {
                "fan": one.fan.name,
                "english": one.fan.english,
                "points": one.fan.points,
                "tiles": list(one.tiles),
                "reason": language.chinese(
                    PRINCIPLES[one.principle][0 if chinese else 1].format(
                        by=("、" if chinese else ", ").join(map(name, one.by))
                    )
                ),
            }
            for one in told.dropped
        ],
    }


def waiting_in_json(body: Mapping[str, Any]) -> dict[str, Any]:
    """What a hand of 13 waits for: `tiles_from_ready` and `waits`, each wait as the command line prints it.

    Raises HandError when the hand is impossible or its `profile` unknown.
    """
    profile = read_profile(body)
    # Read with any one tile on top, so that everything else is checked as for a whole hand.
    held = str(body.get("concealed")) + str(body.get("melds"))
    spare = next(face for face in SUIT_AND_HONOUR_FACES if face not in held)
    hand, circumstances = hand_from_json({**body, "winning_tile": spare, "kong": False, "fourth_tile": False})
    return {
        "tiles_from_ready": tiles_from_ready(hand.concealed, hand.melds),
        "waits": [one.to_json() for one in waits(hand.concealed, hand.melds, circumstances, profile=profile)],
    }


def what_if(claim: Claim) -> list[dict[str, Any]]:
    """What the hand would score had it been won otherwise: by the other way of winning, with other winds.

    Each has the `condition` and the `value` that differ, with its `legend` and `label`, the conditions to `set`,
    `total` and `legal`. What is impossible is left out.
    """
    now = claim.circumstances
    others: list[tuple[str, Any]] = [("self_drawn", not now.self_drawn)]
    for condition, wind in (("seat_wind", now.seat_wind), ("prevalent_wind", now.prevalent_wind)):
        others += [(condition, other) for other in SEATS if other != wind]
    conditions = conditions_in({"self_drawn": now.self_drawn, "discarder": claim.discarder})
    found = []
    for condition, value in others:
        changed = changes(conditions, condition, value)
        circumstances = {name: one for name, one in changed.items() if name != "discarder"}
        with contextlib.suppress(HandError):
            result = score(claim.hand, replace(now, **circumstances), claim.profile)
            found.append(
                {
                    "condition": condition,
                    "value": value,
                    "legend": condition_name(condition),
                    "label": label_for(condition, value),
                    "set": changed,
                    "total": result.total,
                    "legal": result.legal,
                }
            )
    return found


def assess(body: object) -> dict[str, Any]:
    """The answer of `/assess` to a hand, or to a draft: a JSON object with `draft` (see `webapp.draft`) and conditions.

    `score` (the command line's object), `payments`, `notation`, `why` (see `explanation_in_words`), `what_if`,
    `verdict`, and for 13 tiles `waiting`; all None while there is no score. `notes` say which winds nobody told and
    what has no effect. `problem` then says why, as `{"code",
    "message"}`: a hand that is impossible or does not win is an answer here and not an error, because the page asks
    while somebody still edits the hand.

    `under_minimum` marks a score that is too low. Only a draft gets `draft` (see `about_draft`) and `controls` (see
    `webapp.controls`).
    """
    if not isinstance(body, Mapping) or "draft" not in body:
        return _assess_hand(body)
    draft = read_draft(body["draft"]).resolved()
    conditions = conditions_in(body)
    in_match = match_hand_in(body)
    if in_match is not None:
        conditions = in_match.settled(conditions)
    # Until somebody has said who won, the hand is scored as the East player's.
    known = conditions | {"seat_wind": conditions["seat_wind"] or WINDS[0]}
    hand = {**known, **draft.hand()}
    told = known if in_match else [name for name in known if body.get(name) is not None]
    answer = _assess_hand(hand, told) if draft.tiles else _no_tiles()
    _say_what_is_missing(answer)
    if conditions["seat_wind"] is None:
        answer["payments"] = None
    answer["draft"] = about_draft(draft, answer, hand, conditions)
    if in_match is None:
        answer["controls"], answer["match"] = controls(conditions), None
    else:
        answer["controls"] = controls_in_match(conditions, in_match)
        answer["match"] = about_match(answer, conditions, in_match)
    return answer


_PARTS = ("score", "problem", "payments", "notation", "why", "what_if", "verdict", "under_minimum", "waiting")


def _no_tiles() -> dict[str, Any]:
    message = gettext("Tap + to add tiles, or type them: 123m 55z.")
    return {**dict.fromkeys(_PARTS), "notes": [], "problem": {"code": "no_tiles", "message": message}}


def _say_what_is_missing(answer: dict[str, Any]) -> None:
    """Replaces the problem of a hand without a winning tile by what keeps it from waiting for one."""
    waiting = answer["waiting"]
    if waiting is None or waiting["waits"]:
        return
    away = waiting["tiles_from_ready"]
    message = ngettext(
        "Not ready: %(number)s tile away.",
        "Not ready: %(number)s tiles away.",
        away,
    ) % {"number": away}
    answer["problem"] = {"code": "not_ready", "message": message}


def _assess_hand(body: object, told: Collection[str] | None = None) -> dict[str, Any]:
    """The answer to a hand; `told` are the fields that somebody gave, by default those of the body."""
    answer: dict[str, Any] = dict.fromkeys(_PARTS) | {"notes": []}
    if isinstance(body, Mapping) and "winning_tile" not in body:
        # If the hand cannot be read, the problem below says why.
        with contextlib.suppress(HandError):
            answer["waiting"] = waiting_in_json(body)
            answer["under_minimum"] = under_minimum(read_profile(body))
    try:
        claim = read_claim(body)
        answer["notation"] = format_hand(claim.hand, claim.circumstances)
        result = score_claim(claim)
    except FanlensError as error:
        refusal = refusal_of(error)
        if refusal.status == 400:
            raise
        answer["problem"] = {"code": refusal.code, "message": refusal.message}
        return answer
    answer["score"] = result.to_json()
    answer["payments"] = payments_for(claim, result)
    answer["why"] = explanation_in_words(result)
    answer["what_if"] = what_if(claim)
    answer["verdict"] = verdict(result)
    answer["under_minimum"] = under_minimum(claim.profile)
    given = told if told is not None else body if isinstance(body, Mapping) else ()
    notes = notes_on(given, claim.circumstances, claim.profile)
    answer["notes"] = [note.to_json() for note in notes]
    return answer
