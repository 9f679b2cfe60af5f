"""Scoring of files with one hand per line: one JSON object in, one result object out, in the same order."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import Any, Final, NamedTuple, NoReturn, Protocol, cast

from scorer.errors import HandError
from scorer.hand_json import hand_from_json
from scorer.notes import Note, notes_on
from scorer.profiles import Profile
from scorer.scoring import score

AT_ONCE: Final = 4000
"""Lines that are read before the first of them is answered."""


def json_line(obj: object) -> str:
    """An object as one line of standard JSON that can be encoded as UTF-8.

    Half a surrogate pair, which may come from JSON or a file name, is written as its escape. Raises
    ValueError for NaN and infinities, which JSON does not have.

    >>> json_line({"万": "\\ud800"})
    '{"万": "\\\\ud800"}'
    """
    line = json.dumps(obj, ensure_ascii=False, allow_nan=False)
    return line.encode("utf-8", "backslashreplace").decode("utf-8")


def error_row(error: HandError, profile: str | None = None) -> dict[str, Any]:
    """The result object for a hand that could not be scored."""
    details: dict[str, Any] = {"code": error.code, "message": error.message}
    for name in ("position", "tiles_away"):
        value = getattr(error, name, None)
        if value is not None:
            details[name] = value
    if error.fields:
        details["fields"] = list(error.fields)
    row: dict[str, Any] = dict.fromkeys(("total", "fans", "points", "legal"))
    return {**row, "profile": profile, "error": details}


def with_notes(row: dict[str, Any], notes: Iterable[Note]) -> dict[str, Any]:
    """A result object with what a person should know about it, if there is anything."""
    told = [note.to_json() for note in notes]
    return {**row, "notes": told} if told else row


class ScoredLine(NamedTuple):
    """The answer to a line."""

    text: str
    """The result object as a line, without its end."""
    scored: bool
    """Whether the hand could be scored."""


def scored_lines(lines: Iterable[str], rules: Profile) -> Iterator[dict[str, Any]]:
    """The result object of each line.

    Blank lines at the end of the file are ignored; other blank lines give an error like any other fault.
    """
    for number, line in _numbered(lines):
        yield _scored(line, number, rules)


def scored_texts(lines: Iterable[str], rules: Profile, *, at_once: int = AT_ONCE) -> Iterator[ScoredLine]:
    """The result objects of :func:`scored_lines` as text, ``at_once`` lines at a time.

    If numpy is there, the lines that hold sound hands are scored together, which takes a fraction of the time.
    """
    together = _lines_together(rules) if at_once > 1 and find_spec("numpy") else None
    numbered = _numbered(lines)
    while batch := list(islice(numbered, at_once)):
        answers = together.texts([line for _, line in batch]) if together else [None] * len(batch)
        for (number, line), answer in zip(batch, answers, strict=True):
            if answer is not None:
                yield ScoredLine(answer, scored=True)
            else:
                row = _scored(line, number, rules)
                yield ScoredLine(json_line(row), row["error"] is None)


class _Together(Protocol):
    """:class:`scorer.arrays.lines.LineScorer`, which needs numpy."""

    def texts(self, lines: list[str]) -> list[str | None]:
        """The answers to lines, None where the hand must be looked at by itself."""


@cache
def _lines_together(rules: Profile) -> _Together:
    return cast("_Together", import_module("scorer.arrays.lines").LineScorer(rules))


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, without the blank ones at the end."""
    blank: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            blank.append((number, line))
            continue
        yield from blank
        blank.clear()
        yield number, line


def _scored(line: str, number: int, rules: Profile) -> dict[str, Any]:
    name = None
    try:
        obj = _parsed(line, number)
        if isinstance(obj, dict):
            name = _name(obj.get("id"))
        hand, circumstances = hand_from_json(obj)
        row = with_notes(score(hand, circumstances, rules).summary(), notes_on(obj, circumstances, rules))
    except HandError as error:
        row = error_row(error, rules.name)
    return {"id": name, **row}


def _parsed(line: str, number: int) -> Any:
    if not line.strip():
        raise HandError("not_json", f"line {number} is blank; each line must hold one JSON object")
    try:
        return json.loads(line.rstrip("\r\n"), parse_constant=_refuse)
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at character {error.pos + 1}"
    except RecursionError:
        reason = "its brackets are nested too deeply"
    except ValueError as error:
        reason = str(error)
    raise HandError("not_json", f"line {number} is not JSON: {reason}")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"JSON has no {constant}")


def _name(value: object) -> object:
    """The ``id`` of a line, if it can be printed again as JSON."""
    finite = not isinstance(value, float) or math.isfinite(value)
    if not finite or not isinstance(value, str | int | float | None):
        raise HandError("bad_field", "id must be text, a finite number or null")
    return value
