"""A second opinion on faces: how much the tiles of a photo look like the confirmed tiles of a set.

The reader's face head sees features of a tile; these are compared by cosine with the features of every reference,
turned four ways. The similarity counts twice, because it answers two questions with different certainty:

1. *Which* of the faces with references is it? There the likeness of each face competes with that of the others. The
   more alike the best of them is, the less the reader's own probabilities count.
2. *Is it* one of those faces at all? Only a likeness that a different face seldom reaches raises their probability
   against the faces without references. So those lose nothing to a reference that is merely the nearest one.

If nothing looks alike, the reader's answer stays as it is.

How far all this counts depends on the photo: tiles that the reader is sure of must look like their references. If they
do not, another set lies on the table, and the reader is left alone.
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
from vision.tilesets.thresholds import SimilarityWeights

_QUARTER_TURNS = 4
_DEFAULT_WEIGHTS = SimilarityWeights()


class SecondOpinion:
    """Weighs the reader's looks with the references of a set; made once, used for many photos."""

    def __init__(
        self, faces: Sequence[str], features: Floats, weights: SimilarityWeights = _DEFAULT_WEIGHTS
    ) -> None:
        """Take the references.

        faces: the face of each of N references, N ≥ 1. features: N×4×F, of each crop turned by 0 to 3 quarters
        (see `turned_features`). weights: how much the references count.
        """
        self._known, self._face_of = np.unique([CLASS_INDEX[face] for face in faces], return_inverse=True)
        self._references = _directions(features).reshape(-1, features.shape[-1])
        self._weights = weights

    def __call__(self, looks: Looks) -> Looks:
        """The looks of one photo's tiles, with probabilities moved towards what the tiles look like."""
        if not len(looks.features):
            return looks
        read = looks.probabilities.astype(np.float64)
        similarity = self.similarity(looks.features)
        trust = self._trust(read, similarity)
        probabilities = trust * self._weighed(read, similarity) + (1 - trust) * read
        return Looks(probabilities.astype(np.float32), looks.turns, looks.features)

    def similarity(self, features: Floats) -> NDArray[np.float64]:
        """How alike N tiles with features N×F are to each of K known faces, at most 1: N×K, faces ascending."""
        every = _directions(features) @ self._references.T
        best = every.reshape(len(features), -1, _QUARTER_TURNS).max(axis=2)
        of_face = [best[:, self._face_of == face].max(axis=1) for face in range(len(self._known))]
        return np.stack(of_face, axis=1).astype(np.float64)

    def _weighed(self, read: NDArray[np.float64], similarity: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probabilities N×44 as read, moved by the similarity N×K as if the set lay on the table."""
        weights = self._weights
        logs = np.log(np.maximum(read, weights.least_probability))
        known = logs[:, self._known]
        best = similarity.max(axis=1, keepdims=True, initial=-1)
        alike = _rise(best - weights.comparable, weights.comparable_sharpness)
        among = _log_softmax(
            (1 - alike * (1 - weights.read_beside)) * known + alike * weights.likeness * similarity
        )
        evidence = weights.evidence * _rise(similarity - weights.alike, weights.alike_sharpness)
        together = np.logaddexp.reduce(known + evidence, axis=1, keepdims=True)
        logs[:, self._known] = together + among
        return np.asarray(np.exp(_log_softmax(logs)))

    def _trust(self, read: NDArray[np.float64], similarity: NDArray[np.float64]) -> float:
        """How surely the tiles of this photo belong to this set, 0 to 1."""
        weights = self._weights
        best = read.argmax(axis=1)
        tile, column = np.nonzero(best[:, None] == self._known)
        alike = similarity[tile, column][read.max(axis=1)[tile] > weights.surely_read]
        # The median, because a tile of this set that the reader surely takes for another face resembles no reference
        # of that face.
        middle = np.median([*alike, *[weights.assumed] * weights.assumed_tiles])
        return float(np.clip((middle - weights.other_set) / (weights.this_set - weights.other_set), 0, 1))


def second_opinion(
    references: Sequence[Reference], weights: SimilarityWeights = _DEFAULT_WEIGHTS
) -> SecondOpinion:
    """The opinion of these references, at least one, with features of the present reader.

    Only the latest references of each face are compared. Raises `models.manifest.ModelError` if the reader is missing.
    """
    counts: Counter[str] = Counter()
    latest = []
    for reference in reversed(references):
        counts[reference.face] += 1
        if counts[reference.face] <= weights.most_of_a_face:
            latest.append(reference)
    features = _features(b"".join(reference.crop.tobytes() for reference in latest))
    return SecondOpinion([reference.face for reference in latest], features, weights)


@lru_cache(maxsize=8)
def _features(crops: bytes) -> Floats:
    """Features N×4×F of N crops turned by 0 to 3 quarters; kept for the next photos of this process."""
    upright = np.frombuffer(crops, np.uint8).reshape(-1, CROP, CROP, 3)
    return turned_features(Reader(open_session("reader")), upright)


def turned_features(reader: Reader, crops: Pixels) -> Floats:
    """Features N×4×F of N×64×64×3 crops turned by 0 to 3 quarters clockwise."""
    turned = [np.ascontiguousarray(np.rot90(crops, -turn, axes=(1, 2))) for turn in range(_QUARTER_TURNS)]
    features: Floats = np.stack([reader.look(each).features for each in turned], axis=1)
    return features


def _directions(features: Floats) -> Floats:
    directions: Floats = features / np.maximum(np.linalg.norm(features, axis=-1, keepdims=True), 1e-9)
    return directions


def _rise(beyond: NDArray[np.float64], sharpness: float) -> NDArray[np.float64]:
    """From 0 to 1, and a half where the threshold is just reached."""
    return np.asarray(1 / (1 + np.exp(-sharpness * beyond)))


def _log_softmax(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True))
