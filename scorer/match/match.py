"""A match, derived from its events: the hand in play, who sits where, what everybody has won, and every version.

A match (局) is up to four rounds (圈) of four hands (盘). The deal passes on after every hand, won or drawn, and the
prevalent wind is the round's (docs/rules.md, "Seats and rounds").
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from scorer.errors import HandError
from scorer.match.events import (
    Correction,
    Draw,
    EndedEarly,
    Event,
    FalseWin,
    Penalty,
    Plain,
    SeatsCorrected,
    Win,
    Withdrawal,
    kind_of,
)
from scorer.match.movement import NOTHING, Movement, movement_of
from scorer.match.seating import HANDS_IN_A_ROUND, ROUNDS, SEAT_CHANGES, seats_in
from scorer.settlement import BASE, Payments
from scorer.tiles import WINDS

MOST_HANDS = HANDS_IN_A_ROUND * ROUNDS


@dataclass(frozen=True, slots=True)
class Version:
    """An event as it was entered first or as a correction made it; ``number`` says in which event of the list."""

    number: int
    event: Plain


@dataclass(frozen=True, slots=True)
class Entry:
    """An event that stands, under the ``number`` it was entered with: its versions, oldest first."""

    number: int
    versions: tuple[Version, ...]

    @property
    def event(self) -> Plain:
        """The event as it stands."""
        return self.versions[-1].event

    @property
    def ends_hand(self) -> bool:
        """Whether the deal passes on after it."""
        return _ends_hand(self.event)


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand that has been played.

    ``number`` counts from 1; ``seats`` are the winds by player; ``charges`` are the penalties and false wins entered
    while it was in play; ``moved`` is what all of them moved.
    """

    number: int
    entry: Entry
    prevalent_wind: str
    seats: tuple[str, str, str, str]
    charges: tuple[Entry, ...]
    moved: Movement


