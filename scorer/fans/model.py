"""The definition of a fan, and the views of a hand that fans look at.

The predicate of a fan sees only the part of the hand that it depends on: its view. A view has few different
values, so the engine asks a predicate once for each value and keeps the answer in a table.
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
    """Which tiles the whole hand holds, melds included."""

    ranks: int
    """Bit mask of the ranks present in any suit, bit 0 for rank 1."""
    suits: int
    """The number of suits present, 0-3."""
    winds: bool
    dragons: bool
    green: bool
    """Every tile is one of 2 3 4 6 8 bamboo and the green dragon."""
    reversible: bool
    """Every tile looks the same upside down."""


class Chows(NamedTuple):
    """As many chows of a reading as the fan combines, and the pair."""

    chows: tuple[tuple[int, int], ...]
    """(suit 0-2, lowest rank 1-7), ascending."""
    pair: tuple[int, int] | None
    """(suit, rank) of a suit pair, for fans over all four chows; otherwise None."""


class _AnyPair(tuple[int, int]):
    """Equals whatever it is compared with."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


ANY_PAIR: Final = _AnyPair((0, 0))
"""Stands for every pair at once: a fan that does not hold beside it holds beside none."""


class Pungs(NamedTuple):
    """As many suit pungs or kongs of a reading as the fan combines."""

    pungs: tuple[tuple[int, int], ...]
    """(suit 0-2, rank 1-9), ascending."""


class Honours(NamedTuple):
    """All pungs and kongs and the pair of a reading, and the seat and prevalent winds."""

    pungs: int
    """Bit mask over faces 0-33."""
    pair: int
    """Bit mask of the face of the pair."""
    seat: int
    """Bit mask of the face of the seat wind."""
    prevalent: int
    """Bit mask of the face of the prevalent wind."""


class Frame(NamedTuple):
    """How many sets of each kind a reading has."""

    chows: int
    pungs: int
    """Pungs and kongs together."""
    concealed_pungs: int
    """Concealed pungs and concealed kongs together."""
    melded_kongs: int
    concealed_kongs: int
    fives: int
    """Sets and pair with a 5."""
    outsiders: int
    """Sets and pair with a 1, a 9 or an honour."""
    evens: int
    """Pungs and pair of even rank."""
    suit_pair: bool
    knitted: bool
    """Whether nine of the tiles are a knitted straight."""


class Win(NamedTuple):
    """How the hand was won."""

    self_drawn: bool
    last_tile: bool
    kong: bool
    fourth_tile: bool
    concealed: bool
    """Whether there are no melds but concealed kongs."""
    all_melded: bool
    """Whether there are four melds, and no concealed kong among them."""
    opening: str


class Wait(NamedTuple):
    """What the winning tile completed, if no other tile would have won."""

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
    """Whether the seven pairs are of seven consecutive ranks in one suit."""
    nine_gates: bool = False
    """Whether the tiles before the win are 1112345678999 of one suit, all concealed."""
    honours: int = 0
    """The number of different honours, for unrelated tiles."""
    knitted: int = 0
    """The number of tiles that belong to a knitted straight, 0-9."""


class PlainCounts(NamedTuple):
    """Counts of tiles that no set changes."""

    hogs: int
    """The number of faces of which the hand holds all four tiles without a kong."""
    flowers: int
    seasonal: int
    """Flowers that match the winner's seat."""


class Pair(NamedTuple):
    """The pair of a reading that has sets."""

    suit: int
    """0-2, or 3 for an honour."""
    rank: int


View = Pair | Palette | Chows | Pungs | Honours | Frame | Win | Wait | HandShape | PlainCounts


@dataclass(frozen=True, slots=True)
class Fan:
    """A fan (番种): a scoring element with its rule, its points and an example."""

    number: int
    """Its number in the printed table, 1-81; 82 is 明暗杠. Each fan of another profile has one of its own from 101."""
    name: str
    english: str
    points: int
    family: Family
    sees: type[Any]
    """The view that ``holds`` is asked about."""
    holds: Callable[[Any], int]
    """Whether the fan is present; how often, if it repeats; for :class:`Honours`, a mask of its pungs."""
    rule: str
    """The definition in Chinese."""
    rule_english: str
    drops: tuple[str, ...] = ()
    """The fans that do not count beside it, because it implies them (不重复)."""
    size: int = 0
    """For fans over :class:`Chows` or :class:`Pungs`: how many sets they combine."""
    repeats: bool = False
    """Whether it may count more than once."""
    absorbs: bool = False
    """Whether its pungs do not count as 幺九刻 as well."""
    needs_pair: bool = False
    """For fans over :class:`Chows` or :class:`Honours`: whether the pair is part of it.

    Over chows ``holds`` compares the pair with ``==``, because it is also asked about :data:`ANY_PAIR`.
    """
    made_of: str = ""
    """Which tiles make it, if the view does not say so: a key of :data:`scorer.engine.witnesses.PARTS`."""
    example: str = ""
    """A hand that counts it, in the text notation; by the default rules if these have the fan."""
    near_miss: str = ""
    """A hand that wins without it although little is missing; empty for opening wins, which no hand shows."""
    opening: str | None = None
    """The opening win of ``example``, for which the notation has no place."""


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
    example: str = "",
    near_miss: str = "",
    opening: str | None = None,
) -> Callable[[Predicate], Predicate]:
    """Enter the decorated predicate in the catalogue as a fan; see :class:`Fan` for the arguments.

    The docstring of the predicate is the rule in English; ``drops`` separates its names by blanks.
    """

    def enter(predicate: Predicate) -> Predicate:
        REGISTRY.append(
            Fan(
                number=number,
                name=name,
                english=english,
                points=points,
                family=family,
                sees=sees,
                holds=predicate,
                rule=rule,
                rule_english=predicate.__doc__ or "",
                drops=tuple(drops.split()),
                size=size,
                repeats=repeats,
                absorbs=absorbs,
                needs_pair=needs_pair,
                made_of=made_of,
                example=example,
                near_miss=near_miss,
                opening=opening,
            )
        )
        return predicate

    return enter
