"""The results as a table, CSV or Parquet: one line per photo, with the hand, the fans and the problems as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from scorer import FanlensError, format_hand, hand_from_json
from scorer.jsonl import json_line
from vision.batch.circumstances import DEFAULTS
from vision.batch.results.result_rows import Row, status
from vision.output_files import atomic_write

COLUMNS = (
    *("source", "status", "total", "qualifying", "flowers", "legal", "fans", "hand"),
    *DEFAULTS,
    *("assumed", "problems", "tiles", "width", "height", "sha256", "models", "profile", "tileset", "minimum"),
    *("lowest", "highest"),
)
"""The columns of both tables."""
WHOLE = "row"
"""The further column of a Parquet file, with the whole row as JSON."""

_NUMBERS = ("total", "qualifying", "flowers", "tiles", "width", "height", "minimum", "lowest", "highest")
_FLAGS = ("legal", *(name for name, value in DEFAULTS.items() if value is False))
_ROWS_PER_GROUP = 1000


class MissingLibraryError(FanlensError):
    """Parquet cannot be written because pyarrow is not installed; `code` is `missing_library`."""


def hand_text(row: Mapping[str, Any]) -> str:
    """The likeliest hand in text notation, empty if there is none."""
    return format_hand(*hand_from_json(row["hand"])) if row["hand"] else ""


def fans_text(row: Mapping[str, Any]) -> str:
    """The fans of the score; a fan that counts more than once is followed by its number."""
    fans = row["score"]["fans"].items() if row["score"] else ()
    return " ".join(name if times == 1 else f"{name}×{times}" for name, times in fans)


def cells(row: Mapping[str, Any]) -> dict[str, Any]:
    """The cells of a row by column; None if there is no value."""
    score = row["score"] or {}
    points = score.get("points") or {}
    totals = row.get("totals") or {}  # rows of older versions have none
    won = row["circumstances"] or {}
    return {
        "source": row["source"],
        "status": status(row),
        "total": score.get("total"),
        "qualifying": points.get("qualifying"),
        "flowers": points.get("flowers"),
        "legal": score.get("legal"),
        "fans": fans_text(row),
        "hand": hand_text(row),
        **{name: won.get(name) for name in DEFAULTS},
        "assumed": " ".join(row["assumed"]),
        "problems": "; ".join(problem["message"] for problem in row["problems"]),
        "tiles": len(row["tiles"]),
        "width": row["width"],
        "height": row["height"],
        "sha256": row["sha256"],
        "models": " ".join(f"{name} {version}" for name, version in row["models"].items()),
        "profile": row["profile"],
        "tileset": (row.get("tileset") or {}).get("name"),
        "minimum": row.get("minimum"),  # nor this
        "lowest": totals.get("lowest"),
        "highest": totals.get("highest"),
    }


def csv_lines(rows: Iterable[Row]) -> Iterator[str]:
    """The lines of a CSV file. It starts with a byte order mark, without which Excel garbles Chinese."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    yield "\ufeff"
    for line in _lines(rows):
        writer.writerow(line)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def _lines(rows: Iterable[Row]) -> Iterator[Iterable[Any]]:
    yield COLUMNS
    for row in rows:
        flat = cells(row)
        yield [_plain(flat[name]) for name in COLUMNS]


def _plain(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula, whatever a photo is called."""
    if isinstance(cell, str):
        return "'" + cell if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
    return str(cell).lower() if isinstance(cell, bool) else cell


def load_pyarrow() -> Any:
    """The module pyarrow. Raises MissingLibraryError."""
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError as error:
        raise MissingLibraryError(
            "missing_library", "Parquet needs pyarrow: pip install 'fanlens[parquet]'"
        ) from error


def write_parquet(path: Path, rows: Iterable[Row]) -> None:
    """Write a Parquet file, whole or not at all. Raises MissingLibraryError, OSError."""
    arrow = load_pyarrow()
    schema = arrow.schema([(name, _type(arrow, name)) for name in (*COLUMNS, WHOLE)])
    with (
        atomic_write(path, durable=True) as file,
        arrow.parquet.ParquetWriter(file, schema, compression="zstd") as writer,
    ):
        for group in _groups(rows):
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))


def _type(arrow: Any, name: str) -> Any:
    if name in _NUMBERS:
        return arrow.int32()
    if name in _FLAGS:
        return arrow.bool_()
    return arrow.string()


def _groups(rows: Iterable[Row]) -> Iterator[list[dict[str, Any]]]:
    """The lines of a Parquet file, one row group at a time."""
    left = iter(rows)
    while group := list(islice(left, _ROWS_PER_GROUP)):
        yield [{**_encodable(cells(row)), WHOLE: json_line(row)} for row in group]


def _encodable(flat: dict[str, Any]) -> dict[str, Any]:
    """The cells with text that UTF-8 can express, whatever bytes are in the name of a file."""
    return {
        name: cell.encode("utf-8", "backslashreplace").decode() if isinstance(cell, str) else cell
        for name, cell in flat.items()
    }
