"""What a person should know about a score although it is no error: what was assumed, and what had no effect.

>>> print(winds_assumed({"seat_wind": "S"}).message)
nobody said the prevalent wind, so East is assumed
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from scorer.circumstances import Circumstances, Opening
from scorer.profiles import Profile

WINDS_OF_A_WIN: Final = ("prevalent_wind", "seat_wind")
"""The fields of the two winds."""
OPENING_FANS: Final = {Opening.HEAVENLY: "天胡", Opening.EARTHLY: "地胡", Opening.HUMAN: "人胡"}
"""The fan that counts an opening win."""


@dataclass(frozen=True)
class Note:
    """Something worth knowing; ``code`` is stable, ``fields`` are those of the hand that it is about."""

    code: str
    message: str
    fields: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The note as a JSON object."""
        return {"code": self.code, "message": self.message, "fields": list(self.fields)}


def winds_assumed(told: Collection[str]) -> Note | None:
    """Which winds are East only because nobody said them; ``told`` are the fields that somebody gave."""
    missing = tuple(name for name in WINDS_OF_A_WIN if name not in told)
    if not missing:
        return None
    names = " and the ".join(name.replace("_", " ") for name in missing)
    assumed = "East is assumed" if len(missing) == 1 else "East is assumed for both"
    return Note("winds_assumed", f"nobody said the {names}, so {assumed}", missing)


def opening_not_counted(circumstances: Circumstances, profile: Profile) -> Note | None:
    """That an opening win has no effect by these rules."""
    if circumstances.opening is None:
        return None
    fan = OPENING_FANS[circumstances.opening]
    if fan in profile.by_name:
        return None
    return Note(
        "opening_not_counted",
        f"the profile {profile.name} has no {fan}, so the opening win has no effect; the profile platform counts it",
        ("opening",),
    )


DRAGONS_BY_NUMBER: Final = Note(
    "dragons_by_number",
    "5z is read as the Red Dragon 中 and 7z as the White Dragon 白; riichi tools have them the other way round. Is "
    "that what you meant? C, F and P leave no doubt",
)
"""A question about text that has the red or the white dragon by number."""


def notes_on(told: Collection[str], circumstances: Circumstances, profile: Profile) -> tuple[Note, ...]:
    """Everything worth knowing about how the hand was won."""
    found = (winds_assumed(told), opening_not_counted(circumstances, profile))
    return tuple(note for note in found if note is not None)
