"""The two tables that travel between the stages of recognition.

Frame and units, everywhere in `vision`: pixels of the *upright* photo, x to the right, y down, the origin at
the outer corner of the top left pixel (so a photo of width W spans x from 0 to W and the middle of the first
pixel lies at 0.5, 0.5). A quad is four corners, clockwise as seen on the screen.

Both tables are valid once built: arrays are converted, checked, copied and made read-only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scorer import BACK, FACES
from scorer.tiles import english

__all__ = [
    "BACK",
    "CLASSES",
    "CLASS_INDEX",
    "FACES",
    "NONE",
    "SET_FACES",
    "WHITE_DRAGON",
    "Detections",
    "Floats",
    "Pixels",
    "Tiles",
    "bounding_boxes",
    "name_of",
    "signed_area",
]

#: Not a tile at all.
NONE = "none"
#: What the reader distinguishes, in the order of the columns of `Tiles.probabilities`.
CLASSES: tuple[str, ...] = (*FACES, BACK, NONE)
#: Column of each class in `Tiles.probabilities`.
CLASS_INDEX: dict[str, int] = {name: index for index, name in enumerate(CLASSES)}

#: The faces that can be in a set come first in `CLASSES`: suits, then winds and dragons; flowers follow.
SET_FACES = 34
#: The face that may be blank.
WHITE_DRAGON = "7z"

Floats = NDArray[np.float32]
#: Pixels of a picture, H×W×3, red, green and blue from 0 to 255.
Pixels = NDArray[np.uint8]

_SUM_TOLERANCE = 1e-3


def name_of(face: str) -> str:
    """The English name of a class other than `none`.

    >>> name_of("3m"), name_of("back")
    ('3 Characters', 'a face-down tile')
    """
    return "a face-down tile" if face == BACK else english(face)


def _frozen(values: ArrayLike, shape: tuple[int, ...], what: str) -> Floats:
    """A read-only float32 copy of `values`; -1 in `shape` accepts any length. Raises ValueError."""
    array = np.array(values, dtype=np.float32)
    if array.size == 0:
        array = array.reshape([max(length, 0) for length in shape])
    if array.ndim != len(shape) or any(
        want not in (-1, got) for want, got in zip(shape, array.shape, strict=True)
    ):
        raise ValueError(f"{what} has the shape {array.shape}, expected {shape} (-1 is any length)")
    if not np.isfinite(array).all():
        raise ValueError(f"{what} holds a value that is not finite")
    array.flags.writeable = False
    return array


def _check_unit(array: Floats, what: str) -> None:
    if array.size and (array.min() < 0 or array.max() > 1):
        raise ValueError(f"{what} must lie between 0 and 1")


def signed_area(quads: Floats) -> Floats:
    """Area of each quad of an N×4×2 array in square pixels, positive where it runs clockwise on screen."""
    x, y = quads[..., 0], quads[..., 1]
    twice = x * np.roll(y, -1, axis=-1) - np.roll(x, -1, axis=-1) * y
    area: Floats = twice.sum(axis=-1) / 2
    return area


def bounding_boxes(quads: Floats) -> Floats:
    """The axis-aligned box `[x0, y0, x1, y1]` around each quad of an N×4×2 array: N×4."""
    boxes: Floats = np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1)
    return boxes


def _check_quads(quads: Floats) -> None:
    if len(quads) and signed_area(quads).min() <= 0:
        raise ValueError("every quad must run clockwise on the screen and enclose an area")


@dataclass(frozen=True, eq=False)
class Detections:
    """Where a tile is, before anyone has read it.

    quads: float32 N×4×2, pixels of the upright photo, clockwise; the detector guesses which corner
        comes first and may be wrong by a quarter turn or two.
    scores: float32 N, how sure the detector is that a tile lies there, 0 to 1.

    Raises ValueError if the arrays do not fit together.

    >>> found = Detections([[[0, 0], [30, 0], [30, 40], [0, 40]]], [0.9])
    >>> len(found), found.boxes.tolist()
    (1, [[0.0, 0.0, 30.0, 40.0]])
    """

    quads: Floats
    scores: Floats

    def __init__(self, quads: ArrayLike, scores: ArrayLike) -> None:
        """Convert, check, copy and freeze the arrays."""
        object.__setattr__(self, "quads", _frozen(quads, (-1, 4, 2), "quads"))
        object.__setattr__(self, "scores", _frozen(scores, (len(self.quads),), "scores"))
        _check_quads(self.quads)
        _check_unit(self.scores, "scores")

    @classmethod
    def empty(cls) -> Self:
        """No tile found."""
        return cls(np.zeros((0, 4, 2)), np.zeros(0))

    def __len__(self) -> int:
        """How many rows the table has."""
        return len(self.quads)

    @property
    def boxes(self) -> Floats:
        """N×4 axis-aligned boxes `[x0, y0, x1, y1]` around the quads."""
        return bounding_boxes(self.quads)

    def select(self, keep: NDArray[Any]) -> Self:
        """The rows that `keep` (a boolean mask or an array of indices) names, in that order."""
        return type(self)(self.quads[keep], self.scores[keep])


@dataclass(frozen=True, eq=False)
class Tiles:
    """Every tile found, with what the reader thinks of its face.

    quads: float32 N×4×2, pixels of the upright photo, clockwise from the tile's *own* top left: corner 0 is
        the top left of the face when the tile is turned so that it can be read.
    probabilities: float32 N×44 over `CLASSES`, each row sums to 1.
    scores: float32 N, how sure the detector is, 0 to 1.

    Raises ValueError if the arrays do not fit together.
    """

    quads: Floats
    probabilities: Floats
    scores: Floats

    def __init__(self, quads: ArrayLike, probabilities: ArrayLike, scores: ArrayLike) -> None:
        """Convert, check, copy and freeze the arrays."""
        object.__setattr__(self, "quads", _frozen(quads, (-1, 4, 2), "quads"))
        count = len(self.quads)
        object.__setattr__(
            self, "probabilities", _frozen(probabilities, (count, len(CLASSES)), "probabilities")
        )
        object.__setattr__(self, "scores", _frozen(scores, (count,), "scores"))
        _check_quads(self.quads)
        _check_unit(self.scores, "scores")
        _check_unit(self.probabilities, "probabilities")
        if count and np.abs(self.probabilities.sum(axis=1) - 1).max() > _SUM_TOLERANCE:
            raise ValueError("each row of probabilities must sum to 1")

    @classmethod
    def empty(cls) -> Self:
        """No tile found."""
        return cls(np.zeros((0, 4, 2)), np.zeros((0, len(CLASSES))), np.zeros(0))

    def __len__(self) -> int:
        """How many rows the table has."""
        return len(self.quads)

    @property
    def boxes(self) -> Floats:
        """N×4 axis-aligned boxes `[x0, y0, x1, y1]` around the quads."""
        return bounding_boxes(self.quads)

    @property
    def faces(self) -> tuple[str, ...]:
        """The likeliest class of each tile."""
        return tuple(CLASSES[index] for index in self.probabilities.argmax(axis=1))

    @property
    def confidences(self) -> Floats:
        """The probability of the likeliest class of each tile."""
        if not len(self):
            return np.zeros(0, dtype=np.float32)
        top: Floats = self.probabilities.max(axis=1)
        return top

    def select(self, keep: NDArray[Any]) -> Self:
        """The rows that `keep` (a boolean mask or an array of indices) names, in that order."""
        return type(self)(self.quads[keep], self.probabilities[keep], self.scores[keep])
