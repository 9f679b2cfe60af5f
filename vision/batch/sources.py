"""Where the photos of a batch are: folders, globs, lists, zip and tar archives, and addresses fsspec knows."""

from __future__ import annotations

import glob
import os
import stat
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any

from vision.photo import MAX_BYTES, PhotoError

#: Endings of the files that a folder, a glob or an archive contributes; others in it are passed over.
ENDINGS = (".jpg", ".jpeg", ".jpe", ".mpo", ".png", ".webp", ".heic", ".heif")

_MAX_SIDECAR_BYTES = 1_000_000
_ARCHIVE_ERRORS = (
    OSError,
    zipfile.BadZipFile,
    tarfile.TarError,
    RuntimeError,
    NotImplementedError,
    zlib.error,
)


class SourceError(ValueError):
    """There is nothing to run on: the message says what is wrong and what to do."""


@dataclass(frozen=True)
class Source:
    """One photo of a batch.

    address: what the row calls it: a path, `zip://member::archive`, `tar://member::archive` or a URL.
    image: its name where it lies, as `fanlens photo` would print it.
    archive: the zip it lies in. data: its bytes where only the process that listed it can read them.
    sidecar: the JSON beside it, read with `data`. trouble: why it cannot be read, where listing found out.
    """

    address: str
    image: str
    archive: Path | None = None
    data: bytes | None = None
    sidecar: bytes | None = None
    trouble: tuple[str, str] | None = None

    def names(self) -> Iterator[str]:
        """What a table of circumstances may call it, the most exact name first."""
        yield self.address
        yield self.image
        path = PurePosixPath(self.image.replace(os.sep, "/"))
        yield from (str(PurePosixPath(*path.parts[start:])) for start in range(1, len(path.parts)))


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
            "zip": lambda: _zip(path),
            "tar": lambda: _tar(path),
            "remote": lambda: _remote(where),
        }
        return list_kind.get(self.kind, lambda: _lines(where))()


def find(where: str) -> Listing:
    """Tell what kind of SOURCE it is, `-` being a list on standard input. Raises SourceError.

    >>> find("s3://club/2026/*.jpg").kind
    'remote'
    """
    if where == "-":
        return Listing(where, "stdin")
    if not where:
        raise SourceError("SOURCE is empty: name a folder, a glob in quotes, a list, a zip, a tar or a URL")
    if "://" in where or "::" in where:
        return Listing(where, "remote")
    path = Path(where)
    try:
        if path.is_dir():
            return Listing(where, "folder")
        if path.is_file():
            return Listing(where, _kind_of_file(path))
    except (OSError, ValueError) as error:
        raise SourceError(f"{where} cannot be read ({_reason(error)}): check its permissions") from error
    if glob.has_magic(where):
        return Listing(where, "glob")
    if path.exists():
        raise SourceError(f"{where} is neither a file nor a folder: name a folder, a list or an archive")
    raise SourceError(
        f"{where} does not exist: name a folder, a glob in quotes, a list, a zip, a tar or a URL"
    )


def _kind_of_file(path: Path) -> str:
    if _is_photo(path.name):
        return "photo"
    if zipfile.is_zipfile(path):
        return "zip"
    if tarfile.is_tarfile(path):
        return "tar"
    if path.suffix.lower() in (".zip", ".tar", ".tgz"):
        raise SourceError(f"{path} is damaged or cut short: no archive of that kind could be opened")
    if path.suffix.lower() in (".json", ".jsonl", ".csv"):
        raise SourceError(f"{path} is no list of photos: write one path or address a line into a .txt")
    return "list"


def _is_photo(name: str) -> bool:
    return name.lower().endswith(ENDINGS) and not name.rpartition("/")[2].startswith(".")


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)


def _folder(folder: Path) -> Iterator[Source]:
    """Photos below a folder, each folder's files before its folders, both by name; hidden ones are passed over."""
    try:
        with os.scandir(folder) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        trouble = ("unreadable", f"{folder} cannot be listed ({_reason(error)}): check its permissions")
        yield Source(str(folder), str(folder), trouble=trouble)
        return
    inner = []
    for entry in entries:
        if entry.name.startswith("."):
            continue
        # A link to a folder could lead in a circle; a link to a photo is a photo.
        if entry.is_dir(follow_symlinks=False):
            inner.append(entry.name)
        elif _is_photo(entry.name) and not entry.is_dir():
            yield Source(entry.path, entry.path)
    for name in inner:
        yield from _folder(folder / name)


