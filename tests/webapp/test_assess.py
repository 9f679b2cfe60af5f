"""What the page is told about a hand in work: what if it had been won otherwise, who sits where, confirmed once."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from scorer import hand_from_json, score


def ask(client: FlaskClient, path: str, body: Any) -> Any:
    return client.post(f"/api/v1/{path}", json=body)


def test_what_if_is_what_the_engine_says(client: FlaskClient, hand: dict[str, Any]) -> None:
    told = ask(client, "assess", hand).json["what_if"]
    assert [(one["condition"], one["value"]) for one in told] == [
        ("self_drawn", True),
        *(("seat_wind", wind) for wind in "SWN"),
        *(("prevalent_wind", wind) for wind in "SWN"),
    ]
    for one in told:
        result = score(*hand_from_json(hand | {one["condition"]: one["value"]}))
        assert (one["total"], one["legal"]) == (result.total, result.legal)


def test_what_if_leaves_out_what_could_not_be(client: FlaskClient, hand: dict[str, Any]) -> None:
    # A robbed kong is no replacement tile: drawn by oneself the hand is asked about without it.
    robbed = ask(client, "assess", hand | {"kong": True}).json
    drawn = next(one for one in robbed["what_if"] if one["condition"] == "self_drawn")
    assert drawn["total"] == score(*hand_from_json(hand | {"self_drawn": True})).total
    opening = hand | {"self_drawn": True, "opening": "heavenly", "profile": "platform"}
    conditions = [one["condition"] for one in ask(client, "assess", opening).json["what_if"]]
    assert conditions == ["prevalent_wind"] * 3  # only East draws it, and nobody discards it
    assert ask(client, "assess", hand | {"winning_tile": "7z"}).json["what_if"] is None


def test_players_are_kept_with_the_hand(client: FlaskClient, hand: dict[str, Any]) -> None:
    players = {"N": " Zoë  Lin ", "E": "<img src=x onerror=alert(1)>", "W": "   "}
    entry = ask(client, "hands", hand | {"discarder": "S", "players": players}).json
    assert entry["players"] == {"E": "<img src=x onerror=alert(1)>", "N": "Zoë Lin"}
    page = client.get("/hands").text
    assert "Zoë Lin" in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "<img src=x" not in page


@pytest.mark.parametrize("players", [[], "Lin", {"X": "Lin"}, {"E": 7}, {"E": "x" * 41}, {"E": None}])
def test_players_that_are_none(client: FlaskClient, hand: dict[str, Any], players: Any) -> None:
    for path in ("hands", "score", "assess", "picture"):
        answer = ask(client, path, hand | {"discarder": "S", "players": players})
        assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_players")


def test_a_second_tap_confirms_nothing_more(client: FlaskClient, hand: dict[str, Any]) -> None:
    body = hand | {"discarder": "S", "key": "tapped-twice"}
    first, second = ask(client, "hands", body), ask(client, "hands", body)
    assert first.status_code == second.status_code == 201
    assert first.json == second.json
    other = ask(client, "hands", body | {"self_drawn": True})
    assert (other.status_code, other.json["error"]["code"]) == (409, "already_confirmed")
    assert client.get("/api/v1/hands").json["hands"] == [first.json]


@pytest.mark.parametrize("key", ["short", "x" * 65, "with blank", 7, ["a" * 10], "ключ-ключ"])
def test_keys_that_are_none(client: FlaskClient, hand: dict[str, Any], key: Any) -> None:
    answer = ask(client, "hands", hand | {"discarder": "S", "key": key})
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_key")


def test_the_list_is_as_long_as_asked(client: FlaskClient, hand: dict[str, Any]) -> None:
    for _ in range(4):
        ask(client, "hands", hand | {"discarder": "S"})
    for limit, length in (("0", 0), ("3", 3), ("999999999", 4)):
        assert len(client.get(f"/api/v1/hands?limit={limit}").json["hands"]) == length
    for limit in ("-1", "x", "", "1" * 10):
        answer = client.get(f"/api/v1/hands?limit={limit}")
        assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_limit")
