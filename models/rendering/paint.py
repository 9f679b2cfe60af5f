"""A picture while it is painted, and the tile that each pixel shows."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.rendering.camera import Camera
from models.rendering.solids import (
    SHIFT,
    Light,
    Solid,
    cap_polygon,
    draw_body,
    fixed,
    ground_polygons,
    shadow,
    silhouette,
)
from vision.tiles import Pixels

NO_TILE = -1


class Canvas:
    """An RGB picture and, for each pixel, the index of the tile face that it shows, or `NO_TILE`.

    Paint from far to near: later things cover earlier ones.
    """

    def __init__(self, table: Pixels, camera: Camera, light: Light, ground_shade: float) -> None:
        """Start from the bare table as the camera sees it."""
        self.pixels = table
        self.owner = np.full(table.shape[:2], NO_TILE, np.int32)
        self._camera, self._light, self._ground_shade = camera, light, ground_shade

    def shade(self, solids: list[Solid], *, softness: float, strength: float) -> None:
        """Paint the shadows of solids on the table: a soft one cast by the lamp, and a tight one at their foot."""
        height, width = self.pixels.shape[:2]
        quarter = (height // 4 + 1, width // 4 + 1)
        dark = np.zeros(quarter, np.float32)
        for grow, blur, weight in ((1.0, softness, strength), (0.2, 0.25 * softness, 0.6 * strength)):
            mask = np.zeros(quarter, np.uint8)
            cast = [shadow(solid, self._light, grow) for solid in solids]
            ground_polygons(mask, cast, self._camera, 0.25, 255)
            sigma = max(0.4, blur * width / 4 / 320)
            dark += weight * cv2.GaussianBlur(mask, (0, 0), sigma).astype(np.float32) / 255
        large = cv2.resize(np.clip(1 - dark, 0.08, 1), (width, height), interpolation=cv2.INTER_LINEAR)
        self.pixels = (self.pixels * large[..., None]).astype(np.uint8)

    def body(self, solid: Solid) -> None:
        """Paint a solid with plain faces."""
        draw_body(self.pixels, solid, self._camera, self._light, self._ground_shade)
        outline = fixed(silhouette(solid, self._camera))
        cv2.fillConvexPoly(self.owner, outline, NO_TILE, cv2.LINE_8, SHIFT)

    def cap(self, solid: Solid, texture: Pixels, *, top: bool, index: int = NO_TILE) -> NDArray[np.float32]:
        """Lay a texture on the front (`top`) or back of a solid; return its corners in pixels, 4 by 2."""
        corners = self._camera.project(solid.cap(top))
        flat = cap_polygon(solid, self._camera, top)
        quad = corners.astype(np.float32)
        low = np.maximum(np.floor(flat.min(0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(flat.max(0)).astype(int) + 2, self.pixels.shape[1::-1])
        if (high <= low).any():
            return quad
        cv2.fillConvexPoly(self.owner, fixed(flat), index, cv2.LINE_8, SHIFT)
        width, height = (int(v) for v in high - low)
        texture = _reduced(texture, corners)
        rows, columns = texture.shape[:2]
        # our coordinates start at pixel corners, those of OpenCV at pixel centres
        whole = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
        matrix = cv2.getPerspectiveTransform(whole - 0.5, (quad - low.astype(np.float32)) - 0.5)
        laid = cv2.warpPerspective(texture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
        mask = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(mask, fixed(flat - low), 255, cv2.LINE_AA, SHIFT)
        normal = solid.axes[:, 2] * (1 if top else -1)
        view = self._camera.position - solid.centre
        bright = float(self._light.shade(normal[None], (view / np.linalg.norm(view))[None])[0])
        weight = (mask.astype(np.float32) / 255)[..., None]
        part = self.pixels[low[1] : high[1], low[0] : high[0]]
        mixed = part * (1 - weight) + np.clip(laid * np.float32(bright), 0, 255) * weight
        part[:] = mixed.astype(np.uint8)
        return quad

    def visible(self, solid: Solid, *, top: bool, index: int) -> float:
        """The share of a face that nothing covers (0 to 1)."""
        flat = cap_polygon(solid, self._camera, top).astype(np.float32)
        area = float(cv2.contourArea(flat))
        low = np.clip(np.floor(flat.min(0)).astype(int), 0, None)
        high = np.ceil(flat.max(0)).astype(int) + 1
        seen = np.count_nonzero(self.owner[low[1] : max(high[1], 0), low[0] : max(high[0], 0)] == index)
        return min(1.0, seen / area) if area > 1 else 0.0

    def glow(self, spots: list[tuple[float, ...]], *, on_table: bool) -> None:
        """Add glare to the faces, and with `on_table` to everything.

        A spot is `(x, y, radius_x, radius_y, strength)`; places and radii are shares of the picture.
        """
        height, width = self.pixels.shape[:2]
        y, x = np.mgrid[:60, :80].astype(np.float32)
        small = np.zeros((60, 80), np.float32)
        for sx, sy, rx, ry, strength in spots:
            far = ((x / 79 - sx) / rx) ** 2 + ((y / 59 - sy) / ry) ** 2
            small += strength * np.exp(-far)
        large = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
        if not on_table:
            large *= self.owner >= 0
        white = large[..., None]
        self.pixels = (self.pixels + (255 - self.pixels.astype(np.float32)) * np.clip(white, 0, 0.9)).astype(
            np.uint8
        )

    def limb(self, points: NDArray[np.float64], width: float, skin: tuple[float, float, float]) -> None:
        """Paint a finger or an arm: a thick line with soft edges through points in pixels."""
        mask = np.zeros(self.owner.shape, np.uint8)
        cv2.polylines(mask, [fixed(points)], False, 255, max(2, round(width)), cv2.LINE_AA, SHIFT)
        round_ = cv2.GaussianBlur(mask, (0, 0), width * 0.18).astype(np.float32) / 255
        weight = np.clip(round_ * 3 - 0.9, 0, 1)[..., None]
        lit = np.array(skin, np.float32) * (0.55 + 0.5 * round_[..., None])
        self.pixels = (self.pixels * (1 - weight) + np.clip(lit, 0, 255) * weight).astype(np.uint8)
        self.owner[weight[..., 0] > 0.5] = NO_TILE


def _reduced(texture: Pixels, corners: NDArray[np.float64]) -> Pixels:
    """The texture reduced to about the size at which it is shown, so that warping does not alias."""
    sides = np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1)
    width, height = max(sides[0], sides[2]), max(sides[1], sides[3])
    ratio = max(width / texture.shape[1], height / texture.shape[0])
    if ratio >= 0.75:
        return texture
    size = (max(8, round(texture.shape[1] * ratio * 1.15)), max(8, round(texture.shape[0] * ratio * 1.15)))
    smaller: Pixels = cv2.resize(texture, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    return smaller
