"""Other things on a mahjong table: rims, racks, trays, dice, point sticks, paper and phones."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.rendering.camera import Camera
from models.rendering.layout import Placed
from models.rendering.solids import Solid, pose
from models.rendering.table import colour, noise
from models.rendering.tops import character_disc
from vision.tiles import Pixels


@dataclass(frozen=True, eq=False)
class Thing:
    """A solid that is not a tile; `top` is a picture on its upper face, or None for its plain colour."""

    solid: Solid
    top: Pixels | None = None


def parted(
    bars: Sequence[Solid], camera: Camera, middle: NDArray[np.float64], *, beyond: bool
) -> list[Solid]:
    """The bars farther from the camera than `middle` (or nearer than it), from far to near."""
    limit = float(np.linalg.norm(middle - camera.position))
    far = [(float(np.linalg.norm(bar.centre - camera.position)), k) for k, bar in enumerate(bars)]
    return [bars[k] for distance, k in sorted(far, reverse=True) if (distance > limit) == beyond]


def bar(
    spot: tuple[float, float],
    extent: tuple[float, float, float],
    tint: NDArray[np.float64],
    turn: float = 0.0,
) -> Solid:
    """A long box on the table with its middle at `spot`; `extent` is length, depth and height. All in mm."""
    length, _, height = extent
    centre = np.array([*spot, height / 2])
    return Solid(
        extent,
        centre,
        pose(turn, 0, False),
        tint,
        tint,
        0.0,
        corner=2 / length,
        bevel=2 / length,
    )


def tray_walls(
    box: tuple[float, float, float, float], height: float, tint: NDArray[np.float64]
) -> list[Solid]:
    """The four walls of a tray whose inside is `box` (x0, y0, x1, y1 in mm)."""
    x0, y0, x1, y1 = box
    wide, deep, thick = x1 - x0, y1 - y0, 5.0
    middle_x, middle_y = (x0 + x1) / 2, (y0 + y1) / 2
    return [
        bar((middle_x, y0 - thick / 2), (wide + 2 * thick, thick, height), tint),
        bar((middle_x, y1 + thick / 2), (wide + 2 * thick, thick, height), tint),
        bar((x0 - thick / 2, middle_y), (deep, thick, height), tint, turn=90),
        bar((x1 + thick / 2, middle_y), (deep, thick, height), tint, turn=90),
    ]


def furniture(rng: np.random.Generator, tiles: Sequence[Placed], unit: float, height: float) -> list[Solid]:
    """A rim of the table in front of the hand, or a rack behind a leaning row."""
    low = min(t.y for t in tiles) * unit - height
    middle = (min(t.x for t in tiles) + max(t.x for t in tiles)) / 2 * unit
    bars: list[Solid] = []
    wood = colour(rng, (0.05, 0.11), (0.2, 0.7), (0.3, 0.85)).astype(float)
    pale = colour(rng, (0, 1), (0, 0.15), (0.2, 0.95)).astype(float)
    tint = wood if rng.random() < 0.6 else pale
    if any(t.tilt > 45 and t.role == "concealed" for t in tiles):
        deep = float(rng.uniform(15, 35))
        row = max(t.y for t in tiles) * unit
        bars.append(
            bar((middle, row + height * 0.55 + deep / 2), (480, deep, float(rng.uniform(8, 22))), tint)
        )
    elif rng.random() < 0.35:
        deep, tall = float(rng.uniform(12, 60)), float(rng.uniform(6, 26))
        bars.append(bar((middle, low - deep / 2 - float(rng.uniform(0, 40))), (900, deep, tall), tint))
    return bars


def things(
    rng: np.random.Generator,
    free: Callable[[float, float, float], bool],
    middle: tuple[float, float],
    reach: float,
) -> list[Thing]:
    """Small things within `reach` mm of `middle`, where `free(x, y, radius)` says that there is room."""
    kinds = [
        kind
        for kind, share in (
            (_die, 0.3),
            (_die, 0.2),
            (_stick, 0.2),
            (_stick, 0.1),
            (_paper, 0.1),
            (_phone, 0.1),
        )
        if rng.random() < share
    ]
    found = []
    for make in kinds:
        for _ in range(6):
            x, y = rng.uniform(-reach, reach, 2) + middle
            thing = make(rng, float(x), float(y))
            if free(float(x), float(y), math.hypot(*thing.solid.extent[:2]) / 2):
                found.append(thing)
                break
    return found


def discs(rng: np.random.Generator, places: Sequence[tuple[float, float, float]], unit: float) -> list[Thing]:
    """Discs with a character, such as the one that shows the prevalent wind; places and widths in tile widths."""
    found = []
    for x, y, across in places:
        tint = colour(rng, (0, 1), (0, 0.5), (0.5, 1)).astype(float)
        extent = (across * unit, across * unit, float(rng.uniform(3, 10)))
        top = character_disc(rng, tint.astype(np.float32), 96)
        found.append(Thing(_lying(rng, (x * unit, y * unit), extent, tint, 0.499), top))
    return found


def _lying(
    rng: np.random.Generator,
    spot: tuple[float, float],
    extent: tuple[float, float, float],
    tint: NDArray[np.float64],
    corner: float,
) -> Solid:
    turned = pose(float(rng.uniform(0, 360)), 0, False)
    centre = np.array([*spot, extent[2] / 2])
    bevel = min(0.3 * extent[2], 0.08 * extent[0]) / extent[0]
    return Solid(extent, centre, turned, tint, tint, 0.0, corner=corner, bevel=bevel)


def _die(rng: np.random.Generator, x: float, y: float) -> Thing:
    side = float(rng.uniform(9, 18))
    tint = (
        np.array([242.0, 240, 232])
        if rng.random() < 0.7
        else colour(rng, (0, 1), (0.6, 1), (0.4, 0.9)).astype(float)
    )
    face = np.empty((48, 48, 3), np.uint8)
    face[:] = tint
    ink = (190, 25, 30) if rng.random() < 0.4 else (25, 25, 30)
    y_, x_ = np.mgrid[:48, :48]
    for px, py in _PIPS[int(rng.integers(6))]:
        face[(x_ - 24 - 13 * px) ** 2 + (y_ - 24 - 13 * py) ** 2 < 26] = ink
    return Thing(_lying(rng, (x, y), (side, side, side), tint, 0.15), face)


_PIPS = (
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
)


def _stick(rng: np.random.Generator, x: float, y: float) -> Thing:
    tint = colour(rng, (0, 1), (0, 0.6), (0.6, 1)).astype(float)
    return Thing(_lying(rng, (x, y), (66.0, 6.0, 3.0), tint, 0.03))


def _paper(rng: np.random.Generator, x: float, y: float) -> Thing:
    tint = colour(rng, (0, 0.2), (0, 0.1), (0.85, 1)).astype(float)
    sheet = np.empty((140, 100, 3), np.float32)
    sheet[:] = tint
    for row in range(14, 130, int(rng.integers(7, 14))):
        end = int(rng.integers(30, 92))
        sheet[row : row + 2, 8:end] *= rng.uniform(0.3, 0.8)
    return Thing(_lying(rng, (x, y), (100.0, 140.0, 0.6), tint, 0.01), sheet.astype(np.uint8))


def _phone(rng: np.random.Generator, x: float, y: float) -> Thing:
    tint = colour(rng, (0, 1), (0, 0.3), (0.03, 0.2)).astype(float)
    screen = np.empty((300, 150, 3), np.float32)
    screen[:] = tint
    screen += 14 * noise(rng, 300, 80)[:, :150, None]
    return Thing(
        _lying(rng, (x, y), (72.0, 150.0, 8.0), tint, 0.12), np.clip(screen, 0, 255).astype(np.uint8)
    )
