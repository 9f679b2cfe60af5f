"""The most probable legal reading of a laid-out hand, over all its tiles at once, and its rivals.

Each tile of the hand, each meld and each flower is a *unit* with a few options and their log
probabilities. Joint readings are taken in the order of their probability from a heap; illegal ones (five
of a face, a flower twice) are dropped, and one that wins gets `WIN_PRIOR` log-odds on top: people
photograph hands they have won. That prior can turn a doubtful tile, never a clear one, and every tile it
turned is flagged, as is every tile whose own probability is low or on which a strong rival differs.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import log
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorer import Circumstances, Hand, HandError, Meld, MeldKind, hand_to_json, is_winning
from vision.decoding.doubts import STRONG_RIVAL, SURE, Doubt, doubts_of
from vision.layout.roles import Group, Layout, Role
from vision.layout.set_evidence import CHOW_STARTS
from vision.tiles import BACK, CLASS_INDEX, CLASSES, FACES, NONE, SET_FACES, Tiles

__all__ = ["Decoding", "Doubt", "Reading", "decode"]

#: Log-odds that a hand of fourteen tiles laid out for a photo is a winning one, beyond what the tiles show.
WIN_PRIOR = 3.5

#: More tiles than this (a kong counted as three) are no hand with a tile too many: no rule of hands speaks of them.
MOST_OF_A_HAND = 18

_NONE = CLASS_INDEX[NONE]
_WHOLE = 14  # tiles of a whole hand, a kong counted as three
_OPTIONS = 6  # per unit
_LEAST = 1e-4  # no reader is surer than this that a face is not there
_REACH = 7.0  # faces less likely than the likeliest one by this log-odds are no options
_MOST_LOOKED_AT = 600
_MOST_READINGS = 8
_LAID_OPEN = 0.25  # odds that a kong face up with no tile sideways is concealed
_TURNS_CLAIMED = 2.5  # how much each other meld with a tile sideways, and none without, raises them
_LAST_TILE = 0.5  # chance that the winning tile is the last of the row when none lies apart


@dataclass(frozen=True)
class Reading:
    """One legal hand with the tiles as read, and its probability among all legal readings.

    faces: the class of each tile of the table.
    """

    hand: Hand
    faces: tuple[str, ...]
    probability: float
    circumstances: Circumstances

    def to_json(self) -> dict[str, Any]:
        """The hand and its probability as `photo --json` prints them."""
        return {
            "hand": hand_to_json(self.hand, self.circumstances),
            "probability": round(self.probability, 4),
        }


@dataclass(frozen=True)
class Decoding:
    """What the tiles of a table are, taken together.

    faces: the class of each tile; confidences: the reader's own probability of that class.
    doubts: at most one a tile, in the order of the table.
    readings: legal hands, likeliest first; empty where the tiles do not make a hand of fourteen.
    """

    faces: tuple[str, ...]
    confidences: tuple[float, ...]
    doubts: tuple[Doubt, ...]
    readings: tuple[Reading, ...]


@dataclass(frozen=True)
class _Option:
    """One way to read a unit: a class index a tile, its log probability, and the meld it makes."""

    classes: tuple[int, ...]
    log_probability: float
    kind: MeldKind | None = None


@dataclass(frozen=True)
class _Unit:
    """Tiles that are read together: one tile, or the tiles of a meld; options likeliest first."""

    tiles: tuple[int, ...]
    role: Role
    options: tuple[_Option, ...]


@dataclass(frozen=True)
class _Joint:
    """One option for every unit, with its log probability, the prior of winning included."""

    options: tuple[_Option, ...]
    score: float


def decode(tiles: Tiles, layout: Layout, circumstances: Circumstances | None = None) -> Decoding:
    """Read a laid-out table as one hand.

    `circumstances` go into the hands of the readings; they never change which tiles are read. Strays keep the
    class the reader likes best.
    """
    circumstances = circumstances or Circumstances()
    probabilities = tiles.probabilities.astype(np.float64)
    alone = probabilities.copy()
    alone[:, CLASS_INDEX[NONE]] = 0
    faces = [int(index) for index in alone.argmax(axis=1)] if len(tiles) else []
    units = _units(probabilities, layout)
    joints = _joints(units, layout) if layout.count <= MOST_OF_A_HAND else []
    chosen = list(faces)
    if joints:
        for unit, option in zip(units, joints[0].options, strict=True):
            for tile, face in zip(unit.tiles, option.classes, strict=True):
                chosen[tile] = face
    shares = _shares(joints)
    readings = _readings(units, joints, shares, faces, circumstances)
    confidences = tuple(float(probabilities[tile, face]) for tile, face in enumerate(chosen))
    won = bool(joints) and layout.count == _WHOLE and _wins(units, joints[0].options)
    disputed, kongs = _disputed(units, joints, shares), _kongs_of_two_kinds(units, joints, shares)
    borne_out = [
        _is_some_flower(probabilities[tile])
        if layout.roles[tile] is Role.FLOWER
        else won
        and layout.roles[tile] is not Role.WINNING
        and disputed.get(tile, (face, 0.0))[1] < STRONG_RIVAL
        for tile, face in enumerate(chosen)
    ]
    doubts = doubts_of(chosen, faces, confidences, borne_out, disputed, kongs, layout)
    return Decoding(tuple(CLASSES[face] for face in chosen), confidences, doubts, readings)


def _log(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    logs: NDArray[np.float64] = np.log(np.maximum(probabilities, _LEAST))
    return logs


def _single(row: NDArray[np.float64], allowed: Sequence[int]) -> tuple[_Option, ...]:
    """The likeliest of the allowed classes of one tile, as far as the reach of the search."""
    logs = _log(row)
    ranked = sorted(allowed, key=lambda face: -row[face])[:_OPTIONS]
    first = logs[ranked[0]]
    return tuple(_Option((face,), float(logs[face])) for face in ranked if logs[face] > first - _REACH)


def _meld(rows: NDArray[np.float64], concealed: float) -> tuple[_Option, ...]:
    """The likeliest melds of three or four tiles; `concealed` is the chance that a kong face up is concealed."""
    logs = _log(rows)
    back = CLASS_INDEX[BACK]
    down = (rows.argmax(axis=1) == back) & (len(rows) == 4)
    options = []
    if len(rows) == 3:
        for start in CHOW_STARTS:
            orders = (
                (start + order[0], start + order[1], start + order[2]) for order in permutations(range(3))
            )
            best = max(orders, key=lambda classes: float(logs[range(3), classes].sum()))
            options.append(_Option(best, float(logs[range(3), best].sum()), MeldKind.CHOW))
    kinds = {MeldKind.PUNG: 1.0}
    if len(rows) == 4:
        concealed = 1.0 if down.any() else concealed
        kinds = {MeldKind.MELDED_KONG: 1 - concealed, MeldKind.CONCEALED_KONG: concealed}
    for face in range(SET_FACES):
        classes = tuple(back if is_down else face for is_down in down)
        likely = float(logs[range(len(rows)), classes].sum())
        options += [_Option(classes, likely + log(chance), kind) for kind, chance in kinds.items() if chance]
    if down.all():
        options = options[-1:]  # which face it is cannot be seen: one option, not 34 guesses
    options.sort(key=lambda option: -option.log_probability)
    first = options[0].log_probability
    return tuple(option for option in options[:_OPTIONS] if option.log_probability > first - _REACH)


def _units(probabilities: NDArray[np.float64], layout: Layout) -> list[_Unit]:
    """Everything that belongs to the hand, as units."""
    flowers = range(SET_FACES, len(FACES))
    back = CLASS_INDEX[BACK]
    units = []
    for group in layout.groups:
        if group.role is Role.MELD:
            concealed = _concealed(group, probabilities, layout)
            options = _meld(probabilities[list(group.members)], concealed)
            units.append(_Unit(group.members, group.role, options))
            continue
        for tile in group.members:
            # Only a tile that looks face down most of all is: no constraint may turn a face over.
            down = [back] if probabilities[tile, :_NONE].argmax() == back else []
            allowed = flowers if group.role is Role.FLOWER else [*range(SET_FACES), *down]
            units.append(_Unit((tile,), group.role, _single(probabilities[tile], allowed)))
    return units


def _concealed(group: Group, probabilities: NDArray[np.float64], layout: Layout) -> float:
    """The chance that a kong that lies face up is a concealed one, shown at the end of the hand.

    One with a tile sideways was claimed. The more of the other melds have one, and none has not, the likelier
    its owner turns whatever he claims, and did not claim it.
    """
    if any(layout.sideways[tile] for tile in group.members):
        return 0.0
    back = CLASS_INDEX[BACK]
    turned = [
        any(layout.sideways[tile] for tile in other.members)
        for other in layout.melds
        if other is not group and not (probabilities[list(other.members)].argmax(axis=1) == back).any()
    ]
    odds = _LAID_OPEN * (_TURNS_CLAIMED ** len(turned) if all(turned) else 1)
    return odds / (1 + odds)


def _in_order_of_probability(units: Sequence[_Unit]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Every choice of one option a unit, likeliest first, as (log probability, option numbers)."""
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


