"""Rendered pictures without a tile, for training and for measuring that nothing is found where nothing is."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

from models.rendering import tops
from models.rendering.camera import Camera, framed
from models.rendering.clutter import Thing
from models.rendering.optics import photograph, random_optics
from models.rendering.paint import Canvas
from models.rendering.scene import random_light
from models.rendering.solids import Solid, cap_seen, pose
from models.rendering.table import KINDS as TABLES
from models.rendering.table import colour, surface
from vision.tiles import Floats, Pixels

Pieces = list[Thing]


def render_untiled(seed: int, *, size: tuple[int, int] = (1280, 960), kind: str | None = None) -> Pixels:
    """Render a picture without a tile; the same arguments give the same pixels.

    `size` is width and height in pixels, `kind` one of `KINDS`. Raises ValueError for an unknown kind.
    """
    rng = np.random.default_rng((seed, 7))
    chosen = kind or str(rng.choice(list(KINDS)))
    if chosen not in KINDS:
        raise ValueError(f"there are no pictures of the kind {chosen}: choose from {', '.join(KINDS)}")
    if chosen in _FLAT:
        flat = _FLAT[chosen](rng, size)
        return photograph(_askew(flat, rng), random_optics(rng), None, rng)
    return _on_a_table(_PIECES[chosen](rng), rng, size)


def _askew(flat: Pixels, rng: np.random.Generator) -> Pixels:
    """A flat picture seen a little from the side, or as it is."""
    height, width = flat.shape[:2]
    if rng.random() < 0.4:
        return flat
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    moved = (corners + rng.uniform(-0.16, 0.16, (4, 2)) * (width, height)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners, moved)
    return np.asarray(
        cv2.warpPerspective(flat, matrix, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8
    )


def _on_a_table(pieces: Pieces, rng: np.random.Generator, size: tuple[int, int]) -> Pixels:
    """Solids with pictures on top, on a table, as a phone sees them."""
    corners = np.concatenate([piece.solid.cap(top=True) for piece in pieces])
    turn = float(rng.choice([0, 90, 180, 270])) + float(rng.normal(0, 25))
    camera = framed(
        corners, size, rng, elevation=float(rng.uniform(28, 88)), azimuth=turn, roll=float(rng.normal(0, 8)),
        fill=float(rng.uniform(0.35, 1.5)),
    )  # fmt: skip
    canvas = Canvas(
        _ground(corners.mean(0), camera, rng, size), camera, random_light(rng), float(rng.uniform(0.05, 0.4))
    )
    near = [piece for piece in pieces if camera.depth(piece.solid.cap(top=True)).min() > 30]
    solids = [piece.solid for piece in near]
    canvas.shade(solids, softness=float(rng.uniform(1, 8)), strength=float(rng.uniform(0.2, 0.6)))

    def order(piece: Thing) -> tuple[bool, float]:
        solid = piece.solid
        return solid.centre[2] > solid.extent[2], -float(np.linalg.norm(solid.centre - camera.position))

    for piece in sorted(near, key=order):  # what lies on something else comes after it
        canvas.body(piece.solid)
        if piece.top is not None and cap_seen(piece.solid, camera, top=True):
            canvas.cap(piece.solid, piece.top, top=True)
    return photograph(canvas.pixels, random_optics(rng), None, rng)


def _ground(middle: Floats, camera: Camera, rng: np.random.Generator, size: tuple[int, int]) -> Pixels:
    texture = surface(rng, str(rng.choice(TABLES))) if rng.random() < 0.75 else tops.squares(rng, 1024)
    step = float(rng.uniform(0.4, 1.4))
    offset = np.array(
        [[step, 0, middle[0] - 512 * step], [0, -step, middle[1] + 512 * step], [0, 0, 1]], np.float64
    )
    matrix = camera.ground() @ offset
    # Beyond the horizon places lie so far away that mirroring the texture would take forever.
    return np.asarray(cv2.warpPerspective(texture, matrix, size, borderMode=cv2.BORDER_WRAP), np.uint8)


def _piece(
    spot: tuple[float, float], extent: tuple[float, float, float], tint: Floats, top: Pixels | None,
    *, turn: float = 0.0, corner: float = 0.08, lift: float = 0.0,
) -> Thing:  # fmt: skip
    """A box on the table; `spot` and `extent` (width, depth, height) in mm, `corner` in widths."""
    centre = np.array([*spot, lift + extent[2] / 2])
    bevel = min(0.25 * extent[2], 0.05 * extent[0]) / extent[0]
    body = np.asarray(tint, np.float64)
    return Thing(
        Solid(extent, centre, pose(turn, 0, False), body, body, 0.0, corner=corner, bevel=bevel), top
    )


def _pale(rng: np.random.Generator) -> Floats:
    return colour(rng, (0.08, 0.16), (0, 0.16), (0.85, 1))


def _any(rng: np.random.Generator) -> Floats:
    return colour(rng, (0, 1), (0, 0.9), (0.05, 0.95))


def _spots(rng: np.random.Generator, count: int, apart: float) -> list[tuple[float, float]]:
    """Places on a table in a heap, none nearer to another than `apart` mm."""
    reach, found = apart * math.sqrt(count), list[tuple[float, float]]()
    for x, y in rng.uniform(-reach, reach, (6 * count, 2)):
        if len(found) < count and all(math.hypot(x - a, y - b) > apart for a, b in found):
            found.append((float(x), float(y)))
    return found


def _keyboard(rng: np.random.Generator) -> Pieces:
    pitch, tall = float(rng.uniform(16, 20)), float(rng.uniform(2, 9))
    main, other, case = (_pale(rng) if rng.random() < 0.6 else _any(rng), _any(rng), _any(rng))
    rows, columns = int(rng.integers(4, 7)), int(rng.integers(10, 17))
    pieces = [
        _piece(
            (columns * pitch / 2, rows * pitch / 2),
            ((columns + 0.5) * pitch, (rows + 0.5) * pitch, 6.0),
            case,
            None,
            corner=0.01,
        )
    ]
    gap = float(rng.uniform(0.06, 0.2))
    for row in range(rows):
        at = 0.0
        while at < columns - 0.6:
            wide = min(
                float(rng.choice([1, 1, 1, 1, 1, 1.25, 1.5, 2])) if row else float(rng.choice([1, 1.5, 5])),
                columns - at,
            )
            edge = at < 1.2 or at + wide > columns - 1.2
            tint = other if edge and rng.random() < 0.8 else main
            top = tops.key(rng, tint, (round(56 * wide), 56))
            spot = ((at + wide / 2) * pitch, (row + 0.5) * pitch)
            pieces.append(
                _piece(
                    spot,
                    ((wide - gap) * pitch, (1 - gap) * pitch, tall),
                    tint,
                    top,
                    corner=0.08 / wide,
                    lift=6.0,
                )
            )
            at += wide
    return pieces


def _dominoes(rng: np.random.Generator) -> Pieces:
    tint, wide = _pale(rng) if rng.random() < 0.6 else _any(rng), float(rng.uniform(18, 28))
    count = int(rng.integers(1, 22))
    turned = [0.0, 90.0] if rng.random() < 0.5 else list(rng.uniform(0, 360, 8))
    if rng.random() < 0.4:
        places = [(1.05 * wide * k, 0.0) for k in range(count)]
        turned = [0.0]
    else:
        places = _spots(rng, count, 2.2 * wide)
    return [
        _piece(
            spot,
            (wide, 2 * wide, 8.0),
            tint,
            tops.domino(rng, tint, (60, 120)),
            turn=float(rng.choice(turned)),
            corner=0.1,
        )
        for spot in places
    ]


def _cards(rng: np.random.Generator) -> Pieces:
    count, pale = int(rng.integers(1, 16)), np.array([250.0, 250, 246])
    if rng.random() < 0.5:
        step = float(rng.uniform(16, 70))
        places = [(step * k, 0.0) for k in range(count)]
        turns = [float(rng.normal(0, 2)) for _ in places]
    else:
        places = _spots(rng, count, 90)
        turns = [float(rng.uniform(0, 360)) for _ in places]
    return [
        _piece(
            spot, (63.0, 88.0, 0.5), pale, tops.card(rng, (126, 176)), turn=turn, corner=0.05, lift=0.3 * k
        )
        for k, (spot, turn) in enumerate(zip(places, turns, strict=True))
    ]


def _dice(rng: np.random.Generator) -> Pieces:
    side, tint = float(rng.uniform(9, 20)), _pale(rng) if rng.random() < 0.7 else _any(rng)
    pieces = []
    for spot in _spots(rng, int(rng.integers(1, 7)), 1.8 * side):
        top = tops.domino(rng, tint, (60, 120))[:58]
        top = np.asarray(cv2.resize(top, (60, 60)), np.uint8)
        pieces.append(
            _piece(spot, (side, side, side), tint, top, turn=float(rng.uniform(0, 360)), corner=0.16)
        )
    return pieces


def _rounds(rng: np.random.Generator, picture: Callable[..., Pixels], count: int) -> Pieces:
    across = float(rng.uniform(18, 45))
    pieces = []
    for spot in _spots(rng, count, 1.15 * across):
        tint = _pale(rng) if rng.random() < 0.5 else _any(rng)
        top = picture(rng, tint, 96)
        pieces.append(
            _piece(
                spot,
                (across, across, float(rng.uniform(2, 12))),
                tint,
                top,
                turn=float(rng.uniform(0, 360)),
                corner=0.499,
            )
        )
    return pieces


def _counters(rng: np.random.Generator) -> Pieces:
    return _rounds(rng, tops.counter, int(rng.integers(2, 20)))


def _discs(rng: np.random.Generator) -> Pieces:
    return _rounds(rng, tops.character_disc, int(rng.integers(1, 20)))


def _sticks(rng: np.random.Generator) -> Pieces:
    pieces = []
    for spot in _spots(rng, int(rng.integers(2, 16)), 14):
        tint = _pale(rng) if rng.random() < 0.7 else _any(rng)
        top, ink = tops.plain((260, 26), tint), tops.ink_on(rng, tint)
        for x in np.linspace(110, 150, int(rng.integers(1, 5))):
            cv2.circle(top, (round(x), 13), int(rng.integers(3, 7)), ink, -1, cv2.LINE_AA)
        pieces.append(
            _piece(
                spot,
                (66.0, 6.0, 3.0),
                tint,
                top,
                turn=float(rng.choice([0, 90, rng.uniform(0, 360)])),
                corner=0.03,
            )
        )
    return pieces


def _letters(rng: np.random.Generator) -> Pieces:
    tint, side = colour(rng, (0.08, 0.15), (0.1, 0.5), (0.75, 1)), float(rng.uniform(17, 22))
    line = rng.random() < 0.6
    count = int(rng.integers(2, 24))
    places = (
        [(1.04 * side * (k % 9), 1.1 * side * (k // 9)) for k in range(count)]
        if line
        else _spots(rng, count, 1.5 * side)
    )
    return [
        _piece(
            spot,
            (side, side, 4.0),
            tint,
            tops.letter(rng, tint, 72),
            turn=0.0 if line else float(rng.uniform(0, 360)),
        )
        for spot in places
    ]


def _racks(rng: np.random.Generator) -> Pieces:
    """Racks, rulers, pens, boxes and remote controls: plain boxes too long or too large for a blank tile."""
    pieces = []
    for spot in _spots(rng, int(rng.integers(2, 9)), 90):
        tint = _pale(rng) if rng.random() < 0.6 else _any(rng)
        deep = float(rng.uniform(8, 60))
        extent = (deep * float(rng.uniform(2.5, 8)), deep, float(rng.uniform(4, 0.8 * deep)))
        pieces.append(_piece(spot, extent, tint, None, turn=float(rng.uniform(0, 360)), corner=0.05))
    return pieces


def _boxes(rng: np.random.Generator) -> Pieces:
    """Boxes of a game: large lids with a title and bands of colour."""
    pieces = []
    for spot in _spots(rng, int(rng.integers(1, 4)), 320):
        tint = _any(rng)
        top = tops.plain((300, 200), tint)
        for _ in range(int(rng.integers(1, 6))):
            corner = rng.integers(0, (280, 180))
            end = corner + rng.integers(10, 160, 2)
            cv2.rectangle(top, corner.tolist(), end.tolist(), _any(rng).tolist(), -1)
        word = str(rng.choice(["MAH JONGG", "TILES", "GAME 4", "CLUB", "LUCKY"]))
        tops.write(top, word, (150, 100), float(rng.uniform(14, 40)), tops.ink_on(rng, tint), rng)
        pieces.append(
            _piece(spot, (300.0, 200.0, 60.0), tint, top, turn=float(rng.uniform(0, 360)), corner=0.01)
        )
    return pieces


_PIECES: dict[str, Callable[[np.random.Generator], Pieces]] = {
    "keyboard": _keyboard, "dominoes": _dominoes, "cards": _cards, "dice": _dice, "counters": _counters,
    "discs": _discs, "sticks": _sticks, "letters": _letters, "racks": _racks, "boxes": _boxes,
}  # fmt: skip
_FLAT: dict[str, Callable[[np.random.Generator, tuple[int, int]], Pixels]] = {
    "page": tops.page, "circuit": tops.circuit, "screen": tops.screen, "video": tops.video,
    "squares": lambda rng, size: np.asarray(cv2.resize(tops.squares(rng, 1024), size), np.uint8),
}  # fmt: skip
KINDS = (*_PIECES, *_FLAT)
"""What the pictures show."""
