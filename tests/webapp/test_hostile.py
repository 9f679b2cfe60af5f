"""What no page of ours sends: every such request is refused by its own name, never by a server error."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorer import PROFILES, hand_from_json, score
from vision.photo_formats import MAX_BYTES
from webapp.app import close, create_app

JSON_PATHS = ["/score", "/assess", "/settle", "/waits", "/notation", "/hands"]
PHOTO = "/api/v1/recognise"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    app = create_app({"DATABASE": Path(tmp_path_factory.mktemp("hostile")) / "ledger.sqlite3"})
    yield app.test_client()
    close(app)


def refusal(answer: Any) -> tuple[int, str]:
    assert answer.is_json
    assert set(answer.json) == {"error"}
    assert answer.json["error"]["message"]
    return answer.status_code, answer.json["error"]["code"]


class TestJson:
    @pytest.mark.parametrize("path", JSON_PATHS)
    @pytest.mark.parametrize(
        "body",
        [
            "[" * 30_000 + "]" * 30_000,
            '{"melds":' * 5_000 + "1" + "}" * 5_000,
            "[" * 900 + "]" * 900,
            "[" * 17 + "]" * 17,
            '{"concealed": ["\\ud800"]}',
            '{"text": "123m\\udc00"}',
            '{"\\ud800": 1}',
            '{"seat_wind": NaN}',
            '{"flowers": -Infinity}',
            '{"flowers": ' + "1" * 5_000 + "}",
            b'{"text": "\xff"}',
            "{",
            "",
        ],
        ids=lambda body: repr(body[:24]),
    )
    def test_that_cannot_be_read(self, client: FlaskClient, path: str, body: str | bytes) -> None:
        answer = client.post(f"/api/v1{path}", data=body, content_type="application/json")
        assert refusal(answer) == (400, "bad_json")

    @pytest.mark.parametrize("path", JSON_PATHS)
    def test_of_another_kind_or_too_large(self, client: FlaskClient, path: str) -> None:
        assert refusal(client.post(f"/api/v1{path}", data="{}", content_type="text/plain")) == (
            415,
            "unsupported_media_type",
        )
        large = client.post(f"/api/v1{path}", data=b" " * 65_537, content_type="application/json")
        assert refusal(large) == (413, "too_large")
        assert "64 kB" in large.json["error"]["message"]

    def test_as_deep_as_allowed_and_whole_surrogate_pairs(self, client: FlaskClient, hand: Any) -> None:
        nested: Any = 1
        for _ in range(15):
            nested = [nested]
        answer = client.post(
            "/api/v1/score",
            data=json.dumps(hand | {"id": nested, "note": "😀"}),  # written as a pair of escapes
            content_type="application/json",
        )
        assert answer.json["total"] == 21


@pytest.mark.parametrize(
    "text",
    [
        "123456789m12s55z3s|" + "9" * 5_000,
        "123456789m12s55z3s" + "|EE1000|" + "1" * 5_000,
        "1" * 60_000,
        "[" * 60_000,
        "m" * 10_000,
        "\0",
        "１２３ｍ",
    ],
    ids=lambda text: repr(text[:24]),
)
def test_notation_that_is_none(client: FlaskClient, text: str) -> None:
    status, _ = refusal(client.post("/api/v1/notation", json={"text": text}))
    assert status == 422


@pytest.mark.parametrize(
    "number",
    [
        "0",
        "-1",
        "abc",
        "1.0",
        "²",
        "٣",
        "1e3",
        str(2**63 - 1),
        str(2**63),
        str(10**30),
        "9" * 5_000,
        "%00",
        "1%20",
    ],
)
@pytest.mark.parametrize(("method", "tail"), [("get", ""), ("delete", ""), ("post", "/restore")])
def test_number_of_no_hand(client: FlaskClient, number: str, method: str, tail: str) -> None:
    answer = getattr(client, method)(f"/api/v1/hands/{number}{tail}")
    assert refusal(answer) == (404, "no_such_hand")


class TestHeaders:
    @pytest.mark.parametrize(
        "origin",
        [
            "http://[bad",
            "http://[::1",
            "null",
            "",
            "localhost",
            "//",
            "http://",
            "http://localhost.evil.com",
            "\xe9",
        ],
    )
    def test_origin_that_is_not_ours(self, client: FlaskClient, hand: dict[str, Any], origin: str) -> None:
        answer = client.post("/api/v1/score", json=hand, headers={"Origin": origin})
        assert refusal(answer) == (403, "cross_site")

    @pytest.mark.parametrize(
        "host",
        [
            "[bad",
            "",
            "a b",
            "a:b:c",
            "a/b",
            "\xe9",
            "[::1",
            "x:99999999",
            "a..b",
            "a." * 64 + "b" * 64,
            "-" * 300,
        ],
    )
    def test_host_nobody_has(self, client: FlaskClient, hand: dict[str, Any], host: str) -> None:
        for path in ("/", "/photo/", "/photo", "/nothing", "/static/css/base.css"):
            assert client.get(path, headers={"Host": host}).status_code == 400
        for path in ("/api/v1/score", "/api/v1/hands"):
            answer = client.post(path, json=hand | {"discarder": "S"}, headers={"Host": host})
            assert refusal(answer) == (400, "bad_host")

    @pytest.mark.parametrize(
        "host", ["evil.example", "EVIL.example:8000", "localhost.evil.example", "1.2.3.4.example"]
    )
    def test_host_of_another_site(self, client: FlaskClient, hand: dict[str, Any], host: str) -> None:
        headers, body = {"Host": host, "Origin": f"http://{host}"}, hand | {"discarder": "S"}
        answer = client.post("/api/v1/hands", json=body, headers=headers)
        assert refusal(answer) == (421, "unknown_host")
        assert host.lower().split(":")[0] in answer.json["error"]["message"].lower()
        assert client.get("/", headers=headers).status_code == 421

    @pytest.mark.parametrize(
        "host", ["LOCALHOST:81", "127.0.0.1:8000", "192.168.1.7", "[::1]:80", "localhost."]
    )
    def test_host_that_is_ours(self, client: FlaskClient, host: str) -> None:
        assert client.get("/", headers={"Host": host}).status_code == 200

    @pytest.mark.parametrize(
        "name",
        [
            "Referer",
            "Accept",
            "Accept-Language",
            "Accept-Encoding",
            "Cookie",
            "Range",
            "If-None-Match",
            "If-Modified-Since",
            "If-Range",
            "X-Forwarded-Host",
            "Content-Type",
            "Content-Length",
            "Authorization",
        ],
    )
    @pytest.mark.parametrize(
        "value",
        ["http://[bad", "", ";;;==,,", "\xff" * 50, "bytes=9-1", "q=nan;q=1e999", "=?utf-8?b?/w==?=", "-1"],
    )
    def test_nonsense_never_ends_in_a_server_error(self, client: FlaskClient, name: str, value: str) -> None:
        for path in ("/", "/photo/x", "/static/css/base.css", "/api/v1/hands", "/nothing"):
            with client.get(path, headers={name: value}) as answer:
                assert answer.status_code < 500
        for path in ("/api/v1/score", PHOTO, "/language"):
            answer = client.post(path, data=b"{}", headers={name: value})
            assert 400 <= answer.status_code < 500


class TestLanguage:
    @pytest.mark.parametrize(
        "address",
        [
            "http://[bad",
            "/x\r\nSet-Cookie: a=b",
            "/x\nSet-Cookie: a=b",
            "/\t/evil.com",
            "/\\evil.com",
            "//evil.com",
            "//[bad",
            "///evil.com",
            "https://evil.com/",
            "javascript:alert(1)",
            "evil",
            "",
            " /",
            "/\0",
            "/\x7f",
        ],
    )
    def test_goes_nowhere_else(self, client: FlaskClient, address: str) -> None:
        answer = client.post("/language", data={"tag": "en", "next": address})
        assert answer.status_code == 303
        assert answer.headers["Location"] == "/"
        assert [cookie.split("=")[0] for cookie in answer.headers.getlist("Set-Cookie")] == ["language"]

    @pytest.mark.parametrize(
        ("address", "location"),
        [("/hands?x=1#a", "/hands?x=1#a"), ("/[bad", "/%5Bbad"), ("/清", "/%E6%B8%85"), ("/a:b@c", "/a:b@c")],
    )
    def test_returns_to_a_page_here(self, client: FlaskClient, address: str, location: str) -> None:
        answer = client.post("/language", data={"tag": "en", "next": address})
        assert answer.headers["Location"] == location

    def test_form_that_is_broken_or_no_text(self, client: FlaskClient) -> None:
        for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            answer = client.post("/language", data=b"\xff\xfe=--x", content_type=kind)
            assert answer.status_code == 400


class TestProfile:
    @pytest.mark.parametrize("profile", PROFILES)
    def test_is_the_one_scored_by(self, client: FlaskClient, hand: dict[str, Any], profile: str) -> None:
        body = hand | {"profile": profile, "discarder": "S"}
        expected = score(*hand_from_json(hand), profile).to_json()
        assert expected["profile"] == profile
        assert client.post("/api/v1/score", json=body).json == expected
        assessed = client.post("/api/v1/assess", json=body).json
        assert assessed["score"] == expected
        assert assessed["payments"]["S"] == -8 - expected["total"]
        assert client.post("/api/v1/settle", json=body).json["total"] == expected["total"]
        assert client.post("/api/v1/hands", json=body).json["score"] == expected
        del body["winning_tile"]
        (wait,) = client.post("/api/v1/waits", json=body).json["waits"]
        assert wait["discard"]["profile"] == profile

    @pytest.mark.parametrize("profile", ["nope", "", "/etc/passwd", "../guobiao", 3, None, [], {}, True])
    def test_that_is_unknown(self, client: FlaskClient, hand: dict[str, Any], profile: object) -> None:
        body = hand | {"profile": profile, "discarder": "S"}
        for path in ("/score", "/settle", "/hands", "/waits"):
            assert refusal(client.post(f"/api/v1{path}", json=body)) == (422, "unknown_profile")
        assessed = client.post("/api/v1/assess", json=body).json
        assert assessed["score"] is None
        assert assessed["problem"]["code"] == "unknown_profile"


def part(name: str, content: bytes, filename: str | None = None) -> bytes:
    given = f'; filename="{filename}"' if filename else ""
    head = f'--cut\r\nContent-Disposition: form-data; name="{name}"{given}\r\n\r\n'
    return head.encode() + content + b"\r\n"


WHOLE = part("photo", b"\xff\xd8" * 500, "a.jpg") + b"--cut--\r\n"


class TestUpload:
    def send(self, client: FlaskClient, body: bytes, kind: str = "multipart/form-data; boundary=cut") -> Any:
        return client.post(PHOTO, data=body, content_type=kind)

    def test_whole_form_reaches_the_photo_door(self, client: FlaskClient) -> None:
        assert refusal(self.send(client, WHOLE)) == (422, "damaged")

    def test_too_many_parts(self, client: FlaskClient) -> None:
        body = b"".join(part(f"field{number}", b"x") for number in range(21)) + WHOLE
        assert refusal(self.send(client, body)) == (400, "too_many_parts")

    @pytest.mark.parametrize("size", [5, 2_000_000])
    def test_photo_as_text(self, client: FlaskClient, size: int) -> None:
        assert refusal(self.send(client, part("photo", b"x" * size) + b"--cut--\r\n")) == (400, "not_a_file")

    @pytest.mark.parametrize(
        "kind", ["image/jpeg", "application/json", "text/plain", "", "multipart/mixed; boundary=cut"]
    )
    def test_another_content_type(self, client: FlaskClient, kind: str) -> None:
        assert refusal(self.send(client, WHOLE, kind)) == (415, "unsupported_media_type")

    @pytest.mark.parametrize(
        ("body", "kind"),
        [
            (WHOLE[:-200], "multipart/form-data; boundary=cut"),
            (WHOLE[:30], "multipart/form-data; boundary=cut"),
            (WHOLE, "multipart/form-data"),
            (WHOLE, "multipart/form-data; boundary=other"),
            (WHOLE, "multipart/form-data; boundary=\xe9"),
            (b"--cut\r\nX: y\r\n\r\n\r\n--cut--\r\n", "multipart/form-data; boundary=cut"),
            (
                b"--cut\r\nContent-Disposition: \xff\r\n\r\n\r\n--cut--\r\n",
                "multipart/form-data; boundary=cut",
            ),
            (b"nonsense", "multipart/form-data; boundary=cut"),
        ],
    )
    def test_broken_form(self, client: FlaskClient, body: bytes, kind: str) -> None:
        answer = self.send(client, body, kind)
        assert refusal(answer) == (400, "broken_form")
        assert "damaged" in answer.json["error"]["message"]

    def test_too_large_has_one_name(self, client: FlaskClient) -> None:
        for size in (MAX_BYTES + 1, MAX_BYTES + 2_000_000):
            answer = self.send(client, part("photo", bytes(size), "a.jpg") + b"--cut--\r\n")
            assert refusal(answer) == (413, "too_large")
            assert "40 MB" in answer.json["error"]["message"]
        form = client.post("/language", data={"tag": "e" * (MAX_BYTES + 2_000_000)})
        assert form.status_code == 413


@pytest.mark.parametrize(
    "path",
    ["/api", "/api/", "/api/v1", "/api/v1/", "/api/v1/nope", "/api/v2/score", "/api/v1/hands/1/x", "/api//x"],
)
def test_addresses_the_api_has_not(client: FlaskClient, path: str) -> None:
    for answer in (client.get(path), client.post(path, json={})):
        assert refusal(answer) == (404, "not_found")
        assert "/api/v1/" in answer.json["error"]["message"]
        assert "photo" not in answer.json["error"]["message"]


def test_pages_beside_the_api_stay_pages(client: FlaskClient) -> None:
    assert client.get("/apis").mimetype == "text/html"
