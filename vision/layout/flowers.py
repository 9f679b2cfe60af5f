"""Which flowers belong to a hand: put aside with care, near it, and not among the discards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from vision.layout.rows import Frames, Row
from vision.tiles import BACK, CLASS_INDEX, FACES

_LAST_SUIT_OR_HONOUR = 34
_FLOWER = 0.5  # a tile more likely a flower than not
_BACK = 0.5
# Flowers apart from the main row: how sure at least, how far off at most in tiles, how large at least beside
# the hand's tiles. Dice and chips look like flowers, and are small.
_FLOWERS_APART = ((0.55, 1.8, 0.85), (0.8, 2.2, 0.65), (0.97, 6.0, 0.8))
_SIDE_BY_SIDE = 2.0  # tiles nearer than so many tiles lie side by side
_CLEARLY_BESIDE = 2.2  # a lone flower further off may be somebody else's
_HIGH = 1.35  # the height of a tile in widths
_ASKEW = np.radians(15)


def flowers_shown(faces: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which tiles (N×44) are more likely a flower than not."""
    flowers: NDArray[np.bool_] = faces[:, _LAST_SUIT_OR_HONOUR : len(FACES)].sum(axis=1) > _FLOWER
    return flowers


def backs_shown(faces: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which tiles (N×44) more likely lie face down than not."""
    backs: NDArray[np.bool_] = faces[:, CLASS_INDEX[BACK]] > _BACK
    return backs


def stretches(run: Sequence[int], flower: NDArray[np.bool_]) -> list[tuple[bool, tuple[int, ...]]]:
    """A run cut where flowers and playing tiles meet, with whether each stretch is of flowers."""
    return [
        (is_flower, tuple(part)) for is_flower, part in groupby(run, key=lambda index: bool(flower[index]))
    ]


def flowers_of(
    rows: Sequence[Row], main: Row, hand: set[int], frame: Frames, faces: NDArray[np.float64]
) -> tuple[list[tuple[int, ...]], frozenset[int]]:
    """The stretches of flowers that belong to the hand, and the flowers about which one may doubt.

    Those in its main row belong to it, and those that are sure and near. Elsewhere dice and chips may look like
    flowers, and flowers may lie among the discards.
    """
    flower, backs = flowers_shown(faces), backs_shown(faces)
    near = sorted(hand or main.members)
    litter = [tile for tile in range(len(flower)) if not (flower[tile] or backs[tile] or tile in near)]
    found: list[tuple[int, ...]] = []
    doubtful: set[int] = set()
    for row in rows:
        for run in row.runs:
            for is_flower, members in stretches(run, flower):
                if not is_flower:
                    continue
                if row is main:
                    found.append(members)
                elif not _sure_flowers(members, near, frame, faces):
                    continue
                elif _among(members, litter, near, frame):
                    if 1 < len(members) == len(run):  # a row of flowers alone is seldom one of discards
                        doubtful.update(members)
                else:
                    askew = _askew(members, near, frame)
                    if not askew:
                        found.append(members)
                    if len(members) == 1 and (askew or frame.away(members, near) > _CLEARLY_BESIDE):
                        doubtful.update(members)
    return found, frozenset(doubtful)


def _among(members: Sequence[int], litter: Sequence[int], hand: Sequence[int], frame: Frames) -> bool:
    """Whether one of these tiles lies side by side with litter, which is nearer than the hand."""
    return frame.away(members, litter) < min(_SIDE_BY_SIDE, frame.away(members, hand))


def _askew(members: Sequence[int], hand: Sequence[int], frame: Frames) -> bool:
    """Whether a lone tile lies neither straight to the nearest tile of the hand nor straight across it.

    What is put aside with care lies square to the hand, what was left lying does not.
    """
    if len(members) > 1:
        return False
    nearest = hand[int(frame.apart[list(hand), members[0]].argmin())]
    along, across = frame.along[nearest], frame.across[nearest]
    # In lengths of that tile, which is higher than wide, perspective drops out.
    x, y = np.linalg.solve(np.stack([along, across], axis=1), frame.edges[members[0]])
    turn = np.arctan2(y * _HIGH, x) % (np.pi / 2)
    return bool(_ASKEW < turn < np.pi / 2 - _ASKEW)


def _sure_flowers(
    members: Sequence[int], hand: Sequence[int], frame: Frames, faces: NDArray[np.float64]
) -> bool:
    """Whether these tiles are surely flowers, of the hand's size, and near it; the further off the surer."""
    run, near = list(members), list(hand)
    sure = float(faces[run, _LAST_SUIT_OR_HONOUR : len(FACES)].sum(axis=1).min())
    gaps = frame.centres[run][:, None] - frame.centres[near][None]
    away = float((np.hypot(gaps[..., 0], gaps[..., 1]) / frame.sizes[near]).min())
    size = float(np.median(frame.sizes[run])) / float(np.median(frame.sizes[near]))
    return any(
        sure > least and away < furthest and size > smallest for least, furthest, smallest in _FLOWERS_APART
    )
