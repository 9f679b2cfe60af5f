"""Scoring of files with one hand per line: one JSON object in, one result object out, in the same order."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from scorer.errors import HandError
from scorer.hand_json import hand_from_json
from scorer.profiles import Profile
from scorer.scoring import score


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
    row: dict[str, Any] = dict.fromkeys(("total", "fans", "points", "legal"))
    return {**row, "profile": profile, "error": details}


def scored_lines(lines: Iterable[str], rules: Profile) -> Iterator[dict[str, Any]]:
    """The result object of each line.

    Blank lines at the end of the file are ignored; other blank lines give an error like any other fault.
    """
    blank: list[int] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            blank.append(number)
            continue
        for empty in blank:
            error = HandError("not_json", f"line {empty} is blank; each line must hold one JSON object")
            yield {"id": None, **error_row(error, rules.name)}
        blank.clear()
        yield _scored(line, number, rules)


def _scored(line: str, number: int, rules: Profile) -> dict[str, Any]:
    name = None
    try:
        obj = _parsed(line, number)
        if isinstance(obj, dict):
            name = _name(obj.get("id"))
        row = score(*hand_from_json(obj), rules).summary()
    except HandError as error:
        row = error_row(error, rules.name)
    return {"id": name, **row}


def _parsed(line: str, number: int) -> Any:
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
