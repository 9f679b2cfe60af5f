"""The units of a hand: the tiles that are read together, and the ways to read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import log

import numpy as np
from numpy.typing import NDArray

from scorer import MeldKind
from vision.decoding.thresholds import DecodingPriors
from vision.layout.roles import Group, Layout, Role
from vision.layout.set_evidence import CHOW_STARTS
from vision.tiles import BACK, CLASS_INDEX, FACES, NONE, SET_FACES

Probabilities = NDArray[np.float64]

_BACK = CLASS_INDEX[BACK]
_FLOWERS = range(SET_FACES, len(FACES))


@dataclass(frozen=True)
class Option:
    """One way to read a unit: a class index for each tile, its log probability, and the meld it makes."""

    classes: tuple[int, ...]
    log_probability: float
    kind: MeldKind | None = None


@dataclass(frozen=True)
class Unit:
    """Tiles that are read together: one tile, or the tiles of a meld; options likeliest first."""

    tiles: tuple[int, ...]
    role: Role
    options: tuple[Option, ...]


def units_of(probabilities: Probabilities, layout: Layout, priors: DecodingPriors) -> list[Unit]:
    """Return everything that belongs to the hand, as units; `probabilities` are N×44 over `CLASSES`."""
    units = []
    for group in layout.groups:
        if group.role is Role.MELD:
            concealed = _concealed(group, probabilities, layout, priors)
            options = _meld(probabilities[list(group.members)], concealed, priors)
            units.append(Unit(group.members, group.role, options))
            continue
        for tile in group.members:
            # Only a tile that looks face down most of all is: no constraint may turn a face over.
            down = [_BACK] if probabilities[tile, : CLASS_INDEX[NONE]].argmax() == _BACK else []
            allowed = _FLOWERS if group.role is Role.FLOWER else [*range(SET_FACES), *down]
            units.append(Unit((tile,), group.role, _single(probabilities[tile], allowed, priors)))
    return units


def _logs(probabilities: Probabilities, priors: DecodingPriors) -> Probabilities:
    logs: Probabilities = np.log(np.maximum(probabilities, priors.least))
    return logs


def _within_reach(options: Sequence[Option], priors: DecodingPriors) -> tuple[Option, ...]:
    """The first few of some options, likeliest first, that are not much less likely than the first."""
    least = options[0].log_probability - priors.reach
    return tuple(option for option in options[: priors.options] if option.log_probability > least)


def _single(row: Probabilities, allowed: Sequence[int], priors: DecodingPriors) -> tuple[Option, ...]:
    """The likeliest of the allowed classes of one tile."""
    logs = _logs(row, priors)
    ranked = sorted(allowed, key=lambda face: -row[face])[: priors.options]
    return _within_reach([Option((face,), float(logs[face])) for face in ranked], priors)


def _meld(rows: Probabilities, concealed: float, priors: DecodingPriors) -> tuple[Option, ...]:
    """The likeliest melds of three or four tiles; `concealed` is the chance that a kong face up is concealed."""
    logs = _logs(rows, priors)
    down = (rows.argmax(axis=1) == _BACK) & (len(rows) == 4)
    if len(rows) == 4:
        concealed = 1.0 if down.any() else concealed
        kinds = {MeldKind.MELDED_KONG: 1 - concealed, MeldKind.CONCEALED_KONG: concealed}
        options = list(_of_one_face(logs, down, kinds))
    else:
        options = [*_chows(logs), *_of_one_face(logs, down, {MeldKind.PUNG: 1.0})]
    if down.all():
        options = options[-1:]  # which face it is cannot be seen: one option, not 34 guesses
    return _within_reach(sorted(options, key=lambda option: -option.log_probability), priors)


def _chows(logs: Probabilities) -> Iterator[Option]:
    """Each of the 21 chows, with its tiles in the likeliest order."""
    for start in CHOW_STARTS:
        orders = ((start + one, start + two, start + three) for one, two, three in permutations(range(3)))
        best = max(orders, key=lambda classes: float(logs[range(3), classes].sum()))
        yield Option(best, float(logs[range(3), best].sum()), MeldKind.CHOW)


def _of_one_face(
    logs: Probabilities, down: NDArray[np.bool_], kinds: dict[MeldKind, float]
) -> Iterator[Option]:
    """A pung or kong of each face, of every kind that has a chance; `down` says which tiles lie face down."""
    for face in range(SET_FACES):
        classes = tuple(_BACK if is_down else face for is_down in down)
        likely = float(logs[range(len(logs)), classes].sum())
        for kind, chance in kinds.items():
            if chance:
                yield Option(classes, likely + log(chance), kind)


def _concealed(group: Group, probabilities: Probabilities, layout: Layout, priors: DecodingPriors) -> float:
    """The chance that a kong that lies face up is concealed, shown at the end of the hand.

    One with a tile sideways was claimed. If other melds have a tile sideways and none is without, their owner turns
    what he claims: the more such melds there are, the likelier he did not claim this one.
    """
    if any(layout.sideways[tile] for tile in group.members):
        return 0.0
    turned = [
        any(layout.sideways[tile] for tile in other.members)
        for other in layout.melds
        if other is not group and not (probabilities[list(other.members)].argmax(axis=1) == _BACK).any()
    ]
    odds = priors.laid_open * (priors.turns_claimed ** len(turned) if all(turned) else 1)
    return odds / (1 + odds)
