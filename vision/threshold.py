"""Thresholds as data: each number that decides something states its unit, its meaning and where its value comes from.

Thresholds are fields of frozen dataclasses, such as `vision.networks.limits.DetectionLimits`:

>>> @dataclass(frozen=True)
... class Reach:
...     near: float = threshold(2.5, "tile sizes", "Tiles closer than this are neighbours.", BY_HAND)
>>> notes_of(Reach)["near"].unit, Reach().near
('tile sizes', 2.5)

`python -m models.figures sensitivity` moves each of them and prints what changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

Value = TypeVar("Value")

BY_HAND = "set by hand in version 0.1.0; never fitted"
"""Origin of most thresholds: somebody looked at photos and chose."""
BY_HAND_IN_0_2 = "set by hand in version 0.2.0; never fitted"
BY_HAND_IN_0_3 = "set by hand in version 0.3.0; never fitted"
BY_HAND_IN_0_4 = "set by hand in version 0.4.0; never fitted"
BY_HAND_IN_0_5 = "set by hand in version 0.5.0 on training photos and rendered pictures; never fitted"
UNFITTED_IN_0_5 = "set by hand in version 0.5.0; never fitted"
ON_RENDERED_HANDS = "set by hand in version 0.3.0 on rendered hands (seeds from 1700000); never fitted"
ON_TRAINING_PHOTOS = "chosen in version 0.3.0 on training photos and rendered scenes"
AGAINST_A_FAULT = "set by hand in version 0.4.0 to correct one observed fault; never fitted"
ON_SIMULATED_TABLES = "chosen in version 0.5.0 on simulated tables (seeds from 5000000)"
FOR_SPEED = "set by hand to bound time or memory"


@dataclass(frozen=True)
class Note:
    """What a threshold says about itself."""

    unit: str
    meaning: str
    origin: str


def threshold(value: Value, unit: str, meaning: str, origin: str) -> Value:
    """Declare a field of a frozen dataclass with this default value."""
    # The type checker takes the field for its value, as it does with `dataclasses.field` itself.
    return field(default=value, metadata={"note": Note(unit, meaning, origin)})


def notes_of(group: type[Any]) -> dict[str, Note]:
    """Return what each threshold of a dataclass says about itself, by the name of its field."""
    return {each.name: each.metadata["note"] for each in fields(group) if "note" in each.metadata}
