"""Where the tiles lie: won hands as players lay them down, rows, trays and scattered tiles.

Positions are in tile widths: x to the player's right, y away from the player.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.rendering.hands import LaidHand, random_hand
from scorer import BACK, FACES, Meld, MeldKind

KINDS = ("hand", "across", "row", "grid", "scatter")


@dataclass(frozen=True, slots=True)
class Placed:
    """One tile on the table.

    `x` and `y` are its middle and `lift` is the height of its underside, in tile widths. `turn` is in degrees
    anticlockwise; `tilt` is 0 for a lying tile and 90 for one that stands with its face towards the player. `face` is
    a tile code or `back`.
    """

    face: str
    x: float
    y: float
    turn: float = 0.0
    tilt: float = 0.0
    lift: float = 0.0
    role: str = "stray"
    group: int | None = None
    sideways: bool = False


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Tiles on a table, the hand that they form, if any, and the tray around them (x0, y0, x1, y1).

    `strays` are other tiles that lie around, `discs` other round things (x, y and width).
    """

    tiles: tuple[Placed, ...]
    hand: LaidHand | None = None
    tray: tuple[float, float, float, float] | None = None
    strays: tuple[Placed, ...] = ()
    discs: tuple[tuple[float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Proportions:
    """The height and thickness of the tiles, in tile widths."""

    height: float
    thickness: float


def arrange(
    kind: str, rng: np.random.Generator, proportions: Proportions, hand: LaidHand | None = None
) -> Arrangement:
    """A random arrangement of one of `KINDS`; for `hand` and `across`, `hand` fixes which hand is laid.

    Raises ValueError for an unknown kind.
    """
    if kind in ("hand", "across"):
        return declared(hand or random_hand(rng), rng, proportions)
    if kind == "row":
        return _row(rng)
    if kind == "grid":
        return _grid(rng, proportions)
    if kind == "scatter":
        return _scatter(rng, proportions)
    raise ValueError(f"no arrangement {kind!r}; there are {', '.join(KINDS)}")


def random_faces(rng: np.random.Generator, count: int, *, flowers: bool = True) -> list[str]:
    """Tiles drawn from one box: four of each tile, two of each flower."""
    box = [face for face in FACES[:34] for _ in range(4)] + (list(FACES[34:]) * 2 if flowers else [])
    return [box[i] for i in rng.choice(len(box), min(count, len(box)), replace=False)]


def _shaken(tiles: Iterable[Placed], rng: np.random.Generator, care: float) -> tuple[Placed, ...]:
    """The tiles as a person puts them down, each a little off; `care` runs from 0 (sloppy) to 1 (perfect)."""
    loose = 1 - care
    return tuple(
        replace(
            tile,
            x=tile.x + float(rng.normal(0, 0.012 * loose)),
            y=tile.y + float(rng.normal(0, 0.05 * loose)),
            turn=tile.turn + float(rng.normal(0, 2.2 * loose)),
        )
        for tile in tiles
    )


def _line(
    faces: Sequence[str], x: float, rng: np.random.Generator, *, gap: float, like: Placed
) -> list[Placed]:
    """Tiles side by side from `x`, the left edge of the first; everything else is taken from `like`."""
    tiles = []
    for face in faces:
        tiles.append(replace(like, face=face, x=x + 0.5))
        x += 1 + gap * float(rng.uniform(0.3, 1.6))
    return tiles


def _meld(
    meld: Meld, x: float, *, rng: np.random.Generator, proportions: Proportions, like: Placed
) -> tuple[list[Placed], float]:
    """The tiles of one meld laid from `x`, its left edge, and where the next thing may start."""
    h, gap = proportions.height, 0.03
    faces = list(meld.tiles)
    if meld.kind is MeldKind.CHOW and rng.random() < 0.4:
        rng.shuffle(faces)
    if meld.kind is MeldKind.CONCEALED_KONG:
        shown = str(rng.choice(["none", "middle", "ends", "one", "all"], p=[0.35, 0.25, 0.2, 0.1, 0.1]))
        up = {
            "none": (),
            "middle": (1, 2),
            "ends": (0, 3),
            "one": (int(rng.integers(4)),),
            "all": (0, 1, 2, 3),
        }
        mixed = [face if i in up[shown] else BACK for i, face in enumerate(faces)]
        return _line(mixed, x, rng, gap=gap, like=like), x + 4 + 4 * gap
    claimed = int(rng.integers(3)) if rng.random() < 0.6 else None
    stacked = meld.kind is MeldKind.MELDED_KONG and claimed is not None and rng.random() < 0.45
    tiles: list[Placed] = []
    for index, face in enumerate(faces[:3] if stacked else faces):
        if index != claimed:
            tiles.append(replace(like, face=face, x=x + 0.5))
            x += 1 + gap
            continue
        turn = 90.0 if rng.random() < 0.8 else -90.0
        flat = replace(like, face=face, x=x + h / 2, y=like.y + (1 - h) / 2, turn=turn, sideways=True)
        tiles.append(flat)
        if stacked:  # the fourth tile lies on the sideways one or beyond it
            on_top = rng.random() < 0.2
            tiles.append(
                replace(flat, lift=proportions.thickness) if on_top else replace(flat, y=flat.y + 1.02)
            )
        x += h + gap
    return tiles, x


def declared(hand: LaidHand, rng: np.random.Generator, proportions: Proportions) -> Arrangement:
    """A won hand laid open: the concealed tiles in a row, and the winning tile, melds and flowers near it."""
    h = proportions.height
    care = float(rng.uniform(0.1, 0.95))
    gap = float(rng.choice([0.005, 0.02, 0.06]))
    row = _line(hand.row, 0, rng, gap=gap, like=Placed("", 0, 0, role="concealed", group=0))
    right = row[-1].x + 0.5 if row else 0.0
    tiles = list(row)
    place = rng.choice(["right", "left", "above", "below", "sideways"], p=[0.53, 0.08, 0.18, 0.06, 0.15])
    apart = float(rng.uniform(0.35, 1.1))
    winning = Placed(hand.winning_tile, right + apart + 0.5, 0, role="winning", group=1)
    if place == "left":
        winning = replace(winning, x=-apart - 0.5)
    elif place in ("above", "below"):
        away = (h + apart * 0.5) * (1 if place == "above" else -1)
        winning = replace(winning, x=right - 0.5 - float(rng.uniform(0, min(3, right / 2))), y=away)
    elif place == "sideways":
        winning = replace(winning, x=right + apart * 0.6 + h / 2, y=(1 - h) / 2, turn=90, sideways=True)
    tiles.append(winning)

    side = rng.choice(["right", "left", "above"], p=[0.45, 0.2, 0.35])
    edge = max(right, winning.x + h / 2) + float(rng.uniform(0.5, 1.2))
    y = 0.0
    if side == "left":
        widths = sum(len(m.tiles) + 1.2 for m in hand.melds)
        edge = min(0.0, winning.x - 0.7) - widths - 0.4
    elif side == "above":
        edge, y = (
            float(rng.uniform(-0.5, 3)),
            (h + 0.3) * (2 if place == "above" else 1) + float(rng.uniform(0, 0.8)),
        )
    for number, meld in enumerate(hand.melds):
        like = Placed("", 0, y, role="meld", group=2 + number)
        group, edge = _meld(meld, edge, rng=rng, proportions=proportions, like=like)
        tiles += group
        edge += float(rng.uniform(0.25, 0.8))
        if side == "right" and number % 2 == 1:  # a second line keeps the picture narrow
            edge, y = max(right, winning.x + h / 2) + 0.6, y + h + 0.9
    if hand.flowers:
        tiles += _flowers(hand.flowers, tiles, rng, h)
    return Arrangement(_shaken(tiles, rng, care), hand)


def _flowers(
    faces: Sequence[str], tiles: Sequence[Placed], rng: np.random.Generator, h: float
) -> list[Placed]:
    place = rng.choice(["above", "left", "right", "below"], p=[0.5, 0.2, 0.2, 0.1])
    top, low = max(t.y for t in tiles) + h + 0.4, min(t.y for t in tiles) - h - 0.4
    left, right = min(t.x for t in tiles), max(t.x for t in tiles)
    off = float(rng.uniform(0, 1))
    if place == "left":
        x, y = left - 1.6 - 1.05 * len(faces) - off, 0.0
    elif place == "right":
        x, y = right + 1.4 + off, 0.0
    else:
        x, y = (
            left + float(rng.uniform(0, max(0.1, right - left - len(faces)))),
            top if place == "above" else low,
        )
    return _line(faces, x, rng, gap=0.04, like=Placed("", 0, y, role="flower", group=9))


def _row(rng: np.random.Generator) -> Arrangement:
    """One row of 13 to 18 tiles: lying, standing, or leaning in a rack."""
    faces = random_faces(rng, int(rng.integers(13, 19)), flowers=bool(rng.random() < 0.3))
    if rng.random() < 0.7:
        faces.sort(key=FACES.index)
    tilt = float(rng.choice([0, 0, 90, rng.uniform(55, 80)]))
    like = Placed("", 0, 0, role="concealed", group=0, tilt=tilt)
    row = _line(faces, 0, rng, gap=0.01, like=like)
    if rng.random() < 0.25:
        cut = int(rng.integers(3, len(row) - 2))
        row = row[:cut] + [replace(tile, x=tile.x + 0.5) for tile in row[cut:]]
    return Arrangement(_shaken(row, rng, float(rng.uniform(0.3, 1))))


def _grid(rng: np.random.Generator, proportions: Proportions) -> Arrangement:
    """Rows of tiles close together, half of the time in a tray."""
    rows, columns = int(rng.integers(2, 6)), int(rng.integers(3, 10))
    faces = random_faces(rng, rows * columns)
    gap = float(rng.choice([0.01, 0.03, 0.12]))
    turned = float(rng.choice([0, 0, 0, 180]))
    tiles = [
        Placed(
            faces[r * columns + c] if rng.random() < 0.97 else BACK,
            c * (1 + gap),
            r * (proportions.height + gap),
            turn=turned if rng.random() < 0.9 else 180 - turned,
            role="stray",
        )
        for r in range(rows)
        for c in range(columns)
        if rng.random() < 0.97
    ]
    tray = None
    if rng.random() < 0.5:
        tray = (
            -0.7,
            -proportions.height * 0.7,
            (columns - 1) * (1 + gap) + 0.7,
            (rows - 0.3) * (proportions.height + gap),
        )
    return Arrangement(_shaken(tiles, rng, float(rng.uniform(0.3, 1))), tray=tray)


def _scatter(rng: np.random.Generator, proportions: Proportions) -> Arrangement:
    """Tiles at any angle, none on top of another."""
    count = int(rng.integers(6, 36))
    reach = math.sqrt(count) * float(rng.uniform(1.0, 1.8))
    faces = random_faces(rng, count)
    tiles: list[Placed] = []
    for face in faces:
        spot = rng.uniform(-reach, reach, 2) * (1, 0.8)
        if all((spot[0] - t.x) ** 2 + (spot[1] - t.y) ** 2 > (proportions.height * 1.12) ** 2 for t in tiles):
            down = rng.random() < 0.15
            tiles.append(
                Placed(BACK if down else face, float(spot[0]), float(spot[1]), float(rng.uniform(0, 360)))
            )
    return Arrangement(tuple(tiles))


def surroundings(
    rng: np.random.Generator, proportions: Proportions, tiles: Sequence[Placed]
) -> tuple[Placed, ...]:
    """Stray tiles around a hand: discards, a wall, a heap, another player's hand, single tiles."""
    top = max(t.y for t in tiles) + proportions.height
    middle = sum(t.x for t in tiles) / len(tiles)
    strays: list[Placed] = []
    h, t = proportions.height, proportions.thickness
    if rng.random() < 0.5:  # discards, in lines of six
        x, y = middle - 3 + float(rng.uniform(-5, 5)), top + float(rng.uniform(0.8, 3))
        turn = float(rng.choice([0, 180, 90, -90]))
        wide, high = (1.03, h + 0.03) if turn % 180 == 0 else (h + 0.03, 1.03)
        for number, face in enumerate(random_faces(rng, int(rng.integers(4, 22)))):
            strays.append(Placed(face, x + wide * (number % 6), y + high * (number // 6), turn=turn))
        top = y + high * 4
    if rng.random() < 0.45:  # a wall, two high
        length, levels = int(rng.integers(6, 18)), int(rng.integers(1, 3))
        x, y = middle - length / 2 + float(rng.uniform(-4, 4)), top + float(rng.uniform(0.5, 3))
        for k in range(length):
            for level in range(levels):
                strays.append(Placed(BACK, x + 1.01 * k, y, lift=level * t))
        top = y + h
    if rng.random() < 0.3:  # a heap of tiles face up and down
        x, y = middle + float(rng.uniform(-8, 8)), top + float(rng.uniform(1, 4))
        for face in random_faces(rng, int(rng.integers(5, 25))):
            spot = rng.normal((x, y), 2.2)
            if spot[1] > top + 0.8 and all(
                (spot[0] - s.x) ** 2 + (spot[1] - s.y) ** 2 > h * h * 1.15 for s in strays
            ):
                shown = face if rng.random() < 0.6 else BACK
                strays.append(Placed(shown, float(spot[0]), float(spot[1]), turn=float(rng.uniform(0, 360))))
        top = y + 4
    if rng.random() < 0.2:  # another player's hand, seen from behind
        length = int(rng.integers(7, 14))
        x, y = middle - length / 2 + float(rng.uniform(-3, 3)), top + float(rng.uniform(3, 7))
        for k, face in enumerate(random_faces(rng, length)):
            strays.append(Placed(face, x + 1.01 * k, y, turn=180, tilt=90))
    for face in random_faces(rng, int(rng.integers(0, 3))):  # single tiles
        x, y = middle + float(rng.uniform(-9, 9)), min(t.y for t in tiles) - float(rng.uniform(2, 5))
        strays.append(Placed(face, x, y, turn=float(rng.uniform(0, 360))))
    return tuple(strays)
