"""Profile files that the server was started with: offered, scored by, and shown with their own minimum everywhere."""

import html
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from scorer import PROFILES, HandError, parse_profile, profile_named
from tests.webapp.drafts import draft
from webapp.app import close, create_app
from webapp.commands import serve

CLUB = """name = "club"
title = "Our club"
minimum = 6

[points]
"门前清" = 3
"""
LOW = draft("123m456p123s55p78p", (), "9p")  # 6 points by the book: 门前清 2, 平和 2, 喜相逢 1, 连六 1


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = create_app({"DATABASE": tmp_path / "ledger.sqlite3", "PROFILES": (parse_profile(CLUB),)})
    yield app
    close(app)


def assess(client: FlaskClient, **conditions: Any) -> dict[str, Any]:
    body = {"draft": LOW, **conditions}
    told: dict[str, Any] = client.post("/api/v1/assess", json=body, headers={"Accept-Language": "en"}).json
    return told


def test_page_offers_the_profile_by_its_title(client: FlaskClient) -> None:
    offered = next(one for one in assess(client)["controls"]["choices"] if one["name"] == "profile")
    labels = {option["value"]: option["label"] for option in offered["options"]}
    assert list(labels) == [*PROFILES, "club"]
    assert labels["club"] == "Our club"


def test_scored_by_its_values_with_its_minimum(client: FlaskClient) -> None:
    book, club = assess(client), assess(client, profile="club")
    assert club["score"]["profile"] == "club"
    assert club["score"]["total"] == book["score"]["total"] + 1
    assert " of 8 points" in book["verdict"]["text"]
    assert "6 points" in club["verdict"]["text"]
    assert (book["under_minimum"], club["under_minimum"]) == ("under 8", "under 6")


def test_confirmed_and_opened_again(client: FlaskClient) -> None:
    hand = assess(client, profile="club", self_drawn=True)["draft"]["hand"]
    entry = client.post("/api/v1/hands", json=hand)
    assert entry.status_code == 201, entry.json
    assert entry.json["score"]["profile"] == "club"
    assert '"profile": "club"' in html.unescape(client.get(f"/hands/{entry.json['id']}").text)


def test_refused_below_its_own_minimum(client: FlaskClient) -> None:
    hand = {"concealed": ["3m", "4m", "5m", "7s", "8s", "1p", "1p"], "winning_tile": "9s", "discarder": "S"}
    hand["melds"] = [{"kind": "chow", "tiles": ["5s", "6s", "7s"]}, {"kind": "pung", "tiles": ["5z"] * 3}]
    answer = client.post("/api/v1/settle", json=hand | {"profile": "club"}, headers={"Accept-Language": "en"})
    assert (answer.status_code, answer.json["error"]["code"]) == (422, "below_minimum")
    assert "6 points" in answer.json["error"]["message"]


def test_fans_are_listed_with_its_values(client: FlaskClient) -> None:
    listed = client.get("/api/v1/fans?profile=club").json
    assert listed["profile"] == "club"
    assert next(fan for fan in listed["fans"] if fan["name"] == "门前清")["points"] == 3
    assert "Our club" in client.get("/fans?profile=club").text


def test_is_described(client: FlaskClient) -> None:
    schemas = client.get("/api/v1/openapi.json").json["components"]["schemas"]
    assert schemas["Profile"]["enum"] == sorted([*PROFILES, "club"])


def test_files_are_not_read_for_a_request(client: FlaskClient, tmp_path: Path) -> None:
    file = tmp_path / "other.toml"
    file.write_text(CLUB.replace("club", "other"), encoding="utf-8")
    for name in (str(file), "other", 7, None, ["club"]):
        answer = assess(client, profile=name)
        assert answer["problem"]["code"] == "unknown_profile"


def test_two_profiles_of_one_name_are_refused(tmp_path: Path) -> None:
    twice = (parse_profile(CLUB), parse_profile(CLUB))
    for profiles in (twice, (profile_named("platform"),)):
        with pytest.raises(HandError, match="two profiles are called"):
            create_app({"DATABASE": tmp_path / "x.sqlite3", "PROFILES": profiles})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read"),
        ("minimum = -1", "line 1: minimum must be"),
        ("name = 'platform'", "built-in"),
    ],
)
def test_serve_says_what_is_wrong_with_a_file(tmp_path: Path, content: str | None, said: str) -> None:
    file = tmp_path / "club.toml"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    result = CliRunner().invoke(serve, ["--profile", str(file), "--database", str(tmp_path / "x.sqlite3")])
    assert result.exit_code == 1
    assert said in result.output
