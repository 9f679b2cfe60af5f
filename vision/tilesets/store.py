"""Where tile sets are kept: one folder per set, one file per learned photo.

A lesson is `$FANLENS_HOME/tilesets/NAME/KEY.png`, with `KEY.jpg` beside it if the person chose to keep the photo. Each
file is replaced as a whole (`vision.output_files.atomic_write`), so processes may learn and read at the same time
without a lock, and a killed process leaves no visible half-written file.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import click
from numpy.typing import ArrayLike
from PIL import Image

from vision.output_files import atomic_write
from vision.photo import Photo
from vision.tiles import FACES
from vision.tilesets.errors import TileSetError
from vision.tilesets.references import LEARNABLE, Lesson, Reference

HOME = "FANLENS_HOME"
"""Environment variable with the folder that contains `tilesets`; by default the user's application folder."""

_LONGEST_NAME = 60
_LONGEST_NAME_BYTES = 180  # file systems allow 255, and names of temporary files are longer
# Windows reserves these names for devices, so a set with such a name could not be copied there.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}
_QUALITY = 95


@dataclass(frozen=True, eq=False)
class TileSet:
    """A taught set of tiles: its name and its lessons, one per learned photo, oldest first."""

    name: str
    lessons: tuple[Lesson, ...]

    @property
    def references(self) -> tuple[Reference, ...]:
        """Every confirmed tile."""
        return tuple(reference for lesson in self.lessons for reference in lesson.references)

    @property
    def counts(self) -> dict[str, int]:
        """The number of references of each of the 42 faces and of the back."""
        found = Counter(reference.face for reference in self.references)
        return {face: found[face] for face in LEARNABLE}

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces without a reference."""
        return tuple(face for face in FACES if not self.counts[face])


def tilesets_folder() -> Path:
    """The folder of all tile sets; it need not exist."""
    home = os.environ.get(HOME)
    return (Path(home) if home else Path(click.get_app_dir("fanlens"))) / "tilesets"


def list_tilesets() -> tuple[str, ...]:
    """The names of all tile sets, in alphabetical order. Raises TileSetError `damaged`."""
    try:
        return tuple(
            sorted(
                path.name
                for path in tilesets_folder().iterdir()
                if not path.name.startswith(".") and any(_lesson_files(path))
            )
        )
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise TileSetError("damaged", f"{tilesets_folder()} cannot be read: {error.strerror}") from error


def load_tileset(name: str) -> TileSet:
    """The tile set of that name. Raises TileSetError: bad_name, unknown_tileset, damaged."""
    folder = _folder(name)
    lessons = []
    try:
        for path in _lesson_files(folder):
            try:
                lessons.append(Lesson.read(path))
            except FileNotFoundError:
                continue  # another process has just forgotten it
    except OSError as error:
        raise TileSetError("damaged", f"{folder} cannot be read: {error.strerror}") from error
    if not lessons:
        raise _unknown(name)
    return TileSet(folder.name, tuple(lessons))


def learn(
    name: str, photo: Photo, confirmed: Sequence[tuple[str, ArrayLike]], *, keep_photo: bool = False
) -> Lesson:
    """Learn tiles that a person has confirmed, and return the lesson.

    name: the tile set, which is created if it does not exist.
    confirmed: (face, quad) of each tile. The face is one of the 42 codes or `back`; the quad is 4×2 in pixels of the
        upright photo, clockwise from the tile's own top left. Pass only what a person has checked.
    keep_photo: keep the photo too, without its metadata, so that it can be exported for training.

    Learning a photo again replaces its lesson and its kept picture.

    Raises TileSetError: bad_name, no_tiles, unknown_face, bad_tile, same_place, too_many, not_written. Nothing is
    changed then.
    """
    folder = _folder(name)
    lesson = Lesson.of(photo, _key(photo), confirmed)
    path = folder / f"{lesson.key}.png"
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        picture = path.with_suffix(".jpg")
        if keep_photo:
            kept = Image.fromarray(photo.pixels)
            _write(picture, lambda out: kept.save(out, "JPEG", quality=_QUALITY, subsampling=0))
        _write(path, lesson.save)
        if not keep_photo:
            picture.unlink(missing_ok=True)
    return lesson


def forget(name: str, face: str | None = None) -> int:
    """Forget a tile set, or only its references of one face; return the number of forgotten references.

    A kept photo is deleted with its last reference. Raises TileSetError: bad_name, unknown_tileset, unknown_face (no
    such face, or no reference of it), damaged, not_written.
    """
    folder = _folder(name)
    if face is not None:
        return _forget_face(folder, face)
    files = list(_lesson_files(folder))
    if not files:
        raise _unknown(name)
    gone = 0
    for path in files:
        try:
            gone += len(Lesson.read(path).references)
        except (TileSetError, FileNotFoundError):
            continue  # a damaged lesson is deleted too
    with _writing(folder):
        # One rename hides the whole set before it is deleted, so no reader sees a part of it.
        trash = folder.with_name(f".forgotten-{secrets.token_hex(8)}")
        folder.rename(trash)
        shutil.rmtree(trash)
    return gone


def kept_photo(name: str, lesson: Lesson) -> Path | None:
    """The kept photo of a lesson, a JPEG file; None if it was not kept."""
    path = _folder(name) / f"{lesson.key}.jpg"
    return path if path.is_file() else None


def _forget_face(folder: Path, face: str) -> int:
    tileset = load_tileset(folder.name)
    gone = tileset.counts.get(face, 0)
    if not gone:
        raise TileSetError("unknown_face", f"{folder.name} has no reference of {face!r} to forget")
    with _writing(folder):
        for lesson in tileset.lessons:
            left = lesson.without(face)
            path = folder / f"{lesson.key}.png"
            if not left.references:
                path.unlink(missing_ok=True)
                path.with_suffix(".jpg").unlink(missing_ok=True)
            elif len(left.references) < len(lesson.references):
                _write(path, left.save)
    return gone


def _key(photo: Photo) -> str:
    size = f"{photo.width}x{photo.height}:".encode()
    return hashlib.sha256(size + photo.pixels.tobytes()).hexdigest()[:16]


def _folder(name: str) -> Path:
    """The folder of a tile set, which need not exist. Raises TileSetError `bad_name`."""
    plain = unicodedata.normalize("NFC", name)
    # Letters, digits and marks of any script, and three more characters: no paths, hidden names or control characters.
    if (
        not plain
        or len(plain) > _LONGEST_NAME
        or any(unicodedata.category(char)[0] not in "LNM" and char not in "-_ " for char in plain)
        or len(plain.encode()) > _LONGEST_NAME_BYTES
        or plain != plain.strip(" -")
        or plain.casefold() in _DEVICES
    ):
        raise TileSetError(
            "bad_name",
            f"{name[:80]!r} cannot name a tile set: use at most {_LONGEST_NAME} letters, digits, spaces, - and _, and "
            "begin with a letter or digit",
        )
    return tilesets_folder() / plain


def _lesson_files(folder: Path) -> list[Path]:
    """The lessons in a folder, oldest first; empty if there is no such folder."""
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".png") and not name.startswith(".")]
    except (FileNotFoundError, NotADirectoryError):
        return []
    dated = []
    for name in names:
        with suppress(FileNotFoundError):  # another process has just forgotten it
            dated.append(((folder / name).stat().st_mtime_ns, name))
    return [folder / name for _, name in sorted(dated)]


def _unknown(name: str) -> TileSetError:
    known = ", ".join(list_tilesets()) or "none yet"
    return TileSetError("unknown_tileset", f"there is no tile set {name!r}; known sets: {known}")


def _write(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Write a file of a set whole or not at all. If another process removes the folder meanwhile, make it again.

    fill: writes the content into an open file. Raises OSError.
    """
    for attempt in (1, 2):
        try:
            with atomic_write(path, durable=True) as out:
                fill(out)
        except FileNotFoundError:
            if attempt == 2:
                raise
            path.parent.mkdir(parents=True, exist_ok=True)
        else:
            return


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn errors of the file system into TileSetError `not_written`, and leave no empty folder behind."""
    try:
        yield
    except OSError as error:
        raise TileSetError(
            "not_written",
            f"{folder} cannot be changed ({error.strerror}): free some space, check its permissions, or set {HOME}",
        ) from error
    finally:
        with suppress(OSError):  # it has files, or does not exist
            folder.rmdir()
