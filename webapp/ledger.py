"""The ledger: the hands that people confirmed, in SQLite through SQLAlchemy."""

import contextlib
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flask import current_app
from sqlalchemy import JSON, URL, DateTime, Engine, Index, String, create_engine, event, inspect, select, text
from sqlalchemy.exc import DatabaseError, IntegrityError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from scorer import hand_from_json
from scorer.errors import FanlensError

SCHEMA_VERSION = 2
#: The statements that take a ledger from each version to the next.
MIGRATIONS = {
    1: (
        "ALTER TABLE hands ADD COLUMN players JSON",
        "ALTER TABLE hands ADD COLUMN key VARCHAR(64)",
        "CREATE UNIQUE INDEX hands_key ON hands (key)",
    )
}
LARGEST_NUMBER = 2**63 - 1  # of SQLite
SEATS = frozenset("ESWN")

_log = logging.getLogger(__name__)


class LedgerError(FanlensError):
    """The ledger file cannot be used; `code` is `ledger_failed` and `message` says why and what to do."""

    def __init__(self, message: str) -> None:
        """Refuse the file."""
        super().__init__("ledger_failed", message)


class AlreadyConfirmedError(FanlensError):
    """Another hand was confirmed under the same key; `entry` is that hand."""

    def __init__(self, entry: "Entry") -> None:
        """Keep the hand that used the key first."""
        super().__init__("already_confirmed", f"hand {entry.id} was confirmed under this key")
        self.entry = entry


