"""The fans: the 81 of the printed table, 明暗杠, and those of the platform's list.

There is one module for each of the nine families of the rule book, and one for the platform's list.
:data:`CATALOGUE` is in the order in which a score lists fans: by points, then by number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scorer.fans import colours, honours, knitted, outside, pairs, platform, pungs, ranks, special, winning
from scorer.fans.model import REGISTRY, Family, Fan

CHICKEN_HAND: Final = "无番和"
"""Counts if nothing else does, so the search counts it."""
TILE_HOG: Final = "四归一"
"""Counts once per face, so the search counts it."""
ORPHAN_PUNG: Final = "幺九刻"
"""Counts only for pungs that no other fan has; see :mod:`scorer.engine.honours`."""
NINE_GATES: Final = "九莲宝灯"
"""Uses up one 幺九刻."""

MODULES: Final = (honours, ranks, pungs, pairs, colours, outside, knitted, winning, special, platform)
"""One module for each family, then the platform list."""


def in_order(fans: Iterable[Fan]) -> tuple[Fan, ...]:
    """Fans in the order of a score: by points, then by number."""
    return tuple(sorted(fans, key=lambda fan: (-fan.points, fan.number)))


CATALOGUE: Final[tuple[Fan, ...]] = in_order(fan for fan in REGISTRY if fan.number <= 82)
"""The fans of the default rules."""
PLATFORM_FANS: Final[tuple[Fan, ...]] = in_order(fan for fan in REGISTRY if fan.number > 82)
"""Fans that only the ``platform`` profile knows."""
_PRINTED: Final[dict[int, int]] = {fan.number: fan.points for fan in REGISTRY}


def printed_place(fan: Fan) -> tuple[int, int]:
    """Sorts fans by their printed points, whatever they are worth in a profile: a fan comes after what drops it."""
    return -_PRINTED.get(fan.number, fan.points), fan.number


BY_NAME: Final[dict[str, Fan]] = {fan.name: fan for fan in CATALOGUE}

__all__ = [
    "BY_NAME",
    "CATALOGUE",
    "CHICKEN_HAND",
    "MODULES",
    "NINE_GATES",
    "ORPHAN_PUNG",
    "PLATFORM_FANS",
    "TILE_HOG",
    "Family",
    "Fan",
    "in_order",
    "printed_place",
]
