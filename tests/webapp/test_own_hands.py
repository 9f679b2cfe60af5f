"""Hands over HTTP: each browser has its own, by a token in a cookie, of which the ledger keeps only a hash."""

import hashlib
import sqlite3
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

Json = dict[str, Any]


@pytest.fixture
def other(app: Flask) -> FlaskClient:
    """Somebody else's browser."""
    return app.test_client()


def confirm(client: FlaskClient, hand: Json, **more: Any) -> Json:
    answer = client.post("/api/v1/hands", json=hand | {"discarder": "S"} | more)
    assert answer.status_code == 201
    entry: Json = answer.json
    return entry


def test_the_token_is_out_of_reach_and_only_its_hash_is_kept(
    app: Flask, client: FlaskClient, hand: Json
) -> None:
    answer = client.post("/api/v1/hands", json=hand | {"discarder": "S"})
    said = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= {part.strip() for part in said.split(";")}
    cookie = client.get_cookie("hands")
    assert cookie is not None
    with sqlite3.connect(app.config["DATABASE"]) as connection:
        [(owner,)] = connection.execute("SELECT owner FROM hands").fetchall()
    connection.close()
    assert owner == hashlib.sha256(cookie.value.encode()).hexdigest()


def test_a_browser_keeps_its_token(client: FlaskClient, hand: Json) -> None:
    first, second = confirm(client, hand), confirm(client, hand)
    assert [one["id"] for one in client.get("/api/v1/hands").json["hands"]] == [second["id"], first["id"]]


def test_the_page_has_a_token_before_it_confirms(client: FlaskClient, hand: Json) -> None:
    # Otherwise a first hand whose answer is lost would be written twice.
    draft = {"tiles": [{"id": 0, "face": "1m", "role": "concealed"}]}
    assert "Set-Cookie" in client.post("/api/v1/assess", json={"draft": draft}).headers
    assert "Set-Cookie" not in client.post("/api/v1/assess", json={"draft": draft}).headers
    first = confirm(client, hand, key="the-answer-was-lost")
    assert confirm(client, hand, key="the-answer-was-lost") == first


def test_to_others_the_hand_does_not_exist(client: FlaskClient, other: FlaskClient, hand: Json) -> None:
    entry = confirm(client, hand)
    confirm(other, hand)
    path = f"/api/v1/hands/{entry['id']}"
    stranger = client.application.test_client()
    for browser in (other, stranger):
        for answer in (
            browser.get(path),
            browser.get(f"{path}/versions"),
            browser.delete(path),
            browser.post(f"{path}/restore"),
            browser.put(path, json=hand | {"discarder": "W"}),
        ):
            assert (answer.status_code, answer.json["error"]["code"]) == (404, "no_such_hand")
        assert browser.get(f"/hands/{entry['id']}").status_code == 404
        assert f'id="hand-{entry["id"]}"' not in browser.get("/hands").text
    assert stranger.get("/api/v1/hands").json == {"hands": []}
    assert client.get(path).json == entry


@pytest.mark.parametrize("token", ["", "x", "x" * 31, "x" * 33, "é" * 32, "' OR 1=1 --" + "x" * 21])
def test_a_token_that_is_none(client: FlaskClient, hand: Json, token: str) -> None:
    entry = confirm(client, hand)
    answer = client.application.test_client().get(
        f"/api/v1/hands/{entry['id']}", headers={"Cookie": f"hands={token}".encode().decode("latin-1")}
    )
    assert answer.status_code == 404


def test_a_correction_is_a_new_version(client: FlaskClient, hand: Json) -> None:
    entry = confirm(client, hand, players={"E": "Lin"})
    path = f"/api/v1/hands/{entry['id']}"
    body = hand | {"self_drawn": True, "players": {"E": "Mei"}, "seen": 1}
    corrected = client.put(path, json=body).json
    assert (corrected["id"], corrected["versions"], corrected["players"]) == (entry["id"], 2, {"E": "Mei"})
    assert client.put(path, json=body).json == corrected
    [earlier] = client.get(f"{path}/versions").json["versions"]
    assert (earlier["payments"], earlier["players"]) == (entry["payments"], {"E": "Lin"})
    late = client.put(path, json=hand | {"discarder": "N", "seen": 1})
    assert (late.status_code, late.json["error"]["code"]) == (409, "hand_changed")
    assert client.put(path, json=hand | {"discarder": "N", "seen": "1"}).json["error"]["code"] == "bad_seen"
    assert client.put(path, json=hand).json["error"]["code"] == "no_discarder"
    assert client.get(path).json == corrected


def test_the_page_of_a_hand_has_its_own_players(client: FlaskClient, hand: Json) -> None:
    entry = confirm(client, hand | {"seat_wind": "W", "prevalent_wind": "N"}, players={"S": "Zoë"})
    page = client.get(f"/hands/{entry['id']}").text
    assert '"players": {"S": "Zoë"}' in page
    assert '"seat_wind": "W"' in page
    client.put(f"/api/v1/hands/{entry['id']}", json=hand | {"discarder": "N"})
    assert "1 earlier version" in client.get(f"/hands/{entry['id']}").text
    assert client.get("/hands/999999").status_code == client.get("/hands/99999999999").status_code == 404


def test_pages_of_the_list(client: FlaskClient, hand: Json) -> None:
    ids = [confirm(client, hand)["id"] for _ in range(5)]
    first = client.get("/api/v1/hands?limit=3&points=8")
    assert [one["id"] for one in first.json["hands"]] == ids[:1:-1]
    following = first.headers["Link"].removeprefix("<").removesuffix('>; rel="next"')
    last = client.get(following)
    assert [one["id"] for one in last.json["hands"]] == ids[1::-1]
    assert "Link" not in last.headers


def test_search(client: FlaskClient, hand: Json) -> None:
    entry = confirm(client, hand, players={"E": "Lin"})
    for asked, found in {
        "player=lin": 1,
        "player=mei": 0,
        "fan=straight": 1,
        "fan=清龙": 1,
        "fan=nonsense": 0,
        "points=21": 1,
        "points=22": 0,
        "until=2000-01-01": 0,
        "until=9999-12-31": 1,
        "removed=1": 0,
        "player=&fan=": 1,
    }.items():
        assert len(client.get(f"/api/v1/hands?{asked}").json["hands"]) == found, asked
        assert (f'id="hand-{entry["id"]}"' in client.get(f"/hands?{asked}").text) == bool(found), asked
    traditional = client.get("/api/v1/hands?fan=清龍", headers={"Accept-Language": "zh-TW"})
    assert len(traditional.json["hands"]) == 1
    # The form of the page sends its empty fields, too.
    assert f'id="hand-{entry["id"]}"' in client.get("/hands?player=&fan=&points=&until=").text
    for asked in ("points=x", "points=", "points=-1", "before=x", "until=yesterday", "until=", "removed=2"):
        answer = client.get(f"/api/v1/hands?{asked}")
        assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_search")


def test_removed_hands_stay_reachable(client: FlaskClient, hand: Json) -> None:
    entry = confirm(client, hand)
    client.delete(f"/api/v1/hands/{entry['id']}")
    page = client.get("/hands?removed=1").text
    assert f'id="hand-{entry["id"]}"' in page
    assert "Restore" in page