def _joints(units: Sequence[_Unit], layout: Layout) -> list[_Joint]:
    """The legal joint readings worth looking at, best first."""
    found: list[_Joint] = []
    if not units:
        return found
    best = -np.inf
    complete = layout.count == _WHOLE
    for looked, (log_probability, choice) in enumerate(_in_order_of_probability(units)):
        # Later ones are less likely still: stop once even winning could not bring one near the best.
        hopeless = log_probability + (WIN_PRIOR if complete else 0) < best - np.log(1000)
        if looked >= _MOST_LOOKED_AT or hopeless:
            break
        options = tuple(unit.options[number] for unit, number in zip(units, choice, strict=True))
        if not _legal(options):
            continue
        score = log_probability + (WIN_PRIOR if complete and _wins(units, options) else 0.0)
        best = max(best, score)
        found.append(_Joint(options, score))
    return sorted(found, key=lambda joint: -joint.score)


def _counted(options: Sequence[_Option]) -> Counter[int]:
    """How many tiles of each face: the hidden tiles of a kong shown in part bear its face."""
    counts: Counter[int] = Counter()
    back = CLASS_INDEX[BACK]
    for option in options:
        shown = [face for face in option.classes if face != back]
        if option.kind is MeldKind.CONCEALED_KONG and shown:
            shown = shown[:1] * 4
        counts.update(shown)
    return counts


