"""A hand edited within a match: names in place of seats, and nothing confirmed before it is known who won."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

NAMES = ["Anna", "Bo", "陈", "Dmitri"]
FACES = [*(f"{rank}m" for rank in range(1, 10)), "1s", "2s", "5z", "5z"]


@pytest.fixture
def key(client: FlaskClient) -> str:
    keys: dict[str, str] = client.post("/api/v1/matches", json={"players": NAMES}).json["keys"]
    return keys["enter"]


def draft() -> dict[str, Any]:
    tiles = [{"id": place, "face": face, "role": "concealed"} for place, face in enumerate(FACES)]
    return {"tiles": [*tiles, {"id": 13, "face": "3s", "role": "winning"}], "hidden": []}


def ask(client: FlaskClient, key: str, **conditions: Any) -> Any:
    start = {"seat_wind": None, "self_drawn": False, "discarder": None}
    return client.post("/api/v1/assess", json={"draft": draft(), "match": key, **start, **conditions}).json


def names_of(answer: Any, name: str) -> list[tuple[str, bool]]:
    choice = next(one for one in answer["controls"]["choices"] if one["name"] == name)
    return [(option["label"], option["on"]) for option in choice["options"]]


def test_the_winner_is_asked_and_never_assumed(client: FlaskClient, key: str) -> None:
    answer = ask(client, key)
    assert names_of(answer, "winner") == [
        ("Anna · East", False), ("Bo · South", False), ("陈 · West", False), ("Dmitri · North", False)
    ]  # fmt: skip
    assert [one["name"] for one in answer["controls"]["choices"]] == ["winner", "from"]
    assert (answer["draft"]["ready"], answer["draft"]["ask"]["name"]) == (False, "winner")
    assert (answer["match"]["gains"], answer["match"]["bar"]) == (None, None)
    # Even for a hand that is self-drawn, which would need no other question outside a match.
    drawn = ask(client, key, self_drawn=True)
    assert (drawn["draft"]["ready"], drawn["draft"]["ask"]["name"]) == (False, "winner")


def test_then_from_whom(client: FlaskClient, key: str) -> None:
    answer = ask(client, key, seat_wind="S")
    assert names_of(answer, "from") == [
        ("Self-drawn", False),
        ("Anna", False),
        ("陈", False),
        ("Dmitri", False),
    ]
    assert answer["draft"]["ask"]["name"] == "from"
    answer = ask(client, key, seat_wind="S", discarder="E")
    assert (answer["draft"]["ready"], answer["draft"]["ask"]) == (True, None)
    assert answer["match"]["gains"] == [-29, 45, -8, -8]
    assert answer["match"]["bar"] == "Bo +45, Anna −29, 陈 −8, Dmitri −8"
    assert (answer["match"]["winner"], answer["match"]["discarder"], answer["match"]["after"]) == (1, 0, 0)


def test_winds_follow_the_match(client: FlaskClient, key: str) -> None:
    for after in range(6):
        client.post(f"/api/v1/matches/{key}/entries", json={"after": after, "event": {"kind": "draw"}})
    answer = ask(client, key, seat_wind="E", self_drawn=True, prevalent_wind="N", profile="text1998")
    # Hand 7: the neighbours changed places after the East round, and the deal has passed on twice since.
    assert answer["match"]["players"] == {"N": "Anna", "W": "Bo", "S": "陈", "E": "Dmitri"}
    assert (answer["draft"]["hand"]["prevalent_wind"], answer["score"]["profile"]) == ("S", "guobiao")
    assert answer["match"]["winner"] == 3


def test_a_correction_speaks_of_its_own_hand(client: FlaskClient, key: str) -> None:
    for after in range(3):
        client.post(f"/api/v1/matches/{key}/entries", json={"after": after, "event": {"kind": "draw"}})
    answer = ask(client, key, seat_wind="E", self_drawn=True, of=2)
    assert (answer["match"]["hand_number"], answer["match"]["winner"], answer["match"]["of"]) == (2, 1, 2)
    assert answer["match"]["gains"] == [-31, 93, -31, -31]


def test_a_choice_clears_what_it_contradicts(client: FlaskClient, key: str) -> None:
    answer = ask(client, key, seat_wind="S", discarder="E")
    winner = next(one for one in answer["controls"]["choices"] if one["name"] == "winner")
    assert winner["options"][0]["set"] == {"seat_wind": "E", "discarder": None}
    assert winner["options"][2]["set"] == {"seat_wind": "W"}
    source = next(one for one in answer["controls"]["choices"] if one["name"] == "from")
    assert source["options"][0]["set"] == {"self_drawn": True, "discarder": None, "kong": False}


def test_a_match_that_is_over_takes_no_hand(client: FlaskClient) -> None:
    begun = client.post("/api/v1/matches", json={"players": NAMES, "settings": {"hands": 1}}).json
    key = begun["keys"]["enter"]
    client.post(f"/api/v1/matches/{key}/entries", json={"after": 0, "event": {"kind": "draw"}})
    assert ask(client, key, seat_wind="S", self_drawn=True)["draft"]["ready"] is False


@pytest.mark.parametrize(
    ("change", "status", "code"), [("look", 403, "not_allowed"), ("none", 404, "no_such_match")]
)
def test_keys_that_may_not_enter(client: FlaskClient, change: str, status: int, code: str) -> None:
    keys = client.post("/api/v1/matches", json={"players": NAMES}).json["keys"]
    key = keys["look"] if change == "look" else "x" * 22
    answer = client.post("/api/v1/assess", json={"draft": draft(), "match": key})
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code)


def test_the_page_of_a_hand_in_a_match(client: FlaskClient, key: str) -> None:
    page = client.get(f"/hand?match={key}").text
    assert 'id="players"' not in page
    assert '"seat_wind": null' in page.replace("&#34;", '"')
    assert client.get(f"/hand?match={'x' * 22}").status_code == 404
    assert 'id="players"' in client.get("/hand").text
