"""The four birds of the 1 Bamboo."""

from __future__ import annotations

import math
from collections.abc import Iterator

from models.drawing.shapes import PAPER, InkShape, circle, curve
from models.drawing.style import Style


def bird(style: Style) -> Iterator[InkShape]:
    """The bird of the tile set."""
    draw = {"parrot": _parrot, "peacock": _peacock, "crane": _crane, "sparrow": _sparrow}[style.bird]
    for shape in draw(style):
        yield shape.mirrored() if style.mirrored else shape


def _parrot(style: Style) -> Iterator[InkShape]:
    dark, thin = style.ink(style.dot_ink), 14 * style.line
    # the body covers the start of the long tail
    yield InkShape(curve("M262 430 Q290 560 372 742 Q386 600 366 420Z"), style.red)
    yield InkShape(curve("M232 440 Q236 600 316 738"), style.green, thin * 1.6)
    yield InkShape(curve("M300 470 Q326 570 358 668 M338 470 Q344 540 358 600"), PAPER, 9)
    yield InkShape(
        curve("M215 300 Q170 420 250 500 Q330 540 388 452 Q420 380 380 290 Q300 220 215 300Z"), style.green
    )
    yield InkShape(curve("M250 470 Q190 400 226 316 Q300 330 306 400 Q300 450 250 470Z"), dark)
    yield InkShape(curve("M248 352 Q284 366 290 402 M240 392 Q266 404 270 432"), PAPER, 9)
    yield InkShape(curve("M372 330 Q470 292 500 200 Q520 330 452 402 Q410 442 376 440Z"), dark)
    yield InkShape(curve("M404 366 Q466 330 486 274 M402 402 Q450 376 470 340"), PAPER, 9)
    # head with crest and beak
    yield InkShape(circle(262, 216, 86), style.green)
    yield InkShape(curve("M188 200 Q120 216 142 290 Q166 262 206 260Z"), style.red)
    yield InkShape(
        curve("M222 140 Q170 106 196 62 Q232 84 250 126 M262 128 Q262 62 316 50 Q322 98 292 130Z"), style.red
    )
    yield InkShape(circle(246, 204, 26), PAPER)
    yield InkShape(circle(242, 206, 13), style.black)
    yield InkShape(curve("M196 262 Q250 310 330 272"), style.red, thin * 1.5)
    # perch and claws
    yield InkShape(curve("M96 512 Q200 560 300 520 Q420 482 520 530"), style.green, thin * 1.7)
    yield InkShape(
        curve("M252 494 L238 540 M266 500 L270 544 M340 488 L344 528 M356 482 L372 522"), style.red, thin
    )
    yield InkShape(circle(96, 500, 24), style.green)
    yield InkShape(circle(524, 520, 24), style.green)


def _peacock(style: Style) -> Iterator[InkShape]:
    dark, thin = style.ink(style.dot_ink), 12 * style.line
    for k in range(7):
        angle = math.radians(24 + 14 * k)
        x, y = 250 + 390 * math.sin(angle) * 0.75, 390 + 340 * math.cos(angle) * 0.95
        yield InkShape(
            curve(f"M260 400 Q{(x + 330) / 2:.0f} {(y + 330) / 2:.0f} {x:.0f} {y:.0f}"),
            style.green,
            thin * 1.3,
        )
        yield InkShape(circle(x, y, 36), style.green)
        yield InkShape(circle(x, y, 21), PAPER)
        yield InkShape(circle(x, y, 12), style.red)
    yield InkShape(
        curve("M200 250 Q120 380 200 470 Q290 520 330 420 Q330 350 250 300 Q240 260 246 220Z"), dark
    )
    yield InkShape(curve("M224 360 Q300 360 330 440 M206 400 Q256 410 290 468"), PAPER, 9)
    yield InkShape(circle(216, 190, 54), dark)
    yield InkShape(circle(204, 180, 14), PAPER)
    yield InkShape(curve("M168 180 L104 208 L172 216Z"), style.red)
    yield InkShape(curve("M216 130 L196 66 M226 130 L230 58 M236 134 L266 72"), style.red, thin)
    for x, y in ((194, 62), (230, 54), (268, 68)):
        yield InkShape(circle(x, y, 14), style.red)
    yield InkShape(
        curve("M212 480 L196 690 L150 712 M196 690 L226 716 M252 486 L262 690 L222 716 M262 690 L300 712"),
        style.red,
        thin,
    )
    yield InkShape(curve("M90 726 Q200 706 330 730"), style.green, thin)


def _crane(style: Style) -> Iterator[InkShape]:
    dark, thin = style.ink(style.dot_ink), 15 * style.line
    yield InkShape(curve("M110 640 Q180 560 260 560 Q380 560 470 400 Q520 280 500 130"), dark, thin)
    for k in range(6):
        x, y = 250 + 46 * k, 556 - 12 * k * k
        yield InkShape(
            curve(f"M{x} {y} Q{x - 60} {y - 130} {x - 10 + 14 * k} {y - 236 + 22 * k}"), dark, thin
        )
    yield InkShape(
        curve("M150 250 Q210 210 250 260 Q290 200 350 236 M190 160 Q236 124 270 166 Q306 118 356 146"),
        style.green,
        thin,
    )
    yield InkShape(
        curve("M260 562 Q200 640 116 636 Q170 700 270 668 Q380 640 452 560"), style.red, thin * 1.2
    )
    yield InkShape(circle(134, 628, 34), style.red)
    yield InkShape(curve("M110 624 L52 668 L118 652Z"), style.red)
    yield InkShape(circle(128, 622, 10), PAPER)
    yield InkShape(
        curve("M440 560 Q500 560 540 640 M420 590 Q470 610 500 690 M390 620 Q430 650 448 724"),
        style.red,
        thin,
    )
    yield InkShape(curve("M476 250 Q540 210 548 150 M468 330 Q530 310 556 250"), style.red, thin)


def _sparrow(style: Style) -> Iterator[InkShape]:
    thin = 14 * style.line
    yield InkShape(
        curve(
            "M150 300 Q150 190 262 180 Q380 190 430 330 Q470 420 440 520 Q330 560 250 500 Q160 430 150 300Z"
        ),
        style.red,
        thin,
    )
    yield InkShape(curve("M440 520 Q480 620 540 700 Q430 660 372 528"), style.red, thin)
    for k in range(4):
        yield InkShape(
            curve(
                f"M{230 + 40 * k} {330 + 22 * k} Q{290 + 40 * k} {350 + 22 * k} {290 + 36 * k} {420 + 20 * k}"
            ),
            style.red,
            thin,
        )
    yield InkShape(circle(214, 262, 24), style.black)
    yield InkShape(curve("M152 262 L78 290 L156 320Z"), style.black)
    yield InkShape(curve("M250 180 Q240 110 300 90 M290 190 Q300 130 360 120"), style.red, thin)
    yield InkShape(curve("M290 520 L276 640 M350 536 L350 640"), style.black, thin)
    yield InkShape(curve("M100 650 Q260 610 330 660 Q420 700 520 640"), style.green, thin * 1.5)
    yield InkShape(curve("M150 648 Q110 720 180 744 Q200 690 150 648Z"), style.green)
