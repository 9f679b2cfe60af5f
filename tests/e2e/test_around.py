"""Around the hand: languages, the ledger, the list of fans, links, and the page without a network."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import DESKTOP, PHONE, Person
from tests.e2e.test_typed import engine, faces

pytestmark = pytest.mark.e2e


def test_language_switches_in_place(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.read_notation("123456789m12sCC3s")
    expect(page.locator(".fanrow").first).to_contain_text("Pure Straight")
    someone.hit(page.locator(".languages summary"))
    someone.hit(page.locator('.languages [value="zh-Hans"]'))
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    assert page.url.endswith("/hand")
    expect(page.locator(".fanrow b").first).to_have_text("清龙")
    assert page.locator('#board [data-face="3m"]').get_attribute("aria-label") == "三万"
    expect(page.locator("#verdict")).to_contain_text("已达 8 分")
    assert someone.total() == 21
    for tag, words in (("zh-Hant", "已達 8 分"), ("en", "Legal win")):
        someone.hit(page.locator(".languages summary"))
        someone.hit(page.locator(f'.languages [value="{tag}"]'))
        expect(page.locator("#verdict")).to_contain_text(words)


def test_browser_language_is_chosen(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE, locale="zh-CN")
    someone.open("/hand")
    expect(someone.page.locator("#sheet h2")).to_contain_text("加牌")


def test_confirmed_hand_is_listed_removed_and_brought_back(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.read_notation("123456789m12sCC3s")
    before = len(served[1].extensions["ledger"].entries(10**6))
    # Before anybody said who won, the button asks instead of saving.
    expect(page.locator("#bar-note")).to_have_text("2 questions open")
    someone.tap("#save")
    expect(page.locator("#toast")).to_contain_text("Who won?")
    assert page.evaluate("document.activeElement.dataset.condition") == "winner"
    someone.tap('[data-condition="winner"][data-value="E"]')
    expect(page.locator("#bar-note")).to_have_text("1 question open")
    someone.tap("#save")
    expect(page.locator("#toast")).to_contain_text("From whom?")
    assert len(served[1].extensions["ledger"].entries(10**6)) == before
    someone.tap('[data-condition="from"][data-value="S"]')
    someone.tap('[data-condition="prevalent_wind"][data-value="S"]')
    someone.hit(page.locator("#save"))
    page.wait_for_url("**/hands#hand-*")
    row = page.locator(".ledger [data-hand]").first
    expect(row).to_contain_text("Pure Straight")
    expect(row).to_contain_text("+45")
    someone.tap(row.locator(".remove"))
    expect(row).to_be_hidden()
    assert len(served[1].extensions["ledger"].entries(10**6)) == before
    someone.tap("#toast button")
    expect(row).to_be_visible()
    assert len(served[1].extensions["ledger"].entries(10**6)) == before + 1
    # A confirmed hand is not offered again as a draft, but its prevalent wind is.
    someone.open("/hand")
    assert someone.draft() is None
    south = page.locator('[data-condition="prevalent_wind"][data-value="S"]')
    expect(south).to_have_attribute("aria-pressed", "true")


def test_fans_can_be_searched(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.open("/fans")
    assert page.locator("details.fan:visible").count() == 82
    page.fill("#search", "dragon")
    names = page.locator("details.fan:visible b").all_text_contents()
    assert "Big Three Dragons" in names
    assert all("Dragon" in name for name in names)
    page.fill("#search", "绿一色")
    page.locator("details.fan:visible summary").click()
    expect(page.locator("details.fan:visible p").first).to_be_visible()
    # Its example is drawn and opens as a hand that counts the fan.
    expect(page.locator("details.fan:visible .example .tile")).to_have_count(14)
    someone.hit(page.locator("details.fan:visible .try"))
    page.wait_for_url("**/hand")
    expect(page.locator('.fanrow[data-fan="绿一色"]')).to_be_visible()
    someone.open("/fans")
    page.fill("#search", "88")
    assert page.locator("details.fan:visible").count() == 7


def test_hand_survives_a_scorer_that_cannot_be_reached(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.read_notation("123456789m12sCC3s")
    page.context.set_offline(True)
    someone.tap('[data-condition="from"][data-value="self_drawn"]')
    expect(page.locator("#problem")).to_have_attribute("data-code", "offline")
    # Once the network is back the page asks again by itself.
    page.context.set_offline(False)
    expect(page.locator("#total")).to_be_visible()
    assert someone.total() == engine("123456789m12sCC3s|EE1000")


def test_link_reopens_the_hand_elsewhere(new_person: Callable[..., Person]) -> None:
    someone = new_person(DESKTOP)
    someone.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    someone.read_notation("EEE234567p9s[NNN]9s|SN1010|2")
    total = someone.total()
    someone.tap('[data-key="link"]')
    expect(someone.page.locator("#toast")).to_contain_text("Copied")
    link = someone.page.evaluate("() => navigator.clipboard.readText()")
    assert link.startswith(f"{someone.address}/hand?h=")
    other = new_person(PHONE)
    other.open(link.removeprefix(other.address))
    expect(other.page.locator("#total")).to_contain_text(str(total))
    assert other.page.url == f"{other.address}/hand"
    assert other.draft()["conditions"] == someone.draft()["conditions"]
    someone.tap('[data-key="share"]')
    shared = someone.page.evaluate("() => navigator.clipboard.readText()")
    assert shared.startswith(f"{total} points · ")


def test_shell_opens_without_a_network(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.open("/hand")
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.wait_for_function(
        "async () => (await caches.keys()).length === 1 && navigator.serviceWorker.controller"
    )
    page.context.set_offline(True)
    page.goto(f"{someone.address}/fans")
    page.fill("#search", "绿一色")
    assert page.locator("details.fan:visible").count() == 1
    page.goto(f"{someone.address}/hand")
    for face in ("1m", "2m", "3m"):
        someone.tap(f'#sheet [data-face="{face}"]')
    assert faces(someone, "concealed") == ["1m", "2m", "3m"]
    expect(page.locator("#problem")).to_have_attribute("data-code", "offline")
    page.context.set_offline(False)
