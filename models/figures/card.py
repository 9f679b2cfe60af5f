"""The measured sections of the model card, which are generated.

A section lies between `<!-- figures:NAME -->` and `<!-- /figures:NAME -->`; the rest of the card is written by hand and
stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scorer.errors import FanlensError
from vision.evaluation.labels import LabelledPhoto
from vision.evaluation.measure import Evaluation, compare
from vision.output_files import atomic_write

CARD = Path(__file__).resolve().parents[1] / "MODEL_CARD.md"


class CardError(FanlensError):
    """The card lacks the marks of a section; the message says which. `code` is `missing_section`."""


def replace_section(text: str, name: str, content: str) -> str:
    """Return the text with new content between the marks of a section. Raises CardError.

    >>> replace_section("a\\n<!-- figures:x -->\\nold\\n<!-- /figures:x -->\\nb", "x", "new")
    'a\\n<!-- figures:x -->\\nnew\\n<!-- /figures:x -->\\nb'
    """
    start, end = f"<!-- figures:{name} -->", f"<!-- /figures:{name} -->"
    before, opened, rest = text.partition(start)
    _, closed, after = rest.partition(end)
    if not opened or not closed:
        raise CardError("missing_section", f"the card lacks the lines {start} and {end}: add them")
    return f"{before}{start}\n{content.strip()}\n{end}{after}"


def write_section(name: str, content: str, card: Path = CARD) -> None:
    """Replace a section of the card in one step. Raises CardError and OSError."""
    text = replace_section(card.read_text(encoding="utf-8"), name, content)
    with atomic_write(card) as file:
        file.write(text.encode())


def accuracy(corrected: Evaluation, labelled: Iterable[LabelledPhoto]) -> str:
    """The section `accuracy`: by scene with corrected labels, and in total with the original labels.

    `labelled` holds the same photos with their original labels.
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
            "| scene | tiles | recall | precision | exact rows of 13 to 18 tiles |",
            "|---|---|---|---|---|",
            *rows,
            _row("all", figures),
            _row("all, original labels", before),
            "",
            f"The correct face is among the three most likely faces for {_percent(figures['right_among_first_three'])} "
            f"of the tiles found. The expected calibration error is {_percent(figures['calibration_error'])}. "
            f"{_flagged(flagged)} Decoding the whole hand changed {decoding['changed']} tiles: {decoding['better']} "
            f"became correct and {decoding['worse']} wrong. Confusions: {_confusions(figures['confusions'])}.",
        ]
    )


def summary(corrected: Evaluation) -> str:
    """The section `summary` of the README: the same in three lines."""
    figures = corrected.to_json()
    return "\n".join(
        [
            "| | |",
            "|---|---|",
            f"| tiles found and named correctly | {_percent(figures['recall'])} of {figures['tiles']:,} |",
            f"| precision for tiles assigned to the hand | {_percent(figures['precision'])} |",
            "| photos of one row of 13 to 18 tiles read without an error "
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


def _flagged(flagged: dict[str, Any]) -> str:
    """How many tiles of hands were misread, and how many of both kinds were marked as doubtful."""
    right = f"{flagged['right']:,} were read correctly, {_percent(flagged['of_right'], 1)} of them marked as doubtful."
    if not flagged["wrong"]:
        return f"No tile of a hand was misread; {right}"
    marked = _percent(flagged["of_wrong"], 0)
    return f"{flagged['wrong']} tiles of hands were misread, {marked} of them marked as doubtful; {right}"


def _confusions(confusions: list[list[Any]]) -> str:
    return ", ".join(f"{want} as {got} ({times})" for want, got, times in confusions[:12]) or "none"