def _legal(options: Sequence[_Option]) -> bool:
    return all(count <= (4 if face < SET_FACES else 1) for face, count in _counted(options).items())


def _wins(units: Sequence[_Unit], options: Sequence[_Option]) -> bool:
    counts = [0] * SET_FACES
    for unit, option in zip(units, options, strict=True):
        if unit.role in (Role.CONCEALED, Role.WINNING):
            if option.classes[0] >= SET_FACES:
                return False
            counts[option.classes[0]] += 1
    melds = [option for option in options if option.kind is not None]
    return is_winning(tuple(counts), len(melds))


def _shares(joints: Sequence[_Joint]) -> NDArray[np.float64]:
    """The probability of each joint reading among all that were found."""
    scores = np.array([joint.score for joint in joints])
    weights = np.exp(scores - scores.max()) if len(scores) else scores
    shares: NDArray[np.float64] = weights / weights.sum() if len(scores) else scores
    return shares


def _readings(
    units: Sequence[_Unit],
    joints: Sequence[_Joint],
    shares: NDArray[np.float64],
    faces: Sequence[int],
    circumstances: Circumstances,
) -> tuple[Reading, ...]:
    """The likeliest hands; where no tile lies apart each may be the winning one, the last most likely."""
    merged: dict[Hand, Reading] = {}
    for joint, share in zip(joints[: 2 * _MOST_READINGS], shares, strict=False):
        named = list(faces)
        concealed: list[str] = []
        winning: str | None = None
        melds: list[Meld] = []
        flowers: list[str] = []
        try:
            for unit, option in zip(units, joint.options, strict=True):
                for tile, face in zip(unit.tiles, option.classes, strict=True):
                    named[tile] = face
                shown = [CLASSES[face] for face in option.classes]
                match unit.role:
                    case Role.MELD:
                        melds.append(_as_meld(option, shown))
                    case Role.FLOWER:
                        flowers += shown
                    case Role.WINNING:
                        winning = shown[0]
                    case _:
                        concealed += shown
            for won, chance in _winning_tiles(concealed, winning):
                kept = list(concealed)
                if winning is None:
                    kept.remove(won)
                hand = Hand(tuple(kept), tuple(melds), won, tuple(flowers))
                classes = tuple(CLASSES[face] for face in named)
                earlier = merged.get(hand)
                probability = float(share) * chance + (earlier.probability if earlier else 0.0)
                merged[hand] = Reading(
                    hand, earlier.faces if earlier else classes, probability, circumstances
                )
        except HandError:
            if joint is joints[0]:
                return ()  # a face-down tile or a wrong count: no less likely reading may hide that
    ranked = sorted(merged.values(), key=lambda reading: -reading.probability)
    return tuple(ranked[:_MOST_READINGS])


