"""What a hand-held camera sees of a table, frame by frame, made from one sharp picture of it.

The phone sways, turns, comes nearer and tips a little; a frame is blurred by how far it moved while it was exposed, and
now and then by a lens that looks for focus. A lamp's reflection wanders over the tiles. Perspective is that of the
picture: tiles do not show other sides as the phone moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.rendering.optics import encode_jpeg
from vision.tiles import Floats, Pixels

Matrix = NDArray[np.float64]

_BORDER = (96.0, 96.0, 96.0)


@dataclass(frozen=True, slots=True)
class Handling:
    """How the phone is held and what disturbs the picture; everything is drawn once for a clip.

    `sway` is how far it strays to the side, in widths of the picture; `roll` and `tip` are in degrees, `zoom` is a
    share. `exposure_s` is how long a frame is exposed. `soft` is the blur of a lens out of focus, in pixels of a
    picture 1000 wide. `glare` is the size of the reflection, in sizes of a tile (0: none). `noise` is in grey levels.
    `jpeg` is the quality of a frame. `rests_at_s` is when the hand comes to rest.
    """

    sway: float = 0.03
    roll: float = 2.0
    tip: float = 3.0
    zoom: float = 0.04
    exposure_s: float = 1 / 40
    soft: float = 1.5
    glare: float = 2.5
    noise: float = 4.0
    jpeg: int = 80
    rests_at_s: float = 1e9


def random_handling(rng: np.random.Generator, rests_at_s: float = 1e9) -> Handling:
    """A steady hand or an unsteady one, in good light or bad."""
    return Handling(
        sway=float(rng.uniform(0.01, 0.05)),
        roll=float(rng.uniform(0.5, 4)),
        tip=float(rng.uniform(0.5, 5)),
        zoom=float(rng.uniform(0.01, 0.06)),
        exposure_s=float(rng.choice([1 / 100, 1 / 50, 1 / 25])),
        soft=float(rng.choice([0, rng.uniform(0.8, 2.5)], p=[0.4, 0.6])),
        glare=float(rng.choice([0, rng.uniform(1.2, 3.2)], p=[0.3, 0.7])),
        noise=float(rng.uniform(1, 7)),
        jpeg=int(rng.integers(65, 88)),
        rests_at_s=rests_at_s,
    )


class HandHeld:
    """A phone above one picture, which shows the tiles at `quads` (N by 4 by 2, pixels) across most of its own."""

    def __init__(
        self,
        still: Pixels,
        quads: Floats,
        size: tuple[int, int],
        handling: Handling,
        rng: np.random.Generator,
    ) -> None:
        """Aim at the tiles; `size` is width and height of the frames in pixels."""
        self._still, self._size, self._handling, self._rng = still, size, handling, rng
        points = quads.reshape(-1, 2)
        low, high = points.min(0), points.max(0)
        self._middle = (low + high) / 2
        self._quads = quads
        width, height = size
        self._scale = float(min(0.86 * width / (high - low)[0], 0.8 * height / (high - low)[1]))
        self._waves = rng.uniform((0.25, 0, 0.5, 0), (0.9, 2 * np.pi, 2.0, 2 * np.pi), (7, 4))

    def frame(self, at_s: float) -> tuple[Pixels, Floats]:
        """The frame at a time, RGB, and where the tiles lie in it (N by 4 by 2, pixels)."""
        handling = self._handling
        matrix = self._pose(at_s)
        soft = handling.soft * self._size[0] / 1000 * max(0.0, self._wave(5, self._held(at_s)))
        pixels = self._exposed(at_s)
        if soft > 0.3:
            pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), soft), np.float32)
        pixels = self._lit(pixels, matrix, at_s)
        noise = self._rng.standard_normal(pixels.shape, dtype=np.float32) * handling.noise
        quads = cv2.perspectiveTransform(self._quads.reshape(-1, 1, 2).astype(np.float64), matrix)
        shown = np.clip(pixels + noise, 0, 255).astype(np.uint8)
        return shown, quads.reshape(-1, 4, 2).astype(np.float32)

    def jpegs(self, count: int, per_second: float) -> Iterator[bytes]:
        """The frames from the beginning, as a phone sends them."""
        for number in range(count):
            yield encode_jpeg(self.frame(number / per_second)[0], self._handling.jpeg)

    def _held(self, at_s: float) -> float:
        """The time that moves the hand: it stands still once the hand has come to rest."""
        return min(at_s, self._handling.rests_at_s)

    def _wave(self, which: int, at_s: float) -> float:
        slow, begin, fast, start = self._waves[which]
        return float(
            0.75 * np.sin(2 * np.pi * slow * at_s + begin) + 0.25 * np.sin(2 * np.pi * fast * at_s + start)
        )

    def _pose(self, at_s: float) -> Matrix:
        """The homography from the picture to the frame at a time."""
        handling, (width, height) = self._handling, self._size
        held = self._held(at_s)
        angle = np.radians(handling.roll * self._wave(0, held))
        scale = self._scale * (1 + handling.zoom * self._wave(1, held))
        shift = handling.sway * width * np.array([self._wave(2, held), self._wave(3, held)])
        tip = np.sin(np.radians(handling.tip * self._wave(4, held)))
        spin = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        aim = np.eye(3)
        aim[:2, :2], aim[:2, 2] = spin, -spin @ self._middle
        tipped = np.eye(3)
        tipped[2, 1] = tip / (1.2 * width)
        centre = np.eye(3)
        centre[:2, 2] = np.array([width, height]) / 2 + shift
        return np.asarray(centre @ tipped @ aim, np.float64)

    def _exposed(self, at_s: float) -> NDArray[np.float32]:
        """The mean of what the sensor sees while the frame is exposed."""
        # More steps than pixels of motion would change nothing.
        far = float(
            np.abs(self._seen_middle(at_s) - self._seen_middle(at_s + self._handling.exposure_s)).max()
        )
        steps = int(np.clip(np.ceil(far / 2), 1, 6))
        total = np.zeros((self._size[1], self._size[0], 3), np.float32)
        for step in range(steps):
            matrix = self._pose(at_s + self._handling.exposure_s * step / steps)
            kind = cv2.INTER_AREA if self._scale < 0.7 else cv2.INTER_LINEAR
            total += cv2.warpPerspective(
                self._still,
                matrix,
                self._size,
                flags=kind,
                borderMode=cv2.BORDER_CONSTANT,
                borderValue=_BORDER,
            )
        return np.asarray(total / steps, np.float32)

    def _seen_middle(self, at_s: float) -> NDArray[np.float64]:
        seen = cv2.perspectiveTransform(self._middle.reshape(1, 1, 2).astype(np.float64), self._pose(at_s))
        return np.asarray(seen.reshape(2), np.float64)

    def _lit(self, pixels: NDArray[np.float32], matrix: Matrix, at_s: float) -> NDArray[np.float32]:
        """The frame in a light that changes a little, with a reflection that wanders along the tiles."""
        lit = pixels * np.float32(0.95 + 0.15 * self._wave(6, at_s))
        if not self._handling.glare:
            return lit
        quads = cv2.perspectiveTransform(self._quads.reshape(-1, 1, 2).astype(np.float64), matrix)
        points = quads.reshape(-1, 2)
        low, high = points.min(0), points.max(0)
        size = float(np.sqrt(cv2.contourArea(quads[:4].astype(np.float32))))
        along = 0.5 + 0.6 * self._wave(5, at_s + 1.0)
        centre = low + (high - low) * np.array([along, 0.5 + 0.3 * self._wave(6, at_s + 2.0)])
        y, x = np.ogrid[: self._size[1], : self._size[0]]
        reach = self._handling.glare * size / 2
        away = ((x - centre[0]) / (1.3 * reach)) ** 2 + ((y - centre[1]) / reach) ** 2
        return np.asarray(lit + 420 * np.exp(-1.5 * away)[..., None], np.float32)
