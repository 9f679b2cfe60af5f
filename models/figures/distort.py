"""Harms that make pictures worse by a known amount."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.figures.specimens import Quads, Specimen, sizes_px
from models.rendering.optics import through_jpeg

Distort = Callable[[Specimen, float, np.random.Generator], Specimen]

LONGEST_PX = 4032
"""Longer side of a 12-megapixel photo; enlarged pictures are cropped to it around the middle of their tiles."""
_GREY = (114.0, 114.0, 114.0)


@dataclass(frozen=True)
class Harm:
    """One way of making pictures worse: its name, the unit and values of its levels, and the function."""

    name: str
    unit: str
    levels: tuple[float, ...]
    apply: Distort


def _warped(specimen: Specimen, matrix: NDArray[np.float64], size: tuple[int, int]) -> Specimen:
    pixels = cv2.warpPerspective(
        specimen.pixels,
        matrix,
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=_GREY,
    )
    corners = cv2.perspectiveTransform(specimen.quads.reshape(-1, 1, 2).astype(np.float64), matrix)
    return specimen.seen(np.asarray(pixels, np.uint8), corners.reshape(-1, 4, 2).astype(np.float32))


def rotate(specimen: Specimen, degrees: float, _: np.random.Generator) -> Specimen:
    """Rotate the picture around its centre; the canvas grows so that nothing is cut off."""
    if not degrees:
        return specimen
    height, width = specimen.pixels.shape[:2]
    matrix = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0), [0.0, 0.0, 1.0]])
    cos, sin = abs(matrix[0, 0]), abs(matrix[0, 1])
    size = (round(width * cos + height * sin), round(width * sin + height * cos))
    matrix[:2, 2] += [(size[0] - width) / 2, (size[1] - height) / 2]
    return _warped(specimen, matrix, size)


def resize(specimen: Specimen, tile_px: float, _: np.random.Generator) -> Specimen:
    """Scale the picture so that the median size of its tiles is `tile_px` pixels."""
    scale = tile_px / specimen.size_px
    middle = np.median(specimen.quads.mean(1), axis=0)
    height, width = specimen.pixels.shape[:2]
    reach = LONGEST_PX / scale / 2
    x0, x1 = int(max(0, middle[0] - reach)), int(min(width, middle[0] + reach))
    y0, y1 = int(max(0, middle[1] - reach)), int(min(height, middle[1] + reach))
    part = specimen.pixels[y0:y1, x0:x1]
    size = (max(round(part.shape[1] * scale), 16), max(round(part.shape[0] * scale), 16))
    kind = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    pixels = np.asarray(cv2.resize(part, size, interpolation=kind), np.uint8)
    grown = np.array([size[0] / part.shape[1], size[1] / part.shape[0]], np.float32)
    return specimen.seen(pixels, (specimen.quads - np.array([x0, y0], np.float32)) * grown)


def tilt(specimen: Specimen, degrees: float, _: np.random.Generator) -> Specimen:
    """Show the picture as a print on a table, seen from `degrees` off the vertical."""
    if not degrees:
        return specimen
    height, width = specimen.pixels.shape[:2]
    angle, focal = np.radians(degrees), 1.2 * width
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    centred = corners - [width / 2, height / 2]
    depth = focal - centred[:, 1] * np.sin(angle)
    seen = np.stack([centred[:, 0], centred[:, 1] * np.cos(angle)], 1) * (focal / depth)[:, None]
    seen = (seen - seen.min(0)) * (width / np.ptp(seen[:, 0]))
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), seen.astype(np.float32))
    return _warped(specimen, np.asarray(matrix, np.float64), (width, max(round(float(seen[:, 1].max())), 16)))


def blur(specimen: Specimen, percent: float, _: np.random.Generator) -> Specimen:
    """Apply a Gaussian blur whose sigma is this percentage of the tiles' size."""
    if not percent:
        return specimen
    spread = specimen.size_px * percent / 100
    return _as_before(specimen, cv2.GaussianBlur(specimen.pixels, (0, 0), spread))


def expose(specimen: Specimen, gain: float, _: np.random.Generator) -> Specimen:
    """Multiply all light by `gain` and clip at white."""
    return _as_before(specimen, specimen.pixels.astype(np.float32) * gain)


