"""Confirmed hands as their browser sees them: reopened, corrected, listed, searched, removed; and the next hand."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import DESKTOP, PHONE, Person
from tests.e2e.conftest import laid_out
from tests.e2e.test_table import name_players
from tests.e2e.test_typed import engine

pytestmark = pytest.mark.e2e
NAMES = {"E": "Anna", "S": "Bo", "W": "陈", "N": "Dmitri"}
STRAIGHT = "123456789m12sCC3s"


def confirm(someone: Person, text: str = STRAIGHT, winner: str = "E", source: str = "S") -> int:
    """Types and confirms a hand; its number."""
    someone.read_notation(text)
    someone.won(winner, source)
    someone.confirm()
    return int(someone.page.url.rsplit("-", 1)[1])


def paid(someone: Person, number: int) -> list[str]:
    row = someone.page.locator(f"#hand-{number} .payments > span")
    return [" ".join(text.split()) for text in row.all_text_contents()]


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_hand_is_reopened_with_its_own_players_and_corrected_in_place(
    new_person: Callable[..., Person], served: tuple[str, Any], size: tuple[int, int]
) -> None:
    ledger = served[1].extensions["ledger"]
    someone = new_person(size)
    page = someone.page
    someone.read_notation(STRAIGHT)
    name_players(someone, **NAMES)
    someone.tap('[data-condition="prevalent_wind"][data-value="W"]')
    someone.won("W", "N")
    someone.confirm()
    number = int(page.url.rsplit("-", 1)[1])
    # The table moves on; the hand keeps the people who played it.
    someone.hit(page.locator("#next-hand"))
    page.wait_for_url("**/")
    someone.open("/hands")
    someone.hit(page.locator(f"#hand-{number} a"))
    page.wait_for_url(f"**/hands/{number}")
    someone.wait_until_drawn()
    assert page.locator(".payments th .player").all_text_contents() == list(NAMES.values())
    expect(page.locator("#save")).to_have_text("Save correction")
    pressed = page.locator('#conditions [aria-pressed="true"]').evaluate_all(
        "all => all.map((one) => `${one.dataset.condition} ${one.dataset.value}`)"
    )
    assert pressed == ["winner W", "from N", "prevalent_wind W", "profile guobiao"]

    someone.tap('[data-condition="from"][data-value="E"]')
    someone.confirm()
    expect(page.locator("#confirmed")).to_contain_text(
        "Corrected: 21 points. Anna −29, Bo −8, 陈 +45, Dmitri −8."
    )
    expect(page.locator("#next-hand")).to_be_hidden()
    expect(page.locator(f"#hand-{number} .corrected")).to_be_visible()
    assert page.locator(f"#hand-{number}").count() == 1
    assert paid(someone, number)[0] == "East Anna −29"
    entry = ledger.entry(number)
    assert (entry.versions, entry.discarder, entry.players) == (2, "E", NAMES)
    assert [version.discarder for version in ledger.versions(number)] == ["N"]
    # Both versions can be looked at.
    someone.hit(page.locator(f"#hand-{number} a"))
    page.wait_for_url(f"**/hands/{number}")
    someone.tap("#versions summary")
    expect(page.locator("#versions li")).to_have_count(1)
    expect(page.locator("#versions li")).to_contain_text("Dmitri −29")


def test_two_windows_that_correct_one_hand(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    someone = new_person(DESKTOP)
    number = confirm(someone)
    other = Person(someone.page.context.new_page(), someone.address, touch=False)
    for one in (someone, other):
        one.open(f"/hands/{number}")
    someone.tap('[data-condition="from"][data-value="W"]')
    other.tap('[data-condition="from"][data-value="N"]')
    someone.confirm()
    other.tap("#save")
    expect(other.page.locator("#toast")).to_contain_text("corrected elsewhere in the meantime")
    assert served[1].extensions["ledger"].entry(number).discarder == "W"
    # Opened again the page shows the hand as it is now, and corrects that.
    other.hit(other.page.locator("#toast button"))
    expect(other.page.locator('[data-condition="from"][data-value="W"][aria-pressed="true"]')).to_be_visible()
    other.tap('[data-condition="from"][data-value="N"]')
    other.confirm()
    assert served[1].extensions["ledger"].entry(number).versions == 3


def test_the_deal_passes_on_by_itself_and_once(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.open("/hand")
    someone.press("Escape")
    name_players(someone, **NAMES)
    assert page.get_by_text("everyone moves one seat on").count() == 0
    confirm(someone)
    expect(page.locator("#confirmed [role=status]")).to_have_text(
        "Confirmed: 21 points. Anna +45, Bo −29, 陈 −8, Dmitri −8."
    )
    expect(page.locator("#next-deal")).to_have_text("The deal passes on: Bo will be East.")
    expect(page.locator("#next-hand")).to_be_in_viewport()
    someone.taps = 0
    someone.tap("#next-hand")
    page.wait_for_url("**/")
    assert someone.taps == 1
    page.go_back()
    page.go_forward()
    someone.open("/hand")
    someone.press("Escape")
    someone.tap("#players summary")
    seats = {seat: page.input_value(f'#players [data-seat="{seat}"]') for seat in "ESWN"}
    assert seats == {"E": "Bo", "S": "陈", "W": "Dmitri", "N": "Anna"}
    # Who does not go on keeps the seats.
    confirm(someone)
    someone.open("/hand")
    someone.press("Escape")
    assert page.input_value('#players [data-seat="E"]') == "Bo"


def test_hands_of_another_browser_are_not_found(new_person: Callable[..., Person]) -> None:
    someone, other = new_person(PHONE), new_person(PHONE)
    number, theirs = confirm(someone), confirm(other)
    assert number != theirs
    expect(other.page.locator(f"#hand-{number}")).to_have_count(0)
    other.page.goto(f"{other.address}/hands/{number}")
    expect(other.page.locator("main")).to_contain_text("There is nothing at this address")
    answer = other.page.request.delete(f"{other.address}/api/v1/hands/{number}")
    assert answer.status == 404
    someone.open("/hands")
    expect(someone.page.locator(f"#hand-{number}")).to_be_visible()
    assert "hands=" not in someone.page.evaluate("document.cookie")


def test_a_removed_hand_stays_reachable(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    number = confirm(someone)
    someone.tap(f"#hand-{number} .remove")
    expect(page.locator(f"#hand-{number}")).to_be_hidden()
    # Long after the message is gone, in a new visit.
    someone.open("/hands")
    expect(page.locator(f"#hand-{number}")).to_have_count(0)
    someone.tap(page.get_by_role("link", name="Removed hands"))
    page.wait_for_url("**/hands?removed=1")
    someone.tap(f"#hand-{number} .restore")
    expect(page.locator(f"#hand-{number}")).to_be_hidden()
    someone.open("/hands")
    expect(page.locator(f"#hand-{number}")).to_be_visible()


def test_pages_and_search_reach_every_hand(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    first = confirm(someone)
    entry = page.request.get(f"{someone.address}/api/v1/hands/{first}").json()
    body = entry["hand"] | {"discarder": "S", "players": {"N": "Zoë"}}
    for _ in range(203):
        assert page.request.post(f"{someone.address}/api/v1/hands", data=body).status == 201
    someone.open("/hands")
    seen = 0
    for _ in range(5):
        expect(page.locator("ol.ledger .day h2").first).to_be_visible()
        seen += page.locator("[data-hand]").count()
        if not page.locator("#older").count():
            break
        someone.hit(page.locator("#older"))
        page.wait_for_url("**before=*")
    assert seen == 204
    expect(page.locator(f"#hand-{first}")).to_be_visible()
    someone.open("/hands")
    for field, text, found in (("player", "zoë", 50), ("fan", "straight", 50), ("points", "22", 0)):
        someone.open("/hands")
        someone.hit(page.locator(".search summary"))
        page.fill(f'.search [name="{field}"]', text)
        someone.hit(page.locator(".search button"))
        page.wait_for_url(f"**{field}=*")
        expect(page.locator("[data-hand]")).to_have_count(found)
    expect(page.locator("#none")).to_have_text("No hand was found.")


def test_three_digits_flowers_and_times_of_the_list(new_person: Callable[..., Person]) -> None:
    someone = new_person((320, 640))
    page = someone.page
    number = confirm(someone, "EEESSSWWWNNNCC|EE0000|3", source="self_drawn")
    row = page.locator(f"#hand-{number}")
    assert int(row.locator(".points").inner_text()) >= 100
    points, fans = row.locator(".points").bounding_box(), row.locator(".fans").bounding_box()
    assert points
    assert fans
    width = row.locator(".points").evaluate("one => one.scrollWidth")
    assert points["x"] + width <= fans["x"]
    expect(row.locator(".flowers .tile")).to_have_count(3)
    # Rows that look alike are told apart by their time on the start page, too.
    confirm(someone)
    someone.open("/")
    expect(page.locator("#recent li time")).to_have_count(2)
    points, fan = (
        page.locator(f"#recent li >> nth=1 >> {part}").bounding_box() for part in (".points", ".fan-names")
    )
    assert points
    assert fan
    assert points["x"] + page.locator("#recent .points").nth(1).evaluate("one => one.scrollWidth") <= fan["x"]


def test_an_open_question_stops_confirm_and_is_one_tap_away(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    ledger = served[1].extensions["ledger"]
    someone = new_person(PHONE)
    page = someone.page
    doubts = [{"code": "doubtful_tile", "message": "", "tile": 3, "doubt": "rival"}]
    someone.open(laid_out(served, "dragons", problems=doubts))
    someone.won("E", "self_drawn")
    before = len(ledger.entries(10**6))
    expect(page.locator("#bar-note")).to_have_text("1 question open")
    someone.taps = 0
    someone.tap("#save")
    assert someone.taps == 1
    expect(page.locator("#toast")).to_contain_text("1 tile is uncertain. Which is it?")
    assert page.evaluate("document.activeElement.closest('#doubt') !== null")
    assert len(ledger.entries(10**6)) == before
    someone.tap("#doubt .choice [data-face] >> nth=0")
    expect(page.locator("#bar-note")).to_contain_text("fans")
    someone.confirm()
    assert len(ledger.entries(10**6)) == before + 1


def test_the_bar_counts_in_chinese_too(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE, locale="zh-CN")
    someone.read_notation(STRAIGHT)
    expect(someone.page.locator("#bar-note")).to_have_text("还有 2 个问题")
    assert someone.total() == engine(STRAIGHT)
