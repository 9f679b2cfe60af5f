"""Tile sets of one's own: taught from a pending photo, used on the next one, listed, forgotten."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import vision
from vision.tilesets import list_tilesets, load_tileset

SAMPLES = Path(vision.__file__).parent / "samples"


@pytest.fixture(autouse=True)
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FANLENS_HOME", str(tmp_path))


def send(client: FlaskClient, name: str = "three-chows", **fields: str) -> Any:
    photo = (io.BytesIO((SAMPLES / f"{name}.jpg").read_bytes()), "photo.jpg")
    return client.post("/api/v1/recognise", data={"photo": photo, **fields})


def named(recognition: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"face": tile["face"], "quad": tile["quad"]}
        for tile in recognition["tiles"]
        if tile["role"] != "stray"
    ]


def test_taught_used_listed_and_forgotten(client: FlaskClient) -> None:
    assert client.get("/api/v1/tilesets").json == {"tilesets": []}
    read = send(client).json
    token = read["page"].rsplit("/", 1)[1]
    # Nothing is kept of a photo until somebody says so.
    assert list_tilesets() == ()
    answer = client.post("/api/v1/tilesets/我的 牌/lessons", json={"photo": token, "tiles": named(read)})
    assert answer.status_code == 201
    assert (answer.json["name"], answer.json["photos"]) == ("我的 牌", 1)
    assert answer.json["references"] == len(named(read))
    learned = load_tileset("我的 牌").counts
    assert {face for face, count in learned.items() if count} == {tile["face"] for tile in named(read)}
    assert set(answer.json["missing"]).isdisjoint(tile["face"] for tile in named(read))
    # The same photo again replaces what was learned from it.
    client.post("/api/v1/tilesets/我的 牌/lessons", json={"photo": token, "tiles": named(read)})
    assert client.get("/api/v1/tilesets").json["tilesets"][0]["references"] == len(named(read))

    with_help = send(client, tileset="我的 牌")
    assert with_help.status_code == 201
    sure = {tile["face"] for tile in named(with_help.json)}
    assert sure == {tile["face"] for tile in named(read)}
    page = client.get("/tilesets").text
    assert "我的 牌" in page
    assert client.delete("/api/v1/tilesets/我的 牌").json == {
        "name": "我的 牌",
        "forgotten": len(named(read)),
    }
    assert list_tilesets() == ()
    assert "我的 牌" not in client.get("/tilesets").text


def test_quads_of_a_photo_larger_than_a_screen_fit_the_smaller_copy(app: Flask, client: FlaskClient) -> None:
    read = send(client).json
    token = read["page"].rsplit("/", 1)[1]
    pending = app.extensions["pending_photos"].get(token)
    twice = json.loads(json.dumps(pending.recognition)) | {
        "width": read["width"] * 2,
        "height": read["height"] * 2,
    }
    large = app.extensions["pending_photos"].put(pending.jpeg, twice)
    doubled = [
        {"face": tile["face"], "quad": [[x * 2, y * 2] for x, y in tile["quad"]]} for tile in named(read)
    ]
    answer = client.post("/api/v1/tilesets/large/lessons", json={"photo": large, "tiles": doubled})
    assert answer.status_code == 201
    first = load_tileset("large").references[0]
    assert [list(point) for point in first.quad] == [
        pytest.approx(point, abs=0.2) for point in named(read)[0]["quad"]
    ]


QUAD = [[10, 10], [90, 10], [90, 120], [10, 120]]


@pytest.mark.parametrize(
    ("name", "tiles", "status", "code"),
    [
        ("x", [], 400, "bad_tiles"),
        ("x", "1m", 400, "bad_tiles"),
        ("x", [{"face": "0m", "quad": QUAD}], 400, "bad_tiles"),
        ("x", [{"face": "1m", "quad": QUAD[:3]}], 400, "bad_tiles"),
        ("x", [{"face": "1m", "quad": [[1e9, 0]] * 4}], 400, "bad_tiles"),
        ("x", [{"face": "1m", "quad": [[True, 0]] * 4}], 400, "bad_tiles"),
        ("x", [{"face": "1m", "quad": QUAD}] * 201, 400, "bad_tiles"),
        ("x", [{"face": "1m", "quad": [[5, 5]] * 4}], 422, "bad_tile"),
        ("x", [{"face": "1m", "quad": QUAD}] * 2, 422, "same_place"),
        ("..", [{"face": "1m", "quad": QUAD}], 422, "bad_name"),
        (".hidden", [{"face": "1m", "quad": QUAD}], 422, "bad_name"),
        ("<b>x", [{"face": "1m", "quad": QUAD}], 422, "bad_name"),
        ("x" * 61, [{"face": "1m", "quad": QUAD}], 422, "bad_name"),
    ],
)
def test_what_cannot_be_learned(
    client: FlaskClient, tmp_path: Path, name: str, tiles: Any, status: int, code: str
) -> None:
    token = send(client).json["page"].rsplit("/", 1)[1]
    answer = client.post(f"/api/v1/tilesets/{name}/lessons", json={"photo": token, "tiles": tiles})
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code)
    assert list_tilesets() == ()


def test_photos_and_sets_that_are_not_there(client: FlaskClient) -> None:
    for body in ({"photo": "gone", "tiles": []}, {"tiles": []}, [], {"photo": 7}):
        answer = client.post("/api/v1/tilesets/x/lessons", json=body)
        assert (answer.status_code, answer.json["error"]["code"]) == (404, "no_such_photo")
    for answer in (client.delete("/api/v1/tilesets/x"), send(client, tileset="x")):
        assert (answer.status_code, answer.json["error"]["code"]) == (404, "unknown_tileset")
    # None is what the page sends while no set is chosen.
    assert send(client, tileset="").status_code == 201
