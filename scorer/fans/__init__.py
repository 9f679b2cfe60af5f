"""The catalogue: the 81 fans of the printed table and 明暗杠; the fans of the platform list beside it.

Grouped in modules by the nine families of the rule book. :data:`CATALOGUE` is in order of points,
then of number, so that it is also the order in which a score lists them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scorer.fans import colours, honours, knitted, outside, pairs, platform, pungs, ranks, special, winning
from scorer.fans.model import REGISTRY, Family, Fan

MODULES: Final = (honours, ranks, pungs, pairs, colours, outside, knitted, winning, special, platform)
"""One module for each family, then the platform list."""


def in_order(fans: Iterable[Fan]) -> tuple[Fan, ...]:
    """Fans in the order of a score: by points, then by number."""
    return tuple(sorted(fans, key=lambda fan: (-fan.points, fan.number)))


CATALOGUE: Final[tuple[Fan, ...]] = in_order(fan for fan in REGISTRY if fan.number <= 82)
"""The fans of the default rules."""
PLATFORM_FANS: Final[tuple[Fan, ...]] = in_order(fan for fan in REGISTRY if fan.number > 82)
"""Fans that only the ``platform`` profile knows."""
PLACE: Final[dict[int, int]] = {fan.number: place for place, fan in enumerate(in_order(REGISTRY))}
"""Fan number to its place when values are the printed ones: whatever drops a fan comes before it."""
BY_NAME: Final[dict[str, Fan]] = {fan.name: fan for fan in CATALOGUE}

__all__ = ["BY_NAME", "CATALOGUE", "MODULES", "PLACE", "PLATFORM_FANS", "Family", "Fan", "in_order"]
