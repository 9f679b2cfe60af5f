"""Table surfaces made from noise: felt, woven mats, wood, glass, cloth, printed mats and laminate."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np

from vision.tiles import Floats, Pixels

KINDS = ("felt", "weave", "wood", "glass", "cloth", "printed", "laminate")


def noise(rng: np.random.Generator, size: int, grain: float, *, stretch: float = 1.0) -> Floats:
    """Smooth noise with a spread of 1, `size` square; `grain` is its scale in pixels, `stretch` makes streaks."""
    rows = max(4, round(size / grain))
    columns = max(4, round(size / grain / stretch))
    field = rng.standard_normal((rows, columns), dtype=np.float32)
    large = np.asarray(cv2.resize(field, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)
    return large / max(float(large.std()), 1e-6)


def colour(
    rng: np.random.Generator,
    hue: tuple[float, float],
    strength: tuple[float, float],
    light: tuple[float, float],
) -> Floats:
    """A random colour, RGB 0 to 255, within ranges of hue, saturation and value (each 0 to 1)."""
    h, s, v = rng.uniform(*hue), rng.uniform(*strength), rng.uniform(*light)
    return np.array(colorsys.hsv_to_rgb(h % 1, s, v), np.float32) * 255


def cloth_colour(rng: np.random.Generator) -> Floats:
    """The colour of a mahjong cloth (RGB): mostly green or blue, sometimes red, brown, grey or nearly white."""
    kind = rng.random()
    if kind < 0.45:
        return colour(rng, (0.3, 0.46), (0.4, 0.95), (0.2, 0.75))
    if kind < 0.68:
        return colour(rng, (0.48, 0.66), (0.25, 0.8), (0.2, 0.75))
    if kind < 0.82:
        return colour(rng, (-0.04, 0.07), (0.4, 0.9), (0.3, 0.75))
    return colour(rng, (0, 1), (0, 0.25), (0.12, 0.92))


def surface(rng: np.random.Generator, kind: str, size: int = 1024) -> Pixels:
    """A square of table (RGB), about one millimetre per pixel. `kind` is one of `KINDS`."""
    flat: Floats = np.empty((size, size, 3), np.float32)
    if kind == "wood":
        flat[:] = colour(rng, (0.04, 0.11), (0.25, 0.75), (0.25, 0.85))
        rings = noise(rng, size, 5, stretch=60) + 1.4 * noise(rng, size, 26, stretch=30)
        flat *= 1 + rng.uniform(0.03, 0.1) * rings[..., None]
        if rng.random() < 0.5:
            plank = int(rng.integers(70, 220))
            flat[::plank] *= 0.55
            flat[1::plank] *= 0.8
    elif kind == "glass":
        flat[:] = colour(rng, (0.3, 0.62), (0.02, 0.5), (0.1, 0.75))
        flat += 10 * noise(rng, size, 200)[..., None]
    elif kind == "laminate":
        flat[:] = colour(rng, (0, 1), (0, 0.14), (0.45, 0.95))
        flat *= 1 + rng.uniform(0.01, 0.05) * noise(rng, size, 2.5, stretch=rng.choice([1, 8]))[..., None]
    else:
        flat[:] = cloth_colour(rng)
        flat *= 1 + rng.uniform(0.02, 0.08) * noise(rng, size, 1.2)[..., None]
        flat *= 1 + rng.uniform(0.0, 0.05) * noise(rng, size, 60)[..., None]
        if kind == "weave":
            flat *= 1 + rng.uniform(0.06, 0.2) * _weave(size, int(rng.integers(4, 9)))[..., None]
        elif kind == "cloth":
            flat *= (
                1 + rng.uniform(0.03, 0.09) * noise(rng, size, 130, stretch=rng.uniform(0.4, 3))[..., None]
            )
        elif kind == "printed":
            _print(flat, rng)
    return np.clip(flat, 0, 255).astype(np.uint8)


def _weave(size: int, step: int) -> Floats:
    y, x = np.mgrid[:size, :size].astype(np.float32)
    threads = np.sin(2 * np.pi * x / step) * np.sin(2 * np.pi * y / step)
    return np.asarray(threads, np.float32)


def _print(flat: Floats, rng: np.random.Generator) -> None:
    """Draw lines, circles and marks like those of a printed mat, in place."""
    size = len(flat)
    ink = [float(v) for v in np.clip(flat[0, 0] + rng.choice([-90, 90]) * rng.uniform(0.5, 1.5, 3), 0, 255)]
    middle = (int(size * rng.uniform(0.35, 0.65)), int(size * rng.uniform(0.35, 0.65)))
    for radius in rng.integers(40, 420, int(rng.integers(1, 4))):
        cv2.circle(flat, middle, int(radius), ink, int(rng.integers(2, 14)), cv2.LINE_AA)
    for _ in range(int(rng.integers(2, 9))):
        x, y = (int(v) for v in rng.integers(0, size, 2))
        w, h = (int(v) for v in rng.integers(20, 300, 2))
        if rng.random() < 0.5:
            cv2.rectangle(flat, (x, y), (x + w, y + h), ink, int(rng.integers(2, 8)), cv2.LINE_AA)
        else:
            curl = (w // 3 + 4, h // 3 + 4)
            cv2.ellipse(flat, (x, y), curl, float(rng.uniform(0, 180)), 0, 250, ink, int(rng.integers(3, 12)))


def room(rng: np.random.Generator, size: tuple[int, int]) -> Pixels:
    """The room beyond the table, out of focus: RGB of `size` (width, height)."""
    small = np.empty((24, 32, 3), np.float32)
    small[:] = colour(rng, (0, 1), (0, 0.35), (0.08, 0.7))
    for _ in range(int(rng.integers(4, 12))):
        x, y = int(rng.integers(0, 32)), int(rng.integers(0, 24))
        corner = (x + int(rng.integers(2, 14)), y + int(rng.integers(2, 14)))
        cv2.rectangle(small, (x, y), corner, colour(rng, (0, 1), (0, 0.7), (0.05, 0.95)).tolist(), -1)
    blurred = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.3, 1.2))
    return np.clip(cv2.resize(blurred, size, interpolation=cv2.INTER_CUBIC), 0, 255).astype(np.uint8)
