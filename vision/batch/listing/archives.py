"""Photos in a zip or tar. Archives are never unpacked to the disk."""

from __future__ import annotations

import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Self

from vision.batch.listing.photo_source import (
    MAX_SIDECAR_BYTES,
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
    """The photos of a tar in the order of the tar, which is read from its beginning. Raises SourceError."""
    sidecars = {}
    try:
        with tarfile.open(archive, "r|*", tarinfo=_Header) as opened:
            for member in opened:
                if member.isfile() and member.name.endswith(".json") and member.size <= MAX_SIDECAR_BYTES:
                    sidecars[member.name] = _member_bytes(opened, member)
        with tarfile.open(archive, "r|*", tarinfo=_Header) as opened:
            for member in opened:
                link = member.islnk() or member.issym()
                if not (member.isfile() or link) or not is_photo(member.name):
                    continue
                address = f"tar://{member.name}::{archive}"
                if link:
                    message = (
                        f"{member.name} is a link to {member.linkname}, and links in a tar are not followed"
                    )
                    yield PhotoSource(
                        address, member.name, trouble=("unreadable", f"{message}: pack it as a file")
                    )
                    continue
                if member.size > MAX_BYTES:
                    refused = too_many_bytes(member.name)
                    yield PhotoSource(address, member.name, trouble=(refused.code, refused.message))
                    continue
                sidecar = next((sidecars[at] for at in sidecar_names(member.name) if at in sidecars), None)
                yield PhotoSource(address, member.name, data=_member_bytes(opened, member), sidecar=sidecar)
    except ARCHIVE_ERRORS as error:
        raise SourceError(
            "damaged_archive",
            f"the rest of {archive} cannot be read ({reason_of(error)}): pack or copy it again",
        ) from error


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
