"""Files that Fanlens writes: whole or not at all, and pictures under names of their own."""

from __future__ import annotations

import glob
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LONGEST_HEAD_BYTES = 220  # file systems allow names of 255 bytes, and a dot, 16 digits and `.tmp` are added


@contextmanager
def atomic_write(path: Path, *, durable: bool = False) -> Iterator[BinaryIO]:
    """Open a binary file that replaces `path` when the block ends, and is dropped when the block raises.

    Readers see the old content or the new, never a part. The new file lies in the same folder under a hidden name
    until then. It inherits the permissions of the file it replaces. A symbolic link is itself replaced, not its target.

    durable: return only when content and name are on the disk, so that a power cut cannot undo the write. Without
        it, a power cut within seconds may.

    Raises OSError.
    """
    unfinished = path.with_name(f".{_head(path)}.{secrets.token_hex(8)}.tmp")
    try:
        with unfinished.open("xb") as file:
            yield file
            _copy_permissions(path, file)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    if durable:
        sync_folder(path.parent)


def remove_unfinished(path: Path) -> None:
    """Remove what killed processes left of `path`; call it only while no other process writes there."""
    for left in path.parent.glob(f".{glob.escape(_head(path))}.*.tmp"):
        left.unlink()


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder are on the disk. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _head(path: Path) -> str:
    return os.fsencode(path.name)[:_LONGEST_HEAD_BYTES].decode("utf-8", "ignore")


def _copy_permissions(path: Path, file: BinaryIO) -> None:
    with suppress(OSError):  # there is no such file yet, or the file system has no permissions
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode):
            os.fchmod(file.fileno(), stat.S_IMODE(mode) & 0o777)


class FreeNames:
    """Names for the pictures of one run: none is a photo of the run or another picture."""

    def __init__(self, photos: Iterable[Path]) -> None:
        """Reserve the names of these photos, and every other name of the same files."""
        self._taken: set[Path] = set()
        self._files: set[tuple[int, int]] = set()
        for photo in photos:
            self._taken.add(_place(photo))
            file = _file(photo)
            if file is not None:
                self._files.add(file)

    def take(self, wanted: Path) -> Path:
        """Reserve the wanted path and return it, with the first free number from 2 on if it is taken."""
        path, number = wanted, 2
        while _place(path) in self._taken or _file(path) in self._files:
            path, number = wanted.with_stem(f"{wanted.stem}-{number}"), number + 1
        self._taken.add(_place(path))
        return path


def _place(path: Path) -> Path:
    """The path in its real folder. A link is not followed, because a write replaces the link and not its target."""
    try:
        return path.parent.resolve() / path.name
    except (OSError, ValueError, RuntimeError):
        return path.absolute()


def _file(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def write_picture(pixels: NDArray[np.uint8], path: Path, quality: int = 90) -> None:
    """Write H×W×3 RGB pixels as a JPEG, whole or not at all. Raises OSError."""
    from PIL import Image  # noqa: PLC0415 `fanlens batch` writes files without loading Pillow

    with atomic_write(path) as file:
        Image.fromarray(pixels).save(file, "JPEG", quality=quality)
