"""The HTML pages: they open in both languages, carry their headers and give nothing away."""

import gzip
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

import webapp
from scorer import BACK, FACES, hand_from_json
from vision.photo_formats import MEDIA_TYPES, PHOTO_FORMATS

PAGES = ["/", "/hand", "/hands", "/fans", "/help"]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(
    ("asked", "tag"), [("en-GB,en", "en"), ("zh-CN,zh;q=0.8", "zh-Hans"), ("zh-TW", "zh-Hant"), ("fr", "en")]
)
def test_page_opens_in_the_browsers_language(client: FlaskClient, path: str, asked: str, tag: str) -> None:
    page = client.get(path, headers={"Accept-Language": asked})
    assert page.status_code == 200
    assert f'<html lang="{tag}">' in page.text


def test_the_page_offers_and_names_every_photo_format(client: FlaskClient) -> None:
    accepted = re.search(r'id="gallery" type="file" accept="([^"]*)"', client.get("/").text)
    assert accepted is not None
    assert set(accepted[1].split(",")) == {*MEDIA_TYPES, "image/*"}
    for language in ("en", "zh-CN"):
        assert (
            ", ".join(form.name for form in PHOTO_FORMATS)
            in client.get("/help", headers={"Accept-Language": language}).text
        )


@pytest.mark.parametrize(
    "path", [*PAGES, "/healthz", "/nothing", "/static/css/base.css", "/artwork/tiles.svg"]
)
def test_headers(client: FlaskClient, path: str) -> None:
    with client.get(path) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert "geolocation=()" in answer.headers["Permissions-Policy"]


@pytest.mark.parametrize("path", PAGES)
def test_no_inline_script_or_style_that_the_policy_would_stop(client: FlaskClient, path: str) -> None:
    text = client.get(path).text
    assert "style=" not in text
    assert not re.search(r"\son\w+=", text)
    for tag in re.findall(r"<script[^>]*>", text):
        assert "src=" in tag or 'type="application/json"' in tag


def test_every_asset_a_page_names_is_there(client: FlaskClient) -> None:
    for path in PAGES:
        for asset in set(re.findall(r'(?:src|href)="(/(?:static|artwork)/[^"#]+)', client.get(path).text)):
            with client.get(asset) as answer:
                assert answer.status_code == 200, asset


def test_nothing_is_loaded_from_elsewhere(client: FlaskClient) -> None:
    for path in PAGES:
        assert not re.search(r'(?:src|href)="(?:https?:)?//', client.get(path).text)


def test_error_page_says_what_to_do_in_the_persons_language(client: FlaskClient) -> None:
    page = client.get("/nothing", headers={"Accept-Language": "zh"})
    assert page.status_code == 404
    assert "这个地址没有内容" in page.text


