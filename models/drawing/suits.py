"""The three suits: dots, bamboo (except the bird, see `bird`) and characters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from models.drawing.outlines import EM, glyph, has_glyph
from models.drawing.shapes import PAPER, InkShape, circle, line, placed, polygon
from models.drawing.style import Style

NUMERALS = "一二三四五六七八九"


def character(
    font: str, letter: str, x: float, y: float, *, size: float, colour: str, bold: float = 0.0
) -> Iterator[InkShape]:
    """A character centred on `(x, y)` in an em box of `size` units, thickened by `bold` units."""
    font = font if has_glyph(font, letter) else "kai"  # has all of them
    scale = size / EM
    outline = placed(glyph(font, letter), x - size / 2, y - size / 2, scale)
    yield InkShape(outline, colour)
    if bold >= 1:
        yield InkShape(outline, colour, bold)


def caption_glyph(
    font: str, letter: str, x: float, y: float, *, size: float, colour: str
) -> Iterator[InkShape]:
    """A digit or Latin letter centred near `(x, y)`."""
    scale = size / EM
    yield InkShape(placed(glyph(font, letter), x - 0.28 * size, y - 0.5 * size, scale), colour)


def characters(number: int, style: Style) -> Iterator[InkShape]:
    """A characters tile: a number above 萬."""
    numeral = style.five if number == 5 else NUMERALS[number - 1]
    yield from character(
        style.numerals,
        numeral,
        300,
        215,
        size=350,
        colour=style.ink(style.numeral_ink),
        bold=style.bold * 0.9,
    )
    yield from character(
        style.numerals, style.ten_thousand, 300, 565, size=400, colour=style.red, bold=style.bold * 0.6
    )


_DOTS: dict[int, tuple[float, tuple[tuple[float, float, str], ...]]] = {
    2: (140, ((300, 210, "green"), (300, 590, "dark"))),
    3: (108, ((145, 150, "dark"), (300, 400, "red"), (455, 650, "green"))),
    4: (112, ((165, 200, "dark"), (435, 200, "green"), (165, 600, "green"), (435, 600, "dark"))),
    5: (
        98,
        (
            *((155, 165, "dark"), (445, 165, "green"), (300, 400, "red")),
            *((155, 635, "green"), (445, 635, "dark")),
        ),
    ),
    6: (104, tuple((x, y, "green" if y < 200 else "red") for y in (140, 430, 652) for x in (170, 430))),
    7: (
        84,
        (
            *((120, 115, "green"), (300, 190, "green"), (480, 265, "green")),
            *((x, y, "red") for y in (475, 660) for x in (192, 408)),
        ),
    ),
    8: (84, tuple((x, y, "dark") for y in (115, 305, 495, 685) for x in (192, 408))),
    9: (
        84,
        tuple(
            (x, y, ink) for y, ink in ((140, "green"), (400, "red"), (660, "dark")) for x in (110, 300, 490)
        ),
    ),
}


def dots(number: int, style: Style) -> Iterator[InkShape]:
    """One to nine dots."""
    if number == 1:
        yield from _one_dot(style)
        return
    radius, places = _DOTS[number]
    inks = {"green": style.green, "red": style.red, "dark": style.ink(style.dot_ink)}
    for x, y, ink in places:
        yield from dot(x, y, radius, inks[ink], style)


def dot(x: float, y: float, radius: float, colour: str, style: Style) -> Iterator[InkShape]:
    """One dot in the style of the tile set."""
    thick = 0.26 * radius * style.line
    rim = InkShape(circle(x, y, radius - thick / 2), colour, thick)
    if style.dot == "rings":
        yield rim
        yield InkShape(circle(x, y, 0.5 * radius), colour)
        yield InkShape(circle(x, y, 0.15 * radius), PAPER)
    elif style.dot == "target":
        yield rim
        yield InkShape(circle(x, y, 0.52 * radius), colour, thick * 0.8)
        yield InkShape(circle(x, y, 0.22 * radius), colour)
    elif style.dot == "wheel":
        yield rim
        yield InkShape(circle(x, y, 0.3 * radius), colour, thick * 0.7)
        for k in range(8):
            yield InkShape(line([_polar(x, y, r * radius, k / 8) for r in (0.36, 0.8)]), colour, thick * 0.6)
    elif style.dot == "cross":
        yield InkShape(circle(x, y, radius), colour)
        for k in range(4):
            yield InkShape(
                line([_polar(x, y, r * radius, k / 4 + 0.125) for r in (0.35, 0.6)]), PAPER, 0.27 * radius
            )
    elif style.dot == "flower":
        yield rim
        for k in range(6):
            yield InkShape(circle(*_polar(x, y, 0.4 * radius, k / 6), 0.19 * radius), colour)
    elif style.dot == "grooved":
        yield InkShape(circle(x, y, radius), colour)
        for r in (0.76, 0.5, 0.24):
            yield InkShape(circle(x, y, r * radius), PAPER, thick * 0.3)
    else:
        yield InkShape(circle(x, y, radius), colour)
        yield InkShape(circle(x, y, 0.62 * radius), PAPER, thick * 0.6)
        yield InkShape(circle(x, y, 0.2 * radius), PAPER)


def _one_dot(style: Style) -> Iterator[InkShape]:
    size = 235 * min(1.08, 0.5 + 0.55 * style.line)
    thick = 0.1 * size * style.line
    yield from _ONE_DOTS[style.one_dot](style, style.ink(style.dot_ink), size, thick)


def _petals(style: Style, dark: str, size: float, thick: float) -> Iterator[InkShape]:
    yield InkShape(circle(*_MIDDLE, size - thick / 2), style.green, thick)
    for k in range(12):
        yield InkShape(line([_spoke(r * size, k / 12) for r in (0.58, 0.7)]), dark, 0.2 * size)
    yield from _heart(style, size, thick)


def _daisy(style: Style, _: str, size: float, thick: float) -> Iterator[InkShape]:
    for k in range(16):
        ends = line([_spoke(r * size, k / 16) for r in (0.58, 0.82)])
        yield InkShape(ends, style.green, 0.27 * size)
        yield InkShape(ends, PAPER, 0.14 * size)
    yield from _heart(style, size, thick)


def _heart(style: Style, size: float, thick: float) -> Iterator[InkShape]:
    yield InkShape(circle(*_MIDDLE, 0.47 * size), PAPER)
    yield InkShape(circle(*_MIDDLE, 0.4 * size), style.red, thick * 0.8)
    yield InkShape(circle(*_MIDDLE, 0.2 * size), style.red)


def _rings(style: Style, dark: str, size: float, thick: float) -> Iterator[InkShape]:
    for r, colour in ((1, dark), (0.76, style.green), (0.5, style.red)):
        yield InkShape(circle(*_MIDDLE, r * size - thick / 2), colour, thick * 1.3)


def _wheel(style: Style, dark: str, size: float, thick: float) -> Iterator[InkShape]:
    for r in (0.95, 0.68):
        yield InkShape(circle(*_MIDDLE, r * size), dark, 0.5 * thick)
    for k in range(32):
        yield InkShape(line([_spoke(r * size, k / 32) for r in (0.72, 0.9)]), dark, 0.35 * thick)
    yield InkShape(circle(*_MIDDLE, 0.46 * size), style.red, 0.5 * thick)
    for k in range(8):
        yield InkShape(line([_spoke(r * size, k / 8) for r in (0.2, 0.4)]), style.red, 0.5 * thick)
    yield InkShape(circle(*_MIDDLE, 0.16 * size), style.red)


def _coin(style: Style, _: str, size: float, __: float) -> Iterator[InkShape]:
    yield InkShape(circle(*_MIDDLE, size), style.green)
    for k in range(10):
        yield InkShape(circle(*_spoke(0.77 * size, k / 10), 0.11 * size), PAPER)
    yield InkShape(circle(*_MIDDLE, 0.55 * size), PAPER)
    yield InkShape(circle(*_MIDDLE, 0.46 * size), style.red)
    for k in range(4):
        yield InkShape(line([_MIDDLE, _spoke(0.3 * size, k / 4)]), PAPER, 0.09 * size)


def _sun(style: Style, dark: str, size: float, thick: float) -> Iterator[InkShape]:
    yield InkShape(circle(*_MIDDLE, 0.9 * size), dark, 0.6 * thick)
    for k in range(24):
        corners = ((0.82, 0), (0.58, -0.36), (0.58, 0.36))
        yield InkShape(polygon([_spoke(r * size, (k + d) / 24) for r, d in corners]), style.green)
    yield InkShape(circle(*_MIDDLE, 0.42 * size), style.red, thick)
    yield InkShape(circle(*_MIDDLE, 0.18 * size), style.red)


_MIDDLE = (300.0, 400.0)

_ONE_DOTS: dict[str, Callable[[Style, str, float, float], Iterator[InkShape]]] = {
    "petals": _petals,
    "daisy": _daisy,
    "rings": _rings,
    "wheel": _wheel,
    "coin": _coin,
    "sun": _sun,
}


def _spoke(radius: float, turns: float) -> tuple[float, float]:
    return _polar(*_MIDDLE, radius, turns)


def _polar(x: float, y: float, radius: float, turns: float) -> tuple[float, float]:
    angle = 2 * math.pi * turns
    return x + radius * math.sin(angle), y - radius * math.cos(angle)


_STICKS: dict[int, tuple[float, tuple[tuple[float, float, str], ...]]] = {
    2: (320, ((300, 210, "green"), (300, 590, "green"))),
    3: (300, ((300, 215, "green"), (175, 585, "green"), (425, 585, "green"))),
    4: (300, tuple((x, y, "green") for y in (215, 585) for x in (180, 420))),
    5: (
        290,
        (*((x, y, "green") for y in (205, 595) for x in (135, 465)), (300, 400, "red")),
    ),
    6: (300, tuple((x, y, "green") for y in (215, 585) for x in (130, 300, 470))),
    7: (
        208,
        (
            (300, 140, "red"),
            *((x, y, "dark" if x == 300 else "green") for y in (402, 652) for x in (130, 300, 470)),
        ),
    ),
    9: (212, tuple((x, y, "red" if x == 300 else "green") for y in (140, 400, 660) for x in (130, 300, 470))),
}


def bamboos(number: int, style: Style) -> Iterator[InkShape]:
    """Two to nine bamboo sticks."""
    if number == 8:
        for y, lean in ((215.0, 1), (585.0, -1)):
            for x in (110.0, 490.0):
                yield from stick((x, y - 145), (x, y + 145), style.green, style)
            for side in (-1, 1):
                ends = ((300 + side * 150, y + 118 * lean), (300 + side * 22, y - 92 * lean))
                yield from stick(*ends, style.green, style)
        return
    length, places = _STICKS[number]
    inks = {"green": style.green, "red": style.red, "dark": style.ink(style.dot_ink)}
    if style.dot_ink == "black":
        inks["dark"] = style.green
    for x, y, ink in places:
        yield from stick((x, y - length / 2), (x, y + length / 2), inks[ink], style)


def stick(
    start: tuple[float, float], end: tuple[float, float], colour: str, style: Style
) -> Iterator[InkShape]:
    """One bamboo stick between two points."""

    def along(t: float) -> tuple[float, float]:
        return start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])

    length = math.dist(start, end)
    dx, dy = (end[1] - start[1]) / length, (start[0] - end[0]) / length  # across the stick
    width = min(96.0, 0.2 * length + 42) * (0.55 + 0.45 * style.line)

    def knot(t: float, half: float, thick: float) -> InkShape:
        x, y = along(t)
        return InkShape(line([(x - half * dx, y - half * dy), (x + half * dx, y + half * dy)]), colour, thick)

    if style.stick == "slim":
        yield InkShape(line([along(0.06), along(0.94)]), colour, 0.5 * width)
        for t in (0.08, 0.5, 0.92):
            yield knot(t, 0.32 * width, 0.26 * width)
        return
    if style.stick == "plain":
        yield InkShape(line([along(0.1), along(0.9)]), colour, 0.92 * width)
        for a, b in ((0.16, 0.42), (0.58, 0.84)):
            yield InkShape(line([along(a), along(b)]), PAPER, 0.3 * width)
        return
    body = 0.66 if style.stick == "bone" else 0.5
    yield InkShape(line([along(0.1), along(0.9)]), colour, body * width)
    for t in (0.09, 0.5, 0.91) if style.stick == "bone" else (0.06, 0.35, 0.65, 0.94):
        yield knot(t, 0.26 * width, 0.46 * width)
    gaps = ((0.2, 0.4), (0.6, 0.8)) if style.stick == "bone" else ((0.16, 0.26), (0.46, 0.54), (0.74, 0.84))
    for a, b in gaps:
        yield InkShape(line([along(a), along(b)]), PAPER, 0.17 * width)
