"""A second opinion on what tiles show: how much they look like the confirmed tiles of a set."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from vision.read import CROP, Looks, Pixels, Reader
from vision.sessions import open_session
from vision.tiles import CLASS_INDEX, Floats
from vision.tileset.lessons import Reference

_TURNS = 4
_SHARPNESS = 12.0
_WEIGHT = 1.0


class SecondOpinion:
    """Weighs the reader's looks with the references of a set; made once, used for many photos."""

    def __init__(self, faces: Sequence[str], features: Floats) -> None:
        """Take the face of each reference and its features N×4×F, turned by 0 to 3 quarters clockwise."""
        self._faces = np.array([CLASS_INDEX[face] for face in faces], np.intp)
        self._features = _directions(features)

    def __call__(self, looks: Looks) -> Looks:
        """Return the looks with the probabilities moved towards what the tiles look like."""
        similar = np.einsum("qf,rtf->qrt", _directions(looks.features), self._features)
        best = similar.max(axis=2)
        known = np.unique(self._faces)
        nearest = np.stack([best[:, self._faces == face].max(axis=1) for face in known], axis=1)
        evidence = np.zeros_like(looks.probabilities)
        evidence[:, known] = _SHARPNESS * (nearest - 0.8)
        logits = np.log(np.maximum(looks.probabilities, 1e-7)) + _WEIGHT * np.clip(evidence, -2, 4)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return Looks(odds / odds.sum(axis=1, keepdims=True), looks.turns, looks.features)


def second_opinion(references: Sequence[Reference]) -> SecondOpinion:
    """The opinion of these references, of which there is at least one, by the features of the present reader.

    Raises `models.manifest.ModelError` where the reader is missing.
    """
    features = _features(b"".join(reference.crop.tobytes() for reference in references))
    return SecondOpinion([reference.face for reference in references], features)


@lru_cache(maxsize=8)
def _features(crops: bytes) -> Floats:
    """Features N×4×F of N crops turned by 0 to 3 quarters; kept for the next photos of this process."""
    upright = np.frombuffer(crops, np.uint8).reshape(-1, CROP, CROP, 3)
    return turned_features(Reader(open_session("reader")), upright)


def turned_features(reader: Reader, crops: Pixels) -> Floats:
    """Features N×4×F of N×80×80×3 crops turned by 0 to 3 quarters clockwise."""
    turned = [np.ascontiguousarray(np.rot90(crops, -turn, axes=(1, 2))) for turn in range(_TURNS)]
    features: Floats = np.stack([reader.look(each).features for each in turned], axis=1)
    return features


def _directions(features: Floats) -> Floats:
    directions: Floats = features / np.maximum(np.linalg.norm(features, axis=-1, keepdims=True), 1e-9)
    return directions
