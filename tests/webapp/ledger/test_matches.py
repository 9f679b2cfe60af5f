"""Matches in both databases: started, entered, corrected, listed, searched, and never changed behind anyone's back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from scorer import HandError, hand_to_json, parse_hand, score
from scorer.match import Correction, Draw, EndedEarly, Penalty, Win, Withdrawal
from webapp.ledger import (
    Access,
    KeyUsedError,
    Ledger,
    MatchError,
    MatchStore,
    NewMatch,
    OutOfDateError,
    Search,
    Settings,
    StoredMatch,
)

NAMES = ("Anna", "Bo", "陈", "Dmitri")
WIN = parse_hand("123456789m12s55z3s")
HAND, SCORE = hand_to_json(*WIN), score(*WIN).to_json()


@pytest.fixture
def matches(ledger: Ledger) -> MatchStore:
    return ledger.matches


@pytest.fixture
def begun(matches: MatchStore) -> StoredMatch:
    return matches.start(NewMatch(players=NAMES, title="Friday"))[0]


def test_a_match_outlives_the_process(open_ledger: Callable[[], Ledger]) -> None:
    first = open_ledger()
    begun, _ = first.matches.start(NewMatch(players=NAMES, settings=Settings(seating="fixed", minutes=90)))
    key = begun.enter_key
    first.matches.add(key, Win(1, 21, 0), after=0, hand=HAND, score=SCORE)
    first.matches.add(key, Penalty(2, 30, reason="迟到"), after=1)
    first.close()

    found = open_ledger().matches.find(key)
    assert found is not None
    stored, access = found
    assert access is Access.ENTER
    assert (stored.players, stored.settings.minutes, stored.settings.seating) == (NAMES, 90, "fixed")
    assert [one.event for one in stored.events] == [Win(1, 21, 0), Penalty(2, 30, reason="迟到")]
    assert (stored.events[0].hand, stored.events[0].score) == (HAND, SCORE)
    assert stored.match.totals == (-29 + 10, 45 + 10, -8 - 30, -8 + 10)


def test_three_keys(matches: MatchStore) -> None:
    begun, owner = matches.start(NewMatch(players=NAMES))
    accesses = [matches.find(key) for key in (begun.look_key, begun.enter_key, owner)]
    assert [found[1] for found in accesses if found] == [Access.LOOK, Access.ENTER, Access.OWN]
    assert matches.find("x" * 22) is None
    assert matches.find("") is None
    with pytest.raises(MatchError) as caught:
        matches.add(begun.look_key, Draw(), after=0)
    assert caught.value.code == "not_allowed"
    with pytest.raises(MatchError) as caught:
        matches.remove(begun.enter_key)
    assert caught.value.code == "not_allowed"


def test_two_phones_at_once(matches: MatchStore, begun: StoredMatch) -> None:
    matches.add(begun.enter_key, Win(0, 8), after=0)
    with pytest.raises(OutOfDateError) as caught:
        matches.add(begun.enter_key, Win(1, 8), after=0)
    assert [one.event for one in caught.value.stored.events] == [Win(0, 8)]
    assert matches.add(begun.enter_key, Win(1, 8), after=1).match.hands_played == 2


def test_one_key_enters_one_event(matches: MatchStore, begun: StoredMatch) -> None:
    for _ in range(3):
        stored = matches.add(begun.enter_key, Win(0, 8), after=0, entry_key="double-tap")
    assert len(stored.events) == 1
    with pytest.raises(KeyUsedError):
        matches.add(begun.enter_key, Win(1, 8), after=1, entry_key="double-tap")


def test_twenty_phones_racing_enter_one_event(matches: MatchStore, begun: StoredMatch) -> None:
    outcomes: list[str] = []

    def enter(number: int) -> None:
        try:
            matches.add(begun.enter_key, Win(number % 4, 8), after=0)
            outcomes.append("entered")
        except OutOfDateError:
            outcomes.append("told")

    threads = [threading.Thread(target=enter, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["entered"] + ["told"] * 19
    found = matches.find(begun.enter_key)
    assert found is not None
    assert len(found[0].events) == 1


def test_an_event_that_does_not_fit_changes_nothing(matches: MatchStore, begun: StoredMatch) -> None:
    with pytest.raises(HandError):
        matches.add(begun.enter_key, Withdrawal(1), after=0)
    found = matches.find(begun.enter_key)
    assert found is not None
    assert found[0].events == ()


@pytest.mark.parametrize(
    "change",
    ["UPDATE events SET gain_0 = 0", "UPDATE events SET number = 9", "UPDATE events SET event = '{}'"],
)
def test_the_database_refuses_to_change_events(ledger: Ledger, begun: StoredMatch, change: str) -> None:
    ledger.matches.add(begun.enter_key, Win(0, 8), after=0)
    with pytest.raises(DBAPIError, match="only ever added"), ledger.database.engine.begin() as connection:
        connection.execute(text(change))


def test_the_database_refuses_events_that_do_not_sum_to_zero(ledger: Ledger, begun: StoredMatch) -> None:
    row = "INSERT INTO events VALUES (:match, 1, '2026-12-01', '{}', NULL, NULL, 8, 0, 0, 0, 0, NULL)"
    with pytest.raises(DBAPIError, match="events_sum_to_zero"), ledger.database.engine.begin() as connection:
        connection.execute(text(row), {"match": begun.id})


def test_lists_and_searches(matches: MatchStore, begun: StoredMatch) -> None:
    other, owner = matches.start(NewMatch(players=("Anna", "Eve", "Finn", "Gus")))
    matches.add(begun.enter_key, Win(0, 21, 1), after=0, hand=HAND, score=SCORE)
    matches.add(other.enter_key, Win(2, 88), after=0)
    matches.add(other.enter_key, EndedEarly("time"), after=1)

    def found(**search: Any) -> list[int]:
        return [one.id for one in matches.listed(Search(**search))]

    assert found() == [other.id, begun.id]
    assert found(player="anna") == [other.id, begun.id]
    assert found(player="Eve") == [other.id]
    assert found(fans=("清龙",)) == [begun.id]
    assert found(least_points=50) == [other.id]
    assert found(player="陈", least_points=50) == []
    newest, oldest = matches.listed()
    assert (newest.ended, newest.totals, oldest.ended) == (True, (-96, -96, 288, -96), False)
    assert [one.id for one in matches.listed(limit=1)] == [other.id]
    assert [one.id for one in matches.listed(before=other.id)] == [begun.id]
    assert [one.id for one in matches.listed(keys=[owner])] == [other.id]
    assert matches.listed(keys=[]) == []
    assert matches.names([owner]) == ["Anna", "Eve", "Finn", "Gus"]


def test_searches_follow_corrections(matches: MatchStore, begun: StoredMatch) -> None:
    key = begun.enter_key
    matches.add(key, Win(0, 21, 1), after=0, hand=HAND, score=SCORE)
    matches.add(key, Correction(1, Win(0, 13, 1)), after=1)
    assert matches.listed(Search(fans=("清龙",))) == []
    assert matches.listed(Search(least_points=20)) == []
    assert [one.totals for one in matches.listed(Search(least_points=13))] == [(37, -21, -8, -8)]
    matches.add(key, Withdrawal(2), after=2)
    assert len(matches.listed(Search(fans=("清龙",), least_points=21))) == 1
    matches.add(key, Withdrawal(1), after=3)
    assert matches.listed(Search(fans=("清龙",))) == []


def test_what_only_the_owner_may_do(matches: MatchStore) -> None:
    begun, owner = matches.start(NewMatch(players=NAMES))
    matches.add(begun.enter_key, Win(0, 21, 1), after=0, hand=HAND, score=SCORE)
    assert matches.rename(owner, 1, " Bob ").players == ("Anna", "Bob", "陈", "Dmitri")
    with pytest.raises(MatchError, match="same name"):
        matches.rename(owner, 0, "bob")
    new_owner = matches.hand_over(owner)
    assert matches.find(owner) is None
    matches.remove(new_owner)
    assert matches.find(begun.look_key) is None
    assert matches.match_of(begun.id) is None
    assert matches.listed() == []


@pytest.mark.parametrize(
    ("players", "code"),
    [
        (("Anna", "anna ", "C", "D"), "bad_players"),
        (("Anna", "", "C", "D"), "bad_players"),
        (("Anna", "B", "C"), "bad_players"),
        (("Anna", "B", "C", "x" * 41), "bad_players"),
        (("Anna", "B", "C", "evil\u202etxt"), "bad_players"),
        (("Anna", "B", "C", 4), "bad_players"),
    ],
)
def test_names_that_cannot_be(players: Any, code: str) -> None:
    with pytest.raises(MatchError) as caught:
        NewMatch(players=players)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "settings",
    [{"hands": 0}, {"hands": 17}, {"hands": True}, {"minutes": 0}, {"false_win": 0}, {"seating": "x"}],
)
def test_settings_that_cannot_be(settings: dict[str, Any]) -> None:
    with pytest.raises(MatchError) as caught:
        Settings(**settings)
    assert caught.value.code == "bad_settings"