@dataclass(frozen=True)
class Match:
    """A match at some moment; :meth:`add` gives the next one.

    Players are 0 to 3 by the seat drawn at the start (player 0 sat East). ``hands`` is how many are played, at most
    16; ``base`` is what every loser pays beside the points. Raises :class:`HandError` ``bad_match`` where an event
    does not fit what happened before it.
    """

    events: tuple[Event, ...] = ()
    seating: str = "usual"
    hands: int = MOST_HANDS
    base: int = BASE
    entries: tuple[Entry, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Replay the events and check that each fits."""
        if self.seating not in SEAT_CHANGES:
            raise _unfit(f"seating must be one of {', '.join(SEAT_CHANGES)}, not {self.seating!r}")
        if not isinstance(self.hands, int) or not 1 <= self.hands <= MOST_HANDS:
            raise _unfit(f"a match has 1 to {MOST_HANDS} hands, not {self.hands!r}")
        replay = _Replay(self.hands)
        for number, event in enumerate(self.events, 1):
            replay.take(number, event)
        object.__setattr__(self, "entries", tuple(replay.standing()))

    def add(self, event: Event) -> Match:
        """The match after one more event."""
        return Match((*self.events, event), self.seating, self.hands, self.base)

    # -- the hand in play -------------------------------------------------------------------------

    @property
    def hands_played(self) -> int:
        """How many hands have ended."""
        return sum(entry.ends_hand for entry in self.entries)

    @property
    def hand_number(self) -> int:
        """The number of the hand in play, from 1; that of the last hand once the match is over."""
        return min(self.hands_played + 1, self.hands)

    @property
    def is_over(self) -> bool:
        """Whether all hands have been played or the match was ended early."""
        return self.hands_played == self.hands or self.ended_early

    @property
    def ended_early(self) -> bool:
        """Whether the match was ended before its last hand."""
        return any(isinstance(entry.event, EndedEarly) for entry in self.entries)

    @property
    def round(self) -> int:
        """The round of the hand in play, from 0."""
        return (self.hand_number - 1) // HANDS_IN_A_ROUND

    @property
    def prevalent_wind(self) -> str:
        """圈风: the wind of the round."""
        return WINDS[self.round]

    @property
    def seats_change_now(self) -> bool:
        """Whether the players must change seats before the hand in play."""
        starts = self.hands_played % HANDS_IN_A_ROUND == 0
        return starts and self.hands_played > 0 and not self.is_over and self.seating != "fixed"

    def seats(self, hand_number: int | None = None) -> tuple[str, str, str, str]:
        """门风: the wind of every player in the hand of that number, from 1; by default in the hand in play."""
        number = self.hand_number if hand_number is None else hand_number
        order: tuple[int, ...] = (0, 1, 2, 3)
        for entry in self.entries:
            if isinstance(entry.event, SeatsCorrected) and entry.event.from_hand <= number:
                order = entry.event.order
        winds = seats_in(number - 1, self.seating)
        one, two, three, four = (winds[order.index(player)] for player in range(4))
        return one, two, three, four

    def player_at(self, wind: str) -> int:
        """Who has this wind in the hand in play."""
        return self.seats().index(wind)

    @property
    def dealer(self) -> int:
        """Who sits East in the hand in play."""
        return self.player_at("E")

    # -- what has been won ------------------------------------------------------------------------

    @property
    def played(self) -> tuple[PlayedHand, ...]:
        """The hands that have been played, with the penalties of each."""
        hands: list[PlayedHand] = []
        charges: list[Entry] = []
        for entry in self.entries:
            if isinstance(entry.event, (Penalty, FalseWin)):
                charges.append(entry)
            if entry.ends_hand:
                number = len(hands) + 1
                hands.append(self._played(number, entry, charges))
                charges = []
        return tuple(hands)

    def _played(self, number: int, entry: Entry, charges: list[Entry]) -> PlayedHand:
        moved = sum((self.moved_by(one) for one in {entry, *charges}), NOTHING)
        wind = WINDS[(number - 1) // HANDS_IN_A_ROUND]
        return PlayedHand(number, entry, wind, self.seats(number), tuple(charges), moved)

    @property
    def charges(self) -> tuple[Entry, ...]:
        """Every penalty and false win that stands, in the order entered."""
        return tuple(entry for entry in self.entries if isinstance(entry.event, (Penalty, FalseWin)))

    def moved_by(self, entry: Entry) -> Movement:
        """What an entry moved, as it stands."""
        return movement_of(entry.event, self.base)

    @property
    def balance(self) -> Movement:
        """What every player and the table have won so far; the sum is zero."""
        return sum((self.moved_by(entry) for entry in self.entries), NOTHING)

    @property
    def totals(self) -> Payments:
        """What every player has won so far."""
        return self.balance.players


def _unfit(message: str) -> HandError:
    return HandError("bad_match", message)


def _ends_hand(event: Event) -> bool:
    return isinstance(event, (Win, Draw)) or (isinstance(event, (Penalty, FalseWin)) and event.ends_hand)


#: Events of one family may correct one another.
_FAMILIES: tuple[tuple[type[Plain], ...], ...] = (
    (Win, Draw),
    (Penalty, FalseWin),
    (SeatsCorrected,),
    (EndedEarly,),
)


class _Replay:
    """Takes events one by one and refuses the first that does not fit."""

    def __init__(self, hands: int) -> None:
        self._hands = hands
        self._versions: dict[int, list[Version]] = {}
        self._withdrawn: set[int] = set()
        self._changes: dict[int, Event] = {}

    def standing(self) -> Iterable[Entry]:
        """The events that have not been withdrawn."""
        for number, versions in self._versions.items():
            if number not in self._withdrawn:
                yield Entry(number, tuple(versions))

    def take(self, number: int, event: Event) -> None:
        """Take the event of that number."""
        match event:
            case Correction():
                self._correct(number, event)
            case Withdrawal():
                self._withdraw(number, event.of)
            case _:
                self._check_there_is_room(event)
                self._versions[number] = [Version(number, event)]

    def _check_there_is_room(self, event: Plain) -> None:
        standing = list(self.standing())
        played = sum(entry.ends_hand for entry in standing)
        if isinstance(event, SeatsCorrected) and event.from_hand > min(played + 1, self._hands):
            raise _unfit(f"hand {event.from_hand} has not begun: seats are corrected up to the hand in play")
        if not (_ends_hand(event) or isinstance(event, EndedEarly)):
            return
        if any(isinstance(entry.event, EndedEarly) for entry in standing):
            raise _unfit("the match has been ended: withdraw its end to play on")
        if played == self._hands:
            raise _unfit(f"all {self._hands} hands have been played: correct a hand, or start another match")

    def _entry(self, number: int) -> list[Version]:
        if number not in self._versions:
            raise _unfit(
                f"event {number} is not a hand, a penalty, a seat correction or an end that can be changed"
            )
        if number in self._withdrawn:
            raise _unfit(f"event {number} has been withdrawn")
        return self._versions[number]

    def _check_is_last_hand(self, number: int) -> None:
        if any(entry.ends_hand and entry.number > number for entry in self.standing()):
            raise _unfit(f"hands have been played after event {number}: correct it instead")

    def _correct(self, number: int, correction: Correction) -> None:
        versions = self._entry(correction.of)
        before, after = versions[-1].event, correction.event
        family = next(family for family in _FAMILIES if isinstance(before, family))
        if not isinstance(after, family):
            raise _unfit(
                f"a {kind_of(before)} cannot become a {kind_of(after)}: withdraw it and enter the other"
            )
        if _ends_hand(before) != _ends_hand(after):
            self._check_is_last_hand(correction.of)
            if _ends_hand(after):
                self._check_there_is_room(after)
        if isinstance(after, SeatsCorrected):
            self._check_there_is_room(after)
        versions.append(Version(number, after))
        self._changes[number] = correction

    def _withdraw(self, number: int, of: int) -> None:
        change = self._changes.get(of)
        if isinstance(change, Correction):
            versions = self._entry(change.of)
            if versions[-1].number != of:
                raise _unfit(
                    f"event {of} has been corrected or withdrawn since: withdraw the latest change first"
                )
            if _ends_hand(versions[-1].event) != _ends_hand(versions[-2].event):
                self._check_is_last_hand(change.of)
            versions.pop()
        elif isinstance(change, Withdrawal):
            self._restore(change.of)
            del self._changes[of]
        else:
            entry = self._entry(of)
            if _ends_hand(entry[-1].event):
                self._check_is_last_hand(of)
            self._withdrawn.add(of)
            self._changes[number] = Withdrawal(of)

    def _restore(self, number: int) -> None:
        event = self._versions[number][-1].event
        if _ends_hand(event):
            self._check_is_last_hand(number)
        self._check_there_is_room(event)
        self._withdrawn.discard(number)
