"""`fanlens tileset`: teach Fanlens a tile set, and see what it has learned."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from models.manifest import ModelError
from scorer import hand_from_json, parse_hand
from scorer.errors import FanlensError
from scorer.tiles import chinese
from vision.networks.detector import Detector
from vision.networks.finder import Finder
from vision.networks.reader import Reader
from vision.networks.sessions import open_session
from vision.photo import Photo, load_photo
from vision.terminal import counted, plain_errors, say
from vision.tiles import BACK, NONE, Tiles, name_of
from vision.tilesets.confirm import Confirmed, by_hand, in_order, parse_faces, places
from vision.tilesets.errors import TileSetError
from vision.tilesets.export import FORMATS, export_labels
from vision.tilesets.references import LEARNABLE
from vision.tilesets.sheet import write_sheet
from vision.tilesets.sidecar import read_sidecar
from vision.tilesets.store import (
    TileSet,
    forget,
    kept_photo,
    learn,
    list_tilesets,
    load_tileset,
    tilesets_folder,
)

_FACES_PER_LINE = (9, 9, 9, 7, 8, 1)  # the suits, the honours, the flowers, the back


@click.group()
def tileset() -> None:
    """Teach Fanlens your tile set.

    Lay out one tile of each face in straight rows, from left to right: 1-9 Characters, 1-9 Dots, 1-9 Bamboo; the East,
    South, West and North Wind; the Red, Green and White Dragon; then the eight flowers, if the set has them. Take a
    photo and run

      fanlens tileset learn home photo.jpg --in-order

    From then on, `fanlens photo --tileset home IMAGE…` reads that set better. Fanlens learns only the faces you give
    and warns where its reading differs.

    Sets are kept in your application folder, or in the folder `tilesets` under $FANLENS_HOME.
    """


@dataclass(frozen=True)
class _Told:
    """What the person says about the photos: that all faces lie in order, or faces, or a hand, or nothing."""

    ordered: bool
    faces: str | None
    hand: str | None
    sure: bool


@tileset.command("learn")
@click.argument("name")
@click.argument("photos", nargs=-1, required=True, type=click.Path(), metavar="PHOTO…")
@click.option(
    "--in-order",
    "ordered",
    is_flag=True,
    help="The photo shows all 42 faces, or the 34 without flowers, in order.",
)
@click.option(
    "--faces", metavar="FACES", help="The photo shows these faces in this order, e.g. '1-9m 5z 5z 1f'."
)
@click.option("--hand", metavar="HAND", help="The photo shows this hand, written as for `fanlens score`.")
@click.option("--keep-photos", is_flag=True, help="Keep the photos, without metadata, for `export`.")
@click.option("--sure", is_flag=True, help="Skip the plausibility check.")
@plain_errors()
def learning(name: str, photos: tuple[str, ...], *, keep_photos: bool, **told: Any) -> None:
    """Learn the tiles in PHOTO… for the set NAME.

    Without --in-order, --faces or --hand, a JSON beside each photo (photo.json for photo.jpg) says what it shows: the
    object that `fanlens photo --json` printed, checked and corrected by you; any {"tiles": [{"face": "1m", "quad":
    [[x, y], …]}, …]}; or {"hand": {…}}. Learning a photo again replaces what was learned from it.

    A photo with a fault is reported and teaches nothing, the rest continue, and the exit status is 1.
    """
    said = _Told(**told)
    if sum((said.ordered, said.faces is not None, said.hand is not None)) > 1:
        raise click.UsageError("use only one of --in-order, --faces and --hand")
    console = Console()
    failed = False
    for path in photos:
        try:
            opened = load_photo(Path(path))
            confirmed = _confirmed(opened, Path(path), said)
            lesson = learn(name, opened, confirmed.tiles, keep_photo=keep_photos)
        except ModelError:
            raise
        except FanlensError as error:
            say(console, f"{path}: {error.message}", "red")
            failed = True
            if isinstance(error, TileSetError) and error.code in ("bad_name", "not_written"):
                break  # every other photo would fail for the same reason
            continue
        _show_learned(console, path, len(lesson.references), confirmed)
    with suppress(TileSetError):  # nothing was learned, and the reason was printed
        _show_summary(console, load_tileset(name))
    sys.exit(1 if failed else 0)


def _confirmed(opened: Photo, path: Path, told: _Told) -> Confirmed:
    """The confirmed tiles of a photo. Raises TileSetError and HandError."""
    size = (opened.width, opened.height)
    if told.ordered or told.faces is not None:
        faces = None if told.faces is None else parse_faces(told.faces)
        return in_order(_found(opened), faces, sure=told.sure)
    if told.hand is not None:
        hand, _ = parse_hand(told.hand)
        return by_hand(_found(opened), size, hand, sure=told.sure)
    sidecar = read_sidecar(path.with_suffix(".json"), size)
    if isinstance(sidecar, Confirmed):
        return sidecar
    hand, _ = hand_from_json(sidecar)
    return by_hand(_found(opened), size, hand, sure=told.sure)


def _found(opened: Photo) -> Tiles:
    finder = Finder(Detector(open_session("detector")), Reader(open_session("reader")))
    return places(finder.find(opened))


def _show_learned(console: Console, path: str, learned: int, confirmed: Confirmed) -> None:
    say(console, f"{path}: {counted(learned, 'tile')} learned")
    for one in confirmed.surprises:
        read = f"{'no tile' if one.read == NONE else name_of(one.read)} with {one.probability:.0%}"
        say(console, f"  tile {one.number} is {name_of(one.told)}, but it was read as {read}", "yellow")
    if confirmed.left_out:
        faces = ", ".join(map(name_of, confirmed.left_out))
        say(console, f"  left out, because they could be exchanged: {faces}", "yellow")


def _show_summary(console: Console, known: TileSet) -> None:
    references, photos = counted(len(known.references), "reference"), counted(len(known.lessons), "photo")
    missing = f"missing: {' '.join(known.missing)}" if known.missing else "every face is known"
    say(console, f"{known.name}: {references} from {photos}, {missing}", "bold")


@tileset.command("list")
@plain_errors()
def listing() -> None:
    """List the tile sets that Fanlens has learned."""
    console = Console()
    names = list_tilesets()
    if not names:
        say(console, f"no tile set yet in {tilesets_folder()} (see `fanlens tileset --help`)")
    for name in names:
        try:
            _show_summary(console, load_tileset(name))
        except TileSetError as error:
            say(console, f"{name}: {error.message}", "red")


@tileset.command("show")
@click.argument("name")
@click.option(
    "--sheet",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.png",
    help="Write a contact sheet of all references.",
)
@plain_errors()
def showing(name: str, sheet: Path | None) -> None:
    """Show how many references each face of the set NAME has, and from which photos."""
    console = Console()
    known = load_tileset(name)
    if sheet is not None:
        write_sheet(known, sheet)
    counts = known.counts
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    faces = iter(LEARNABLE)
    for length in _FACES_PER_LINE:
        row = [next(faces) for _ in range(length)]
        cells = [f"{face}{'' if face == BACK else ' ' + chinese(face)} ×{counts[face]}" for face in row]
        table.add_row(
            *(Text(cell, "" if counts[face] else "dim") for cell, face in zip(cells, row, strict=True))
        )
    console.print(table)
    for lesson in known.lessons:
        kept = ", photo kept" if kept_photo(name, lesson) else ""
        say(console, f"{counted(len(lesson.references), 'tile')} of {lesson.source}{kept}", "dim")
    _show_summary(console, known)


@tileset.command("forget")
@click.argument("name")
@click.option("--face", help="Forget only the references of this face.")
@plain_errors()
def forgetting(name: str, face: str | None) -> None:
    """Forget the set NAME and its kept photos."""
    say(Console(), f"{counted(forget(name, face), 'reference')} forgotten")


@tileset.command("export")
@click.argument("name")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    required=True,
    help="The label format; yolo-obb keeps the four corners.",
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="A new or empty folder."
)
@plain_errors()
def exporting(name: str, form: str, out: Path) -> None:
    """Write the kept photos of the set NAME with their labels, for training other networks.

    Only photos learned with --keep-photos are kept. Tiles that you did not name have no label: do not train on them as
    background.
    """
    say(Console(), f"{counted(export_labels(name, form, out), 'photo')} written to {out}")


COMMANDS: tuple[click.Command, ...] = (tileset,)
"""The command that this module adds to `fanlens`, with commands of its own."""
