"""The results as a table for spreadsheets: a line a photo, the hand as text, fans and problems in words."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scorer import format_hand, hand_from_json
from vision.batch.circumstances import DEFAULTS
from vision.batch.results.result_rows import Row, status

COLUMNS = (
    *("source", "status", "total", "qualifying", "flowers", "legal", "fans", "hand"),
    *DEFAULTS,
    *("assumed", "problems", "tiles", "width", "height", "sha256", "models", "profile", "tileset"),
)


def hand_text(row: Mapping[str, Any]) -> str:
    """The likeliest hand in text notation, empty where there is none."""
    return format_hand(*hand_from_json(row["hand"])) if row["hand"] else ""


def fans_text(row: Mapping[str, Any]) -> str:
    """The fans of the score, those counted more than once with their number."""
    fans = row["score"]["fans"].items() if row["score"] else ()
    return " ".join(name if times == 1 else f"{name}×{times}" for name, times in fans)


def cells(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as flat cells; None where there is nothing to say."""
    score = row["score"] or {}
    points = score.get("points") or {}
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
    }


def csv_lines(rows: Iterable[Row]) -> Iterator[str]:
    """The lines of a CSV file; it starts with a byte order mark, without which Excel garbles Chinese."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    yield "\ufeff"
    for line in _table(rows):
        writer.writerow(line)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def _table(rows: Iterable[Row]) -> Iterator[Iterable[Any]]:
    yield COLUMNS
    for row in rows:
        flat = cells(row)
        yield [_plain(flat[name]) for name in COLUMNS]


def _plain(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula, whatever a photo is called."""
    if isinstance(cell, str):
        return "'" + cell if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
    return str(cell).lower() if isinstance(cell, bool) else cell
