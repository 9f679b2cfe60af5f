"""How and when a hand was won.

>>> Circumstances(self_drawn=True, last_tile=True).packed
3
>>> Circumstances(seat_wind="X")
Traceback (most recent call last):
    ...
scorer.errors.ImpossibleHand: seat_wind must be one of E, S, W, N, not 'X'
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from reprlib import repr as shown

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


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How and when the hand was won.

    ``last_tile`` means 妙手回春 if self-drawn, else 海底捞月. ``kong`` means 杠上开花 if self-drawn, else
    抢杠和. ``fourth_tile`` means 和绝张: the other three tiles of the winning face lie open on the table.
    Winds are ``E``, ``S``, ``W`` or ``N``. Raises :class:`ImpossibleHand` with ``bad_wind``, ``bad_flag``,
    ``robbed_kong_on_last_tile``, ``bad_opening`` or ``opening_conflict``.
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

    def __post_init__(self) -> None:
        """Check the circumstances and pack them."""
        bits = 0
        for place, name in enumerate(("self_drawn", "last_tile", "kong", "fourth_tile")):
            flag = getattr(self, name)
            if flag is True:
                bits |= 1 << place
            elif flag is not False:
                raise ImpossibleHand("bad_flag", f"{name} must be true or false, not {shown(flag)}")
        for place, name in ((4, "seat_wind"), (6, "prevalent_wind")):
            wind = getattr(self, name)
            if not isinstance(wind, str) or len(wind) != 1 or wind not in WINDS:
                raise ImpossibleHand("bad_wind", f"{name} must be one of E, S, W, N, not {shown(wind)}")
            bits |= WINDS.index(wind) << place
        if self.kong and self.last_tile and not self.self_drawn:
            raise ImpossibleHand(
                "robbed_kong_on_last_tile",
                "a kong cannot be robbed on the last tile: once the wall is empty nobody may declare a kong",
            )
        if self.opening is not None:
            bits |= self._check_opening() << 8
        object.__setattr__(self, "packed", bits)

    def _check_opening(self) -> int:
        """The number of the opening win, 1-3; refuses one that contradicts the other circumstances."""
        try:
            opening = Opening(self.opening) if self.opening is not None else None
        except ValueError:
            opening = None
        if opening is None:
            known = ", ".join(Opening)
            raise ImpossibleHand("bad_opening", f"opening must be one of {known}, not {shown(self.opening)}")
        object.__setattr__(self, "opening", opening)
        seats = {Opening.HEAVENLY: "E", Opening.EARTHLY: "S", Opening.HUMAN: "WN"}[opening]
        if self.last_tile or self.kong or self.fourth_tile:
            raise ImpossibleHand(
                "opening_conflict",
                f"the opening win {opening} cannot come with the last tile, a kong or a fourth tile",
            )
        if opening is Opening.HEAVENLY and not self.self_drawn:
            raise ImpossibleHand(
                "opening_conflict", "天胡 wins with the dealt hand, not on a discard: set self-drawn"
            )
        if self.seat_wind not in seats:
            raise ImpossibleHand(
                "opening_conflict",
                f"the opening win {opening} needs seat wind {' or '.join(seats)}, not {self.seat_wind}",
            )
        return list(Opening).index(opening) + 1


def check_together(hand: Hand, circumstances: Circumstances) -> None:
    """Refuse circumstances in which this hand cannot have been won.

    Raises :class:`ImpossibleHand` with ``replacement_without_kong``, ``robbed_tile_in_hand``,
    ``fourth_tile_in_hand`` or ``opening_conflict``.
    """
    if circumstances.packed & 12 == 0 and circumstances.opening is None:
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
