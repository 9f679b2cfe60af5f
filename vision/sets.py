"""How well tiles read as a set: the probability that the faces of three or four tiles make a meld.

Probabilities are rows of the reader's table over `vision.tiles.CLASSES`; tiles are taken as independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from vision.tiles import BACK, CLASS_INDEX

#: The faces that can be in a set come first in `CLASSES`: suits, then winds and dragons.
SET_FACES = 34
#: The lowest tile of each of the 21 chows, as class indices.
CHOW_STARTS = tuple(suit * 9 + rank for suit in range(3) for rank in range(7))

_BACK_COLUMN = CLASS_INDEX[BACK]
# No piece of evidence about one set weighs more than this, so that one misread tile cannot veto a meld.
_LEAST = 1e-5
# A face-down tile fits every face: what the face of a kong would be is not in the picture.
_ANY_FACE = 1 / SET_FACES

Faces = NDArray[np.float64]


def pung_or_kong_evidence(rows: Faces) -> Faces:
    """For each of the 34 faces the probability that these tiles (k×44) bear it; a kong's backs fit any."""
    known = rows[:, :SET_FACES]
    if len(rows) == 4:
        known = known + rows[:, _BACK_COLUMN, None]
    alike: Faces = np.prod(known, axis=0)
    if len(rows) == 4:
        # Four backs fit every face equally: share the one possibility out instead of counting it 34 times.
        alike = alike - np.prod(rows[:, _BACK_COLUMN]) * (1 - _ANY_FACE)
    return alike


def chow_evidence(rows: Faces) -> Faces:
    """For each of the 21 chows the probability that three tiles (3×44) are it, in whatever order they lie."""
    total = np.zeros(len(CHOW_STARTS))
    starts = np.array(CHOW_STARTS)
    for order in permutations(range(3)):
        total += rows[0, starts + order[0]] * rows[1, starts + order[1]] * rows[2, starts + order[2]]
    return total


def meld_evidence(faces: Faces, members: Sequence[int]) -> float:
    """Log of the probability that these tiles make a chow, pung or kong, bounded below; -inf if never a set.

    faces: N×44; members: row indices.
    """
    if len(members) not in (3, 4):
        return -np.inf
    rows = faces[list(members)]
    probability = float(pung_or_kong_evidence(rows).sum())
    if len(members) == 3:
        probability += float(chow_evidence(rows).sum())
    return float(np.log(min(probability, 1.0) + _LEAST))


def split_into_melds(faces: Faces, members: Sequence[int]) -> tuple[float, tuple[tuple[int, ...], ...]]:
    """The best way of cutting a run of tiles into melds, with its log evidence; (-inf, ()) where none fits.

    >>> import numpy as np
    >>> faces = np.eye(44)[[0, 0, 0, 3, 4, 5]]
    >>> score, melds = split_into_melds(faces, range(6))
    >>> round(score, 2), melds
    (0.0, ((0, 1, 2), (3, 4, 5)))
    """
    best: list[tuple[float, tuple[tuple[int, ...], ...]]] = [(0.0, ())]
    for stop in range(1, len(members) + 1):
        options: list[tuple[float, tuple[tuple[int, ...], ...]]] = [(-np.inf, ())]
        for length in (3, 4):
            if stop < length or not np.isfinite(best[stop - length][0]):
                continue
            meld = tuple(members[stop - length : stop])
            score, earlier = best[stop - length]
            options.append((score + meld_evidence(faces, meld), (*earlier, meld)))
        best.append(max(options, key=lambda option: option[0]))
    return best[-1] if members and np.isfinite(best[-1][0]) else (-np.inf, ())
