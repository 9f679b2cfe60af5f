"""A pinhole camera above a table.

The world is in millimetres: x to the player's right, y away from the player, z up; the table is `z = 0`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera's position, direction and focal length.

    `position` is in mm. The rows of `axes` (3 by 3) point right, down and forward in the world. `centre` is the
    pixel straight ahead.
    """

    position: Points
    axes: Points
    focal_px: float
    centre: tuple[float, float]

    def project(self, points: Points) -> Points:
        """Project world points (… by 3, mm) to pixels (… by 2); points behind the camera give meaningless pixels."""
        seen = (points - self.position) @ self.axes.T
        depth = np.maximum(seen[..., 2:], 1e-3)
        pixels: Points = seen[..., :2] / depth * self.focal_px + np.asarray(self.centre)
        return pixels

    def depth(self, points: Points) -> Points:
        """The distance of points in front of the camera along its axis, in mm."""
        ahead: Points = (points - self.position) @ self.axes[2]
        return ahead

    def ground(self) -> Points:
        """The 3 by 3 homography from table millimetres `(x, y, 1)` to pixels."""
        axes = self.axes * np.array([[self.focal_px], [self.focal_px], [1.0]])
        matrix = np.column_stack([axes[:, 0], axes[:, 1], -axes @ self.position])
        shift = np.array([[1.0, 0.0, self.centre[0]], [0.0, 1.0, self.centre[1]], [0.0, 0.0, 1.0]])
        full: Points = shift @ matrix
        return full


def look_at(
    target: Points, *, distance: float, elevation: float, azimuth: float, roll: float, focal_px: float
) -> Camera:
    """A camera that looks at a point from `distance` mm, `elevation` degrees above the table (90 is straight down).

    `azimuth` moves it around the table, from 0 at the player's side; `roll` turns the picture. Both are in degrees.
    """
    e, a, r = (math.radians(v) for v in (elevation, azimuth, roll))
    forward = np.array([-math.cos(e) * math.sin(a), math.cos(e) * math.cos(a), -math.sin(e)])
    right = np.array([math.cos(a), math.sin(a), 0.0])
    down = np.cross(forward, right)
    turned = np.stack(
        [math.cos(r) * right + math.sin(r) * down, math.cos(r) * down - math.sin(r) * right, forward]
    )
    return Camera(target - distance * forward, turned, focal_px, (0.0, 0.0))


def framed(
    points: Points,
    size: tuple[int, int],
    rng: np.random.Generator,
    *,
    elevation: float,
    azimuth: float,
    roll: float,
    fill: float,
) -> Camera:
    """A camera that shows `points` (N by 3, mm) across about `fill` (0 to 1) of a picture of `size` (w, h)."""
    width, height = size
    view = math.radians(rng.uniform(48, 68))
    focal = 0.5 * max(size) / math.tan(view / 2)
    low, high = points.min(0), points.max(0)
    target, distance = (low + high) / 2, 900.0
    camera = look_at(
        target, distance=distance, elevation=elevation, azimuth=azimuth, roll=roll, focal_px=focal
    )
    for _ in range(4):
        pixels = camera.project(points)
        extent = np.ptp(pixels, axis=0) / (width, height)
        distance = max(150.0, distance * float(extent.max()) / fill)
        camera = look_at(
            target, distance=distance, elevation=elevation, azimuth=azimuth, roll=roll, focal_px=focal
        )
    pixels = camera.project(points)
    low, high = pixels.min(0), pixels.max(0)
    room = np.maximum(np.array([width, height]) - (high - low), 0)
    # the hand lies anywhere in the picture, more often near its middle
    corner = room * np.clip(rng.normal(0.5, 0.16, 2), 0.04, 0.96)
    shift = corner - low
    return replace(camera, centre=(float(shift[0]), float(shift[1])))
