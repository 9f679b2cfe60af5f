"""The table as layout sees it: where its tiles lie and what they may show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.layout.frames import Array, Flags, Frames, frames
from vision.layout.weights import LAYOUT, LayoutSettings
from vision.tiles import BACK, CLASS_INDEX, FACES, SET_FACES, Tiles


@dataclass(frozen=True, eq=False)
class Table:
    """The N tiles of a photo. Indices of tiles, in every module of layout, are rows of these arrays.

    frames: where they lie, in pixels of the upright photo.
    faces: float64 N×44, probabilities over `vision.tiles.CLASSES`.
    photo_size: float64 2, width and height of the photo in pixels.
    settings: the thresholds to use.
    """

    frames: Frames
    faces: Array
    photo_size: Array
    settings: LayoutSettings

    @classmethod
    def of(cls, tiles: Tiles, width: int, height: int, settings: LayoutSettings = LAYOUT) -> Table:
        """Return the table of tiles that were read in a photo of width×height pixels."""
        return cls(
            frames(tiles.quads, settings.rows),
            tiles.probabilities.astype(np.float64),
            np.array([width, height], dtype=np.float64),
            settings,
        )

    @cached_property
    def flowers(self) -> Flags:
        """Which tiles are more likely a flower than not."""
        return self.flower_odds > self.settings.flowers.flower

    @cached_property
    def flower_odds(self) -> Array:
        """How likely each tile is some flower, 0 to 1."""
        odds: Array = self.faces[:, SET_FACES : len(FACES)].sum(axis=1)
        return odds

    @cached_property
    def backs(self) -> Flags:
        """Which tiles more likely lie face down than not."""
        backs: Flags = self.faces[:, CLASS_INDEX[BACK]] > self.settings.flowers.back
        return backs

    @cached_property
    def likeliest(self) -> NDArray[np.intp]:
        """The likeliest face of each tile among those that can be in a set, as a class index."""
        likeliest: NDArray[np.intp] = self.faces[:, :SET_FACES].argmax(axis=1)
        return likeliest

    def alike(self, one: int, other: int) -> float:
        """The probability that two tiles show the same face."""
        return float(self.faces[one, : len(FACES)] @ self.faces[other, : len(FACES)])
