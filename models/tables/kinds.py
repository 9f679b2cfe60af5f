"""The kinds of tables, each made of how a hand is laid and what else lies there."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np

from models.rendering.hands import LaidHand, random_hand
from models.rendering.layout import Arrangement, Placed, Proportions, random_faces
from models.rendering.scene import RenderedPhoto, Setting, render_scene
from models.tables import litter
from models.tables.litter import Litter, Thing, clear_of
from models.tables.own_hand import Habits, lay

DEVELOPMENT_SEED = 5_000_000
"""Seed of the first table that rules may be made with."""
REPORT_SEED = 6_000_000
"""Seed of the first table that is only measured. No rule and no threshold was chosen on seeds from here on."""


@dataclass(frozen=True, slots=True)
class Table:
    """Tiles on a table.

    own: the tiles of the hand, or all tiles where there is none. strays: all others. things: what is not a tile.
    hand: what was laid; None if the tiles are no whole hand.
    """

    kind: str
    own: tuple[Placed, ...]
    strays: tuple[Placed, ...]
    things: tuple[Thing, ...]
    hand: LaidHand | None
    proportions: Proportions


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of table.

    melds, most_melds: how many melds a hand has at least and at most. flowers: how many flowers at least. litter: what
    lies around, each with its chance. marker: a disc lies beside the flowers. decided: whether the places of the tiles
    say what they are for; if not, a question is right. loose: lays tiles that are no hand laid to be read.
    """

    habits: Habits = field(default_factory=Habits)
    melds: int = 0
    most_melds: int = 4
    flowers: int = 0
    litter: tuple[tuple[Litter, float], ...] = ()
    marker: bool = False
    decided: bool = True
    loose: Callable[[np.random.Generator, Proportions], list[Placed]] | None = None


def _thirteen(rng: np.random.Generator, _: Proportions) -> list[Placed]:
    """Thirteen tiles in a row, and no winning tile."""
    return _row(sorted(random_faces(rng, 13, flowers=False)), 0.0)


def _row(faces: list[str], y: float) -> list[Placed]:
    return [Placed(face, 1.02 * at + 0.5, y, role="concealed", group=0) for at, face in enumerate(faces)]


