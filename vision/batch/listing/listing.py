"""Where the photos of a batch are: SOURCE told apart, folders, globs and lists gone through, bytes read."""

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
from vision.batch.listing.photo_source import (
    Source,
    SourceError,
    is_photo,
    reason_of,
    sidecar_names,
)
from vision.errors import PhotoError
from vision.photo_formats import MAX_BYTES, too_many_bytes

_ARCHIVES = (".zip", ".tar", ".tgz", ".txz", ".tbz2", ".gz", ".xz", ".bz2")


@dataclass(frozen=True)
class Listing:
    """The photos of SOURCE; iterating lists them anew, in an order that does not change between runs.

    countable: listing is cheap enough to be done once more, to know how many there are.
    """

    where: str
    kind: str

    @property
    def countable(self) -> bool:
        """Whether going through it twice costs nothing that matters."""
        return self.kind in ("folder", "photo", "glob", "zip", "list")

    def __iter__(self) -> Iterator[Source]:
        """Yield the photos; raises SourceError where the archive, list or address cannot be listed."""
        where, path = self.where, Path(self.where)
        list_kind: dict[str, Callable[[], Iterator[Source]]] = {
            "photo": lambda: iter([Source(where, where)]),
            "folder": lambda: _folder(path),
            "glob": lambda: _glob(where),
            "zip": lambda: zip_photos(path),
            "tar": lambda: tar_photos(path),
            "remote": lambda: address_photos(where),
        }
        return list_kind.get(self.kind, lambda: _lines(where))()

    def would_list(self, folder: Path) -> bool:
        """Whether pictures put into that folder would be among the photos; a pattern's links are not followed."""
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
    """Tell what kind of SOURCE it is, `-` being a list on standard input. Raises SourceError.

    >>> find("s3://club/2026/*.jpg").kind
    'remote'
    """
    if where == "-":
        return Listing(where, "stdin")
    if not where:
        raise SourceError("SOURCE is empty: name a folder, a glob in quotes, a list, a zip, a tar or a URL")
    if ("://" in where or "::" in where) and not os.path.exists(where):
        return Listing(where, "remote")
    path = Path(where)
    try:
        if path.is_dir():
            return Listing(where, "folder")
        if path.is_file():
            return Listing(where, _kind_of_file(path))
    except (OSError, ValueError) as error:
        raise SourceError(f"{where} cannot be read ({reason_of(error)}): check its permissions") from error
    if glob.has_magic(where):
        return Listing(where, "glob")
    if path.exists():
        raise SourceError(f"{where} is neither a file nor a folder: name a folder, a list or an archive")
    raise SourceError(
        f"{where} does not exist: name a folder, a glob in quotes, a list, a zip, a tar or a URL"
    )


def _kind_of_file(path: Path) -> str:
    if is_photo(path.name):
        return "photo"
    if zipfile.is_zipfile(path):
        return "zip"
    if is_tar(path):
        return "tar"
    if path.suffix.lower() in _ARCHIVES:
        raise SourceError(f"{path} is damaged or cut short: no archive of that kind could be opened")
    if path.suffix.lower() in (".json", ".jsonl", ".csv"):
        raise SourceError(f"{path} is no list of photos: write one path or address a line into a .txt")
    return "list"


def _folder(folder: Path) -> Iterator[Source]:
    """Photos below a folder, each folder's files before its folders, both by name; hidden ones are passed over."""
    try:
        with os.scandir(folder) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        trouble = ("unreadable", f"{folder} cannot be listed ({reason_of(error)}): check its permissions")
        yield Source(str(folder), str(folder), trouble=trouble)
        return
    inner = []
    for entry in entries:
        if entry.name.startswith("."):
            continue
        # A link to a folder could lead in a circle; a link to a photo is a photo.
        if entry.is_dir(follow_symlinks=False):
            inner.append(entry.name)
        elif is_photo(entry.name) and not os.path.isdir(entry.path):
            yield Source(entry.path, entry.path)
    for name in inner:
        yield from _folder(folder / name)


def _glob(pattern: str) -> Iterator[Source]:
    """Photos that match, shallow ones first; a folder reached a second time through a link is passed over."""
    names: dict[str, str] = {}
    for path in sorted(glob.iglob(pattern, recursive=True), key=lambda path: (path.count(os.sep), path)):
        folder = os.path.dirname(path)
        first_name = names.setdefault(os.path.realpath(folder), folder)
        if is_photo(path) and folder == first_name and not os.path.isdir(path):
            yield Source(path, path)


def _lines(where: str) -> Iterator[Source]:
    """The photos a list names, a line each; relative paths start at the list's folder."""
    beside = Path() if where == "-" else Path(where).parent
    stream = sys.stdin.buffer if where == "-" else None
    try:
        with stream or Path(where).open("rb") as file:
            for number, raw in enumerate(file, 1):
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                if "\0" in line:
                    raise SourceError(f"{where} is no list of photos: write one path or address a line")
                if not line or line.startswith("#"):
                    continue
                if "://" in line:
                    yield address_photo(line)
                else:
                    path = str(beside / line)
                    yield Source(path, path)
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{where} is no photo, archive or list in UTF-8: write one path or address a line"
        ) from error
    except OSError as error:
        raise SourceError(f"{where} cannot be read ({reason_of(error)}): check its permissions") from error


def read(source: Source) -> bytes:
    """Return the photo's bytes, at most a byte more than `MAX_BYTES`. Raises PhotoError."""
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


def read_sidecar(source: Source) -> bytes | None:
    """Return the JSON beside the photo, None where there is none. Raises PhotoError."""
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
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "no ordinary file"
        raise PhotoError("unreadable", f"{address} is {kind}: name photos")
    if found.st_size > MAX_BYTES:
        raise too_many_bytes(address)
    with open(address, "rb") as file:
        return file.read(MAX_BYTES + 1)


def count(listing: Listing) -> int | None:
    """How many photos there are, None where counting would cost as much as reading."""
    return sum(1 for _ in listing) if listing.countable else None
