"""What a fan is, and the seven small views of a hand that fans look at.

A predicate never sees the whole hand. It sees the one view its fan depends on, and a view has few
different values, so the engine asks each predicate once for each value and keeps the answer in a table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeVar


class Family(StrEnum):
    """The nine families of the rule book."""

    HONOURS = "字牌"
    RANKS = "序数牌"
    PUNGS = "刻子与杠"
    PAIRS = "七对"
    COLOURS = "花色组合"
    OUTSIDE = "全带"
    KNITTED = "不靠"
    WINNING = "和牌方式"
    SPECIAL = "特殊"


class Palette(NamedTuple):
    """Which tiles there are at all."""

    ranks: int
    """Bit mask of the ranks present in any suit, bit 0 for rank 1."""
    suits: int
    """How many suits are present, 0-3."""
    winds: bool
    dragons: bool
    green: bool
    """Every tile is one of 2 3 4 6 8 bamboo and the green dragon."""
    reversible: bool
    """Every tile looks the same upside down."""


class Chows(NamedTuple):
    """Some chows of one reading, as many as the fan needs, and the pair."""

    chows: tuple[tuple[int, int], ...]
    """(suit 0-2, lowest rank 1-7), ascending."""
    pair: tuple[int, int] | None
    """(suit, rank) of the pair, for fans that need all four chows and the pair; None otherwise."""


class Pungs(NamedTuple):
    """Some suit pungs or kongs of one reading, as many as the fan needs."""

    pungs: tuple[tuple[int, int], ...]
    """(suit 0-2, rank 1-9), ascending."""


class Honours(NamedTuple):
    """All pungs and kongs and the pair of one reading, and the winds of the table."""

    pungs: int
    """Bit mask over faces 0-33."""
    pair: int
    """Bit mask of the pair's face."""
    seat: int
    """Bit mask of the seat wind's face."""
    prevalent: int
    """Bit mask of the prevalent wind's face."""


class Frame(NamedTuple):
    """How many sets of which sort one reading has."""

    chows: int
    pungs: int
    """Pungs and kongs together."""
    concealed_pungs: int
    """Concealed pungs and concealed kongs together."""
    melded_kongs: int
    concealed_kongs: int
    fives: int
    """Sets and pair that hold a 5."""
    outsiders: int
    """Sets and pair that hold a 1, a 9 or an honour."""
    evens: int
    """Pungs and pair of even rank."""
    suit_pair: bool
    knitted: bool
    """Nine of the tiles are a knitted straight."""


class Win(NamedTuple):
    """How the hand was won."""

    self_drawn: bool
    last_tile: bool
    kong: bool
    fourth_tile: bool
    concealed: bool
    """No melds (concealed kongs allowed)."""
    all_melded: bool
    """Four melds, none of them a concealed kong."""
    opening: str


class Wait(NamedTuple):
    """What the winning tile completed, when no other tile would have won."""

    edge: bool
    closed: bool
    pair: bool


class ShapeKind(StrEnum):
    """The five winning shapes."""

    STANDARD = "standard"
    SEVEN_PAIRS = "seven_pairs"
    THIRTEEN_ORPHANS = "thirteen_orphans"
    UNRELATED = "unrelated"
    KNITTED_STRAIGHT = "knitted_straight"


class HandShape(NamedTuple):
    """The shape of the whole hand."""

    kind: ShapeKind
    consecutive_pairs: bool = False
    """Seven pairs of seven consecutive ranks in one suit."""
    nine_gates: bool = False
    """The thirteen tiles before the win are 1112345678999 of one suit, all concealed."""
    honours: int = 0
    """For unrelated tiles: how many of the seven honours."""
    knitted: int = 0
    """How many tiles of the knitted straight, 0-9."""


class PlainCounts(NamedTuple):
    """Plain counts."""

    hogs: int
    """Faces held four times without being a kong."""
    flowers: int
    seasonal: int
    """Flowers that match the winner's seat."""


class Pair(NamedTuple):
    """The pair of one reading that has sets."""

    suit: int
    """0-2, or 3 for an honour."""
    rank: int


View = Pair | Palette | Chows | Pungs | Honours | Frame | Win | Wait | HandShape | PlainCounts


@dataclass(frozen=True, slots=True)
class Fan:
    """One scoring element.

    ``holds(view)`` says whether (or, for a fan that can be counted more than once, how often) it is
    present; for :class:`Honours` fans it answers with the mask of pungs that make it. ``drops`` names
    the fans that are not counted beside it.
    """

    number: int
    """Its place in the printed table, 1-81; 82 is 明暗杠, above 100 are fans of other profiles."""
    name: str
    english: str
    points: int
    family: Family
    sees: type[Any]
    holds: Callable[[Any], int]
    rule: str
    """The definition in Chinese."""
    rule_english: str
    drops: tuple[str, ...] = ()
    size: int = 0
    """For fans over :class:`Chows` or :class:`Pungs`: how many sets they combine."""
    repeats: bool = False
    """Whether it may be counted more than once."""
    absorbs: bool = False
    """Its own pungs are not counted again as 幺九刻."""
    needs_pair: bool = False
    """For fans over :class:`Chows` or :class:`Honours`: whether the pair belongs to it."""
    made_of: str = ""
    """The tiles that make it, where the view does not tell: a key of :data:`scorer.engine.witnesses.PARTS`."""


REGISTRY: Final[list[Fan]] = []

Predicate = TypeVar("Predicate", bound=Callable[[Any], int])


def fan(
    number: int,
    name: str,
    english: str,
    points: int,
    family: Family,
    sees: type[Any],
    rule: str,
    *,
    drops: str = "",
    size: int = 0,
    repeats: bool = False,
    absorbs: bool = False,
    needs_pair: bool = False,
    made_of: str = "",
) -> Callable[[Predicate], Predicate]:
    """Enter the decorated predicate in the catalogue; its docstring is the rule in English."""

    def enter(predicate: Predicate) -> Predicate:
        REGISTRY.append(
            Fan(
                number,
                name,
                english,
                points,
                family,
                sees,
                predicate,
                rule,
                predicate.__doc__ or "",
                tuple(drops.split()),
                size,
                repeats,
                absorbs,
                needs_pair,
                made_of,
            )
        )
        return predicate

    return enter
