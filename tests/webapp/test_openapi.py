"""The OpenAPI document names every path and method of the API, no more and no less, and its examples hold."""

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from vision.photo_formats import MEDIA_TYPES
from webapp.api.openapi import document

METHODS = {"get", "post", "put", "patch", "delete"}


def test_names_every_path_and_method(app: Flask) -> None:
    routed = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule.removeprefix("/api/v1")), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/v1/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {
        (path, method) for path, item in document()["paths"].items() for method in METHODS & item.keys()
    }
    assert described == routed


def test_names_the_media_types_of_photos() -> None:
    body = document()["paths"]["/recognise"]["post"]["requestBody"]["content"]["multipart/form-data"]
    assert body["encoding"]["photo"]["contentType"].split(", ") == list(MEDIA_TYPES)


def test_is_served(client: FlaskClient) -> None:
    served = client.get("/api/v1/openapi.json")
    assert served.status_code == 200
    assert served.json == document()


def references(node: object) -> set[str]:
    if isinstance(node, dict):
        found = {node["$ref"]} if "$ref" in node else set()
        return found.union(*map(references, node.values()))
    if isinstance(node, list):
        return set().union(*map(references, node))
    return set()


def test_every_reference_leads_somewhere() -> None:
    described = document()
    for reference in references(described):
        node: Any = described
        for step in reference.removeprefix("#/").split("/"):
            node = node[step]


def test_success_is_the_status_described(client: FlaskClient, hand: dict[str, Any]) -> None:
    paths = document()["paths"]
    for path in ("/score", "/assess", "/settle", "/hands"):
        answer = client.post(f"/api/v1{path}", json=hand | {"discarder": "S"})
        assert str(answer.status_code) in paths[path]["post"]["responses"], path
    assert set(hand) <= set(document()["components"]["schemas"]["Hand"]["properties"])


def test_describes_every_field_of_an_entry(client: FlaskClient, hand: dict[str, Any]) -> None:
    entry = client.post("/api/v1/hands", json=hand | {"discarder": "S"}).json
    described = document()["components"]["schemas"]["Entry"]
    assert list(described["properties"]) == described["required"] == list(entry)


@pytest.mark.parametrize("schema", ["HandToConfirm", "HandToCorrect"])
def test_a_value_that_a_field_does_not_allow_is_refused(
    schema: str, client: FlaskClient, hand: dict[str, Any]
) -> None:
    described = document()["components"]
    written = client.post("/api/v1/hands", json=hand | {"discarder": "S"}).json
    assert written is not None
    for name, rule in described["schemas"][schema]["properties"].items():
        checker = Draft202012Validator(rule | {"components": described})
        for value in ("!", 0, 1.5, True, ["!"], {"!": 1}):
            if checker.is_valid(value):
                continue
            body = hand | {"discarder": "S", name: value}
            if schema == "HandToConfirm":
                answer = client.post("/api/v1/hands", json=body)
            else:
                answer = client.put(f"/api/v1/hands/{written['id']}", json=body)
            assert answer.status_code in (400, 422), f"{name}: {value!r} was answered {answer.status_code}"
