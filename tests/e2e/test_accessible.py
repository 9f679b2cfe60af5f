"""axe-core finds nothing to complain about on any page, light and dark, on phones and desktops."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.e2e.browser import Person
from tests.e2e.conftest import sample
from vision.photo import load_photo
from vision.tilesets import learn

pytestmark = pytest.mark.e2e
HAND = "234567p9s[EEE][999m]9s|EE0000|eb"
LOOKS = pytest.mark.parametrize(
    ("size", "dark"),
    [((320, 640), False), ((360, 740), True), ((768, 1024), False), ((1280, 800), True)],
    ids=str,
)
# WCAG 2.2 A and AA, and what axe holds to be good practice.
# Every element that breaks a rule is wanted; of those that keep it one is enough, for a list of all takes axe long.
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}


def faults(someone: Person) -> list[Any]:
    """What axe finds on the page as it is now: the rule, and the element that breaks it."""
    found = Axe().run(someone.page, options=RULES).response
    assert len(found["passes"]) > 10  # it did look
    return [
        (fault["id"], node["target"], node["failureSummary"])
        for fault in found["violations"]
        for node in fault["nodes"]
    ]


def start(someone: Person) -> None:
    someone.open("/")
    expect(someone.page.locator("#recent a").first).to_be_visible()


def keyboard(someone: Person) -> None:
    someone.open("/hand")
    someone.type("234567p11z")


def scored(someone: Person) -> None:
    someone.read_notation(HAND)
    someone.won("E", "S")
    for summary in ("details.not-counted summary", "details.what-if summary", "#players summary"):
        someone.tap(summary)
    someone.tap(".fanrow >> nth=0")


def waiting(someone: Person) -> None:
    someone.read_notation("123456789m12s55z3s")
    someone.tap("#board .winning .tile")
    someone.tap('#sheet [data-action="remove"]')
    expect(someone.page.locator("#waits")).to_be_visible()


def refused(someone: Person) -> None:
    someone.open("/hand")
    someone.press("Escape")
    someone.tap("#notation summary")
    someone.page.fill("#notation-text", "123m?")
    someone.tap("#notation-form button >> nth=0")
    expect(someone.page.locator("#notation-error")).to_be_visible()


def ledger(someone: Person) -> None:
    someone.open("/hands")
    someone.tap(".languages summary")


def fans(someone: Person) -> None:
    someone.open("/fans?profile=platform")
    someone.tap("details.fan summary >> nth=4")


def guide(someone: Person) -> None:
    someone.open("/help")


def error(someone: Person) -> None:
    someone.open("/nothing")


def tilesets(someone: Person) -> None:
    path, truth = sample("three-chows")
    named = [(tile["face"], tile["quad"]) for tile in truth["tiles"] if tile["role"] == "concealed"]
    learn("Lin-s tiles", load_photo(path), named)
    someone.open("/tilesets")
    assert someone.page.locator(".set-choice .tile").count() > 20


def gone(someone: Person) -> None:
    someone.open("/photo/abcdef")


def photo(someone: Person) -> None:
    someone.send_photo(sample("east-kong")[0])


def sheet(someone: Person) -> None:
    someone.tap("#board .meld .tile >> nth=0")


def taught(someone: Person) -> None:
    someone.tap('[data-key="close"]')
    someone.tap("#teach summary")
    expect(someone.page.locator("#teach-form button")).to_be_visible()


# Photos are read once each; the sheet is the one of the photo's hand, so it comes after.
POSES = (
    start,
    keyboard,
    scored,
    waiting,
    refused,
    ledger,
    fans,
    guide,
    error,
    gone,
    photo,
    sheet,
    taught,
    tilesets,
)


@LOOKS
def test_axe_finds_nothing(
    new_person: Callable[..., Person], served: tuple[str, Any], size: tuple[int, int], dark: bool
) -> None:
    someone = new_person(size, dark=dark, locale="zh-CN" if dark else "en-GB")
    someone.read_notation("123456789m12sCC3s")
    someone.won("E", "self_drawn")
    someone.hit(someone.page.locator("#save"))
    someone.page.wait_for_url("**/hands#hand-*")
    found = {}
    for pose in POSES:
        pose(someone)
        complaints = faults(someone)
        if complaints:
            found[pose.__name__] = complaints
    assert found == {}


def test_axe_would_find_something(new_person: Callable[..., Person]) -> None:
    someone = new_person()
    someone.open("/help")
    someone.page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [rule for rule, *_ in faults(someone)] == ["button-name"]
