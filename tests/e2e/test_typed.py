"""Hands typed without a photo: tiles, melds, conditions, and the fans they score."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from scorer import hand_to_json, parse_hand, score
from tests.e2e.browser import DESKTOP, PHONE, Person

pytestmark = pytest.mark.e2e
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


def engine(text: str) -> int:
    """The total of a hand in the notation, from the engine itself."""
    return score(*parse_hand(text)).total


def faces(someone: Person, role: str) -> list[str]:
    return [one["face"] for one in someone.draft()["tiles"] if one["role"] == role]


def test_typed_on_the_tile_keyboard_with_one_thumb(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.open("/")
    someone.tap('a[href="/hand"]')
    expect(someone.page.locator("#sheet")).to_be_visible()
    hand = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1s", "2s", "5z", "5z", "3s"]
    for face in [*hand, "1f"]:
        someone.tap(f'#sheet [data-face="{face}"]')
    assert faces(someone, "winning") == ["3s"]
    assert faces(someone, "flower") == ["1f"]
    assert someone.taps == 16  # one to get there, one a tile
    someone.tap('[data-key="close"]')
    assert someone.total() == engine("123456789m12sCC3s|EE0000|1")
    expect(someone.page.locator("#bar-total")).to_have_text("22 points")


def test_typed_on_a_keyboard(new_person: Callable[..., Person]) -> None:
    someone = new_person(DESKTOP)
    someone.open("/hand")
    someone.type("123456789m12s55z3s")
    someone.press("Escape")
    assert someone.total() == engine("123456789m12sCC3s")
    # Arrows walk to a tile, typing replaces it, Ctrl+Z undoes.
    someone.press("ArrowRight")
    someone.page.locator('#board [data-face="9m"]').focus()
    someone.press("ArrowRight")
    assert someone.page.evaluate("document.activeElement.dataset.face") == "1s"
    someone.type("7s")
    expect(someone.page.locator("#problem")).to_have_attribute("data-code", "not_winning")
    assert "7s" in faces(someone, "concealed")
    someone.press("Control+z")
    assert someone.total() == 21
    someone.press("Control+y")
    expect(someone.page.locator("#problem")).to_be_visible()
    someone.press("Control+z")
    # Enter opens the tile, the sheet takes the focus, Escape gives it back.
    someone.page.locator('#board [data-face="1s"]').focus()
    someone.press("Enter")
    expect(someone.page.locator("#sheet")).to_be_visible()
    someone.press("Escape")
    assert someone.page.evaluate("document.activeElement.dataset.face") == "1s"
    someone.press("Delete")
    expect(someone.page.locator("#fix")).to_contain_text("1 tile is missing")


@SIZES
def test_melds_regrouped(new_person: Callable[..., Person], size: tuple[int, int]) -> None:
    someone = new_person(size)
    someone.read_notation("123456789m12sCC3s")
    assert someone.total() == engine("123456789m12sCC3s")
    someone.taps = 0
    someone.tap('#board .concealed [data-face="2m"]')
    someone.tap('#sheet [data-action="chow-1m2m3m"]')
    assert someone.taps == 2  # a wrong group: choose a tile, name the meld
    expect(someone.page.locator("#board .meld")).to_have_attribute("data-kind", "chow")
    assert someone.total() == engine("456789m12sCC[123m]3s") == 19
    someone.tap('#board .meld [data-face="2m"]')
    someone.tap('#sheet [data-action="dissolve"]')
    assert someone.total() == 21


def test_kongs_melded_concealed_and_extended(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.read_notation("EEE234567p9s[NNN]9s")
    plain = engine("EEE234567p9s[NNN]9s")
    assert someone.total() == plain
    someone.tap('#board .concealed [data-face="1z"] >> nth=0')
    someone.tap('#sheet [data-action="pung"]')
    kinds = someone.page.locator("#board .meld").evaluate_all(
        "melds => melds.map((meld) => meld.dataset.kind)"
    )
    assert kinds == ["pung", "pung"]
    someone.read_notation("[EEEE]234567p9s[NNN]9s")
    concealed = engine("[EEEE]234567p9s[NNN]9s")
    assert someone.total() == concealed
    someone.tap('#board .meld.concealed_kong [data-face="1z"] >> nth=1')
    someone.tap('#sheet [data-action="hide"]')
    assert someone.total() == engine("[EEEE,1]234567p9s[NNN]9s") != concealed


def test_fourth_tile_joins_its_pung(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.read_notation("234567p9s[EEE][NNN]9s")
    someone.tap("#board .winning .tile")
    someone.tap('#sheet [data-action="remove"]')
    someone.tap('[data-key="fix-add"]')
    someone.tap('#sheet [data-face="1z"]')
    someone.tap('[data-key="close"]')
    # The East completes the count and so counts as the winning tile; back in the hand it can join the pung.
    someone.tap("#board .winning .tile")
    someone.tap('#sheet [data-action="unwin"]')
    someone.tap('#board .concealed [data-face="1z"]')
    someone.tap('#sheet [data-action^="melded_kong-"]')
    expect(someone.page.locator("#count")).to_have_text("14 tiles, a hand has 15")
    someone.tap('[data-key="fix-add"]')
    someone.tap('#sheet [data-face="9s"]')
    someone.tap('[data-key="close"]')
    assert someone.total() == engine("234567p9s[EEEE,1][NNN]9s")


@SIZES
def test_conditions_change_the_score_and_the_payments(
    new_person: Callable[..., Person], size: tuple[int, int]
) -> None:
    someone = new_person(size)
    page = someone.page
    someone.read_notation("EEE234567p9s[NNN]9s")
    # Nothing is chosen beforehand, and nobody pays before it is known who won.
    assert page.locator('#conditions [data-condition="winner"][aria-pressed="true"]').count() == 0
    assert page.locator('#conditions [data-condition="from"][aria-pressed="true"]').count() == 0
    assert page.locator(".payments").count() == 0
    expect(page.locator("#ask")).to_contain_text("Who won?")
    someone.tap('[data-condition="winner"][data-value="N"]')
    assert someone.total() == engine("EEE234567p9s[NNN]9s|EN0000")
    someone.tap('[data-condition="prevalent_wind"][data-value="S"]')
    assert someone.total() == engine("EEE234567p9s[NNN]9s|SN0000")
    someone.tap('[data-condition="last_tile"]')
    total = engine("EEE234567p9s[NNN]9s|SN0010")
    assert someone.total() == total
    assert page.locator('[data-condition="from"]').count() == 4
    someone.tap('[data-condition="from"][data-value="W"]')
    paid = {seat: page.locator(f'.payments [data-seat="{seat}"]').text_content() for seat in "ESWN"}
    assert paid == {"E": "−8", "S": "−8", "W": f"−{8 + total}", "N": f"+{24 + total}"}
    someone.tap('[data-condition="from"][data-value="self_drawn"]')
    drawn = engine("EEE234567p9s[NNN]9s|SN1010")
    assert someone.total() == drawn
    assert page.locator('.payments [data-seat="N"]').text_content() == f"+{3 * (8 + drawn)}"
    # Impossible together: said in words, nothing can be confirmed.
    someone.tap('[data-condition="kong"]')
    expect(page.locator("#problem")).to_have_attribute("data-code", "replacement_without_kong")
    expect(page.locator("#save")).to_be_disabled()


def test_touched_fan_shows_its_tiles(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.read_notation("123456789m12sCC3s")
    someone.tap('.fanrow[data-fan="清龙"]')
    lit = someone.page.locator("#board .tile.lit").evaluate_all(
        "tiles => tiles.map((tile) => tile.dataset.face)"
    )
    assert lit == [f"{rank}m" for rank in range(1, 10)]
    assert someone.page.locator(".sets .tile").count() == 9
    someone.tap('.fanrow[data-fan="清龙"]')
    assert someone.page.locator("#board .tile.lit").count() == 0


def test_wrong_counts_come_with_their_fix(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.read_notation("123456789m12sCC3s")
    someone.tap('#board .concealed [data-face="9m"]')
    someone.tap('#sheet [data-action="remove"]')
    expect(page.locator("#fix")).to_contain_text("1 tile is missing")
    someone.taps = 0
    someone.tap('[data-key="fix-add"]')
    someone.tap('#sheet [data-face="9m"]')
    assert someone.taps == 2  # a missing tile
    someone.tap('[data-key="close"]')
    assert someone.total() == 21
    someone.tap("#board .winning .tile")
    someone.tap('#sheet [data-action="unwin"]')
    expect(page.locator("#fix")).to_contain_text("Which tile won?")
    someone.tap('#board .concealed [data-face="3s"]')
    someone.tap('#sheet [data-action="win"]')
    assert someone.total() == 21


def test_notation_refused_in_words(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.open("/hand")
    someone.press("Escape")
    someone.hit(someone.page.locator("#notation summary"))
    someone.page.fill("#notation-text", "123m?")
    someone.hit(someone.page.locator("#notation-form button").first)
    expect(someone.page.locator("#notation-error")).to_have_attribute("data-code", "not_the_notation")
    expect(someone.page.locator("#notation-error")).to_contain_text("Position 5")
    # The page prints what it can read again.
    someone.read_notation("EEE234567p9s[NNN]9s|SN1010|2")
    printed = someone.page.input_value("#notation-text")
    assert parse_hand(printed)[1] == parse_hand("EEE234567p9s[NNN]9s|SN1010|2")[1]
    assert (
        hand_to_json(*parse_hand(printed))["concealed"]
        == hand_to_json(*parse_hand("EEE234567p9s[NNN]9s"))["concealed"]
    )


def test_under_eight_points_is_scored_but_not_confirmed(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.read_notation("345m567s78s11p[CCC]9s")
    assert someone.total() == engine("345m567s78s11p[CCC]9s") == 2
    expect(someone.page.locator("#verdict")).to_contain_text("Not a legal win: 2 of 8 points")
    expect(someone.page.locator("#save")).to_be_disabled()


def test_why_fans_do_not_count_is_said(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.read_notation("123m789m123s78s55p9s")
    someone.tap("details.not-counted summary")
    row = someone.page.locator('.not-counted [data-fan="平和"]')
    expect(row).to_contain_text("All Chows")
    expect(row).to_contain_text("Three-Suited Terminal Chows")
    # A counted fan says its rule when touched.
    someone.tap('.fanrow[data-fan="三色双龙会"]')
    expect(someone.page.locator(".fans .rule")).not_to_be_empty()


def test_thirteen_tiles_show_what_they_wait_for(new_person: Callable[..., Person]) -> None:
    someone = new_person(DESKTOP)
    page = someone.page
    someone.open("/hand")
    someone.type("123456789m12s55z")
    row = page.locator('#waits [data-wait="3s"]')
    expect(row).to_have_text(f"4{engine('123456789m12sCC3s')}{engine('123456789m12sCC3s|EE1000')}")
    assert page.locator("#waits [data-wait]").count() == 1
    someone.press("Escape")
    someone.tap(row.locator("button"))
    assert someone.total() == 21
    assert faces(someone, "winning") == ["3s"]
    someone.press("Control+z")
    someone.page.locator('#board [data-face="1m"]').focus()
    someone.type("7z")
    expect(page.locator("#problem")).to_contain_text("Not ready: 1 tile")


def test_the_rules_can_be_chosen_and_opening_wins_on_the_platform(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    text = "234p45s55p[1111m][SSSS,1]6s|EE0000"
    someone.read_notation(text)
    for profile in ("wmo2006", "text1998", "platform", "guobiao"):
        someone.tap(f'[data-condition="profile"][data-value="{profile}"]')
        assert someone.total() == score(*parse_hand(text), profile).total
    assert page.locator('[data-condition="opening"]').count() == 0
    someone.tap('[data-condition="profile"][data-value="platform"]')
    assert page.locator('[data-condition="opening"]').count() == 4
    someone.read_notation("123456m234p45s55p6s|EE1000")
    someone.tap('[data-condition="profile"][data-value="platform"]')
    someone.tap('[data-condition="opening"][data-value="heavenly"]')
    expect(page.locator('[data-fan="天胡"]')).to_be_visible()
    assert someone.total() > 168
