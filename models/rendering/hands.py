"""Random winning hands to lay on the rendered tables.

Only the shape of a hand matters here (four sets and a pair, seven pairs, thirteen orphans): whether it is
worth eight points is the scorer's business.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorer import FACES

_PLAIN = FACES[:34]
_FLOWERS = FACES[34:]
_ORPHANS = ("1m", "9m", "1p", "9p", "1s", "9s", "1z", "2z", "3z", "4z", "5z", "6z", "7z")
_CHOWS = tuple(tuple(f"{n + k}{suit}" for k in range(3)) for suit in "mps" for n in range(1, 8))


@dataclass(frozen=True, slots=True)
class Set:
    """One melded or concealed group: ``kind`` is chow, pung, melded_kong or concealed_kong."""

    kind: str
    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WinningHand:
    """A hand as it lies on the table; ``concealed`` is without the winning tile."""

    concealed: tuple[str, ...]
    melds: tuple[Set, ...]
    winning_tile: str
    flowers: tuple[str, ...]
    self_drawn: bool
    seat_wind: str
    prevalent_wind: str

    def to_json(self) -> dict[str, Any]:
        """The hand as DESIGN.md section 2 writes it."""
        return {
            "concealed": list(self.concealed),
            "melds": [{"kind": m.kind, "tile": m.tiles[0], "tiles": list(m.tiles)} for m in self.melds],
            "winning_tile": self.winning_tile,
            "self_drawn": self.self_drawn,
            "last_tile": False,
            "kong": False,
            "fourth_tile": False,
            "seat_wind": self.seat_wind,
            "prevalent_wind": self.prevalent_wind,
            "flowers": list(self.flowers),
        }


def random_hand(
    rng: np.random.Generator, *, melds: int | None = None, flowers: int | None = None
) -> WinningHand:
    """A random winning hand; ``melds`` fixes how many groups lie open (0 to 4), ``flowers`` how many."""
    count = int(rng.choice([0, 1, 2, 3, 4], p=[0.42, 0.2, 0.18, 0.13, 0.07])) if melds is None else melds
    kind = rng.random() if count == 0 else 1.0
    if kind < 0.12:
        groups: list[Set] = []
        inside = [face for face in _pick(rng, _PLAIN, 7) for _ in range(2)]
    elif kind < 0.16:
        groups = []
        inside = [*_ORPHANS, _ORPHANS[int(rng.integers(13))]]
    else:
        groups, inside = _sets_and_pair(rng, count)
    winning = inside.pop(int(rng.integers(len(inside))))
    if rng.random() < 0.7:
        inside.sort(key=_PLAIN.index)
    else:
        rng.shuffle(inside)
    number = int(rng.choice(9, p=_FLOWER_SHARE)) if flowers is None else flowers
    seat, prevalent = (str(wind) for wind in rng.choice(list("ESWN"), 2))
    return WinningHand(
        concealed=tuple(inside),
        melds=tuple(groups),
        winning_tile=winning,
        flowers=tuple(_pick(rng, _FLOWERS, number)),
        self_drawn=bool(rng.random() < 0.4),
        seat_wind=seat,
        prevalent_wind=prevalent,
    )


_FLOWER_SHARE = (0.4, 0.2, 0.16, 0.1, 0.06, 0.03, 0.02, 0.01, 0.02)


def _pick(rng: np.random.Generator, faces: tuple[str, ...], count: int) -> list[str]:
    return [faces[i] for i in rng.choice(len(faces), count, replace=False)]


def _sets_and_pair(rng: np.random.Generator, melds: int) -> tuple[list[Set], list[str]]:
    """Four sets and a pair from one box of tiles; the first ``melds`` sets lie open."""
    left = Counter(dict.fromkeys(_PLAIN, 4))
    chow_share = float(rng.choice([0.15, 0.5, 0.75]))
    suits = _PLAIN
    if rng.random() < 0.25:  # towards one suit
        suit = str(rng.choice(list("mps")))
        suits = tuple(face for face in _PLAIN if face[1] in (suit, "z"))
    groups: list[Set] = []
    while len(groups) < 4:
        open_ = len(groups) < melds
        if rng.random() < chow_share:
            tiles, kind = _CHOWS[int(rng.integers(len(_CHOWS)))], "chow"
        else:
            face = suits[int(rng.integers(len(suits)))]
            kind = (
                str(rng.choice(["pung", "melded_kong", "concealed_kong"], p=[0.6, 0.2, 0.2]))
                if open_
                else "pung"
            )
            tiles = (face,) * (3 if kind == "pung" else 4)
        need = Counter(tiles)
        if any(face not in suits or left[face] < number for face, number in need.items()):
            continue
        left -= need
        groups.append(Set(kind, tiles))
    pairs = [face for face in suits if left[face] >= 2]
    pair = pairs[int(rng.integers(len(pairs)))]
    inside = [face for group in groups[melds:] for face in group.tiles]
    return groups[:melds], [*inside, pair, pair]
