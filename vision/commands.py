"""`fanlens photo` and `fanlens models`; `tileset`, `batch` and `eval` have modules of their own."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from models.manifest import ModelError, load_manifest
from scorer import PROFILES, Circumstances, HandError, Score
from scorer.jsonl import json_line
from scorer.tiles import chinese
from vision.annotate import annotate
from vision.decoding.doubts import NOT_ABOUT_THE_FACE
from vision.errors import PhotoError
from vision.layout.arrange import Role
from vision.output_files import FreeNames, write_picture
from vision.photo import Photo, load_photo
from vision.printable import printable
from vision.recognition import Recognition, SeenTile, recognise
from vision.terminal import make_folder, say
from vision.tiles import BACK
from vision.tilesets import TileSet, TileSetError, load_tileset

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
@click.option(
    "--tileset", "set_name", metavar="NAME", help="The set on the table, shown by `fanlens tileset learn`."
)
def photo(
    images: tuple[str, ...],
    as_json: bool,
    annotated: Path | None,
    profile: str,
    set_name: str | None,
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
    known = None if set_name is None else _tileset(set_name)
    if annotated is not None:
        make_folder(annotated)
    console = Console()
    failed = False
    names = FreeNames(Path(image) for image in images)
    for image in images:
        try:
            opened, recognition = _read(image, circumstances, profile, known)
        except PhotoError as error:
            failed = True
            if as_json:
                click.echo(json_line(_unread(image, error)))
            else:
                say(console, f"{image}: {error.message}", "red")
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
                say(console, f"! {unwritten}", "red")
    sys.exit(1 if failed else 0)


def _tileset(name: str) -> TileSet:
    try:
        return load_tileset(name)
    except TileSetError as error:
        raise click.ClickException(printable(error.message)) from error


def _read(
    image: str, circumstances: Circumstances, profile: str, known: TileSet | None
) -> tuple[Photo, Recognition]:
    if not image:
        raise PhotoError("not_found", "the name is empty: name a photo, or quote a name with blanks in it")
    start = perf_counter()
    opened = load_photo(Path(image))
    load_ms = (perf_counter() - start) * 1000
    return opened, recognise(opened, circumstances, profile=profile, load_ms=load_ms, tileset=known)


def _draw(opened: Photo, recognition: Recognition, path: Path) -> str | None:
    """Write the annotated picture; what to say if it could not be."""
    try:
        write_picture(annotate(opened, recognition), path)
    except PhotoError as error:
        return error.message
    except OSError as error:
        reason = error.strerror or error
        return f"{path} cannot be written ({reason}): name another folder with --annotated, or make room"
    return None


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
    console.rule(Text(printable(name)))
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for group, tiles in _groups(recognition):
        table.add_row(group, "  ".join(_named(tile) for tile in tiles))
    strays = [tile for tile in recognition.tiles if tile.role is Role.STRAY]
    if strays:
        table.add_row(
            "strays",
            f"{len(strays)} tile{'s' if len(strays) > 1 else ''} beside the hand, not counted",
            style="dim",
        )
    console.print(table)
    for problem in recognition.problems:
        mark = "?" if problem.code == "doubtful_tile" else "!"
        say(console, f"{mark} {problem.message}", "yellow")
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
    if tile.doubt is None:
        return name
    return f"{name} (?)" if tile.doubt.code in NOT_ABOUT_THE_FACE else f"{name} ({tile.confidence:.0%}?)"


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


COMMANDS: tuple[click.Command, ...] = (photo, models)
"""The commands that this module adds to `fanlens`."""
