"""How each hand was won: from the command line, a JSON beside the photo, or a row of one CSV; the rest is assumed."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from scorer import Circumstances, HandError
from vision.batch.listing.photo_source import Source

#: The circumstances a sidecar or a table may give.
NAMES = ("self_drawn", "last_tile", "kong", "fourth_tile", "seat_wind", "prevalent_wind", "opening")

#: What is taken for those nobody gave.
DEFAULTS: dict[str, Any] = {
    each.name: each.default for each in fields(Circumstances) if each.name in NAMES and each.name != "opening"
}

_NAME_COLUMNS = ("photo", "image", "file", "source")
_YES = ("1", "true", "yes", "y", "x", "是")
_NO = ("0", "false", "no", "n", "否")
_WINDS = {"东": "E", "東": "E", "南": "S", "西": "W", "北": "N"}


class CircumstancesError(ValueError):
    """A table or sidecar that cannot be used; the message says where and what to do."""


@dataclass(frozen=True)
class Won:
    """How one hand was won, and which parts of that nobody said and were assumed."""

    circumstances: Circumstances
    assumed: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The circumstances as a row shows them; `opening` only where there is one."""
        shown = {name: getattr(self.circumstances, name) for name in DEFAULTS}
        opening = self.circumstances.opening
        return shown if opening is None else {**shown, "opening": opening.value}


def resolve(*given: Mapping[str, Any]) -> Won:
    """Lay several sources of circumstances over each other, the later the stronger.

    Raises CircumstancesError where they are none.

    >>> won = resolve({"seat_wind": "S"}, {"self_drawn": True})
    >>> won.circumstances.seat_wind, won.assumed
    ('S', ('last_tile', 'kong', 'fourth_tile', 'prevalent_wind'))
    """
    known: dict[str, Any] = {}
    for each in given:
        known |= {name: each[name] for name in NAMES if each.get(name) is not None}
    for name in ("seat_wind", "prevalent_wind"):
        if isinstance(wind := known.get(name), str):
            known[name] = _WINDS.get(wind.strip(), wind.strip().upper())
    try:
        circumstances = Circumstances(**known)
    except HandError as error:
        raise CircumstancesError(error.message) from error
    return Won(circumstances, tuple(name for name in DEFAULTS if name not in known))


def from_sidecar(content: bytes | None) -> dict[str, Any]:
    """The circumstances in a sidecar: at its top, or in its `hand` as our own JSON has them.

    Other keys are nobody's business. Raises CircumstancesError where it is no JSON object.

    >>> from_sidecar(b'{"hand": {"seat_wind": "W"}, "camera": "phone"}')
    {'seat_wind': 'W'}
    """
    if content is None:
        return {}
    try:
        found = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise CircumstancesError(f"the JSON beside the photo cannot be read ({error})") from error
    if not isinstance(found, dict):
        raise CircumstancesError('the JSON beside the photo is no object: write {"seat_wind": "E", …}')
    hand = found.get("hand")
    both = {**(hand if isinstance(hand, dict) else {}), **found}
    return {name: both[name] for name in NAMES if name in both}


@dataclass(frozen=True)
class CircumstancesTable:
    """One CSV of circumstances: rows by what they call the photo."""

    rows: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def name_of(self, source: Source) -> str | None:
        """What the table calls a photo, None where it does not speak of it."""
        if not self.rows:
            return None
        return next((name for name in map(_composed, source.names()) if name in self.rows), None)


def read_table(path: Path) -> CircumstancesTable:
    """Read a CSV whose column `photo` holds paths or file names and whose others are circumstances.

    Comma, semicolon or tab; UTF-8 or GB 18030. Empty cells are not given. Raises CircumstancesError.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CircumstancesError(f"{path} cannot be read ({error.strerror}): check the name") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            text = content.decode("gb18030")
        except UnicodeDecodeError as error:
            raise CircumstancesError(f"{path} is no CSV in UTF-8 or GB 18030: save it as UTF-8") from error
    head = text.partition("\n")[0]
    separator = max(",;\t", key=head.count)
    try:
        every = enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=separator), 1)
        lines = [(number, line) for number, line in every if any(line)]
    except csv.Error as error:
        raise CircumstancesError(f"{path} is no CSV ({error})") from error
    columns = [name.strip().lower() for name in lines[0][1]] if lines else []
    key = next((name for name in _NAME_COLUMNS if name in columns), None)
    used = [name for name in columns if name in NAMES]
    if key is None or not used:
        raise CircumstancesError(
            f"{path} needs a column photo and at least one of {', '.join(NAMES)}; "
            f"it has {', '.join(filter(None, columns)) or 'none'}"
        )
    twice = next((name for name in (key, *used) if columns.count(name) > 1), None)
    if twice is not None:
        raise CircumstancesError(f"{path} has two columns {twice}: leave one")
    rows: dict[str, Mapping[str, Any]] = {}
    for number, line in lines[1:]:
        if any(line[len(columns) :]):
            raise CircumstancesError(
                f"{path}, row {number} has more cells than columns: quote what has commas"
            )
        cells = dict(zip(columns, (cell.strip() for cell in line), strict=False))
        name = _composed(cells.get(key, "").replace("\\", "/").removeprefix("./"))
        if not name:
            raise CircumstancesError(f"{path}, row {number}: the column {key} is empty")
        if name in rows:
            raise CircumstancesError(f"{path}, row {number}: {name} has a row already")
        rows[name] = {each: _value(each, cells[each]) for each in used if cells.get(each)}
    return CircumstancesTable(rows)


def _composed(name: str) -> str:
    """A name as it is seen: some systems store an accent apart from its letter, and none shows it so."""
    return unicodedata.normalize("NFC", name)


def _value(name: str, cell: str) -> Any:
    """A cell as a circumstance; what is neither yes nor no stays, and is refused with its photo's row."""
    if name in ("seat_wind", "prevalent_wind", "opening"):
        return cell
    low = cell.lower()
    return True if low in _YES else False if low in _NO else cell
