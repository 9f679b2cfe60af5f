"""The database of the ledger: one SQLite file, or PostgreSQL by its address.

SQLite runs in WAL mode with `synchronous = FULL`: a confirmed entry survives a power cut. Every write checks that the
file is still the one that was opened, so that a removed file is noticed before anybody is told that an entry was saved.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, IntegrityError, OperationalError
from sqlalchemy.orm import Session

from webapp.ledger.errors import LedgerError
from webapp.ledger.migrate import migrate

PATIENCE_S: Final = 5
"""How long a write waits for another program's lock."""

_WRITING: Final = "fanlens_writing"
_PRIVATE: Final = 0o600

#: SQLite's primary result codes, with our code and what to do.
_SQLITE_REASONS: Final[dict[int, tuple[str, str]]] = {
    sqlite3.SQLITE_BUSY: (
        "ledger_locked",
        "another program keeps it locked: close that program and try again",
    ),
    sqlite3.SQLITE_LOCKED: (
        "ledger_locked",
        "another program keeps it locked: close that program and try again",
    ),
    sqlite3.SQLITE_FULL: ("ledger_full", "its disk is full: free some space and try again"),
    sqlite3.SQLITE_READONLY: (
        "ledger_read_only",
        "it may not be written: change its permissions and try again",
    ),
    sqlite3.SQLITE_CORRUPT: (
        "ledger_damaged",
        "it is damaged: restore a backup with `fanlens ledger restore`",
    ),
    sqlite3.SQLITE_NOTADB: ("ledger_damaged", "it is not a database: give another --database"),
    sqlite3.SQLITE_CANTOPEN: (
        "ledger_unreachable",
        "it cannot be opened: check the folder and its permissions",
    ),
}


def default_database() -> Path:
    """Where the ledger lies unless `--database` says otherwise: the user's application folder."""
    return Path(click.get_app_dir("fanlens")) / "fanlens.sqlite3"


class Database:
    """The database at `address`: the path of an SQLite file, created if it does not exist, or a `postgresql://` URL.

    Its tables are brought to this version when it is opened. Safe to share between threads. Raises `LedgerError`.
    """

    def __init__(self, address: Path | str) -> None:
        """Open the database and migrate its tables."""
        self.path = None if isinstance(address, str) and "://" in address else Path(address)
        self.name = str(self.path) if self.path else _without_password(str(address))
        self.engine = self._sqlite(self.path) if self.path else self._postgresql(str(address))
        self._file: tuple[int, int] | None = None
        try:
            with self._explained(), self.engine.execution_options(**{_WRITING: True}).begin() as connection:
                migrate(connection, self.name)
        except LedgerError:
            self.close()
            raise
        if self.path:
            status = self.path.stat()
            self._file = status.st_dev, status.st_ino

    @staticmethod
    def _sqlite(path: Path) -> Engine:
        _create(path)
        engine = create_engine(URL.create("sqlite", database=str(path)), connect_args={"timeout": PATIENCE_S})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine

    @staticmethod
    def _postgresql(address: str) -> Engine:
        try:
            url = make_url(address)
            if url.get_backend_name() != "postgresql":
                raise LedgerError(
                    f"{url.get_backend_name()} is not supported: give the path of an SQLite file or a postgresql:// URL"
                )
            return create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
        except ArgumentError as error:
            raise LedgerError(f"{_without_password(address)} is not a database URL") from error
        except ModuleNotFoundError as error:
            raise LedgerError("PostgreSQL needs its driver: pip install 'fanlens[postgres]'") from error

    @property
    def is_postgresql(self) -> bool:
        """Whether this is a PostgreSQL database."""
        return self.path is None

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that reads. Raises `LedgerError`."""
        with self._explained(), Session(self.engine) as session:
            yield session

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose changes are saved when the block ends, all of them or none; one at a time in SQLite.

        Raises `LedgerError`; `sqlalchemy.exc.IntegrityError` is left to the caller.
        """
        with self._explained(), Session(self.engine.execution_options(**{_WRITING: True})) as session:
            self._check_file(before_writing=True)
            yield session
            session.commit()
            self._check_file()

    def _check_file(self, *, before_writing: bool = False) -> None:
        """Raise `LedgerError` if the file is no longer the one that was opened, or, before a write, is read-only.

        A process that has a file open may write it whatever its permissions say now, but the next one could not.
        """
        if self.path is None or self._file is None:
            return
        try:
            status = self.path.stat()
        except OSError:
            status = None
        if status is None or (status.st_dev, status.st_ino) != self._file:
            raise LedgerError(
                f"{self.path} was removed or replaced while Fanlens had it open: put it back and restart Fanlens",
                "ledger_vanished",
            )
        if before_writing and not status.st_mode & stat.S_IWUSR:
            raise LedgerError(
                f"{self.path} has become read-only: change its permissions and try again", "ledger_read_only"
            )

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError:
            raise
        except DatabaseError as error:
            raise self._explain(error) from error

    def _explain(self, error: DBAPIError) -> LedgerError:
        number = getattr(error.orig, "sqlite_errorcode", None)
        if number is not None:
            # An extended code holds the primary one in its lowest byte.
            code, advice = _SQLITE_REASONS.get(
                number & 0xFF, ("ledger_failed", f"{error.orig}: check its disk")
            )
            return LedgerError(f"{self.name} cannot be used: {advice}", code)
        if isinstance(error, OperationalError) and self.is_postgresql:
            return LedgerError(
                f"{self.name} does not answer: check that PostgreSQL runs and who may connect",
                "ledger_unreachable",
            )
        return LedgerError(f"{self.name} cannot be used ({error.orig})")


def _create(path: Path) -> None:
    """Create the file and its folder if they do not exist; names of players are nobody else's on a shared computer."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LedgerError(
            f"the folder {path.parent} cannot be created ({error.strerror}): give another --database",
            "ledger_unreachable",
        ) from error
    try:
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, _PRIVATE))
    except OSError as error:
        raise LedgerError(
            f"{path} cannot be created ({error.strerror}): give another --database", "ledger_unreachable"
        ) from error


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # Transactions are begun by `_begin_sqlite`, not by the driver.
    connection.isolation_level = None
    cursor = connection.cursor()
    # WAL lets readers go on while an entry is written.
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes the lock first, so that what it read is still true when it writes.
    writing = connection.get_execution_options().get(_WRITING)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _without_password(address: str) -> str:
    try:
        return make_url(address).render_as_string(hide_password=True)
    except ArgumentError:
        return "the database address"