def tint(specimen: Specimen, share: float, _: np.random.Generator) -> Specimen:
    """Add a colour cast: `share` more red and less blue, or the reverse if negative."""
    gains = np.array([1 + share, 1, 1 - share], np.float32)
    return _as_before(specimen, specimen.pixels.astype(np.float32) * gains)


def compress(specimen: Specimen, quality: float, _: np.random.Generator) -> Specimen:
    """Save as JPEG of this quality and open again; 100 changes nothing."""
    if quality >= 100:
        return specimen
    return _as_before(specimen, through_jpeg(specimen.pixels, int(quality)))


def grain(specimen: Specimen, spread: float, rng: np.random.Generator) -> Specimen:
    """Add Gaussian noise with this sigma in grey levels."""
    noise = rng.standard_normal(specimen.pixels.shape, dtype=np.float32) * spread
    return _as_before(specimen, specimen.pixels + noise)


def cover(specimen: Specimen, percent: float, rng: np.random.Generator) -> Specimen:
    """Cover this percentage of every tile from one of its sides with one colour."""
    if not percent:
        return specimen
    pixels = specimen.pixels.copy()
    for quad in specimen.quads:
        start = int(rng.integers(4))
        a, b, c, d = (quad[(start + k) % 4] for k in range(4))
        share = percent / 100
        part = np.round([a, b, b + (c - b) * share, a + (d - a) * share]).astype(np.int32)
        colour = tuple(int(value) for value in rng.integers(40, 200, 3))
        cv2.fillConvexPoly(pixels, part, colour, lineType=cv2.LINE_AA)
    return _as_before(specimen, pixels)


def shine(specimen: Specimen, percent: float, rng: np.random.Generator) -> Specimen:
    """Put a white spot on every tile, about a third as wide, with this opacity in percent at its centre."""
    if not percent:
        return specimen
    height, width = specimen.pixels.shape[:2]
    light = np.zeros((height, width), np.float32)
    for quad, size in zip(specimen.quads, sizes_px(specimen.quads), strict=True):
        x, y = quad.mean(0) + rng.uniform(-0.25, 0.25, 2) * size
        reach = int(np.ceil(size))
        x0, x1 = max(int(x) - reach, 0), min(int(x) + reach + 1, width)
        y0, y1 = max(int(y) - reach, 0), min(int(y) + reach + 1, height)
        across, down = np.arange(x0, x1) - x, np.arange(y0, y1) - y
        spot = np.exp(-(across[None] ** 2 + down[:, None] ** 2) / (2 * (0.3 * size) ** 2))
        light[y0:y1, x0:x1] = np.maximum(light[y0:y1, x0:x1], spot * percent / 100)
    return _as_before(specimen, specimen.pixels + (255.0 - specimen.pixels) * light[..., None])


def _as_before(specimen: Specimen, pixels: NDArray[np.generic]) -> Specimen:
    """The specimen with other pixels and the same quads."""
    clipped = np.clip(np.asarray(pixels), 0, 255).astype(np.uint8)
    quads: Quads = specimen.quads
    return Specimen(specimen.name, specimen.source, clipped, quads, specimen.faces)


HARMS = (
    Harm("rotation", "degrees", (0, 15, 30, 45, 60, 90, 135, 180, 270), rotate),
    Harm("tile size", "pixels", (8, 12, 16, 24, 32, 48, 100, 200, 400), resize),
    Harm("blur", "% of the tile", (0, 1, 2, 3, 4, 6, 8), blur),
    Harm("brightness", "factor", (0.1, 0.2, 0.4, 1, 1.5, 2, 3), expose),
    Harm("colour cast", "red against blue", (-0.6, -0.4, -0.2, 0, 0.2, 0.4, 0.6), tint),
    Harm("JPEG", "quality", (5, 10, 20, 30, 50, 100), compress),
    Harm("perspective", "further degrees", (0, 15, 30, 45, 55, 65), tilt),
    Harm("covered", "% of each tile", (0, 10, 20, 30, 40, 50), cover),
    Harm("noise", "grey levels", (0, 10, 20, 40, 60), grain),
    Harm("glare", "% white", (0, 30, 50, 70, 90), shine),
)
"""All harms and the levels that are measured."""
