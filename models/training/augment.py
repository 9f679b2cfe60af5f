"""Random changes of light and lens, as phone photos have them, for RGB pictures (uint8)."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles import Pixels

Generator = np.random.Generator


def change_light(image: Pixels, rng: Generator) -> Pixels:
    """Return the picture with another exposure, white balance, colour cast and shadow."""
    values = image.astype(np.float32) / 255
    values = values ** rng.uniform(0.6, 1.6) if rng.random() < 0.6 else values
    if rng.random() < 0.5:
        values = values * rng.uniform(0.75, 1.25, 3).astype(np.float32)
    if rng.random() < 0.06:  # coloured lamps nearly remove one channel
        values[..., rng.integers(3)] *= rng.uniform(0.1, 0.6)
    if rng.random() < 0.3:
        grey = values.mean(2, keepdims=True)
        values = grey + (values - grey) * rng.uniform(0.0, 1.6)
    if rng.random() < 0.35:
        values = values * _shadow(image.shape[0], image.shape[1], rng)
    if rng.random() < 0.15:
        values = values + _glare(image.shape[0], image.shape[1], rng)
    values = (values - 0.5) * rng.uniform(0.7, 1.3) + 0.5 + rng.uniform(-0.15, 0.15)
    return np.asarray(np.clip(values * 255, 0, 255), dtype=np.uint8)


def change_lens(image: Pixels, rng: Generator, blur_px: float = 1.5) -> Pixels:
    """Return the picture blurred, shaken, noisy or compressed; `blur_px` is the largest sigma of the blur."""
    if rng.random() < 0.3:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, blur_px)), dtype=np.uint8)
    elif rng.random() < 0.2:
        length = int(rng.integers(2, max(3, int(4 * blur_px))))
        kernel = np.zeros((length, length), np.float32)
        angle = rng.uniform(0, np.pi)
        reach = np.array([np.cos(angle), np.sin(angle)]) * (length - 1) / 2
        middle = np.array([(length - 1) / 2] * 2)
        start, end = np.rint(middle - reach).astype(int), np.rint(middle + reach).astype(int)
        cv2.line(kernel, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), 1)
        image = np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), dtype=np.uint8)
    if rng.random() < 0.4:
        noise = rng.normal(0, rng.uniform(2, 14), image.shape)
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))]
        image = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", image, quality)[1], cv2.IMREAD_COLOR), dtype=np.uint8
        )
    return image


def _shadow(height: int, width: int, rng: Generator) -> NDArray[np.float32]:
    """Return the factors (H×W×1) of a shadow with a soft edge."""
    angle, edge = rng.uniform(0, 2 * np.pi), rng.uniform(0.02, 0.4)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    along = (x / width - rng.uniform(0, 1)) * np.cos(angle) + (y / height - rng.uniform(0, 1)) * np.sin(angle)
    lit = 1 / (1 + np.exp(-np.clip(along / edge * 4, -30, 30)))
    return np.asarray((1 - rng.uniform(0.2, 0.65) * lit)[..., None], dtype=np.float32)


def _glare(height: int, width: int, rng: Generator) -> NDArray[np.float32]:
    """Return a bright spot to add (H×W×1)."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    radius = rng.uniform(0.05, 0.4)
    far = ((x / width - rng.uniform(0, 1)) ** 2 + (y / height - rng.uniform(0, 1)) ** 2) / radius**2
    return np.asarray((rng.uniform(0.15, 0.6) * np.exp(-far))[..., None], dtype=np.float32)
