"""`fanlens photo` and `fanlens models`; `tileset`, `batch` and `eval` have modules of their own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from models.manifest import load_manifest
from scorer import Circumstances, HandError, Profile, Score, profile_named
from scorer.jsonl import json_line
from scorer.options import profile_option
from vision.annotate import annotate
from vision.decoding.doubts import NOT_ABOUT_THE_FACE
from vision.errors import PhotoError
from vision.layout.roles import Role
from vision.output_files import FreeNames, write_picture
from vision.photo import Photo, load_photo
from vision.photo_formats import MAX_BYTES, format_names
from vision.printable import printable
from vision.recognition import Problem, Recognition, SeenTile, recognise
from vision.terminal import counted, make_folder, plain_errors, say
from vision.tiles import BACK, name_of
from vision.tilesets import load_tileset

_WIND = click.Choice(["E", "S", "W", "N"], case_sensitive=False)
_PHOTO_HELP = f"""Read and score photos of winning hands.

Each IMAGE is a {format_names("or")} file of at most {MAX_BYTES // 10**6} MB. Unreadable files are reported and the
rest continue.

Exit status: 0 if every photo was read; 1 if one could not be opened or shows no tile, or if its annotated picture
could not be written.
"""

Read = Callable[[Photo, float], Recognition]
"""Recognises a photo that took so many milliseconds to open."""


@click.command(help=_PHOTO_HELP)
@click.argument("images", nargs=-1, required=True, type=click.Path(), metavar="IMAGE…")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per image and line.")
@click.option("--seat-wind", type=_WIND, default="E", show_default=True, help="The winner's seat wind.")
@click.option("--prevalent-wind", type=_WIND, default="E", show_default=True, help="The wind of the round.")
@click.option("--self-drawn", is_flag=True, help="The winner drew the winning tile.")
@click.option("--last-tile", is_flag=True, help="It was the last tile of the wall, or the last discard.")
@click.option("--kong", is_flag=True, help="Won on a kong's replacement tile, or by robbing a kong.")
@click.option("--fourth-tile", is_flag=True, help="The other three of the winning tile lie open.")
@profile_option
@click.option(
    "--annotated",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write each photo into DIR with its tiles outlined and named.",
)
@click.option(
    "--tileset",
    "set_name",
    metavar="NAME",
    help="Read with the tile set NAME, taught by `fanlens tileset learn`.",
)
@plain_errors()
def photo(
    images: tuple[str, ...],
    as_json: bool,
    annotated: Path | None,
    profile: str,
    set_name: str | None,
    **how: Any,
) -> None:
    """Read and score photos of winning hands; people read `_PHOTO_HELP`."""
    circumstances, rules = _circumstances(how), _rules(profile)
    tileset = None if set_name is None else load_tileset(set_name)
    if annotated is not None:
        make_folder(annotated)
    read: Read = partial(_recognise, circumstances=circumstances, profile=rules, tileset=tileset)
    show = _show_json if as_json else partial(_show, Console())
    names = FreeNames(Path(image) for image in images)
    failed = False
    for image in images:
        try:
            opened, recognition = _read(image, read)
        except PhotoError as error:
            failed = True
            _show_unread(image, error, as_json=as_json)
            continue
        unwritten = None
        if annotated is not None:
            picture = names.take(annotated / f"{Path(image).stem}-annotated.jpg")
            unwritten = _draw(opened, recognition, picture)
        failed = failed or not recognition.tiles or unwritten is not None
        show(image, recognition, unwritten)
    sys.exit(1 if failed else 0)


def _circumstances(how: dict[str, Any]) -> Circumstances:
    try:
        return Circumstances(**how)
    except HandError as error:
        raise click.UsageError(error.message) from error


def _rules(profile: str) -> Profile:
    try:
        return profile_named(profile)
    except HandError as error:
        raise click.BadParameter(error.message, param_hint="--profile") from error


def _recognise(opened: Photo, load_ms: float, **options: Any) -> Recognition:
    return recognise(opened, load_ms=load_ms, **options)


def _read(image: str, read: Read) -> tuple[Photo, Recognition]:
    """Open and recognise one photo. Raises PhotoError; reading a large photo may raise it too."""
    if not image:
        raise PhotoError("not_found", "the name is empty: name a photo, or quote a name with spaces in it")
    start = perf_counter()
    opened = load_photo(Path(image))
    return opened, read(opened, (perf_counter() - start) * 1000)


def _draw(opened: Photo, recognition: Recognition, path: Path) -> str | None:
    """Write the annotated picture; return what to say if that fails."""
    try:
        write_picture(annotate(opened, recognition), path)
    except PhotoError as error:
        return error.message
    except OSError as error:
        reason = error.strerror or error
        return f"{path} cannot be written ({reason}): name another folder with --annotated, or make room"
    return None


def _show_json(image: str, recognition: Recognition, unwritten: str | None) -> None:
    row = {**recognition.to_json(), "image": image}
    if unwritten is not None:
        row["problems"].append({"code": "picture_not_written", "message": unwritten})
    click.echo(json_line(row))


def _show_unread(image: str, error: PhotoError, *, as_json: bool) -> None:
    """Report a photo that could not be read; as JSON with the same keys as any other."""
    if not as_json:
        say(Console(), f"{image}: {error.message}", "red")
        return
    row: dict[str, Any] = {
        "image": image,
        "width": None,
        "height": None,
        "tiles": [],
        "hand": None,
        "readings": [],
        "score": None,
        "totals": None,
        "problems": [{"code": error.code, "message": error.message}],
        "timing_ms": {},
    }
    click.echo(json_line(row))


def _show(console: Console, image: str, recognition: Recognition, unwritten: str | None) -> None:
    """Print a photo's tiles by role, its problems and its fans."""
    console.rule(Text(printable(image)))
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for role, tiles in _groups(recognition):
        table.add_row(role, ", ".join(_described(tile) for tile in tiles))
    strays = sum(tile.role is Role.STRAY for tile in recognition.tiles)
    if strays:
        table.add_row("strays", f"{counted(strays, 'tile')} beside the hand, not counted", style="dim")
    console.print(table)
    for problem in recognition.problems:
        say(console, _sentence(problem, recognition), "yellow")
    if recognition.score is not None:
        console.print(_fans(recognition.score))
    if recognition.totals is not None and recognition.totals.text is not None:
        say(console, f"! {recognition.totals.text}", "yellow")
    console.print(f"{recognition.timing_ms['total']:.0f} ms", style="dim", highlight=False)
    if unwritten is not None:
        say(console, f"! {unwritten}", "red")


def _groups(recognition: Recognition) -> list[tuple[str, list[SeenTile]]]:
    """The groups of the hand with their roles: melds, concealed tiles, the winning tile, flowers."""
    groups: dict[int, list[SeenTile]] = {}
    for tile in recognition.tiles:
        if tile.group is not None:
            groups.setdefault(tile.group, []).append(tile)
    order = [Role.MELD, Role.CONCEALED, Role.WINNING, Role.FLOWER]
    found = sorted(groups.values(), key=lambda members: order.index(members[0].role))
    return [(members[0].role.value, members) for members in found]


def _described(tile: SeenTile) -> str:
    name = "face down" if tile.face == BACK else name_of(tile.face)
    if tile.doubt is None:
        return name
    return f"{name} (?)" if tile.doubt.code in NOT_ABOUT_THE_FACE else f"{name} ({tile.confidence:.0%}?)"


def _sentence(problem: Problem, recognition: Recognition) -> str:
    """A problem for people, who know a tile by its name and not by its place in the JSON."""
    doubt = None if problem.tile is None else recognition.tiles[problem.tile].doubt
    if problem.tile is None or doubt is None:
        return f"! {problem.message}"
    return f"? {name_of(recognition.tiles[problem.tile].face)}: {doubt.message}"


def _fans(score: Score) -> Table:
    table = Table(title=None, show_edge=False)
    table.add_column("fan")
    table.add_column("in English")
    table.add_column("times", justify="right")
    table.add_column("points", justify="right")
    for award in score.fans:
        table.add_row(award.fan.name, award.fan.english, str(award.count), str(award.points))
    table.add_section()
    verdict = "" if score.legal else f" (not a legal win: under {score.minimum} without flowers)"
    table.add_row(
        "total", f"{score.qualifying} and {score.flowers} for flowers{verdict}", "", str(score.total)
    )
    return table


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per network and line.")
@plain_errors()
def models(as_json: bool) -> None:
    """List the networks and their measured accuracy."""
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
        table.add_column(overflow="fold")  # a shortened sha256 would be useless
        table.add_row("sha256", model.sha256)
        table.add_row("input", model.input)
        table.add_row("classes", f"{len(model.classes)}: {' '.join(model.classes)}")
        for name, value in model.metrics.items():
            table.add_row(name, f"{value:.4g}")
        console.print(table)


COMMANDS: tuple[click.Command, ...] = (photo, models)
"""The commands that this module adds to `fanlens`."""
