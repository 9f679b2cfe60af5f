"""The shapes of tile faces: filled or stroked paths, written as SVG or painted as pixels.

Faces are 600 units wide and 800 high, y down. A path is a tuple of segments:
`("M", (x, y))` move, `("L", (x, y))` line, `("Q", …)` and `("C", …)` Bézier curves, `("Z", ())`
close and `("O", (x, y, radius))` a circle, which keeps the files of dots small.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

PAPER = "#fbf6e6"
"""The colour of the tile in drawings; where ink is painted without a tile, it means no ink."""

WIDTH, HEIGHT = 600, 800
"""Size of a face in drawing units (3:4)."""

Segment = tuple[str, tuple[float, ...]]

_FINE = 16  # sub-pixel steps of OpenCV (4 fractional bits)


@dataclass(frozen=True, slots=True)
class InkShape:
    """A path in one colour: filled (`width` 0) or stroked with round caps and joins.

    `colour` is `#rrggbb`. A contour inside another one is a hole if it runs the other way. Raises ValueError for an
    empty path, another form of colour or a negative width.
    """

    segments: tuple[Segment, ...]
    colour: str
    width: float = 0.0

    def __post_init__(self) -> None:  # noqa: D105
        if not self.segments:
            raise ValueError("a shape needs at least one segment")
        if len(self.colour) != 7 or not self.colour.startswith("#"):
            raise ValueError(f"colour must be #rrggbb, not {self.colour!r}")
        if self.width < 0:
            raise ValueError(f"the width of a stroke is at least 0, not {self.width}")

    def moved(self, dx: float, dy: float, scale: float = 1.0, turn: float = 0.0) -> InkShape:
        """A copy that is scaled, then turned clockwise by `turn` degrees around the origin, then moved."""
        width = self.width * scale
        return replace(self, segments=placed(self.segments, dx, dy, scale, turn), width=width)

    def mirrored(self) -> InkShape:
        """A copy with left and right swapped."""
        turned = tuple(
            (kind, tuple(WIDTH - v if i == 0 or (i % 2 == 0 and kind != "O") else v for i, v in enumerate(n)))
            for kind, n in self.segments
        )
        return replace(self, segments=turned)


def placed(
    segments: Iterable[Segment], dx: float, dy: float, scale: float = 1.0, turn: float = 0.0
) -> tuple[Segment, ...]:
    """The segments scaled, turned clockwise by `turn` degrees around the origin, and moved."""
    c, s = scale * math.cos(math.radians(turn)), scale * math.sin(math.radians(turn))
    result: list[Segment] = []
    for kind, n in segments:
        if kind == "O":
            result.append((kind, (c * n[0] - s * n[1] + dx, s * n[0] + c * n[1] + dy, n[2] * scale)))
        else:
            points = zip(n[::2], n[1::2], strict=True)
            moved = [v for x, y in points for v in (c * x - s * y + dx, s * x + c * y + dy)]
            result.append((kind, tuple(moved)))
    return tuple(result)


def circle(x: float, y: float, radius: float) -> tuple[Segment, ...]:
    """A circle."""
    return (("O", (x, y, radius)),)


def polygon(points: Sequence[tuple[float, float]]) -> tuple[Segment, ...]:
    """A closed polygon."""
    return (*line(points), ("Z", ()))


def line(points: Sequence[tuple[float, float]]) -> tuple[Segment, ...]:
    """An open line through the points."""
    return tuple(("L" if i else "M", (float(x), float(y))) for i, (x, y) in enumerate(points))


def rounded(x: float, y: float, width: float, height: float, radius: float) -> tuple[Segment, ...]:
    """A rectangle with rounded corners whose top left corner is at `(x, y)`."""
    r, right, low = radius, x + width, y + height
    return (
        ("M", (x + r, y)),
        ("L", (right - r, y)),
        ("Q", (right, y, right, y + r)),
        ("L", (right, low - r)),
        ("Q", (right, low, right - r, low)),
        ("L", (x + r, low)),
        ("Q", (x, low, x, low - r)),
        ("L", (x, y + r)),
        ("Q", (x, y, x + r, y)),
        ("Z", ()),
    )


def curve(text: str) -> tuple[Segment, ...]:
    """Segments from SVG path text with absolute M, L, Q, C and Z.

    >>> curve("M0 0Q5 -3 9 0Z")
    (('M', (0.0, 0.0)), ('Q', (5.0, -3.0, 9.0, 0.0)), ('Z', ()))
    """
    segments: list[Segment] = []
    for part in text.replace("M", "|M").replace("L", "|L").replace("Q", "|Q").replace("C", "|C").split("|"):
        body = part.strip()
        if not body:
            continue
        closed = body.endswith("Z")
        kind, numbers = body[0], [float(v) for v in body[1:].rstrip("Z").replace(",", " ").split()]
        size = {"M": 2, "L": 2, "Q": 4, "C": 6}[kind]
        segments += [(kind, tuple(numbers[i : i + size])) for i in range(0, len(numbers), size)]
        if closed:
            segments.append(("Z", ()))
    return tuple(segments)


def contours(segments: Iterable[Segment], steps: int = 8) -> list[tuple[NDArray[np.float64], bool]]:
    """The contours of a path as points, and whether each is closed."""
    found: list[tuple[NDArray[np.float64], bool]] = []
    points: list[NDArray[np.float64]] = []
    t = (np.arange(1, steps + 1) / steps)[:, None]

    def finish(closed: bool) -> None:
        if points:
            found.append((np.vstack(points), closed))
            points.clear()

    for kind, numbers in segments:
        n = np.asarray(numbers, dtype=np.float64).reshape(-1, 2) if kind != "O" else np.zeros((0, 2))
        if kind == "O":
            finish(False)
            angle = np.linspace(0, 2 * np.pi, 8 * steps, endpoint=False)
            x, y, radius = numbers
            found.append((np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], 1), True))
        elif kind == "M":
            finish(False)
            points.append(n)
        elif kind == "L":
            points.append(n)
        elif kind == "Q":
            start = points[-1][-1]
            points.append((1 - t) ** 2 * start + 2 * t * (1 - t) * n[0] + t**2 * n[1])
        elif kind == "C":
            start = points[-1][-1]
            first, last = (1 - t) ** 3 * start + 3 * t * (1 - t) ** 2 * n[0], t**3 * n[2]
            points.append(first + 3 * t**2 * (1 - t) * n[1] + last)
        else:
            finish(True)
    finish(False)
    return found


def svg(shapes: Sequence[InkShape], title: str) -> str:
    """An SVG file of paths only: without fonts, ids and style sheets, so that a page can include it as it is."""
    body: list[str] = []
    for index, shape in enumerate(shapes):
        before = shapes[index - 1] if index else None
        text = _path_text(shape.segments)
        if before is not None and before.colour == shape.colour:
            if shape.segments == before.segments and shape.width and not before.width:
                body[-1] = body[-1].replace("<path", f"<path {_stroke(shape)}")  # a fill with an edge
                continue
            if shape.width == before.width and (shape.width or _only_circles(before, shape)):
                body[-1] = body[-1].replace('"/>', text + '"/>')  # the same pen needs one element
                continue
        pen = f'fill="none" {_stroke(shape)}' if shape.width else f'fill="{shape.colour}"'
        body.append(f'<path {pen} d="{text}"/>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
    return f"{head}<title>{title}</title>{''.join(body)}</svg>\n"


def _stroke(shape: InkShape) -> str:
    ends = "" if _only_circles(shape) else ' stroke-linecap="round" stroke-linejoin="round"'
    return f'stroke="{shape.colour}" stroke-width="{_number(shape.width)}"{ends}'


def _only_circles(*shapes: InkShape) -> bool:
    return all(kind == "O" for shape in shapes for kind, _ in shape.segments)


def _number(value: float) -> str:
    return f"{round(value, 1):g}"


def _path_text(segments: Iterable[Segment]) -> str:
    """Path text in whole units relative to the last point, which is short."""
    parts: list[str] = []
    at, start = (0, 0), (0, 0)
    for kind, numbers in segments:
        if kind == "Z":
            parts.append("z")
            at = start
            continue
        if kind == "O":
            x, y, radius = (round(v) for v in numbers)
            around = f"a{radius} {radius} 0 1 0 "
            parts.append(f"M{x - radius} {y}{around}{2 * radius} 0{around}{-2 * radius} 0z")
            at = start = (x - radius, y)
            continue
        whole = [round(v) for v in numbers]
        if kind == "M":
            parts.append(f"M{whole[0]} {whole[1]}")
            start = (whole[0], whole[1])
        else:
            offsets = [v - at[i % 2] for i, v in enumerate(whole)]
            if kind == "L" and offsets == [0, 0]:
                continue
            parts.append(kind.lower() + " ".join(map(str, offsets)).replace(" -", "-"))
        at = (whole[-2], whole[-1])
    return "".join(parts)


def paint(shapes: Sequence[InkShape], height: int, *, smooth: int = 3) -> NDArray[np.uint8]:
    """Paint shapes on a transparent ground: RGBA with straight alpha, `height` rows, three quarters as wide.

    Shapes in `PAPER` remove the ink below them.
    """
    width = round(height * WIDTH / HEIGHT)
    large = np.zeros((height * smooth, width * smooth, 4), np.uint8)
    for shape in shapes:
        ink = (0, 0, 0, 0)
        if shape.colour != PAPER:
            red, green, blue = (int(shape.colour[i : i + 2], 16) for i in (1, 3, 5))
            ink = (red, green, blue, 255)
        _lay(large, shape, ink, height * smooth / HEIGHT)
    mean = cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA)
    weight = np.maximum(mean[..., 3:], 1).astype(np.float32)
    straight = np.clip(mean[..., :3] * (255.0 / weight) + 0.5, 0, 255)
    return np.dstack([straight.astype(np.uint8), mean[..., 3]])


def _lay(canvas: NDArray[np.uint8], shape: InkShape, ink: tuple[int, int, int, int], scale: float) -> None:
    found = [
        (np.round((p * scale - 0.5) * _FINE).astype(np.int32), closed)
        for p, closed in contours(shape.segments)
    ]
    if shape.width:
        thick = max(1, round(shape.width * scale))
        for points, closed in found:
            cv2.polylines(canvas, [points], closed, ink, thick, shift=4)
        return
    if len(found) == 1:
        cv2.fillPoly(canvas, [found[0][0]], ink, shift=4)
        return
    mask = np.zeros(canvas.shape[:2], np.uint8)
    areas = [float(cv2.contourArea(points.astype(np.float32), oriented=True)) for points, _ in found]
    largest = max(areas, key=abs)
    for index in sorted(range(len(found)), key=lambda i: -abs(areas[i])):
        # larger contours first, so that a hole keeps what lies inside it
        value = 255 if areas[index] * largest > 0 else 0
        cv2.fillPoly(mask, [found[index][0]], value, shift=4)
    canvas[mask > 0] = ink
