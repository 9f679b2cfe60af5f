"""The ledger: hands that people confirmed, in SQLite through SQLAlchemy."""

import contextlib
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, URL, DateTime, Engine, Index, String, create_engine, event, inspect, select, text
from sqlalchemy.exc import DatabaseError, IntegrityError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from scorer import hand_from_json

SCHEMA_VERSION = 2
# What brings a ledger of the version before to the next one.
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


class StoreError(ValueError):
    """The database cannot be used; the message says why and what to do."""


class AlreadyConfirmedError(ValueError):
    """Another hand was confirmed under the same key; `entry` is that one."""

    def __init__(self, entry: "Entry") -> None:
        """Keep the hand that is in the way."""
        super().__init__(f"hand {entry.id} was confirmed under this key")
        self.entry = entry


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


@dataclass(frozen=True)
class Entry:
    """One confirmed hand.

    `confirmed_at` is aware, in UTC. `hand` and `score` are the JSON objects of the command line; `payments`
    maps the seats E, S, W, N to points won or lost, summing to zero. `discarder` is None for a self-drawn
    win; `players` names who sat at which seat, as far as known. Raises ValueError for what is no such thing.
    """

    id: int
    confirmed_at: datetime
    hand: Mapping[str, Any]
    score: Mapping[str, Any]
    payments: Mapping[str, int]
    discarder: str | None
    players: Mapping[str, str] = field(default_factory=dict)
    removed: bool = False

    def __post_init__(self) -> None:
        """Refuse what no page could show."""
        hand_from_json(self.hand)
        if not isinstance(self.score, Mapping) or not isinstance(self.payments, Mapping):
            raise ValueError("score and payments must be objects")
        awards = self.score.get("awards")
        told = isinstance(awards, list) and all(
            isinstance(award, Mapping) and {"fan", "english", "count"} <= award.keys() for award in awards
        )
        if not told or not isinstance(self.score.get("total"), int):
            raise ValueError("the score lacks its total or its fans")
        points = list(self.payments.values())
        whole = all(isinstance(one, int) for one in points)
        if self.payments.keys() != SEATS or not whole or sum(points) != 0:
            raise ValueError("payments must be points of the four seats that sum to zero")
        if not isinstance(self.players, Mapping) or not all(
            seat in SEATS and isinstance(name, str) for seat, name in self.players.items()
        ):
            raise ValueError("players must be names by seat")

    def to_json(self) -> dict[str, Any]:
        """The entry as the API gives it."""
        return {
            "id": self.id,
            "confirmed_at": self.confirmed_at.isoformat(timespec="seconds"),
            "hand": dict(self.hand),
            "score": dict(self.score),
            "payments": dict(self.payments),
            "discarder": self.discarder,
            "players": dict(self.players),
            "removed": self.removed,
        }


def _entry(row: _Row) -> Entry:
    return Entry(
        row.id,
        row.confirmed_at.replace(tzinfo=UTC),
        row.hand,
        row.score,
        row.payments,
        row.discarder,
        {} if row.players is None else row.players,
        row.removed_at is not None,
    )


# What SQLAlchemy and Entry raise on values that are no dates, no JSON or no hand.
_DAMAGED = (ValueError, TypeError)


def _sound_row(session: Session, number: int) -> _Row | None:
    if not 0 < number <= LARGEST_NUMBER:
        return None
    try:
        row = session.get(_Row, number)
        if row is not None:
            _entry(row)
    except _DAMAGED as error:
        # What is in it is the business of the people who played it, not of whoever reads the log.
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


class Store:
    """The ledger in the SQLite file `path`, made if it is not there. Safe to share between threads.

    A row that something else has damaged is as good as absent, so that it does not hide the others; the log
    names it. Raises StoreError when the file cannot be made, is no database or belongs to a newer Fanlens.
    """

    def __init__(self, path: Path) -> None:
        """Open the file and bring it to this version's tables."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"the folder {path.parent} cannot be made ({error.strerror}): give another --database"
            ) from error
        self._engine: Engine = create_engine(URL.create("sqlite", database=str(path)))
        event.listen(self._engine, "connect", _prepare)
        with self._opening(path), self._engine.begin() as connection:
            version = connection.execute(text("PRAGMA user_version")).scalar_one()
            if version > SCHEMA_VERSION:
                raise StoreError(
                    f"{path} was written by a newer Fanlens: update Fanlens or give another --database"
                )
            if inspect(connection).has_table(_Row.__tablename__):
                # A ledger of version 0 is one torn between making its table and noting the version.
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
            raise StoreError(
                f"{path} cannot be used as a database ({error.orig}): give another --database"
            ) from error
        except StoreError:
            self._engine.dispose()
            raise

    def close(self) -> None:
        """Closes every connection."""
        self._engine.dispose()

    def check(self) -> None:
        """Asks the database something; raises an SQLAlchemy error if it does not answer."""
        with Session(self._engine) as session:
            session.execute(select(_Row.id).limit(1)).first()

    def add(
        self,
        hand: Mapping[str, Any],
        score: Mapping[str, Any],
        payments: Mapping[str, int],
        discarder: str | None,
        players: Mapping[str, str] | None = None,
        key: str | None = None,
    ) -> Entry:
        """Writes a confirmed hand into the ledger.

        The same hand under the same `key` is written once, however often it is sent, and given back as it
        is; raises AlreadyConfirmedError for another hand under a key that was used.
        """
        row = _Row(
            confirmed_at=_now(),
            removed_at=None,
            discarder=discarder,
            hand=dict(hand),
            score=dict(score),
            payments=dict(payments),
            players=dict(players or {}),
            key=key,
        )
        with Session(self._engine) as session:
            session.add(row)
            try:
                session.commit()
            except IntegrityError:
                session.rollback()
                before = _entry(session.scalars(select(_Row).where(_Row.key == key)).one())
                if (before.hand, before.score, before.discarder) != (dict(hand), dict(score), discarder):
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
        """Takes a hand out of the ledger; `restore` brings it back. None if there is no such hand."""
        return self._mark(number, _now())

    def restore(self, number: int) -> Entry | None:
        """Brings a removed hand back. None if there is no such hand."""
        return self._mark(number, None)

    def _mark(self, number: int, removed_at: datetime | None) -> Entry | None:
        with Session(self._engine) as session:
            row = _sound_row(session, number)
            if row is None:
                return None
            row.removed_at = removed_at
            row.key = None  # a hand taken out is not in the way of putting it right and confirming it again
            session.commit()
            return _entry(row)
