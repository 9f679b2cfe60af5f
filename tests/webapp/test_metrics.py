"""Numbers for Prometheus: right ones, few ones, and nothing in them about anybody."""

import io
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

import vision
from webapp.app import close, create_app

PHOTO = Path(vision.__file__).parent / "samples" / "three-chows.jpg"


def samples(client: FlaskClient) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_requests_are_counted_by_the_pattern_of_their_address(
    client: FlaskClient, hand: dict[str, Any]
) -> None:
    for _ in range(3):
        client.post("/api/v1/score", json=hand)
    client.post("/api/v1/score", json={})
    client.get("/photo/abcdefghij")
    client.get("/hands/of/nobody?name=Anna")
    found = samples(client)

    def requests(method: str, route: str, status: str) -> float:
        return found["fanlens_requests_total", (("method", method), ("route", route), ("status", status))]

    assert requests("POST", "/api/v1/score", "200") == 3
    assert requests("POST", "/api/v1/score", "422") == 1
    assert requests("GET", "/photo/<token>", "200") == 1
    assert requests("GET", "unknown", "404") == 1
    assert found["fanlens_request_seconds_count", (("route", "/api/v1/score"),)] == 4
    text = client.get("/metrics").text
    assert "abcdefghij" not in text
    assert "Anna" not in text


def test_photos_are_counted_by_what_came_of_them(client: FlaskClient) -> None:
    for content in (PHOTO.read_bytes(), b"no photo", b""):
        client.post("/api/v1/recognise", data={"photo": (io.BytesIO(content), "Anna at the table.jpg")})
    found = samples(client)
    outcomes = {
        labels[0][1]: value for (name, labels), value in found.items() if name == "fanlens_photos_total"
    }
    assert outcomes == {"read": 1, "not_a_photo": 1, "empty": 1}
    assert found["fanlens_photos_pending", ()] == 1
    assert found["fanlens_recognition_seconds_count", (("stage", "total"),)] == 1
    assert "Anna" not in client.get("/metrics").text


def test_methods_nobody_knows_make_no_counters_of_their_own(client: FlaskClient) -> None:
    for number in range(5):
        client.open("/", method=f"INVENTED{number}")
    methods = {dict(labels).get("method") for _, labels in samples(client)}
    assert methods - {None, "GET"} == {"other"}


def test_two_applications_count_apart(client: FlaskClient, tmp_path: Path) -> None:
    client.get("/help")
    other: Flask = create_app({"DATABASE": tmp_path / "other.sqlite3"})
    assert not [labels for _, labels in samples(other.test_client()) if ("route", "/help") in labels]
    close(other)
