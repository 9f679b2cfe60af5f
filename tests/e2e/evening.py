"""People at a table who keep their score with Fanlens: what they tap, and the events that must come of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import expect

from scorer import hand_from_json, score
from scorer.match import Correction, Draw, Event, FalseWin, Match, Penalty, SeatsCorrected, Win, Withdrawal
from tests.e2e.browser import Person
from tests.e2e.conftest import sample

NAMES = ("Anna", "Bo", "陈", "Dmitri")


def fill_in_names(someone: Person, *, hands: int) -> None:
    """Fills in the form of a new match and starts it; the names are typed."""
    someone.open("/matches")
    for seat, name in enumerate(NAMES):
        someone.page.locator("[name=player]").nth(seat).fill(name)
    someone.hit(someone.page.locator("#new-form summary"))
    someone.page.fill("[name=hands]", str(hands))
    someone.hit(someone.page.locator("#new-form > .button"))
    someone.page.wait_for_url("**/match/*")
    shown(someone, 0)


def shown(someone: Person, played: int) -> None:
    """Waits until the score sheet shows so many hands."""
    expect(someone.page.locator("#rows [data-hand]")).to_have_count(played)


def totals(someone: Person) -> list[int]:
    """What the table shows for each player, in the order drawn."""
    found = {}
    for seat in someone.page.locator("#table .seat").all():
        text = (seat.locator(".total").text_content() or "").replace("−", "-")
        found[int(seat.get_attribute("data-player") or -1)] = int(text)
    return [found[player] for player in range(4)]


def action(someone: Person, name: str) -> None:
    someone.tap(f'#actions [data-action="{name}"]')


def say_who_won(someone: Person, winner: int, source: int | None) -> None:
    """Names the winner and the discarder (None: self-drawn) of the hand on the page, and saves it."""
    someone.tap(someone.page.locator("[data-condition=winner]").nth(winner))
    others = [player for player in range(4) if player != winner]
    place = 0 if source is None else 1 + others.index(source)
    someone.tap(someone.page.locator("[data-condition=from]").nth(place))
    expect(someone.page.locator("#bar-total")).to_contain_text(NAMES[winner])
    someone.tap("#save")
    someone.page.wait_for_url("**/match/*")


@dataclass
class Evening:
    """A match that is being played: `events` is what everybody at the table knows to have happened."""

    events: list[Event] = field(default_factory=list)
    hands: int = 16

    @property
    def match(self) -> Match:
        """The match that these events make."""
        return Match(tuple(self.events), hands=self.hands)

    def points(
        self, hand: dict[str, Any], winner: int, *, self_drawn: bool, number: int | None = None
    ) -> int:
        """What a hand is worth for `winner` in the hand of this number, by default the one in play."""
        match = self.match
        number = number or match.hand_number
        winds = {
            "seat_wind": match.seats(number)[winner],
            "prevalent_wind": "ESWN"[(number - 1) // 4],
            "self_drawn": self_drawn,
        }
        return score(*hand_from_json(hand | winds)).total

    def happened(self, someone: Person, event: Event) -> None:
        """Notes what happened, and waits until this person's page shows it."""
        self.events.append(event)
        shown(someone, self.match.hands_played)
        assert totals(someone) == list(self.match.totals)

    def photographed(self, someone: Person, name: str, winner: int, source: int | None) -> None:
        """A hand is photographed: at most four taps besides the camera."""
        photo, truth = sample(name)
        before = someone.taps
        someone.page.set_input_files("#camera", photo)
        someone.page.wait_for_url("**/photo/*", timeout=90_000)
        someone.wait_until_drawn()
        say_who_won(someone, winner, source)
        assert someone.taps - before <= 4
        points = self.points(truth["hand"], winner, self_drawn=source is None)
        self.happened(someone, Win(winner, points, source))

    def typed(
        self, someone: Person, tiles: list[str], hand: dict[str, Any], winner: int, source: int
    ) -> None:
        """A hand is typed tile by tile, the winning tile last."""
        action(someone, "type")
        someone.page.wait_for_url("**/hand?match=*")
        for tile in tiles:
            someone.tap(f'#sheet [data-face="{tile}"]')
        someone.tap('[data-key="close"]')
        say_who_won(someone, winner, source)
        self.happened(someone, Win(winner, self.points(hand, winner, self_drawn=False), source))

    def drawn(self, someone: Person) -> None:
        """Nobody wins: two taps."""
        before = someone.taps
        action(someone, "draw")
        someone.tap("dialog [data-save]")
        assert someone.taps - before == 2
        self.happened(someone, Draw())

    def only_points(self, someone: Person, winner: int, points: int, source: int) -> None:
        """The points are entered without the hand; each digit is a tap."""
        action(someone, "points")
        fields = someone.page.locator("dialog fieldset")
        someone.tap(fields.nth(0).locator(f'[data-value="{winner}"]'))
        someone.tap(fields.nth(1).locator(f'[data-value="{source}"]'))
        someone.page.locator("dialog input[type=number]").press_sequentially(str(points))
        someone.taps += len(str(points))
        someone.tap("dialog [data-save]")

    def penalty(self, someone: Person, player: int, *, false_win: bool = False) -> None:
        """Somebody is punished: at most four taps."""
        before, already = someone.taps, len(self.match.charges)
        action(someone, "penalty")
        fields = someone.page.locator("dialog fieldset")
        someone.tap(fields.nth(0).locator(f'[data-value="{player}"]'))
        if false_win:
            someone.tap(fields.nth(1).locator('[data-value="false_win"]'))
        someone.tap("dialog [data-save]")
        assert someone.taps - before <= 4
        expect(someone.page.locator("#rows [data-charge]")).to_have_count(already + 1)
        self.happened(someone, FalseWin(player, 10) if false_win else Penalty(player, 30))

    def withdrawn(self, someone: Person, event: int) -> None:
        """A penalty is taken back."""
        already = len(self.match.charges)
        someone.tap(f'#rows [data-charge="{event}"] button')
        expect(someone.page.locator("#rows [data-charge]")).to_have_count(already - 1)
        self.happened(someone, Withdrawal(event))

    def seats_mended(self, someone: Person, one: int, other: int) -> None:
        """Two players have sat down at each other's seat."""
        seats = self.match.seats()
        action(someone, "seats")
        for player in (one, other):
            someone.tap(f'dialog [data-wind="{seats[player]}"]')
        someone.tap("dialog [data-save]")
        order = list(range(4))
        order[one], order[other] = other, one
        east, south, west, north = order
        self.events.append(SeatsCorrected((east, south, west, north), self.match.hand_number))
        dealer = self.match.dealer
        expect(someone.page.locator('#table [data-wind="E"]')).to_have_attribute("data-player", str(dealer))
        assert self.match.seats() == tuple(
            seats[other if player == one else one if player == other else player] for player in range(4)
        )

    def corrected(self, someone: Person, hand: int, name: str, winner: int) -> None:
        """Another player won that hand; the winning tile was drawn, as it says already."""
        entry = self.match.played[hand - 1].entry.number
        someone.tap(f'#rows [data-hand="{hand}"] button')
        someone.page.wait_for_url("**/entry/*")
        someone.tap(".button.primary")
        someone.page.wait_for_url("**/hand?match=*")
        expect(someone.page.locator("#board .tile").first).to_be_visible()
        someone.tap(someone.page.locator("[data-condition=winner]").nth(winner))
        expect(someone.page.locator("#bar-total")).to_contain_text(NAMES[winner])
        someone.tap("#save")
        someone.page.wait_for_url("**/match/*")
        points = self.points(sample(name)[1]["hand"], winner, self_drawn=True, number=hand)
        expect(someone.page.locator(f'#rows [data-hand="{hand}"] .mark')).to_be_visible()
        self.happened(someone, Correction(entry, Win(winner, points)))