def _scattered(rng: np.random.Generator, proportions: Proportions) -> list[Placed]:
    """Fourteen tiles of a hand, roughly in two or three rows, none touching another."""
    hand = random_hand(rng, melds=0, flowers=0)
    faces, columns = [*hand.row, hand.winning_tile], int(rng.integers(5, 8))
    wide, high = float(rng.uniform(1.5, 2.4)), proportions.height + float(rng.uniform(0.5, 1.2))
    return [
        Placed(
            face,
            wide * (at % columns) + float(rng.normal(0, 0.12)),
            -high * (at // columns) + float(rng.normal(0, 0.15)),
            turn=float(rng.normal(0, 9)),
            role="concealed",
            group=0,
        )
        for at, face in enumerate(faces)
    ]


def _rows_of_five(rng: np.random.Generator, proportions: Proportions) -> list[Placed]:
    """Two or three rows of five tiles, as somebody lays them to show their tiles."""
    rows, gap = int(rng.integers(2, 4)), float(rng.choice([0.02, 0.1, 0.4]))
    faces = random_faces(rng, 5 * rows, flowers=False)
    high = proportions.height + float(rng.uniform(0.05, 0.9))
    return [
        Placed(face, (1 + gap) * (at % 5), -high * (at // 5), role="concealed", group=0)
        for at, face in enumerate(faces)
    ]


def _tray(rng: np.random.Generator, proportions: Proportions) -> list[Placed]:
    """Rows of tiles close together, more than a hand holds."""
    rows, columns = int(rng.integers(4, 8)), int(rng.integers(6, 10))
    gap, turned = float(rng.choice([0.01, 0.03, 0.12])), rng.random() < 0.3
    tiles = []
    for at, face in enumerate(random_faces(rng, min(rows * columns, 140))):
        turn = float(rng.choice([0, 90, 180, 270])) if turned and rng.random() < 0.3 else 0.0
        role, group = ("flower", 9) if face[1] == "f" else ("concealed", 0)
        x, y = (1 + gap) * (at % columns), (proportions.height + gap) * (at // columns)
        tiles.append(Placed(face, x, y, 180.0 if turn == 180 else 0.0, role=role, group=group))
    return tiles


_ANY_LITTER: tuple[tuple[Litter, float], ...] = (
    (litter.discards, 0.3),
    (litter.wall, 0.25),
    (litter.single_tiles, 0.3),
)

KINDS: dict[str, Kind] = {
    "nothing special": Kind(),
    "litter around": Kind(litter=_ANY_LITTER),
    "jagged row": Kind(Habits(row="jagged")),
    "row in an arc": Kind(Habits(row="arc")),
    "spread row": Kind(Habits(row="spread"), decided=False),
    "two rows": Kind(Habits(rows=2), most_melds=1),
    "three rows": Kind(Habits(rows=3), most_melds=0),
    "winning tile far off": Kind(Habits(winning="far")),
    "no tile apart": Kind(Habits(winning="in row"), decided=False),
    "concealed sets apart": Kind(Habits(row="sets"), most_melds=0, decided=False),
    "unturned melds": Kind(Habits(turned=0.0), melds=2, decided=False),
    "melds in a column": Kind(Habits(melds="column"), melds=1),
    "melds in line with the row": Kind(Habits(melds="line", turned=1.0), melds=1),
    "touching melds": Kind(Habits(melds="touching", turned=1.0), melds=2),
    "kong in the row": Kind(Habits(kongs_in_row=True), melds=1),
    "stray beside a meld": Kind(melds=1, litter=((litter.beside_a_meld, 1.0),)),
    "discards": Kind(litter=((litter.discards, 1.0),)),
    "near discards": Kind(litter=((litter.near_discards, 1.0),)),
    "neighbor's open hand": Kind(litter=((litter.neighbor, 1.0),)),
    "standing tiles": Kind(litter=((litter.standing, 1.0),)),
    "wall": Kind(litter=((litter.wall, 1.0),)),
    "marker beside flowers": Kind(flowers=1, marker=True, decided=False),
    "flowers that do not belong": Kind(litter=((litter.askew_flowers, 1.0),), decided=False),
    "thirteen tiles": Kind(loose=_thirteen, decided=False),
    "fourteen scattered": Kind(loose=_scattered, decided=False),
    "rows of five": Kind(loose=_rows_of_five, decided=False),
    "tray": Kind(loose=_tray, decided=False),
}


def table(name: str, seed: int, proportions: Proportions | None = None) -> Table:
    """Return a table of this kind; the same seed gives the same table. Raises KeyError for an unknown kind.

    `proportions`: those of the tiles; left to chance if None.
    """
    kind = KINDS[name]
    rng = np.random.default_rng((seed, crc32(name.encode())))
    if proportions is None:
        proportions = Proportions(float(rng.uniform(1.22, 1.42)), float(rng.uniform(0.55, 0.85)))
    if kind.loose is not None:
        own, hand = kind.loose(rng, proportions), None
    else:
        hand = _hand(kind, rng)
        own = lay(hand, kind.habits, rng, proportions)
    strays = [
        tile for each, chance in kind.litter if rng.random() < chance for tile in each(own, rng, proportions)
    ]
    things = litter.marker(own, rng) if kind.marker else []
    things = [thing for thing in things if all(math.hypot(thing.x - t.x, thing.y - t.y) > 0.95 for t in own)]
    return Table(
        name, tuple(own), tuple(clear_of(own, strays, proportions)), tuple(things), hand, proportions
    )


def render(name: str, seed: int, size: tuple[int, int] = (1280, 960)) -> RenderedPhoto:
    """A picture of a table of this kind, of a drawn tile set that exists nowhere else."""

    def lay(proportions: Proportions) -> Arrangement:
        laid = table(name, seed, proportions)
        discs = tuple((thing.x, thing.y, thing.size) for thing in laid.things)
        return Arrangement(laid.own, laid.hand, None, laid.strays, discs)

    side = "across" if seed % 3 == 2 else "hand"
    return render_scene(seed, size=size, kind=side, setting=Setting(strays=False, lay=lay))


def _hand(kind: Kind, rng: np.random.Generator) -> LaidHand:
    """A random hand with what this kind needs."""
    melds = (
        None
        if kind.melds == 0 and kind.most_melds == 4
        else int(rng.integers(kind.melds, kind.most_melds + 1))
    )
    while True:
        hand = random_hand(rng, melds=melds)
        fits = len(hand.flowers) >= kind.flowers
        if kind.habits.kongs_in_row:
            fits &= any(meld.kind.value == "concealed_kong" for meld in hand.melds)
        if fits:
            return hand
