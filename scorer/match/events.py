"""What can happen in a match, one frozen value per event, and their JSON.

Events are only ever added. A correction names the event it replaces and a withdrawal the event it takes back, by
number from 1, so that the list always shows what was entered first and what was changed later.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

from scorer.errors import HandError

PLAYERS: Final = range(4)
MOST_POINTS: Final = 9999
"""No single event moves more points than this: a larger number is a slip of the finger."""
LONGEST_REASON: Final = 200


def _refuse(message: str) -> HandError:
    return HandError("bad_event", message)


def _check_player(player: object, what: str) -> None:
    if not isinstance(player, int) or isinstance(player, bool) or player not in PLAYERS:
        raise _refuse(f"{what} must be a player 0 to 3, not {player!r}")


def _check_points(points: object, least: int) -> None:
    if not isinstance(points, int) or isinstance(points, bool) or not least <= points <= MOST_POINTS:
        raise _refuse(f"points must be a whole number from {least} to {MOST_POINTS}, not {points!r}")


def _check_number(number: object, what: str) -> None:
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise _refuse(f"{what} must be the number of an event, from 1, not {number!r}")


def _check_flag(flag: object, what: str) -> None:
    if not isinstance(flag, bool):
        raise _refuse(f"{what} must be true or false, not {flag!r}")


def _check_reason(reason: object) -> None:
    if not isinstance(reason, str) or len(reason) > LONGEST_REASON or not (reason.isprintable()):
        raise _refuse(f"a reason is one line of at most {LONGEST_REASON} characters")


@dataclass(frozen=True, slots=True)
class Win:
    """A hand won with ``points`` (flowers included); ``discarder`` is None where the winner drew the tile.

    Who discarded the tile pays, and so does whose kong was robbed. Raises :class:`HandError` ``bad_event``.
    """

    winner: int
    points: int
    discarder: int | None = None

    def __post_init__(self) -> None:
        """Check players and points."""
        _check_player(self.winner, "the winner")
        _check_points(self.points, 1)
        if self.discarder is not None:
            _check_player(self.discarder, "the discarder")
            if self.discarder == self.winner:
                raise _refuse("the discarder cannot be the winner")


@dataclass(frozen=True, slots=True)
class Draw:
    """A hand nobody won: the wall ran out, or ``timed_out``: time was called, and statistics leave the hand out."""

    timed_out: bool = False

    def __post_init__(self) -> None:
        """Check the flag."""
        _check_flag(self.timed_out, "timed_out")


@dataclass(frozen=True, slots=True)
class Penalty:
    """罚分: ``player`` loses ``points``, shared by the other three if ``divided``, else paid to the table.

    A penalty does not end the hand unless ``ends_hand`` says so.
    """

    player: int
    points: int
    divided: bool = True
    reason: str = ""
    ends_hand: bool = False

    def __post_init__(self) -> None:
        """Check the player, the points and that a divided penalty divides by three."""
        _check_player(self.player, "the penalised player")
        _check_points(self.points, 1)
        _check_flag(self.divided, "divided")
        _check_flag(self.ends_hand, "ends_hand")
        _check_reason(self.reason)
        if self.divided and self.points % 3:
            raise _refuse(f"{self.points} points cannot be shared by three players: use a multiple of 3")


@dataclass(frozen=True, slots=True)
class FalseWin:
    """诈和: ``player`` declared a win that was not one and pays ``each`` to every other player."""

    player: int
    each: int
    ends_hand: bool = False

    def __post_init__(self) -> None:
        """Check the player and the points."""
        _check_player(self.player, "the player of the false win")
        _check_points(self.each, 1)
        _check_flag(self.ends_hand, "ends_hand")


@dataclass(frozen=True, slots=True)
class SeatsCorrected:
    """From hand ``from_hand`` (numbered from 1) on, ``order`` names the players as drawn East, South, West, North.

    Points stay with the players who won them.
    """

    order: tuple[int, int, int, int]
    from_hand: int = 1

    def __post_init__(self) -> None:
        """Check that everybody has one seat."""
        if not isinstance(self.order, tuple) or sorted(self.order, key=repr) != list(PLAYERS):
            raise _refuse(f"the order must name players 0, 1, 2 and 3 once each, not {self.order!r}")
        _check_number(self.from_hand, "from_hand")


@dataclass(frozen=True, slots=True)
class EndedEarly:
    """The match ends before its last hand, for a ``reason`` such as the end of the playing time."""

    reason: str = ""

    def __post_init__(self) -> None:
        """Check the reason."""
        _check_reason(self.reason)


HandEvent = Win | Draw
Charge = Penalty | FalseWin
Plain = Win | Draw | Penalty | FalseWin | SeatsCorrected | EndedEarly


@dataclass(frozen=True, slots=True)
class Correction:
    """Event ``of`` should have been ``event``; it keeps its place, so a corrected hand stays the same hand."""

    of: int
    event: Plain

    def __post_init__(self) -> None:
        """Check that the replacement is an event in its own right."""
        _check_number(self.of, "of")
        if not isinstance(self.event, Plain):
            raise _refuse("a correction holds the event as it should have been")


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Event ``of`` is taken back as if it had never been entered; a hand only while it is the last one."""

    of: int

    def __post_init__(self) -> None:
        """Check the number."""
        _check_number(self.of, "of")


Event = Win | Draw | Penalty | FalseWin | SeatsCorrected | EndedEarly | Correction | Withdrawal

KINDS: Final[dict[str, type[Any]]] = {
    "win": Win,
    "draw": Draw,
    "penalty": Penalty,
    "false_win": FalseWin,
    "seats_corrected": SeatsCorrected,
    "ended_early": EndedEarly,
    "correction": Correction,
    "withdrawal": Withdrawal,
}
_NAMES: Final = {kind: name for name, kind in KINDS.items()}


def kind_of(event: Event) -> str:
    """The name of an event's kind in JSON."""
    return _NAMES[type(event)]


def event_to_json(event: Event) -> dict[str, Any]:
    """The event as a JSON object with its ``kind`` and every field.

    >>> event_to_json(Win(winner=2, points=45, discarder=0))
    {'kind': 'win', 'winner': 2, 'points': 45, 'discarder': 0}
    """
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    if isinstance(event, SeatsCorrected):
        values["order"] = list(event.order)
    if isinstance(event, Correction):
        values["event"] = event_to_json(event.event)
    return {"kind": kind_of(event), **values}


def event_from_json(data: object) -> Event:
    """Read one event. Raises :class:`HandError` ``bad_event``, whose message names the field at fault.

    >>> event_from_json({"kind": "draw"})
    Draw(timed_out=False)
    """
    if not isinstance(data, dict):
        raise _refuse("an event must be a JSON object")
    name = data.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        raise _refuse(f"kind must be one of {', '.join(KINDS)}, not {name!r}")
    kind = KINDS[name]
    values = {key: value for key, value in data.items() if key != "kind"}
    known = [field.name for field in fields(kind)]
    for key in values:
        if key not in known:
            raise _refuse(f"{key!r} is not a field of a {name}: it has {', '.join(known)}")
    if isinstance(values.get("order"), list):
        values["order"] = tuple(values["order"])
    if kind is Correction and "event" in values:
        values["event"] = event_from_json(values["event"])
    try:
        event: Event = kind(**values)
    except TypeError as error:
        missing = [field for field in known if field not in values]
        raise _refuse(f"a {name} needs {', '.join(missing)}") from error
    return event
