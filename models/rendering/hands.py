"""Random winning hands to lay on the rendered tables.

Hands win by their shape (four sets and a pair, seven pairs, thirteen orphans); their points do not matter here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorer import FLOWERS, ORPHANS, SUIT_AND_HONOUR_FACES, Circumstances, Hand, Meld, hand_to_json

_CHOWS = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 8))
"""The lowest tile of every chow."""
_FLOWER_SHARE = (0.4, 0.2, 0.16, 0.1, 0.06, 0.03, 0.02, 0.01, 0.02)
"""How often a hand has no flower, one flower, and so on to eight."""


@dataclass(frozen=True, slots=True)
class LaidHand:
    """A won hand and the order in which its tiles lie, from left to right.

    `row` holds the concealed tiles without the winning tile, `flowers` the flowers. Raises ValueError where these are
    not the tiles of `hand`.
    """

    hand: Hand
    circumstances: Circumstances
    row: tuple[str, ...]
    flowers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that the tiles laid out are those of the hand."""
        if sorted(self.row) != sorted(self.hand.concealed):
            raise ValueError(f"the row {' '.join(self.row)} does not hold the hand's concealed tiles")
        if tuple(sorted(self.flowers)) != (self.hand.flowers or ()):
            raise ValueError(f"the flowers {' '.join(self.flowers)} are not those of the hand")

    @property
    def melds(self) -> tuple[Meld, ...]:
        """The melds of the hand, in the order in which they lie."""
        return self.hand.melds

    @property
    def winning_tile(self) -> str:
        """The winning tile of the hand."""
        return self.hand.winning_tile

    @classmethod
    def of(
        cls,
        row: tuple[str, ...],
        winning_tile: str,
        melds: tuple[Meld, ...] = (),
        flowers: tuple[str, ...] = (),
        circumstances: Circumstances | None = None,
    ) -> LaidHand:
        """Lay these tiles out in the order given. Raises `scorer.errors.ImpossibleHand`."""
        hand = Hand(row, melds, winning_tile, flowers)
        return cls(hand, circumstances or Circumstances(), row, flowers)

    def to_json(self) -> dict[str, Any]:
        """The hand in the JSON form of `scorer.hand_json`, its tiles in the order in which they lie."""
        obj = hand_to_json(self.hand, self.circumstances)
        return {**obj, "concealed": list(self.row), "flowers": list(self.flowers)}


def same_hand(laid: LaidHand | None, read: Hand | None) -> bool:
    """Whether the hand read is the hand laid; the order of the melds does not matter."""
    return laid is not None and read is not None and _parts(laid.hand) == _parts(read)


def _parts(hand: Hand) -> tuple[object, ...]:
    melds = sorted((meld.kind, meld.tiles) for meld in hand.melds)
    return hand.concealed, melds, hand.winning_tile, hand.flowers


def random_hand(
    rng: np.random.Generator, *, melds: int | None = None, flowers: int | None = None
) -> LaidHand:
    """A random winning hand; `melds` fixes the number of melds (0 to 4), `flowers` the number of flowers."""
    count = int(rng.choice([0, 1, 2, 3, 4], p=[0.42, 0.2, 0.18, 0.13, 0.07])) if melds is None else melds
    kind = rng.random() if count == 0 else 1.0
    laid_down: list[Meld] = []
    if kind < 0.12:
        row = [face for face in _pick(rng, SUIT_AND_HONOUR_FACES, 7) for _ in range(2)]
    elif kind < 0.16:
        row = [*ORPHANS, ORPHANS[int(rng.integers(13))]]
    else:
        laid_down, row = _sets_and_pair(rng, count)
    winning = row.pop(int(rng.integers(len(row))))
    if rng.random() < 0.7:
        row.sort(key=SUIT_AND_HONOUR_FACES.index)
    else:
        rng.shuffle(row)
    number = int(rng.choice(9, p=_FLOWER_SHARE)) if flowers is None else flowers
    seat, prevalent = (str(wind) for wind in rng.choice(list("ESWN"), 2))
    # the order of the random draws is part of every seed's picture
    picked = tuple(_pick(rng, FLOWERS, number))
    circumstances = Circumstances(bool(rng.random() < 0.4), seat_wind=seat, prevalent_wind=prevalent)
    return LaidHand.of(tuple(row), winning, tuple(laid_down), picked, circumstances)


def _pick(rng: np.random.Generator, faces: tuple[str, ...], count: int) -> list[str]:
    return [faces[i] for i in rng.choice(len(faces), count, replace=False)]


def _sets_and_pair(rng: np.random.Generator, melds: int) -> tuple[list[Meld], list[str]]:
    """Four sets and a pair from one box of tiles: the melds, and the concealed tiles."""
    left = Counter(dict.fromkeys(SUIT_AND_HONOUR_FACES, 4))
    chow_share = float(rng.choice([0.15, 0.5, 0.75]))
    faces = SUIT_AND_HONOUR_FACES
    if rng.random() < 0.25:  # tends to one suit
        suit = str(rng.choice(list("mps")))
        faces = tuple(face for face in SUIT_AND_HONOUR_FACES if face[1] in (suit, "z"))
    sets: list[Meld] = []
    while len(sets) < 4:
        new = _random_set(rng, faces, chow_share, melded=len(sets) < melds)
        need = Counter(new.tiles)
        if all(face in faces and left[face] >= number for face, number in need.items()):
            left -= need
            sets.append(new)
    pairs = [face for face in faces if left[face] >= 2]
    pair = pairs[int(rng.integers(len(pairs)))]
    concealed = [face for each in sets[melds:] for face in each.tiles]
    return sets[:melds], [*concealed, pair, pair]


def _random_set(rng: np.random.Generator, faces: tuple[str, ...], chow_share: float, *, melded: bool) -> Meld:
    """A chow of any suit, or a pung of one of these faces; a kong only if it is melded."""
    if rng.random() < chow_share:
        return Meld.chow(_CHOWS[int(rng.integers(len(_CHOWS)))])
    face = faces[int(rng.integers(len(faces)))]
    kind = str(rng.choice(["pung", "melded_kong", "concealed_kong"], p=[0.6, 0.2, 0.2])) if melded else "pung"
    return Meld.pung(face) if kind == "pung" else Meld.kong(face, concealed=kind == "concealed_kong")
