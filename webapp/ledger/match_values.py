"""A match as the ledger keeps it: settings, players, events as entered, and what a key allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import Any, Final

from scorer.errors import FanlensError
from scorer.match import SEAT_CHANGES, Event, Match, event_to_json
from scorer.match.events import MOST_POINTS
from scorer.settlement import BASE

LONGEST_NAME: Final = 40
LONGEST_TITLE: Final = 100


class Access(IntEnum):
    """What a key allows, more from step to step."""

    LOOK = 1
    ENTER = 2
    OWN = 3


class MatchError(FanlensError):
    """A match that cannot be started, found or changed."""


class OutOfDateError(MatchError):
    """Somebody else entered something first: `stored` is the match as it stands now."""

    def __init__(self, stored: StoredMatch) -> None:
        """Keep the match as it stands."""
        super().__init__(
            "out_of_date", "somebody else entered something first: look at it and enter yours again"
        )
        self.stored = stored


class KeyUsedError(MatchError):
    """Another event was sent under the same key."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("key_used", "this key was used for another entry: enter yours again")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a match is played; raises `MatchError` `bad_settings`.

    `minutes` is a time limit, None without one; `false_win` is what a false win costs for each other player; `base` is
    what every loser of a hand pays beside the points, which follows from the profile when the match starts.
    """

    profile: str = "guobiao"
    seating: str = "usual"
    hands: int = 16
    minutes: int | None = None
    false_win: int = 10
    base: int = BASE

    def __post_init__(self) -> None:
        """Check every value."""
        if not isinstance(self.seating, str) or self.seating not in SEAT_CHANGES:
            raise MatchError("bad_settings", f"seating must be one of {', '.join(SEAT_CHANGES)}")
        for name, value, low, high in (
            ("hands", self.hands, 1, 16),
            ("minutes", 1 if self.minutes is None else self.minutes, 1, 24 * 60),
            ("false_win", self.false_win, 1, 999),
            ("base", self.base, 0, MOST_POINTS),
        ):
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                raise MatchError("bad_settings", f"{name} must be a whole number from {low} to {high}")

    def match(self, events: tuple[Event, ...] = ()) -> Match:
        """The match that these events make. Raises `HandError` `bad_match` where one does not fit."""
        return Match(events, self.seating, self.hands, self.base)


@dataclass(frozen=True, kw_only=True)
class NewMatch:
    """What a match starts with: four names by the seat drawn (East, South, West, North); raises `MatchError`."""

    players: tuple[str, str, str, str]
    settings: Settings = field(default_factory=Settings)
    title: str = ""

    def __post_init__(self) -> None:
        """Check the names and the title, and trim them."""
        names = tuple(clean_name(name) for name in self.players)
        if len(names) != 4:
            raise MatchError("bad_players", f"a match has four players, not {len(names)}")
        if len({name.casefold() for name in names}) != 4:
            raise MatchError("bad_players", "two players have the same name: tell them apart")
        if not isinstance(self.title, str) or len(self.title) > LONGEST_TITLE or not self.title.isprintable():
            raise MatchError("bad_title", f"a title is one line of at most {LONGEST_TITLE} characters")
        object.__setattr__(self, "players", names)
        object.__setattr__(self, "title", self.title.strip())


def clean_name(name: object) -> str:
    """A player's name without spaces around it. Raises `MatchError` `bad_players`."""
    kept = name.strip() if isinstance(name, str) else ""
    if not kept or len(kept) > LONGEST_NAME or not kept.isprintable():
        raise MatchError("bad_players", f"a name has 1 to {LONGEST_NAME} characters on one line")
    return kept


@dataclass(frozen=True, kw_only=True)
class StoredEvent:
    """An event as it was entered: when, and for a win the hand and the score as JSON, where a hand was read."""

    number: int
    entered_at: datetime
    event: Event
    hand: Mapping[str, Any] | None = None
    score: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """The event as the API gives it."""
        return {
            "number": self.number,
            "entered_at": self.entered_at.isoformat(timespec="seconds"),
            "event": event_to_json(self.event),
            "hand": None if self.hand is None else dict(self.hand),
            "score": None if self.score is None else dict(self.score),
        }


@dataclass(frozen=True, kw_only=True)
class StoredMatch:
    """A match of the ledger with everything that happened in it."""

    id: int
    title: str
    players: tuple[str, str, str, str]
    settings: Settings
    started_at: datetime
    look_key: str
    enter_key: str
    events: tuple[StoredEvent, ...]

    @property
    def match(self) -> Match:
        """The match as its events make it."""
        return self.settings.match(tuple(stored.event for stored in self.events))


@dataclass(frozen=True, kw_only=True)
class ExportedMatch:
    """A match as a file holds it: what it started with, when, and its events. It has no keys."""

    new: NewMatch
    started_at: datetime
    events: tuple[StoredEvent, ...]


@dataclass(frozen=True, kw_only=True)
class MatchSummary:
    """A match in a list: who played, and what everybody had when it was listed."""

    id: int
    title: str
    started_at: datetime
    ended: bool
    look_key: str
    players: tuple[str, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Search:
    """What to list: matches of a player, since a moment, with a win of at least so many points, or of one of the fans.

    Fans are named as in the scores; rules name some of them differently, and so several may be given.
    """

    player: str | None = None
    fans: tuple[str, ...] = ()
    least_points: int | None = None
    since: datetime | None = None
