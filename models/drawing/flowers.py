"""The eight flower tiles: four seasons and four plants, each with its character and number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from models.drawing.shapes import PAPER, InkShape, Segment, circle, curve, line, placed
from models.drawing.style import Style
from models.drawing.suits import NUMERALS, caption_glyph, character

LETTERS = "春夏秋冬梅蘭竹菊"
_NUMBERS = (1, 2, 3, 4, 1, 2, 4, 3)  # most sets number the bamboo plant 4 and the chrysanthemum 3
_NUMBERS_IN_ORDER = (1, 2, 3, 4, 1, 2, 3, 4)


def flowers(number: int, style: Style) -> Iterator[InkShape]:
    """A flower tile: 1 to 4 are spring to winter, 5 to 8 plum, orchid, bamboo plant and chrysanthemum."""
    draw: tuple[Callable[[Style], Iterator[InkShape]], ...] = (
        *(_peony, _lotus, _maple, _pine),
        *(_plum, _orchid, _bamboo, _chrysanthemum),
    )
    for shape in draw[(number - 1 + style.other_motifs) % len(draw)](
        style
    ):  # leave room for the caption above
        small = shape.moved(300 * 0.12, 752 * 0.12, 0.88)
        yield small.mirrored() if style.mirrored else small
    season = number <= 4
    ink, other = (
        (style.red, style.ink(style.numeral_ink)) if season else (style.ink(style.numeral_ink), style.red)
    )
    letter = LETTERS[number - 1]
    if style.simplified and letter == "蘭":
        letter = "兰"
    letter_x, number_x = (130, 480) if season == style.swapped else (470, 120)
    digit = (_NUMBERS_IN_ORDER if style.numbers_in_order else _NUMBERS)[number - 1]
    if style.flower_label != "digit":
        yield from character(
            style.letters, letter, letter_x, 135, size=210, colour=ink, bold=style.bold * 0.5
        )
    if style.flower_label == "numerals":
        yield from character(
            style.letters, NUMERALS[digit - 1], number_x, 130, size=190, colour=other, bold=style.bold * 0.5
        )
    elif style.flower_label != "character":
        yield from caption_glyph(style.caption_font, str(digit), number_x, 135, size=210, colour=other)


def _leaf(x: float, y: float, length: float, turn: float, fat: float = 0.34) -> tuple[Segment, ...]:
    """A pointed leaf from `(x, y)`, upright and then turned clockwise."""
    width = fat * length
    outline = curve(f"M0 0 Q{-width} {-0.5 * length} 0 {-length} Q{width} {-0.5 * length} 0 0Z")
    return placed(outline, x, y, 1, turn)


def _leaves(
    style: Style, *places: tuple[float, float, float, float], fat: float = 0.34
) -> Iterator[InkShape]:
    for x, y, length, turn in places:
        outline = _leaf(x, y, length, turn, fat)
        if style.blossom == "filled":
            yield InkShape(outline, style.green)
            vein = line([(0, -0.2 * length), (0, -0.72 * length)])
            yield InkShape(placed(vein, x, y, 1, turn), PAPER, 7)
        else:
            yield InkShape(outline, style.green, 12 * style.line)


def _stem(style: Style, path: str, width: float = 15) -> InkShape:
    return InkShape(curve(path), style.green, width * style.line)


def _blossom(x: float, y: float, radius: float, petals: int, style: Style) -> Iterator[InkShape]:
    """An open blossom of round petals."""
    ink = style.red
    for k in range(petals):
        angle = 2 * math.pi * k / petals
        px, py = x + 0.62 * radius * math.sin(angle), y - 0.62 * radius * math.cos(angle)
        size = min(0.44, 2.1 / petals) * radius
        if style.blossom == "filled":
            yield InkShape(circle(px, py, size), ink)
        else:
            yield InkShape(circle(px, py, size), ink, 11 * style.line)
    yield InkShape(circle(x, y, 0.36 * radius), ink if style.blossom == "filled" else PAPER)
    yield InkShape(circle(x, y, 0.26 * radius), PAPER)
    yield InkShape(circle(x, y, 0.13 * radius), ink)


def _peony(style: Style) -> Iterator[InkShape]:
    yield _stem(style, "M320 740 Q250 640 300 520 Q330 420 260 300 M300 600 Q380 590 440 520")
    yield from _leaves(
        style, (285, 660, 190, -62), (300, 640, 200, 62), (262, 320, 120, -28), (270, 330, 110, 34)
    )
    yield from _leaves(style, (430, 540, 120, 30), (200, 560, 120, -40))
    yield from _blossom(300, 500, 150, 8, style)
    yield from _blossom(300, 500, 82, 5, style)


def _lotus(style: Style) -> Iterator[InkShape]:
    yield _stem(style, "M300 740 Q320 620 300 520 M170 742 Q150 640 190 600 M440 742 Q460 690 430 640")
    yield InkShape(curve("M60 640 Q180 540 300 640 Q180 690 60 640Z"), style.green)
    yield InkShape(curve("M330 672 Q450 590 560 672 Q450 724 330 672Z"), style.green)
    yield InkShape(curve("M110 640 L250 640 M380 672 L512 672"), PAPER, 7)
    for turn in (-62, -32, 62, 32, 0):
        outline = _leaf(300, 560, 230 - abs(turn), turn, 0.42)
        yield InkShape(outline, style.red if style.blossom == "filled" else PAPER)
        yield InkShape(outline, PAPER if style.blossom == "filled" else style.red, 9 * style.line)
    yield _stem(style, "M110 748 Q300 716 500 750", 12)


def _maple(style: Style) -> Iterator[InkShape]:
    yield _stem(
        style,
        "M210 744 Q330 620 300 470 Q290 380 350 290 M312 560 Q220 540 160 460 M300 640 Q420 640 470 560",
    )
    for x, y, size, lean in ((350, 350, 190, 8), (160, 500, 165, -24), (460, 590, 165, 28)):
        for turn in (-100, -52, 0, 52, 100):
            outline = _leaf(x, y + 0.2 * size, (0.78 - abs(turn) / 420) * size, turn + lean, 0.3)
            yield InkShape(outline, style.red, 0 if style.blossom == "filled" else 9 * style.line)
    yield from _leaves(style, (250, 700, 130, -58), (280, 690, 120, 60))


def _pine(style: Style) -> Iterator[InkShape]:
    yield InkShape(curve("M150 744 Q260 640 270 520 Q280 420 380 330"), style.black, 24 * style.line)
    yield InkShape(curve("M262 600 Q350 590 430 640 M272 500 Q200 470 150 480"), style.black, 15 * style.line)
    for x, y in ((380, 330), (150, 480), (440, 640), (290, 440)):
        for turn in range(-75, 76, 25):
            yield InkShape(placed(line([(0, -18), (0, -112)]), x, y, 1, turn), style.green, 13 * style.line)
    yield from _blossom(330, 560, 78, 5, style)
    yield from _blossom(210, 640, 70, 5, style)


def _plum(style: Style) -> Iterator[InkShape]:
    yield InkShape(
        curve("M200 752 Q250 640 220 560 Q210 470 330 400 Q400 350 400 240"), style.black, 24 * style.line
    )
    yield InkShape(
        curve("M222 560 Q140 520 120 420 M300 420 Q270 340 290 270 M236 640 Q360 640 440 570"),
        style.black,
        14 * style.line,
    )
    for x, y, r in ((400, 330, 84), (230, 500, 92), (440, 560, 84)):
        yield from _blossom(x, y, r, 5, style)
    for x, y in ((120, 410), (290, 262), (404, 226), (330, 650)):
        yield InkShape(circle(x, y, 24), style.red)


def _orchid(style: Style) -> Iterator[InkShape]:
    for path in (
        "M300 744 Q240 560 90 500",
        "M300 744 Q250 470 200 310",
        "M306 744 Q320 480 330 240",
        "M310 744 Q360 500 470 330",
        "M312 744 Q380 600 540 560",
        "M296 744 Q220 660 110 660",
    ):
        yield InkShape(curve(path), style.green, 24 * style.line)
    for x, y, lean in ((210, 600, -26), (410, 630, 24), (270, 430, -8)):
        for turn in (-72, -24, 24, 72):
            outline = _leaf(x, y, 96, turn + lean, 0.4)
            yield InkShape(outline, style.red, 0 if style.blossom == "filled" else 10 * style.line)
        yield InkShape(circle(x, y - 4, 17), style.red)


def _bamboo(style: Style) -> Iterator[InkShape]:
    for x, top, low, lean in ((220, 260, 744, 24), (350, 200, 744, -18), (450, 430, 744, 20)):
        count = 4 if x < 400 else 3
        for k in range(count):
            a, b = (k + 0.06) / count, (k + 0.94) / count
            y0, y1 = low + (top - low) * a, low + (top - low) * b
            yield InkShape(line([(x + lean * a, y0), (x + lean * b, y1)]), style.green, 32 * style.line)
    ink = style.green if style.blossom == "filled" else style.ink(style.dot_ink)
    for x, y, turn in (
        (250, 420, 118),
        (250, 420, 152),
        (250, 420, 84),
        (340, 330, 118),
        (340, 330, 150),
        (340, 330, 84),
    ):
        yield InkShape(_leaf(x, y, 165, turn, 0.24), ink)
    for x, y, turn in (
        (215, 520, -112),
        (215, 520, -148),
        (215, 520, -80),
        (335, 600, -122),
        (335, 600, -156),
    ):
        yield InkShape(_leaf(x, y, 150, turn, 0.24), ink)
    yield InkShape(circle(150, 735, 20), style.red)
    yield InkShape(circle(520, 735, 20), style.red)


def _chrysanthemum(style: Style) -> Iterator[InkShape]:
    yield _stem(style, "M280 750 Q330 620 300 480 M300 640 Q400 630 450 560 M290 690 Q200 660 160 590", 16)
    yield from _leaves(
        style, (290, 690, 130, -64), (302, 660, 140, 70), (150, 610, 110, -20), (460, 590, 110, 24)
    )
    for radius, petals, shift in ((178, 18, 0), (118, 12, 10)):
        for k in range(petals):
            outline = _leaf(300, 440, radius, 360 * k / petals + shift, 0.11)
            yield InkShape(outline, style.red, 0 if style.blossom == "filled" else 8 * style.line)
    yield InkShape(circle(300, 440, 46), PAPER)
    yield InkShape(circle(300, 440, 30), style.red)
