"""A hand that is edited within a match: who won and from whom by name, with winds, rules and payments derived.

The page keeps the winner as a seat wind and the discarder as a seat, as for a single hand; here the seats get the
names of the players who sit there, and the conditions that follow from the match are no longer offered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorer import HandError
from scorer.match import Correction, Match, Win
from scorer.match.movement import movement_of
from scorer.tiles import WINDS
from webapp.controls import Conditions, openings, toggles, who_won
from webapp.errors import Refusal
from webapp.language import gettext
from webapp.ledger import Access, MatchError, StoredMatch, current_ledger
from webapp.names import wind_name


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


def controls_in_match(now: Conditions, hand: MatchHand) -> dict[str, Any]:
    """Who won and from whom by name, and what the match does not decide."""
    names = hand.players
    winners = {wind: f"{name} · {wind_name(wind)}" for wind, name in names.items()}
    return {
        "choices": [*who_won(now, winners, names, seats=False), *openings(now)],
        "toggles": toggles(now),
    }


def about_match(answer: dict[str, Any], now: Conditions, hand: MatchHand) -> dict[str, Any]:
    """What the page needs to confirm the hand in the match, and the bar "Bo +45, Anna −29".

    Changes `ready` of the answer's draft: a hand that does not fit the match cannot be confirmed.
    """
    winner, discarder = hand.player_at(now["seat_wind"]), hand.player_at(now["discarder"])
    gains = _gains(answer, now, hand, winner, discarder)
    answer["draft"]["ready"] = answer["draft"]["ready"] and gains is not None
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
