"""Everything is within reach: Back, the unfinished hand, the keyboard, landscape, tablets, and the start page."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.e2e.browser import DESKTOP, PHONE, Json, Person
from tests.e2e.conftest import laid_out
from tests.e2e.test_typed import faces

pytestmark = pytest.mark.e2e
LANDSCAPE = pytest.mark.parametrize("size", [(740, 360), (844, 390)], ids=str)


def box(someone: Person, target: str) -> Json:
    found = someone.page.locator(target).first.bounding_box()
    assert found
    return dict(found)


def test_back_closes_the_sheet_first(new_person: Callable[..., Person], served: tuple[str, Any]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.open("/")
    address = laid_out(served, "dragons")
    someone.open(address)
    someone.tap("#board .concealed .tile >> nth=0")
    expect(page.locator("#sheet")).to_be_visible()
    page.go_back()
    expect(page.locator("#sheet")).to_be_hidden()
    assert page.url.endswith(address)
    # Closed by its own button, the sheet costs no second Back.
    someone.tap("#board .concealed .tile >> nth=1")
    someone.tap('[data-key="close"]')
    someone.hit(page.locator("#bar a"))
    page.go_back()
    page.go_back()
    page.wait_for_url(f"{someone.address}/")


def test_back_closes_the_keyboard_of_tiles(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.open("/")
    someone.hit(someone.page.locator('a[href="/hand"]'))
    someone.page.wait_for_url("**/hand")
    someone.tap('#sheet [data-face="1m"]')
    someone.page.go_back()
    expect(someone.page.locator("#sheet")).to_be_hidden()
    assert faces(someone, "concealed") == ["1m"]


def test_the_start_page_offers_the_unfinished_hand(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.open("/")
    expect(page.locator("#unfinished")).to_be_hidden()
    someone.open("/hand")
    someone.type("123456789m12s55z")
    # In a new window, after this one was closed.
    other = Person(page.context.new_page(), someone.address, touch=True)
    page.close()
    other.open("/")
    expect(other.page.locator("#unfinished")).to_have_text("Continue the unfinished hand: 13 tiles")
    other.hit(other.page.locator("#unfinished"))
    other.page.wait_for_url("**/hand?continue")
    other.wait_until_drawn()
    assert len(faces(other, "concealed")) == 13
    other.type("3s")
    other.press("Escape")
    other.won("E", "S")
    other.confirm()
    # Confirmed, it is finished.
    other.open("/")
    expect(other.page.locator("#unfinished")).to_be_hidden()


def test_confirm_is_near_for_the_keyboard(new_person: Callable[..., Person]) -> None:
    someone = new_person(DESKTOP)
    page = someone.page
    someone.read_notation("123456789m12sCC3s|EE1000")
    page.evaluate("document.activeElement.blur()")
    page.reload()
    someone.wait_until_drawn()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to Confirm")
    page.keyboard.press("Enter")
    expect(page.locator("#save")).to_be_focused()
    # Ctrl+Enter leads to the open question, and confirms once there is none.
    someone.read_notation("123456789m12sCC3s")
    someone.press("Control+Enter")
    assert page.evaluate("document.activeElement.dataset.condition") == "winner"
    someone.won("E", "S")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/hands#hand-*")


def test_names_of_buttons_contain_what_they_show(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    someone = new_person(PHONE)
    rule = {"runOnly": ["label-content-name-mismatch"], "resultTypes": ["violations", "passes"]}

    def wrong() -> list[Any]:
        found = Axe().run(someone.page, options=rule | {"rules": {rule["runOnly"][0]: {"enabled": True}}})
        return [node["html"] for fault in found.response["violations"] for node in fault["nodes"]]

    someone.open("/hand")
    expect(someone.page.locator('[data-key="close"]')).to_have_text("Done")
    expect(someone.page.get_by_role("button", name="Done", exact=True)).to_be_visible()
    assert wrong() == []
    someone.open(laid_out(served, "dragons"))
    assert wrong() == []
    someone.tap("#board .concealed .tile >> nth=0")
    assert wrong() == []
    someone.open("/")
    assert wrong() == []


@LANDSCAPE
def test_a_phone_held_sideways(
    new_person: Callable[..., Person], served: tuple[str, Any], size: tuple[int, int]
) -> None:
    someone = new_person(size)
    page = someone.page
    someone.open("/")
    camera = box(someone, 'label[for="camera"]')
    assert camera["y"] + camera["height"] <= size[1]
    someone.open(laid_out(served, "dragons"))
    someone.tap("#board .concealed .tile >> nth=0")
    keys = page.locator("#sheet .keypad .tile").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])"
    )
    assert len(keys) == 42
    assert all(top >= 0 and bottom <= size[1] for top, bottom in keys)
    last = box(someone, "#sheet .actions .action:last-child")
    assert last["y"] + last["height"] <= size[1]


@pytest.mark.parametrize("size", [(768, 1024), DESKTOP], ids=str)
def test_wide_screens_have_two_columns_and_no_empty_half(
    new_person: Callable[..., Person], served: tuple[str, Any], size: tuple[int, int]
) -> None:
    someone = new_person(size)
    someone.open(laid_out(served, "dragons"))
    someone.won("E", "S")
    board, conditions, score = (box(someone, f"#{name}") for name in ("board", "conditions", "score"))
    assert score["x"] > board["x"] + board["width"] - 1
    # How it was won stands below the hand, beside the score.
    assert conditions["x"] == board["x"]
    assert conditions["y"] >= board["y"] + board["height"] - 1
    payments = box(someone, ".payments")
    assert payments["y"] + payments["height"] <= size[1]


def test_payments_come_before_the_fans(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.read_notation("123456789m12sCC3s")
    someone.won("E", "S")
    payments, fans = box(someone, ".payments"), box(someone, "#score .fans")
    assert payments["y"] < fans["y"]
    assert payments["y"] - box(someone, "#total")["y"] < 160


def test_the_start_page_teaches_and_has_a_sample(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.open("/")
    drawing = page.get_by_role("img", name="How to lay the tiles")
    expect(drawing).to_be_visible()
    assert drawing.locator("use").count() == 10 + 1 + 3 + 2
    words = drawing.locator("text").all_text_contents()
    assert words == ["Concealed tiles", "Winning tile", "Melds", "Flowers"]
    someone.hit(page.locator("#sample"))
    page.wait_for_url("**/photo/*", timeout=60_000)
    someone.wait_until_drawn()
    assert len(faces(someone, "meld")) >= 3


def test_a_slow_upload_is_told_in_words(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.open("/")
    page.evaluate(
        """() => {
            window.said = [];
            const stage = document.getElementById("stage");
            new MutationObserver(() => window.said.push(stage.textContent)).observe(stage, { childList: true });
        }"""
    )
    network = page.context.new_cdp_session(page)
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 50, "downloadThroughput": 400_000, "uploadThroughput": 120_000},
    )
    with page.expect_request("**/api/v1/recognise"):
        someone.hit(page.locator("#sample"))
    page.wait_for_function("() => window.said.some((text) => text.startsWith('Reading'))", timeout=60_000)
    percents = [int(text.split(":")[1].split("%")[0]) for text in page.evaluate("window.said") if ":" in text]
    assert len(set(percents)) > 2
    assert percents == sorted(percents)
