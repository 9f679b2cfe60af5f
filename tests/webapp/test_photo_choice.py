"""Which tiles of a photo are the hand, said over HTTP."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.vision.test_choice import OTHERS, row, two_rows
from vision.choice import MOST_CHOSEN


def ask(app: Flask, client: FlaskClient, body: Any) -> Any:
    token = app.extensions["pending_photos"].put(b"jpeg", two_rows())
    return client.post(f"/api/v1/photos/{token}/hand", json=body)


def test_over_http(app: Flask, client: FlaskClient) -> None:
    draft = ask(app, client, {"tiles": list(range(14, 28))}).json["start"]["draft"]
    played = [tile["number"] for tile in draft["tiles"] if tile["role"] != "stray"]
    assert sorted(played) == list(range(14, 28))
    assert draft["photos"][0]["photo"].startswith("/photos/")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"tiles": []}, 422, "bad_choice"),
        ({"tiles": list(range(28)) * 2}, 200, None),
        ({"tiles": [28]}, 400, "bad_tiles"),
        ({"tiles": [-1]}, 400, "bad_tiles"),
        ({"tiles": [True]}, 400, "bad_tiles"),
        ({"tiles": "all"}, 400, "bad_tiles"),
        ([], 400, "bad_tiles"),
    ],
)
def test_choices_that_are_none(
    app: Flask, client: FlaskClient, body: Any, status: int, code: str | None
) -> None:
    answer = ask(app, client, body)
    assert (answer.status_code, answer.json.get("error", {}).get("code")) == (status, code)


def test_too_many_tiles_and_a_photo_that_is_gone(app: Flask, client: FlaskClient) -> None:
    many = two_rows()
    many["tiles"] += row(OTHERS, 1000, "stray")
    token = app.extensions["pending_photos"].put(b"jpeg", many)
    answer = client.post(f"/api/v1/photos/{token}/hand", json={"tiles": list(range(MOST_CHOSEN + 1))})
    assert answer.json["error"]["code"] == "bad_choice"
    gone = client.post("/api/v1/photos/gone/hand", json={"tiles": [1]})
    assert (gone.status_code, gone.json["error"]["code"]) == (404, "no_such_photo")
