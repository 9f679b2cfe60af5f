"""The rows of a match: read into a `StoredMatch`, and an event appended to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from scorer.match import Event, Movement, PlayedMatch, Win, event_from_json, event_to_json
from webapp.ledger.match_values import Settings, StoredEvent, StoredMatch
from webapp.ledger.tables import EventRow, MatchRow, PlayerRow, WinFanRow, WinRow, now

_GAINS: Final = ("gain_0", "gain_1", "gain_2", "gain_3", "gain_table")


def stored_match(session: Session, row: MatchRow) -> StoredMatch:
    """The match of a row with its players and events."""
    names = session.scalars(
        select(PlayerRow.name).where(PlayerRow.match_id == row.id).order_by(PlayerRow.player)
    ).all()
    events = session.scalars(select(EventRow).where(EventRow.match_id == row.id).order_by(EventRow.number))
    return StoredMatch(
        id=row.id,
        title=row.title,
        players=(names[0], names[1], names[2], names[3]),
        settings=Settings(**row.settings),
        started_at=row.started_at.replace(tzinfo=UTC),
        look_key=row.look_key,
        enter_key=row.enter_key,
        events=tuple(
            StoredEvent(
                number=one.number,
                entered_at=one.entered_at.replace(tzinfo=UTC),
                event=event_from_json(one.event),
                hand=one.hand,
                score=one.score,
            )
            for one in events
        ),
    )


def played_matches(session: Session, rows: Sequence[MatchRow]) -> list[PlayedMatch]:
    """The matches of `rows` for statistics: without hands and scores, in a few queries for all of them."""
    numbers = [row.id for row in rows]
    names: dict[int, list[str]] = {number: [] for number in numbers}
    for match_id, name in session.execute(
        select(PlayerRow.match_id, PlayerRow.name)
        .where(PlayerRow.match_id.in_(numbers))
        .order_by(PlayerRow.player)
    ):
        names[match_id].append(name)
    events: dict[int, list[Event]] = {number: [] for number in numbers}
    for match_id, event in session.execute(
        select(EventRow.match_id, EventRow.event)
        .where(EventRow.match_id.in_(numbers))
        .order_by(EventRow.number)
    ):
        events[match_id].append(event_from_json(event))
    fans: dict[int, dict[int, dict[str, int]]] = {number: {} for number in numbers}
    for match_id, hand, fan, count in session.execute(
        select(WinRow.match_id, WinRow.hand_number, WinFanRow.fan, WinFanRow.count)
        .join(WinFanRow, (WinFanRow.match_id == WinRow.match_id) & (WinFanRow.number == WinRow.number))
        .where(WinRow.match_id.in_(numbers))
        .order_by(WinRow.match_id, WinRow.hand_number, WinFanRow.fan)
    ):
        fans[match_id].setdefault(hand, {})[fan] = count
    found = []
    for row in rows:
        settings = Settings(**row.settings)
        east, south, west, north = names[row.id]
        match = settings.match(tuple(events[row.id]))
        found.append(PlayedMatch((east, south, west, north), match, fans[row.id]))
    return found


def append_event(
    session: Session,
    row: MatchRow,
    stored: StoredMatch,
    event: Event,
    *,
    hand: Mapping[str, Any] | None,
    score: Mapping[str, Any] | None,
    entry_key: str | None = None,
    entered_at: datetime | None = None,
) -> StoredMatch:
    """Append an event and bring totals and wins up to date. Raises `HandError` `bad_match` if it does not fit."""
    before = stored.match
    after = before.add(event)
    number = len(stored.events) + 1
    session.add(
        EventRow(
            match_id=row.id,
            number=number,
            entered_at=entered_at or now(),
            event=event_to_json(event),
            hand=None if hand is None else dict(hand),
            score=None if score is None else dict(score),
            key=entry_key,
            **_change(before.balance, after.balance),
        )
    )
    session.flush()
    for player in session.scalars(select(PlayerRow).where(PlayerRow.match_id == row.id)):
        player.total = after.totals[player.player]
    row.ended_at = now() if after.is_over else None
    now_stored = stored_match(session, row)
    _list_wins(session, now_stored)
    return now_stored


def _list_wins(session: Session, stored: StoredMatch) -> None:
    """Write the rows of the hands won as they stand now; withdrawn and corrected ones drop out."""
    for table in (WinFanRow, WinRow):
        session.execute(delete(table).where(table.match_id == stored.id))
    for played in stored.match.played:
        version = played.entry.versions[-1]
        if not isinstance(version.event, Win):
            continue
        win = version.event
        session.add(
            WinRow(
                match_id=stored.id,
                number=version.number,
                hand_number=played.number,
                winner=win.winner,
                discarder=win.discarder,
                points=win.points,
            )
        )
        session.flush()
        fans = (stored.events[version.number - 1].score or {}).get("fans", {})
        session.add_all(
            WinFanRow(match_id=stored.id, number=version.number, fan=fan, count=count)
            for fan, count in fans.items()
        )
    session.flush()


def _change(before: Movement, after: Movement) -> dict[str, int]:
    """What an event changed, for the columns of the row."""
    had, has = (*before.players, before.table), (*after.players, after.table)
    return {column: now_has - then_had for column, then_had, now_has in zip(_GAINS, had, has, strict=True)}
