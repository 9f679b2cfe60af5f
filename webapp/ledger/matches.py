"""The matches of the ledger: started, added to event by event, listed and searched.

What a match stands at is derived from its events by `scorer.match`; the rows keep the events, what each changed, and
the totals for listing. Three keys say who may do what: look, enter points, or own the match.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, exists, func, select
from sqlalchemy.orm import Session

from scorer.match import Event, Movement, Win, event_from_json, event_to_json
from webapp.ledger.database import Database
from webapp.ledger.match_values import (
    Access,
    KeyUsedError,
    MatchError,
    MatchSummary,
    NewMatch,
    OutOfDateError,
    Search,
    Settings,
    StoredEvent,
    StoredMatch,
)
from webapp.ledger.tables import EventRow, MatchRow, PlayerRow, WinFanRow, WinRow, now

_KEY_BYTES: Final = 16
_TOTALS: Final = ("gain_0", "gain_1", "gain_2", "gain_3", "gain_table")


class MatchStore:
    """The matches in a database. Every method raises `LedgerError` when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        """Use a database that has been opened."""
        self._database = database

    def start(self, new: NewMatch) -> tuple[StoredMatch, str]:
        """Start a match; returns it with its owner's key, which is not given out again."""
        owner = _new_key()
        row = MatchRow(
            title=new.title,
            started_at=now(),
            settings=asdict(new.settings),
            look_key=_new_key(),
            enter_key=_new_key(),
            owner_key=owner,
        )
        with self._database.writing() as session:
            session.add(row)
            session.flush()
            session.add_all(
                PlayerRow(match_id=row.id, player=player, name=name, total=0)
                for player, name in enumerate(new.players)
            )
            session.flush()
            return _stored(session, row), owner

    def find(self, key: str) -> tuple[StoredMatch, Access] | None:
        """The match that a key opens and what it allows; None if it opens none."""
        with self._database.reading() as session:
            found = _row_for(session, key)
            return None if found is None else (_stored(session, found[0]), found[1])

    def match_of(self, number: int) -> StoredMatch | None:
        """The match with this number, for the operator."""
        with self._database.reading() as session:
            row = session.get(MatchRow, number)
            return None if row is None else _stored(session, row)

    def add(
        self,
        key: str,
        event: Event,
        *,
        after: int,
        entry_key: str | None = None,
        hand: Mapping[str, Any] | None = None,
        score: Mapping[str, Any] | None = None,
        points_for: Access = Access.ENTER,
    ) -> StoredMatch:
        """Add an event to the match that `key` opens, seen by its sender up to event number `after`.

        The same event under the same `entry_key` is added once, however often it is sent. Raises `MatchError`
        `no_such_match` or `not_allowed`, `OutOfDateError` where more happened since, `KeyUsedError`, and
        `HandError` `bad_match` for an event that does not fit.
        """
        with self._database.writing() as session:
            found = _row_for(session, key, lock=True)
            if found is None:
                raise MatchError("no_such_match", "there is no match at this link")
            row, access = found
            if access < points_for:
                raise MatchError(
                    "not_allowed", "this link only shows the match: ask for the link to enter points"
                )
            stored = _stored(session, row)
            if entry_key is not None and (before := _entered_under(session, row.id, entry_key)) is not None:
                if event_from_json(before.event) != event:
                    raise KeyUsedError
                return stored
            if after != len(stored.events):
                raise OutOfDateError(stored)
            return _append(session, row, stored, event, hand=hand, score=score, entry_key=entry_key)

    def rename(self, owner_key: str, player: int, name: str) -> StoredMatch:
        """Give a player another name. Raises `MatchError`."""
        with self._database.writing() as session:
            row = _owned(session, owner_key)
            names = list(_stored(session, row).players)
            names[player] = name
            new = NewMatch(players=(names[0], names[1], names[2], names[3]))
            found = session.get(PlayerRow, (row.id, player))
            if found is not None:
                found.name = new.players[player]
            session.flush()
            return _stored(session, row)

    def hand_over(self, owner_key: str) -> str:
        """Make a new owner's key, which replaces the old one. Raises `MatchError`."""
        with self._database.writing() as session:
            row = _owned(session, owner_key)
            row.owner_key = _new_key()
            session.flush()
            return row.owner_key

    def remove(self, owner_key: str) -> None:
        """Delete a match for good. Raises `MatchError`."""
        with self._database.writing() as session:
            row = _owned(session, owner_key)
            for table in (WinFanRow, WinRow, EventRow, PlayerRow):
                session.execute(delete(table).where(table.match_id == row.id))
            session.delete(row)

    def listed(
        self,
        search: Search | None = None,
        *,
        keys: Sequence[str] | None = None,
        before: int | None = None,
        limit: int = 50,
    ) -> list[MatchSummary]:
        """Matches from the newest to the oldest: all of them, or those that some of `keys` open.

        `before` gives the next page: only matches with a smaller number.
        """
        query = (
            select(MatchRow).where(MatchRow.removed_at.is_(None)).order_by(MatchRow.id.desc()).limit(limit)
        )
        query = query.where(*_conditions(search or Search()))
        if before is not None:
            query = query.where(MatchRow.id < before)
        if keys is not None:
            opened = [MatchRow.look_key.in_(keys), MatchRow.enter_key.in_(keys), MatchRow.owner_key.in_(keys)]
            query = query.where(opened[0] | opened[1] | opened[2])
        with self._database.reading() as session:
            rows = session.scalars(query).all()
            numbers = [row.id for row in rows]
            players: dict[int, list[PlayerRow]] = {number: [] for number in numbers}
            for player in session.scalars(
                select(PlayerRow).where(PlayerRow.match_id.in_(numbers)).order_by(PlayerRow.player)
            ):
                players[player.match_id].append(player)
            return [_summary(row, players[row.id]) for row in rows]

    def names(self, keys: Sequence[str], limit: int = 30) -> list[str]:
        """Names of players in the matches that `keys` open, those of the newest match first."""
        opened = MatchRow.look_key.in_(keys) | MatchRow.enter_key.in_(keys) | MatchRow.owner_key.in_(keys)
        query = (
            select(PlayerRow.name)
            .join(MatchRow, MatchRow.id == PlayerRow.match_id)
            .where(opened)
            .group_by(PlayerRow.name)
            .order_by(func.max(PlayerRow.match_id).desc(), PlayerRow.name)
            .limit(limit)
        )
        with self._database.reading() as session:
            return list(session.scalars(query))


