"""The most probable legal reading of a laid-out hand, over all its tiles at once, and its rivals.

Each tile of the hand, each meld and each flower is a *unit* with a few options and their log probabilities (`units`).
Joint readings are taken in the order of their probability from a heap (`search`); illegal ones (five of a face, a
flower twice) are dropped, and one that wins gets log-odds on top, because people photograph hands they have won.

So a tile may be read as another face than it shows by itself. The prior of winning alone changes only a tile that the
reader is less than about 97 % sure of. A tile in a meld is always read as part of that meld, however clearly it shows
something else. Every tile whose face was changed is flagged, as is every tile whose own probability is low or that a
strong rival reads differently (`doubts`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scorer import Circumstances
from vision.decoding.doubts import Doubt, Outcome, doubts_of
from vision.decoding.readings import Reading, readings_of
from vision.decoding.search import Search, search
from vision.decoding.thresholds import DOUBTS, PRIORS, DecodingPriors, DoubtThresholds
from vision.decoding.units import units_of
from vision.layout.roles import HAND, Layout, Role
from vision.tiles import CLASS_INDEX, CLASSES, FACES, NONE, SET_FACES, Tiles

__all__ = ["Decoding", "Doubt", "Reading", "decode"]


@dataclass(frozen=True)
class Decoding:
    """What the tiles of a table are, taken together.

    faces: the class of each tile; confidences: the reader's own probability of that class.
    doubts: at most one per tile, in the order of the table.
    readings: legal hands, likeliest first; empty if the tiles do not make a hand of fourteen.
    """

    faces: tuple[str, ...]
    confidences: tuple[float, ...]
    doubts: tuple[Doubt, ...]
    readings: tuple[Reading, ...]
    _outcome: Outcome | None = field(default=None, repr=False, compare=False)

    def with_unsure(self, unsure: frozenset[int]) -> Decoding:
        """The same with doubts about what these tiles are for, and about what no others are."""
        if self._outcome is None:
            return self
        outcome = replace(self._outcome, layout=replace(self._outcome.layout, unsure=unsure))
        return replace(self, doubts=doubts_of(outcome))


def decode(
    tiles: Tiles,
    layout: Layout,
    circumstances: Circumstances | None = None,
    priors: DecodingPriors = PRIORS,
    thresholds: DoubtThresholds = DOUBTS,
) -> Decoding:
    """Read a laid-out table as one hand.

    `circumstances` go into the hands of the readings; they never change which tiles are read. Strays keep their
    likeliest class.
    """
    circumstances = circumstances or Circumstances()
    probabilities = tiles.probabilities.astype(np.float64)
    alone = _by_themselves(probabilities)
    found = search(units_of(probabilities, layout, priors), layout.count, priors)
    chosen = _chosen(found, alone)
    confidences = tuple(float(probabilities[tile, face]) for tile, face in enumerate(chosen))
    supported = _supported(found, probabilities, layout, thresholds)
    outcome = Outcome(chosen, alone, confidences, supported, found, layout, thresholds)
    readings = readings_of(found, alone, circumstances, priors)
    faces = tuple(CLASSES[face] for face in chosen)
    return Decoding(faces, confidences, doubts_of(outcome), readings, outcome)


def _by_themselves(probabilities: NDArray[np.float64]) -> list[int]:
    """The likeliest class of each tile other than `none`."""
    alone = probabilities.copy()
    alone[:, CLASS_INDEX[NONE]] = 0
    return [int(index) for index in alone.argmax(axis=1)] if len(alone) else []


def _chosen(found: Search, alone: list[int]) -> list[int]:
    """The class of each tile in the best joint reading; by itself outside the hand."""
    chosen = list(alone)
    if found.joints:
        for unit, option in zip(found.units, found.joints[0].options, strict=True):
            for tile, face in zip(unit.tiles, option.classes, strict=True):
                chosen[tile] = face
    return chosen


def _supported(
    found: Search, probabilities: NDArray[np.float64], layout: Layout, thresholds: DoubtThresholds
) -> list[bool]:
    """For each tile whether the rest of the hand supports it, so that a lower probability of its face is enough.

    A tile of a won hand is, unless it is the winning tile or a likely rival reads it differently. A flower is if it
    surely is some flower: each is worth the same, so that which one it is matters little.
    """
    won = layout.count == HAND and found.wins
    flower = probabilities[:, SET_FACES : len(FACES)].sum(axis=1) >= thresholds.sure
    return [
        bool(flower[tile])
        if role is Role.FLOWER
        else won
        and role is not Role.WINNING
        and found.disputed.get(tile, (0, 0.0))[1] < thresholds.strong_rival
        for tile, role in enumerate(layout.roles)
    ]
