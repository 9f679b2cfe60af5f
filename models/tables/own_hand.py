"""A won hand as its owner lays it: concealed tiles, the winning tile, melds, flowers.

Positions are in tile widths, as in `models.rendering.layout`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.rendering.hands import LaidHand
from models.rendering.layout import Placed, Proportions
from scorer import BACK, SUIT_AND_HONOUR_FACES, Meld, MeldKind


@dataclass(frozen=True, slots=True)
class Habits:
    """How somebody lays a hand. `any` leaves a choice to chance.

    row: `tidy`, `jagged`, `spread`, `arc`, or `sets` with a space after each.
    rows: over how many rows the concealed tiles go.
    winning: `right`, `left`, `above`, `below`, `sideways`, `far`, or `in row` where it does not lie apart.
    melds: `right`, `left`, `above`, `below`, `column`, `touching` one another, or in `line` with the row.
    turned: the share of the melds with a claimed tile that lies sideways.
    kongs_in_row: concealed kongs lie in the row.
    """

    row: str = "tidy"
    rows: int = 1
    winning: str = "any"
    melds: str = "any"
    turned: float = 0.6
    kongs_in_row: bool = False


@dataclass(slots=True)
class Extent:
    """The rectangle that some tiles cover, from the middle of the outermost ones."""

    left: float
    right: float
    low: float
    top: float

    @classmethod
    def of(cls, tiles: Sequence[Placed]) -> Extent:
        """The extent of these tiles."""
        xs, ys = [tile.x for tile in tiles], [tile.y for tile in tiles]
        return cls(min(xs), max(xs), min(ys), max(ys))


def lay(hand: LaidHand, habits: Habits, rng: np.random.Generator, proportions: Proportions) -> list[Placed]:
    """Return all tiles of a hand as somebody with these habits lays them, each a little off."""
    inside, beside = _kongs_apart(hand.melds) if habits.kongs_in_row else ((), hand.melds)
    tiles, right = _concealed(hand, inside, habits, rng, proportions)
    if habits.winning != "in row":
        tiles.append(_winning(hand.winning_tile, tiles, right, habits, rng, proportions))
    if beside:
        tiles += _melds(beside, len(inside), tiles, habits, rng, proportions)
    if hand.flowers:
        tiles += _flowers(hand.flowers, tiles, rng, proportions)
    loose = float(rng.uniform(0.05, 0.9))
    return [
        replace(
            tile,
            x=tile.x + float(rng.normal(0, 0.012 * loose)),
            y=tile.y + float(rng.normal(0, 0.05 * loose)),
            turn=tile.turn + float(rng.normal(0, 2.2 * loose)),
        )
        for tile in tiles
    ]


def in_sets(faces: Sequence[str]) -> list[list[str]]:
    """Tiles of a hand as its sets and its pair; pairs, or all in one piece, where they make none."""
    found = _sets(Counter(faces), paired=False)
    if found is not None:
        return found
    pairs = Counter(faces)
    if all(count % 2 == 0 for count in pairs.values()):
        return [[face, face] for face, count in sorted(pairs.items()) for _ in range(count // 2)]
    return [sorted(faces)]


def _sets(left: Counter[str], *, paired: bool) -> list[list[str]] | None:
    face = next((each for each in SUIT_AND_HONOUR_FACES if left[each]), None)
    if face is None:
        return []
    chow = [f"{int(face[0]) + step}{face[1]}" for step in range(3)]
    choices = [[face] * 3, *([] if face[1] == "z" else [chow]), *([] if paired else [[face] * 2])]
    for choice in choices:
        need = Counter(choice)
        if all(left[each] >= number for each, number in need.items()):
            rest = _sets(left - need, paired=paired or len(choice) == 2)
            if rest is not None:
                return [choice, *rest]
    return None


def _kongs_apart(melds: Sequence[Meld]) -> tuple[tuple[Meld, ...], tuple[Meld, ...]]:
    """The concealed kongs, which lie in the row, and the other melds."""
    hidden = tuple(meld for meld in melds if meld.kind is MeldKind.CONCEALED_KONG)
    return hidden, tuple(meld for meld in melds if meld.kind is not MeldKind.CONCEALED_KONG)


@dataclass(frozen=True, slots=True)
class _Slot:
    """A tile of the row before it has a place: a new set starts with it, or not."""

    face: str
    role: str
    group: int
    starts: bool = False


def _slots(hand: LaidHand, kongs: Sequence[Meld], habits: Habits, rng: np.random.Generator) -> list[_Slot]:
    """The tiles of the row from left to right."""
    apart = habits.winning != "in row"
    if habits.row == "sets":
        sets = in_sets([*hand.row, hand.winning_tile])
        rng.shuffle(sets)
        if apart:
            place = next(at for at, each in enumerate(sets) if hand.winning_tile in each)
            sets[place].remove(hand.winning_tile)
        slots = [
            _Slot(face, "concealed", 0, at == 0) for each in sets if each for at, face in enumerate(each)
        ]
        if not apart:
            slots = _with_winner(slots, hand.winning_tile)
    else:
        faces = list(hand.row) if apart else sorted([*hand.row, hand.winning_tile])
        slots = [_Slot(face, "concealed", 0) for face in faces]
        if not apart:
            slots = _with_winner(slots, hand.winning_tile)
    for number, kong in enumerate(kongs):
        faces = _shown(kong, rng)
        slots += [_Slot(face, "meld", 2 + number, at == 0) for at, face in enumerate(faces)]
    return slots


def _with_winner(slots: Sequence[_Slot], face: str) -> list[_Slot]:
    """The slots with the last tile of a face as the winning one."""
    last = max(at for at, slot in enumerate(slots) if slot.face == face)
    return [replace(slot, role="winning", group=1) if at == last else slot for at, slot in enumerate(slots)]


def _concealed(
    hand: LaidHand,
    kongs: Sequence[Meld],
    habits: Habits,
    rng: np.random.Generator,
    proportions: Proportions,
) -> tuple[list[Placed], float]:
    """The row or rows of concealed tiles, and the right edge of the nearest one."""
    slots = _slots(hand, kongs, habits, rng)
    gap, between = float(rng.choice([0.005, 0.02, 0.06])), float(rng.uniform(0.25, 0.9))
    wide = float(rng.uniform(0.2, 0.6)) if habits.row == "spread" else 0.0
    rows = min(habits.rows, max(1, len(slots) // 2))
    cuts = [len(slots) * number // rows for number in range(1, rows)]
    step, shift = proportions.height + float(rng.uniform(0.03, 0.8)), float(rng.uniform(-1, 1))
    tiles: list[Placed] = []
    x = right = y = 0.0
    for at, slot in enumerate(slots):
        if at in cuts:
            x, y = shift * (cuts.index(at) + 1), y - step
        elif slot.starts and at:
            x += between * float(rng.uniform(0.75, 1.25)) if habits.row == "sets" else 0.02
        tiles.append(Placed(slot.face, x + 0.5, y, role=slot.role, group=slot.group))
        right = x + 1
        x += 1 + gap * float(rng.uniform(0.3, 1.6)) + wide * float(rng.uniform(0.4, 1.6))
    return _bent(tiles, habits, rng), right


def _bent(tiles: Sequence[Placed], habits: Habits, rng: np.random.Generator) -> list[Placed]:
    """The row as a careless hand leaves it: jagged, or in a shallow arc."""
    if habits.row == "jagged":
        off = float(rng.uniform(0.06, 0.2))
        return [
            replace(tile, y=tile.y + float(rng.normal(0, off)), turn=float(rng.normal(0, 4)))
            for tile in tiles
        ]
    if habits.row == "arc":
        bend, middle = float(rng.uniform(-0.024, 0.024)), float(np.mean([tile.x for tile in tiles]))
        return [
            replace(
                tile,
                y=tile.y + bend * (tile.x - middle) ** 2,
                turn=math.degrees(math.atan(2 * bend * (tile.x - middle))),
            )
            for tile in tiles
        ]
    return list(tiles)


def _winning(
    face: str,
    row: Sequence[Placed],
    right: float,
    habits: Habits,
    rng: np.random.Generator,
    proportions: Proportions,
) -> Placed:
    """The winning tile, set apart from the concealed ones."""
    h, (place, apart) = proportions.height, (habits.winning, float(rng.uniform(0.35, 1.0)))
    if place == "any":
        places = ("right", "left", "above", "below", "sideways")
        place = str(rng.choice(places, p=(0.5, 0.1, 0.18, 0.07, 0.15)))
    extent, last = Extent.of(row), row[-1]
    tile = Placed(face, right + apart + 0.5, last.y, role="winning", group=1)
    if place == "far":
        if rng.random() < 0.5:
            return replace(tile, x=right + float(rng.uniform(1.0, 2.6)) + 0.5)
        x = float(rng.uniform(extent.left, extent.right))
        return replace(tile, x=x, y=extent.top + h + float(rng.uniform(1.0, 2.6)))
    if place == "left":
        return replace(tile, x=row[0].x - 1 - apart, y=row[0].y)
    if place == "sideways":
        return replace(tile, x=right + apart * 0.6 + h / 2, y=last.y + (1 - h) / 2, turn=90.0, sideways=True)
    if place in ("above", "below"):
        x = float(rng.uniform(max(extent.left, extent.right - 3), extent.right))
        away = h + apart * 0.5
        return replace(tile, x=x, y=extent.top + away if place == "above" else extent.low - away)
    return tile


def _shown(kong: Meld, rng: np.random.Generator) -> list[str]:
    """The tiles of a concealed kong, some or all of them face down."""
    up = [(), (1, 2), (0, 3), (int(rng.integers(4)),)][int(rng.choice(4, p=(0.2, 0.4, 0.3, 0.1)))]
    return [face if at in up else BACK for at, face in enumerate(kong.tiles)]


def _meld(
    meld: Meld, number: int, habits: Habits, rng: np.random.Generator, proportions: Proportions
) -> tuple[list[Placed], float]:
    """The tiles of one meld, laid from x = 0 to the right, and its width."""
    h, gap, like = proportions.height, 0.03, Placed("", 0, 0, role="meld", group=2 + number)
    if meld.kind is MeldKind.CONCEALED_KONG:
        faces, claimed = _shown(meld, rng), None
    else:
        faces = list(meld.tiles)
        # Without a turned tile nobody can tell a melded kong from a concealed one that was laid open.
        turned = meld.kind is MeldKind.MELDED_KONG or rng.random() < habits.turned
        claimed = int(rng.integers(3)) if turned else None
        if meld.kind is MeldKind.CHOW and rng.random() < 0.4:
            rng.shuffle(faces)
    stacked = meld.kind is MeldKind.MELDED_KONG and claimed is not None and rng.random() < 0.4
    tiles, x = [], 0.0
    for at, face in enumerate(faces[:3] if stacked else faces):
        if at != claimed:
            tiles.append(replace(like, face=face, x=x + 0.5))
            x += 1 + gap
            continue
        flat = replace(like, face=face, x=x + h / 2, y=(1 - h) / 2, turn=90.0, sideways=True)
        tiles.append(flat)
        if stacked:
            tiles.append(replace(flat, y=flat.y + 1.02))
        x += h + gap
    return tiles, x - gap


def _melds(
    melds: Sequence[Meld],
    first: int,
    row: Sequence[Placed],
    habits: Habits,
    rng: np.random.Generator,
    proportions: Proportions,
) -> list[Placed]:
    """The melds where their owner puts them; `first` is the number of the first one."""
    h, extent, place = proportions.height, Extent.of(row), habits.melds
    if place == "any":
        place = str(rng.choice(["right", "left", "above", "below"], p=(0.42, 0.18, 0.32, 0.08)))
    laid = [_meld(meld, first + number, habits, rng, proportions) for number, meld in enumerate(melds)]
    between = {"touching": 0.0, "line": 0.14}.get(place, float(rng.uniform(0.25, 0.8)))
    edge = float(rng.uniform(0.4, 1.1))
    if place == "column":
        return _column(laid, extent.right + edge + h, between, rng)
    x, y = extent.right + 0.5 + edge, 0.0
    if place == "line":
        x = extent.right + 0.5 + float(rng.uniform(0.15, 0.3))
    elif place == "left":
        x = extent.left - 0.5 - edge - sum(width + between for _, width in laid)
    elif place in ("above", "below", "touching"):
        away = h + float(rng.uniform(0.15, 1.0))
        x, y = (
            extent.left + float(rng.uniform(-0.5, 2)),
            extent.low - away if place == "below" else extent.top + away,
        )
    tiles: list[Placed] = []
    start = x
    for number, (members, width) in enumerate(laid):
        if number and number % 2 == 0 and place == "right":  # a second line keeps the picture narrow
            x, y = start, y + h + float(rng.uniform(0.7, 1.1))
        tiles += [replace(tile, x=tile.x + x, y=tile.y + y) for tile in members]
        x += width + between * float(rng.uniform(0.8, 1.2))
    return tiles


def _column(
    laid: Sequence[tuple[list[Placed], float]], x: float, between: float, rng: np.random.Generator
) -> list[Placed]:
    """Melds one behind the other, turned by a quarter."""
    turn, y, tiles = float(rng.choice([90, -90])), float(rng.uniform(-0.5, 0.5)), []
    for members, width in laid:
        for tile in members:
            along, off = (tile.x, -tile.y) if turn > 0 else (width - tile.x, tile.y)
            tiles.append(replace(tile, x=x + off, y=y + along, turn=tile.turn + turn))
        y += width + between
    return tiles


def _flowers(
    faces: Sequence[str], tiles: Sequence[Placed], rng: np.random.Generator, proportions: Proportions
) -> list[Placed]:
    """The flowers in a row of their own, near the hand."""
    h, extent, away = proportions.height, Extent.of(tiles), float(rng.uniform(0.3, 1.2))
    place = str(rng.choice(["above", "left", "right", "below"], p=(0.5, 0.2, 0.2, 0.1)))
    x, y = extent.left + float(rng.uniform(0, max(0.1, extent.right - extent.left - len(faces)))), 0.0
    if place == "left":
        x = extent.left - 0.8 - away - 1.04 * len(faces)
    elif place == "right":
        x = extent.right + 0.8 + away
    else:
        y = extent.top + h + away if place == "above" else extent.low - h - away
    return [
        Placed(face, x + 0.5 + 1.04 * number, y, role="flower", group=9) for number, face in enumerate(faces)
    ]
