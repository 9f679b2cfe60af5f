"""Where the keyboard stands after a press: what was pressed may be gone or disabled, the focus is never lost."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import DESKTOP, Person

pytestmark = pytest.mark.e2e


def focused(someone: Person) -> str | None:
    """The key of the element that has the focus, or its id."""
    key: str | None = someone.page.evaluate("document.activeElement.dataset.key || document.activeElement.id")
    return key


def enter(someone: Person, key: str) -> None:
    someone.page.locator(f'[data-key="{key}"]').focus()
    someone.press("Enter")


def test_undo_redo_and_clear_hand_the_focus_to_one_another(new_person: Callable[..., Person]) -> None:
    someone = new_person(DESKTOP)
    someone.open("/hand")
    someone.press("Escape")
    someone.type("1m")
    # There is one step to undo: then only redo can be pressed, and the other way round.
    enter(someone, "undo")
    assert someone.draft()["tiles"] == []
    expect(someone.page.locator('[data-key="undo"]')).to_be_disabled()
    assert focused(someone) == "redo"
    someone.press("Enter")
    assert [tile["face"] for tile in someone.draft()["tiles"]] == ["1m"]
    assert focused(someone) == "undo"
    enter(someone, "clear")
    expect(someone.page.locator('[data-key="clear"]')).to_be_disabled()
    assert focused(someone) == "undo"
    # A button that can still be pressed keeps the focus.
    someone.press("Enter")
    assert focused(someone) == "undo"


def test_a_tile_that_is_removed_leaves_the_focus_on_the_hand(new_person: Callable[..., Person]) -> None:
    someone = new_person(DESKTOP)
    someone.read_notation("123456789m12sCC3s")
    enter(someone, f"tile-{someone.draft()['tiles'][0]['id']}")
    enter(someone, "do-remove")
    assert len(someone.draft()["tiles"]) == 13
    assert focused(someone) == "board"
    someone.press("ArrowRight")
    assert focused(someone) == f"tile-{someone.draft()['tiles'][0]['id']}"


def test_a_hand_that_is_removed_leaves_the_focus_on_undo(new_person: Callable[..., Person]) -> None:
    someone = new_person(DESKTOP)
    page = someone.page
    someone.read_notation("123456789m12sCC3s")
    someone.won("E", "S")
    someone.hit(page.locator("#save"))
    page.wait_for_url("**/hands#hand-*")
    page.clock.install()
    page.reload()
    row = page.locator(".ledger [data-hand]").first
    row.locator(".remove").focus()
    page.keyboard.press("Enter")
    expect(row).to_be_hidden()
    expect(page.locator("#toast button")).to_be_focused()
    # Nobody is thrown off the button because it stood there long enough.
    page.clock.fast_forward(11_000)
    expect(page.locator("#toast button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(row).to_be_visible()
    expect(row.locator(".remove")).to_be_focused()
    page.clock.fast_forward(11_000)
    expect(page.locator("#toast")).to_be_hidden()
