"""`fanlens ledger` for single hands: the operator finds every hand and can put it into a match."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorer import hand_to_json, parse_hand, score
from tests.webapp.ledger.test_commands import run
from webapp.ledger import ConfirmedHand, Ledger, NewMatch

WIN = parse_hand("123456789m12s55z3s")
HAND, SCORE = hand_to_json(*WIN), score(*WIN).to_json()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger with a hand of an earlier version, one of some browser, and a match."""
    path = tmp_path / "ledger.sqlite3"
    ledger = Ledger(path)
    paid = {"E": 45, "S": -29, "W": -8, "N": -8}
    ledger.add(ConfirmedHand(hand=HAND, score=SCORE, payments=paid, discarder="S", players={}))
    named = {"E": "bo", "S": "陈"}
    ledger.add(
        ConfirmedHand(hand=HAND, score=SCORE, payments=paid, discarder="S", players=named), owner="x" * 64
    )
    ledger.matches.start(NewMatch(players=("Anna", "Bo", "陈", "Dmitri")))
    ledger.close()
    return path


def test_every_hand_is_listed(path: Path) -> None:
    listed = run("hands", "--database", path)
    assert listed.exit_code == 0
    assert "bo +45" in listed.output
    lines = run("hands", "--database", path, "--json").output.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [2, 1]
    assert len(run("hands", "--database", path, "--json", "--player", "BO").output.splitlines()) == 1
    assert run("hands", "--database", path, "--json", "--removed").output == ""
    assert run("hands", "--database", path, "--json", "--points", "22", "--fan", "清龙").output == ""


def test_a_hand_is_printed_with_its_versions(path: Path) -> None:
    ledger = Ledger(path)
    ledger.correct(
        1,
        ConfirmedHand(
            hand=HAND,
            score=SCORE,
            payments={"E": 45, "S": -8, "W": -29, "N": -8},
            discarder="W",
            players={},
        ),
    )
    ledger.close()
    printed = json.loads(run("hand", "--database", path, 1).output)
    assert (printed["discarder"], printed["versions"]) == ("W", 2)
    assert [one["discarder"] for one in printed["earlier"]] == ["S"]
    assert "`fanlens ledger hands` shows" in run("hand", "--database", path, 9).output


def test_a_hand_is_put_into_a_match(path: Path) -> None:
    assert run("assign", "--database", path, 2, 1).output == "Hand 2 was entered into match 1 as hand 1.\n"
    again = run("assign", "--database", path, 2, 1)
    assert (again.exit_code, "in match 1 already" in again.output) == (1, True)
    # The other hand does not say who played it.
    asked = run("assign", "--database", path, 1, 1)
    assert "give --winner one of Anna, Bo, 陈, Dmitri: the hand does not say it" in asked.output
    wrong = run("assign", "--database", path, 1, 1, "--winner", "Eve")
    assert "Eve does not play in it" in wrong.output
    done = run("assign", "--database", path, 1, 1, "--winner", "Anna", "--discarder", "dmitri")
    assert done.output == "Hand 1 was entered into match 1 as hand 2.\n"
    assert "there is no match 7" in run("assign", "--database", path, 1, 7).output
    ledger = Ledger(path)
    stored = ledger.matches.match_of(1)
    assert stored is not None
    assert stored.match.totals == (45 - 8, 45 - 8, -29 - 8, -8 - 29)
    assert stored.events[0].hand == HAND
    assert len(ledger.entries()) == 2
    ledger.close()
