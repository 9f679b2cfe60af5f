"""Training patches for the reader from drawn tile sets, which exist nowhere else."""

import cv2
import numpy as np

from models.drawing import face_pixels
from models.drawing.style import random_style
from models.training.crops import FACE, PATCH, Patches
from vision.tiles import FACES, Pixels


def drawn_patches(count: int, rng: np.random.Generator) -> Patches:
    """Return `count` patches of upright drawn tiles with neighbours, every face about equally often."""
    rows = []
    for _ in range(-(-count // 14)):
        style = random_style(rng)
        faces = rng.choice(len(FACES), 14, replace=False)
        pictures = [face_pixels(FACES[face], 2 * FACE, style) for face in faces]
        for face in range(14):
            beside = [pictures[i] for i in rng.integers(0, 14, 3)]
            patch = _patch(pictures[face], beside, rng)
            rows.append((patch, int(faces[face]), "drawn", (1.0, 0.0, 0.0, 0.0)))
    return Patches.of(rows[:count])


def _patch(picture: Pixels, beside: list[Pixels], rng: np.random.Generator) -> Pixels:
    """Return a patch: the tile in the middle, on a table, with neighbours at some of its sides."""
    low, high = (PATCH - FACE) // 2, (PATCH + FACE) // 2
    table = rng.integers(0, 256, 3)
    grain = rng.normal(0, 10, (PATCH, PATCH, 1)) + rng.normal(0, 4, (PATCH, PATCH, 3))
    patch = np.clip(table + grain, 0, 255).astype(np.uint8)
    gap = int(rng.integers(0, 3))
    places = [(low - FACE - gap, low), (high + gap, low), (low, high + gap + int(rng.integers(0, 12)))]
    for neighbour, (x, y) in zip(beside, places, strict=True):
        if rng.random() < 0.6:
            _paste(patch, neighbour, x, y)
    if rng.random() < 0.5:  # the side of the body, lit differently, below the face
        body = np.median(picture.reshape(-1, 3), 0) * rng.uniform(0.6, 1.0)
        cv2.rectangle(patch, (low, high - 2), (high - 1, high + int(rng.integers(3, 16))), body.tolist(), -1)
    _paste(patch, picture, low, low)
    relief = rng.uniform(0, 0.35)
    if relief > 0.1:  # engraved lines catch the light at one edge
        grey = cv2.GaussianBlur(cv2.cvtColor(patch, cv2.COLOR_RGB2GRAY), (0, 0), 0.7).astype(np.float32)
        slope = cv2.filter2D(grey, -1, np.float32([[-1, 0, 0], [0, 0, 0], [0, 0, 1]]) * rng.choice([-1, 1]))  # type: ignore[arg-type]
        patch = np.clip(patch + relief * slope[..., None], 0, 255).astype(np.uint8)
    return patch


def _paste(patch: Pixels, picture: Pixels, x: int, y: int) -> None:
    """Paste the picture, stretched to a square, with a dark rim."""
    square = cv2.resize(picture, (FACE, FACE), interpolation=cv2.INTER_AREA).astype(np.float32)
    edge = np.minimum(np.arange(FACE), np.arange(FACE)[::-1])
    rim = np.minimum.outer(edge, edge)
    square *= np.clip(0.55 + 0.18 * rim, 0, 1)[..., None]
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + FACE, PATCH), min(y + FACE, PATCH)
    patch[y0:y1, x0:x1] = square[y0 - y : y1 - y, x0 - x : x1 - x].astype(np.uint8)
