"""A match as the page and the API show it: everything is derived here, so that no script counts anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from scorer import Profile
from scorer.match import (
    Draw,
    Entry,
    FalseWin,
    Match,
    Penalty,
    PlayedHand,
    SeatsCorrected,
    Win,
    event_to_json,
    points_needed,
    standings,
)
from scorer.tiles import WINDS
from webapp.ledger import MatchSummary, StoredMatch


def match_view(stored: StoredMatch, profile: Profile) -> dict[str, Any]:
    """The match at this moment: the hand in play, the score sheet, ranks, penalties, and what players need."""
    match = stored.match
    balance = match.balance
    return {
        "id": stored.id,
        "title": stored.title,
        "players": list(stored.players),
        "settings": asdict(stored.settings),
        "minimum": profile.minimum,
        "started_at": stored.started_at.isoformat(timespec="seconds"),
        "events": len(stored.events),
        "hands": match.hands,
        "hands_played": match.hands_played,
        "hand_number": match.hand_number,
        "round": match.round,
        "prevalent_wind": match.prevalent_wind,
        "seats": list(match.seats()),
        "drawn": _drawn(match),
        "dealer": match.dealer,
        "seats_change_now": match.seats_change_now,
        "over": match.is_over,
        "ended_early": match.ended_early,
        "totals": list(balance.players),
        "table": balance.table,
        "standings": [
            {**asdict(one), "table_points": float(one.table_points)} for one in standings(balance.players)
        ],
        "rows": _rows(stored, match),
        "charges": [_charge(stored, match, entry) for entry in match.charges],
        "other_events": [
            {"entry": entry.number, "event": event_to_json(entry.event)}
            for entry in match.entries
            if not isinstance(entry.event, (Win, Draw, Penalty, FalseWin))
        ],
        "last_event": len(stored.events) or None,
        "needs": _needs(match, profile),
        "best_hand": _best_hand(match),
    }


def _drawn(match: Match) -> list[str]:
    """The seat of each player in the first hand, as drawn or as corrected since."""
    order = [0, 1, 2, 3]
    for entry in match.entries:
        if isinstance(entry.event, SeatsCorrected) and entry.event.from_hand <= match.hand_number:
            order = list(entry.event.order)
    return [WINDS[order.index(player)] for player in range(4)]


def _rows(stored: StoredMatch, match: Match) -> list[dict[str, Any]]:
    running = [0, 0, 0, 0]
    rows = []
    for played in match.played:
        running = [total + gain for total, gain in zip(running, played.moved.players, strict=True)]
        rows.append({**_row(stored, match, played), "running": running})
    return rows


def _row(stored: StoredMatch, match: Match, played: PlayedHand) -> dict[str, Any]:
    version = played.entry.versions[-1]
    event = version.event
    row: dict[str, Any] = {
        "number": played.number,
        "entry": played.entry.number,
        "versions": len(played.entry.versions),
        "prevalent_wind": played.prevalent_wind,
        "seats": list(played.seats),
        "kind": event_to_json(event)["kind"],
        "winner": None,
        "discarder": None,
        "points": None,
        "timed_out": isinstance(event, Draw) and event.timed_out,
        "gains": list(match.moved_by(played.entry).players),
        "charges": [entry.number for entry in played.charges],
        "fans": [],
        "has_hand": False,
    }
    if isinstance(event, Win):
        entered = stored.events[version.number - 1]
        row |= {"winner": event.winner, "discarder": event.discarder, "points": event.points}
        row |= {"fans": list((entered.score or {}).get("fans", {})), "has_hand": entered.hand is not None}
    return row


def _charge(stored: StoredMatch, match: Match, entry: Entry) -> dict[str, Any]:
    moved = match.moved_by(entry)
    hand = 1 + sum(one.ends_hand and one.number < entry.number for one in match.entries)
    return {
        "entry": entry.number,
        "hand_number": min(hand, stored.settings.hands),
        "versions": len(entry.versions),
        "gains": list(moved.players),
        "table": moved.table,
        **event_to_json(entry.event),
    }


def _needs(match: Match, profile: Profile) -> list[dict[str, Any]]:
    """In the last round, what each player needs in the hand in play to reach a better place."""
    if match.is_over or match.hands - match.hands_played > 4:
        return []
    return [
        {
            "player": need.player,
            "rank": need.rank,
            "self_drawn": need.self_drawn,
            "discards": [{"from": other, "points": points} for other, points in need.discards.items()],
        }
        for need in points_needed(match.totals, profile.minimum, profile.base)
    ]


def _best_hand(match: Match) -> dict[str, int] | None:
    wins = [(played.entry.event, played.number) for played in match.played]
    found = [(event.points, -number) for event, number in wins if isinstance(event, Win)]
    if not found:
        return None
    points, number = max(found)
    return {"points": points, "hand_number": -number}


def summary_view(one: MatchSummary) -> dict[str, Any]:
    """A match in a list."""
    return {
        "id": one.id,
        "title": one.title,
        "started_at": one.started_at.isoformat(timespec="seconds"),
        "ended": one.ended,
        "look_key": one.look_key,
        "players": list(one.players),
        "totals": list(one.totals),
    }


def versions_view(stored: StoredMatch, number: int) -> list[dict[str, Any]] | None:
    """Every version of the entry with this number, oldest first, with its hand and score; None if there is none."""
    found = next((entry for entry in stored.match.entries if entry.number == number), None)
    if found is None:
        return None
    versions: list[dict[str, Any]] = []
    for version in found.versions:
        entered = stored.events[version.number - 1]
        versions.append(
            {
                "number": version.number,
                "entered_at": entered.entered_at.isoformat(timespec="seconds"),
                "event": event_to_json(version.event),
                "hand": _plain(entered.hand),
                "score": _plain(entered.score),
            }
        )
    return versions


def _plain(value: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if value is None else dict(value)
