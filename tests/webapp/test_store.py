"""The ledger file: kept across runs, refused when it is not ours, safe under threads."""

import sqlite3
import threading
from pathlib import Path

import pytest

from webapp.store import SCHEMA_VERSION, Store, StoreError

PAYMENTS = {"E": 45, "S": -29, "W": -8, "N": -8}


def test_entries_outlive_the_process(tmp_path: Path) -> None:
    path = tmp_path / "new" / "ledger.sqlite3"
    store = Store(path)
    first = store.add({"winning_tile": "3s"}, {"total": 21}, PAYMENTS, "S")
    second = store.add({"winning_tile": "4s"}, {"total": 8}, PAYMENTS, "W")
    store.close()

    store = Store(path)
    assert store.entries() == [second, first]
    assert store.entry(first.id) == first
    assert list(store.entries()[0].payments) == ["E", "S", "W", "N"]
    assert first.confirmed_at.utcoffset() is not None
    store.close()


def test_removed_entries_come_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "ledger.sqlite3")
    entry = store.add({}, {}, PAYMENTS, None)
    assert store.remove(entry.id) is not None
    assert store.entries() == []
    assert store.restore(entry.id) == entry
    assert store.entries() == [entry]
    assert store.remove(99) is None
    store.close()


def test_many_threads_lose_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "ledger.sqlite3")
    threads = [
        threading.Thread(target=lambda: [store.add({}, {}, PAYMENTS, None) for _ in range(10)])
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({entry.id for entry in store.entries()}) == 80
    store.close()


def test_refuses_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to look at" * 100)
    with pytest.raises(StoreError, match="cannot be used as a database"):
        Store(path)
    assert path.read_text().startswith("not a database")


def test_refuses_a_newer_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite3"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    with pytest.raises(StoreError, match="newer Fanlens"):
        Store(path)
