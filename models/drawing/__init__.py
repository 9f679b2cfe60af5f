"""Drawn tiles: every face as a few shapes in the style of a tile set, as SVG or as pixels.

`python -m models.drawing` writes the files of `vision/artwork`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from models.drawing.bird import bird
from models.drawing.flowers import flowers
from models.drawing.honours import honours
from models.drawing.shapes import HEIGHT, PAPER, WIDTH, InkShape, paint, rounded, svg
from models.drawing.style import CLASSIC, Style, random_style
from models.drawing.suits import bamboos, caption_glyph, characters, dots
from scorer import BACK, FACES
from scorer.tiles import english

__all__ = ["CLASSIC", "Style", "face_ink", "face_pixels", "face_shapes", "random_style", "tile_svg"]


def face_shapes(face: str, style: Style = CLASSIC) -> tuple[InkShape, ...]:
    """The drawing on a face without the tile, in units of 600 by 800.

    Raises ValueError for a code that is not one of the 42 faces.
    """
    if face not in FACES:
        raise ValueError(f"{face!r} is not a face; the faces are 1m-9m 1p-9p 1s-9s 1z-7z 1f-8f")
    number, suit = int(face[0]), face[1]
    if style.red_fives and number == 5 and suit in "mps":
        style = style.all_in(style.red)
    shapes = tuple(_drawn(number, suit, style))
    caption = tuple(_caption(number, suit, style))
    scale = min(style.scale, 0.86) if caption else style.scale
    if scale != 1:
        # a caption in a corner pushes the drawing to the other side
        push = {"none": 0, "left": 1, "right": -1}[style.caption] if caption else 0
        x, y = (1 - scale) / 2 * WIDTH * (1 + 0.5 * push), (1 - scale) / 2 * HEIGHT * (1.4 if push else 1)
        shapes = tuple(shape.moved(x, y, scale) for shape in shapes)
    return shapes + caption


def _drawn(number: int, suit: str, style: Style) -> Iterator[InkShape]:
    if suit == "s" and number == 1:
        return bird(style)
    draw = {"m": characters, "p": dots, "s": bamboos, "z": honours, "f": flowers}[suit]
    return draw(number, style)


def _caption(number: int, suit: str, style: Style) -> Iterator[InkShape]:
    if style.caption == "none" or suit == "f" or (suit, number) == ("z", 7):
        return
    text = "ESWNCF"[number - 1] if suit == "z" else str(number)
    x = 70 if style.caption == "left" else 520
    yield from caption_glyph(style.caption_font, text, x, 85, size=150, colour=style.ink(style.caption_ink))


def tile_svg(face: str, style: Style = CLASSIC) -> str:
    """A tile seen from above as an SVG file: the ivory body with its face, or the back."""
    if face == BACK:
        return svg(tuple(_back()), "Face-down tile")
    body = (
        InkShape(rounded(6, 6, 588, 788, 70), PAPER),
        InkShape(rounded(9, 9, 582, 782, 68), "#cfc4a4", 10),
    )
    return svg(body + face_shapes(face, style), english(face))


def _back() -> Iterator[InkShape]:
    yield InkShape(rounded(6, 6, 588, 788, 70), "#1f7f5c")
    yield InkShape(rounded(9, 9, 582, 782, 68), "#125541", 10)
    yield InkShape(rounded(52, 52, 496, 696, 46), "#3f9c78", 12)
    for k in range(5):
        for j in range(7):
            if (k + j) % 2 == 0:
                x, y = 140 + 80 * k, 160 + 80 * j
                yield InkShape(
                    (
                        ("M", (x, y - 34.0)),
                        ("L", (x + 34.0, y)),
                        ("L", (x, y + 34.0)),
                        ("L", (x - 34.0, y)),
                        ("Z", ()),
                    ),
                    "#3f9c78",
                )


def face_ink(face: str, height: int, style: Style = CLASSIC) -> NDArray[np.uint8]:
    """The ink of a face without its tile: RGBA, `height` rows, three quarters as wide."""
    shapes = face_shapes(face, style)
    if not shapes:
        return np.zeros((height, round(height * WIDTH / HEIGHT), 4), np.uint8)
    return paint(shapes, height)


def face_pixels(face: str, height: int, style: Style = CLASSIC) -> NDArray[np.uint8]:
    """A tile seen from above on white: RGB, `height` rows, three quarters as wide."""
    if face == BACK:
        shapes = tuple(_back())
    else:
        shapes = (
            InkShape(rounded(9, 9, 582, 782, 68), "#cfc4a4", 10),
            *face_shapes(face, style),
        )
    ink = paint(shapes, height)
    ground = paint((InkShape(rounded(6, 6, 588, 788, 70), "#fbf6e5"),), height)
    result = np.full((*ink.shape[:2], 3), 255.0)
    for layer in (ground, ink):
        weight = layer[..., 3:].astype(float) / 255
        result = result * (1 - weight) + layer[..., :3] * weight
    return np.round(result).astype(np.uint8)
