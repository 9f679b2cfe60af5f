"""Matches as JSON, which another Fanlens can import, and as a CSV score sheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from scorer import HandError, hand_from_json
from scorer.match import Draw, FalseWin, Penalty, PlayedHand, Win, event_from_json
from webapp.ledger.match_values import ExportedMatch, MatchError, NewMatch, Settings, StoredEvent, StoredMatch

FORMAT: Final = "fanlens-match"
VERSION: Final = 1


def match_to_json(stored: StoredMatch) -> dict[str, Any]:
    """Everything about a match except its keys."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": stored.title,
        "players": list(stored.players),
        "settings": asdict(stored.settings),
        "started_at": stored.started_at.isoformat(timespec="seconds"),
        "events": [event.to_json() for event in stored.events],
    }


def match_from_json(data: object) -> ExportedMatch:
    """Read an exported match.

    Raises `BadExportError`, which names what is wrong; events are replayed, so that they fit one another.
    """
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise _bad("it is not a match exported by Fanlens")
    if data.get("version") != VERSION:
        raise _bad(
            f"it has version {data.get('version')!r}, this Fanlens reads version {VERSION}: update Fanlens"
        )
    try:
        players, settings, title = data["players"], data["settings"], data["title"]
        started_at = _moment(data["started_at"])
        if (
            not isinstance(players, list)
            or not isinstance(settings, Mapping)
            or not isinstance(data["events"], list)
        ):
            raise _bad("players and events must be lists, and settings an object")
        new = NewMatch(players=tuple(players), settings=Settings(**settings), title=title)
        events = tuple(_event(number, one) for number, one in enumerate(data["events"], 1))
        new.settings.match(tuple(one.event for one in events))
    except BadExportError:
        raise
    except MatchError as error:
        raise _bad(error.message) from error
    except KeyError as error:
        raise _bad(f"it lacks {error.args[0]}") from error
    except (TypeError, HandError) as error:
        raise _bad(str(error)) from error
    return ExportedMatch(new=new, started_at=started_at, events=events)


class BadExportError(MatchError):
    """A file that is not a match exported by Fanlens; `reason` says what is wrong with it."""

    def __init__(self, reason: str) -> None:
        """Keep the reason."""
        super().__init__("bad_export", f"this match cannot be imported: {reason}")
        self.reason = reason


_bad = BadExportError


def _moment(text: object) -> datetime:
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError as error:
        raise _bad(f"{text!r} is not a date and time") from error
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _event(number: int, data: object) -> StoredEvent:
    if not isinstance(data, Mapping):
        raise _bad(f"event {number} must be an object")
    hand, score = data.get("hand"), data.get("score")
    for name, value in (("hand", hand), ("score", score)):
        if value is not None and not isinstance(value, Mapping):
            raise _bad(f"the {name} of event {number} must be an object")
    if hand is not None:
        hand_from_json(hand)
    return StoredEvent(
        number=number,
        entered_at=_moment(data.get("entered_at")),
        event=event_from_json(data.get("event")),
        hand=hand,
        score=score,
    )


def match_to_csv(stored: StoredMatch) -> str:
    """The score sheet as CSV: a line per hand with the points of every player, then penalties and totals."""
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\r\n").writerow
    # A cell that begins like a formula is text all the same, whatever the spreadsheet thinks.
    names = [f"'{name}" if name[0] in "=+-@\t" else name for name in stored.players]
    write(["hand", "round", "event", "winner", "discarder", "points", *names, "table", "fans"])
    match = stored.match
    for played in match.played:
        write(_hand_cells(stored, names, played))
    for entry in match.charges:
        moved = match.moved_by(entry)
        reason = entry.event.reason if isinstance(entry.event, Penalty) else "false win"
        write(["", "", "penalty", "", "", "", *moved.players, moved.table, reason])
    balance = match.balance
    write(["total", "", "", "", "", "", *balance.players, balance.table, ""])
    return text.getvalue()


def _hand_cells(stored: StoredMatch, names: list[str], played: PlayedHand) -> list[object]:
    event = played.entry.event
    version = played.entry.versions[-1]
    winner = discarder = points = ""
    what = "draw"
    if isinstance(event, Win):
        winner, points = names[event.winner], str(event.points)
        what = "self-drawn" if event.discarder is None else "win"
        discarder = "" if event.discarder is None else names[event.discarder]
    elif isinstance(event, (Penalty, FalseWin)):
        what = "ended by a penalty"
    elif isinstance(event, Draw) and event.timed_out:
        what = "time"
    fans = (stored.events[version.number - 1].score or {}).get("fans", {})
    told = " ".join(name if count == 1 else f"{name}×{count}" for name, count in fans.items())
    moved = stored.match.moved_by(played.entry)
    return [
        played.number, played.prevalent_wind, what, winner, discarder, points, *moved.players, moved.table, told
    ]  # fmt: skip
