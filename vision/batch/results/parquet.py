"""The results as Parquet, through `pip install 'fanlens[parquet]'`: the columns of the table, and the whole row."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from scorer.jsonl import json_line
from vision.batch.circumstances import DEFAULTS
from vision.batch.results.result_rows import Row
from vision.batch.results.tables import COLUMNS, cells
from vision.output_files import atomic_write

#: The column that holds the whole row as JSON, as the other output has it.
WHOLE = "row"

_NUMBERS = ("total", "qualifying", "flowers", "tiles", "width", "height")
_FLAGS = ("legal", *(name for name, value in DEFAULTS.items() if value is False))
_GROUP = 1000


class MissingParquetError(ValueError):
    """Parquet cannot be written, as the library for it is not installed."""


def library() -> Any:
    """The pyarrow module. Raises MissingParquetError."""
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError as error:
        raise MissingParquetError("Parquet needs pyarrow: pip install 'fanlens[parquet]'") from error


def write_parquet(path: Path, rows: Iterable[Row]) -> None:
    """Write a file that appears whole or not at all. Raises MissingParquetError, OSError."""
    arrow = library()
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


def _groups(rows: Iterable[Row]) -> Iterable[list[dict[str, Any]]]:
    """Flat rows, so many at a time as one row group holds."""
    left = iter(rows)
    while group := list(islice(left, _GROUP)):
        yield [{**_written(cells(row)), WHOLE: json_line(row)} for row in group]


def _written(flat: dict[str, Any]) -> dict[str, Any]:
    """Cells whose text UTF-8 can hold, whatever bytes a file is called by."""
    return {
        name: cell.encode("utf-8", "backslashreplace").decode() if isinstance(cell, str) else cell
        for name, cell in flat.items()
    }
