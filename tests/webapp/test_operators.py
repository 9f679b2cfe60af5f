"""What only whoever runs the server may see."""

import pytest
from flask.testing import FlaskClient


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("192.168.1.7", {}, 403),
        ("", {}, 403),
        ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}, 403),
        ("127.0.0.1", {"Via": "1.1 proxy"}, 403),
        ("192.168.1.7", {"Authorization": "Bearer the key"}, 200),
        ("192.168.1.7", {"Authorization": "Bearer another"}, 403),
        ("192.168.1.7", {"Authorization": "Basic dGhlIGtleQ=="}, 403),
        ("192.168.1.7", {"Authorization": "Bearer"}, 403),
    ],
)
def test_metrics_are_for_this_computer_or_the_key(
    client: FlaskClient, address: str, headers: dict[str, str], status: int
) -> None:
    client.application.config["OPERATOR_KEY"] = "the key"
    answer = client.get("/metrics", headers=headers, environ_overrides={"REMOTE_ADDR": address})
    assert answer.status_code == status


def test_no_key_opens_what_has_none(client: FlaskClient) -> None:
    for given in ("Bearer", "Bearer ", "Bearer None"):
        answer = client.get(
            "/metrics", headers={"Authorization": given}, environ_overrides={"REMOTE_ADDR": "192.168.1.7"}
        )
        assert answer.status_code == 403
