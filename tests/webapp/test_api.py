"""The JSON API: answers, refusals by name, and that nothing is stored unless confirmed."""

import io
from typing import Any

import pytest
from flask.testing import FlaskClient
from PIL import Image

from scorer import hand_from_json, parse_hand, score
from vision.errors import PhotoError
from vision.isolation.service import BusyError


def picture(size: tuple[int, int] = (64, 64), kind: str = "PNG", **options: Any) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, "darkgreen").save(file, kind, **options)
    return file.getvalue()


def send(client: FlaskClient, content: bytes, name: str = "photo.jpg", **headers: str) -> Any:
    return client.post("/api/v1/recognise", data={"photo": (io.BytesIO(content), name)}, headers=headers)


def code(response: Any) -> tuple[int, str]:
    assert response.is_json
    assert set(response.json) == {"error"}
    assert set(response.json["error"]) - {"fields"} == {"code", "message"}
    assert response.json["error"]["message"]
    return response.status_code, response.json["error"]["code"]


class TestScore:
    def test_is_the_engines(self, client: FlaskClient, hand: dict[str, Any]) -> None:
        answer = client.post("/api/v1/score", json=hand)
        assert answer.status_code == 200
        assert answer.json == score(*hand_from_json(hand)).to_json()
        assert answer.json["total"] == 21

    @pytest.mark.parametrize(
        ("changes", "reason"),
        [
            ({"concealed": ["1m"]}, "wrong_tile_count"),
            ({"winning_tile": "9s"}, "not_winning"),
            ({"winning_tile": "xx"}, "unknown_face"),
            ({"kong": True, "self_drawn": True}, "replacement_without_kong"),
            ({"melds": "no"}, "bad_field"),
            ({"flowers": ["1f", "1f"]}, "two_of_one_flower"),
            ({"discarder": "E"}, "discarder_is_winner"),
        ],
    )
    def test_refuses_by_name(
        self, client: FlaskClient, hand: dict[str, Any], changes: dict[str, Any], reason: str
    ) -> None:
        assert code(client.post("/api/v1/score", json=hand | changes)) == (422, reason)

    def test_refuses_what_is_no_hand(self, client: FlaskClient) -> None:
        assert code(client.post("/api/v1/score", json=[1])) == (400, "not_an_object")
        assert code(client.post("/api/v1/score", data="x", content_type="text/plain"))[0] == 415
        assert code(client.post("/api/v1/score", data="{", content_type="application/json"))[0] == 400
        assert code(client.post("/api/v1/score", json={"x": "y" * 70_000})) == (413, "too_large")
        assert code(client.get("/api/v1/score"))[0] == 405
        assert code(client.get("/api/v1/nothing"))[0] == 404

    def test_speaks_the_callers_language(self, client: FlaskClient, hand: dict[str, Any]) -> None:
        body = hand | {"winning_tile": "9s"}
        english = client.post("/api/v1/score", json=body).json["error"]["message"]
        chinese = client.post("/api/v1/score", json=body, headers={"Accept-Language": "zh-CN,zh;q=0.9"})
        assert english.startswith("Not a winning hand yet: 1 tile ")
        assert chinese.json["error"]["message"].startswith("尚未成和")


class TestAssess:
    def test_says_everything_the_page_shows(self, client: FlaskClient, hand: dict[str, Any]) -> None:
        answer = client.post("/api/v1/assess", json=hand | {"discarder": "S"}).json
        assert answer["problem"] is None
        assert answer["score"]["total"] == 21
        assert answer["payments"] == {"E": 45, "S": -29, "W": -8, "N": -8}
        assert parse_hand(answer["notation"]) == hand_from_json(hand)

    def test_leaves_payments_open_while_the_discarder_is_unknown(
        self, client: FlaskClient, hand: dict[str, Any]
    ) -> None:
        assert client.post("/api/v1/assess", json=hand).json["payments"] is None
        drawn = client.post("/api/v1/assess", json=hand | {"self_drawn": True}).json
        assert drawn["payments"] == {"E": 93, "S": -31, "W": -31, "N": -31}

    def test_takes_an_unfinished_hand_as_an_answer(self, client: FlaskClient, hand: dict[str, Any]) -> None:
        del hand["winning_tile"]
        answer = client.post("/api/v1/assess", json=hand)
        assert answer.status_code == 200
        assert answer.json["score"] is None
        assert answer.json["problem"]["code"] == "missing_field"

    def test_marks_a_win_under_eight_points(self, client: FlaskClient) -> None:
        hand = {
            "concealed": ["2m", "3m", "4m", "5p", "6p", "7p", "9s", "9s", "7s", "8s"],
            "melds": [{"kind": "pung", "tiles": ["1z", "1z", "1z"]}],
            "winning_tile": "9s",
            "seat_wind": "W",
            "prevalent_wind": "S",
            "discarder": "E",
        }
        answer = client.post("/api/v1/assess", json=hand).json
        assert answer["score"]["legal"] is False
        assert answer["payments"] is None
        assert code(client.post("/api/v1/hands", json=hand)) == (422, "below_minimum")
        assert code(client.post("/api/v1/settle", json=hand)) == (422, "below_minimum")


