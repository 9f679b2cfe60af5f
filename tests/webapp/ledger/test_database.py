"""The database: every earlier version opens, others are refused, and faults are noticed before anything is promised."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from scorer import hand_to_json, parse_hand, score
from webapp.ledger import ConfirmedHand, Ledger, LedgerError, NewMatch

WIN = parse_hand("123456789m12s55z3s")
HAND, SCORE = hand_to_json(*WIN), score(*WIN).to_json()
PAYMENTS = {"E": 45, "S": -29, "W": -8, "N": -8}

#: The tables as each version of Fanlens before 0.5 made them, by `user_version`.
EARLIER = {
    1: """CREATE TABLE hands (id INTEGER NOT NULL PRIMARY KEY, confirmed_at DATETIME NOT NULL, removed_at DATETIME,
          discarder VARCHAR(1), hand JSON NOT NULL, score JSON NOT NULL, payments JSON NOT NULL);""",
    2: """CREATE TABLE hands (id INTEGER NOT NULL, confirmed_at DATETIME NOT NULL, removed_at DATETIME,
          discarder VARCHAR(1), hand JSON NOT NULL, score JSON NOT NULL, payments JSON NOT NULL, players JSON,
          "key" VARCHAR(64), PRIMARY KEY (id)); CREATE UNIQUE INDEX hands_key ON hands ("key");""",
}


def confirmed(discarder: str | None = "S") -> ConfirmedHand:
    return ConfirmedHand(hand=HAND, score=SCORE, payments=PAYMENTS, discarder=discarder, players={})


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Ledger]:
    ledger = Ledger(path)
    try:
        yield ledger
    finally:
        ledger.close()


@pytest.mark.parametrize("version", EARLIER)
@pytest.mark.parametrize("noted", [True, False], ids=["version noted", "stopped before it was noted"])
def test_every_earlier_version_opens(tmp_path: Path, version: int, noted: bool) -> None:
    path = tmp_path / "ledger.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as old:
        old.executescript(EARLIER[version] + (f"PRAGMA user_version = {version};" if noted else ""))
        old.execute(
            "INSERT INTO hands (id, confirmed_at, discarder, hand, score, payments) VALUES (7, ?, 'S', ?, ?, ?)",
            ["2026-11-29 20:00:00.000000", *(json.dumps(value) for value in (HAND, SCORE, PAYMENTS))],
        )
        old.commit()
    if version == 2 and not noted:
        # Only version 1 could be left without its number, by a run that was killed.
        with pytest.raises(LedgerError):
            Ledger(path)
        return
    for _ in range(2):
        with opened(path) as ledger:
            hand = ledger.entry(7)
            assert hand is not None
            assert (hand.score, hand.payments, hand.players) == (SCORE, PAYMENTS, {})
            assert ledger.owner_of(7) is None
    with opened(path) as ledger:
        assert ledger.add(confirmed(), "some-key", "browser").id == 8
        assert ledger.matches.start(NewMatch(players=("A", "B", "C", "D")))[0].match.totals == (0, 0, 0, 0)


def test_an_older_fanlens_refuses_the_file(tmp_path: Path) -> None:
    """Versions up to 0.4 refuse a `user_version` above 2."""
    path = tmp_path / "ledger.sqlite3"
    Ledger(path).close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("CREATE TABLE hands (id INTEGER); PRAGMA user_version = 99;", "ledger_newer"),
        (
            "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('v99');",
            "ledger_newer",
        ),
        ("CREATE TABLE songs (id INTEGER);", "ledger_foreign"),
    ],
)
def test_other_databases_are_refused_and_left_alone(tmp_path: Path, script: str, code: str) -> None:
    path = tmp_path / "ledger.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        before = list(connection.iterdump())
    with pytest.raises(LedgerError) as caught:
        Ledger(path)
    assert caught.value.code == code
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert list(connection.iterdump()) == before


def test_both_databases_start_twice(open_ledger: Callable[[], Ledger]) -> None:
    first = open_ledger()
    entry = first.add(confirmed())
    assert open_ledger().entry(entry.id) == entry


def test_the_file_is_private(tmp_path: Path) -> None:
    with opened(tmp_path / "ledger.sqlite3") as ledger:
        ledger.add(confirmed())
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_a_commit_reaches_the_disk(tmp_path: Path) -> None:
    with opened(tmp_path / "ledger.sqlite3") as ledger, ledger.database.reading() as session:
        pragmas = {
            name: session.connection().exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("synchronous", "journal_mode")
        }
        assert pragmas == {"synchronous": 2, "journal_mode": "wal"}


def vanish(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    path.rename(path.with_suffix(".moved"))
    Ledger(path).close()


@pytest.mark.parametrize("harm", [vanish, replace])
def test_a_file_that_vanishes_is_noticed_before_anything_is_promised(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    path = tmp_path / "ledger.sqlite3"
    with opened(path) as ledger:
        begun, _ = ledger.matches.start(NewMatch(players=("A", "B", "C", "D")))
        harm(path)
        for write in (lambda: ledger.add(confirmed()), lambda: ledger.matches.remove(begun.look_key)):
            with pytest.raises(LedgerError) as caught:
                write()
            assert caught.value.code == "ledger_vanished"


def test_a_file_that_turns_read_only_is_noticed_before_anything_is_promised(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite3"
    with opened(path) as ledger:
        path.chmod(0o400)
        with pytest.raises(LedgerError) as caught:
            ledger.add(confirmed())
        assert caught.value.code == "ledger_read_only"
        assert ledger.entries() == []
        path.chmod(0o600)
        assert ledger.add(confirmed()).id == 1


def test_a_locked_file_is_called_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.ledger.database.PATIENCE_S", 0.05)
    path = tmp_path / "ledger.sqlite3"
    with opened(path) as ledger, contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError) as caught:
            ledger.add(confirmed())
        assert caught.value.code == "ledger_locked"
        other.execute("ROLLBACK")
        assert ledger.add(confirmed()).id == 1


def test_a_full_disk_is_called_full(tmp_path: Path) -> None:
    with opened(tmp_path / "ledger.sqlite3") as ledger:
        with ledger.database.engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        # SQLite answers as on a full disk once the file would have to grow.

        def fill() -> None:
            for _ in range(200):
                ledger.add(confirmed())

        with limited(ledger, pages), pytest.raises(LedgerError) as caught:
            fill()
        assert caught.value.code == "ledger_full"


@contextlib.contextmanager
def limited(ledger: Ledger, pages: int) -> Iterator[None]:
    def limit(connection: Any, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    event.listen(ledger.database.engine, "connect", limit)
    ledger.database.engine.dispose()
    yield
    event.remove(ledger.database.engine, "connect", limit)


def test_a_read_only_database_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite3"
    with opened(path) as ledger:
        event.listen(
            ledger.database.engine,
            "connect",
            lambda connection, _: connection.execute("PRAGMA query_only = ON"),
        )
        ledger.database.engine.dispose()
        with pytest.raises(LedgerError) as caught:
            ledger.add(confirmed())
        assert caught.value.code == "ledger_read_only"


def test_a_damaged_file_is_called_damaged(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite3"
    with opened(path) as ledger:
        for _ in range(30):
            ledger.add(confirmed())
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(LedgerError) as caught, opened(path) as ledger:
        ledger.entries()
    assert caught.value.code == "ledger_damaged"


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("mysql://someone:secret@host/db", "mysql is not supported"),
        ("postgresql://someone:secret@/none?host=/nowhere", "does not answer"),
    ],
)
def test_addresses_that_cannot_be_used(address: str, says: str) -> None:
    with pytest.raises(LedgerError, match=says) as caught:
        Ledger(address)
    assert "secret" not in caught.value.message
