"""The hands that people confirmed on their own, outside any match."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from flask import current_app
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from webapp.ledger.database import Database
from webapp.ledger.entries import (
    ABSENT,
    CONFIRMED_FIELDS,
    AlreadyConfirmedError,
    ConfirmedHand,
    EarlierVersion,
    Entry,
    HandChangedError,
)
from webapp.ledger.hand_search import HandSearch
from webapp.ledger.matches import MatchStore
from webapp.ledger.tables import HandRow, HandVersionRow, now

LARGEST_NUMBER = 2**31 - 1
"""The largest number a hand can have in PostgreSQL."""

# What SQLAlchemy and Entry raise for a damaged date, broken JSON or an impossible hand.
_DAMAGED = (ValueError, TypeError)
_log = logging.getLogger(__name__)


def _entry(row: HandRow) -> Entry:
    confirmed = {name: getattr(row, name) for name in CONFIRMED_FIELDS}
    if row.players is None:  # a row of version 1
        confirmed["players"] = {}
    return Entry(
        id=row.id,
        confirmed_at=row.confirmed_at.replace(tzinfo=UTC),
        removed=row.removed_at is not None,
        versions=1 + row.corrections,
        **confirmed,
    )


def _sound_row(session: Session, number: int, owner: str | None = None) -> HandRow | None:
    if not 0 < number <= LARGEST_NUMBER:
        return None
    try:
        row = session.get(HandRow, number)
        if row is not None:
            _entry(row)
            if owner is not None and row.owner != owner:
                return None
    except _DAMAGED as error:
        # The log names the row but not its content, which concerns only the people who played it.
        _log.warning("hand %d of the ledger is damaged and left out (%s)", number, type(error).__name__)
        return None
    return row


class Ledger:
    """The ledger at `address`, the path of an SQLite file or a PostgreSQL URL. Safe to share between threads.

    Single hands are here; `matches` holds the matches.
    A row that another program damaged is treated as absent, so that it does not hide the others, and logged.
    Every method raises `LedgerError` when the database cannot be used.
    """

    def __init__(self, address: Path | str) -> None:
        """Open the database and bring its tables to this version."""
        self.database = Database(address)
        self.matches = MatchStore(self.database)

    def close(self) -> None:
        """Close every connection."""
        self.database.close()

    def check(self) -> None:
        """Run a query; raises `LedgerError` if the database does not answer."""
        with self.database.reading() as session:
            session.execute(select(HandRow.id).limit(1)).first()

    def add(self, confirmed: ConfirmedHand, key: str | None = None, owner: str | None = None) -> Entry:
        """Write a confirmed hand, which belongs to `owner`, and return its entry.

        The same hand under the same `key` of the same owner is written once, however often it is sent: later calls
        return the first entry. Raises AlreadyConfirmedError for another hand under a key that was used.
        """
        columns = {name: getattr(confirmed, name) for name in CONFIRMED_FIELDS}
        kept = _own_key(key, owner)
        row = HandRow(confirmed_at=now(), removed_at=None, key=kept, owner=owner, **columns)
        try:
            with self.database.writing() as session:
                session.add(row)
                session.flush()
                return _entry(row)
        except IntegrityError:
            with self.database.reading() as session:
                before = _entry(session.scalars(select(HandRow).where(HandRow.key == kept)).one())
            # Names may have been entered between two tries.
            same = [name for name in CONFIRMED_FIELDS if name not in ("players", "payments")]
            if any(getattr(before, name) != getattr(confirmed, name) for name in same):
                raise AlreadyConfirmedError(before) from None
            return before

    def entries(
        self, limit: int = 200, *, before: int | None = None, search: HandSearch | None = None
    ) -> list[Entry]:
        """The confirmed hands that `search` asks for, newest first: by default all that were not removed.

        `before` gives the next page: only hands with a smaller number.
        """
        conditions = (search or HandSearch()).conditions(sqlite=not self.database.is_postgresql)
        query = select(HandRow).where(*conditions).order_by(HandRow.id.desc()).limit(limit)
        if before is not None:
            query = query.where(HandRow.id < before)
        with self.database.reading() as session:
            try:
                return [_entry(row) for row in session.scalars(query)]
            except _DAMAGED:
                numbers = session.scalars(query.with_only_columns(HandRow.id)).all()
                found = [_sound_row(session, number) for number in numbers]
                return [_entry(row) for row in found if row is not None]

    def entry(self, number: int, owner: str | None = None) -> Entry | None:
        """The hand with this number, removed or not; None if there is none, or none of this owner if one is given."""
        with self.database.reading() as session:
            row = _sound_row(session, number, owner)
            return None if row is None else _entry(row)

    def owner_of(self, number: int) -> str | None:
        """Who owns the hand with this number; None for hands of earlier versions."""
        with self.database.reading() as session:
            return session.scalar(select(HandRow.owner).where(HandRow.id == number))

    def correct(
        self, number: int, confirmed: ConfirmedHand, *, owner: str | None = None, seen: int | None = None
    ) -> Entry | None:
        """Replace a hand by `confirmed` and keep what it said before; None if there is no such hand of this owner.

        `seen` is how many versions the sender knew. Raises HandChangedError if there are others by now. What the hand
        says already is not written again, so that a correction can be sent twice.
        """
        with self.database.writing() as session:
            row = _sound_row(session, number, owner)
            if row is None:
                return None
            before = _entry(row)
            if all(getattr(before, name) == getattr(confirmed, name) for name in CONFIRMED_FIELDS):
                return before
            if seen is not None and seen != before.versions:
                raise HandChangedError(before)
            said = {name: _plain(getattr(before, name)) for name in CONFIRMED_FIELDS}
            session.add(
                HandVersionRow(hand_id=number, version=before.versions, replaced_at=now(), confirmed=said)
            )
            for name in CONFIRMED_FIELDS:
                setattr(row, name, _plain(getattr(confirmed, name)))
            session.flush()
            session.refresh(row)
            return _entry(row)

    def versions(self, number: int) -> list[EarlierVersion]:
        """What a hand said before each correction, oldest first."""
        query = (
            select(HandVersionRow).where(HandVersionRow.hand_id == number).order_by(HandVersionRow.version)
        )
        with self.database.reading() as session:
            return [
                EarlierVersion(replaced_at=row.replaced_at.replace(tzinfo=UTC), **{**ABSENT, **row.confirmed})
                for row in session.scalars(query)
            ]

    def remove(self, number: int, owner: str | None = None) -> Entry | None:
        """Mark a hand as removed; `restore` brings it back. Returns None if there is no such hand of this owner."""
        return self._mark(number, now(), owner)

    def restore(self, number: int, owner: str | None = None) -> Entry | None:
        """Bring a removed hand back. Returns None if there is no such hand of this owner."""
        return self._mark(number, None, owner)

    def put_into_match(self, number: int, match_id: int) -> None:
        """Note that a hand was entered into a match."""
        with self.database.writing() as session:
            row = _sound_row(session, number)
            if row is not None:
                row.match_id = match_id

    def _mark(self, number: int, removed_at: datetime | None, owner: str | None) -> Entry | None:
        with self.database.writing() as session:
            row = _sound_row(session, number, owner)
            if row is None:
                return None
            row.removed_at = removed_at
            row.key = None  # so that the hand can be corrected and confirmed again with its key
            session.flush()
            return _entry(row)


def _own_key(key: str | None, owner: str | None) -> str | None:
    """The key as it is kept: two owners may use the same one, for example for the hand of one photo."""
    if key is None or owner is None:
        return key
    return hashlib.sha256(f"{owner} {key}".encode()).hexdigest()


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else value


def current_ledger() -> Ledger:
    """The ledger of the application that answers this request."""
    ledger: Ledger = current_app.extensions["ledger"]
    return ledger