class TestSettle:
    def test_pays_by_seat(self, client: FlaskClient, hand: dict[str, Any]) -> None:
        answer = client.post("/api/v1/settle", json=hand | {"discarder": "N"}).json
        assert answer == {"total": 21, "payments": {"E": 45, "S": -8, "W": -8, "N": -29}}

    def test_wants_the_discarder(self, client: FlaskClient, hand: dict[str, Any]) -> None:
        refused = client.post("/api/v1/settle", json=hand)
        assert code(refused) == (422, "no_discarder")
        assert refused.json["error"]["fields"] == ["discarder"]
        assert code(client.post("/api/v1/settle", json=hand | {"discarder": "Q"})) == (400, "unknown_seat")


class TestNotation:
    def test_reads_text(self, client: FlaskClient, hand: dict[str, Any]) -> None:
        read = client.post("/api/v1/notation", json={"text": " 123456789m12s55z3s "}).json
        assert hand_from_json(read) == hand_from_json(hand)

    def test_says_where_the_text_goes_wrong(self, client: FlaskClient) -> None:
        refused = client.post("/api/v1/notation", json={"text": "123m?5z"})
        assert code(refused) == (422, "not_the_notation")
        assert refused.json["error"]["message"].startswith("Position 5: ")

    @pytest.mark.parametrize("body", [{}, {"text": 3}, {"text": "  "}, []])
    def test_wants_text(self, client: FlaskClient, body: object) -> None:
        assert code(client.post("/api/v1/notation", json=body)) == (400, "no_text")

    def test_names_an_impossible_hand(self, client: FlaskClient) -> None:
        assert code(client.post("/api/v1/notation", json={"text": "11111m23456789s1p"}))[0] == 422


def test_fans_lists_the_catalogue(client: FlaskClient) -> None:
    fans = client.get("/api/v1/fans").json["fans"]
    assert len(fans) == 82
    assert fans[0]["points"] == 88
    assert {"清龙", "大三元", "花牌"} <= {fan["name"] for fan in fans}


class TestHands:
    def test_are_kept_removed_and_brought_back(self, client: FlaskClient, hand: dict[str, Any]) -> None:
        assert client.get("/api/v1/hands").json == {"hands": []}
        created = client.post("/api/v1/hands", json=hand | {"discarder": "W"})
        assert created.status_code == 201
        path = created.headers["Location"]
        entry = client.get(path).json
        assert entry == created.json
        assert entry["score"]["total"] == 21
        assert sum(entry["payments"].values()) == 0
        assert entry["discarder"] == "W"
        assert hand_from_json(entry["hand"]) == hand_from_json(hand)

        assert client.delete(path).json["removed"] is True
        assert client.get("/api/v1/hands").json == {"hands": []}
        assert client.post(f"{path}/restore").json["removed"] is False
        assert [one["id"] for one in client.get("/api/v1/hands").json["hands"]] == [entry["id"]]

    def test_are_not_kept_when_wrong(self, client: FlaskClient, hand: dict[str, Any]) -> None:
        assert code(client.post("/api/v1/hands", json=hand)) == (422, "no_discarder")
        assert code(client.post("/api/v1/hands", json=hand | {"winning_tile": "9s"})) == (422, "not_winning")
        assert client.get("/api/v1/hands").json == {"hands": []}

    @pytest.mark.parametrize("method", ["get", "delete"])
    def test_unknown_number(self, client: FlaskClient, method: str) -> None:
        assert code(getattr(client, method)("/api/v1/hands/7")) == (404, "no_such_hand")

    def test_unknown_number_cannot_be_restored(self, client: FlaskClient) -> None:
        assert code(client.post("/api/v1/hands/7/restore")) == (404, "no_such_hand")


