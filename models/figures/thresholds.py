"""Every threshold of recognition by its path, and the settings with one of them moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from vision.settings import SETTINGS, RecognitionSettings
from vision.threshold import Note, notes_of

Settings = RecognitionSettings


@dataclass(frozen=True)
class Threshold:
    """One number of `RecognitionSettings`.

    group: the dotted path of its dataclass, for example `layout.rows`. name: its field.
    place: where it stands in a field that holds several numbers.
    """

    group: str
    name: str
    place: tuple[int, ...]
    value: float
    note: Note

    @property
    def label(self) -> str:
        """The field, and the number's place in it."""
        return self.name + "".join(f"[{index}]" for index in self.place)

    def moved(self, settings: Settings, share: float) -> Settings | None:
        """The settings with this number changed by a share of itself; None if that changes nothing.

        Whole numbers move by at least one and stay above zero; probabilities stay at most 1.
        """
        if isinstance(self.value, int):
            step = max(1, round(abs(share) * self.value))
            value: float = max(1, self.value + (step if share > 0 else -step))
        else:
            value = self.value * (1 + share)
            if self.note.unit == "probability":
                value = min(value, 1.0)
        if value == self.value:
            return None
        moved: Settings = _exchanged(settings, self.group.split("."), self.name, self.place, value)
        return moved


def thresholds(settings: Settings, only: Sequence[str] = ()) -> list[Threshold]:
    """All thresholds, or those of the groups that `only` names by their path or its beginning."""
    return [
        Threshold(group, name, place, value, note)
        for group, values in _groups(settings, "")
        if not only or any(group == each or group.startswith(f"{each}.") for each in only)
        for name, note in notes_of(type(values)).items()
        for place, value in _numbers(getattr(values, name))
    ]


def groups(settings: Settings = SETTINGS) -> list[str]:
    """The paths of all groups of thresholds."""
    return [group for group, _ in _groups(settings, "")]


def _groups(values: Any, path: str) -> Iterator[tuple[str, Any]]:
    if notes_of(type(values)):
        yield path, values
    for each in fields(values):
        inner = getattr(values, each.name)
        if is_dataclass(inner):
            yield from _groups(inner, f"{path}.{each.name}".lstrip("."))


def _numbers(value: Any, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], float]]:
    if isinstance(value, tuple):
        for index, each in enumerate(value):
            yield from _numbers(each, (*place, index))
    else:
        yield place, value


def _exchanged(values: Any, path: Sequence[str], name: str, place: tuple[int, ...], value: float) -> Any:
    """The values with one number exchanged, in the group that the path leads to."""
    if path:
        inner = _exchanged(getattr(values, path[0]), path[1:], name, place, value)
        return replace(values, **{path[0]: inner})
    return replace(values, **{name: _put(getattr(values, name), place, value)})


def _put(old: Any, place: tuple[int, ...], value: float) -> Any:
    if not place:
        return value
    return (*old[: place[0]], _put(old[place[0]], place[1:], value), *old[place[0] + 1 :])
