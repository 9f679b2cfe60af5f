"""A second opinion on what tiles show: how much they look like the confirmed tiles of a set.

A tile's features, what the reader's face head sees, are compared by cosine with those of every reference, turned four
ways. The similarity speaks twice, because it says two things with different certainty:

1. *Which* of the faces that have references it is: there the likeness of each competes with that of the others, and
   the reader's own probabilities count the less, the more the best of them is alike.
2. *Whether* it is one of those at all: only a likeness that a different face seldom reaches raises their sum against
   the faces without references, which thus lose nothing to a reference that is merely the nearest one.

Where nothing looks alike, the reader's word stands as it is.

How far all this is followed depends on the photo: tiles that the reader is sure of must look like their references.
Where they do not, another set lies on the table and the reader is left alone.

The constants were chosen on seven sheets of sets that the reader in question never saw, and are measured on the others
by `python -m tests.bench.bench_tileset`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.networks.reader import CROP, Looks, Reader
from vision.networks.sessions import open_session
from vision.tiles import CLASS_INDEX, Floats, Pixels
from vision.tilesets.references import Reference

_TURNS = 4
_MOST_OF_A_FACE = 8  # each costs four looks of the reader once a process
_LEAST = 1e-6  # no reading is so sure that a likeness could not outweigh it

# Which of the known faces: what the similarity weighs, and what the reader's log odds still weigh, beside a perfect
# likeness; from which best similarity on that is so, and how sharply.
_LIKENESS, _READ_BESIDE, _COMPARABLE, _COMPARABLE_SHARPNESS = 23.5, 0.1, 0.65, 12.0
# Whether it is a known face: the evidence of a perfect likeness, added to the reader's log odds; the similarity from
# which on it counts, and how sharply it does.
_EVIDENCE, _ALIKE, _ALIKE_SHARPNESS = 8.0, 0.81, 30.0
# The set on the table is believed in fully where tiles read surely are this similar to their references, and not at
# all below; before any was seen, two tiles of a likeness in between are assumed.
_OTHER_SET, _THIS_SET, _ASSUMED, _ASSUMED_TILES = 0.83, 0.91, 0.9, 2
_SURELY_READ = 0.95


class SecondOpinion:
    """Weighs the reader's looks with the references of a set; made once, used for many photos."""

    def __init__(self, faces: Sequence[str], features: Floats) -> None:
        """Take the face of each of the references, of which there is one at least, and its N×4×F features.

        The four are those of the crop turned by 0 to 3 quarters (see `turned_features`).
        """
        self._known, self._face_of = np.unique([CLASS_INDEX[face] for face in faces], return_inverse=True)
        self._references = _directions(features).reshape(-1, features.shape[-1])

    def __call__(self, looks: Looks) -> Looks:
        """The looks of one photo's tiles, their probabilities moved towards what the tiles look like."""
        if not len(looks.features):
            return looks
        read = looks.probabilities.astype(np.float64)
        similarity = self.similarity(looks.features)
        trust = self._trust(read, similarity)
        probabilities = trust * self._weighed(read, similarity) + (1 - trust) * read
        return Looks(probabilities.astype(np.float32), looks.turns, looks.features)

    def similarity(self, features: Floats) -> NDArray[np.float64]:
        """How alike N tiles with these features N×F are to each known face, at most 1: N×K, faces ascending."""
        every = _directions(features) @ self._references.T
        best = every.reshape(len(features), -1, _TURNS).max(axis=2)
        of_face = [best[:, self._face_of == face].max(axis=1) for face in range(len(self._known))]
        return np.stack(of_face, axis=1).astype(np.float64)

    def _weighed(self, read: NDArray[np.float64], similarity: NDArray[np.float64]) -> NDArray[np.float64]:
        logs = np.log(np.maximum(read, _LEAST))
        known = logs[:, self._known]
        best = similarity.max(axis=1, keepdims=True, initial=-1)
        likeness = _rise(best - _COMPARABLE, _COMPARABLE_SHARPNESS)
        among = _log_softmax((1 - likeness * (1 - _READ_BESIDE)) * known + likeness * _LIKENESS * similarity)
        evidence = _EVIDENCE * _rise(similarity - _ALIKE, _ALIKE_SHARPNESS)
        together = np.logaddexp.reduce(known + evidence, axis=1, keepdims=True)
        logs[:, self._known] = together + among
        return np.asarray(np.exp(_log_softmax(logs)))

    def _trust(self, read: NDArray[np.float64], similarity: NDArray[np.float64]) -> float:
        """How surely the tiles of this photo are of this set, 0 to 1."""
        best = read.argmax(axis=1)
        tile, column = np.nonzero(best[:, None] == self._known)
        alike = similarity[tile, column][read.max(axis=1)[tile] > _SURELY_READ]
        # The median: what the reader takes for another face of this set, however surely, is like no reference of that.
        middle = np.median([*alike, *[_ASSUMED] * _ASSUMED_TILES])
        return float(np.clip((middle - _OTHER_SET) / (_THIS_SET - _OTHER_SET), 0, 1))


def second_opinion(references: Sequence[Reference]) -> SecondOpinion:
    """The opinion of these references, of which there is one at least, by the features of the present reader.

    Of each face the latest eight are asked. Raises `models.manifest.ModelError` where the reader is missing.
    """
    counts: Counter[str] = Counter()
    latest = []
    for reference in reversed(references):
        counts[reference.face] += 1
        if counts[reference.face] <= _MOST_OF_A_FACE:
            latest.append(reference)
    references = latest
    features = _features(b"".join(reference.crop.tobytes() for reference in references))
    return SecondOpinion([reference.face for reference in references], features)


@lru_cache(maxsize=8)
def _features(crops: bytes) -> Floats:
    """Features N×4×F of N crops turned by 0 to 3 quarters; kept for the next photos of this process."""
    upright = np.frombuffer(crops, np.uint8).reshape(-1, CROP, CROP, 3)
    return turned_features(Reader(open_session("reader")), upright)


def turned_features(reader: Reader, crops: Pixels) -> Floats:
    """Features N×4×F of N×64×64×3 crops turned by 0 to 3 quarters clockwise."""
    turned = [np.ascontiguousarray(np.rot90(crops, -turn, axes=(1, 2))) for turn in range(_TURNS)]
    features: Floats = np.stack([reader.look(each).features for each in turned], axis=1)
    return features


def _directions(features: Floats) -> Floats:
    directions: Floats = features / np.maximum(np.linalg.norm(features, axis=-1, keepdims=True), 1e-9)
    return directions


def _rise(beyond: NDArray[np.float64], sharpness: float) -> NDArray[np.float64]:
    """From 0 to 1, a half where the threshold is just reached."""
    return np.asarray(1 / (1 + np.exp(-sharpness * beyond)))


def _log_softmax(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True))
