"""Events and their JSON."""

from __future__ import annotations

from typing import Any

import pytest

from scorer import HandError
from scorer.match import (
    Correction,
    Draw,
    EndedEarly,
    Event,
    FalseWin,
    Penalty,
    SeatsCorrected,
    Win,
    Withdrawal,
    event_from_json,
    event_to_json,
)

EVENTS: list[tuple[Event, dict[str, Any]]] = [
    (Win(0, 29), {"kind": "win", "winner": 0, "points": 29, "discarder": None}),
    (Win(3, 8, 1), {"kind": "win", "winner": 3, "points": 8, "discarder": 1}),
    (Draw(timed_out=True), {"kind": "draw", "timed_out": True}),
    (
        Penalty(2, 30, reason="late 迟到"),
        {
            "kind": "penalty",
            "player": 2,
            "points": 30,
            "divided": True,
            "reason": "late 迟到",
            "ends_hand": False,
        },
    ),
    (FalseWin(1, 10), {"kind": "false_win", "player": 1, "each": 10, "ends_hand": False}),
    (SeatsCorrected((1, 0, 2, 3), 5), {"kind": "seats_corrected", "order": [1, 0, 2, 3], "from_hand": 5}),
    (EndedEarly("time"), {"kind": "ended_early", "reason": "time"}),
    (
        Correction(4, Draw()),
        {"kind": "correction", "of": 4, "event": {"kind": "draw", "timed_out": False}},
    ),
    (Withdrawal(2), {"kind": "withdrawal", "of": 2}),
]


@pytest.mark.parametrize(("event", "data"), EVENTS)
def test_json_round_trip(event: Event, data: dict[str, Any]) -> None:
    assert event_to_json(event) == data
    assert event_from_json(data) == event


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ([], "JSON object"),
        ({}, "kind must be one of"),
        ({"kind": "victory"}, "not 'victory'"),
        ({"kind": "win"}, "a win needs winner, points, discarder"),
        ({"kind": "win", "winner": 4, "points": 8}, "the winner must be a player 0 to 3, not 4"),
        ({"kind": "win", "winner": True, "points": 8}, "the winner"),
        ({"kind": "win", "winner": 0, "points": 8.0}, "points must be a whole number"),
        ({"kind": "win", "winner": 0, "points": 10000}, "from 1 to 9999"),
        ({"kind": "win", "winner": 0, "points": 8, "discarder": 0}, "cannot be the winner"),
        ({"kind": "win", "winner": 0, "points": 8, "seat": 0}, "'seat' is not a field of a win"),
        ({"kind": "penalty", "player": 0, "points": 10}, "10 points cannot be shared"),
        ({"kind": "penalty", "player": 0, "points": 30, "reason": "a\u202eb"}, "one line"),
        ({"kind": "penalty", "player": 0, "points": 30, "reason": "x" * 201}, "at most 200"),
        ({"kind": "draw", "timed_out": 1}, "true or false"),
        ({"kind": "seats_corrected", "order": [0, 1, 2, 2]}, "once each"),
        ({"kind": "seats_corrected", "order": [0, 1, 2, "3"]}, "once each"),
        ({"kind": "correction", "of": 1, "event": {"kind": "withdrawal", "of": 1}}, "as it should have been"),
        ({"kind": "withdrawal", "of": 0}, "from 1"),
    ],
)
def test_refusals_name_what_is_wrong(data: object, says: str) -> None:
    with pytest.raises(HandError, match=says) as caught:
        event_from_json(data)
    assert caught.value.code == "bad_event"
