"""The way of a photo and a short evening in Firefox and in WebKit, the engine of every iPhone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest

from scorer import hand_from_json, score
from scorer.match import Draw, Match, Penalty, Win
from tests.e2e.browser import PHONE
from tests.e2e.conftest import sample
from tests.e2e.engines import Window, firefox, wait_for, webkit
from tests.e2e.evening import NAMES

pytestmark = pytest.mark.e2e
ENGINES: dict[str, Callable[[tuple[int, int]], AbstractContextManager[Window]]] = {
    "firefox": firefox,
    "webkit": webkit,
}


@pytest.fixture(params=ENGINES)
def window(request: pytest.FixtureRequest) -> Iterator[Window]:
    with ENGINES[request.param](PHONE) as opened:
        yield opened


def wait_until_scored(window: Window) -> None:
    wait_for(window, "document.querySelector('body.confirm')?.dataset.busy === 'false'")
    wait_for(window, "document.querySelector('#board .tile')")


def test_a_photo_is_read_scored_and_confirmed(window: Window, served: tuple[str, Any]) -> None:
    address = served[0]
    photo, truth = sample("dragons")
    window.open(f"{address}/")
    # The script offers the live camera once it listens to the file fields.
    wait_for(window, "!document.querySelector('#live-camera').hidden")
    window.choose("#gallery", photo)
    wait_for(window, "location.pathname.startsWith('/photo/')")
    wait_until_scored(window)
    tiles = ", ".join(f"#board .{role} [data-face]" for role in ("concealed", "meld", "winning"))
    faces = window.evaluate(f"[...document.querySelectorAll('{tiles}')].map((one) => one.dataset.face)")
    hand = truth["hand"]
    melded = [face for meld in hand["melds"] for face in meld["tiles"]]
    assert sorted(faces) == sorted([*hand["concealed"], *melded, hand["winning_tile"]])

    # A tile is changed and the change undone.
    before = window.evaluate("document.querySelector('#bar-total').textContent")
    window.click("#board .concealed .tile")
    wait_for(window, "!document.querySelector('#sheet').hidden")
    window.click('#sheet [data-face="9m"]')
    wait_for(window, "document.querySelector('#problem')")
    window.click('[data-key="undo"]')
    wait_for(window, f"document.querySelector('#bar-total').textContent === {json.dumps(before)}")


def test_a_short_evening(window: Window, served: tuple[str, Any]) -> None:
    address = served[0]
    window.open(f"{address}/matches")
    for seat, name in enumerate(NAMES):
        window.evaluate(f"document.querySelectorAll('[name=player]')[{seat}].value = {json.dumps(name)}")
    window.click("#new-form > .button")
    wait_for(window, "location.pathname.startsWith('/match/')")
    wait_for(window, "document.querySelector('[data-action=draw]')")

    match = Match()
    window.click("[data-action=draw]")
    window.click("dialog [data-save]")
    match = shown(window, match.add(Draw()))

    window.click("[data-action=penalty]")
    window.click("dialog fieldset:first-of-type [data-value='2']")
    window.click("dialog [data-save]")
    wait_for(window, "document.querySelector('[data-charge]')")
    match = shown(window, match.add(Penalty(2, 30)))

    photo, truth = sample("all-dots")
    window.choose("#camera", photo)
    wait_for(window, "location.pathname.startsWith('/photo/')")
    wait_until_scored(window)
    window.click("[data-condition=winner]", 3)
    wait_for(window, "document.querySelectorAll('[data-condition=from]').length === 4")
    window.click("[data-condition=from]", 2)
    wait_for(window, f"document.querySelector('#bar-total').textContent.startsWith({json.dumps(NAMES[3])})")
    window.click("#save")
    wait_for(window, "location.pathname.startsWith('/match/')")
    winds = {"seat_wind": match.seats()[3], "prevalent_wind": "E", "self_drawn": False}
    points = score(*hand_from_json(truth["hand"] | winds)).total
    match = shown(window, match.add(Win(3, points, 1)))

    window.click("[data-action=undo]")
    wait_for(window, "document.querySelectorAll('#rows [data-hand]').length === 1")
    assert window.evaluate("document.documentElement.scrollWidth <= innerWidth")


def shown(window: Window, match: Match) -> Match:
    """Waits until the page shows the match as it should be, and returns it."""
    wait_for(window, f"document.querySelectorAll('#rows [data-hand]').length === {match.hands_played}")
    total = (
        "Number(document.querySelector('#table [data-player=\"%d\"] .total').textContent.replace('−', '-'))"
    )
    wait_for(window, " && ".join(f"{total % player} === {match.totals[player]}" for player in range(4)))
    return match
