"""A match on paper and as a picture: what they say is what `scorer.match` says."""

from __future__ import annotations

import io
from contextlib import closing
from typing import Any

import pypdfium2
import pytest
from flask.testing import FlaskClient
from PIL import Image

from scorer.match import Match, event_from_json, standings
from tests.webapp.test_matches import MATCHES, NAMES, enter
from webapp.match_picture import match_picture

EVENTS = (
    {"kind": "win", "winner": 0, "points": 88, "discarder": 1},
    {"kind": "penalty", "player": 2, "points": 10, "divided": False, "reason": "迟到"},
    {"kind": "draw"},
    {"kind": "false_win", "player": 3, "each": 10},
    {"kind": "win", "winner": 2, "points": 12},
)


def lines_of(pdf: bytes) -> list[str]:
    """The text of a PDF of one page."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        assert len(document) == 1
        page = document[0]
        with closing(page.get_textpage()) as text:
            lines: list[str] = text.get_text_range().splitlines()
        page.close()
        return lines


def begin(client: FlaskClient, names: list[str], title: str = "Friday", hands: int = 16) -> str:
    begun = client.post(MATCHES, json={"players": names, "title": title, "settings": {"hands": hands}}).json
    return str(begun["keys"]["enter"])


@pytest.fixture
def key(client: FlaskClient) -> str:
    key = begin(client, NAMES)
    for after, event in enumerate(EVENTS):
        assert enter(client, key, after, event=event).status_code == 201
    return key


def export(client: FlaskClient, key: str, form: str, language: str = "en") -> Any:
    answer = client.get(f"{MATCHES}/{key}/export.{form}", headers={"Accept-Language": language})
    assert answer.status_code == 200
    return answer


@pytest.mark.parametrize(("language", "total"), [("en", "Total"), ("zh-Hans", "合计"), ("zh-Hant", "合計")])
def test_the_printed_sheet_has_the_totals(client: FlaskClient, key: str, language: str, total: str) -> None:
    answer = export(client, key, "pdf", language)
    assert answer.mimetype == "application/pdf"
    text = " ".join(lines_of(answer.data)).replace("−", "-")
    match = Match(tuple(event_from_json(event) for event in EVENTS))
    sums = " ".join(f"{points:+d}" for points in match.totals)
    assert f"{total} {sums}" in text
    ranks = {one.player: one.rank for one in standings(match.totals)}
    assert " ".join(str(ranks[player]) for player in range(4)) in text
    for word in (*NAMES, "Friday", "迟到", "88"):
        assert word in text


def test_long_names_and_many_penalties_stay_on_one_page(client: FlaskClient) -> None:
    key = begin(client, ["W" * 40, "十" * 40, "🀄🀄 Zoë", "Б" * 40], title="T" * 100, hands=1)
    for after in range(30):
        enter(client, key, after, event={"kind": "penalty", "player": 0, "points": 30, "reason": "x" * 200})
    lines = lines_of(export(client, key, "pdf").data)
    assert sum(line.strip().startswith("Penalty") for line in lines) == 30
    assert any("Zoë" in line for line in lines)


def test_the_picture_to_share(client: FlaskClient, key: str) -> None:
    answer = export(client, key, "png")
    with Image.open(io.BytesIO(answer.data)) as picture:
        assert (picture.format, picture.width) == ("PNG", 1080)
        assert picture.height > 700
        assert len(picture.getcolors(1 << 20) or []) > 20


def test_a_match_without_hands_has_a_picture_too(client: FlaskClient) -> None:
    app = client.application
    key = begin(client, NAMES)
    with app.test_request_context():
        found = app.extensions["ledger"].matches.find(key)
        assert match_picture(found[0]).startswith(b"\x89PNG")
    assert export(client, key, "pdf").data.startswith(b"%PDF")


def test_other_forms_are_refused(client: FlaskClient, key: str) -> None:
    answer = client.get(f"{MATCHES}/{key}/export.docx")
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "no_such_format")


def test_the_link_as_a_qr_code(client: FlaskClient, key: str) -> None:
    answer = client.get(f"/match/{key}/qr.svg")
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert answer.data.startswith(b"<svg")
    assert client.get("/match/xxxxxxxxxxxxxxxxxxxxxx/qr.svg").status_code == 404


def test_an_entry_tells_why(client: FlaskClient, hand: dict[str, Any]) -> None:
    key = begin(client, NAMES)
    enter(client, key, 0, win={"winner": 0, "discarder": 1, "hand": hand})
    page = client.get(f"/match/{key}/entry/1").text
    assert "Pure Straight" in page
    assert "Not counted, and why" in page
