"""Schemathesis holds the real application to its OpenAPI document: with what the document allows, with what it does
not, and with whatever comes to mind beside.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

import vision
from tests.webapp.test_openapi import METHODS
from webapp.api.openapi import document
from webapp.app import close, create_app

SAMPLES = Path(vision.__file__).parent / "samples"
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]
EXAMPLES, FORMS = 40, 8  # a form takes schemathesis long to think up
# In the process itself nothing unpacks an answer on its way.
PLAIN = {"Accept-Encoding": "identity"}


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The document as the running application serves it."""
    app = create_app({"DATABASE": Path(tmp_path_factory.mktemp("schema")) / "ledger.sqlite3"})
    yield schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    close(app)


OPERATIONS = [
    (path, method) for path, item in document()["paths"].items() for method in sorted(METHODS & item.keys())
]
BY_NAME = pytest.mark.parametrize(("path", "method"), OPERATIONS, ids=lambda word: word)


@BY_NAME
def test_answers_are_as_described(described: Any, path: str, method: str) -> None:
    operation = described[path][method]
    allowed = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    refused = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)

    # Not through schemathesis's own plugin, which this pytest is too new for.
    @settings(
        max_examples=FORMS if path in ("/recognise", "/look") else EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=allowed | refused if takes_anything(operation) else allowed)
    def attack(case: Any) -> None:
        case.call_and_validate(checks=CHECKS, headers=PLAIN)

    attack()


def takes_anything(operation: Any) -> bool:
    return bool(list(operation.iter_parameters())) or bool(list(operation.body))


@BY_NAME
def test_examples_of_the_document_are_accepted(described: Any, path: str, method: str) -> None:
    if path == "/recognise":
        case = described[path][method].Case(
            body={"photo": (SAMPLES / "three-chows.jpg").read_bytes()}, media_type="multipart/form-data"
        )
        answer = case.call(headers=PLAIN)
        assert answer.status_code == 201
        case.validate_response(answer, checks=CHECKS[:-2])
    body = document()["paths"][path][method].get("requestBody", {"content": {}})["content"]
    for media in body.values():
        if "example" in media:
            case = described[path][method].Case(body=media["example"], media_type="application/json")
            answer = case.call(headers=PLAIN)
            assert answer.status_code in {200, 201}
            case.validate_response(answer, checks=CHECKS[:-2])
