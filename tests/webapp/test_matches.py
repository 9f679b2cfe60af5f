"""Matches over HTTP: started, entered by several phones, corrected, watched, and closed to everybody without a key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

MATCHES = "/api/v1/matches"
NAMES = ["Anna", "Bo", "陈", "Dmitri"]


@pytest.fixture
def begun(client: FlaskClient) -> dict[str, Any]:
    answer = client.post(MATCHES, json={"players": NAMES, "title": "Friday"})
    assert answer.status_code == 201
    body: dict[str, Any] = answer.json
    return body


def enter(client: FlaskClient, key: str, after: int, /, **what: Any) -> Any:
    return client.post(f"{MATCHES}/{key}/entries", json={"after": after, **what})


def test_a_match_begins(client: FlaskClient, begun: dict[str, Any]) -> None:
    match = begun["match"]
    assert (match["players"], match["title"], match["hand_number"]) == (NAMES, "Friday", 1)
    assert (match["seats"], match["dealer"], match["prevalent_wind"]) == (["E", "S", "W", "N"], 0, "E")
    assert (match["totals"], match["rows"], match["over"]) == ([0, 0, 0, 0], [], False)
    assert begun["access"] == "own"
    assert len({*begun["keys"].values(), begun["owner_key"]}) == 3


def test_a_drawn_seat_order_keeps_the_four(client: FlaskClient) -> None:
    orders = {
        tuple(client.post(MATCHES, json={"players": NAMES, "draw_seats": True}).json["match"]["players"])
        for _ in range(12)
    }
    assert len(orders) > 1
    assert {tuple(sorted(order)) for order in orders} == {tuple(sorted(NAMES))}


def test_a_hand_is_scored_with_the_winds_of_the_match(
    client: FlaskClient, begun: dict[str, Any], hand: dict[str, Any]
) -> None:
    key = begun["keys"]["enter"]
    for after in range(5):
        assert enter(client, key, after, event={"kind": "draw"}).status_code == 201
    # Hand 6, South round: Anna deals, so that Bo sits North. Winds that the page sends do not count.
    hand |= {
        "concealed": [*"3s"]
        and ["4z"] * 2 + ["2m", "3m", "4m", "5m", "6m", "7m", "1s", "2s", "5z", "5z", "5z"]
    }
    hand |= {"winning_tile": "3s", "seat_wind": "W", "prevalent_wind": "W"}
    win = {"winner": 1, "discarder": 0, "hand": hand}
    seen = client.post(f"{MATCHES}/{key}/preview", json={"win": win}).json
    assert (seen["assessment"]["score"]["legal"], seen["gains"]) == (False, None)

    hand |= {"concealed": [f"{rank}m" for rank in range(1, 10)] + ["1s", "2s", "5z", "5z"]}
    seen = client.post(f"{MATCHES}/{key}/preview", json={"win": win}).json
    assert seen["gains"] == [-29, 45, -8, -8]
    stored = enter(client, key, 5, win=win).json["match"]
    row = stored["rows"][5]
    assert (row["number"], row["winner"], row["points"], row["gains"]) == (6, 1, 21, seen["gains"])
    assert stored["totals"] == seen["totals"] == row["running"]
    assert "清龙" in row["fans"]
    kept = client.get(f"{MATCHES}/{key}/entries/6").json["versions"][0]
    assert (kept["hand"]["seat_wind"], kept["hand"]["prevalent_wind"]) == (row["seats"][1], "S")
    assert kept["score"]["total"] == 21


def test_a_correction_keeps_both_versions_and_the_winds_of_its_hand(
    client: FlaskClient, begun: dict[str, Any], hand: dict[str, Any]
) -> None:
    key = begun["keys"]["enter"]
    enter(client, key, 0, win={"winner": 0, "discarder": 1, "hand": hand})
    for after in range(1, 5):
        enter(client, key, after, event={"kind": "draw"})
    seen = client.post(
        f"{MATCHES}/{key}/preview", json={"win": {"winner": 2, "discarder": 1, "hand": hand}, "of": 1}
    )
    assert seen.json["totals"] == [-8, -29, 45, -8]
    corrected = enter(client, key, 5, win={"winner": 2, "discarder": 1, "hand": hand}, of=1)
    assert corrected.status_code == 201, corrected.json
    match = corrected.json["match"]
    assert match["totals"] == [-8, -29, 45, -8]
    assert (match["hands_played"], match["rows"][0]["versions"]) == (5, 2)
    versions = client.get(f"{MATCHES}/{key}/entries/1").json["versions"]
    assert [one["event"]["kind"] for one in versions] == ["win", "win"]
    assert [one["event"].get("winner") for one in versions] == [0, 2]
    assert [one["hand"]["seat_wind"] for one in versions] == ["E", "W"]


def test_draws_penalties_and_undo(client: FlaskClient, begun: dict[str, Any]) -> None:
    key = begun["keys"]["enter"]
    enter(client, key, 0, event={"kind": "win", "winner": 0, "points": 8})
    penalty = {"kind": "penalty", "player": 2, "points": 10, "divided": False, "reason": "迟到"}
    match = enter(client, key, 1, event=penalty).json["match"]
    assert (match["totals"], match["table"], match["hand_number"]) == ([48, -16, -26, -16], 10, 2)
    assert match["charges"][0] | {"versions": 1} == {
        "entry": 2, "hand_number": 2, "versions": 1, "gains": [0, 0, -10, 0], "table": 10, "ends_hand": False, **penalty
    }  # fmt: skip
    match = enter(client, key, 2, event={"kind": "withdrawal", "of": 2}).json["match"]
    assert (match["totals"], match["table"], match["charges"]) == ([48, -16, -16, -16], 0, [])


def test_two_phones_at_once_and_a_reply_that_was_lost(client: FlaskClient, begun: dict[str, Any]) -> None:
    key = begun["keys"]["enter"]
    draw = {"event": {"kind": "draw"}, "key": "phone-one-1"}
    first = enter(client, key, 0, **draw)
    again = enter(client, key, 0, **draw)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json["match"]["events"] == 1
    other = enter(client, key, 0, event={"kind": "win", "winner": 0, "points": 8}, key="phone-two-1")
    assert (other.status_code, other.json["error"]["code"]) == (409, "out_of_date")
    assert other.json["match"]["rows"][0]["kind"] == "draw"
    reused = enter(client, key, 1, event={"kind": "win", "winner": 0, "points": 8}, key="phone-one-1")
    assert (reused.status_code, reused.json["error"]["code"]) == (409, "key_used")


def test_watching_costs_no_body_until_something_happens(client: FlaskClient, begun: dict[str, Any]) -> None:
    address = f"{MATCHES}/{begun['keys']['look']}"
    first = client.get(address)
    assert (first.json["access"], first.json["keys"]["enter"]) == ("look", None)
    headers = {"If-None-Match": first.headers["ETag"]}
    same = client.get(address, headers=headers)
    assert (same.status_code, same.data) == (304, b"")
    enter(client, begun["keys"]["enter"], 0, event={"kind": "draw"})
    assert client.get(address, headers=headers).json["match"]["hands_played"] == 1


def test_what_each_key_allows(client: FlaskClient, begun: dict[str, Any]) -> None:
    look, own = begun["keys"]["look"], begun["owner_key"]
    refused = enter(client, look, 0, event={"kind": "draw"})
    assert (refused.status_code, refused.json["error"]["code"]) == (403, "not_allowed")
    for method, path in (("post", "rename"), ("post", "hand-over"), ("delete", "")):
        for key, status in ((look, 403), (begun["keys"]["enter"], 403), ("x" * 22, 404)):
            address = f"{MATCHES}/{key}/{path}".rstrip("/")
            answer = getattr(client, method)(address, json={"player": 0, "name": "Eve"})
            assert answer.status_code == status, (method, path, key)
    assert (
        client.post(f"{MATCHES}/{own}/rename", json={"player": 0, "name": "Eve"}).json["match"]["players"][0]
        == "Eve"
    )
    new = client.post(f"{MATCHES}/{own}/hand-over", json={}).json["owner_key"]
    assert client.get(f"{MATCHES}/{own}").status_code == 404
    assert client.delete(f"{MATCHES}/{new}").json == {"removed": True}
    assert client.get(f"{MATCHES}/{look}").status_code == 404


def test_nobody_finds_a_match_without_a_key(client: FlaskClient, begun: dict[str, Any]) -> None:
    assert client.post(f"{MATCHES}/list", json={"keys": []}).json == {"matches": [], "names": []}
    for key in ("1", str(begun["match"]["id"]), "%", "", "_" * 22):
        assert client.get(f"{MATCHES}/{key}").status_code in (404, 405)
    found = client.post(f"{MATCHES}/list", json={"keys": [begun["keys"]["look"]], "player": "bo"}).json
    assert [one["title"] for one in found["matches"]] == ["Friday"]
    assert found["names"] == sorted(NAMES)
    assert (
        client.post(f"{MATCHES}/list", json={"keys": [begun["keys"]["look"]], "points": 8}).json["matches"]
        == []
    )


def test_what_is_needed_in_the_last_round(client: FlaskClient, begun: dict[str, Any]) -> None:
    key = begun["keys"]["enter"]
    match = enter(client, key, 0, event={"kind": "win", "winner": 0, "points": 24, "discarder": 1}).json[
        "match"
    ]
    for after in range(1, 12):
        assert match["needs"] == []
        match = enter(client, key, after, event={"kind": "draw"}).json["match"]
    need = next(one for one in match["needs"] if (one["player"], one["rank"]) == (3, 1))
    # Anna is 48 + 8 ahead: 4 x (8 + P), 32 + 2P from Anna, 32 + P from another, to draw level or pass.
    assert need["self_drawn"] == 8
    assert need["discards"] == [
        {"from": 0, "points": 12},
        {"from": 1, "points": 24},
        {"from": 2, "points": 24},
    ]


@pytest.mark.parametrize(
    ("harm", "code"),
    [(Path.unlink, "ledger_vanished"), (lambda path: path.chmod(0o400), "ledger_read_only")],
    ids=["vanished", "read-only"],
)
def test_nothing_is_promised_that_the_file_will_not_keep(
    client: FlaskClient, begun: dict[str, Any], harm: Callable[[Path], None], code: str
) -> None:
    harm(client.application.config["DATABASE"])
    for answer in (
        enter(client, begun["keys"]["enter"], 0, event={"kind": "draw"}),
        client.post(MATCHES, json={"players": NAMES}),
    ):
        assert (answer.status_code, answer.json["error"]["code"]) == (503, code)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"event": {"kind": "draw"}}, 400, "bad_after"),
        ({"after": -1, "event": {"kind": "draw"}}, 400, "bad_after"),
        ({"after": 0, "key": "short", "event": {"kind": "draw"}}, 400, "bad_key"),
        ({"after": 0}, 422, "bad_event"),
        ({"after": 0, "event": {"kind": "win", "winner": 0, "points": 7}}, 422, "below_minimum"),
        ({"after": 0, "event": {"kind": "penalty", "player": 0, "points": 10}}, 422, "bad_event"),
        ({"after": 0, "event": {"kind": "withdrawal", "of": 1}}, 422, "bad_match"),
        ({"after": 0, "event": {"kind": "draw"}, "of": 4}, 422, "bad_match"),
        ({"after": 0, "event": {"kind": "draw"}, "of": "first"}, 422, "bad_event"),
        ({"after": 0, "win": {"discarder": 1, "hand": {}}}, 422, "no_winner"),
        ({"after": 0, "win": {"winner": 0, "hand": {}}}, 422, "missing_field"),
        ({"after": 0, "win": []}, 400, "not_an_object"),
        ([], 400, "not_an_object"),
    ],
)
def test_bad_entries_change_nothing(
    client: FlaskClient, begun: dict[str, Any], body: Any, status: int, code: str
) -> None:
    key = begun["keys"]["enter"]
    answer = client.post(f"{MATCHES}/{key}/entries", json=body)
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code)
    assert client.get(f"{MATCHES}/{key}").json["match"]["events"] == 0


def test_what_does_not_fit_is_said_in_detail(client: FlaskClient, begun: dict[str, Any]) -> None:
    key = begun["keys"]["enter"]
    enter(client, key, 0, event={"kind": "ended_early"})
    refused = enter(client, key, 1, event={"kind": "draw"})
    assert refused.json["error"]["message"] == "The match has been ended: withdraw its end to play on."


def test_a_win_needs_its_discarder(client: FlaskClient, begun: dict[str, Any], hand: dict[str, Any]) -> None:
    key = begun["keys"]["enter"]
    for discarder, status in ((None, 422), (0, 422), (1, 201)):
        answer = enter(client, key, 0, win={"winner": 0, "discarder": discarder, "hand": hand})
        assert answer.status_code == status


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"players": NAMES[:3]}, "bad_players"),
        ({"players": "Anna"}, "bad_players"),
        ({"players": ["Anna", "anna", "C", "D"]}, "bad_players"),
        ({"players": NAMES, "settings": {"hands": 99}}, "bad_settings"),
        ({"players": NAMES, "settings": {"speed": 1}}, "bad_settings"),
        ({"players": NAMES, "settings": {"seating": ["usual"]}}, "bad_settings"),
        ({"players": NAMES, "settings": {"profile": ["guobiao"]}}, "unknown_profile"),
        ({"players": NAMES, "settings": {"profile": 5}}, "unknown_profile"),
        ({"players": NAMES, "settings": []}, "bad_settings"),
        ({"players": NAMES, "settings": {"profile": "/etc/passwd"}}, "unknown_profile"),
        ({"players": NAMES, "title": 7}, "bad_title"),
    ],
)
def test_matches_that_cannot_begin(client: FlaskClient, body: Any, code: str) -> None:
    answer = client.post(MATCHES, json=body)
    assert (answer.status_code, answer.json["error"]["code"]) == (422, code)
