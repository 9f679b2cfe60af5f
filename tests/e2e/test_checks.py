"""What the page asks and says about a photo before its hand is confirmed: notices, doubts, rival readings."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from scorer import hand_from_json, score
from tests.e2e.browser import Json, Person
from tests.e2e.conftest import laid_out, sample

pytestmark = pytest.mark.e2e
#: What `vision` says of a hand none of whose tiles lies apart; the page has its own words for it.
NOT_APART = {"code": "winning_tile_unknown", "message": "no tile lies apart: the last was taken"}


@pytest.mark.parametrize(
    ("locale", "asked", "won"),
    [
        ("en-GB", "Which tile won? The total depends on it.", "9 Characters"),
        ("zh-CN", "和的是哪张？总分因此不同。", "九万"),
    ],
    ids=["english", "chinese"],
)
def test_which_tile_won_is_asked_with_the_total_of_each(
    new_person: Callable[..., Person], served: tuple[str, Any], locale: str, asked: str, won: str
) -> None:
    _, truth = sample("three-chows")
    faces = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9p", "9p", "9p", "1z", "1z", "9m"]
    hand = truth["hand"] | {"concealed": faces[:-1], "winning_tile": faces[-1], "melds": [], "flowers": []}
    tiles = [
        {key: one[key] for key in ("quad", "group", "sideways")}
        | {"face": face, "role": "concealed", "confidence": 0.99, "alternatives": []}
        for one, face in zip(truth["tiles"], faces, strict=False)
    ]
    someone = new_person(locale=locale)
    page = someone.page
    someone.open(laid_out(served, "three-chows", tiles=tiles, hand=hand, problems=[NOT_APART]))
    someone.won("S", "self_drawn")
    expect(page.locator("#fix p")).to_have_text(asked)
    drawn = hand | {"seat_wind": "S", "self_drawn": True}
    totals = {}
    for face in sorted(set(faces)):
        rest = list(faces)
        rest.remove(face)
        totals[face] = score(*hand_from_json(drawn | {"concealed": rest, "winning_tile": face})).total
        expect(page.locator(f'#fix [data-key="won-{face}"]')).to_contain_text(str(totals[face]))
    assert len(set(totals.values())) > 1
    expect(page.locator('#fix [data-key="won-9m"]')).to_contain_text(won)
    # It is an open question: Confirm leads to it.
    someone.tap("#save")
    assert page.evaluate("document.activeElement.closest('#check') !== null")
    someone.tap('#fix [data-key="won-1z"]')
    expect(page.locator("#fix")).to_have_count(0)
    assert someone.total() == totals["1z"]
    someone.tap('[data-key="undo"]')
    someone.tap('#fix [data-key="won-9m"]')
    assert someone.total() == totals["9m"]
    expect(page.locator("#bar-note")).not_to_contain_text("question")


def test_which_tile_won_is_not_asked_where_every_answer_is_the_same(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    someone = new_person()
    someone.open(laid_out(served, "seven-pairs-dim", problems=[NOT_APART]))
    someone.won("E", "self_drawn")
    expect(someone.page.locator("#check")).to_be_hidden()
    expect(someone.page.locator("#bar-note")).to_contain_text("fan")


@pytest.mark.parametrize("answer", ["called", "concealed"])
def test_melds_that_may_be_concealed_are_asked_about_once(
    new_person: Callable[..., Person], served: tuple[str, Any], answer: str
) -> None:
    _, truth = sample("dragons")
    first: dict[int, int] = {}
    for number, tile in enumerate(truth["tiles"]):
        if tile["role"] == "meld":
            first.setdefault(tile["group"], number)
    assert len(first) > 1
    someone = new_person()
    page = someone.page
    problems = [in_doubt(number, "role") for number in sorted(first.values())]
    someone.open(laid_out(served, "dragons", problems=problems))
    expect(page.locator("#doubt h2")).to_contain_text(f"Were these {len(first)} sets called")
    someone.taps = 0
    someone.tap(f'#doubt [data-key="check-{answer}"]')
    assert someone.taps == 1
    expect(page.locator("#doubt")).to_have_count(0)
    expect(page.locator("#board .mark")).to_have_count(0)
    expect(page.locator("#board .meld")).to_have_count(len(first) if answer == "called" else 0)
    someone.tap('[data-key="undo"]')
    expect(page.locator("#doubt")).to_be_visible()


def in_doubt(tile: int, doubt: str) -> Json:
    return {"code": "doubtful_tile", "message": "in the words of vision", "tile": tile, "doubt": doubt}


def east_kong() -> tuple[int, Json, Json]:
    """The first tile of the kong of East in its photo, and the readings with that kong melded and concealed."""
    _, truth = sample("east-kong")
    first = next(place for place, tile in enumerate(truth["tiles"]) if tile["face"] == "1z")
    hands = [
        truth["hand"]
        | {
            "melds": [
                meld | {"kind": kind} if meld["tiles"] == ["1z"] * 4 else meld
                for meld in truth["hand"]["melds"]
            ]
        }
        for kind in ("melded_kong", "concealed_kong")
    ]
    return first, hands[0], hands[1]


@pytest.mark.parametrize(
    ("locale", "asked", "melded", "concealed"),
    [
        (
            "en-GB",
            "None of this kong's tiles lies sideways. Was it melded or concealed?",
            "Melded kong",
            "Concealed kong",
        ),
        ("zh-CN", "这个杠没有横放的牌。是明杠还是暗杠？", "明杠", "暗杠"),
    ],
    ids=["english", "chinese"],
)
def test_a_kong_in_doubt_is_asked_for_its_kind(
    new_person: Callable[..., Person],
    served: tuple[str, Any],
    locale: str,
    asked: str,
    melded: str,
    concealed: str,
) -> None:
    number, as_melded, as_concealed = east_kong()
    someone = new_person(locale=locale)
    page = someone.page
    someone.open(laid_out(served, "east-kong", problems=[in_doubt(number, "kong")], hand=as_melded))
    expect(page.locator("#doubt h2")).to_have_text(asked)
    expect(page.locator("#doubt .cutout")).to_be_visible()
    # It is no question of faces.
    expect(page.locator("#doubt [data-face]")).to_have_count(0)
    expect(page.locator("#doubt button")).to_have_text([melded, concealed])
    assert someone.total() == score(*hand_from_json(as_melded)).total
    for key, kind, hand in (
        ("check-concealed", "concealed_kong", as_concealed),
        ("check-melded", "melded_kong", as_melded),
    ):
        someone.taps = 0
        someone.tap(f'#doubt [data-key="{key}"]')
        assert someone.taps == 1
        expect(page.locator("#doubt")).to_have_count(0)
        expect(page.locator("#board .mark")).to_have_count(0)
        expect(page.locator(f'#board .meld[data-kind="{kind}"] [data-tile]')).to_have_count(4)
        assert someone.total() == score(*hand_from_json(hand)).total
        someone.tap('[data-key="undo"]')
        expect(page.locator("#doubt h2")).to_have_text(asked)
    # The sheet of the kong settles it too.
    someone.tap(f'#board [data-tile="{number}"]')
    someone.tap('#sheet [data-action="hide"]')
    expect(page.locator("#doubt")).to_have_count(0)
    assert someone.total() == score(*hand_from_json(as_concealed)).total


def test_the_kong_of_a_real_photo_is_asked_for_its_kind(new_person: Callable[..., Person]) -> None:
    someone = new_person()
    someone.send_photo(sample("east-kong")[0])
    expect(someone.page.locator("#doubt h2")).to_contain_text("None of this kong's tiles lies sideways")
    expect(someone.page.locator("#readings .reading")).to_contain_text(
        ["Melded kong: East Wind", "Concealed kong: East Wind"]
    )


def test_readings_of_one_kong_say_what_differs(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    number, as_melded, as_concealed = east_kong()
    readings = [
        {"hand": as_melded, "probability": 0.59},
        {"hand": as_concealed, "probability": 0.37},
    ]
    someone = new_person()
    problems = [in_doubt(number, "kong")]
    someone.open(laid_out(served, "east-kong", problems=problems, hand=as_melded, readings=readings))
    offered = someone.page.locator("#readings .reading")
    expect(offered.locator("span")).to_have_text(["Melded kong: East Wind", "Concealed kong: East Wind"])
    # A reading taken settles the doubt, for it says of which kind the kong is.
    someone.tap(offered.nth(1))
    expect(someone.page.locator("#doubt")).to_have_count(0)
    assert someone.total() == score(*hand_from_json(as_concealed)).total


def test_a_place_in_doubt_is_no_question_of_faces(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    _, truth = sample("east-kong")
    place = {tile["role"]: number for number, tile in enumerate(truth["tiles"])}
    someone = new_person()
    page = someone.page
    problems = [in_doubt(place["flower"], "role")]
    someone.open(laid_out(served, "east-kong", problems=problems))
    before, flowers = someone.total(), page.locator("#board .flowers .tile").count()
    number = int(page.locator("#doubt").get_attribute("data-tile") or "")
    assert number == place["flower"]
    text = "This tile lies away from the hand and may not be one of its flowers."
    expect(page.locator("#doubt h2")).to_have_text(text)
    expect(page.locator("#doubt [data-face]")).to_have_count(0)
    someone.tap('#doubt [data-key="check-agree"]')
    expect(page.locator("#doubt")).to_have_count(0)
    assert someone.total() == before
    someone.tap('[data-key="undo"]')
    someone.tap('#doubt [data-key="check-out"]')
    expect(page.locator("#board .flowers .tile")).to_have_count(flowers - 1)
    assert someone.total() == before - 1
