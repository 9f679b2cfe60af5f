"""The catalogue: the 81 fans of the printed table, 明暗杠, and nothing else.

Grouped in modules by the nine families of the rule book. :data:`CATALOGUE` is in order of points,
then of number, so that it is also the order in which a score lists them.
"""

from __future__ import annotations

from typing import Final

from scorer.fans import colours, honours, knitted, outside, pairs, pungs, ranks, special, winning
from scorer.fans.model import REGISTRY, Family, Fan

FAMILIES: Final = (honours, ranks, pungs, pairs, colours, outside, knitted, winning, special)
CATALOGUE: Final[tuple[Fan, ...]] = tuple(sorted(REGISTRY, key=lambda fan: (-fan.points, fan.number)))
BY_NAME: Final[dict[str, Fan]] = {fan.name: fan for fan in CATALOGUE}

__all__ = ["BY_NAME", "CATALOGUE", "FAMILIES", "Family", "Fan"]
