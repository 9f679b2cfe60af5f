"""Hands of one browser: found, corrected, removed and restored by it, and by nobody else. In both databases."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from scorer import hand_to_json, parse_hand, score
from webapp.ledger import AlreadyConfirmedError, ConfirmedHand, HandChangedError, HandSearch, Ledger
from webapp.ledger.tables import HandVersionRow

PAYMENTS = {"E": 45, "S": -29, "W": -8, "N": -8}
STRAIGHT, DRAGONS = "123456789m12s55z3s", "CCCFFFPPP123m5p5p"


def confirmed(text: str = STRAIGHT, **more: Any) -> ConfirmedHand:
    hand, circumstances = parse_hand(text)
    made = {"hand": hand_to_json(hand, circumstances), "score": score(hand, circumstances).to_json()}
    return ConfirmedHand(**made, payments=PAYMENTS, **{"discarder": None, "players": {}} | more)


def test_nobody_elses_hand_is_found(ledger: Ledger) -> None:
    mine = ledger.add(confirmed(), owner="a")
    theirs = ledger.add(confirmed(), owner="b")
    old = ledger.add(confirmed())
    assert ledger.entries(search=HandSearch(owner="a")) == [mine]
    assert ledger.entries(search=HandSearch(owner="")) == []
    assert (
        ledger.entry(theirs.id, "a") is ledger.remove(theirs.id, "a") is ledger.restore(old.id, "a") is None
    )
    assert ledger.correct(theirs.id, confirmed(discarder="S"), owner="a") is None
    assert ledger.entry(old.id, "") is None
    # The operator sees all.
    assert ledger.entries() == [old, theirs, mine]
    assert ledger.entry(old.id) == old


def test_one_key_of_two_owners(ledger: Ledger) -> None:
    first = ledger.add(confirmed(), "the-token-of-a-photo", "a")
    assert ledger.add(confirmed(), "the-token-of-a-photo", "a") == first
    assert ledger.add(confirmed(), "the-token-of-a-photo", "b").id != first.id
    with pytest.raises(AlreadyConfirmedError):
        ledger.add(confirmed(discarder="S"), "the-token-of-a-photo", "a")


def test_a_version_of_before_a_field_was_there_opens(ledger: Ledger) -> None:
    first = ledger.add(confirmed())
    ledger.correct(first.id, confirmed(players={"E": "Mei"}))
    with ledger.database.writing() as session:
        row = session.scalars(select(HandVersionRow)).one()
        row.confirmed = {name: row.confirmed[name] for name in ("hand", "score", "payments")}
    [earlier] = ledger.versions(first.id)
    assert (earlier.discarder, earlier.players) == (None, {})


def test_a_correction_keeps_both_versions(ledger: Ledger) -> None:
    first = ledger.add(confirmed(discarder="S", players={"E": "Lin"}), owner="a")
    better = confirmed(DRAGONS, discarder="W", players={"E": "Mei"})
    corrected = ledger.correct(first.id, better, owner="a", seen=1)
    assert corrected is not None
    assert (corrected.id, corrected.versions, corrected.players) == (first.id, 2, {"E": "Mei"})
    assert corrected.confirmed_at == first.confirmed_at
    assert ledger.entries(search=HandSearch(owner="a")) == [corrected]
    [earlier] = ledger.versions(first.id)
    assert (earlier.score["total"], earlier.discarder) == (first.score["total"], "S")
    assert datetime.now(UTC) - earlier.replaced_at < timedelta(minutes=5)
    # Sent once more it changes nothing, whoever has seen what.
    assert ledger.correct(first.id, better, owner="a", seen=1) == corrected
    # Another correction by somebody who has not seen this one is refused.
    with pytest.raises(HandChangedError) as found:
        ledger.correct(first.id, confirmed(discarder="N"), owner="a", seen=1)
    assert found.value.entry == corrected
    assert ledger.entry(first.id) == corrected


def test_hands_are_searched(ledger: Ledger) -> None:
    straight = ledger.add(confirmed(players={"S": "Zoë 100%"}), owner="a")
    dragons = ledger.add(confirmed(DRAGONS, players={"E": "陈", "N": "ANNA_B"}), owner="a")

    def found(**asked: Any) -> list[int]:
        return [entry.id for entry in ledger.entries(search=HandSearch(owner="a", **asked))]

    assert found(player="陈") == found(player="anna_b") == [dragons.id]
    assert found(player="100%") == [straight.id]
    assert found(player="a%b") == found(player="Bo") == []
    assert found(fans=("清龙",)) == [straight.id]
    assert found(fans=("大三元", "清龙")) == [dragons.id, straight.id]
    assert found(fans=()) == found(fans=("九莲宝灯",)) == []
    assert found(least_points=22) == [dragons.id]
    assert found(least_points=21) == [dragons.id, straight.id]
    today = straight.confirmed_at.date()
    assert found(until=today) == [dragons.id, straight.id]
    assert found(until=today - timedelta(days=1)) == []
    ledger.remove(straight.id, "a")
    assert (found(), found(removed=True)) == ([dragons.id], [straight.id])


def test_pages_have_no_last_hand_but_the_first(ledger: Ledger) -> None:
    for _ in range(7):
        ledger.add(confirmed(), owner="a")
    seen: list[int] = []
    before = None
    while page := ledger.entries(3, before=before, search=HandSearch(owner="a")):
        seen += [entry.id for entry in page]
        before = seen[-1]
    assert len(seen) == len(set(seen)) == 7
    assert seen == sorted(seen, reverse=True)


def test_a_search_passes_by_damaged_rows(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite3")
    harmed, sound = ledger.add(confirmed(), owner="a"), ledger.add(confirmed(players={"E": "Lin"}), owner="a")
    with sqlite3.connect(tmp_path / "ledger.sqlite3") as connection:
        connection.execute("UPDATE hands SET score = '{torn', players = '{' WHERE id = ?", [harmed.id])
    connection.close()
    for asked in ({"player": "lin"}, {"fans": ("清龙",)}, {"least_points": 8}):
        assert ledger.entries(search=HandSearch(owner="a", **asked)) == [sound]  # type: ignore[arg-type]
    ledger.close()
