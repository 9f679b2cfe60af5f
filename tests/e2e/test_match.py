"""A match in the browser: an evening in short, several phones at one table, and a phone without a network."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Route, expect

from scorer import Match
from scorer.match import event_from_json
from tests.e2e.browser import DESKTOP, PHONE, Person
from tests.e2e.conftest import sample

pytestmark = pytest.mark.e2e

NAMES = ("Anna", "Bo", "陈", "Dmitri")


def begin(someone: Person, *, hands: int = 16) -> str:
    """Starts a match and returns the address of its page."""
    someone.open("/matches")
    for seat, name in enumerate(NAMES):
        someone.page.locator("[name=player]").nth(seat).fill(name)
    if hands != 16:
        someone.hit(someone.page.locator("#new-form summary"))
        someone.page.fill("[name=hands]", str(hands))
    someone.hit(someone.page.locator("#new-form > .button"))
    someone.page.wait_for_url("**/match/*")
    shown(someone, played=0)
    return someone.page.url


def shown(someone: Person, played: int) -> None:
    """Waits until the score sheet shows so many hands."""
    expect(someone.page.locator("#rows [data-hand]")).to_have_count(played)


def totals(someone: Person) -> list[int]:
    """What the table shows for each player, in the order drawn."""
    found = {}
    for seat in someone.page.locator("#table .seat").all():
        text = (seat.locator(".total").text_content() or "").replace("−", "-")
        found[int(seat.get_attribute("data-player") or -1)] = int(text)
    return [found[player] for player in range(4)]


def state(someone: Person, served: tuple[str, Any]) -> Any:
    key = someone.page.url.split("/match/")[1].split("/")[0]
    found = served[1].extensions["ledger"].matches.find(key)
    assert found is not None
    return found[0]


def draw(someone: Person) -> None:
    someone.tap('#actions [data-action="draw"]')
    someone.tap("dialog [data-save]")


def confirm_hand(someone: Person, winner: int, source: int) -> None:
    """Says who won and from whom (0: self-drawn) on the page of a hand, and saves."""
    someone.tap(someone.page.locator("[data-condition=winner]").nth(winner))
    someone.tap(someone.page.locator("[data-condition=from]").nth(source))
    expect(someone.page.locator("#bar-total")).to_contain_text(NAMES[winner])
    someone.tap("#save")
    someone.page.wait_for_url("**/match/*")


def open_for_correction(someone: Person, hand: int) -> None:
    """Opens a hand of the score sheet, and its page to correct it."""
    someone.tap(f'#rows [data-hand="{hand}"] button')
    someone.page.wait_for_url("**/entry/*")
    someone.tap(".button.primary")
    someone.page.wait_for_url("**/hand?match=*")
    expect(someone.page.locator("[data-condition=winner]")).to_have_count(4)
    expect(someone.page.locator("#board .tile").first).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_an_evening_in_short(
    new_person: Callable[..., Person], served: tuple[str, Any], size: tuple[int, int]
) -> None:
    someone = new_person(size)
    address = begin(someone)

    before = someone.taps
    draw(someone)
    shown(someone, 1)
    assert someone.taps - before == 2

    before = someone.taps
    someone.tap('#actions [data-action="penalty"]')
    someone.tap(someone.page.locator("dialog fieldset").first.locator("button").nth(2))
    someone.tap("dialog [data-save]")
    expect(someone.page.locator("#rows [data-charge]")).to_have_count(1)
    assert someone.taps - before <= 4

    # A photographed hand: the sample is a self-drawn win of 陈, who deals the third hand.
    draw(someone)
    shown(someone, 2)
    before = someone.taps
    someone.page.set_input_files("#camera", sample("dragons")[0])
    someone.page.wait_for_url("**/photo/*", timeout=60_000)
    someone.wait_until_drawn()
    confirm_hand(someone, winner=2, source=0)
    shown(someone, 3)
    assert someone.taps - before <= 4
    assert someone.page.locator('#rows [data-hand="3"] td.won').count() == 1

    # Hand 3 was Bo's, from Anna: it is corrected in place.
    open_for_correction(someone, hand=3)
    confirm_hand(someone, winner=1, source=1)
    shown(someone, 3)
    expect(someone.page.locator('#rows [data-hand="3"] .mark')).to_be_visible()

    stored = state(someone, served)
    match = stored.match
    assert [len(entry.versions) for entry in match.entries] == [1, 1, 1, 2]
    assert totals(someone) == list(match.totals)
    again = Match(tuple(event_from_json(one.to_json()["event"]) for one in stored.events))
    assert again.totals == match.totals
    assert sum(match.totals) == 0

    # Undo takes back the correction, and then nothing is left marked.
    someone.tap('#actions [data-action="undo"]')
    expect(someone.page.locator('#rows [data-hand="3"] .mark')).to_have_count(0)
    assert someone.page.url == address


def test_other_phones_see_it_and_nothing_is_overwritten(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    keeper, other, watcher = new_person(), new_person(), new_person()
    begin(keeper)
    stored = state(keeper, served)
    other.open(f"/match/{stored.enter_key}")
    watcher.open(f"/match/{stored.look_key}")
    shown(watcher, 0)
    expect(watcher.page.locator("#actions *")).to_have_count(0)
    shown(other, 0)

    # Both enter before either has heard of the other.
    def no_news(route: Route) -> None:
        route.abort() if route.request.method == "GET" else route.continue_()

    other.page.route("**/api/v1/matches/*", no_news)
    draw(keeper)
    shown(keeper, 1)
    expect(watcher.page.locator("#rows [data-hand]")).to_have_count(1, timeout=3_000)
    other.tap('#actions [data-action="draw"]')
    other.tap("dialog .button:not([data-save]) >> nth=0")
    expect(other.page.locator("#toast")).to_contain_text("Somebody else entered something first")
    shown(other, 1)
    assert len(state(keeper, served).events) == 1
    other.tap("#toast button")
    shown(other, 2)
    assert [one.event.timed_out for one in state(keeper, served).events] == [False, True]


def test_a_phone_without_a_network_keeps_its_entries(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    someone = new_person()
    begin(someone)
    someone.page.context.set_offline(True)
    draw(someone)
    expect(someone.page.locator("#waiting")).to_contain_text("1 entry")
    draw(someone)
    expect(someone.page.locator("#waiting")).to_contain_text("2 entries")
    assert len(state(someone, served).events) == 0
    someone.page.context.set_offline(False)
    shown(someone, 2)
    expect(someone.page.locator("#waiting")).to_be_hidden()
    assert len(state(someone, served).events) == 2


def test_the_end_of_a_match(new_person: Callable[..., Person]) -> None:
    someone = new_person()
    begin(someone, hands=1)
    # In the last hand the page says what everybody needs once somebody is ahead.
    someone.tap('#actions [data-action="points"]')
    fields = someone.page.locator("dialog fieldset")
    someone.tap(fields.nth(0).locator("button").nth(1))
    someone.tap(fields.nth(1).locator('[data-value="0"]'))
    assert fields.nth(1).locator('[data-value="1"]').is_disabled()
    assert someone.page.locator("dialog [data-save]").is_disabled()
    someone.page.fill("dialog input[type=number]", "30")
    someone.tap("dialog [data-save]")
    expect(someone.page.locator("#end")).to_be_visible()
    rows = someone.page.locator("#end tbody tr").all_text_contents()
    assert [re.sub(r"\s+", "", row) for row in rows] == ["1Bo+544", "2陈−81.50", "2Dmitri−81.50", "4Anna−380"]
    expect(someone.page.locator("#end")).to_contain_text("Best hand: Bo, 30 points in hand 1")
    assert someone.page.locator("#actions label").count() == 0


@pytest.mark.parametrize(("size", "locale"), [(PHONE, "en-GB"), (PHONE, "zh-CN"), (DESKTOP, "en-GB")])
def test_accessible_and_never_wider_than_the_screen(
    new_person: Callable[..., Person], size: tuple[int, int], locale: str
) -> None:
    someone = new_person(size, locale=locale)
    begin(someone)
    for action in range(4):
        someone.tap(someone.page.locator("#actions button:not(.primary)").nth(1))
        someone.tap("dialog [data-save]")
        shown(someone, action + 1)
    expect(someone.page.locator(".seats-change")).to_be_visible()
    someone.tap(someone.page.locator("#actions button").nth(2))
    for address in (None, "/matches"):
        if address:
            someone.open(address)
            expect(someone.page.locator("#matches li").first).to_be_visible()
        found = Axe().run(someone.page)
        assert found.violations_count == 0, found.generate_report()
        width = someone.page.evaluate("document.documentElement.scrollWidth")
        assert width <= size[0]
