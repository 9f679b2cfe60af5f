"""Saying which tiles of a photo are the hand, taking it again, and a second photo."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import DESKTOP, PHONE, Person
from tests.e2e.conftest import laid_out, sample
from tests.e2e.test_typed import engine, faces
from tests.vision.test_choice import HAND, two_rows
from tests.webapp.drafts import faces_of

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
pytestmark = pytest.mark.e2e


def opened(someone: Person, served: tuple[str, Any], **changes: Any) -> None:
    """The page of a photo in which another row than the hand was read."""
    someone.open(laid_out(served, "three-chows", **(two_rows() | changes)))


def chosen_is_the_hand(someone: Person) -> None:
    expect(someone.page.locator("#toast")).to_contain_text("14 tiles found.")
    assert sorted(faces(someone, "concealed") + faces(someone, "winning")) == sorted(faces_of(HAND))
    assert faces(someone, "winning") == ["3s"]
    assert someone.total() == engine("123456789m12sCC3s")
    # The others are left out and can be tapped back.
    assert len(faces(someone, "stray")) == 14


def test_one_tap_on_a_row(new_person: Callable[..., Person], served: tuple[str, Any]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    opened(someone, served)
    someone.tap('[data-key="choose-hand"]')
    expect(page.locator("#choose-hint")).to_be_visible()
    someone.hit(page.locator("#photo .outline.stray").first)
    chosen_is_the_hand(someone)
    expect(page.locator("#choose-hint")).to_be_hidden()
    expect(page.locator("#sheet")).to_be_hidden()
    someone.tap("#toast button")
    assert len(faces(someone, "stray")) == 14
    assert faces(someone, "concealed")[:3] == ["1m", "4m", "7m"]


@SIZES
def test_a_box_around_the_hand(
    new_person: Callable[..., Person], served: tuple[str, Any], size: tuple[int, int]
) -> None:
    someone = new_person(size)
    page = someone.page
    opened(someone, served)
    someone.tap('[data-key="choose-hand"]')
    canvas = page.locator("#photo svg.canvas")
    canvas.scroll_into_view_if_needed()
    place = canvas.bounding_box()
    assert place
    scale = min(place["width"] / 1600, place["height"] / 1200)
    left = place["x"] + (place["width"] - 1600 * scale) / 2
    top = place["y"] + (place["height"] - 1200 * scale) / 2
    corners = [(left + x * scale, top + y * scale) for x, y in ((60, 740), (1300, 960))]
    before = someone.assessed()
    if someone.touch:
        finger = page.context.new_cdp_session(page)
        steps = [(corners[0][0] + (corners[1][0] - corners[0][0]) * n / 5,
                  corners[0][1] + (corners[1][1] - corners[0][1]) * n / 5) for n in range(6)]  # fmt: skip
        for number, (x, y) in enumerate(steps):
            kind = "touchMove" if number else "touchStart"
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        expect(page.locator(".choice-box")).to_be_visible()
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    else:
        page.mouse.move(*corners[0])
        page.mouse.down()
        page.mouse.move(*corners[1], steps=5)
        expect(page.locator(".choice-box")).to_be_visible()
        page.mouse.up()
    expect(page.locator(".choice-box")).to_have_count(0)
    expect(page.locator("#toast")).to_be_visible()
    someone.settle(before)
    chosen_is_the_hand(someone)


def test_a_row_that_was_left_out(new_person: Callable[..., Person], served: tuple[str, Any]) -> None:
    someone = new_person(PHONE)
    opened(someone, served)
    someone.tap("#board .strays summary")
    someone.tap(someone.page.get_by_role("button", name="This row is the hand"))
    expect(someone.page.locator("#toast")).to_be_visible()
    chosen_is_the_hand(someone)


def test_far_too_many_tiles_are_no_matter_of_single_tiles(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    someone = new_person(PHONE)
    page = someone.page
    read = two_rows()
    both = [tile | {"role": "concealed", "group": 0} for tile in read["tiles"]]
    opened(someone, served, tiles=both)
    expect(page.locator("#fix p")).to_have_text(
        "28 tiles found: choose the hand in the photo, or take it again."
    )
    assert page.locator('#fix [data-key="fix-out"]').count() == 0
    someone.tap('[data-key="fix-choose"]')
    someone.hit(page.locator('#photo .outline[data-tile="20"]'))
    chosen_is_the_hand(someone)
    # Taking it again opens the camera or the choice of a file.
    someone.tap('[data-key="undo"]')
    with page.expect_file_chooser():
        someone.hit(page.locator('[data-key="fix-retake"]'))


def test_clear_leaves_the_tiles_of_the_photo_to_be_tapped_back(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    someone = new_person(PHONE)
    page = someone.page
    opened(someone, served)
    someone.tap('[data-key="clear"]')
    assert len(faces(someone, "stray")) == 28
    expect(page.locator("#photo .outline.stray")).to_have_count(28)
    expect(page.locator('[data-key="clear"]')).to_be_disabled()
    someone.hit(page.locator('#photo .outline[data-tile="20"]'))
    someone.tap('#sheet [data-action="take"]')
    assert faces(someone, "concealed") == ["7m"]


def test_a_photo_that_is_gone_says_so(new_person: Callable[..., Person], served: tuple[str, Any]) -> None:
    someone = new_person(PHONE)
    opened(someone, served)
    served[1].extensions["pending_photos"].take(someone.page.url.rsplit("/", 1)[1])
    someone.tap('[data-key="choose-hand"]')
    someone.hit(someone.page.locator("#photo .outline.stray").first)
    expect(someone.page.locator("#toast")).to_contain_text("The photo has expired")
    assert len(faces(someone, "stray")) == 14


def test_retake_replaces_the_photo_and_keeps_who_won(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    someone = new_person(PHONE)
    opened(someone, served)
    someone.tap('[data-condition="winner"][data-value="W"]')
    before = someone.draft()
    someone.page.set_input_files("#retake", sample("dragons")[0])
    expect(someone.page.locator("#toast")).to_contain_text("found", timeout=30_000)
    after = someone.draft()
    assert len(after["photos"]) == 1
    assert after["photos"] != before["photos"]
    assert {tile["photo"] for tile in after["tiles"]} == {0}
    assert after["conditions"]["seat_wind"] == "W"
    someone.tap('[data-key="undo"]')
    assert someone.draft() == before


@pytest.mark.parametrize("key", ["photo-replace", "photo-add"])
def test_a_second_photo_is_asked_about(
    new_person: Callable[..., Person], served: tuple[str, Any], key: str
) -> None:
    someone = new_person(PHONE)
    page = someone.page
    _, truth = sample("dragons")
    # The photo before lacked a pung.
    seen = [
        {name: tile[name] for name in ("face", "quad", "group", "role", "sideways")}
        | {"confidence": 0.99, "alternatives": []}
        for tile in truth["tiles"]
    ]
    group = next(tile["group"] for tile in seen if tile["role"] == "meld")
    kept = [tile for tile in seen if tile["group"] != group]
    someone.open(laid_out(served, "dragons", tiles=kept, hand=None))
    whole = sorted(tile["face"] for tile in seen if tile["role"] not in ("stray", "flower"))
    page.set_input_files("#another", sample("dragons")[0])
    expect(page.locator("#another-photo")).to_contain_text("Are they the whole hand", timeout=30_000)
    assert len(someone.draft()["photos"]) == 1
    someone.tap(f'[data-key="{key}"]')
    expect(page.locator("#another-photo")).to_have_count(0)
    played = [tile for tile in someone.draft()["tiles"] if tile["role"] in ("concealed", "meld", "winning")]
    assert sorted(tile["face"] for tile in played) == whole
    assert len(someone.draft()["photos"]) == (1 if key == "photo-replace" else 2)
