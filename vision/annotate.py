"""Draw a photo with every tile outlined and named, for `fanlens photo --annotated`, batches and reports.

Roles differ in colour and in line style, and doubtful tiles get a triangle with an exclamation mark, so that colour is
never the only cue.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.layout.roles import Role
from vision.photo import Photo
from vision.recognition import Recognition, SeenTile

_TILE_PX = 56.0  # small photos are enlarged until a tile has about this size, so that the names fit
_MOST_ENLARGED = 3.0
_MOST_PIXELS = 8_000_000

Colour = tuple[int, int, int]
Point = tuple[float, float]


@dataclass(frozen=True)
class _Style:
    """How a role is outlined: colour, line width as a share of the tile's size, dash and gap in line widths."""

    colour: Colour
    width: float
    dash: tuple[float, float] | None


_STYLES: dict[Role, _Style] = {
    Role.CONCEALED: _Style((46, 160, 67), 0.05, None),
    Role.MELD: _Style((30, 110, 230), 0.06, (5, 2)),
    Role.WINNING: _Style((230, 100, 0), 0.10, None),
    Role.FLOWER: _Style((190, 60, 190), 0.06, (1, 1.5)),
    Role.STRAY: _Style((130, 130, 130), 0.03, (2, 3)),
}
_DOUBT: Colour = (250, 205, 20)
_INK: Colour = (0, 0, 0)
_PAPER: Colour = (255, 255, 255)


def annotate(photo: Photo, recognition: Recognition) -> NDArray[np.uint8]:
    """Return the photo with every tile outlined and named, enlarged or reduced so that the names are readable.

    The result is uint8 H×W×3, RGB. Raises PhotoError if a large photo cannot be decoded in full.
    """
    sizes = [_size(tile) for tile in recognition.tiles if tile.role is not Role.STRAY]
    sizes = sizes or [_size(tile) for tile in recognition.tiles] or [_TILE_PX]
    tile_px = float(np.median(sizes))
    most = min(_MOST_ENLARGED, (_MOST_PIXELS / (photo.width * photo.height)) ** 0.5)
    factor = min(max(1.0, _TILE_PX / tile_px), most)
    shape = (max(1, round(photo.width * factor)), max(1, round(photo.height * factor)))
    kind = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    picture = cv2.resize(photo.at_least(factor), shape, interpolation=kind)
    canvas = Image.fromarray(np.asarray(picture, np.uint8))
    drawing = ImageDraw.Draw(canvas)
    # Strays first, so that the hand lies on top of them.
    for tile in sorted(recognition.tiles, key=lambda tile: tile.role is not Role.STRAY):
        _draw(drawing, tile, [(x * factor, y * factor) for x, y in tile.quad])
    return np.asarray(canvas)


def _size(tile: SeenTile) -> float:
    return float(np.sqrt(cv2.contourArea(np.array(tile.quad, np.float32))))


def _draw(drawing: ImageDraw.ImageDraw, tile: SeenTile, quad: list[Point]) -> None:
    style = _STYLES[tile.role]
    size = float(cv2.contourArea(np.array(quad, np.float32))) ** 0.5
    width = max(1, round(style.width * size))
    for start, end in pairwise([*quad, quad[0]]):
        _line(drawing, start, end, width, style)
    font = ImageFont.load_default(max(9.0, 0.32 * size))
    centre = (sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4)
    if tile.role is not Role.STRAY:
        top = min(y for _, y in quad)
        _name(drawing, tile.face, (centre[0], top), font, style.colour)
    if tile.doubt is not None:
        _warn(drawing, (centre[0], max(y for _, y in quad)), 0.42 * size, font)


def _line(drawing: ImageDraw.ImageDraw, start: Point, end: Point, width: int, style: _Style) -> None:
    if style.dash is None:
        drawing.line([start, end], fill=style.colour, width=width)
        return
    direction = np.subtract(end, start)
    length = float(np.hypot(*direction))
    dash, gap = style.dash[0] * width, style.dash[1] * width
    for begin in np.arange(0.0, length, dash + gap):
        stop = min(begin + dash, length)
        points = [tuple(np.add(start, direction * at / length)) for at in (begin, stop)]
        drawing.line(points, fill=style.colour, width=width)


def _name(
    drawing: ImageDraw.ImageDraw,
    text: str,
    bottom: Point,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    colour: Colour,
) -> None:
    """Write the face on a plate that stands on the upper edge of the tile."""
    left, top, right, low = drawing.textbbox((0, 0), text, font=font)
    width, height = right - left + 4, low - top + 4
    x, y = bottom[0] - width / 2, max(0.0, bottom[1] - height)
    drawing.rectangle((x, y, x + width, y + height), fill=colour)
    drawing.text((x + 2 - left, y + 2 - top), text, fill=_PAPER, font=font)


def _warn(
    drawing: ImageDraw.ImageDraw,
    foot: Point,
    size: float,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
) -> None:
    """Draw a triangle with an exclamation mark at the lower edge of the tile."""
    x, y = foot
    corners = [(x, y - size), (x + size * 0.6, y), (x - size * 0.6, y)]
    drawing.polygon(corners, fill=_DOUBT, outline=_INK, width=max(1, round(size / 14)))
    drawing.text((x, y - size * 0.36), "!", fill=_INK, font=font, anchor="mm")
