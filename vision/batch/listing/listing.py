"""Recognises what SOURCE is, lists its photos, and reads the bytes of a photo."""

from __future__ import annotations

import glob
import os
import stat
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import takewhile
from pathlib import Path

from vision.batch.listing.addresses import address_bytes, address_photo, address_photos, address_sidecar
from vision.batch.listing.archives import (
    ARCHIVE_ERRORS,
    is_tar,
    tar_photos,
    zip_member,
    zip_photos,
    zip_sidecar,
)
from vision.batch.listing.photo_source import PhotoSource, SourceError, is_photo, reason_of, sidecar_names
from vision.errors import PhotoError
from vision.photo_formats import MAX_BYTES, too_many_bytes

_ARCHIVES = (".zip", ".tar", ".tgz", ".txz", ".tbz2", ".gz", ".xz", ".bz2")
_OTHER_DATA = (".json", ".jsonl", ".csv")
_SOURCES = "a folder, a glob in quotes, a list, a zip, a tar or a URL"


@dataclass(frozen=True)
class Listing:
    """The photos of SOURCE. Each iteration lists them anew, always in the same order.

    kind: `photo`, `folder`, `glob`, `list`, `stdin`, `zip`, `tar` or `remote`.
    """

    where: str
    kind: str

    def __iter__(self) -> Iterator[PhotoSource]:
        """Yield the photos. Raises SourceError if the archive, list or address cannot be listed."""
        where, path = self.where, Path(self.where)
        list_kind: dict[str, Callable[[], Iterator[PhotoSource]]] = {
            "photo": lambda: iter([PhotoSource(where, where)]),
            "folder": lambda: _folder(path),
            "glob": lambda: _glob(where),
            "zip": lambda: zip_photos(path),
            "tar": lambda: tar_photos(path),
            "remote": lambda: address_photos(where),
        }
        return list_kind.get(self.kind, lambda: _lines(where))()

    def count(self) -> int | None:
        """How many photos there are, None if counting would take as long as reading them."""
        countable = self.kind in ("folder", "photo", "glob", "zip", "list")
        return sum(1 for _ in self) if countable else None

    def would_list(self, folder: Path) -> bool:
        """Whether pictures written into that folder would be listed as photos. Links inside a pattern are ignored."""
        root = Path(self.where)
        if self.kind == "glob":
            pattern, probe = root.absolute().parts, (*folder.absolute().parts, "picture.jpg")
            if "**" not in pattern:
                return len(pattern) == len(probe) and all(map(fnmatch, probe, pattern))
            root = Path(*takewhile(lambda part: not glob.has_magic(part), pattern))
        elif self.kind != "folder":
            return False
        inner = Path(os.path.relpath(os.path.realpath(folder), os.path.realpath(root))).parts
        return not any(part.startswith(".") for part in inner)


def find(where: str) -> Listing:
    """Recognise what kind of SOURCE this is; `-` is a list on standard input. Raises SourceError.

    >>> find("s3://club/2026/*.jpg").kind
    'remote'
    """
    if where == "-":
        return Listing(where, "stdin")
    if not where:
        raise SourceError("no_source", f"SOURCE is empty: name {_SOURCES}")
    if ("://" in where or "::" in where) and not os.path.exists(where):
        return Listing(where, "remote")
    path = Path(where)
    try:
        if path.is_dir():
            return Listing(where, "folder")
        if path.is_file():
            return Listing(where, _kind_of_file(path))
    except (OSError, ValueError) as error:
        raise _unreadable(where, error) from error
    if glob.has_magic(where):
        return Listing(where, "glob")
    if path.exists():
        raise SourceError(
            "bad_source", f"{where} is neither a file nor a folder: name a folder, a list or an archive"
        )
    raise SourceError("no_source", f"{where} does not exist: name {_SOURCES}")


def _unreadable(where: str, error: Exception) -> SourceError:
    denied = isinstance(error, PermissionError)
    advice = "check its permissions" if denied else "it may be damaged, so copy it again"
    return SourceError("unreadable", f"{where} cannot be read ({reason_of(error)}): {advice}")


