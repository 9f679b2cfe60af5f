"""What someone new to the page runs into: small screens, hands that are gone, and what is not said."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from scorer import parse_hand, score
from tests.e2e.browser import PHONE, Json, Person
from tests.e2e.conftest import laid_out, sample

pytestmark = pytest.mark.e2e
# Keys of the tile keyboard that lie outside the sheet or that another key covers.
UNREACHABLE = """() => [...document.querySelectorAll('#sheet .keypad .tile')].filter((key) => {
    key.scrollIntoView({ block: 'nearest' });
    const box = key.getBoundingClientRect();
    const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.width < 43.5 || box.height < 43.5 || box.right > innerWidth || !key.contains(found);
}).map((key) => key.dataset.face)"""
RED_DRAGON_KONG = ["1p", "1p", "1p", "2p", "3p", "4p", "5z", "5z", "5z", "5z", "5s", "5s", "6s", "7s"]


def faces(someone: Person, role: str) -> list[str]:
    return [one["face"] for one in someone.draft()["tiles"] if one["role"] == role]


def box(someone: Person, target: str) -> Json:
    found = someone.page.locator(target).bounding_box()
    assert found
    return dict(found)


@pytest.mark.parametrize("size", [(320, 640), (344, 740), (360, 740), (412, 915), (740, 360)], ids=str)
def test_every_key_can_be_reached(new_person: Callable[..., Person], size: tuple[int, int]) -> None:
    someone = new_person(size)
    someone.open("/hand")
    assert someone.page.locator("#sheet .keypad .tile").count() == 42
    assert someone.page.evaluate(UNREACHABLE) == []


def test_kong_releases_the_tile_that_only_completed_the_count(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.open("/hand")
    for face in RED_DRAGON_KONG:
        someone.tap(f'#sheet [data-face="{face}"]')
    assert faces(someone, "winning") == ["7s"]
    someone.tap('[data-key="close"]')
    someone.tap('#board .concealed [data-face="5z"] >> nth=0')
    someone.tap('#sheet [data-action="melded_kong"]')
    assert faces(someone, "winning") == []
    expect(someone.page.locator("#bar-note")).to_have_text("14 tiles, a hand has 15")
    someone.tap('[data-key="fix-add"]')
    someone.tap('#sheet [data-face="8s"]')
    someone.tap('[data-key="close"]')
    assert faces(someone, "winning") == ["8s"]
    assert someone.total() == score(*parse_hand("111234p5567s[CCCC,1]8s")).total


def test_kong_leaves_a_winning_tile_that_a_person_marked(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.read_notation("111234p55sCCCC67s")
    assert faces(someone, "winning") == ["7s"]
    someone.tap('#board .concealed [data-face="5z"] >> nth=0')
    someone.tap('#sheet [data-action="concealed_kong"]')
    assert faces(someone, "winning") == ["7s"]


def test_photo_that_is_gone_says_what_is_left(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.open("/photo/abcdef")
    expect(page.locator("#nothing-kept")).to_contain_text("The photo and its hand have expired")
    expect(page.locator("#photo-gone")).to_be_hidden()
    expect(page.locator("#sheet")).to_be_hidden()
    # What is typed there is remembered, and then the page says so.
    someone.type("123m")
    someone.open("/photo/abcdef")
    expect(page.locator("#photo-gone")).to_contain_text("as this browser remembers it")
    expect(page.locator("#nothing-kept")).to_be_hidden()


def test_going_back_from_a_confirmed_photo_leads_to_the_list(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.open("/")
    someone.open(laid_out(served, "dragons"))
    someone.won("E", "self_drawn")
    someone.hit(page.locator("#save"))
    page.wait_for_url("**/hands#hand-*")
    page.go_back()
    expect(page.locator("#nothing-kept")).to_be_visible()
    expect(page.locator("#sheet")).to_be_hidden()
    someone.hit(page.locator("#nothing-kept a"))
    expect(page.locator(".ledger [data-hand]").first).to_contain_text("Big Three Dragons")


def test_confirmed_hand_opens_again(new_person: Callable[..., Person], served: tuple[str, Any]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.read_notation("EEE234567p9s[NNN]9s|SN1010|2")
    total = someone.total()
    someone.hit(page.locator("#save"))
    page.wait_for_url("**/hands#hand-*")
    row = page.locator(".ledger [data-hand]").first
    expect(row.locator(".how")).to_have_text("North won, self-drawn · 2 flowers")
    expect(row.locator(".flowers .tile")).to_have_count(2)
    # Thirteen tiles and the winning one stay in one row each, the four payments too.
    tops = row.locator(".payments > span").evaluate_all("all => all.map((one) => one.offsetTop)")
    assert len(set(tops)) == 1
    someone.hit(row.locator("a"))
    page.wait_for_url("**/hands/*")
    expect(page.locator("#total")).to_contain_text(str(total))
    assert page.locator('[data-condition="winner"][data-value="N"][aria-pressed="true"]').count() == 1


def test_concealed_hand_is_one_row_of_the_list(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.read_notation("123456789m12sCC3s")
    someone.won("E", "W")
    someone.hit(someone.page.locator("#save"))
    someone.page.wait_for_url("**/hands#hand-*")
    row = someone.page.locator(".ledger [data-hand]").first
    expect(row.locator(".how")).to_have_text("East won on West's discard")
    tops = row.locator(".tiles .tile").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().top)"
    )
    assert len(tops) == 14
    assert max(tops) - min(tops) < 5


def test_empty_list_says_so_at_once(new_person: Callable[..., Person], served: tuple[str, Any]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.read_notation("123456789m12sCC3s")
    someone.won("E", "self_drawn")
    someone.hit(page.locator("#save"))
    page.wait_for_url("**/hands#hand-*")
    expect(page.locator("#none")).to_be_hidden()
    buttons = page.locator(".ledger [data-hand]:visible .remove")
    for left in range(buttons.count(), 0, -1):
        expect(buttons).to_have_count(left)
        someone.hit(buttons.first)
    expect(page.locator("#none")).to_have_text("No hand has been confirmed in this browser yet.")
    someone.hit(page.locator("#toast button"))
    expect(page.locator("#none")).to_be_hidden()


def test_bar_says_why_nothing_can_be_confirmed(new_person: Callable[..., Person]) -> None:
    someone = new_person((320, 640))
    note = someone.page.locator("#bar-note")
    someone.open("/hand")
    expect(note).to_have_text("No tiles yet")
    expect(someone.page.locator("#count")).to_have_class("count")
    someone.read_notation("345m567s78s11p[CCC]9s")
    expect(note).to_have_text("Only 2 of 8 points")
    someone.tap('#board .concealed [data-face="7s"] >> nth=0')
    someone.tap('#sheet [data-action="remove"]')
    expect(note).to_have_text("13 tiles, a hand has 14")
    someone.tap('[data-key="undo"]')
    someone.tap("#board .winning .tile")
    someone.tap('#sheet [data-action="unwin"]')
    expect(note).to_have_text("No winning tile")


def test_way_of_winning_resets_the_kong(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.read_notation("123456789m12sCC3s")
    someone.won("E", "W")
    someone.tap('[data-condition="kong"]')
    assert someone.draft()["conditions"]["kong"]
    # A robbed kong is no replacement tile.
    someone.tap('[data-condition="from"][data-value="self_drawn"]')
    assert not someone.draft()["conditions"]["kong"]
    assert someone.draft()["discarder"] is None


def test_added_and_returned_tiles_are_sorted_in_and_replaced_ones_stay(
    new_person: Callable[..., Person],
) -> None:
    someone = new_person(PHONE)
    someone.read_notation("123456789m12sCC3s")
    someone.tap('#board .concealed [data-face="4m"]')
    someone.tap('#sheet .keypad [data-face="9p"]')
    assert faces(someone, "concealed")[2:5] == ["3m", "9p", "5m"]
    someone.tap('[data-key="undo"]')
    someone.tap('#board .concealed [data-face="2m"]')
    someone.tap('#sheet [data-action="remove"]')
    someone.tap('[data-key="fix-add"]')
    someone.tap('#sheet [data-face="2m"]')
    someone.tap('[data-key="close"]')
    someone.tap("#board .winning .tile")
    someone.tap('#sheet [data-action="unwin"]')
    assert faces(someone, "concealed") == [
        *(f"{rank}m" for rank in range(1, 10)),
        "1s",
        "2s",
        "3s",
        "5z",
        "5z",
    ]


def test_message_leaves_the_sheet_free(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.read_notation("123456789m12sCC3s")
    someone.tap('[data-key="add"]')
    someone.tap('#sheet [data-face="1m"]')
    expect(someone.page.locator("#toast")).to_contain_text("The hand is complete")
    toast, sheet = box(someone, "#toast"), box(someone, "#sheet")
    assert toast["y"] + toast["height"] <= sheet["y"]


@pytest.mark.parametrize("size", [PHONE, (320, 640)], ids=str)
def test_actions_on_a_kong_are_in_view(new_person: Callable[..., Person], size: tuple[int, int]) -> None:
    someone = new_person(size)
    someone.send_photo(sample("dragons")[0])
    for tile in someone.draft()["tiles"][:3]:
        someone.tap(f'#board [data-tile="{tile["id"]}"]')
        last = box(someone, "#sheet .actions .action:last-child")
        assert last["y"] + last["height"] <= size[1]
        someone.tap('[data-key="close"]')
    someone.read_notation("234567p9s[EEEE,1][NNN]9s")
    someone.tap("#board .melded_kong .tile >> nth=0")
    last = box(someone, "#sheet .actions .action:last-child")
    assert last["y"] + last["height"] <= size[1]


def test_fan_left_out_several_times_is_said_once(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.read_notation("EEESSSWWWNNNCC")
    someone.tap("details.not-counted summary")
    rows = someone.page.locator(".not-counted li").evaluate_all("rows => rows.map((row) => row.textContent)")
    assert len(rows) == len(set(rows))
    pungs = someone.page.locator('.not-counted [data-fan="幺九刻"] .names')
    expect(pungs).to_have_text("Pung of Terminals or Honors 幺九刻 ×4")


def test_language_menu_of_the_catalogue_has_no_line(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.open("/fans")
    border = "one => getComputedStyle(one).borderBottomWidth"
    assert someone.page.locator(".languages").evaluate(border) == "0px"
    assert someone.page.locator("details.fan").first.evaluate(border) == "1px"
