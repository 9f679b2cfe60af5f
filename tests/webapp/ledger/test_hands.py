"""Single hands in the ledger: kept across runs, corrected, removed and restored, safe under threads."""

import hashlib
import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer import hand_to_json, parse_hand, score
from webapp.ledger import AlreadyConfirmedError, ConfirmedHand, Ledger, LedgerError
from webapp.owner import COOKIE

WIN = parse_hand("123456789m12s55z3s")
HAND, SCORE = hand_to_json(*WIN), score(*WIN).to_json()
PAYMENTS = {"E": 45, "S": -29, "W": -8, "N": -8}


def confirmed(discarder: str | None, **more: Any) -> ConfirmedHand:
    return ConfirmedHand(
        hand=HAND, score=SCORE, payments=PAYMENTS, discarder=discarder, **{"players": {}} | more
    )


def test_entries_outlive_the_process(tmp_path: Path) -> None:
    path = tmp_path / "new" / "ledger.sqlite3"
    ledger = Ledger(path)
    first = ledger.add(confirmed("S"))
    second = ledger.add(confirmed("W"))
    ledger.close()

    ledger = Ledger(path)
    assert ledger.entries() == [second, first]
    assert ledger.entry(first.id) == first
    assert list(ledger.entries()[0].payments) == ["E", "S", "W", "N"]
    assert first.confirmed_at.utcoffset() is not None
    ledger.close()


def test_removed_entries_come_back(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite3")
    entry = ledger.add(confirmed(None))
    assert ledger.remove(entry.id) is not None
    assert ledger.entries() == []
    assert ledger.restore(entry.id) == entry
    assert ledger.entries() == [entry]
    assert ledger.remove(99) is None
    ledger.close()


def test_many_threads_lose_nothing(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite3")
    threads = [
        threading.Thread(target=lambda: [ledger.add(confirmed(None)) for _ in range(10)]) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({entry.id for entry in ledger.entries()}) == 80
    ledger.close()


def test_refuses_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to look at" * 100)
    with pytest.raises(LedgerError, match="it is not a database"):
        Ledger(path)
    assert path.read_text().startswith("not a database")


def test_refuses_a_newer_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite3"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE hands (id INTEGER)")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(LedgerError, match="newer Fanlens"):
        Ledger(path)


@pytest.mark.parametrize("name", ["a?b.sqlite3", "a#b %20.sqlite3", "牌.sqlite3"])
def test_lies_where_it_was_asked_to(tmp_path: Path, name: str) -> None:
    Ledger(tmp_path / name).close()
    assert (tmp_path / name).is_file()


def test_refuses_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LedgerError, match=r"cannot be created \(.*\): give another --database"):
        Ledger(tmp_path / "file" / "ledger.sqlite3")
    with pytest.raises(LedgerError, match="cannot be created"):
        Ledger(Path("/proc/x/y.sqlite3"))


@pytest.mark.parametrize("number", [0, -1, 2**63 - 1, 2**63, 10**30])
def test_number_of_no_entry(tmp_path: Path, number: int) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite3")
    assert ledger.entry(number) is ledger.remove(number) is ledger.restore(number) is None
    ledger.close()


@pytest.mark.parametrize(
    "harm",
    [
        "hand = '{torn'",
        "hand = x'ff00'",
        "hand = 7",
        "hand = 'null'",
        "hand = '[]'",
        "hand = '{}'",
        "score = '{}'",
        'score = \'{"total": 8, "awards": [1]}\'',
        'score = \'{"total": "8", "awards": []}\'',
        "score = ''",
        "payments = '{\"E\": 1}'",
        'payments = \'{"E": 1, "S": 1, "W": 1, "N": 1}\'',
        'payments = \'{"E": "x", "S": 1, "W": 1, "N": 1}\'',
        "confirmed_at = 'yesterday'",
        "confirmed_at = 12",
        "removed_at = NULL, discarder = NULL, hand = '{'",
    ],
)
def test_a_damaged_row_does_not_hide_the_others(
    app: Flask, client: FlaskClient, caplog: pytest.LogCaptureFixture, harm: str
) -> None:
    ledger: Ledger = app.extensions["ledger"]
    token = "t" * 32
    owner = hashlib.sha256(token.encode()).hexdigest()
    client.set_cookie(COOKIE, token)
    first, harmed, last = (ledger.add(confirmed("S"), owner=owner) for _ in range(3))
    with sqlite3.connect(app.config["DATABASE"]) as connection:
        connection.execute(f"UPDATE hands SET {harm} WHERE id = {harmed.id}")  # noqa: S608
    connection.close()

    assert ledger.entries() == [last, first]
    for path in ("/", "/hands"):
        assert client.get(path).status_code == 200
    assert [entry["id"] for entry in client.get("/api/v1/hands").json["hands"]] == [last.id, first.id]
    for method in (client.get, client.delete):
        assert method(f"/api/v1/hands/{harmed.id}").json["error"]["code"] == "no_such_hand"
    assert f"hand {harmed.id} of the ledger is damaged" in caplog.text


def test_a_ledger_that_fails_is_said_so(app: Flask, client: FlaskClient) -> None:
    with sqlite3.connect(app.config["DATABASE"]) as connection:
        connection.execute("DROP TABLE hands")
    connection.close()
    refused = client.get("/api/v1/hands")
    assert (refused.status_code, refused.json["error"]["code"]) == (503, "ledger_failed")
    assert "cannot be read or written" in client.get("/hands").text
    assert client.get("/healthz").status_code == 503
    assert client.get("/hand").status_code == 200


def test_a_ledger_of_the_first_version_is_brought_along(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite3"
    with sqlite3.connect(path) as old:
        old.executescript(
            """CREATE TABLE hands (id INTEGER NOT NULL PRIMARY KEY, confirmed_at DATETIME NOT NULL,
            removed_at DATETIME, discarder VARCHAR(1), hand JSON NOT NULL, score JSON NOT NULL,
            payments JSON NOT NULL); PRAGMA user_version = 1;"""
        )
        old.execute(
            "INSERT INTO hands VALUES (7, '2026-11-29 20:00:00.000000', NULL, 'S', ?, ?, ?)",
            [json.dumps(value) for value in (HAND, SCORE, PAYMENTS)],
        )
    old.close()
    for _ in range(2):  # and opened again as it is then
        ledger = Ledger(path)
        first = ledger.entry(7)
        assert first is not None
        assert (first.score, first.payments, first.players) == (SCORE, PAYMENTS, {})
        ledger.close()
    ledger = Ledger(path)
    assert ledger.add(confirmed("S", players={"E": "Lin"}), "some-key").players == {"E": "Lin"}
    ledger.close()


def test_one_key_confirms_one_hand(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite3")
    first = ledger.add(confirmed("S"), key="one-tap-of-two")
    assert ledger.add(confirmed("S"), key="one-tap-of-two") == first
    with pytest.raises(AlreadyConfirmedError) as found:
        ledger.add(confirmed("W"), key="one-tap-of-two")
    assert found.value.entry == first
    assert ledger.entries() == [first]
    # Taken out of the ledger it is in nobody's way any more.
    ledger.remove(first.id)
    assert ledger.add(confirmed("W"), key="one-tap-of-two").id != first.id
    # Without a key every hand is a hand of its own.
    assert ledger.add(confirmed("S")) != ledger.add(confirmed("S"))
    ledger.close()


def test_twenty_taps_at_once_confirm_one_hand(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite3")
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.append(ledger.add(confirmed("S"), key="racing").id))
        for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [found[0]] * 20
    assert len(ledger.entries()) == 1
    ledger.close()