class TestRecognise:
    def test_wants_a_photo(self, client: FlaskClient) -> None:
        assert code(client.post("/api/v1/recognise")) == (400, "no_photo")
        form = {"content_type": "multipart/form-data"}
        assert code(client.post("/api/v1/recognise", data={"other": "text"}, **form)) == (400, "no_photo")

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b"", "empty"),
            (b"hello, this is text", "not_a_photo"),
            (picture(kind="GIF"), "unsupported_format"),
            (picture((800, 600), "JPEG")[:300], "damaged"),
            (picture((8, 8)), "too_small"),
        ],
    )
    def test_photo_door_errors_by_name(self, client: FlaskClient, content: bytes, reason: str) -> None:
        assert code(send(client, content)) == (422, reason)
        chinese = send(client, content, **{"Accept-Language": "zh"}).json["error"]["message"]
        assert not chinese.isascii()

    def test_body_over_the_cap(self, client: FlaskClient) -> None:
        client.application.config["MAX_CONTENT_LENGTH"] = 10_000
        assert code(send(client, b"\xff\xd8" + bytes(20_000))) == (413, "too_large")

    def test_a_photo_that_turns_out_too_large_while_it_is_read(
        self, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def too_large(*_: object, **__: object) -> None:
            raise PhotoError("out_of_memory", "there is not enough memory here")

        monkeypatch.setattr(client.application.extensions["photo_service"], "read", too_large)
        assert code(send(client, picture((640, 480), "JPEG"))) == (422, "out_of_memory")

    def test_a_photo_while_too_many_wait(self, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
        def busy(*_: object, **__: object) -> None:
            raise BusyError(4)

        monkeypatch.setattr(client.application.extensions["photo_service"], "read", busy)
        answer = send(client, picture((640, 480), "JPEG"))
        assert code(answer) == (503, "busy")
        assert answer.headers["Retry-After"] == "4"

    def test_photo_without_tiles(self, client: FlaskClient) -> None:
        assert code(send(client, picture((640, 480), "JPEG"))) == (422, "no_tiles")


class TestWaits:
    def test_of_thirteen_tiles(self, client: FlaskClient, hand: dict[str, Any]) -> None:
        del hand["winning_tile"]
        answer = client.post("/api/v1/waits", json=hand).json
        assert answer["tiles_from_ready"] == 0
        (wait,) = answer["waits"]
        assert (wait["tile"], wait["left"]) == ("3s", 4)
        assert wait["discard"]["total"] == 21

    def test_refuses_by_name(self, client: FlaskClient, hand: dict[str, Any]) -> None:
        hand["concealed"] = hand["concealed"][:5]
        assert code(client.post("/api/v1/waits", json=hand)) == (422, "wrong_tile_count")
        assert code(client.post("/api/v1/waits", json=3)) == (400, "not_an_object")


class TestNothingIsSilent:
    """What was assumed is told, and what is missing is named."""

    def test_winds_that_nobody_said(self, client: FlaskClient) -> None:
        hand = {"concealed": ["1m", "2m", "3m"] * 4 + ["9s"], "winning_tile": "9s", "self_drawn": True}
        for path in ("score", "settle", "assess"):
            (note,) = client.post(f"/api/v1/{path}", json=hand).json["notes"]
            assert (note["code"], note["fields"]) == ("winds_assumed", ["prevalent_wind", "seat_wind"])
        told = hand | {"seat_wind": "S", "prevalent_wind": "E"}
        assert "notes" not in client.post("/api/v1/score", json=told).json
        assert client.post("/api/v1/assess", json=told).json["notes"] == []

    def test_fields_that_are_missing_or_misspelt(self, client: FlaskClient) -> None:
        def fields(path: str, body: dict[str, object]) -> list[str]:
            answer = client.post(f"/api/v1/{path}", json=body)
            assert answer.status_code == 422
            return answer.json["error"]["fields"]

        assert fields("waits", {}) == ["concealed"]
        assert fields("settle", {"concealed": ["1m"]}) == ["winning_tile"]
        assert fields("settle", {"winning_tile": "1m"}) == ["concealed"]
        assert fields("score", {"concealed": [], "winning_tile": "1m", "SeatWind": "S"}) == ["SeatWind"]
