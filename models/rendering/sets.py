"""A tile set as a rendered photo shows it: its size, its colours, and the look of each face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.drawing import CLASSIC, Style, face_ink, random_style
from models.rendering.layout import Proportions
from models.rendering.table import colour, noise
from vision.tiles import Pixels

Crops = Mapping[str, Sequence[Pixels]]

TEXTURE_HEIGHT = 256
"""Rows of a face texture, in pixels; photos rarely show a larger tile."""


@dataclass(frozen=True)
class RenderedSet:
    """The look of a whole tile set.

    `front` and `back` are RGB colours, 0 to 255. `split` is the share of the thickness that has the back's colour;
    `corner` and `bevel` are radii in tile widths. `engraving` is how deep the drawing is cut (0 is printed, 1 deep),
    `wear` how blotchy the tiles are (0 to 1). `crops` are photographed faces that replace the drawn ones.
    """

    width_mm: float
    proportions: Proportions
    front: NDArray[np.float64]
    back: NDArray[np.float64]
    split: float
    corner: float
    bevel: float
    style: Style
    engraving: float
    wear: float
    crops: Crops | None = None

    @property
    def extent(self) -> tuple[float, float, float]:
        """Width, height and thickness in mm."""
        return (
            self.width_mm,
            self.width_mm * self.proportions.height,
            self.width_mm * self.proportions.thickness,
        )

    def texture(self, face: str, rng: np.random.Generator, light: tuple[float, float]) -> Pixels:
        """The face of one tile seen straight on (RGB); `light` points to the lamp along the face's x and y."""
        if self.crops and self.crops.get(face):
            chosen = self.crops[face][int(rng.integers(len(self.crops[face])))]
            return _photographed(chosen, self.front)
        return self._drawn(face, rng, light)

    def _drawn(self, face: str, rng: np.random.Generator, light: tuple[float, float]) -> Pixels:
        height = TEXTURE_HEIGHT
        ink = _ink(face, height, self.style)
        width = ink.shape[1]
        cover = ink[..., 3].astype(np.float32) / 255
        ground = np.empty((height, width, 3), np.float32)
        ground[:] = self.front
        if self.wear:
            blotch = noise(rng, height, 40)[:, :width]
            ground *= (1 + self.wear * 0.05 * blotch)[..., None]
            cover *= np.clip(
                1 - self.wear * 0.35 * np.clip(noise(rng, height, 14)[:, :width] - 0.7, 0, 1), 0, 1
            )
        paint = ink[..., :3].astype(np.float32)
        result = ground * (1 - cover[..., None]) + paint * cover[..., None]
        if self.engraving:
            # the cut slopes down into the ink: the wall facing the lamp is bright, the other one dark
            deep = cv2.GaussianBlur(cover, (0, 0), 2.0)
            slope_x = cv2.Sobel(deep, cv2.CV_32F, 1, 0, ksize=3)
            slope_y = cv2.Sobel(deep, cv2.CV_32F, 0, 1, ksize=3)
            lit = light[0] * slope_x - light[1] * slope_y
            result += (-90 * self.engraving * lit)[..., None]
            result *= (1 - 0.25 * self.engraving * deep * (1 - cover))[..., None]
        return np.clip(result, 0, 255).astype(np.uint8)


@lru_cache(maxsize=128)
def _ink(face: str, height: int, style: Style) -> Pixels:
    return face_ink(face, height, style)


def _photographed(crop: Pixels, front: NDArray[np.float64]) -> Pixels:
    """The crop of a real tile, with the set's colour where the crop is transparent."""
    if crop.shape[2] == 3:
        return crop
    weight = crop[..., 3:].astype(np.float32) / 255
    return np.clip(crop[..., :3] * weight + front * (1 - weight), 0, 255).astype(np.uint8)


def classic_set() -> RenderedSet:
    """The set of the sample photos: ivory and green, with the faces that the page shows."""
    return RenderedSet(
        width_mm=27.0,
        proportions=Proportions(1.34, 0.72),
        front=np.array([244.0, 240.0, 226.0]),
        back=np.array([30.0, 128.0, 86.0]),
        split=0.36,
        corner=0.1,
        bevel=0.055,
        style=CLASSIC,
        engraving=0.7,
        wear=0.15,
    )


def random_set(rng: np.random.Generator, crops: Crops | None = None) -> RenderedSet:
    """A random tile set; with `crops` its front takes their colour."""
    style = random_style(rng)
    kind = rng.random()
    if crops:
        front = _crop_colour(crops)
    elif kind < 0.86:
        front = colour(rng, (0.08, 0.17), (0.0, 0.22), (0.84, 1.0)).astype(float)
    elif kind < 0.92:
        front = colour(rng, (0.3, 0.6), (0.03, 0.3), (0.7, 0.95)).astype(float)
    else:
        front = colour(rng, (0, 1), (0, 0.8), (0.06, 0.28)).astype(float)
        style = replace(style, red="#f0705c", green="#7fd48a", blue="#e8e4d8", black="#e6c35c")
    back = colour(rng, (0, 1), (0.3, 1), (0.25, 0.95)).astype(float)
    return RenderedSet(
        width_mm=float(rng.uniform(22, 34)),
        proportions=Proportions(float(rng.uniform(1.27, 1.42)), float(rng.uniform(0.55, 0.85))),
        front=front,
        back=back,
        split=float(rng.uniform(0.2, 0.5)),
        corner=float(rng.uniform(0.05, 0.14)),
        bevel=float(rng.uniform(0.03, 0.085)),
        style=style,
        engraving=float(rng.uniform(0, 1)),
        wear=float(rng.choice([0, rng.uniform(0, 1)])),
        crops=crops,
    )


def _crop_colour(crops: Crops) -> NDArray[np.float64]:
    """The colour of the tiles on photographed faces: the bright half of their border."""
    samples = []
    for images in list(crops.values())[:8]:
        for image in images[:1]:
            h, w = image.shape[:2]
            ring = image[h // 12 : -h // 12, w // 10 : -w // 10, :3]
            edge = np.vstack([ring[:3].reshape(-1, 3), ring[-3:].reshape(-1, 3), ring[:, :3].reshape(-1, 3)])
            samples.append(np.percentile(edge, 60, axis=0))
    return np.median(np.array(samples), axis=0) if samples else np.array([240.0, 236.0, 224.0])
