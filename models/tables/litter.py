"""What else lies on a table: discards, walls, other hands, single tiles, and things that only look like tiles."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.rendering.hands import random_hand
from models.rendering.layout import Placed, Proportions, random_faces
from models.tables.own_hand import Extent, Habits, lay
from scorer import BACK, FLOWERS

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Thing:
    """Something flat that is not a tile, such as the disc that shows the prevalent wind.

    x, y: its middle; size: its width in tile widths. looks_like: the faces that a reader may take it for.
    """

    x: float
    y: float
    size: float
    looks_like: tuple[str, ...]


Litter = Callable[[Sequence[Placed], Rng, Proportions], list[Placed]]


def discards(tiles: Sequence[Placed], rng: Rng, proportions: Proportions) -> list[Placed]:
    """Discards in lines of six beyond the hand, as in the middle of the table."""
    extent = Extent.of(tiles)
    x = (extent.left + extent.right) / 2 + float(rng.uniform(-6, 1))
    y = extent.top + proportions.height + float(rng.uniform(0.4, 3))
    return _lines(random_faces(rng, int(rng.integers(4, 24)), flowers=False), x, y, rng, proportions)


def near_discards(tiles: Sequence[Placed], rng: Rng, proportions: Proportions) -> list[Placed]:
    """Discards of another player between the hand and the camera."""
    extent, h = Extent.of(tiles), proportions.height
    faces = random_faces(rng, int(rng.integers(4, 19)), flowers=False)
    x = (extent.left + extent.right) / 2 + float(rng.uniform(-6, 1))
    y = extent.low - h - float(rng.uniform(0.6, 2)) - (h + 0.03) * ((len(faces) - 1) // 6)
    return _lines(faces, x, y, rng, proportions)


def _lines(faces: Sequence[str], x: float, y: float, rng: Rng, proportions: Proportions) -> list[Placed]:
    turn = float(rng.choice([0, 0, 180, 90, -90]))
    wide, high = (1.03, proportions.height + 0.03)
    if turn % 180:
        wide, high = high, wide
    return [
        Placed(
            face,
            x + wide * (number % 6) + float(rng.normal(0, 0.03)),
            y + high * (number // 6) + float(rng.normal(0, 0.04)),
            turn=turn + float(rng.normal(0, 2)),
        )
        for number, face in enumerate(faces)
    ]


def wall(tiles: Sequence[Placed], rng: Rng, proportions: Proportions) -> list[Placed]:
    """A wall beyond the hand or beside it, one or two tiles high."""
    extent, length = Extent.of(tiles), int(rng.integers(5, 18))
    x = (extent.left + extent.right) / 2 - length / 2 + float(rng.uniform(-4, 4))
    y = extent.top + proportions.height + float(rng.uniform(0.3, 3))
    levels = int(rng.integers(1, 3))
    return [Placed(BACK, x + 1.01 * at, y, lift=(levels - 1) * proportions.thickness) for at in range(length)]


def neighbor(tiles: Sequence[Placed], rng: Rng, proportions: Proportions) -> list[Placed]:
    """The open hand of a neighbor: across the table, or at a side."""
    own = lay(random_hand(rng), Habits(), rng, proportions)
    return _beyond(own, tiles, float(rng.choice([180, 180, 90, -90])), rng, proportions)


def standing(tiles: Sequence[Placed], rng: Rng, proportions: Proportions) -> list[Placed]:
    """The standing tiles of a player across the table or at a side, of which backs and tops are seen."""
    faces = random_faces(rng, int(rng.integers(3, 14)))
    row = [Placed(face, 1.01 * at, 0, tilt=90) for at, face in enumerate(faces)]
    return _beyond(row, tiles, float(rng.choice([180, 180, 90, -90])), rng, proportions)


def _beyond(
    own: Sequence[Placed], tiles: Sequence[Placed], turn: float, rng: Rng, proportions: Proportions
) -> list[Placed]:
    """The tiles of somebody who sits at another side of the table."""
    extent, there = Extent.of(tiles), Extent.of(own)
    half, reach = (there.right - there.left) / 2, there.top - there.low
    x, y = {
        180.0: (
            (extent.left + extent.right) / 2 + float(rng.uniform(-4, 4)),
            extent.top + proportions.height + float(rng.uniform(1.8, 5)) + reach,
        ),
        90.0: (
            extent.right + float(rng.uniform(2.2, 5)) + reach,
            extent.top + float(rng.uniform(0, 3)) + half,
        ),
        -90.0: (
            extent.left - float(rng.uniform(2.2, 5)) - reach,
            extent.top + float(rng.uniform(0, 3)) + half,
        ),
    }[turn]
    angle, middle = math.radians(turn), there.left + half
    return [
        replace(
            tile,
            x=x + math.cos(angle) * (tile.x - middle) - math.sin(angle) * (tile.y - there.low),
            y=y + math.sin(angle) * (tile.x - middle) + math.cos(angle) * (tile.y - there.low),
            turn=tile.turn + turn,
            role="stray",
            group=None,
        )
        for tile in own
    ]


def single_tiles(tiles: Sequence[Placed], rng: Rng, _: Proportions) -> list[Placed]:
    """One to three tiles that were left lying, turned anyhow."""
    extent = Extent.of(tiles)
    found = []
    for face in random_faces(rng, int(rng.integers(1, 4)), flowers=False):
        y = extent.low - float(rng.uniform(1.9, 5))
        if rng.random() < 0.5:
            y = extent.top + float(rng.uniform(1.9, 5))
        found.append(
            Placed(face, float(rng.uniform(extent.left - 3, extent.right + 3)), y, float(rng.uniform(0, 360)))
        )
    return found


def askew_flowers(tiles: Sequence[Placed], rng: Rng, proportions: Proportions) -> list[Placed]:
    """Flowers that belong to nobody here: turned askew, some distance off."""
    taken = {tile.face for tile in tiles}
    faces = [face for face in FLOWERS if face not in taken]
    extent = Extent.of(tiles)
    chosen = [faces[at] for at in rng.choice(len(faces), min(len(faces), int(rng.integers(1, 3))), False)]
    return [
        Placed(
            face,
            float(rng.uniform(extent.left, extent.right)),
            extent.top + proportions.height + float(rng.uniform(0.8, 3)),
            turn=float(rng.choice([0, 90, 180, 270])) + float(rng.uniform(20, 70)),
        )
        for face in chosen
    ]


def beside_a_meld(tiles: Sequence[Placed], rng: Rng, proportions: Proportions) -> list[Placed]:
    """A stray tile that touches the end of a meld."""
    melds = [tile for tile in tiles if tile.role == "meld"]
    if not melds:
        return []
    at = melds[-1]
    alone = all(math.hypot(tile.x - at.x - 1.1, tile.y - at.y) > 1 for tile in tiles if tile is not at)
    (face,) = random_faces(rng, 1, flowers=False)
    return [Placed(face, at.x + (proportions.height + 1.06) / 2 + 0.02, at.y)] if alone else []


def marker(tiles: Sequence[Placed], rng: Rng) -> list[Thing]:
    """The disc of the prevalent wind beside the flowers, or else beside the hand."""
    near = [tile for tile in tiles if tile.role == "flower"] or list(tiles)
    extent = Extent.of(near)
    away = float(rng.uniform(1.05, 1.5))
    x = extent.right + away if rng.random() < 0.5 else extent.left - away
    wind = str(rng.choice(["1z", "2z", "3z", "4z"]))
    y = (extent.low + extent.top) / 2 + float(rng.uniform(-0.2, 0.2))
    return [Thing(x, y, float(rng.uniform(0.75, 1.2)), (wind, "7z", "back"))]


def clear_of(tiles: Sequence[Placed], strays: Sequence[Placed], proportions: Proportions) -> list[Placed]:
    """The strays that do not lie on a tile of the hand or on one another."""
    kept: list[Placed] = []
    for stray in strays:
        if all(not _overlap(stray, other, proportions) for other in (*tiles, *kept)):
            kept.append(stray)
    return kept


def _overlap(one: Placed, other: Placed, proportions: Proportions) -> bool:
    """Whether two tiles cover each other's middle part, each seen from the other."""
    for tile, seen in ((one, other), (other, one)):
        angle = math.radians(tile.turn)
        x, y = seen.x - tile.x, seen.y - tile.y
        along = abs(math.cos(angle) * x + math.sin(angle) * y)
        across = abs(-math.sin(angle) * x + math.cos(angle) * y)
        if along < 0.9 and across < 0.9 * proportions.height:
            return True
    return False
