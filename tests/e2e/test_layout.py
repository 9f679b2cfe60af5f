"""Every page at every size: nothing sticks out, targets are large enough, images have names."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from scorer import PROFILES
from tests.e2e.browser import Json, Person
from tests.e2e.conftest import laid_out, sample

pytestmark = pytest.mark.e2e
PAGES = ["/", "/hand", "/hands", "/fans", "/help", "/nothing"]
SMALL_TARGETS = """() => [...document.querySelectorAll('a, button, input, summary, label.button')]
    .filter((one) => !one.matches('.unseen, [type=hidden]'))
    .filter((one) => one.checkVisibility() && !one.closest('.skip') && !one.disabled)
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([one, box]) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))
    .map(([one, box]) => `${one.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)"""
UNNAMED = """() => [...document.querySelectorAll('a, button, input:not([type=hidden])')]
    .filter((one) => one.checkVisibility())
    .filter((one) => !one.textContent.trim() && !one.getAttribute('aria-label'))
    .filter((one) => !(one.labels && one.labels.length))
    .map((one) => one.outerHTML.slice(0, 90))"""

SPILLED = """() => [...document.querySelectorAll('#conditions button')].filter((button) => {
    const range = document.createRange();
    range.selectNodeContents(button);
    const [text, frame] = [range.getBoundingClientRect(), button.getBoundingClientRect()];
    return text.left < frame.left + 1 || text.right > frame.right - 1
        || text.top < frame.top || text.bottom > frame.bottom;
}).map((button) => button.textContent)"""


def with_rivals(name: str) -> list[Json]:
    """The tiles of a sample photo, each with as many rival faces as the page shows at most."""
    rivals = [["9p", 0.1], ["8p", 0.09], ["9m", 0.08], ["8m", 0.07]]
    return [tile | {"confidence": 0.6, "alternatives": rivals} for tile in sample(name)[1]["tiles"]]


def check(someone: Person, where: str) -> None:
    page = someone.page
    width = page.viewport_size["width"] if page.viewport_size else 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width, where
    assert page.evaluate(SMALL_TARGETS) == [], where
    assert page.evaluate(UNNAMED) == [], where


@pytest.mark.parametrize(
    "size", [(320, 640), (360, 740), (740, 360), (768, 1024), (1280, 800), (1920, 1080)], ids=str
)
def test_pages_fit(new_person: Callable[..., Person], size: tuple[int, int]) -> None:
    someone = new_person(size)
    for path in PAGES:
        someone.open(path)
        check(someone, f"{path} at {size}")
    someone.read_notation("[1111m]234567p9s[NNN]9s|EE0000|3")
    check(someone, f"hand at {size}")
    someone.tap("#board .concealed .tile >> nth=0")
    check(someone, f"sheet at {size}")


@pytest.mark.parametrize("size", [(320, 640), (1280, 800)], ids=str)
def test_photo_page_fits(
    new_person: Callable[..., Person], served: tuple[str, Any], size: tuple[int, int]
) -> None:
    someone = new_person(size)
    someone.open(laid_out(served, "three-chows"))
    check(someone, f"photo at {size}")
    someone.tap("#board .concealed .tile >> nth=0")
    expect(someone.page.locator("#sheet")).to_be_visible()
    check(someone, f"photo with sheet at {size}")
    sheet, tile = (
        someone.page.locator("#sheet").bounding_box(),
        someone.page.locator("#board .tile.selected").bounding_box(),
    )
    assert sheet
    assert tile
    covered = tile["y"] + tile["height"] > sheet["y"] and tile["x"] < sheet["x"] + sheet["width"]
    assert not covered, "the sheet hides the tile it is about"


def test_the_sheet_of_a_doubtful_tile_fits_a_small_phone(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    # Four rivals are wider than the screen: they scroll, and the sheet does not.
    someone = new_person((320, 568))
    page = someone.page
    someone.open(laid_out(served, "three-chows", tiles=with_rivals("three-chows")))
    someone.tap("#board .concealed .tile >> nth=0")
    expect(page.locator("#sheet .choice")).to_have_count(5)
    sheet = page.locator("#sheet")
    assert sheet.evaluate("(sheet) => sheet.scrollWidth") == sheet.evaluate("(sheet) => sheet.clientWidth")
    close = page.locator('#sheet [data-key="close"]').bounding_box()
    assert close
    assert 0 <= close["x"] < close["x"] + close["width"] <= 320
    assert 0 <= close["y"] < close["y"] + close["height"] <= 568
    check(someone, "sheet with rivals")


@pytest.mark.parametrize("width", [320, 340, 360, 412])
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_words_stay_inside_their_buttons(new_person: Callable[..., Person], width: int, locale: str) -> None:
    someone = new_person((width, 640), locale=locale)
    someone.read_notation("[1111m]234567p9s[NNN]9s|EE0000|3")
    someone.tap('[data-condition="profile"][data-value="platform"]')
    buttons = someone.page.locator("#conditions button")
    # All choices there are: who won, from whom, prevalent wind, rules, opening wins, three switches.
    assert buttons.count() == 4 + 4 + 4 + len(PROFILES) + 4 + 3
    assert someone.page.evaluate(SPILLED) == []
