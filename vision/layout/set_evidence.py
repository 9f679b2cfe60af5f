"""How well tiles read as a set: the probability that the faces of three or four tiles make a meld.

Probabilities are rows of the reader's table over `vision.tiles.CLASSES`; tiles are taken as independent.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from vision.tiles import BACK, CLASS_INDEX, SET_FACES

#: The lowest tile of each of the 21 chows, as class indices.
CHOW_STARTS = tuple(suit * 9 + rank for suit in range(3) for rank in range(7))

_CHOW_TILES = np.array(CHOW_STARTS)[:, None] + np.arange(3)
_BACK_COLUMN = CLASS_INDEX[BACK]
# A face-down tile fits every face: what the face of a kong would be is not in the picture.
_ANY_FACE = 1 / SET_FACES

Faces = NDArray[np.float64]


def pung_or_kong_evidence(rows: Faces) -> Faces:
    """For each of the 34 faces the probability that all tiles (…×k×44) show it: …×34; a kong's backs fit any."""
    known = rows[..., :SET_FACES]
    if rows.shape[-2] != 4:
        pung: Faces = np.prod(known, axis=-2)
        return pung
    backs = rows[..., _BACK_COLUMN, None]
    # Four backs fit every face equally: share the one possibility out instead of counting it 34 times.
    kong: Faces = np.prod(known + backs, axis=-2) - np.prod(backs, axis=-2) * (1 - _ANY_FACE)
    return kong


def chow_evidence(rows: Faces) -> Faces:
    """For each of the 21 chows the probability that three tiles (…×3×44) are it, in any order: …×21."""
    first, second, third = (rows[..., tile, _CHOW_TILES] for tile in range(3))
    total: Faces = sum(
        (first[..., a] * second[..., b] * third[..., c] for a, b, c in permutations(range(3))),
        np.zeros(1),
    )
    return total


def meld_evidence(rows: Faces, least: float) -> Faces:
    """Log of the probability that tiles (…×k×44) make a chow, pung or kong: one value per group of k tiles.

    `least` is added to the probability, so that one misread tile cannot veto a meld.
    Raises ValueError if k is neither three nor four.

    >>> round(float(meld_evidence(np.eye(44)[[3, 5, 4]], least=1e-5)), 2)
    0.0
    """
    if rows.shape[-2] not in (3, 4):
        raise ValueError(f"a meld has three or four tiles, not {rows.shape[-2]}")
    probability = pung_or_kong_evidence(rows).sum(axis=-1)
    if rows.shape[-2] == 3:
        probability = probability + chow_evidence(rows).sum(axis=-1)
    evidence: Faces = np.log(np.minimum(probability, 1.0) + least)
    return evidence
