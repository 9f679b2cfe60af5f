"""Joint readings of all units of a hand, likeliest first: legal ones only, and winning ones preferred."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from scorer import MeldKind
from scorer.winning import is_winning
from vision.decoding.thresholds import DecodingPriors
from vision.decoding.units import Option, Unit
from vision.layout.roles import HAND, Role
from vision.tiles import BACK, CLASS_INDEX, SET_FACES

_BACK = CLASS_INDEX[BACK]


@dataclass(frozen=True)
class Joint:
    """One option for every unit, with its log probability, the prior of winning included."""

    options: tuple[Option, ...]
    score: float


@dataclass(frozen=True)
class Search:
    """What the search found: the units, and their legal joint readings, best first; there may be none."""

    units: tuple[Unit, ...]
    joints: tuple[Joint, ...]

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The probability of each joint reading among all that were found."""
        scores = np.array([joint.score for joint in self.joints])
        if not len(scores):
            return scores
        weights = np.exp(scores - scores.max())
        shares: NDArray[np.float64] = weights / weights.sum()
        return shares

    @property
    def wins(self) -> bool:
        """Whether the best joint reading wins."""
        return bool(self.joints) and _wins(self.units, self.joints[0].options)

    @cached_property
    def disputed(self) -> dict[int, tuple[int, float]]:
        """For each tile that other joint readings read differently the strongest other face and its probability."""
        against: dict[int, dict[int, float]] = {}
        for share, unit, option, first in self._rivals():
            for tile, face, kept in zip(unit.tiles, option.classes, first.classes, strict=True):
                if face != kept:
                    faces = against.setdefault(tile, {})
                    faces[face] = faces.get(face, 0.0) + share
        return {tile: max(rivals.items(), key=itemgetter(1)) for tile, rivals in against.items()}

    def kongs_of_two_kinds(self, strong: float) -> frozenset[int]:
        """The first tile of each kong that is of the other kind in joint readings that are together this likely."""
        against: dict[int, float] = {}
        for share, unit, option, first in self._rivals():
            if option.kind != first.kind and len(unit.tiles) == 4:
                against[unit.tiles[0]] = against.get(unit.tiles[0], 0.0) + share
        return frozenset(tile for tile, share in against.items() if share >= strong)

    @property
    def _best_options(self) -> tuple[Option, ...]:
        return self.joints[0].options if self.joints else ()

    def _rivals(self) -> Iterator[tuple[float, Unit, Option, Option]]:
        """The share of each other joint reading with, unit by unit, its option and that of the best one."""
        for joint, share in zip(self.joints[1:], self.shares[1:], strict=True):
            for unit, option, first in zip(self.units, joint.options, self._best_options, strict=True):
                yield float(share), unit, option, first


def search(units: Sequence[Unit], count: int, priors: DecodingPriors) -> Search:
    """Find the legal joint readings worth looking at, for a hand of `count` tiles, a kong counted as three."""
    if not units or count > priors.most_of_a_hand:
        return Search(tuple(units), ())
    found: list[Joint] = []
    best = -np.inf
    prior = priors.win_prior if count == HAND else 0
    for looked, (log_probability, choice) in enumerate(_in_order_of_probability(units)):
        # Later ones are less likely still: stop once even winning could not bring one near the best.
        hopeless = log_probability + prior < best - np.log(priors.hopeless)
        if looked >= priors.most_looked_at or hopeless:
            break
        options = tuple(unit.options[number] for unit, number in zip(units, choice, strict=True))
        if not _legal(options):
            continue
        score = log_probability + (prior if count == HAND and _wins(units, options) else 0.0)
        best = max(best, score)
        found.append(Joint(options, score))
    return Search(tuple(units), tuple(sorted(found, key=lambda joint: -joint.score)))


def _in_order_of_probability(units: Sequence[Unit]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Every choice of one option per unit, likeliest first, as (log probability, option numbers)."""
    first = sum(unit.options[0].log_probability for unit in units)
    heap: list[tuple[float, int, tuple[int, ...]]] = [(-first, 0, (0,) * len(units))]
    while heap:
        negative, last, choice = heapq.heappop(heap)
        yield -negative, choice
        # Only units from the last one changed on are changed further, so that no choice comes up twice.
        for place in range(last, len(units)):
            options, number = units[place].options, choice[place]
            if number + 1 < len(options):
                step = options[number].log_probability - options[number + 1].log_probability
                further = (*choice[:place], number + 1, *choice[place + 1 :])
                heapq.heappush(heap, (negative + step, place, further))


def _counted(options: Sequence[Option]) -> Counter[int]:
    """How many tiles of each face: the hidden tiles of a kong shown in part have its face."""
    counts: Counter[int] = Counter()
    for option in options:
        shown = [face for face in option.classes if face != _BACK]
        if option.kind is MeldKind.CONCEALED_KONG and shown:
            shown = shown[:1] * 4
        counts.update(shown)
    return counts


def _legal(options: Sequence[Option]) -> bool:
    """Whether there are so many tiles of each face: four, and one of each flower."""
    return all(count <= (4 if face < SET_FACES else 1) for face, count in _counted(options).items())


def _wins(units: Sequence[Unit], options: Sequence[Option]) -> bool:
    """Whether these options make a winning hand."""
    counts = [0] * SET_FACES
    for unit, option in zip(units, options, strict=True):
        if unit.role in (Role.CONCEALED, Role.WINNING):
            if option.classes[0] >= SET_FACES:
                return False
            counts[option.classes[0]] += 1
    melds = [option for option in options if option.kind is not None]
    return is_winning(tuple(counts), len(melds))
