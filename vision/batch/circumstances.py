"""How each hand was won: from the command line, a JSON file beside the photo, or a table; the rest is assumed."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from scorer import Circumstances, FanlensError, HandError
from vision.batch.listing.photo_source import PhotoSource

NAMES = ("self_drawn", "last_tile", "kong", "fourth_tile", "seat_wind", "prevalent_wind", "opening")
"""The circumstances that a sidecar or a table may give."""

DEFAULTS: dict[str, Any] = {
    each.name: each.default for each in fields(Circumstances) if each.name in NAMES and each.name != "opening"
}
"""The values assumed for circumstances that nothing gives."""

_PHOTO_COLUMNS = ("photo", "image", "file", "source")
_YES = ("1", "true", "yes", "y", "x", "是")
_NO = ("0", "false", "no", "n", "否")
_WINDS = {"东": "E", "東": "E", "南": "S", "西": "W", "北": "N"}


class CircumstancesError(FanlensError):
    """Circumstances cannot be used; `code` is `bad_circumstances`, and the message says where and what to do."""

    def __init__(self, message: str) -> None:
        """Refuse circumstances."""
        super().__init__("bad_circumstances", message)


@dataclass(frozen=True)
class Won:
    """How one hand was won, and which of the circumstances were assumed."""

    circumstances: Circumstances
    assumed: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The circumstances as a row shows them; `opening` only if there is one."""
        shown = {name: getattr(self.circumstances, name) for name in DEFAULTS}
        opening = self.circumstances.opening
        return shown if opening is None else {**shown, "opening": opening.value}


def resolve(*given: Mapping[str, Any]) -> Won:
    """Combine several sources of circumstances; a later one overrides an earlier one.

    Raises CircumstancesError if a value is not valid.

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
    """The circumstances in a sidecar, at its top or in its `hand` (the JSON of `fanlens photo --json`).

    Other keys are ignored. Raises CircumstancesError if the content is not a JSON object.

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
        raise CircumstancesError('the JSON beside the photo is not an object: write {"seat_wind": "E", …}')
    hand = found.get("hand")
    both = {**(hand if isinstance(hand, dict) else {}), **found}
    return {name: both[name] for name in NAMES if name in both}


@dataclass(frozen=True)
class CircumstancesTable:
    """A table of circumstances: one row per photo, by the name that the table gives it."""

    rows: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def name_of(self, source: PhotoSource) -> str | None:
        """The name that the table gives a photo, None if it has no row for it."""
        if not self.rows:
            return None
        return next((name for name in map(_composed, source.names()) if name in self.rows), None)


def read_table(path: Path) -> CircumstancesTable:
    """Read a CSV file: its column `photo` holds paths or file names, the others hold circumstances.

    Accepts commas, semicolons or tabs, in UTF-8 or GB 18030. An empty cell gives nothing. Raises CircumstancesError.
    """
    lines = _lines(path)
    header = [name.strip().lower() for name in next(lines, (1, []))[1]]
    key, used = _columns(path, header)
    rows: dict[str, Mapping[str, Any]] = {}
    for number, line in lines:
        if any(line[len(header) :]):
            raise CircumstancesError(
                f"{path}, row {number} has more cells than columns: put cells that contain commas in quotes"
            )
        cells = dict(zip(header, (cell.strip() for cell in line), strict=False))
        name = _composed(cells.get(key, "").replace("\\", "/").removeprefix("./"))
        if not name:
            raise CircumstancesError(f"{path}, row {number}: the column {key} is empty")
        if name in rows:
            raise CircumstancesError(f"{path}, row {number}: {name} already has a row")
        rows[name] = {each: _value(each, cells[each]) for each in used if cells.get(each)}
    return CircumstancesTable(rows)


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file that are not empty, each with its number from 1."""
    text = _text(path)
    head = text.partition("\n")[0]
    separator = max(",;\t", key=head.count)
    try:
        for number, line in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=separator), 1):
            if any(line):
                yield number, line
    except csv.Error as error:
        raise CircumstancesError(f"{path} is not a CSV file ({error})") from error


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CircumstancesError(f"{path} cannot be read ({error.strerror}): check the name") from error
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise CircumstancesError(f"{path} is not a CSV file in UTF-8 or GB 18030: save it as UTF-8")


def _columns(path: Path, header: Sequence[str]) -> tuple[str, list[str]]:
    """The column that names the photo, and those that hold circumstances."""
    key = next((name for name in _PHOTO_COLUMNS if name in header), None)
    used = [name for name in header if name in NAMES]
    if key is None or not used:
        raise CircumstancesError(
            f"{path} needs a column photo and at least one of {', '.join(NAMES)}; "
            f"it has {', '.join(filter(None, header)) or 'no columns'}"
        )
    twice = next((name for name in (key, *used) if header.count(name) > 1), None)
    if twice is not None:
        raise CircumstancesError(f"{path} has two columns called {twice}: remove one")
    return key, used


def _composed(name: str) -> str:
    """The name in its composed form: some systems store an accent separately from its letter, which looks the same."""
    return unicodedata.normalize("NFC", name)


def _value(name: str, cell: str) -> Any:
    """A cell as a circumstance. A cell that is neither yes nor no is kept, and `resolve` refuses it for its photo."""
    if name in ("seat_wind", "prevalent_wind", "opening"):
        return cell
    low = cell.lower()
    return True if low in _YES else False if low in _NO else cell