def _glob(pattern: str) -> Iterator[Source]:
    """Photos that match, shallow ones first; a folder reached a second time through a link is passed over."""
    names: dict[str, str] = {}
    for path in sorted(glob.iglob(pattern, recursive=True), key=lambda path: (path.count(os.sep), path)):
        folder = os.path.dirname(path)
        first_name = names.setdefault(os.path.realpath(folder), folder)
        if _is_photo(path) and folder == first_name and not os.path.isdir(path):
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
                    yield _remote_one(line)
                else:
                    path = str(beside / line)
                    yield Source(path, path)
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{where} is no photo, archive or list in UTF-8: write one path or address a line"
        ) from error
    except OSError as error:
        raise SourceError(f"{where} cannot be read ({_reason(error)}): check its permissions") from error


def _zip(archive: Path) -> Iterator[Source]:
    try:
        with zipfile.ZipFile(archive) as opened:
            names = sorted({info.filename for info in opened.infolist() if not info.is_dir()})
    except _ARCHIVE_ERRORS as error:
        raise SourceError(f"{archive} cannot be read ({_reason(error)}): pack or copy it again") from error
    for name in names:
        if _is_photo(name) and not name.startswith("__MACOSX/"):
            yield Source(f"zip://{name}::{archive}", name, archive=archive)


def _tar(archive: Path) -> Iterator[Source]:
    """Photos of a tar, as they come: a compressed one can only be read from its beginning, by one process."""
    sidecars = {}
    try:
        with tarfile.open(archive, "r|*") as opened:
            for member in opened:
                if member.isfile() and member.name.endswith(".json") and member.size <= _MAX_SIDECAR_BYTES:
                    sidecars[member.name] = _member_bytes(opened, member)
        with tarfile.open(archive, "r|*") as opened:
            for member in opened:
                if not member.isfile() or not _is_photo(member.name):
                    continue
                address = f"tar://{member.name}::{archive}"
                if member.size > MAX_BYTES:
                    yield Source(address, member.name, trouble=_too_many_bytes(member.name))
                    continue
                sidecar = next((sidecars[at] for at in sidecar_names(member.name) if at in sidecars), None)
                yield Source(address, member.name, data=_member_bytes(opened, member), sidecar=sidecar)
    except (*_ARCHIVE_ERRORS, EOFError) as error:
        raise SourceError(f"{archive} cannot be read on ({_reason(error)}): pack or copy it again") from error


