"""Whatever JSON arrives, the API answers with JSON and never with a server error."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webapp.app import close, create_app

FIELDS = [
    "concealed", "melds", "winning_tile", "self_drawn", "last_tile", "kong", "fourth_tile", "seat_wind",
    "prevalent_wind", "flowers", "discarder", "text", "photos", "opening", "kind", "tiles",
]  # fmt: skip
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(["1m", "9s", "5z", "1f", "back", "E", "S", "pung", "chow", "melded_kong", "123m"])
)
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=14) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=10),
    max_leaves=40,
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    app = create_app({"DATABASE": Path(tmp_path_factory.mktemp("fuzz")) / "ledger.sqlite3"})
    yield app.test_client()
    close(app)


@pytest.mark.parametrize("path", ["/score", "/assess", "/settle", "/waits", "/notation", "/hands"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(body=ANYTHING)
def test_any_json_gets_an_answer(client: FlaskClient, path: str, body: object) -> None:
    answer = client.post(f"/api/v1{path}", json=body)
    assert answer.status_code < 500
    assert answer.is_json
    if answer.status_code >= 400:
        assert {"code", "message"} <= set(answer.json["error"]) <= {"code", "message", "fields"}


@pytest.mark.parametrize("path", ["/score", "/assess", "/hands"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(field=st.sampled_from(FIELDS), value=ANYTHING)
def test_a_good_hand_with_one_field_spoilt(
    client: FlaskClient, good_hand: dict[str, Any], path: str, field: str, value: object
) -> None:
    answer = client.post(f"/api/v1{path}", json=good_hand | {field: value})
    assert answer.status_code < 500
    assert answer.is_json
