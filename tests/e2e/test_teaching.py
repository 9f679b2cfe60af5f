"""Teaching a tile set on the page, and reading with it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import PHONE, Person
from tests.e2e.conftest import laid_out, sample
from vision.tilesets import list_tilesets, load_tileset

pytestmark = pytest.mark.e2e


def test_tile_set_is_taught_when_the_person_says_so(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    photo, truth = sample("all-green-across")
    someone = new_person(PHONE)
    page = someone.page
    someone.open("/")
    expect(page.locator("#tileset")).to_have_text("any")
    someone.open(laid_out(served, "all-green-across"))
    # A hand that is not right teaches nothing.
    someone.tap("#teach summary")
    someone.tap("#board .concealed .tile >> nth=1")
    someone.tap('#sheet .keypad [data-face="7z"]')
    someone.tap("#teach-form button")
    expect(page.locator("#toast")).to_contain_text("Check the hand first")
    assert "Lin's" not in list_tilesets()
    someone.tap('[data-key="undo"]')
    page.fill("#teach-name", "Lin's <b>")
    someone.tap("#teach-form button")
    expect(page.locator("#toast")).to_contain_text("A name may contain")
    page.fill("#teach-name", "Lin 的牌")
    someone.tap("#teach-form button")
    expect(page.locator("#toast")).to_contain_text("learned in total")
    learned = load_tileset("Lin 的牌")
    # What lies face down in a concealed kong shows nothing of its face.
    shown = [tile["face"] for tile in truth["tiles"] if tile["role"] != "stray" and tile["face"] != "back"]
    assert sorted(reference.face for reference in learned.references) == sorted(shown)

    # From then on this browser's photos are read with it, and say so when they go up.
    page.add_init_script(
        """const append = FormData.prototype.append;
        FormData.prototype.append = function (name, ...rest) {
            sessionStorage.setItem(`sent ${name}`, String(rest[0]));
            return append.call(this, name, ...rest);
        };"""
    )
    someone.open("/")
    expect(page.locator("#tileset")).to_have_text("Lin 的牌")
    someone.send_photo(photo)
    assert page.evaluate("sessionStorage.getItem('sent tileset')") == "Lin 的牌"
    # It is chosen and forgotten on its page; forgetting takes two taps, and then photos go up without it.
    someone.open("/tilesets")
    expect(page.locator('.set-choice input[value="Lin 的牌"]')).to_be_checked()
    someone.tap('[data-name="Lin 的牌"] .forget')
    assert "Lin 的牌" in list_tilesets()
    someone.tap('[data-name="Lin 的牌"] .forget')
    expect(page.locator('[data-name="Lin 的牌"]')).to_have_count(0)
    assert "Lin 的牌" not in list_tilesets()
    someone.open("/")
    expect(page.locator("#tileset")).to_have_text("any")


def test_tile_set_forgotten_elsewhere_costs_one_message(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.open("/")
    page.evaluate("localStorage.setItem('fanlens tile set', 'gone')")
    someone.choose(sample("three-chows")[0])
    expect(page.locator("#error")).to_have_attribute("data-code", "unknown_tileset")
    expect(page.locator("#tileset")).to_have_text("any")
    someone.send_photo(sample("three-chows")[0])