def _member_bytes(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(member)
    if file is None:
        return b""
    with file:
        return file.read()


def _filesystem(address: str) -> tuple[Any, str]:
    """The filesystem of an address and the path in it. Raises SourceError."""
    try:
        core = import_module("fsspec.core")
    except ImportError as error:
        raise SourceError(f"{address} needs fsspec: pip install 'fanlens[remote]'") from error
    try:
        filesystem, path = core.url_to_fs(address)
    except ImportError as error:
        kinds = "s3, gs, az or http"
        raise SourceError(f"{address}: {error} (pip install 'fanlens[s3]'; so for {kinds})") from error
    except (ValueError, OSError, TypeError) as error:
        raise SourceError(f"{address} cannot be opened ({error}): check the address") from error
    return filesystem, str(path)


def _remote(where: str) -> Iterator[Source]:
    filesystem, path = _filesystem(where)
    outer, _, inner = where.partition("::")  # zip://*.jpg::s3://club/photos.zip
    scheme = outer.partition("://")[0]
    tail = f"::{inner}" if inner else ""
    try:
        if glob.has_magic(path) and not (where.startswith("http") and "*" not in path):
            found: Iterable[str] = sorted(filesystem.glob(path))
        elif filesystem.isdir(path):
            found = (
                f"{folder.rstrip('/')}/{name}" if folder else name
                for folder, _, names in filesystem.walk(path)
                for name in sorted(names)
            )
        elif filesystem.exists(path):
            yield _remote_one(where)
            return
        else:
            raise SourceError(f"{where} does not exist: check the address")
        for each in found:
            if _is_photo(each):
                name = filesystem.unstrip_protocol(each) if not inner else f"{scheme}://{each}"
                yield _remote_one(f"{name}{tail}")
    except OSError as error:
        raise SourceError(f"{where} cannot be listed ({_reason(error)}): check the address") from error


def _remote_one(address: str) -> Source:
    """A photo at an address; what lives in this process's memory is read at once, no other can see it."""
    image = address.partition("::")[0].partition("://")[2]
    if "memory://" not in address:
        return Source(address, image)
    source = Source(address, image)
    try:
        sidecar = read_sidecar(source)
        return Source(address, image, data=read(source), sidecar=sidecar)
    except PhotoError as error:
        return Source(address, image, trouble=(error.code, error.message))


def sidecar_names(name: str) -> tuple[str, str]:
    """Where circumstances may lie beside a photo: photo.json, or photo.jpg.json.

    >>> sidecar_names("club/a.jpg")
    ('club/a.json', 'club/a.jpg.json')
    """
    head, slash, last = name.rpartition("/")
    stem = last.rpartition(".")[0] or last
    return f"{head}{slash}{stem}.json", f"{name}.json"


def read(source: Source) -> bytes:
    """Return the photo's bytes, at most a byte more than `MAX_BYTES`. Raises PhotoError."""
    if source.trouble is not None:
        raise PhotoError(*source.trouble)
    if source.data is not None:
        return source.data
    try:
        if source.archive is not None:
            return _zip_member(source.archive, source.image)
        if "://" in source.address:
            return _remote_bytes(source.address)
        return _local_bytes(source.address)
    except FileNotFoundError as error:
        raise PhotoError("not_found", f"{source.address} does not exist: check the name") from error
    except (*_ARCHIVE_ERRORS, ValueError, KeyError) as error:
        if isinstance(error, PhotoError):
            raise
        raise PhotoError("unreadable", f"{source.address} cannot be read ({_reason(error)})") from error


def read_sidecar(source: Source) -> bytes | None:
    """Return the JSON beside the photo, None where there is none or it is too long to be one. Raises PhotoError."""
    if source.data is not None:
        return source.sidecar
    if source.trouble is not None:
        return None
    if source.archive is not None:
        return _zip_sidecar(source.archive, source.image)
    head, _, inner = source.address.partition("::")
    if "?" in head and "://" in head:  # a signed address is good for one file
        return None
    for name in sidecar_names(head):
        address = f"{name}::{inner}" if inner else name
        try:
            return _remote_bytes(address) if "://" in address else _local_bytes(address)
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            raise PhotoError("unreadable", f"{address} cannot be read ({_reason(error)})") from error
    return None


def _local_bytes(address: str) -> bytes:
    found = os.stat(address)
    if not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "no ordinary file"
        raise PhotoError("unreadable", f"{address} is {kind}: name photos")
    if found.st_size > MAX_BYTES:
        raise PhotoError(*_too_many_bytes(address))
    with open(address, "rb") as file:
        return file.read(MAX_BYTES + 1)


def _remote_bytes(address: str) -> bytes:
    filesystem, path = _filesystem(address)
    with filesystem.open(path, "rb") as file:
        data: bytes = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise PhotoError(*_too_many_bytes(address))
    return data


@lru_cache(maxsize=1)
def _opened_zip(archive: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(archive)


def _zip_member(archive: Path, name: str) -> bytes:
    with _opened_zip(archive).open(name) as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise PhotoError(*_too_many_bytes(name))
    return data


def _zip_sidecar(archive: Path, image: str) -> bytes | None:
    for name in sidecar_names(image):
        try:
            return _zip_member(archive, name)
        except KeyError:
            continue
        except _ARCHIVE_ERRORS as error:
            raise PhotoError(
                "unreadable", f"{name} in {archive} cannot be read ({_reason(error)})"
            ) from error
    return None


def _too_many_bytes(name: str) -> tuple[str, str]:
    return "too_many_bytes", f"{name} is larger than {MAX_BYTES // 10**6} MB: save it as a JPEG and try again"


def count(listing: Listing) -> int | None:
    """How many photos there are, None where counting would cost as much as reading."""
    return sum(1 for _ in listing) if listing.countable else None
