"""Files with one JSON object per line, read strictly: the first fault is reported with its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from vision.evaluation.errors import LabelError

Value = TypeVar("Value")


def read_lines(path: Path, parse: Callable[[dict[str, Any]], Value], kind: str) -> tuple[Value, ...]:
    """Parse every line that is not blank.

    parse: turns the object of one line into a value; it raises LabelError if it cannot.
    kind: what a line holds, with its article ("a label"), for messages.

    Raises LabelError, which names the file, the line and the fault.
    """
    try:
        # Not splitlines(): strings in JSON may contain other line separators.
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise LabelError(
            f"{path} cannot be read ({error}): name a file with one JSON object per line"
        ) from error
    values = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                values.append(parse(_json_object(line)))
            except LabelError as error:
                raise LabelError(f"{path}, line {number} is not {kind}: {error}") from error
    return tuple(values)


def _json_object(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise LabelError(f"it is not JSON ({error.msg} at character {error.pos + 1})") from error
    except (ValueError, RecursionError) as error:
        raise LabelError(f"its JSON cannot be read ({error})") from error
    if not isinstance(row, dict):
        raise LabelError("it must be one JSON object")
    return row