def _as_meld(option: _Option, shown: Sequence[str]) -> Meld:
    kind = MeldKind(option.kind or MeldKind.PUNG)
    if kind is MeldKind.CONCEALED_KONG:
        known = [face for face in shown if face != BACK]
        return Meld(kind, tuple(known[:1] or [BACK]) * 4)
    return Meld(kind, tuple(shown))


def _winning_tiles(concealed: Sequence[str], winning: str | None) -> list[tuple[str, float]]:
    """Which tile may have won, with the chance of each."""
    if winning is not None:
        return [(winning, 1.0)]
    if not concealed:
        return []
    chances: dict[str, float] = dict.fromkeys(reversed(concealed), 0.0)
    for face in concealed:
        chances[face] += (1 - _LAST_TILE) / len(concealed)
    chances[concealed[-1]] += _LAST_TILE
    return list(chances.items())


def _disputed(
    units: Sequence[_Unit], joints: Sequence[_Joint], shares: NDArray[np.float64]
) -> dict[int, tuple[int, float]]:
    """For each tile the strongest other face among the joint readings and its probability."""
    against: dict[int, dict[int, float]] = {}
    for joint, share in zip(joints[1:], shares[1:], strict=True):
        for unit, option, first in zip(units, joint.options, joints[0].options, strict=True):
            for tile, face, kept in zip(unit.tiles, option.classes, first.classes, strict=True):
                if face != kept:
                    faces = against.setdefault(tile, {})
                    faces[face] = faces.get(face, 0.0) + float(share)
    return {tile: max(rivals.items(), key=itemgetter(1)) for tile, rivals in against.items()}


def _is_some_flower(row: NDArray[np.float64]) -> bool:
    """Whether a tile surely is a flower; each is worth the same, so that which one it is matters little."""
    return float(row[SET_FACES : len(FACES)].sum()) >= SURE


def _kongs_of_two_kinds(
    units: Sequence[_Unit], joints: Sequence[_Joint], shares: NDArray[np.float64]
) -> dict[int, str]:
    """For the first tile of each kong that may well be of the other kind what it may be."""
    against: dict[int, float] = {}
    for joint, share in zip(joints[1:], shares[1:], strict=True):
        for unit, option, first in zip(units, joint.options, joints[0].options, strict=True):
            if option.kind != first.kind and len(unit.tiles) == 4:
                against[unit.tiles[0]] = against.get(unit.tiles[0], 0.0) + float(share)
    kinds = {
        unit.tiles[0]: "melded" if option.kind is MeldKind.CONCEALED_KONG else "concealed"
        for unit, option in zip(units, joints[0].options if joints else (), strict=False)
    }
    return {tile: kinds[tile] for tile, share in against.items() if share >= STRONG_RIVAL}
