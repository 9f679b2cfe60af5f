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

from scorer.match import Event, PlayedMatch, event_from_json
from webapp.ledger.database import Database
from webapp.ledger.match_rows import append_event, played_matches, stored_match
from webapp.ledger.match_values import (
    Access,
    ExportedMatch,
    KeyUsedError,
    MatchError,
    MatchSummary,
    NewMatch,
    OutOfDateError,
    Search,
    StoredMatch,
)
from webapp.ledger.tables import EventRow, MatchRow, PlayerRow, WinFanRow, WinRow, now

_KEY_BYTES: Final = 16


class MatchStore:
    """The matches in a database. Every method raises `LedgerError` when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        """Use a database that has been opened."""
        self._database = database

    def start(self, new: NewMatch) -> tuple[StoredMatch, str]:
        """Start a match; returns it with its owner's key, which is not given out again."""
        with self._database.writing() as session:
            row = _begin(session, new)
            return stored_match(session, row), row.owner_key

    def take_in(self, exported: Sequence[ExportedMatch]) -> list[tuple[StoredMatch, str]]:
        """Add exported matches with new keys, all or none; returns each with its owner's key."""
        added = []
        with self._database.writing() as session:
            for one in exported:
                row = _begin(session, one.new)
                row.started_at = one.started_at.replace(tzinfo=None)
                stored = stored_match(session, row)
                for entered in one.events:
                    stored = append_event(
                        session,
                        row,
                        stored,
                        entered.event,
                        hand=entered.hand,
                        score=entered.score,
                        entered_at=entered.entered_at.replace(tzinfo=None),
                    )
                added.append((stored_match(session, row), row.owner_key))
        return added

    def find(self, key: str) -> tuple[StoredMatch, Access] | None:
        """The match that a key opens and what it allows; None if it opens none."""
        with self._database.reading() as session:
            found = _row_for(session, key)
            return None if found is None else (stored_match(session, found[0]), found[1])

    def match_of(self, number: int) -> StoredMatch | None:
        """The match with this number, for the operator."""
        with self._database.reading() as session:
            row = session.get(MatchRow, number)
            return None if row is None else stored_match(session, row)

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
            stored = stored_match(session, row)
            if entry_key is not None and (before := _entered_under(session, row.id, entry_key)) is not None:
                if event_from_json(before.event) != event:
                    raise KeyUsedError
                return stored
            if after != len(stored.events):
                raise OutOfDateError(stored)
            return append_event(session, row, stored, event, hand=hand, score=score, entry_key=entry_key)

    def rename(self, owner_key: str, player: int, name: str) -> StoredMatch:
        """Give a player another name. Raises `MatchError`."""
        with self._database.writing() as session:
            row = _owned(session, owner_key)
            names = list(stored_match(session, row).players)
            names[player] = name
            new = NewMatch(players=(names[0], names[1], names[2], names[3]))
            found = session.get(PlayerRow, (row.id, player))
            if found is not None:
                found.name = new.players[player]
            session.flush()
            return stored_match(session, row)

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
        query = select(MatchRow).where(*_wanted(search, keys)).order_by(MatchRow.id.desc()).limit(limit)
        if before is not None:
            query = query.where(MatchRow.id < before)
        with self._database.reading() as session:
            rows = session.scalars(query).all()
            numbers = [row.id for row in rows]
            players: dict[int, list[PlayerRow]] = {number: [] for number in numbers}
            for player in session.scalars(
                select(PlayerRow).where(PlayerRow.match_id.in_(numbers)).order_by(PlayerRow.player)
            ):
                players[player.match_id].append(player)
            return [_summary(row, players[row.id]) for row in rows]

    def played(self, search: Search | None = None, *, keys: Sequence[str] | None = None) -> list[PlayedMatch]:
        """The same matches, from the oldest to the newest, as `scorer.match.statistics` takes them."""
        query = select(MatchRow).where(*_wanted(search, keys)).order_by(MatchRow.started_at, MatchRow.id)
        with self._database.reading() as session:
            return played_matches(session, session.scalars(query).all())

    def names(self, keys: Sequence[str], limit: int = 30) -> list[str]:
        """Names of players in the matches that `keys` open, those of the newest match first."""
        query = (
            select(PlayerRow.name)
            .join(MatchRow, MatchRow.id == PlayerRow.match_id)
            .where(_opened_by(keys))
            .group_by(PlayerRow.name)
            .order_by(func.max(PlayerRow.match_id).desc(), PlayerRow.name)
            .limit(limit)
        )
        with self._database.reading() as session:
            return list(session.scalars(query))


def _new_key() -> str:
    return secrets.token_urlsafe(_KEY_BYTES)


def _begin(session: Session, new: NewMatch) -> MatchRow:
    """The rows of a new match, without events."""
    row = MatchRow(
        title=new.title,
        started_at=now(),
        settings=asdict(new.settings),
        look_key=_new_key(),
        enter_key=_new_key(),
        owner_key=_new_key(),
    )
    session.add(row)
    session.flush()
    session.add_all(
        PlayerRow(match_id=row.id, player=player, name=name, total=0)
        for player, name in enumerate(new.players)
    )
    session.flush()
    return row


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


def _entered_under(session: Session, match_id: int, entry_key: str) -> EventRow | None:
    return session.scalar(select(EventRow).where(EventRow.match_id == match_id, EventRow.key == entry_key))


def _opened_by(keys: Sequence[str]) -> ColumnElement[bool]:
    return MatchRow.look_key.in_(keys) | MatchRow.enter_key.in_(keys) | MatchRow.owner_key.in_(keys)


def _wanted(search: Search | None, keys: Sequence[str] | None) -> list[ColumnElement[bool]]:
    """The conditions on a match: what is searched for, and, unless `keys` is None, that one of them opens it."""
    search = search or Search()
    found: list[ColumnElement[bool]] = [MatchRow.removed_at.is_(None)]
    if keys is not None:
        found.append(_opened_by(keys))
    if search.since is not None:
        found.append(MatchRow.started_at >= search.since.astimezone(UTC).replace(tzinfo=None))
    if search.player:
        found.append(
            exists().where(
                PlayerRow.match_id == MatchRow.id, func.lower(PlayerRow.name) == search.player.strip().lower()
            )
        )
    if search.fans:
        found.append(exists().where(WinFanRow.match_id == MatchRow.id, WinFanRow.fan.in_(search.fans)))
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
