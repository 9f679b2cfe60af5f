"""A hand that is edited within a match: who won and from whom by name, with winds, rules and payments derived.

The page keeps the winner as a seat wind and the discarder as a seat, as for a single hand; here the seats get the
names of the players who sit there, and the conditions that follow from the match are no longer offered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scorer import HandError
from scorer.match import Correction, Match, Win
from scorer.match.movement import movement_of
from scorer.tiles import WINDS
from webapp.controls import Conditions
from webapp.errors import Refusal
from webapp.language import gettext
from webapp.ledger import Access, MatchError, StoredMatch, current_ledger
from webapp.names import wind_name

#: Choices that follow from the match, or that "From whom?" asks instead.
_DERIVED: Final = frozenset({"self_drawn", "discarder", "seat_wind", "prevalent_wind", "profile"})


@dataclass(frozen=True)
class MatchHand:
    """The hand in play in a match, or, with `of`, the hand of an entry that is being corrected."""

    key: str
    stored: StoredMatch
    number: int
    of: int | None

    @property
    def seats(self) -> tuple[str, str, str, str]:
        """The seat wind of every player."""
        return self.stored.match.seats(self.number)

    @property
    def players(self) -> dict[str, str]:
        """The names by seat."""
        return dict(zip(self.seats, self.stored.players, strict=True))

    def player_at(self, wind: object) -> int | None:
        """Who sits at this wind; None if it is not a wind."""
        return self.seats.index(wind) if isinstance(wind, str) and wind in self.seats else None

    def settled(self, conditions: Conditions) -> Conditions:
        """The conditions with what follows from the match."""
        return conditions | {
            "profile": self.stored.settings.profile,
            "prevalent_wind": WINDS[(self.number - 1) // 4],
        }


def match_hand_in(body: Mapping[str, Any]) -> MatchHand | None:
    """The match that a body names by `match` (its key) and `of`; None for a single hand. Raises `MatchError`."""
    key, of = body.get("match"), body.get("of")
    if key is None:
        return None
    found = current_ledger().matches.find(key) if isinstance(key, str) else None
    if found is None:
        raise MatchError("no_such_match", "there is no match at this link")
    if found[1] < Access.ENTER:
        raise MatchError("not_allowed", "this link only shows the match: ask for the link to enter points")
    return MatchHand(key, found[0], hand_number(found[0].match, of), of)


def hand_number(match: Match, of: object) -> int:
    """The number of the hand that an entry is about: the one in play, or the one that is corrected."""
    if of is None:
        return match.hand_number
    for played in match.played:
        if played.entry.number == of:
            return played.number
    raise Refusal(422, "no_such_entry", gettext("There is no such entry in this match."))


def controls_in_match(offered: dict[str, Any], now: Conditions, hand: MatchHand) -> dict[str, Any]:
    """`offered` with "Who won?" and "From whom?" by name in place of what the match decides."""
    names = hand.players
    won = [
        {
            "value": wind,
            "label": f"{name} · {wind_name(wind)}",
            "on": now["seat_wind"] == wind,
            "set": {"seat_wind": wind} | ({"discarder": None} if now["discarder"] == wind else {}),
        }
        for wind, name in names.items()
    ]
    drawn = {
        "value": "self_drawn",
        "label": gettext("Self-drawn"),
        "on": bool(now["self_drawn"]),
        "set": {"self_drawn": True, "discarder": None, "kong": False},
    }
    others = [
        {
            "value": wind,
            "label": name,
            "on": not now["self_drawn"] and now["discarder"] == wind,
            "set": {"self_drawn": False, "discarder": wind} | ({"kong": False} if now["self_drawn"] else {}),
        }
        for wind, name in names.items()
        if wind != now["seat_wind"]
    ]
    ours = [
        {"name": "winner", "legend": gettext("Who won?"), "options": won, "seats": False},
        {"name": "from", "legend": gettext("From whom?"), "options": [drawn, *others], "seats": False},
    ]
    kept = [choice for choice in offered["choices"] if choice["name"] not in _DERIVED]
    return {**offered, "choices": [*ours, *kept]}


def about_match(answer: dict[str, Any], now: Conditions, hand: MatchHand) -> dict[str, Any]:
    """What the page needs to confirm the hand in the match, and the bar "Bo +45, Anna −29".

    Changes `ready` and `ask` of the answer's draft: nothing is confirmed before somebody said who won and from whom.
    """
    winner, discarder = hand.player_at(now["seat_wind"]), hand.player_at(now["discarder"])
    gains = _gains(answer, now, hand, winner, discarder)
    draft = answer["draft"]
    draft["ready"] = gains is not None
    draft["ask"] = None if answer["score"] is None or not answer["score"]["legal"] else _ask(winner, gains)
    return {
        "key": hand.key,
        "after": len(hand.stored.events),
        "of": hand.of,
        "hand_number": hand.number,
        "players": hand.players,
        "winner": winner,
        "discarder": discarder,
        "gains": gains,
        "bar": None if gains is None else _bar(gains, hand.stored.players),
    }


def _ask(winner: int | None, gains: list[int] | None) -> dict[str, str] | None:
    if gains is not None:
        return None
    if winner is None:
        return {"name": "winner", "text": gettext("Who won?"), "hint": gettext("Who won? Choose above.")}
    question = gettext("From whom?")
    return {"name": "from", "text": question, "hint": gettext("From whom? Choose above to see the payments.")}


def _gains(
    answer: Mapping[str, Any], now: Conditions, hand: MatchHand, winner: int | None, discarder: int | None
) -> list[int] | None:
    """What every player gains by the hand; None while that cannot be said, or the match has no room for the hand."""
    score = answer["score"]
    if score is None or not score["legal"] or winner is None:
        return None
    if now["self_drawn"]:
        discarder = None
    elif discarder is None or discarder == winner:
        return None
    event = Win(winner, score["total"], discarder)
    match = hand.stored.match
    try:
        match.add(event if hand.of is None else Correction(hand.of, event))
    except HandError:
        return None
    return list(movement_of(event, match.base).players)


def _bar(gains: list[int], players: tuple[str, str, str, str]) -> str:
    """Winners first, then those who lose most."""
    ranked = sorted(range(4), key=lambda player: (gains[player] <= 0, -abs(gains[player]), player))
    shown = [f"{players[player]} {_signed(gains[player])}" for player in ranked if gains[player]]
    return ", ".join(shown)


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}"
