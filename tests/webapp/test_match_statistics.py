"""Statistics and imports over HTTP: only of matches whose keys the client holds."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.webapp.test_matches import MATCHES, NAMES, enter


@pytest.fixture
def evening(client: FlaskClient, hand: dict[str, Any]) -> dict[str, Any]:
    begun: dict[str, Any] = client.post(MATCHES, json={"players": NAMES, "title": "Friday"}).json
    key = begun["keys"]["enter"]
    enter(client, key, 0, win={"winner": 0, "discarder": 1, "hand": hand})
    enter(client, key, 1, event={"kind": "draw"})
    enter(client, key, 2, event={"kind": "win", "winner": 2, "points": 30})
    return begun


def ask(client: FlaskClient, **body: Any) -> Any:
    answer = client.post(f"{MATCHES}/statistics", json=body)
    assert answer.status_code == 200, answer.json
    return answer.json


def test_statistics_of_the_matches_one_holds(client: FlaskClient, evening: dict[str, Any]) -> None:
    assert ask(client, keys=[]) == {"matches": 0, "players": []}
    found = ask(client, keys=[evening["keys"]["look"]])
    assert found["matches"] == 1
    chen = next(one for one in found["players"] if one["name"] == "陈")
    assert {name: chen[name] for name in ("hands", "wins", "self_drawn", "average", "biggest", "points")} == {
        "hands": 3, "wins": 1, "self_drawn": 1, "average": 30.0, "biggest": 30, "points": -8 + 114,
    }  # fmt: skip
    anna = next(one for one in found["players"] if one["name"] == "Anna")
    assert anna["course"] == [45, 45, 7]
    assert {"fan": "清龙", "english": "Pure Straight", "count": 1} in anna["fans"]
    assert ask(client, keys=[evening["keys"]["look"]], since="2999-01-01")["matches"] == 0
    assert ask(client, keys=[evening["keys"]["look"]], player="Eve")["matches"] == 0


@pytest.mark.parametrize(
    ("body", "code"),
    [({}, "bad_keys"), ({"keys": [], "since": "soon"}, "bad_since"), ({"keys": [], "fan": 4}, "bad_fan")],
)
def test_requests_that_cannot_be(client: FlaskClient, body: Any, code: str) -> None:
    answer = client.post(f"{MATCHES}/statistics", json=body)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, code)


@pytest.mark.parametrize("fan", ["清龙", "清龍", "Pure Straight", "pure straight"])
def test_a_fan_is_found_by_any_of_its_names(client: FlaskClient, evening: dict[str, Any], fan: str) -> None:
    body = {"keys": [evening["keys"]["look"]], "fan": fan}
    assert len(client.post(f"{MATCHES}/list", json=body).json["matches"]) == 1


def test_an_export_comes_in_again(client: FlaskClient, evening: dict[str, Any]) -> None:
    exported = client.get(f"{MATCHES}/{evening['keys']['look']}/export.json").json
    answer = client.post(f"{MATCHES}/import", json=exported)
    assert answer.status_code == 201
    (added,) = answer.json["matches"]
    assert added["owner_key"] not in {evening["owner_key"], *evening["keys"].values()}
    again = client.get(f"{MATCHES}/{added['keys']['look']}/export.json").json
    assert again == exported
    assert client.post(f"{MATCHES}/import", json=[exported, exported]).status_code == 201


def test_a_bad_export_adds_nothing(client: FlaskClient, evening: dict[str, Any]) -> None:
    exported = client.get(f"{MATCHES}/{evening['keys']['look']}/export.json").json
    damaged = exported | {"events": [{**exported["events"][0], "event": {"kind": "withdrawal", "of": 9}}]}
    for body, says in (
        ({}, "not a match exported by Fanlens"),
        ([exported, damaged], "event 9 is not a hand"),
        (exported | {"version": 7}, "version 7"),
        (exported | {"players": ["A", "B", "C"]}, "four players"),
    ):
        answer = client.post(f"{MATCHES}/import", json=body)
        assert answer.status_code == 422
        assert says in answer.json["error"]["message"]
    unknown = exported | {"settings": exported["settings"] | {"profile": "club"}}
    assert client.post(f"{MATCHES}/import", json=unknown).json["error"]["code"] == "unknown_profile"
    number = client.application.extensions["ledger"].matches.listed()
    assert [one.title for one in number] == ["Friday"]


def test_losers_pay_the_base_of_the_rules_of_the_match(client: FlaskClient) -> None:
    app = client.application
    club = app.extensions["profiles"]["guobiao"]
    app.extensions["profiles"] = app.extensions["profiles"] | {"club": _with_base(club, 10)}
    begun = client.post(MATCHES, json={"players": NAMES, "settings": {"profile": "club"}}).json
    match = enter(
        client, begun["keys"]["enter"], 0, event={"kind": "win", "winner": 0, "points": 20, "discarder": 1}
    ).json["match"]
    assert match["totals"] == [50, -30, -10, -10]


def _with_base(profile: Any, base: int) -> Any:
    from dataclasses import replace

    return replace(profile, name="club", base=base)