@dataclass(frozen=True, kw_only=True)
class ConfirmedHand:
    """What a person confirmed.

    The database row, the API's object and the export take their fields from here. `hand` and `score` are the
    JSON objects of the command line; `payments` maps the seats E, S, W, N to points won or lost and sums to
    zero; `discarder` is None for a self-drawn win; `players` maps seats to names as far as they are known.
    Raises ValueError or HandError for values that no page could show.
    """

    hand: Mapping[str, Any]
    score: Mapping[str, Any]
    payments: Mapping[str, int]
    discarder: str | None = None
    players: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check every value."""
        hand_from_json(self.hand)
        if not isinstance(self.score, Mapping) or not isinstance(self.payments, Mapping):
            raise ValueError("score and payments must be objects")
        awards = self.score.get("awards")
        complete = isinstance(awards, list) and all(
            isinstance(award, Mapping) and {"fan", "english", "count"} <= award.keys() for award in awards
        )
        if not complete or not isinstance(self.score.get("total"), int):
            raise ValueError("the score lacks its total or its fans")
        points = list(self.payments.values())
        whole = all(isinstance(one, int) for one in points)
        if self.payments.keys() != SEATS or not whole or sum(points) != 0:
            raise ValueError("payments must give points to the four seats and sum to zero")
        if not isinstance(self.players, Mapping) or not all(
            seat in SEATS and isinstance(name, str) for seat, name in self.players.items()
        ):
            raise ValueError("players must map seats to names")


#: The names of the fields above, in the order in which the API gives them.
CONFIRMED_FIELDS = tuple(one.name for one in fields(ConfirmedHand))


@dataclass(frozen=True, kw_only=True)
class Entry(ConfirmedHand):
    """A hand in the ledger: its number, when it was confirmed (aware, in UTC), and whether it was removed."""

    id: int
    confirmed_at: datetime
    removed: bool = False

    def to_json(self) -> dict[str, Any]:
        """The entry as the API gives it."""
        confirmed = {name: getattr(self, name) for name in CONFIRMED_FIELDS}
        return {
            "id": self.id,
            "confirmed_at": self.confirmed_at.isoformat(timespec="seconds"),
            **{
                name: dict(value) if isinstance(value, Mapping) else value
                for name, value in confirmed.items()
            },
            "removed": self.removed,
        }


class _Base(DeclarativeBase):
    pass


class _Row(_Base):
    __tablename__ = "hands"

    id: Mapped[int] = mapped_column(primary_key=True)
    confirmed_at: Mapped[datetime] = mapped_column(DateTime)
    removed_at: Mapped[datetime | None] = mapped_column(DateTime)
    discarder: Mapped[str | None] = mapped_column(String(1))
    hand: Mapped[dict[str, Any]] = mapped_column(JSON)
    score: Mapped[dict[str, Any]] = mapped_column(JSON)
    payments: Mapped[dict[str, int]] = mapped_column(JSON)
    players: Mapped[dict[str, str] | None] = mapped_column(JSON)
    key: Mapped[str | None] = mapped_column(String(64))

    __table_args__ = (Index("hands_key", "key", unique=True),)


def _entry(row: _Row) -> Entry:
    confirmed = {name: getattr(row, name) for name in CONFIRMED_FIELDS}
    if row.players is None:  # a row of version 1
        confirmed["players"] = {}
    return Entry(
        id=row.id,
        confirmed_at=row.confirmed_at.replace(tzinfo=UTC),
        removed=row.removed_at is not None,
        **confirmed,
    )


# What SQLAlchemy and Entry raise for a damaged date, broken JSON or an impossible hand.
_DAMAGED = (ValueError, TypeError)


def _sound_row(session: Session, number: int) -> _Row | None:
    if not 0 < number <= LARGEST_NUMBER:
        return None
    try:
        row = session.get(_Row, number)
        if row is not None:
            _entry(row)
    except _DAMAGED as error:
        # The log names the row but not its content, which concerns only the people who played it.
        _log.warning("hand %d of the ledger is damaged and left out (%s)", number, type(error).__name__)
        return None
    return row


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


def _prepare(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    # WAL lets readers go on while a hand is written; busy_timeout waits for a writer instead of failing.
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "busy_timeout = 5000", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


class Ledger:
    """The ledger in the SQLite file `path`, which is created if it does not exist. Safe to share between threads.

    A row that another program damaged is treated as absent, so that it does not hide the others, and logged.
    Raises LedgerError when the file cannot be created, is not a database or belongs to a newer Fanlens.
    """

    def __init__(self, path: Path) -> None:
        """Open the file and migrate its tables to this version."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LedgerError(
                f"the folder {path.parent} cannot be created ({error.strerror}): give another --database"
            ) from error
        self._engine: Engine = create_engine(URL.create("sqlite", database=str(path)))
        event.listen(self._engine, "connect", _prepare)
        with self._opening(path), self._engine.begin() as connection:
            version = connection.execute(text("PRAGMA user_version")).scalar_one()
            if version > SCHEMA_VERSION:
                raise LedgerError(
                    f"{path} was written by a newer Fanlens: update Fanlens or give another --database"
                )
            if inspect(connection).has_table(_Row.__tablename__):
                # Version 0 with a table means that a run stopped before it could note the version.
                for before in range(max(version, 1), SCHEMA_VERSION):
                    for statement in MIGRATIONS[before]:
                        connection.execute(text(statement))
            _Base.metadata.create_all(connection)
            connection.execute(text(f"PRAGMA user_version = {SCHEMA_VERSION}"))

    @contextlib.contextmanager
    def _opening(self, path: Path) -> Iterator[None]:
        try:
            yield
        except DatabaseError as error:
            self._engine.dispose()
            raise LedgerError(
                f"{path} cannot be used as a database ({error.orig}): give another --database"
            ) from error
        except LedgerError:
            self._engine.dispose()
            raise

    def close(self) -> None:
        """Closes every connection."""
        self._engine.dispose()

    def check(self) -> None:
        """Runs a query; raises an SQLAlchemy error if the database does not answer."""
        with Session(self._engine) as session:
            session.execute(select(_Row.id).limit(1)).first()

    def add(self, confirmed: ConfirmedHand, key: str | None = None) -> Entry:
        """Writes a confirmed hand and returns its entry.

        The same hand under the same `key` is written once, however often it is sent: later calls return the
        first entry. Raises AlreadyConfirmedError for another hand under a key that was used.
        """
        columns = {name: getattr(confirmed, name) for name in CONFIRMED_FIELDS}
        row = _Row(confirmed_at=_now(), removed_at=None, key=key, **columns)
        with Session(self._engine) as session:
            session.add(row)
            try:
                session.commit()
            except IntegrityError:
                session.rollback()
                before = _entry(session.scalars(select(_Row).where(_Row.key == key)).one())
                same = ("hand", "score", "discarder")
                if any(getattr(before, name) != getattr(confirmed, name) for name in same):
                    raise AlreadyConfirmedError(before) from None
                return before
            return _entry(row)

    def entries(self, limit: int = 200) -> list[Entry]:
        """The confirmed hands that were not removed, newest first."""
        query = select(_Row).where(_Row.removed_at.is_(None)).order_by(_Row.id.desc()).limit(limit)
        with Session(self._engine) as session:
            try:
                return [_entry(row) for row in session.scalars(query)]
            except _DAMAGED:
                numbers = session.scalars(query.with_only_columns(_Row.id)).all()
                found = [_sound_row(session, number) for number in numbers]
                return [_entry(row) for row in found if row is not None]

    def entry(self, number: int) -> Entry | None:
        """The hand with this number, removed or not, or None."""
        with Session(self._engine) as session:
            row = _sound_row(session, number)
            return None if row is None else _entry(row)

    def remove(self, number: int) -> Entry | None:
        """Marks a hand as removed; `restore` brings it back. Returns None if there is no such hand."""
        return self._mark(number, _now())

    def restore(self, number: int) -> Entry | None:
        """Brings a removed hand back. Returns None if there is no such hand."""
        return self._mark(number, None)

    def _mark(self, number: int, removed_at: datetime | None) -> Entry | None:
        with Session(self._engine) as session:
            row = _sound_row(session, number)
            if row is None:
                return None
            row.removed_at = removed_at
            row.key = None  # so that the hand can be corrected and confirmed again with its key
            session.commit()
            return _entry(row)


def current_ledger() -> Ledger:
    """The ledger of the application that answers this request."""
    ledger: Ledger = current_app.extensions["ledger"]
    return ledger
