"""From photo to agreed score in a real browser, with the real models on bundled photos."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image, ImageFilter
from playwright.sync_api import expect

from scorer import hand_from_json, score
from tests.e2e.browser import DESKTOP, PHONE, Json, Person
from tests.e2e.conftest import sample
from tests.e2e.correcting import as_laid, put_right, set_conditions, true_tile
from vision.photo import load_photo
from vision.recognition import recognise

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
pytestmark = pytest.mark.e2e


@SIZES
@pytest.mark.parametrize("name", ["three-chows", "east-kong"])
def test_photo_corrected_scored_and_confirmed(
    new_person: Callable[..., Person], served: tuple[str, Any], size: tuple[int, int], name: str
) -> None:
    someone = new_person(size)
    photo, truth = sample(name)
    someone.send_photo(photo)
    page = someone.page
    expect(page.locator("#photo svg.canvas")).to_be_visible()
    assert page.locator("#photo [data-tile]").count() == len(someone.draft()["tiles"])

    put_right(someone, truth)
    set_conditions(someone, truth["hand"])
    result = score(*hand_from_json(truth["hand"]))
    expect(page.locator("#total")).to_contain_text(str(result.total))
    shown = page.locator(".fanrow").evaluate_all("rows => rows.map((row) => row.dataset.fan)")
    assert shown == [award.fan.name for award in result.fans]

    if not truth["hand"]["self_drawn"]:
        someone.tap('[data-condition="from"] >> nth=1')
    # Reload and back lose nothing of it.
    page.reload()
    expect(page.locator("#total")).to_contain_text(str(result.total))
    page.goto(someone.address + "/help")
    page.go_back()
    expect(page.locator("#total")).to_contain_text(str(result.total))

    token = page.url.rsplit("/", 1)[1]
    someone.hit(page.locator("#save"))
    page.wait_for_url("**/hands#hand-*")
    entry = served[1].extensions["ledger"].entries()[0]
    assert entry.score["total"] == result.total
    assert as_laid(entry.hand) == as_laid(truth["hand"])
    gone = page.request.get(f"{someone.address}/photos/{token}.jpg")
    assert gone.status == 404


def blurred_until_misread(name: str) -> tuple[Json, int, str] | None:
    """A sample blurred until a tile is misread, flagged, and the right face is among its alternatives."""
    path, truth = sample(name)
    with Image.open(path) as image:
        image.load()
    for radius in (*range(13), 14, 16):
        file = io.BytesIO()
        image.filter(ImageFilter.GaussianBlur(radius)).save(file, "JPEG", quality=90)
        read = recognise(load_photo(file.getvalue())).to_json()
        doubtful = [problem["tile"] for problem in read["problems"] if problem["code"] == "doubtful_tile"]
        if any(problem.get("doubt") in ("kong", "role") for problem in read["problems"]):
            continue  # it asks about more than faces
        # The page asks about doubtful tiles one after the other, so the first is the one it shows.
        for number in doubtful[:1]:
            one = read["tiles"][number]
            real = true_tile(one, truth)
            rivals = [face for face, _ in one["alternatives"]]
            if one["role"] != "stray" and real and real["face"] != one["face"] and real["face"] in rivals:
                return (
                    {"name": "blurred.jpg", "mimeType": "image/jpeg", "buffer": file.getvalue()},
                    number,
                    real["face"],
                )
    return None


@pytest.fixture(scope="module")
def misread() -> tuple[Json, int, str]:
    """A photo with a misread tile that the page is sure to ask about: photo, number of the tile, its true face."""
    for name in ("seven-pairs-dim", "three-chows", "dragons", "all-dots", "east-kong"):
        found = blurred_until_misread(name)
        if found:
            return found
    raise AssertionError(
        "no blur makes any sample's first doubtful tile a misread one with the truth as a rival"
    )


def test_a_doubtful_misread_costs_one_tap(
    new_person: Callable[..., Person], misread: tuple[Json, int, str]
) -> None:
    photo, number, face = misread
    someone = new_person(PHONE)
    someone.send_photo(photo)
    page = someone.page
    expect(page.locator("#doubt")).to_have_attribute("data-tile", str(number))
    expect(page.locator("#doubt .cutout")).to_be_visible()
    # Marked by shape as well as colour, in the hand and in the photo, and first in tab order.
    expect(page.locator(f'#board [data-tile="{number}"] .mark')).to_have_text("?")
    expect(page.locator(f'#photo [data-tile="{number}"] .mark text')).to_have_text("?")
    assert page.locator(f'#board [data-tile="{number}"]').get_attribute("aria-label").endswith("not sure")

    someone.taps = 0
    someone.tap(f'#doubt [data-face="{face}"]')
    assert someone.taps == 1
    corrected = next(one for one in someone.draft()["tiles"] if one["id"] == number)
    assert (corrected["face"], corrected["unsure"]) == (face, False)
    expect(page.locator(f'#board [data-tile="{number}"] .mark')).to_have_count(0)


@SIZES
def test_any_other_misread_costs_two_taps_and_changes_the_score(
    new_person: Callable[..., Person], size: tuple[int, int]
) -> None:
    someone = new_person(size)
    photo, truth = sample("seven-pairs-dim")
    someone.send_photo(photo)
    put_right(someone, truth)
    set_conditions(someone, truth["hand"])
    right = score(*hand_from_json(truth["hand"])).total
    assert someone.total() == right

    chosen = next(one for one in someone.draft()["tiles"] if one["role"] == "concealed" and one["quad"])
    someone.taps = 0
    someone.tap(f'#board [data-tile="{chosen["id"]}"]')
    someone.tap('#sheet .keypad [data-face="7z"]')
    assert someone.taps == 2
    expect(someone.page.locator("#problem")).to_have_attribute("data-code", "not_winning")
    expect(someone.page.locator("#save")).to_be_disabled()
    someone.tap('[data-key="undo"]')
    assert someone.total() == right
    someone.tap('[data-key="redo"]')
    expect(someone.page.locator("#problem")).to_be_visible()
    someone.tap('[data-key="undo"]')

    # The same tile through the photo itself.
    someone.page.locator(f'#photo [data-tile="{chosen["id"]}"] polygon').click()
    expect(someone.page.locator("#sheet .cutout")).to_be_visible()
    someone.page.keyboard.press("Escape")
    expect(someone.page.locator("#sheet")).to_be_hidden()


def test_two_close_readings_are_offered_with_their_scores(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    _, truth = sample("three-chows")
    first = truth["hand"]
    second = first | {
        "concealed": [face if face != "5p" else "9p" for face in first["concealed"]],
    }
    tiles = [
        {
            "face": one["face"],
            "confidence": 0.6,
            "alternatives": [["9p", 0.4]] if one["face"] == "5p" else [],
            "quad": one["quad"],
            "group": one["group"],
            "role": one["role"],
            "sideways": one["sideways"],
        }
        for one in truth["tiles"]
    ]
    recognition = {
        "image": "photo",
        "width": truth["width"],
        "height": truth["height"],
        "tiles": tiles,
        "hand": first,
        "readings": [{"hand": first, "probability": 0.55}, {"hand": second, "probability": 0.4}],
        "score": None,
        "problems": [],
        "timing_ms": {},
    }
    token = served[1].extensions["pending_photos"].put(sample("three-chows")[0].read_bytes(), recognition)
    someone = new_person()
    someone.open(f"/photo/{token}")
    offered = someone.page.locator("#readings .reading")
    expect(offered).to_have_count(2)
    totals = [score(*hand_from_json(hand)).total for hand in (first, second)]
    for place, total in enumerate(totals):
        expect(offered.nth(place)).to_contain_text(f"{total} point")
    someone.tap(offered.nth(1))
    assert someone.total() == totals[1]
    expect(offered.nth(1)).to_have_attribute("aria-pressed", "true")
    assert sorted(one["face"] for one in someone.draft()["tiles"]).count("9p") == 2


def test_unsure_tiles_come_first_for_the_keyboard(
    new_person: Callable[..., Person], misread: tuple[Json, int, str]
) -> None:
    someone = new_person(DESKTOP)
    someone.send_photo(misread[0])
    page = someone.page
    page.locator("#main").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#doubt') !== null")
    # For the eye the photo stays on top.
    photo, doubt = page.locator("#photo").bounding_box(), page.locator("#doubt").bounding_box()
    assert photo
    assert doubt
    assert photo["y"] < doubt["y"]
    page.locator(f'#doubt [data-face="{misread[2]}"]').focus()
    someone.press("Enter")
    assert next(one for one in someone.draft()["tiles"] if one["id"] == misread[1])["face"] == misread[2]
