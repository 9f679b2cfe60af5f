"""`fanlens ledger`: what an operator does with the ledger."""

from __future__ import annotations

import csv
import json
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from scorer import hand_to_json, parse_hand, score
from scorer.match import Correction, Draw, Penalty, Win
from webapp.cli import main
from webapp.ledger import Ledger, NewMatch

WIN = parse_hand("123456789m12s55z3s")
HAND, SCORE = hand_to_json(*WIN), score(*WIN).to_json()


def run(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "160"}).invoke(main, ["ledger", *map(str, arguments)])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger with one match of four events."""
    path = tmp_path / "ledger.sqlite3"
    ledger = Ledger(path)
    begun, _ = ledger.matches.start(NewMatch(players=("Anna", "Bo", "陈", "=Dmitri"), title="Friday"))
    events = (
        Win(0, 21, 1),
        Penalty(2, 5, divided=False, reason="late"),
        Draw(),
        Correction(1, Win(0, 22, 1)),
    )
    for number, event in enumerate(events):
        hand, points = (HAND, SCORE) if number == 0 else (None, None)
        ledger.matches.add(begun.enter_key, event, after=number, hand=hand, score=points)
    ledger.close()
    return path


def test_list_and_show(path: Path) -> None:
    listed = run("list", "--database", path)
    assert listed.exit_code == 0
    assert "Anna +46, Bo -30, 陈 -13, =Dmitri -8" in listed.output
    assert "No" not in run("list", "--database", path, "--player", "anna").output
    assert "Friday" not in run("list", "--database", path, "--points", "50").output
    line = json.loads(run("list", "--database", path, "--json").output)
    assert (line["match"], line["ended"], line["totals"]["陈"]) == (1, False, -13)
    shown = run("show", "--database", path, 1)
    assert "1 (corrected)" in shown.output
    assert "late" in shown.output
    assert json.loads(run("show", "--database", path, 1, "--json").output)["players"][2] == "陈"


def test_statistics(path: Path) -> None:
    shown = run("statistics", "--database", path)
    assert shown.exit_code == 0
    assert "Anna" in shown.output
    (anna, *_) = json.loads(run("statistics", "--database", path, "--json").output)
    assert (anna["name"], anna["wins"], anna["biggest"], anna["points"], anna["hands"]) == (
        "Anna",
        1,
        22,
        46,
        2,
    )
    assert json.loads(run("statistics", "--database", path, "--json", "--since", "2999-01-01").output) == []


def test_json_goes_out_and_in_again(path: Path, tmp_path: Path) -> None:
    out, other = tmp_path / "matches.json", tmp_path / "other.sqlite3"
    assert run("export", "--database", path, "--out", out).output == f"1 match written to {out}.\n"
    Ledger(other).close()
    brought = run("import", "--database", other, out)
    assert brought.exit_code == 0, brought.output
    again = tmp_path / "again.json"
    run("export", "--database", other, "--out", again)
    assert again.read_text() == out.read_text()


def test_a_csv_score_sheet(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "sheet.csv"
    assert run("export", "--database", path, 1, "--out", out).exit_code == 0
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][6:11] == ["Anna", "Bo", "陈", "'=Dmitri", "table"]
    assert rows[1][:11] == ["1", "E", "win", "Anna", "Bo", "22", "46", "-30", "-8", "-8", "0"]
    assert rows[2][2] == "draw"
    assert rows[3][6:] == ["0", "0", "-5", "0", "5", "late"]
    assert rows[4][6:11] == ["46", "-30", "-13", "-8", "5"]


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (lambda match: match.update(format="other"), "not a match exported by Fanlens"),
        (lambda match: match.update(version=2), "version 2"),
        (lambda match: match.pop("players"), "lacks players"),
        (lambda match: match["players"].pop(), "four players"),
        (lambda match: match["settings"].update(colour="red"), "colour"),
        (lambda match: match["events"][0]["event"].update(winner=9), "the winner must be a player"),
        (lambda match: match["events"].pop(2), "withdrawn|cannot|not"),
        (lambda match: match["events"][0].update(entered_at="yesterday"), "not a date"),
        (lambda match: match["events"][0].update(hand={"concealed": []}), "cannot be imported|needs|winning"),
    ],
)
def test_a_bad_file_adds_nothing(path: Path, tmp_path: Path, harm: object, says: str) -> None:
    out = tmp_path / "matches.json"
    run("export", "--database", path, "--out", out)
    sound = json.loads(out.read_text())[0]
    bad = json.loads(json.dumps(sound))
    harm(bad)  # type: ignore[operator]
    if bad["events"][2:3] == sound["events"][3:4]:
        bad["events"][2]["event"]["of"] = 9
    out.write_text(json.dumps([sound, bad]))
    result = run("import", "--database", path, out)
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    assert __import__("re").search(says, result.output), result.output
    assert len(run("list", "--database", path, "--json").output.splitlines()) == 1


def test_backup_while_running_and_restore(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    ledger = Ledger(path)
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            ledger.matches.start(NewMatch(players=("A", "B", "C", "D")))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        backed_up = run("backup", "--database", path, copy)
    finally:
        stop.set()
        writer.join()
        ledger.close()
    assert backed_up.exit_code == 0, backed_up.output
    assert copy.stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob(".*part"))
    assert run("check", "--database", copy).output == "The ledger is sound.\n"

    refused = run("restore", "--database", path, copy)
    assert refused.exit_code == 1
    assert "add --replace" in refused.output
    restored = run("restore", "--database", path, copy, "--replace")
    assert restored.exit_code == 0, restored.output
    assert "Anna +46" in run("list", "--database", path).output
    assert path.with_name("ledger.sqlite3.before-restore").is_file()
    assert run("restore", "--database", tmp_path / "new" / "l.sqlite3", copy).exit_code == 0


def test_restore_refuses_what_is_not_a_sound_backup(path: Path, tmp_path: Path) -> None:
    before = path.read_bytes()
    notes = tmp_path / "notes"
    notes.write_text("not a database " * 500)
    for source in (notes, tmp_path / "missing"):
        result = run("restore", "--database", path, source, "--replace")
        assert result.exit_code == 1, result.output
        assert path.read_bytes() == before
    assert not list(tmp_path.glob(".*restored*"))


def test_check_names_what_is_wrong(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE match_players SET total = 1 WHERE player = 0")
        connection.commit()
    result = run("check", "--database", path)
    assert result.exit_code == 1
    assert "match 1: the totals kept for lists differ" in result.output


@pytest.mark.parametrize("command", [("list",), ("show", 1), ("check",), ("backup", "x")])
def test_a_ledger_that_does_not_exist(tmp_path: Path, command: tuple[object, ...]) -> None:
    result = run(*command, "--database", tmp_path / "none.sqlite3")
    assert result.exit_code == 1
    assert "does not exist" in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_match_that_does_not_exist(path: Path) -> None:
    result = run("show", "--database", path, 99)
    assert (result.exit_code, result.output.startswith("Error: there is no match 99")) == (1, True)
