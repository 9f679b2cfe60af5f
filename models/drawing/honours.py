"""Winds and dragons."""

from __future__ import annotations

from collections.abc import Iterator

from models.drawing.shapes import PAPER, InkShape, line, polygon, rounded
from models.drawing.style import Style
from models.drawing.suits import caption_glyph, character

LETTERS = "東南西北中發"


def honours(number: int, style: Style) -> Iterator[InkShape]:
    """An honour tile: 1 to 4 are the winds, 5 to 7 the red, green and white dragon."""
    if number == 7:
        yield from frame(style)
        return
    letter = LETTERS[number - 1]
    if style.simplified:
        letter = {"東": "东", "發": "发"}.get(letter, letter)
    ink = {5: style.red, 6: style.green}.get(number, style.ink(style.wind_ink))
    size = 540 if number != 5 else 580
    yield from character(style.letters, letter, 300, 400, size=size, colour=ink, bold=style.bold * 1.5)


def frame(style: Style) -> Iterator[InkShape]:
    """The white dragon: the frame of the tile set, or nothing."""
    ink, thick = style.ink(style.frame_ink), 26 * style.line
    if style.frame == "blank":
        return
    if style.frame == "plaque":
        yield InkShape(rounded(70, 80, 460, 640, 70), ink)
        yield InkShape(rounded(140, 150, 320, 500, 30), PAPER)
        yield InkShape(rounded(105, 115, 390, 570, 50), PAPER, 8)
        return
    if style.frame == "meander":
        yield from _meander(ink)
        return
    yield InkShape(rounded(85, 95, 430, 610, 46), ink, thick)
    if style.frame == "single":
        return
    if style.frame == "letter":
        yield InkShape(rounded(125, 135, 350, 530, 20), ink, 0.4 * thick)
        yield from caption_glyph("sans", "B", 300, 395, size=230, colour=style.red)
        return
    yield InkShape(rounded(138, 148, 324, 504, 16), ink, 0.45 * thick)
    if style.frame == "notched":
        for x, to in ((138, 1), (462, -1)):
            for y, down in ((148, 1), (652, -1)):
                corner = [(x, y), (x + 62 * to, y), (x, y + 62 * down)]
                yield InkShape(polygon(corner), ink)


def _meander(ink: str) -> Iterator[InkShape]:
    yield InkShape(rounded(60, 70, 480, 660, 10), ink, 14)
    yield InkShape(rounded(140, 150, 320, 500, 6), ink, 14)
    for k in range(4):
        for x in (76, 452):
            y = 190 + 122 * k
            yield InkShape(
                line([(x, y), (x + 46, y), (x + 46, y + 58), (x + 20, y + 58), (x + 20, y + 30)]), ink, 12
            )
    for k in range(3):
        for y in (86, 662):
            x = 150 + 108 * k
            yield InkShape(
                line([(x, y), (x, y + 46), (x + 60, y + 46), (x + 60, y + 20), (x + 30, y + 20)]), ink, 12
            )
