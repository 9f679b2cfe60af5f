"""Photos in a zip or tar, which is never unpacked to the disk."""

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
    Source,
    SourceError,
    is_photo,
    reason_of,
    sidecar_names,
)
from vision.errors import PhotoError
from vision.photo_formats import MAX_BYTES, too_many_bytes

#: What a damaged or foreign archive raises.
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

_MOST_ABOUT_A_MEMBER = 1_000_000
# Headers that tell of the member to come, and that a tar's reader holds in memory.
_ABOUT = (
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
)


class _Header(tarfile.TarInfo):
    """The header of a member, refused where it says more about the member than fits in memory."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        found = super().frombuf(buf, encoding, errors)
        if found.type in _ABOUT and found.size > _MOST_ABOUT_A_MEMBER:
            raise tarfile.ReadError(f"a header of {found.size} bytes")
        return found


def zip_photos(archive: Path) -> Iterator[Source]:
    """Photos of a zip by name. Raises SourceError."""
    try:
        with zipfile.ZipFile(archive) as opened:
            names = sorted({info.filename for info in opened.infolist() if not info.is_dir()})
    except ARCHIVE_ERRORS as error:
        raise SourceError(f"{archive} cannot be read ({reason_of(error)}): pack or copy it again") from error
    for name in names:
        if is_photo(name) and not name.startswith("__MACOSX/"):
            yield Source(f"zip://{name}::{archive}", name, archive=archive)


def is_tar(path: Path) -> bool:
    """Whether it begins as a tar does, compressed or not. Raises OSError where it cannot be read."""
    try:
        with tarfile.open(path, tarinfo=_Header):
            return True
    except OSError:
        raise
    except ARCHIVE_ERRORS:
        return False


def tar_photos(archive: Path) -> Iterator[Source]:
    """Photos of a tar, as they come: a compressed one can only be read from its beginning. Raises SourceError."""
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
                    message = f"{member.name} is a link to {member.linkname}, which a tar does not follow"
                    yield Source(
                        address, member.name, trouble=("unreadable", f"{message}: pack it as a file")
                    )
                    continue
                if member.size > MAX_BYTES:
                    refused = too_many_bytes(member.name)
                    yield Source(address, member.name, trouble=(refused.code, refused.message))
                    continue
                sidecar = next((sidecars[at] for at in sidecar_names(member.name) if at in sidecars), None)
                yield Source(address, member.name, data=_member_bytes(opened, member), sidecar=sidecar)
    except ARCHIVE_ERRORS as error:
        raise SourceError(
            f"{archive} cannot be read on ({reason_of(error)}): pack or copy it again"
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
    """The bytes of a member. Raises PhotoError, or ARCHIVE_ERRORS, KeyError where there is no such member."""
    with _opened_zip(archive).open(name) as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise too_many_bytes(name)
    return data


def zip_sidecar(archive: Path, image: str) -> bytes | None:
    """The JSON beside a member, if there is one. Raises PhotoError."""
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
