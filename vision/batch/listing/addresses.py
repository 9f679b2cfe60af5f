"""Photos at addresses that fsspec understands: buckets, web servers, and archives on them."""

from __future__ import annotations

import glob
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from vision.batch.listing.archives import ARCHIVE_ERRORS
from vision.batch.listing.photo_source import (
    PhotoSource,
    SourceError,
    is_photo,
    reason_of,
    sidecar_names,
)
from vision.errors import PhotoError
from vision.photo_formats import MAX_BYTES, too_many_bytes

# Base classes of the errors, other than OSError, of the clients behind fsspec. Only imported clients can raise.
_CLIENTS = {
    "botocore.exceptions": ("BotoCoreError", "ClientError"),
    "aiohttp": ("ClientError",),
    "gcsfs.retry": ("HttpError",),
    "google.auth.exceptions": ("GoogleAuthError",),
    "azure.core.exceptions": ("AzureError",),
    "paramiko": ("SSHException",),
}


def client_errors() -> tuple[type[Exception], ...]:
    """Everything that reading from an address is known to raise, to be caught together."""
    known = [
        getattr(sys.modules[module], name)
        for module, names in _CLIENTS.items()
        if module in sys.modules
        for name in names
    ]
    return (*ARCHIVE_ERRORS, TypeError, *known)


def _filesystem(address: str) -> tuple[Any, str]:
    """The filesystem of an address, and the path in it. Raises SourceError."""
    try:
        core = import_module("fsspec.core")
    except ImportError as error:
        raise SourceError(
            "missing_library", f"{address} needs fsspec: pip install 'fanlens[remote]'"
        ) from error
    try:
        # A cache of listings would grow with the bucket.
        filesystem, path = core.url_to_fs(address, use_listings_cache=False)
    except ImportError as error:
        raise SourceError(
            "missing_library", f"{address}: {error} (pip install 'fanlens[s3]', or [gs], [az] or [http])"
        ) from error
    except client_errors() as error:
        raise SourceError(
            "unreadable", f"{address} cannot be opened ({reason_of(error)}): check the address"
        ) from error
    return filesystem, str(path)


def address_photos(where: str) -> Iterator[PhotoSource]:
    """The photos below an address, those that match it, or the one it names, in the order of a folder.

    Raises SourceError.
    """
    try:
        filesystem, path = _filesystem(where)
        outer, _, inner = where.partition("::")  # zip://*.jpg::s3://club/photos.zip
        scheme = outer.partition("://")[0]
        tail = f"::{inner}" if inner else ""

        def named(each: str) -> str:
            return (f"{scheme}://{each}" if inner else str(filesystem.unstrip_protocol(each))) + tail

        if glob.has_magic(path) and not (where.startswith("http") and "*" not in path):
            for each in sorted(filesystem.glob(path)):
                if is_photo(each):
                    yield address_photo(named(each))
        elif filesystem.isdir(path):
            for each, beside in _below(filesystem, path):
                if isinstance(beside, SourceError):
                    yield PhotoSource(named(each), each, trouble=("unreadable", str(beside)))
                else:
                    yield address_photo(named(each), tuple(map(named, beside)))
        elif filesystem.exists(path):
            yield address_photo(where)
        else:
            raise SourceError(
                "no_source", f"{where} does not exist, or you may not see it: check the address"
            )
    except client_errors() as error:
        raise SourceError(
            "unreadable",
            f"{where} cannot be listed ({reason_of(error)}): check the address, the network and your credentials",
        ) from error


def _below(
    filesystem: Any, folder: str, top: bool = True
) -> Iterator[tuple[str, tuple[str, ...] | SourceError]]:
    """Photos below a folder with the names of their sidecars. If a folder cannot be listed, it comes with the error."""
    try:
        entries = sorted(filesystem.ls(folder, detail=True), key=lambda entry: str(entry["name"]))
    except client_errors() as error:
        if top:
            raise
        message = f"{folder} cannot be listed ({reason_of(error)}): check its permissions"
        yield folder, SourceError("unreadable", message)
        return
    entries = [entry for entry in entries if entry["name"].strip("/") != folder.strip("/")]
    files = {str(entry["name"]) for entry in entries if entry["type"] != "directory"}
    for name in sorted(files):
        if is_photo(name):
            yield name, tuple(each for each in sidecar_names(name) if each in files)
    for entry in entries:
        name = str(entry["name"]).rstrip("/")
        hidden = name.rpartition("/")[2].startswith(".")
        # A link to a folder could lead in a circle.
        if entry["type"] == "directory" and not hidden and not entry.get("islink"):
            yield from _below(filesystem, name, top=False)


def address_photo(address: str, beside: tuple[str, ...] | None = None) -> PhotoSource:
    """The photo at an address. One in the memory of this process is read at once, because no other can see it."""
    image = address.partition("::")[0].partition("://")[2]
    source = PhotoSource(address, image, beside=beside)
    if "memory://" not in address:
        return source
    try:
        return PhotoSource(address, image, data=address_bytes(address), sidecar=address_sidecar(source))
    except PhotoError as error:
        return PhotoSource(address, image, trouble=(error.code, error.message))


def address_bytes(address: str) -> bytes:
    """The bytes at an address. Raises PhotoError."""
    try:
        filesystem, path = _filesystem(address)
        with filesystem.open(path, "rb") as file:
            data: bytes = file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise PhotoError("not_found", f"{address} does not exist: check the name") from error
    except SourceError as error:
        raise PhotoError("unreadable", f"{address} cannot be read ({error.message})") from error
    except client_errors() as error:
        raise PhotoError("unreadable", f"{address} cannot be read ({reason_of(error)})") from error
    if len(data) > MAX_BYTES:
        raise too_many_bytes(address)
    return data


def address_sidecar(source: PhotoSource) -> bytes | None:
    """The JSON beside a photo, None if there is none. Raises PhotoError."""
    head, _, inner = source.address.partition("::")
    if "?" in head:  # a signed address gives access to one file only
        return None
    tail = f"::{inner}" if inner else ""
    names = tuple(f"{name}{tail}" for name in sidecar_names(head)) if source.beside is None else source.beside
    for name in names:
        try:
            return address_bytes(name)
        except PhotoError as error:
            # To people who may read a bucket but not list it, servers answer "forbidden" for files that do not exist.
            absent = error.code == "not_found" or isinstance(error.__cause__, PermissionError)
            if source.beside is None and absent:
                continue
            raise
    return None