def _new_key() -> str:
    return secrets.token_urlsafe(_KEY_BYTES)


def _row_for(session: Session, key: str, *, lock: bool = False) -> tuple[MatchRow, Access] | None:
    if not isinstance(key, str) or not 16 <= len(key) <= 64:
        return None
    columns = {
        Access.LOOK: MatchRow.look_key,
        Access.ENTER: MatchRow.enter_key,
        Access.OWN: MatchRow.owner_key,
    }
    for access, column in columns.items():
        query = select(MatchRow).where(column == key, MatchRow.removed_at.is_(None))
        row = session.scalar(query.with_for_update() if lock else query)
        if row is not None:
            return row, access
    return None


def _owned(session: Session, owner_key: str) -> MatchRow:
    found = _row_for(session, owner_key, lock=True)
    if found is None:
        raise MatchError("no_such_match", "there is no match at this link")
    if found[1] < Access.OWN:
        raise MatchError("not_allowed", "only who started the match may do this")
    return found[0]


def _stored(session: Session, row: MatchRow) -> StoredMatch:
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


def _entered_under(session: Session, match_id: int, entry_key: str) -> EventRow | None:
    return session.scalar(select(EventRow).where(EventRow.match_id == match_id, EventRow.key == entry_key))


def _append(
    session: Session,
    row: MatchRow,
    stored: StoredMatch,
    event: Event,
    *,
    hand: Mapping[str, Any] | None,
    score: Mapping[str, Any] | None,
    entry_key: str | None,
) -> StoredMatch:
    before = stored.match
    after = before.add(event)
    number = len(stored.events) + 1
    session.add(
        EventRow(
            match_id=row.id,
            number=number,
            entered_at=now(),
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
    now_stored = _stored(session, row)
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
    return {column: now_has - then_had for column, then_had, now_has in zip(_TOTALS, had, has, strict=True)}


def _conditions(search: Search) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if search.player:
        found.append(
            exists().where(
                PlayerRow.match_id == MatchRow.id, func.lower(PlayerRow.name) == search.player.strip().lower()
            )
        )
    if search.fan:
        found.append(exists().where(WinFanRow.match_id == MatchRow.id, WinFanRow.fan == search.fan))
    if search.least_points is not None:
        found.append(exists().where(WinRow.match_id == MatchRow.id, WinRow.points >= search.least_points))
    return found


def _summary(row: MatchRow, players: Sequence[PlayerRow]) -> MatchSummary:
    return MatchSummary(
        id=row.id,
        title=row.title,
        started_at=row.started_at.replace(tzinfo=UTC),
        ended=row.ended_at is not None,
        look_key=row.look_key,
        players=tuple(player.name for player in players),
        totals=tuple(player.total for player in players),
    )
