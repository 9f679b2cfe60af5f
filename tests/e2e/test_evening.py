"""A whole evening in Chromium: sixteen hands, four people, two phones, and everything that goes wrong at a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from scorer import hand_to_json, parse_hand
from scorer.match import Draw, Match, Win, event_from_json, standings
from tests.e2e.browser import DESKTOP, PHONE, Person
from tests.e2e.evening import NAMES, Evening, action, fill_in_names, shown, totals
from tests.e2e.test_accessible import faults
from tests.webapp.test_match_files import lines_of

pytestmark = pytest.mark.e2e

STRAIGHT = hand_to_json(*parse_hand("123456789m12s55z3s"))
TILES = [f"{rank}m" for rank in range(1, 10)] + ["1s", "2s", "5z", "5z", "3s"]


def start_with_recent_names(someone: Person) -> None:
    """Starts a match of sixteen hands with four people who played before: a tap each."""
    someone.open("/matches")
    for name in NAMES:
        someone.tap(someone.page.locator("#names").get_by_text(name, exact=True))
    someone.tap("#new-form > .button")
    someone.page.wait_for_url("**/match/*")
    shown(someone, 0)


def stored(someone: Person, served: tuple[str, Any]) -> Any:
    key = someone.page.url.split("/match/")[1].split("/")[0]
    found = served[1].extensions["ledger"].matches.find(key)
    assert found is not None
    return found[0]


def offline_for_two_hands(evening: Evening, someone: Person, other: Person) -> None:
    someone.page.context.set_offline(True)
    action(someone, "draw")
    someone.tap("dialog [data-save]")
    evening.only_points(someone, winner=3, points=24, source=0)
    expect(someone.page.locator("#waiting")).to_contain_text("2 entries")
    shown(other, evening.match.hands_played)
    someone.page.context.set_offline(False)
    evening.events += [Draw(), Win(3, 24, 0)]
    shown(someone, evening.match.hands_played)
    expect(someone.page.locator("#waiting")).to_be_hidden()


def test_an_evening_of_sixteen_hands(new_person: Callable[..., Person], served: tuple[str, Any]) -> None:
    keeper, other = new_person(PHONE), new_person(PHONE)
    fill_in_names(keeper, hands=1)
    keeper.tap('#actions [data-action="draw"]')
    keeper.tap("dialog [data-save]")
    shown(keeper, 1)

    keeper.taps = 0
    evening = Evening()
    start_with_recent_names(keeper)
    other.open(f"/match/{stored(keeper, served).enter_key}")

    evening.photographed(keeper, "dragons", winner=2, source=0)
    shown(other, 1)
    evening.drawn(keeper)
    evening.photographed(keeper, "seven-pairs-dim", winner=0, source=None)
    evening.penalty(keeper, player=3, false_win=True)
    evening.photographed(keeper, "all-dots", winner=3, source=1)
    expect(keeper.page.locator(".seats-change svg")).to_be_visible()
    evening.typed(keeper, TILES, STRAIGHT, winner=1, source=2)
    evening.penalty(keeper, player=1)
    evening.withdrawn(keeper, event=len(evening.events))
    evening.photographed(keeper, "three-chows", winner=0, source=3)
    evening.seats_mended(keeper, 1, 2)
    evening.photographed(keeper, "all-dots", winner=2, source=1)
    evening.drawn(keeper)
    evening.photographed(keeper, "dragons", winner=1, source=3)
    evening.corrected(keeper, hand=3, name="seven-pairs-dim", winner=1)

    shown(other, 9)
    evening.photographed(other, "all-dots", winner=2, source=0)
    shown(keeper, 10)
    offline_for_two_hands(evening, keeper, other)
    shown(other, 12)
    assert totals(other) == totals(keeper) == list(evening.match.totals)
    expect(keeper.page.locator("#needs tbody tr").first).to_be_visible()
    evening.photographed(keeper, "seven-pairs-dim", winner=3, source=None)
    evening.photographed(keeper, "all-dots", winner=2, source=0)
    evening.photographed(keeper, "three-chows", winner=1, source=0)
    evening.photographed(keeper, "dragons", winner=0, source=2)

    taps = keeper.taps + other.taps
    print(f"the evening took {taps} taps")
    assert taps <= 85
    expect(keeper.page.locator("#end")).to_be_visible()
    check_the_end(keeper, other, evening.match, stored(keeper, served))


def check_the_end(keeper: Person, other: Person, match: Match, kept: Any) -> None:
    """The pages, the ledger and the printed sheet say what `scorer.match` says of what happened."""
    assert match.is_over
    assert kept.match.totals == match.totals
    assert [one.event for one in kept.events] == list(match.events)
    again = Match(tuple(event_from_json(one.to_json()["event"]) for one in kept.events))
    assert again.totals == match.totals
    shown(other, 16)
    assert totals(keeper) == totals(other) == list(match.totals)
    ranks = [int(text) for text in keeper.page.locator("#end tbody td:first-child").all_text_contents()]
    assert ranks == [one.rank for one in standings(match.totals)]
    sheet = keeper.page.request.get(f"{keeper.address}/api/v1/matches/{kept.look_key}/export.pdf")
    text = " ".join(lines_of(sheet.body())).replace("−", "-")
    assert "Total " + " ".join(f"{points:+d}" for points in match.totals) in text


@pytest.mark.parametrize(
    ("size", "locale"), [(PHONE, "zh-CN"), (DESKTOP, "en-GB"), (DESKTOP, "zh-CN")], ids=str
)
def test_a_shorter_evening_with_every_screen_accessible(
    new_person: Callable[..., Person], served: tuple[str, Any], size: tuple[int, int], locale: str
) -> None:
    someone = new_person(size, locale=locale)
    evening = Evening(hands=4)
    fill_in_names(someone, hands=4)
    evening.drawn(someone)
    evening.penalty(someone, player=2)
    evening.photographed(someone, "all-dots", winner=3, source=1)
    evening.seats_mended(someone, 0, 2)
    evening.photographed(someone, "seven-pairs-dim", winner=0, source=None)
    evening.corrected(someone, hand=3, name="seven-pairs-dim", winner=1)
    for name in ("points", "draw", "penalty", "seats", "end"):
        action(someone, name)
        check_screen(someone, size)
        someone.tap("dialog form > .row > .button:not([data-save]):last-child")
    expect(someone.page.locator("#needs tbody tr").first).to_be_visible()
    check_screen(someone, size)
    evening.drawn(someone)
    expect(someone.page.locator("#end")).to_be_visible()
    check_screen(someone, size)
    key = stored(someone, served).look_key
    assert stored(someone, served).match.totals == evening.match.totals
    for page in (f"/match/{key}/entry/4", "/matches", "/statistics", "/"):
        someone.open(page)
        someone.page.wait_for_load_state("networkidle")
        check_screen(someone, size)


def check_screen(someone: Person, size: tuple[int, int]) -> None:
    assert faults(someone) == []
    assert someone.page.evaluate("document.documentElement.scrollWidth") <= size[0]
