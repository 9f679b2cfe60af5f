"""`fanlens photo`, `fanlens eval` and `fanlens models`."""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path
from time import perf_counter
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from models.manifest import ModelError, load_manifest
from scorer import PROFILES, Circumstances, HandError, Score
from scorer.lines import json_line
from scorer.tiles import chinese
from vision.batch.commands import batch
from vision.draw import annotate
from vision.evaluate import Evaluation, LabelError, evaluate, read_labels
from vision.layout import Role
from vision.photo import Photo, PhotoError, load_photo
from vision.pictures import FreeNames, write_picture
from vision.recognise import Recognition, SeenTile, recognise
from vision.report import REPORT_FILES, write_report
from vision.tiles import BACK

_WIND = click.Choice(["E", "S", "W", "N"], case_sensitive=False)


@click.command()
@click.argument("images", nargs=-1, required=True, type=click.Path(), metavar="IMAGE…")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each image.")
@click.option("--seat-wind", type=_WIND, default="E", show_default=True, help="The winner's seat wind.")
@click.option("--prevalent-wind", type=_WIND, default="E", show_default=True, help="The wind of the round.")
@click.option("--self-drawn", is_flag=True, help="The winning tile was drawn, not discarded.")
@click.option("--last-tile", is_flag=True, help="It was the last tile of the wall, or the last discard.")
@click.option("--kong", is_flag=True, help="Won on a kong's replacement tile, or by robbing a kong.")
@click.option("--fourth-tile", is_flag=True, help="The other three of the winning tile lie open.")
@click.option("--profile", type=click.Choice(sorted(PROFILES)), default="guobiao", show_default=True)
@click.option(
    "--annotated",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write each photo with its tiles outlined and named into DIR.",
)
def photo(
    images: tuple[str, ...],
    as_json: bool,
    annotated: Path | None,
    profile: str,
    **how: Any,
) -> None:
    """Read photos of declared hands and score them.

    Exit status: 0 when every photo was read, 1 when some photo could not be opened or holds no tile, or its
    annotated picture could not be written.
    """
    try:
        circumstances = Circumstances(**how)
    except HandError as error:
        raise click.UsageError(error.message) from error
    if annotated is not None:
        _make_folder(annotated)
    console = Console()
    failed = False
    names = FreeNames(Path(image) for image in images)
    for image in images:
        try:
            opened, recognition = _read(image, circumstances, profile)
        except PhotoError as error:
            failed = True
            if as_json:
                click.echo(json_line(_unread(image, error)))
            else:
                _say(console, f"{image}: {error.message}", "red")
            continue
        except (ModelError, OSError) as error:
            raise click.ClickException(str(error)) from error
        unwritten = None
        if annotated is not None:
            unwritten = _draw(
                opened, recognition, names.take(annotated / f"{Path(image).stem}-annotated.jpg")
            )
        failed = failed or not recognition.tiles or unwritten is not None
        if as_json:
            told = {**recognition.to_json(), "image": image}
            if unwritten is not None:
                told["problems"].append({"code": "picture_not_written", "message": unwritten})
            click.echo(json_line(told))
        else:
            _show(console, image, recognition)
            if unwritten is not None:
                _say(console, f"! {unwritten}", "red")
    sys.exit(1 if failed else 0)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(
            f"{_printable(str(folder))} cannot be made ({reason}): name a folder you may write to"
        ) from error


def _read(image: str, circumstances: Circumstances, profile: str) -> tuple[Photo, Recognition]:
    if not image:
        raise PhotoError("not_found", "the name is empty: name a photo, or quote a name with blanks in it")
    start = perf_counter()
    opened = load_photo(Path(image))
    load_ms = (perf_counter() - start) * 1000
    return opened, recognise(opened, circumstances, profile=profile, load_ms=load_ms)


def _draw(opened: Photo, recognition: Recognition, path: Path) -> str | None:
    """Write the annotated picture; what to say if it could not be."""
    try:
        write_picture(annotate(opened, recognition), path)
    except OSError as error:
        reason = error.strerror or error
        return f"{path} cannot be written ({reason}): name another folder with --annotated, or make room"
    return None


def _say(console: Console, message: str, style: str) -> None:
    """One line that may name files: no markup, no emoji codes, nothing that steers the terminal."""
    console.print(Text(_printable(message), style), soft_wrap=True)


def _printable(text: str) -> str:
    """The text with control characters, and bytes of file names that are no UTF-8, as escapes."""
    return "".join(
        char.encode("unicode_escape").decode() if unicodedata.category(char) in ("Cc", "Cs") else char
        for char in text
    )


def _unread(image: str, error: PhotoError) -> dict[str, Any]:
    """The object for a photo that could not be opened: the same keys, nothing in them."""
    return {
        "image": image,
        "width": None,
        "height": None,
        "tiles": [],
        "hand": None,
        "readings": [],
        "score": None,
        "problems": [{"code": error.code, "message": error.message}],
        "timing_ms": {},
    }


