"""The log: one JSON object a request, and nothing in it by which anyone could be known."""

import io
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import vision
from webapp.request_log import JsonLines, to_stderr

PHOTO = Path(vision.__file__).parent / "samples" / "three-chows.jpg"


@pytest.fixture
def lines() -> Iterator[list[dict[str, Any]]]:
    """What is logged, as it would be written."""
    written: list[dict[str, Any]] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(json.loads(JsonLines().format(record)))

    root, level = logging.getLogger(), logging.getLogger("webapp.request_log").level
    before = list(root.handlers)
    to_stderr()
    root.handlers = [Kept()]
    yield written
    root.handlers = before
    logging.getLogger("webapp.request_log").setLevel(level)


def test_a_line_says_what_was_asked_and_what_came_of_it(
    client: FlaskClient, lines: list[dict[str, Any]], hand: dict[str, Any]
) -> None:
    client.post("/api/v1/score", json=hand)
    client.post("/api/v1/score", json=hand | {"concealed": ["1m"]})
    client.get("/photo/SECRETTOKEN")
    assert [(line["event"], line["method"], line["route"], line["status"]) for line in lines] == [
        ("request", "POST", "/api/v1/score", 200),
        ("request", "POST", "/api/v1/score", 422),
        ("request", "GET", "/photo/<token>", 200),
    ]
    assert lines[1]["reason"] == "wrong_tile_count"
    assert all(line["level"] == "info" and line["ms"] >= 0 for line in lines)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", lines[0]["time"])


def test_nothing_personal_is_in_it(
    app: Flask, client: FlaskClient, lines: list[dict[str, Any]], hand: dict[str, Any]
) -> None:
    client.post(
        "/api/v1/recognise",
        data={"photo": (io.BytesIO(PHOTO.read_bytes()), "Anna.jpg")},
        environ_base={"REMOTE_ADDR": "192.168.7.77"},
        headers={"User-Agent": "AnnasPhone"},
    )
    client.post("/api/v1/hands", json=hand | {"discarder": "S", "players": {"E": "Anna"}})
    client.get("/hand?h=123456789m12sCC3s&name=Anna")
    client.delete("/api/v1/tilesets/Anna")
    assert len(lines) == 4
    written = json.dumps(lines)
    for personal in ("Anna", "192.168", "three-chows", "9m", "123456789m"):
        assert personal not in written


def test_a_failure_names_its_kind_and_its_place_only(
    app: Flask, lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("Anna's hand")

    app.config.update(TESTING=False, PROPAGATE_EXCEPTIONS=False)
    monkeypatch.setattr(app.extensions["ledger"], "entries", broken)
    assert app.test_client().get("/hands?name=Anna").status_code == 500
    failure = next(line for line in lines if line["level"] == "error")
    assert (failure["route"], failure["error"]) == ("/hands", "KeyError")
    assert failure["at"][-1].startswith("test_request_log.py:")
    assert "Anna" not in json.dumps(lines)


def test_what_others_log_is_kept_to_their_name(lines: list[dict[str, Any]]) -> None:
    logging.getLogger("waitress").error("Exception while serving %s", "/photo/SECRETTOKEN")
    assert [line["event"] for line in lines] == ["waitress"]
    assert "SECRETTOKEN" not in json.dumps(lines)
