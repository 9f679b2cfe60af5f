"""The server with its ledger in PostgreSQL: `fanlens serve --database URL`."""

from __future__ import annotations

import contextlib
import http.client
import json
import ssl
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from click.testing import CliRunner

from tests.webapp.test_live import started
from webapp.cli import main


@pytest.fixture
def url(postgresql: str) -> str:
    with psycopg.connect(postgresql.format("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE served")
    # A password that is not needed, and that nobody may print.
    return postgresql.format("served").replace("postgres@", "postgres:secret@")


def post(address: str, authority: Path, path: str, body: Any) -> Any:
    parts = urlsplit(address)
    trusting = ssl.create_default_context(cafile=authority)
    connection = http.client.HTTPSConnection(parts.hostname or "", parts.port, context=trusting, timeout=60)
    with contextlib.closing(connection):
        connection.request("POST", f"/api/v1/{path}", json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 201
        return json.load(answer)


def test_a_match_is_kept_in_postgresql(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    names = ["Anna", "Bo", "陈", "Dmitri"]
    with started("--https", "--database", url) as (_, address, output):
        # The certificate lies in the application folder.
        (authority,) = tmp_path.rglob("fanlens-authority.pem")
        begun = post(address, authority, "matches", {"players": names})
        draw = {"after": 0, "event": {"kind": "draw"}}
        post(address, authority, f"matches/{begun['keys']['enter']}/entries", draw)
    assert "secret" not in output
    assert "kept in postgresql://postgres:***@/served" in output
    # Nothing in the file system is named after the URL.
    assert not Path("postgresql:").exists()
    listed = CliRunner().invoke(main, ["ledger", "list", "--json", "--database", url])
    assert listed.exit_code == 0, listed.output
    assert json.loads(listed.output)["totals"] == dict.fromkeys(names, 0)
