"""`fanlens tileset`: show Fanlens a set of one's own, and what it was shown."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from models.manifest import ModelError
from scorer import HandError, hand_from_json, parse_hand
from scorer.tiles import chinese
from vision.errors import PhotoError
from vision.networks.detector import Detector
from vision.networks.reader import Reader
from vision.networks.sessions import open_session
from vision.photo import Photo, load_photo
from vision.printable import printable
from vision.terminal import say
from vision.tiles import BACK, Tiles
from vision.tilesets.confirm import Confirmed, by_hand, in_order, parse_faces, places, read_sidecar
from vision.tilesets.errors import TileSetError
from vision.tilesets.export import FORMATS, export_labels
from vision.tilesets.references import LEARNABLE
from vision.tilesets.sheet import write_sheet
from vision.tilesets.store import (
    TileSet,
    forget,
    kept_photo,
    learn,
    list_tilesets,
    load_tileset,
    tilesets_folder,
)


@click.group()
def tileset() -> None:
    """Sets of your own: show Fanlens the tiles once, and it reads them better from then on.

    Lay out one tile of each face, 1-9 characters, 1-9 dots, 1-9 bamboo, East South West North, red green white,
    then the eight flowers if the set has them, in straight rows from left to right, take a photo, and

      fanlens tileset learn home photo.jpg --in-order

    then `fanlens photo --tileset home IMAGE…`. Only what you say of a photo is learned, never what Fanlens read.

    Sets lie in your application folder, or in the folder `tilesets` under $FANLENS_HOME.
    """


@tileset.command("learn")
@click.argument("name")
@click.argument("photos", nargs=-1, required=True, type=click.Path(), metavar="PHOTO…")
@click.option(
    "--in-order", "ordered", is_flag=True, help="The photo shows all 42 (or the 34 without flowers) in order."
)
@click.option("--faces", metavar="FACES", help="The photo shows these, in this order, e.g. '1-9m 5z 5z 1f'.")
@click.option(
    "--hand", "hand_text", metavar="HAND", help="The photo shows this hand, as `fanlens score` writes it."
)
@click.option("--keep-photos", is_flag=True, help="Keep the photos, without metadata, for `export`.")
@click.option("--sure", is_flag=True, help="Learn even what reads quite differently from what you say.")
def learning(
    name: str,
    photos: tuple[str, ...],
    ordered: bool,
    faces: str | None,
    hand_text: str | None,
    keep_photos: bool,
    sure: bool,
) -> None:
    """Learn the tiles in PHOTO… for the set NAME.

    Without --in-order, --faces or --hand, a JSON beside each photo (photo.json for photo.jpg) says what is to be
    seen: the object that `fanlens photo --json` printed, looked through and corrected by you, any
    {"tiles": [{"face": "1m", "quad": [[x, y], …]}, …]}, or {"hand": {…}}. A photo learned before is replaced.

    Exit status 1 when some photo taught nothing; nothing of it is learned then.
    """
    if sum((ordered, faces is not None, hand_text is not None)) > 1:
        raise click.UsageError("--in-order, --faces and --hand exclude one another")
    console = Console()
    failed = False
    for path in photos:
        try:
            opened = load_photo(Path(path))
            confirmed = _confirmed(opened, Path(path), ordered, faces, hand_text, sure)
            lesson = learn(name, opened, confirmed.tiles, keep_photo=keep_photos)
        except (PhotoError, TileSetError, HandError) as error:
            say(console, f"{path}: {error.message}", "red")
            failed = True
            if isinstance(error, TileSetError) and error.code in ("bad_name", "not_written"):
                break  # the next photo would fare no better
            continue
        except (ModelError, OSError) as error:
            raise click.ClickException(printable(str(error))) from error
        say(console, f"{path}: {len(lesson.references)} tiles learned", "")
        for one in confirmed.surprises:
            read = f"{one.read}, {one.probability:.0%}"
            say(console, f"  tile {one.number} is {one.told}; it was read as {read}", "yellow")
        if confirmed.left_out:
            say(
                console, f"  left out, as they could be one another: {' '.join(confirmed.left_out)}", "yellow"
            )
    with suppress(TileSetError):  # nothing was learned, and why was said
        _say_missing(console, load_tileset(name))
    sys.exit(1 if failed else 0)


def _confirmed(
    opened: Photo, path: Path, ordered: bool, faces: str | None, hand_text: str | None, sure: bool
) -> Confirmed:
    if ordered or faces is not None:
        return in_order(_found(opened), None if faces is None else parse_faces(faces), sure=sure)
    if hand_text is not None:
        hand, _ = parse_hand(hand_text)
        return by_hand(_found(opened), (opened.width, opened.height), hand, sure=sure)
    size = (opened.width, opened.height)
    confirmed, told = read_sidecar(path.with_suffix(".json"), size)
    if confirmed is None:
        hand, _ = hand_from_json(told or {})
        return by_hand(_found(opened), size, hand, sure=sure)
    return confirmed


def _found(opened: Photo) -> Tiles:
    detections = Detector(open_session("detector")).detect(opened)
    return places(Reader(open_session("reader")).read(opened, detections))


def _say_missing(console: Console, known: TileSet) -> None:
    count = len(known.references)
    missing = f"without: {' '.join(known.missing)}" if known.missing else "every face is there"
    say(console, f"{known.name}: {count} references from {len(known.lessons)} photos, {missing}", "bold")


@tileset.command("list")
def listing() -> None:
    """List the sets that Fanlens was shown."""
    console = Console()
    with _told():
        names = list_tilesets()
    if not names:
        say(console, f"no tile set yet in {tilesets_folder()} (see `fanlens tileset --help`)", "")
    for name in names:
        try:
            _say_missing(console, load_tileset(name))
        except TileSetError as error:
            say(console, f"{name}: {error.message}", "red")


@tileset.command("show")
@click.argument("name")
@click.option(
    "--sheet",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.png",
    help="Write a contact sheet.",
)
def showing(name: str, sheet: Path | None) -> None:
    """Show how many references each face of the set NAME has, and from which photos."""
    console = Console()
    with _told():
        known = load_tileset(name)
        if sheet is not None:
            write_sheet(known, sheet)
    counts = known.counts
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for start, stop in ((0, 9), (9, 18), (18, 27), (27, 34), (34, 42), (42, 43)):
        row = LEARNABLE[start:stop]
        cells = [f"{face}{'' if face == BACK else ' ' + chinese(face)} ×{counts[face]}" for face in row]
        table.add_row(
            *(Text(cell, "" if counts[face] else "dim") for cell, face in zip(cells, row, strict=True))
        )
    console.print(table)
    for lesson in known.lessons:
        kept = ", photo kept" if kept_photo(name, lesson) else ""
        say(console, f"{len(lesson.references)} tiles of {lesson.source}{kept}", "dim")
    _say_missing(console, known)


@tileset.command("forget")
@click.argument("name")
@click.option("--face", help="Forget only the references of this face.")
def forgetting(name: str, face: str | None) -> None:
    """Forget the set NAME, its kept photos included."""
    with _told():
        gone = forget(name, face)
    say(Console(), f"{gone} reference{'' if gone == 1 else 's'} forgotten", "")


@tileset.command("export")
@click.argument("name")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), required=True, help="yolo-obb keeps the four corners."
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="A new or empty folder."
)
def exporting(name: str, form: str, out: Path) -> None:
    """Write the kept photos of the set NAME with their labels, for training other networks.

    Photos are kept by `learn --keep-photos` only. Tiles you did not name have no label: they are no background.
    """
    with _told():
        written = export_labels(name, form, out)
    say(Console(), f"{written} photo{'' if written == 1 else 's'} written to {out}", "")


@contextmanager
def _told() -> Iterator[None]:
    """Turn what is wrong with a tile set into one clear line."""
    try:
        yield
    except TileSetError as error:
        raise click.ClickException(printable(error.message)) from error


COMMANDS: tuple[click.Command, ...] = (tileset,)
"""The command that this module adds to `fanlens`, with commands of its own."""
