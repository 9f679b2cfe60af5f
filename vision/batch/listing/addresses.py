"""Photos at addresses that fsspec knows: buckets, web servers, archives behind them."""

from __future__ import annotations

import glob
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from vision.batch.listing.archives import ARCHIVE_ERRORS
from vision.batch.listing.photo_source import (
    Source,
    SourceError,
    is_photo,
    reason_of,
    sidecar_names,
)
from vision.errors import PhotoError
from vision.photo_formats import MAX_BYTES, too_many_bytes

# Base classes of what the clients behind fsspec raise beside OSError; one that is raised has been imported.
_CLIENTS = {
    "botocore.exceptions": ("BotoCoreError", "ClientError"),
    "aiohttp": ("ClientError",),
    "gcsfs.retry": ("HttpError",),
    "google.auth.exceptions": ("GoogleAuthError",),
    "azure.core.exceptions": ("AzureError",),
    "paramiko": ("SSHException",),
}


def client_errors() -> tuple[type[Exception], ...]:
    """Everything that reading from an address is known to raise, for use after `except`."""
    known = [
        getattr(sys.modules[module], name)
        for module, names in _CLIENTS.items()
        if module in sys.modules
        for name in names
    ]
    return (*ARCHIVE_ERRORS, TypeError, *known)


def _filesystem(address: str) -> tuple[Any, str]:
    """The filesystem of an address and the path in it. Raises SourceError."""
    try:
        core = import_module("fsspec.core")
    except ImportError as error:
        raise SourceError(f"{address} needs fsspec: pip install 'fanlens[remote]'") from error
    try:
        # Listings that were kept would grow with the bucket.
        filesystem, path = core.url_to_fs(address, use_listings_cache=False)
    except ImportError as error:
        kinds = "s3, gs, az or http"
        raise SourceError(f"{address}: {error} (pip install 'fanlens[s3]'; so for {kinds})") from error
    except client_errors() as error:
        raise SourceError(f"{address} cannot be opened ({reason_of(error)}): check the address") from error
    return filesystem, str(path)


def address_photos(where: str) -> Iterator[Source]:
    """Photos below an address, that match it, or the one it names; in the order of a folder. Raises SourceError."""
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
                    yield Source(named(each), each, trouble=("unreadable", str(beside)))
                else:
                    yield address_photo(named(each), tuple(map(named, beside)))
        elif filesystem.exists(path):
            yield address_photo(where)
        else:
            raise SourceError(f"{where} does not exist, or is not for us to see: check the address")
    except client_errors() as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(
            f"{where} cannot be listed ({reason_of(error)}): check the address, the network and your credentials"
        ) from error


def _below(
    filesystem: Any, folder: str, top: bool = True
) -> Iterator[tuple[str, tuple[str, ...] | SourceError]]:
    """Photos below a folder with the names of the JSON beside them; of a folder that cannot be listed, why."""
    try:
        entries = sorted(filesystem.ls(folder, detail=True), key=lambda entry: str(entry["name"]))
    except client_errors() as error:
        if top:
            raise
        yield folder, SourceError(f"{folder} cannot be listed ({reason_of(error)}): check its permissions")
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


def address_photo(address: str, beside: tuple[str, ...] | None = None) -> Source:
    """A photo at an address; what lives in this process's memory is read at once, no other can see it."""
    image = address.partition("::")[0].partition("://")[2]
    source = Source(address, image, beside=beside)
    if "memory://" not in address:
        return source
    try:
        return Source(address, image, data=address_bytes(address), sidecar=address_sidecar(source))
    except PhotoError as error:
        return Source(address, image, trouble=(error.code, error.message))


def address_bytes(address: str) -> bytes:
    """What lies at an address. Raises PhotoError."""
    try:
        filesystem, path = _filesystem(address)
        with filesystem.open(path, "rb") as file:
            data: bytes = file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise PhotoError("not_found", f"{address} does not exist: check the name") from error
    except client_errors() as error:
        if isinstance(error, PhotoError):
            raise
        raise PhotoError("unreadable", f"{address} cannot be read ({reason_of(error)})") from error
    if len(data) > MAX_BYTES:
        raise too_many_bytes(address)
    return data


def address_sidecar(source: Source) -> bytes | None:
    """The JSON beside a photo, if there is one. Raises PhotoError."""
    head, _, inner = source.address.partition("::")
    if "?" in head:  # a signed address is good for one file
        return None
    tail = f"::{inner}" if inner else ""
    names = tuple(f"{name}{tail}" for name in sidecar_names(head)) if source.beside is None else source.beside
    for name in names:
        try:
            return address_bytes(name)
        except PhotoError as error:
            # Who may read a bucket but not list it is forbidden what is not there.
            absent = error.code == "not_found" or isinstance(error.__cause__, PermissionError)
            if source.beside is None and absent:
                continue
            raise
    return None
