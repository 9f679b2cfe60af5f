"""How and when a hand was won.

>>> Circumstances(self_drawn=True, last_tile=True).packed
3
>>> Circumstances(seat_wind="X")
Traceback (most recent call last):
    ...
scorer.errors.ImpossibleHand: seat_wind must be one of E, S, W, N, not 'X'
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from reprlib import repr as shown
from typing import Any, Final

from scorer.errors import ImpossibleHand
from scorer.hand import Hand
from scorer.tiles import WINDS


class Opening(StrEnum):
    """A win in the first go-around, before anybody called a tile; only the ``platform`` profile counts it."""

    HEAVENLY = "heavenly"
    EARTHLY = "earthly"
    HUMAN = "human"

    def __repr__(self) -> str:
        """The name as Python reads it."""
        return f"Opening.{self.name}"


@dataclass(frozen=True, slots=True, init=False)
class Circumstances:
    """How and when the hand was won.

    ``last_tile`` means 妙手回春 if self-drawn, else 海底捞月. ``kong`` means 杠上开花 if self-drawn, else
    抢杠和. ``fourth_tile`` means 和绝张: the other three tiles of the winning face lie open on the table.
    Winds are ``E``, ``S``, ``W`` or ``N``. Raises :class:`ImpossibleHand` with ``bad_wind``, ``bad_flag``,
    ``robbed_kong_on_last_tile``, ``bad_opening`` or ``opening_conflict``.

    There are few different circumstances, so equal ones are one object.
    """

    self_drawn: bool = False
    last_tile: bool = False
    kong: bool = False
    fourth_tile: bool = False
    seat_wind: str = "E"
    prevalent_wind: str = "E"
    opening: Opening | None = None
    packed: int = field(init=False, repr=False, compare=False)
    """The same as one integer, for the engine.

    Bits 0-3 are the four flags in the order above, 4-5 the seat wind, 6-7 the prevalent wind, 8-9 the opening
    win.
    """

    def __new__(
        cls,
        self_drawn: bool = False,
        last_tile: bool = False,
        kong: bool = False,
        fourth_tile: bool = False,
        seat_wind: str = "E",
        prevalent_wind: str = "E",
        opening: Opening | str | None = None,
    ) -> Circumstances:
        """The one object for these circumstances, checked when it is first asked for."""
        given = (self_drawn, last_tile, kong, fourth_tile, seat_wind, prevalent_wind, opening)
        try:
            known = _KNOWN[given]
        except (KeyError, TypeError):
            return _checked(*given)
        # 1 equals True, but it is no flag.
        flags = self_drawn.__class__ is last_tile.__class__ is kong.__class__ is fourth_tile.__class__ is bool
        return known if flags else _checked(*given)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles ask for the same circumstances again."""
        return Circumstances, tuple(getattr(self, each.name) for each in fields(self) if each.init)


_KNOWN: Final[dict[tuple[object, ...], Circumstances]] = {}


def _checked(
    self_drawn: bool,
    last_tile: bool,
    kong: bool,
    fourth_tile: bool,
    seat_wind: str,
    prevalent_wind: str,
    opening: Opening | str | None,
) -> Circumstances:
    """New circumstances, checked and packed."""
    flags = {"self_drawn": self_drawn, "last_tile": last_tile, "kong": kong, "fourth_tile": fourth_tile}
    winds = {"seat_wind": seat_wind, "prevalent_wind": prevalent_wind}
    packed = 0
    for place, (name, flag) in enumerate(flags.items()):
        if flag is True:
            packed |= 1 << place
        elif flag is not False:
            raise ImpossibleHand("bad_flag", f"{name} must be true or false, not {shown(flag)}")
    for place, (name, wind) in enumerate(winds.items(), 2):
        if not isinstance(wind, str) or len(wind) != 1 or wind not in WINDS:
            raise ImpossibleHand("bad_wind", f"{name} must be one of E, S, W, N, not {shown(wind)}")
        packed |= WINDS.index(wind) << 2 * place
    if kong and last_tile and not self_drawn:
        raise ImpossibleHand(
            "robbed_kong_on_last_tile",
            "a kong cannot be robbed on the last tile: once the wall is empty nobody may declare a kong",
        )
    won = None
    if opening is not None:
        won = _opening(opening, packed, seat_wind)
        packed |= list(Opening).index(won) + 1 << 8
    made = object.__new__(Circumstances)
    values = {**flags, **winds, "opening": won, "packed": packed}
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return _KNOWN.setdefault((*flags.values(), *winds.values(), won), made)


def _opening(given: Opening | str, packed: int, seat_wind: str) -> Opening:
    """The opening win; refuses one that contradicts the other circumstances."""
    try:
        opening = Opening(given)
    except ValueError:
        known = ", ".join(Opening)
        raise ImpossibleHand("bad_opening", f"opening must be one of {known}, not {shown(given)}") from None
    seats = {Opening.HEAVENLY: "E", Opening.EARTHLY: "S", Opening.HUMAN: "WN"}[opening]
    if packed & 0b1110:
        raise ImpossibleHand(
            "opening_conflict",
            f"the opening win {opening} cannot come with the last tile, a kong or a fourth tile",
        )
    if opening is Opening.HEAVENLY and not packed & 1:
        raise ImpossibleHand(
            "opening_conflict", "天胡 wins with the dealt hand, not on a discard: set self-drawn"
        )
    if seat_wind not in seats:
        raise ImpossibleHand(
            "opening_conflict",
            f"the opening win {opening} needs seat wind {' or '.join(seats)}, not {seat_wind}",
        )
    return opening


def check_together(hand: Hand, circumstances: Circumstances) -> None:
    """Refuse circumstances in which this hand cannot have been won.

    Raises :class:`ImpossibleHand` with ``replacement_without_kong``, ``robbed_tile_in_hand``,
    ``fourth_tile_in_hand`` or ``opening_conflict``.
    """
    if circumstances.packed & 0b11_0000_1100 == 0:
        return
    winning = hand.winning_tile
    if circumstances.kong and circumstances.self_drawn and hand.packed.kongs == 0:
        raise ImpossibleHand("replacement_without_kong", "杠上开花 needs a kong, and the hand has none")
    if circumstances.kong and not circumstances.self_drawn and hand.tiles.count(winning) > 1:
        raise ImpossibleHand(
            "robbed_tile_in_hand",
            f"the other three {winning} belong to the robbed kong, so the hand cannot hold one of them",
        )
    if circumstances.fourth_tile and winning in hand.concealed:
        raise ImpossibleHand(
            "fourth_tile_in_hand",
            f"和绝张 means that the other three {winning} lie open, but the concealed hand holds one",
        )
    if circumstances.opening is not None and hand.melds:
        raise ImpossibleHand("opening_conflict", f"the opening win {circumstances.opening} cannot have melds")
