"""The drawn tiles as SVG: 42 faces and the back, paths only, 3:4, drawn by ``python -m models.drawing``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from scorer import BACK, FACES

__all__ = ["artwork_path", "face_svg"]


def artwork_path(face: str) -> Path:
    """The SVG file of a face code or ``back``; ``ValueError`` for any other code."""
    if face != BACK and face not in FACES:
        raise ValueError(f"no tile {face!r}; the faces are 1m-9m 1p-9p 1s-9s 1z-7z 1f-8f and back")
    return Path(__file__).with_name(f"{face}.svg")


@cache
def face_svg(face: str) -> str:
    """The SVG text of a face code or ``back``, free of ids, so that it can be put into a page as it is."""
    return artwork_path(face).read_text(encoding="utf-8")
