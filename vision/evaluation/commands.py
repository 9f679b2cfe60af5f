"""`fanlens eval`: measure recognition on labelled photos."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scorer.jsonl import json_line
from vision.evaluation.corrections import read_corrections
from vision.evaluation.labels import LabelledPhoto, read_labels
from vision.evaluation.measure import Evaluation, evaluate
from vision.evaluation.report import REPORT_FILES, write_report
from vision.printable import printable
from vision.terminal import make_folder, plain_errors, say

_MOST_CONFUSIONS = 12


@click.command("eval")
@click.argument("labels", type=click.Path(path_type=Path), metavar="LABELS.jsonl")
@click.option("--split", help="Measure only the photos of this split, e.g. valid.")
@click.option(
    "--corrections",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Correct wrong labels first, by FILE with one JSON object per line.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all figures as one JSON object.")
@click.option(
    "--report",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the figures, the confusion table and contact sheets of the errors into DIR.",
)
@plain_errors()
def evaluation(
    labels: Path, split: str | None, corrections: Path | None, as_json: bool, report: Path | None
) -> None:
    """Measure recognition on labelled photos.

    Each line of LABELS.jsonl is a JSON object with an image, relative to the file, and its tiles, each with face and
    box. models/training/corrections.jsonl corrects the labels of ../shared/data/hand-photos that are provably wrong.

    Unreadable photos are reported, the rest continue, and the exit status is 1.
    """
    photos = _photos(labels, split, corrections)
    if report is not None:
        if labels.resolve() in {(report / name).resolve() for name in REPORT_FILES}:
            raise click.UsageError(f"the report would replace {labels}: name another folder for --report")
        make_folder(report)
    with click.progressbar(length=len(photos), label="photos", file=sys.stderr) as bar:
        measured = evaluate(photos, lambda _: bar.update(1))
    if report is not None:
        write_report(measured, report)
    if as_json:
        click.echo(json_line(measured.to_json()))
    else:
        _print_figures(Console(), measured)
    sys.exit(1 if measured.failed else 0)


def _photos(labels: Path, split: str | None, corrections: Path | None) -> tuple[LabelledPhoto, ...]:
    """The photos to measure on. Corrections applied to them are reported on standard error."""
    applied = () if corrections is None else read_corrections(corrections)
    photos = read_labels(labels, split, applied)
    measured = {photo.image for photo in photos}
    for correction in applied:
        if correction.image in measured:
            click.echo(printable(f"corrected: {correction}"), err=True)
    return photos


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _print_figures(console: Console, measured: Evaluation) -> None:
    figures = measured.to_json()
    table = Table("scene", "tiles", "found", "recall", "precision", "with strays", "rows", "rows exact")
    table.box = None
    for column in table.columns:
        column.overflow = "fold"
    for scene, row in [*figures["scenes"].items(), ("all", figures)]:
        table.add_row(
            Text(printable(scene)),
            str(row["tiles"]),
            *(_percent(row[key]) for key in ("found", "recall", "precision", "precision_with_strays")),
            str(row["rows"]),
            f"{row['rows_exact']} ({_percent(row['rows_exact_share'])})",
        )
    console.print(table)
    flagged, decoding, roles = figures["flagged"], figures["decoding"], figures["roles"]
    confused = figures["confusions"][:_MOST_CONFUSIONS]
    lines = [
        f"precision for tiles assigned to the hand, in fully labelled scenes: {_percent(figures['clean_precision'])}",
        f"right face among the first three: {_percent(figures['right_among_first_three'])}",
        f"expected calibration error: {_percent(figures['calibration_error'])}",
        f"flagged as doubtful: {_percent(flagged['of_wrong'])} of {flagged['wrong']} wrong tiles, "
        f"{_percent(flagged['of_right'])} of {flagged['right']} right tiles",
        f"changed by decoding the whole hand: {decoding['changed']} tiles, {decoding['better']} corrected, "
        f"{decoding['worse']} made wrong",
        f"right role: {_percent(roles['right'])} of {roles['labelled']} tiles with a labelled role",
        "most confused: " + ", ".join(f"{want} read as {got} ×{n}" for want, got, n in confused),
        "median ms: " + ", ".join(f"{stage} {spent}" for stage, spent in figures["timing_ms"].items()),
    ]
    for line in [*lines, *measured.failed]:
        say(console, line)


COMMANDS: tuple[click.Command, ...] = (evaluation,)
"""The command that this module adds to `fanlens`."""
