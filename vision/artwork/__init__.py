"""Drawings of the tiles: 42 faces and the back, 3:4, made by `python -m models.drawing`.

Pages use the SVG files, one per tile, which contain only paths. Raster pictures use `tiles.png`, which shows all tiles
side by side.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from PIL import Image

from scorer import BACK, FACES

__all__ = ["SHEET", "SHEET_TILE", "artwork_path", "face_picture", "face_svg"]

SHEET = Path(__file__).with_name("tiles.png")
"""The 42 faces in the order of `scorer.FACES` and the back, side by side, on white."""
SHEET_TILE = (144, 192)
"""Width and height of a tile on the sheet, in pixels."""


def artwork_path(face: str) -> Path:
    """The SVG file of a face code or `back`. Raises ValueError for any other code."""
    if face != BACK and face not in FACES:
        raise ValueError(f"no tile {face!r}; the faces are 1m-9m 1p-9p 1s-9s 1z-7z 1f-8f and back")
    return Path(__file__).with_name(f"{face}.svg")


@cache
def face_picture(face: str, height: int) -> Image.Image:
    """The tile of a face code or `back` as RGB on white, `height` pixels high and three quarters as wide.

    Raises ValueError for any other code.
    """
    place = (*FACES, BACK).index(artwork_path(face).stem)
    width, full = SHEET_TILE
    tile = _sheet().crop((place * width, 0, (place + 1) * width, full))
    return tile.resize((round(height * 3 / 4), height), Image.Resampling.LANCZOS)


@cache
def _sheet() -> Image.Image:
    with Image.open(SHEET) as sheet:
        return sheet.convert("RGB")


@cache
def face_svg(face: str) -> str:
    """The SVG text of a face code or `back`, without ids, so that a page can include it as it is.

    Raises ValueError for any other code.
    """
    return artwork_path(face).read_text(encoding="utf-8")