@pytest.mark.parametrize(
    "path", ["/photos/../app.jpg", "/photos/x.jpg", "/static/../app.py", "/static/%2e%2e/app.py"]
)
def test_files_of_the_server_stay_inside(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_health(client: FlaskClient) -> None:
    assert client.get("/healthz").json["status"] == "ok"


class TestLanguage:
    def test_choice_is_remembered_and_returns(self, client: FlaskClient) -> None:
        answer = client.post("/language", data={"tag": "zh-Hans", "next": "/fans?x=1"})
        assert answer.status_code == 303
        assert answer.headers["Location"] == "/fans?x=1"
        assert '<html lang="zh-Hans">' in client.get("/", headers={"Accept-Language": "en"}).text

    @pytest.mark.parametrize(
        "away", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:x"]
    )
    def test_never_leads_to_another_site(self, client: FlaskClient, away: str) -> None:
        assert client.post("/language", data={"tag": "en", "next": away}).headers["Location"] == "/"

    def test_unknown_language(self, client: FlaskClient) -> None:
        assert client.post("/language", data={"tag": "tlh"}).status_code == 400


class TestOtherSites:
    @pytest.mark.parametrize(
        "headers",
        [
            {"Origin": "https://evil.example"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
            {"Origin": "null"},
        ],
    )
    def test_cannot_change_anything(
        self, client: FlaskClient, hand: dict[str, Any], headers: dict[str, str]
    ) -> None:
        answer = client.post("/api/v1/hands", json=hand | {"discarder": "S"}, headers=headers)
        assert (answer.status_code, answer.json["error"]["code"]) == (403, "cross_site")
        assert client.get("/api/v1/hands").json == {"hands": []}

    def test_own_page_can(self, client: FlaskClient, hand: dict[str, Any]) -> None:
        headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
        assert client.post("/api/v1/score", json=hand, headers=headers).status_code == 200


class TestPendingPhoto:
    def put(self, app: Flask) -> str:
        recognition = {
            "image": "photo",
            "width": 30,
            "height": 40,
            "tiles": [],
            "hand": None,
            "readings": [],
            "score": None,
            "problems": [{"code": "not_a_hand", "message": "x"}],
            "timing_ms": {},
        }
        token: str = app.extensions["pending_photos"].put(b"\xff\xd8jpeg", recognition)
        return token

    def test_is_shown_until_its_hand_is_confirmed(
        self, app: Flask, client: FlaskClient, hand: dict[str, Any]
    ) -> None:
        token = self.put(app)
        photo = client.get(f"/photos/{token}.jpg")
        assert (photo.status_code, photo.mimetype, photo.data) == (200, "image/jpeg", b"\xff\xd8jpeg")
        assert photo.headers["Cache-Control"] == "no-store"
        client.post("/api/v1/hands", json=hand | {"discarder": "S", "photos": [token]})
        assert client.get(f"/photos/{token}.jpg").status_code == 404

    def test_page_carries_what_was_read_in_words(self, app: Flask, client: FlaskClient) -> None:
        token = self.put(app)
        answer = client.get(f"/photo/{token}", headers={"Accept-Language": "zh"})
        assert answer.headers["Cache-Control"] == "no-store"
        page = answer.text
        block = re.search(r'<script type="application/json" id="start">(.*?)</script>', page, re.S)
        assert block
        start = json.loads(block[1])
        assert start["draft"]["photos"][0]["photo"] == f"/photos/{token}.jpg"
        assert start["notices"][0]["text"].startswith("这些牌不像")
        assert start["answer"]["problem"]["code"] == "no_tiles"

    def test_page_opens_without_the_photo_when_it_is_gone(self, client: FlaskClient) -> None:
        page = client.get("/photo/gone")
        assert page.status_code == 200
        assert page.headers["Cache-Control"] == "no-store"
        assert "has expired" in page.text


def test_confirmed_hand_opens_as_it_was_confirmed(client: FlaskClient, hand: dict[str, Any]) -> None:
    won = hand | {
        "seat_wind": "S",
        "prevalent_wind": "N",
        "discarder": "W",
        "opening": "earthly",
        "profile": "platform",
        "flowers": ["2f", "7f"],
        "players": {"N": "Lin"},
    }
    entry = client.post("/api/v1/hands", json=won).json
    found = re.search(r'href="(/hands/[0-9]+)"', client.get("/hands").text)
    assert found
    block = re.search(r'id="start">(.*?)</script>', client.get(found[1]).text, re.S)
    assert block
    start = json.loads(block[1])
    assert start["entry"] == {"id": entry["id"], "versions": 1, "players": {"N": "Lin"}}
    draft = start["draft"]
    assert (draft["discarder"], draft["conditions"]["opening"]) == ("W", "earthly")
    again = client.post("/api/v1/assess", json={"draft": draft, **draft["conditions"], "discarder": "W"}).json
    assert (again["score"], again["payments"]) == (entry["score"], entry["payments"])
    assert hand_from_json(again["draft"]["hand"] | {"discarder": None}) == hand_from_json(entry["hand"])


def test_what_holds_a_hand_is_kept_by_no_cache(client: FlaskClient, hand: dict[str, Any]) -> None:
    client.post("/api/v1/hands", json=hand | {"discarder": "S"})
    kept = {}
    for path in (
        "/hands",
        "/photo/x",
        "/photos/x.jpg",
        "/tilesets",
        "/api/v1/hands",
        "/api/v1/hands/1",
        "/metrics",
    ):
        kept[path] = client.get(path).headers["Cache-Control"]
    for path in ("score", "assess", "settle", "picture"):
        answer = client.post(f"/api/v1/{path}", json=hand | {"discarder": "S"})
        kept[path] = answer.headers["Cache-Control"]
    assert set(kept.values()) == {"no-store"}, kept
    # What is everybody's may be asked about again and kept for when there is no network.
    for path in ("/", "/hand", "/fans", "/help", "/api/v1/fans", "/manifest.webmanifest"):
        assert client.get(path).headers["Cache-Control"] == "no-cache", path


def test_ledger_shows_confirmed_hands(client: FlaskClient, hand: dict[str, Any]) -> None:
    client.post("/api/v1/hands", json=hand | {"discarder": "S"})
    english = client.get("/hands").text
    assert "Pure Straight" in english
    assert "+45" in english
    chinese = client.get("/hands", headers={"Accept-Language": "zh"}).text
    assert "清龙" in chinese
    # The start page itself holds nobody's hand, so that a browser may keep it.
    assert "Pure Straight" not in client.get("/").text


def test_sprite_holds_every_face_once(client: FlaskClient) -> None:
    plain = client.get("/artwork/tiles.svg", headers={"Accept-Encoding": "identity"})
    symbols = re.findall(r'<symbol id="(\w+)"', plain.text)
    assert symbols == [*FACES, BACK]
    packed = client.get("/artwork/tiles.svg", headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data


def test_first_paint_is_light(client: FlaskClient) -> None:
    """HTML, CSS, scripts and artwork of the confirmation page stay under 100 kB on the wire, all together."""
    takes_gzip = {"Accept-Encoding": "gzip"}
    with client.get("/hand", headers=takes_gzip) as answer:
        page = gzip.decompress(answer.data).decode()
        size = len(answer.data)
    names = set(re.findall(r'(?:src|href)="(/static/[^"#]+)', page))
    names |= {f"/static/js/{path.name}" for path in (Path(webapp.__file__).parent / "static/js").iterdir()}
    for name in {*names, "/artwork/tiles.svg"}:
        with client.get(name, headers=takes_gzip) as answer:
            size += len(answer.data)
    assert 20_000 < size < 100_000


def test_manifest_names_icons_that_are_there(client: FlaskClient) -> None:
    manifest = client.get("/manifest.webmanifest", headers={"Accept-Language": "zh"})
    assert manifest.mimetype == "application/manifest+json"
    assert manifest.json["lang"] == "zh-Hans"
    for icon in manifest.json["icons"]:
        with client.get(icon["src"]) as answer:
            side = int(icon["sizes"].split("x")[0])
            assert Image.open(io.BytesIO(answer.data)).size == (side, side)


def test_worker_keeps_only_what_exists_and_nothing_personal(client: FlaskClient) -> None:
    script = client.get("/sw.js")
    assert script.headers["Cache-Control"] == "no-cache"
    kept = json.loads(re.search(r"ASSETS = (\[.*?\]);", script.text)[1])  # type: ignore[index]
    kept += json.loads(re.search(r"SHELL = (\[.*?\]);", script.text)[1])  # type: ignore[index]
    assert len(kept) > 20
    for address in kept:
        assert not address.startswith(("/photo", "/hands", "/api"))
        with client.get(address) as answer:
            assert answer.status_code == 200, address


def test_unchanged_assets_are_not_sent_again(client: FlaskClient) -> None:
    with client.get("/static/css/base.css", headers={"Accept-Encoding": "gzip"}) as first:
        assert first.headers["Content-Encoding"] == "gzip"
        etag = first.headers["ETag"]
    with client.get("/static/css/base.css", headers={"If-None-Match": etag}) as again:
        assert again.status_code == 304
