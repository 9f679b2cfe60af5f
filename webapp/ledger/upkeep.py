"""Backup, restore and check of a ledger."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import func, select

from scorer import HandError
from vision.output_files import atomic_write
from webapp.ledger.database import Database
from webapp.ledger.errors import LedgerError
from webapp.ledger.hands import Ledger
from webapp.ledger.tables import EventRow, HandRow, MatchRow, PlayerRow


def backup(database: Database, target: Path) -> None:
    """Copy an SQLite ledger to `target` as it stands at one moment, while others read and write it.

    The copy is whole or not there at all. Raises `LedgerError`, also for PostgreSQL, which has `pg_dump`.
    """
    if database.path is None:
        raise LedgerError(
            "this ledger is in PostgreSQL: back it up with pg_dump, or use `fanlens ledger export`"
        )
    if target.exists() and target.samefile(database.path):
        raise LedgerError(f"{target} is the ledger itself: give the backup another name")
    part = target.with_name(f".{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with (
            contextlib.closing(sqlite3.connect(f"file:{_quoted(database.path)}?mode=ro", uri=True)) as source,
            contextlib.closing(sqlite3.connect(part)) as copy,
        ):
            source.backup(copy)
            # The copy is a file of its own, without a write-ahead log beside it.
            copy.execute("PRAGMA journal_mode = DELETE")
        with part.open("rb") as content, atomic_write(target, durable=True) as file:
            while chunk := content.read(1 << 20):
                file.write(chunk)
            os.fchmod(file.fileno(), 0o600)
    except (OSError, sqlite3.Error) as error:
        raise LedgerError(
            f"the backup cannot be written to {target} ({error}): give another place"
        ) from error
    finally:
        part.unlink(missing_ok=True)


def _quoted(path: Path) -> str:
    return str(path.resolve()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def restore(source: Path, path: Path, *, replace: bool = False) -> None:
    """Put a backup in the place of the ledger at `path`; the backup is checked first.

    What was there stays beside it as `NAME.before-restore`. Raises `LedgerError`, and then nothing is changed.
    """
    if not source.is_file():
        raise LedgerError(f"{source} is not a file: name a backup made by `fanlens ledger backup`")
    if path.exists() and not replace:
        raise LedgerError(
            f"{path} exists: add --replace to put the backup in its place (the old one is kept beside it)"
        )
    fresh = path.with_name(f".{path.name}.restored")
    try:
        fresh.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(sqlite3.connect(f"file:{_quoted(source)}?mode=ro", uri=True)) as backed_up:
            os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            with contextlib.closing(sqlite3.connect(fresh)) as copy:
                backed_up.backup(copy)
        ledger = Ledger(fresh)
        try:
            faults = list(check(ledger))
        finally:
            ledger.close()
        if faults:
            raise LedgerError(f"{source} is damaged ({faults[0]}): use another backup", "ledger_damaged")
        _put_in_place(fresh, path)
    except (OSError, sqlite3.Error) as error:
        raise LedgerError(f"{source} cannot be restored to {path} ({error})") from error
    finally:
        for left in (fresh, *_logs(fresh)):
            left.unlink(missing_ok=True)


def _put_in_place(fresh: Path, path: Path) -> None:
    with contextlib.closing(sqlite3.connect(fresh)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode = DELETE")
    if path.exists():
        with contextlib.closing(sqlite3.connect(path)) as old, contextlib.suppress(sqlite3.DatabaseError):
            old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        path.replace(path.with_name(f"{path.name}.before-restore"))
        for log in _logs(path):
            log.unlink(missing_ok=True)
    fresh.replace(path)


def _logs(path: Path) -> tuple[Path, Path]:
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def check(ledger: Ledger) -> Iterator[str]:
    """Everything that is wrong with a ledger, a sentence each; nothing where it is sound."""
    database = ledger.database
    with database.reading() as session:
        if not database.is_postgresql:
            connection = session.connection()
            for (finding,) in connection.exec_driver_sql("PRAGMA integrity_check"):
                if finding != "ok":
                    yield f"SQLite: {finding}"
            for row in connection.exec_driver_sql("PRAGMA foreign_key_check"):
                yield f"table {row[0]}: row {row[1]} refers to a row of {row[2]} that is missing"
        matches = session.scalars(select(MatchRow.id).order_by(MatchRow.id)).all()
        totals = {
            (player.match_id, player.player): player.total for player in session.scalars(select(PlayerRow))
        }
        gaps = session.execute(
            select(EventRow.match_id)
            .group_by(EventRow.match_id)
            .having((func.max(EventRow.number) != func.count()) | (func.min(EventRow.number) != 1))
        )
        for (number,) in gaps:
            yield f"match {number}: an event is missing"
        hands = session.scalars(select(HandRow.id).order_by(HandRow.id)).all()
    for number in matches:
        yield from _check_match(ledger, number, totals)
    for number in hands:
        if ledger.entry(number) is None:
            yield f"hand {number}: it cannot be read"


def _check_match(ledger: Ledger, number: int, totals: dict[tuple[int, int], int]) -> Iterator[str]:
    try:
        stored = ledger.matches.match_of(number)
        derived = None if stored is None else stored.match.totals
    except (HandError, ValueError, TypeError, KeyError, IndexError) as error:
        yield f"match {number}: its events cannot be replayed ({error})"
        return
    if derived is not None and derived != tuple(totals.get((number, player)) for player in range(4)):
        yield f"match {number}: the totals kept for lists differ from what its events give"
