"""Pictures written beside photos: under a name of their own, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image


class FreeNames:
    """Names for the pictures of one run that are neither one of its photos nor another of its pictures."""

    def __init__(self, photos: Iterable[Path]) -> None:
        """Keep the names of these photos, and the files they are, under whatever name, from being taken."""
        self._taken: set[Path] = set()
        self._files: set[tuple[int, int]] = set()
        for photo in photos:
            self._taken.add(_place(photo))
            file = _file(photo)
            if file is not None:
                self._files.add(file)

    def take(self, wanted: Path) -> Path:
        """The wanted path, with the first free number from 2 on where it is not free; it is then taken."""
        path, number = wanted, 2
        while _place(path) in self._taken or _file(path) in self._files:
            path, number = wanted.with_stem(f"{wanted.stem}-{number}"), number + 1
        self._taken.add(_place(path))
        return path


def _place(path: Path) -> Path:
    """The path in its real folder, itself not followed: replacing it replaces the link, not what it names."""
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
    """Write H×W×3 RGB pixels as a JPEG. Raises OSError, and then leaves what was there before."""
    unfinished = path.parent / f".fanlens-{os.getpid()}.part"
    try:
        Image.fromarray(pixels).save(unfinished, "JPEG", quality=quality)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
