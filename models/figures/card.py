"""The measured part of the model card: text between marks, made again from figures.

A section is what stands between `<!-- figures:NAME -->` and `<!-- /figures:NAME -->`; all else in the card is
written by hand and left alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vision.evaluation.labels import LabelledPhoto
from vision.evaluation.measure import Evaluation, compare
from vision.output_files import atomic_write

CARD = Path(__file__).resolve().parents[1] / "MODEL_CARD.md"


class CardError(RuntimeError):
    """The card lacks a section's marks; the message says which."""


def replace_section(text: str, name: str, content: str) -> str:
    """The text with this content between the marks of a section. Raises CardError.

    >>> replace_section("a\\n<!-- figures:x -->\\nold\\n<!-- /figures:x -->\\nb", "x", "new")
    'a\\n<!-- figures:x -->\\nnew\\n<!-- /figures:x -->\\nb'
    """
    start, end = f"<!-- figures:{name} -->", f"<!-- /figures:{name} -->"
    before, opened, rest = text.partition(start)
    _, closed, after = rest.partition(end)
    if not opened or not closed:
        raise CardError(f"there is no section between {start} and {end}: put the marks back")
    return f"{before}{start}\n{content.strip()}\n{end}{after}"


def write_section(name: str, content: str, card: Path = CARD) -> None:
    """Write a section into the card, which is whole at every moment. Raises CardError and OSError."""
    text = replace_section(card.read_text(encoding="utf-8"), name, content)
    with atomic_write(card) as file:
        file.write(text.encode())


def accuracy(corrected: Evaluation, labelled: Iterable[LabelledPhoto]) -> str:
    """The section on the labelled photos: as corrected by scene, and against the labels as they are.

    `labelled` are the same photos with the labels as they are.
    """
    by_path = {label.path: label for label in labelled}
    as_labelled = Evaluation(
        tuple(compare(by_path[result.label.path], result.recognition) for result in corrected.results)
    )
    figures, before = corrected.to_json(), as_labelled.to_json()
    rows = [_row(scene, row) for scene, row in figures["scenes"].items()]
    flagged, decoding = figures["flagged"], figures["decoding"]
    return "\n".join(
        [
            "| scene | tiles | found, right face | of the tiles claimed, right | rows of 13 to 18 tiles read exactly |",
            "|---|---|---|---|---|",
            *rows,
            _row("all", figures),
            _row("all, labels as they are", before),
            "",
            f"The right face is among the first three for {_percent(figures['right_among_first_three'])} of the tiles "
            f"found; expected calibration error {_percent(figures['calibration_error'])}. Tiles of hands read wrong: "
            f"{flagged['wrong']}, flagged as doubtful {_percent(flagged['of_wrong'], 0)} of them; read right: "
            f"{flagged['right']:,}, flagged {_percent(flagged['of_right'], 1)}. Taking the whole hand together changed "
            f"{decoding['changed']} tiles, {decoding['better']} for the better and {decoding['worse']} for the worse. "
            f"Confused: {_confusions(figures['confusions'])}.",
        ]
    )


def summary(corrected: Evaluation) -> str:
    """The same in three lines, for the README."""
    figures = corrected.to_json()
    return "\n".join(
        [
            "| | |",
            "|---|---|",
            f"| tiles found and named rightly | {_percent(figures['recall'])} of {figures['tiles']:,} |",
            f"| of the tiles claimed for the hand, right | {_percent(figures['precision'])} |",
            "| photos of one row of 13 to 18 tiles read without any error "
            f"| {figures['rows_exact']} of {figures['rows']} |",
        ]
    )


def _row(name: str, row: dict[str, Any]) -> str:
    exact = f"{row['rows_exact']} of {row['rows']}" if row["rows"] else ""
    return (
        f"| {name} | {row['tiles']:,} | {_percent(row['recall'])} | {_percent(row['precision'])} | {exact} |"
    )


def _percent(share: float | None, digits: int = 2) -> str:
    return "-" if share is None else f"{100 * share:.{digits}f} %"


def _confusions(confusions: list[list[Any]]) -> str:
    return ", ".join(f"{want} as {got} ({times})" for want, got, times in confusions[:12]) or "none"
