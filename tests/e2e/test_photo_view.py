"""The photo on the page: zoom, the whole photo, a second photo, a phone that is turned."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.e2e.browser import DESKTOP, PHONE, Person
from tests.e2e.conftest import laid_out, sample

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
pytestmark = pytest.mark.e2e


def test_photo_zooms(new_person: Callable[..., Person], served: tuple[str, Any]) -> None:
    someone = new_person(DESKTOP)
    someone.open(laid_out(served, "three-chows"))
    canvas = someone.page.locator("#photo svg.canvas")

    def width() -> float:
        return float((canvas.get_attribute("viewBox") or "").split()[2])

    fitted = width()
    someone.tap('#photo button[aria-label="Zoom in"]')
    assert width() < fitted
    someone.tap("#photo .fit")
    assert width() == pytest.approx(fitted)
    someone.tap("#photo .fit")
    assert width() == 1600


@SIZES
def test_whole_photo_of_a_portrait_is_tall(
    new_person: Callable[..., Person], served: tuple[str, Any], size: tuple[int, int]
) -> None:
    tall = Image.new("RGB", (1600, 2400), "seagreen")
    with Image.open(sample("three-chows")[0]) as image:
        tall.paste(image)
    file = io.BytesIO()
    tall.save(file, "JPEG")
    someone = new_person(size)
    someone.open(laid_out(served, "three-chows", photo=file.getvalue(), height=2400))
    canvas = someone.page.locator("#photo svg.canvas")

    def shown() -> tuple[str | None, float]:
        return canvas.get_attribute("viewBox"), canvas.evaluate("(one) => one.clientHeight")

    fitted = shown()
    assert fitted[1] <= 0.47 * size[1]
    someone.tap("#photo .fit")
    expect(someone.page.locator("#photo .fit")).to_have_text("Zoom to the tiles")
    whole = shown()
    assert whole[0] == "0 0 1600 2400"
    assert whole[1] == pytest.approx(0.6 * size[1], abs=1)
    someone.tap("#photo .fit")
    assert shown() == fitted


def test_second_photo_adds_to_the_first(new_person: Callable[..., Person]) -> None:
    first, _ = sample("three-chows")
    someone = new_person(PHONE)
    someone.send_photo(first)
    before = someone.draft()
    someone.page.set_input_files("#another", sample("dragons")[0])
    expect(someone.page.locator("#another-photo")).to_be_visible(timeout=30_000)
    someone.tap('[data-key="photo-add"]')
    expect(someone.page.locator("#toast")).to_contain_text("found")
    after = someone.draft()
    assert len(after["photos"]) == 2
    assert after["tiles"][: len(before["tiles"])] == before["tiles"]
    added = after["tiles"][len(before["tiles"]) :]
    assert added
    assert all(one["photo"] == 1 for one in added)
    assert len([one for one in after["tiles"] if one["role"] == "winning"]) == 1
    expect(someone.page.locator('[data-key="photo-1"]')).to_have_attribute("aria-pressed", "true")
    # A tile of the first photo brings that photo back; reload keeps both; undo takes the second away.
    someone.tap(f'#board [data-tile="{before["tiles"][1]["id"]}"]')
    expect(someone.page.locator('[data-key="photo-0"]')).to_have_attribute("aria-pressed", "true")
    someone.press("Escape")
    someone.page.reload()
    expect(someone.page.locator('[data-key="photo-1"]')).to_be_visible()
    someone.tap('[data-key="undo"]')
    assert someone.draft() == before


def test_second_photo_over_a_slow_network_shows_how_far_it_is(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    someone = new_person()
    page = someone.page
    someone.open(laid_out(served, "three-chows"))
    page.evaluate(
        """() => {
            window.said = [];
            new MutationObserver(() => window.said.push(document.getElementById("toast").textContent))
                .observe(document.getElementById("toast"), { childList: true, subtree: true });
        }"""
    )
    network = page.context.new_cdp_session(page)
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 50, "downloadThroughput": 400_000, "uploadThroughput": 120_000},
    )
    page.set_input_files("#another", sample("dragons")[0])
    expect(page.locator("#another-photo")).to_be_visible(timeout=60_000)
    said = page.evaluate("window.said")
    percents = [
        int(text.split(":")[1].split("%")[0]) for text in said if text.startswith("Sending the photo")
    ]
    assert len(set(percents)) > 2
    assert percents == sorted(percents)
    assert said.index("Reading the tiles…") > said.index(f"Sending the photo: {percents[-1]} %")


def test_second_photo_that_is_none_says_so_until_it_is_put_away(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    someone = new_person(locale="zh-CN")
    someone.open(laid_out(served, "three-chows"))
    before = someone.draft()
    someone.page.set_input_files(
        "#another", {"name": "x.jpg", "mimeType": "image/jpeg", "buffer": b"no photo"}
    )
    alert = someone.page.locator("#toast [role=alert]")
    expect(alert).to_contain_text("不是照片")
    assert someone.draft() == before
    someone.hit(someone.page.locator("#toast button"))
    expect(someone.page.locator("#toast")).to_be_hidden()


def test_turning_the_phone_loses_nothing(new_person: Callable[..., Person], served: tuple[str, Any]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.open(laid_out(served, "three-chows"))
    someone.tap("#board .concealed .tile >> nth=1")
    someone.tap('#sheet .keypad [data-face="7z"]')
    someone.tap('[data-condition="winner"][data-value="W"]')
    someone.tap("#board .concealed .tile >> nth=2")
    held = someone.draft()
    upright = page.locator("#photo svg.canvas").get_attribute("viewBox")
    page.set_viewport_size({"width": PHONE[1], "height": PHONE[0]})
    expect(page.locator("#sheet")).to_be_visible()
    assert someone.draft() == held
    page.wait_for_function(
        "(before) => document.querySelector('#photo svg.canvas').getAttribute('viewBox') !== before",
        arg=upright,
    )
    # Every tile of the hand is still in view in the photo.
    inside = """() => { const canvas = document.querySelector('#photo svg.canvas').getBoundingClientRect();
        return [...document.querySelectorAll('#photo .outline:not(.stray)')].every((one) => {
            const box = one.getBoundingClientRect();
            return box.left >= canvas.left - 1 && box.right <= canvas.right + 1 && box.top >= canvas.top - 1
                && box.bottom <= canvas.bottom + 1; }); }"""
    assert page.evaluate(inside)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.wait_for_function(
        "(before) => document.querySelector('#photo svg.canvas').getAttribute('viewBox') === before",
        arg=upright,
    )
    someone.tap('#sheet .keypad [data-face="6z"]')
    someone.tap('[data-key="undo"]')
    assert someone.draft() == held
