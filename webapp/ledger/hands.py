"""The hands that people confirmed on their own, outside any match."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from flask import current_app
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from webapp.ledger.database import Database
from webapp.ledger.entries import CONFIRMED_FIELDS, AlreadyConfirmedError, ConfirmedHand, Entry
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
        **confirmed,
    )


def _sound_row(session: Session, number: int) -> HandRow | None:
    if not 0 < number <= LARGEST_NUMBER:
        return None
    try:
        row = session.get(HandRow, number)
        if row is not None:
            _entry(row)
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

        The same hand under the same `key` is written once, however often it is sent: later calls return the
        first entry. Raises AlreadyConfirmedError for another hand under a key that was used.
        """
        columns = {name: getattr(confirmed, name) for name in CONFIRMED_FIELDS}
        row = HandRow(confirmed_at=now(), removed_at=None, key=key, owner=owner, **columns)
        try:
            with self.database.writing() as session:
                session.add(row)
                session.flush()
                return _entry(row)
        except IntegrityError:
            with self.database.reading() as session:
                before = _entry(session.scalars(select(HandRow).where(HandRow.key == key)).one())
            same = ("hand", "score", "discarder")
            if any(getattr(before, name) != getattr(confirmed, name) for name in same):
                raise AlreadyConfirmedError(before) from None
            return before

    def entries(
        self, limit: int = 200, *, before: int | None = None, owner: str | None = None
    ) -> list[Entry]:
        """The confirmed hands that were not removed, newest first: all, or those of one owner.

        `before` gives the next page: only hands with a smaller number.
        """
        query = select(HandRow).where(HandRow.removed_at.is_(None)).order_by(HandRow.id.desc()).limit(limit)
        if before is not None:
            query = query.where(HandRow.id < before)
        if owner is not None:
            query = query.where(HandRow.owner == owner)
        with self.database.reading() as session:
            try:
                return [_entry(row) for row in session.scalars(query)]
            except _DAMAGED:
                numbers = session.scalars(query.with_only_columns(HandRow.id)).all()
                found = [_sound_row(session, number) for number in numbers]
                return [_entry(row) for row in found if row is not None]

    def entry(self, number: int) -> Entry | None:
        """The hand with this number, removed or not, or None."""
        with self.database.reading() as session:
            row = _sound_row(session, number)
            return None if row is None else _entry(row)

    def owner_of(self, number: int) -> str | None:
        """Who owns the hand with this number; None for hands of earlier versions."""
        with self.database.reading() as session:
            return session.scalar(select(HandRow.owner).where(HandRow.id == number))

    def correct(self, number: int, confirmed: ConfirmedHand) -> Entry | None:
        """Replace a hand by `confirmed` and keep what it said before. Returns None if there is no such hand."""
        with self.database.writing() as session:
            row = _sound_row(session, number)
            if row is None:
                return None
            before = _entry(row)
            latest = select(func.max(HandVersionRow.version)).where(HandVersionRow.hand_id == number)
            version = (session.scalar(latest) or 0) + 1
            said = {name: _plain(getattr(before, name)) for name in CONFIRMED_FIELDS}
            session.add(HandVersionRow(hand_id=number, version=version, replaced_at=now(), confirmed=said))
            for name in CONFIRMED_FIELDS:
                setattr(row, name, _plain(getattr(confirmed, name)))
            session.flush()
            return _entry(row)

    def versions(self, number: int) -> list[ConfirmedHand]:
        """What a hand said before each correction, oldest first."""
        query = (
            select(HandVersionRow).where(HandVersionRow.hand_id == number).order_by(HandVersionRow.version)
        )
        with self.database.reading() as session:
            return [ConfirmedHand(**row.confirmed) for row in session.scalars(query)]

    def remove(self, number: int) -> Entry | None:
        """Mark a hand as removed; `restore` brings it back. Returns None if there is no such hand."""
        return self._mark(number, now())

    def restore(self, number: int) -> Entry | None:
        """Bring a removed hand back. Returns None if there is no such hand."""
        return self._mark(number, None)

    def _mark(self, number: int, removed_at: datetime | None) -> Entry | None:
        with self.database.writing() as session:
            row = _sound_row(session, number)
            if row is None:
                return None
            row.removed_at = removed_at
            row.key = None  # so that the hand can be corrected and confirmed again with its key
            session.flush()
            return _entry(row)


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else value


def current_ledger() -> Ledger:
    """The ledger of the application that answers this request."""
    ledger: Ledger = current_app.extensions["ledger"]
    return ledger
