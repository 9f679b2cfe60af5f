"""Photos in a zip or tar. Archives are never unpacked to the disk."""

from __future__ import annotations

import lzma
import sqlite3
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Self

from vision.batch.listing.photo_source import (
    MAX_SIDECAR_BYTES,
    MAX_SIDECARS_BYTES,
    PhotoSource,
    SourceError,
    is_photo,
    reason_of,
    sidecar_names,
)
from vision.errors import PhotoError
from vision.photo_formats import MAX_BYTES, too_many_bytes

ARCHIVE_ERRORS = (
    OSError,
    zipfile.BadZipFile,
    tarfile.TarError,
    RuntimeError,
    EOFError,
    ValueError,
    LookupError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
)
"""Everything that a damaged or foreign archive is known to raise."""

_LONGEST_HEADER_BYTES = 1_000_000
# Headers that describe the next member. The tar reader holds them in memory.
_DESCRIPTIONS = (
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
)


class _Header(tarfile.TarInfo):
    """The header of a member. It is refused if the description that follows would not fit in memory."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        found = super().frombuf(buf, encoding, errors)
        if found.type in _DESCRIPTIONS and found.size > _LONGEST_HEADER_BYTES:
            raise tarfile.ReadError(f"a header of {found.size} bytes")
        return found


def zip_photos(archive: Path) -> Iterator[PhotoSource]:
    """The photos of a zip, by name. Raises SourceError."""
    try:
        with zipfile.ZipFile(archive) as opened:
            names = sorted({info.filename for info in opened.infolist() if not info.is_dir()})
    except ARCHIVE_ERRORS as error:
        raise SourceError(
            "damaged_archive", f"{archive} cannot be read ({reason_of(error)}): pack or copy it again"
        ) from error
    for name in names:
        if is_photo(name) and not name.startswith("__MACOSX/"):
            yield PhotoSource(f"zip://{name}::{archive}", name, archive=archive)


def is_tar(path: Path) -> bool:
    """Whether the file begins as a tar does, compressed or not. Raises OSError if it cannot be read."""
    try:
        with tarfile.open(path, tarinfo=_Header):
            return True
    except OSError:
        raise
    except ARCHIVE_ERRORS:
        return False


def tar_photos(archive: Path) -> Iterator[PhotoSource]:
    """The photos of a tar in the order of the tar, which is read from its beginning.

    If the rest cannot be read, the last source says so. Raises SourceError if nothing can be read.
    """
    with _Sidecars() as sidecars:
        with suppress(*ARCHIVE_ERRORS):  # where the second pass meets the same fault, it is told
            _gather(archive, sidecars)
        some = False
        try:
            with tarfile.open(archive, "r|*", tarinfo=_Header) as opened:
                for member in _members(opened):
                    if is_photo(member.name) and (member.isfile() or _is_link(member)):
                        yield _tar_photo(archive, opened, member, sidecars)
                        some = True
        except ARCHIVE_ERRORS as error:
            message = f"the rest of {archive} cannot be read ({reason_of(error)}): pack or copy it again"
            if not some:
                raise SourceError("damaged_archive", message) from error
            yield PhotoSource(f"tar://::{archive}", archive.name, trouble=("unreadable", message))


def _gather(archive: Path, sidecars: _Sidecars) -> None:
    with tarfile.open(archive, "r|*", tarinfo=_Header) as opened:
        for member in _members(opened):
            if member.isfile() and member.name.endswith(".json") and member.size <= MAX_SIDECAR_BYTES:
                sidecars.add(member.name, _member_bytes(opened, member))
                if sidecars.size > MAX_SIDECARS_BYTES:
                    raise SourceError(
                        "bad_source",
                        f"the JSON files in {archive} take more than {MAX_SIDECARS_BYTES // 10**6} MB: "
                        "leave them out and give a table with --circumstances",
                    )


def _members(opened: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The members one after the other. The tar reader would keep all of them in memory."""
    while (member := opened.next()) is not None:
        opened.members.clear()  # type: ignore[attr-defined]
        yield member


def _is_link(member: tarfile.TarInfo) -> bool:
    return member.islnk() or member.issym()


def _tar_photo(
    archive: Path, opened: tarfile.TarFile, member: tarfile.TarInfo, sidecars: _Sidecars
) -> PhotoSource:
    address = f"tar://{member.name}::{archive}"
    if _is_link(member):
        message = f"{member.name} is a link to {member.linkname}, and links in a tar are not followed"
        return PhotoSource(address, member.name, trouble=("unreadable", f"{message}: pack it as a file"))
    if member.size > MAX_BYTES:
        refused = too_many_bytes(member.name)
        return PhotoSource(address, member.name, trouble=(refused.code, refused.message))
    data = _member_bytes(opened, member)
    return PhotoSource(address, member.name, data=data, sidecar=sidecars.beside(member.name))


class _Sidecars:
    """The JSON files of a tar. SQLite keeps a few megabytes of them in memory and the rest in a file of its own."""

    def __init__(self) -> None:
        self.size = 0
        self._kept = sqlite3.connect("", check_same_thread=False)
        self._kept.execute("CREATE TABLE sidecars (name TEXT PRIMARY KEY, content BLOB) WITHOUT ROWID")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._kept.close()

    def add(self, name: str, content: bytes) -> None:
        self.size += len(content)
        try:
            self._kept.execute("INSERT OR REPLACE INTO sidecars VALUES (?, ?)", (_storable(name), content))
        except sqlite3.Error as error:
            message = (
                f"the JSON files of the tar do not fit into the temporary folder ({error}): free some space"
            )
            raise SourceError("unreadable", message) from error

    def beside(self, photo: str) -> bytes | None:
        """The sidecar of that photo, None if there is none."""
        for name in sidecar_names(photo):
            found = self._kept.execute(
                "SELECT content FROM sidecars WHERE name = ?", (_storable(name),)
            ).fetchone()
            if found:
                content: bytes = found[0]
                return content
        return None


def _storable(name: str) -> str:
    """A name without the halves of surrogate pairs that stand for bytes which are no UTF-8."""
    return name.encode("utf-8", "surrogateescape").decode("latin-1")


def _member_bytes(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(member)
    if file is None:
        return b""
    with file:
        return file.read()


@lru_cache(maxsize=1)
def _opened_zip(archive: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(archive)


def zip_member(archive: Path, name: str) -> bytes:
    """The bytes of a member. Raises PhotoError or ARCHIVE_ERRORS, among them KeyError if there is no such member."""
    with _opened_zip(archive).open(name) as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise too_many_bytes(name)
    return data


def zip_sidecar(archive: Path, image: str) -> bytes | None:
    """The JSON beside a member, None if there is none. Raises PhotoError."""
    for name in sidecar_names(image):
        try:
            return zip_member(archive, name)
        except KeyError:
            continue
        except PhotoError:
            raise
        except ARCHIVE_ERRORS as error:
            raise PhotoError(
                "unreadable", f"{name} in {archive} cannot be read ({reason_of(error)})"
            ) from error
    return None