def _kind_of_file(path: Path) -> str:
    if is_photo(path.name):
        return "photo"
    if zipfile.is_zipfile(path):
        return "zip"
    if is_tar(path):
        return "tar"
    if path.suffix.lower() in _ARCHIVES:
        raise SourceError("damaged_archive", f"{path} is not an archive, or it is damaged or cut short")
    if path.suffix.lower() in _OTHER_DATA:
        raise SourceError(
            "bad_source",
            f"{path} is not a list of photos: write one path or address per line into a .txt file",
        )
    return "list"


def _folder(folder: Path) -> Iterator[PhotoSource]:
    """Photos below a folder: its files, then its folders, both by name. Hidden ones are skipped."""
    try:
        with os.scandir(folder) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        trouble = ("unreadable", f"{folder} cannot be listed ({reason_of(error)}): check its permissions")
        yield PhotoSource(str(folder), str(folder), trouble=trouble)
        return
    inner = []
    for entry in entries:
        if entry.name.startswith("."):
            continue
        # A link to a folder could lead in a circle; a link to a photo is a photo.
        if entry.is_dir(follow_symlinks=False):
            inner.append(entry.name)
        elif is_photo(entry.name) and not os.path.isdir(entry.path):
            yield PhotoSource(entry.path, entry.path)
    for name in inner:
        yield from _folder(folder / name)


def _glob(pattern: str) -> Iterator[PhotoSource]:
    """Photos that match, those near the root first. A folder that a link reaches again is skipped."""
    names: dict[str, str] = {}
    for path in sorted(glob.iglob(pattern, recursive=True), key=lambda path: (path.count(os.sep), path)):
        folder = os.path.dirname(path)
        first_name = names.setdefault(os.path.realpath(folder), folder)
        if is_photo(path) and folder == first_name and not os.path.isdir(path):
            yield PhotoSource(path, path)


def _lines(where: str) -> Iterator[PhotoSource]:
    """The photos of a list, one per line. Relative paths start at the list's folder."""
    beside = Path() if where == "-" else Path(where).parent
    stream = sys.stdin.buffer if where == "-" else None
    try:
        with stream or Path(where).open("rb") as file:
            for number, raw in enumerate(file, 1):
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                if "\0" in line:
                    raise SourceError(
                        "bad_source", f"{where} is not a list of photos: write one path or address per line"
                    )
                if not line or line.startswith("#"):
                    continue
                if "://" in line:
                    yield address_photo(line)
                else:
                    path = str(beside / line)
                    yield PhotoSource(path, path)
    except UnicodeDecodeError as error:
        raise SourceError(
            "bad_source",
            f"{where} is not a photo, an archive or a list in UTF-8: write one path or address per line",
        ) from error
    except OSError as error:
        raise _unreadable(where, error) from error


def read(source: PhotoSource) -> bytes:
    """Return the photo's bytes, at most one byte more than `MAX_BYTES`. Raises PhotoError."""
    if source.trouble is not None:
        raise PhotoError(*source.trouble)
    if source.data is not None:
        return source.data
    if source.archive is None and "://" in source.address:
        return address_bytes(source.address)
    try:
        if source.archive is not None:
            return zip_member(source.archive, source.image)
        return _local_bytes(source.address)
    except FileNotFoundError as error:
        raise PhotoError("not_found", f"{source.address} does not exist: check the name") from error
    except ARCHIVE_ERRORS as error:
        if isinstance(error, PhotoError):
            raise
        raise PhotoError("unreadable", f"{source.address} cannot be read ({reason_of(error)})") from error


def read_sidecar(source: PhotoSource) -> bytes | None:
    """Return the JSON beside the photo, None if there is none. Raises PhotoError."""
    if source.data is not None:
        return source.sidecar
    if source.trouble is not None:
        return None
    if source.archive is not None:
        return zip_sidecar(source.archive, source.image)
    if "://" in source.address:
        return address_sidecar(source)
    for name in sidecar_names(source.address):
        try:
            return _local_bytes(name)
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            raise PhotoError("unreadable", f"{name} cannot be read ({reason_of(error)})") from error
    return None


def _local_bytes(address: str) -> bytes:
    found = os.stat(address)
    if not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "not an ordinary file"
        raise PhotoError("unreadable", f"{address} is {kind}: name photos")
    if found.st_size > MAX_BYTES:
        raise too_many_bytes(address)
    with open(address, "rb") as file:
        return file.read(MAX_BYTES + 1)