def _show(console: Console, name: str, recognition: Recognition) -> None:
    """A photo's tiles, what is doubtful, and its fans, for people."""
    console.rule(Text(_printable(name)))
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for group, tiles in _groups(recognition):
        table.add_row(group, "  ".join(_named(tile) for tile in tiles))
    strays = [tile for tile in recognition.tiles if tile.role is Role.STRAY]
    if strays:
        table.add_row("strays", f"{len(strays)} tiles beside the hand, not counted", style="dim")
    console.print(table)
    for problem in recognition.problems:
        mark = "?" if problem.code == "doubtful_tile" else "!"
        _say(console, f"{mark} {problem.message}", "yellow")
    if recognition.score is not None:
        console.print(_fans(recognition.score))
    console.print(f"{recognition.timing_ms['total']:.0f} ms", style="dim", highlight=False)


def _groups(recognition: Recognition) -> list[tuple[str, list[SeenTile]]]:
    groups: dict[int, list[SeenTile]] = {}
    for tile in recognition.tiles:
        if tile.group is not None:
            groups.setdefault(tile.group, []).append(tile)
    order = [Role.MELD, Role.CONCEALED, Role.WINNING, Role.FLOWER]
    found = [(members[0].role, members) for members in groups.values()]
    found.sort(key=lambda group: order.index(group[0]))
    return [(role.value, members) for role, members in found]


def _named(tile: SeenTile) -> str:
    name = "face down" if tile.face == BACK else f"{tile.face} {chinese(tile.face)}"
    return f"{name} ({tile.confidence:.0%}?)" if tile.doubt is not None else name


def _fans(score: Score) -> Table:
    table = Table(title=None, show_edge=False)
    table.add_column("fan")
    table.add_column("in English")
    table.add_column("times", justify="right")
    table.add_column("points", justify="right")
    for award in score.fans:
        table.add_row(award.fan.name, award.fan.english, str(award.count), str(award.points))
    table.add_section()
    verdict = "" if score.legal else " (under 8 without flowers: no legal win)"
    table.add_row(
        "total", f"{score.qualifying} and {score.flowers} for flowers{verdict}", "", str(score.total)
    )
    return table


@click.command("eval")
@click.argument("labels", type=click.Path(path_type=Path), metavar="LABELS.jsonl")
@click.option("--split", help="Only photos of this split, e.g. valid.")
@click.option("--json", "as_json", is_flag=True, help="Print everything measured as one JSON object.")
@click.option(
    "--report",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the figures, the confusion table and contact sheets of the errors into DIR.",
)
def evaluation(labels: Path, split: str | None, as_json: bool, report: Path | None) -> None:
    """Measure recognition on labelled photos.

    Each line of LABELS.jsonl names an image, relative to the file, and its tiles with face and box. Exit
    status 1 when some photo could not be opened.
    """
    try:
        photos = read_labels(labels, split)
    except LabelError as error:
        raise click.ClickException(_printable(str(error))) from error
    if report is not None:
        if labels.resolve() in {(report / name).resolve() for name in REPORT_FILES}:
            raise click.UsageError(f"the report would replace {labels}: name another folder for --report")
        _make_folder(report)
    try:
        with click.progressbar(length=len(photos), label="photos", file=sys.stderr) as bar:
            measured = evaluate(photos, lambda _: bar.update(1))
        if report is not None:
            write_report(measured, report)
    except (ModelError, OSError) as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(json_line(measured.to_json()))
    else:
        _print_figures(Console(), measured)
    sys.exit(1 if measured.failed else 0)


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
            Text(_printable(scene)),
            str(row["tiles"]),
            *(_percent(row[key]) for key in ("found", "recall", "precision", "precision_with_strays")),
            str(row["rows"]),
            f"{row['rows_exact']} ({_percent(row['rows_exact_share'])})",
        )
    console.print(table)
    flagged, decoding = figures["flagged"], figures["decoding"]
    lines = [
        f"precision where all tiles are labelled: {_percent(figures['clean_precision'])}",
        f"right face among the first three: {_percent(figures['right_among_first_three'])}",
        f"expected calibration error: {_percent(figures['calibration_error'])}",
        f"flagged: {_percent(flagged['of_wrong'])} of the wrong tiles, "
        f"{_percent(flagged['of_right'])} of the right ones",
        f"changed by decoding: {decoding['changed']}, {decoding['better']} for the better, "
        f"{decoding['worse']} for the worse",
        "most confused: " + ", ".join(f"{want} as {got} ×{n}" for want, got, n in figures["confusions"][:12]),
        "median ms: " + ", ".join(f"{stage} {spent}" for stage, spent in figures["timing_ms"].items()),
    ]
    for line in [*lines, *measured.failed]:
        _say(console, line, "")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the manifest as one JSON object a model.")
def models(as_json: bool) -> None:
    """Show the networks: name, version, sha256, classes and measured accuracy."""
    console = Console()
    for model in load_manifest().models:
        row = {
            "name": model.name,
            "version": model.version,
            "sha256": model.sha256,
            "classes": list(model.classes),
            "input": model.input,
            "metrics": dict(model.metrics),
        }
        if as_json:
            click.echo(json_line(row))
            continue
        table = Table(show_header=False, title=f"{model.name} {model.version}", title_justify="left")
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")  # a cut sha256 is of no use
        table.add_row("sha256", model.sha256)
        table.add_row("input", model.input)
        table.add_row("classes", f"{len(model.classes)}: {' '.join(model.classes)}")
        for name, value in model.metrics.items():
            table.add_row(name, f"{value:.4g}")
        console.print(table)


COMMANDS: tuple[click.Command, ...] = (photo, batch, evaluation, models)
"""The commands that this package adds to `fanlens`."""
