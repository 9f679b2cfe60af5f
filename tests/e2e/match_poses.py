"""The screens of a match as `take_pictures` photographs them."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import expect

from scorer import hand_to_json, parse_hand
from tests.e2e.browser import Person

NAMES = ("Anna", "Bo", "陈静", "Dmitri")
STRAIGHT = hand_to_json(*parse_hand("123456789m12s55z3s"))
ORPHANS = hand_to_json(*parse_hand("19m19p19s1234567z1m"))
PUNGS = hand_to_json(*parse_hand("22p[555m][CCC][888s]99p2p"))
Step = dict[str, Any]


def won(winner: int, discarder: int | None, hand: dict[str, Any]) -> Step:
    """A hand that was entered with its tiles."""
    return {
        "win": {"winner": winner, "discarder": discarder, "hand": hand | {"self_drawn": discarder is None}}
    }


def points(winner: int, discarder: int | None, number: int) -> Step:
    """A hand of which only the points were entered."""
    return {"event": {"kind": "win", "winner": winner, "discarder": discarder, "points": number}}


DRAW: Step = {"event": {"kind": "draw"}}
LATE: Step = {"event": {"kind": "penalty", "player": 2, "points": 30, "reason": "late"}}
FALSE_WIN: Step = {"event": {"kind": "false_win", "player": 3, "each": 10}}
EVENING = (
    won(1, 3, PUNGS), DRAW, won(0, None, STRAIGHT), LATE, points(2, 1, 9), won(3, 0, STRAIGHT),
    points(0, 2, 33), DRAW, won(1, None, PUNGS), FALSE_WIN, points(1, 0, 12), won(2, 3, ORPHANS),
    points(0, 1, 28), won(3, None, STRAIGHT), points(2, 0, 16), DRAW, won(0, 3, PUNGS), points(1, 2, 24),
)  # fmt: skip


def play(someone: Person, steps: tuple[Step, ...], title: str = "", shift: int = 0) -> str:
    """Plays a match through the API and lets the browser keep its keys; returns the look key."""
    someone.open("/help")
    request, matches = someone.page.request, f"{someone.address}/api/v1/matches"
    names = [NAMES[(place + shift) % 4] for place in range(4)]
    begun = request.post(matches, data={"players": names, "title": title}).json()
    keys = begun["keys"]
    for after, step in enumerate(steps):
        answer = request.post(f"{matches}/{keys['enter']}/entries", data={"after": after, **step})
        assert answer.status == 201, answer.text()
    someone.page.evaluate(
        """([look, enter, own]) => {
            const kept = JSON.parse(localStorage.getItem("fanlens.matches") || "{}");
            localStorage.setItem("fanlens.matches", JSON.stringify({ ...kept, [look]: { enter, own } }));
        }""",
        [keys["look"], keys["enter"], begun["owner_key"]],
    )
    return str(keys["look"])


def table(someone: Person, steps: tuple[Step, ...] = EVENING[:5]) -> None:
    """A match in play."""
    someone.open(f"/match/{play(someone, steps)}")
    someone.page.wait_for_selector("#rows [data-hand]")


def new_match(someone: Person) -> None:
    """The form of a new match, two names chosen of those that played before."""
    play(someone, EVENING)
    someone.open("/matches")
    someone.hit(someone.page.locator("#names button").nth(0))
    someone.hit(someone.page.locator("#names button").nth(1))


def hand_in_match(someone: Person) -> None:
    """A hand within a match, somebody named as its winner and its discarder."""
    key = play(someone, EVENING[:6])
    hand = "123456789m12s55z3s"
    enter = json.loads(someone.page.evaluate("localStorage.getItem('fanlens.matches')"))[key]["enter"]
    someone.open(f"/hand?match={enter}&h={hand}")
    someone.page.wait_for_selector("#board .tile")
    someone.tap(someone.page.locator("[data-condition=winner]").nth(1))
    someone.tap(someone.page.locator("[data-condition=from]").nth(1))
    someone.page.locator("#conditions").evaluate("(one) => one.scrollIntoView()")


def seats(someone: Person) -> None:
    """The seats change after a round."""
    table(someone, EVENING[:5])
    expect(someone.page.locator(".seats-change")).to_be_visible()


def penalty(someone: Person) -> None:
    """The form of a penalty."""
    table(someone)
    someone.tap("[data-action=penalty]")
    someone.tap('dialog [data-value="2"] >> nth=0')


def sheet(someone: Person) -> None:
    """The score sheet of a match of which eleven hands have been played, and what each player needs."""
    table(someone, EVENING[:16])
    someone.page.locator("#sheet").evaluate("(one) => one.scrollIntoView()")


def needed(someone: Person) -> None:
    """What each player needs in the last round."""
    table(someone, EVENING[:16])
    someone.page.locator("#needs").evaluate("(one) => one.scrollIntoView()")


def end(someone: Person) -> None:
    """The result."""
    table(someone, EVENING)
    someone.page.locator("#end").evaluate("(one) => one.scrollIntoView()")


def entry(someone: Person) -> None:
    """A hand of the score sheet, opened."""
    key = play(someone, EVENING[:6])
    someone.open(f"/match/{key}/entry/6")


def several(someone: Person) -> None:
    """Three evenings of the same four."""
    for number in range(3):
        play(someone, EVENING[: 19 - 5 * number], title=f"Friday {number + 1}", shift=number)


def history(someone: Person) -> None:
    """The list of matches."""
    several(someone)
    someone.open("/matches")
    someone.page.wait_for_selector("#matches li")
    someone.page.locator("#history-title").evaluate("(one) => one.scrollIntoView()")


def statistics(someone: Person) -> None:
    """Statistics over them."""
    several(someone)
    someone.open("/statistics")
    someone.page.wait_for_selector("#course svg")


def link(someone: Person) -> None:
    """The link to watch, with its QR code."""
    table(someone)
    someone.tap("#links .button >> nth=0")
    someone.page.wait_for_load_state("networkidle")
