"""Rounded boxes: the bodies of tiles, dice and racks, projected and shaded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.rendering.camera import Camera

Points = NDArray[np.float64]

SHIFT = 4
"""Fractional bits of the coordinates that OpenCV draws with."""


@dataclass(frozen=True, slots=True)
class Solid:
    """A rounded box.

    `extent` is width, height and thickness in mm; `centre` is in world coordinates; the columns of `axes` are the
    box's x, y and z. `back` (RGB) colours the part below `split` (0 to 1 of the thickness), `front` the part above.
    `corner` and `bevel` are radii in widths of the box.
    """

    extent: tuple[float, float, float]
    centre: Points
    axes: Points
    front: Points
    back: Points
    split: float = 0.35
    corner: float = 0.1
    bevel: float = 0.06

    def cap(self, top: bool) -> Points:
        """The four corners of the front or back face in mm, clockwise as seen from outside."""
        w, h, t = (v / 2 for v in self.extent)
        flat = [(-w, h), (w, h), (w, -h), (-w, -h)] if top else [(w, h), (-w, h), (-w, -h), (w, -h)]
        corners: Points = np.array([(x, y, t if top else -t) for x, y in flat]) @ self.axes.T + self.centre
        return corners


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp and the light of the room; `towards` is the unit vector from the table to the lamp."""

    towards: Points
    ambient: float
    gloss: float

    def shade(self, normals: Points, view: Points) -> Points:
        """The brightness of surfaces (1 as the table), from their normals and the directions to the camera."""
        facing = np.clip(normals @ self.towards, 0, None)
        half = view + self.towards
        half /= np.linalg.norm(half, axis=-1, keepdims=True)
        shine = np.clip((normals * half).sum(-1), 0, 1) ** 24
        level = max(float(self.towards[2]), 0.2)
        up = 0.7 + 0.3 * normals[..., 2]  # the room lights upright faces too
        result: Points = self.ambient * up + (1 - self.ambient) * facing / level + self.gloss * shine
        return result


@cache
def _outline(steps: int = 3) -> tuple[Points, Points]:
    """A rounded square: each vertex's corner (±1, ±1) and its direction from the middle of that corner's arc."""
    corners, arcs = [], []
    for k, corner in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for j in range(steps + 1):
            angle = math.pi / 2 * (k + j / steps)
            corners.append(corner)
            arcs.append((math.cos(angle), math.sin(angle)))
    return np.array(corners, float), np.array(arcs)


def _mesh(solid: Solid) -> tuple[Points, list[bool]]:
    """Vertices in the world (levels by outline by 3), and whether each layer between levels is front."""
    w, h, t = solid.extent
    corner, bevel = solid.corner * w, solid.bevel * w
    split = np.clip(solid.split * t, bevel * 1.1, t - bevel * 1.1) - t / 2
    levels = [
        *((-t / 2, bevel), (-t / 2 + 0.3 * bevel, 0.3 * bevel), (-t / 2 + bevel, 0.0)),
        *((split, 0.0), (t / 2 - bevel, 0.0), (t / 2 - 0.3 * bevel, 0.3 * bevel), (t / 2, bevel)),
    ]
    corners, arcs = _outline()
    inner = np.array([w / 2 - corner, h / 2 - corner])
    rings = [
        np.column_stack([corners * inner + arcs * (corner - inset), np.full(len(corners), z)])
        for z, inset in levels
    ]
    return np.stack(rings) @ solid.axes.T + solid.centre, [False, False, False, True, True, True]


def fixed(points: Points) -> NDArray[np.int32]:
    """Convert pixel positions to OpenCV's fixed-point integers, which have pixel centres at whole numbers."""
    whole: NDArray[np.int32] = np.round((np.asarray(points) - 0.5) * (1 << SHIFT)).astype(np.int32)
    return whole


def silhouette(solid: Solid, camera: Camera) -> Points:
    """The outline of a solid in the picture: a convex polygon in pixels."""
    mesh, _ = _mesh(solid)
    hull = cv2.convexHull(camera.project(mesh).reshape(-1, 2).astype(np.float32))
    outline: Points = hull.reshape(-1, 2).astype(np.float64)
    return outline


def draw_body(
    canvas: NDArray[np.uint8], solid: Solid, camera: Camera, light: Light, ground_shade: float
) -> None:
    """Paint the sides and edges of a solid into an RGB picture, and its caps in their plain colour.

    `ground_shade` (0 to 1) darkens the sides towards the table, where neighbours take the light.
    """
    mesh, front = _mesh(solid)
    pixels = camera.project(mesh)
    after = np.roll(mesh, -1, axis=1)
    across, up = after[:-1] - mesh[:-1], mesh[1:] - mesh[:-1]
    normals = np.cross(across, up)
    normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-9)
    middles = (mesh[:-1] + mesh[1:] + after[:-1] + np.roll(mesh[1:], -1, axis=1)) / 4
    view = camera.position - middles
    view /= np.linalg.norm(view, axis=-1, keepdims=True)
    seen = (normals * view).sum(-1) > 0
    shades = light.shade(normals, view)
    height = np.clip(middles[..., 2] / max(min(solid.extent), 1.0), 0, 1)
    shades *= 1 - ground_shade * (1 - height) * (np.abs(normals[..., 2]) < 0.9)
    colours = np.where(np.array(front)[:, None, None], solid.front, solid.back) * shades[..., None]
    colours = np.clip(colours, 0, 255)

    hull = cv2.convexHull(pixels.reshape(-1, 2).astype(np.float32)).reshape(-1, 2).astype(np.float64)
    mean = colours[seen].mean(0) if seen.any() else solid.front
    cv2.fillConvexPoly(canvas, fixed(hull), mean.tolist(), cv2.LINE_AA, SHIFT)
    drawn = fixed(
        np.stack([pixels[:-1], np.roll(pixels[:-1], -1, 1), np.roll(pixels[1:], -1, 1), pixels[1:]], 2)
    )
    plain = colours.tolist()
    for layer, spot in zip(*np.nonzero(seen), strict=True):
        cv2.fillConvexPoly(canvas, drawn[layer, spot], plain[layer][spot], cv2.LINE_AA, SHIFT)
    for level, top in ((-1, True), (0, False)):
        normal = solid.axes[:, 2] * (1 if top else -1)
        towards = camera.position - mesh[level].mean(0)
        if normal @ towards > 0:
            shade = light.shade(normal[None], (towards / np.linalg.norm(towards))[None])[0]
            flat = np.clip((solid.front if top else solid.back) * shade, 0, 255)
            cv2.fillConvexPoly(canvas, fixed(pixels[level]), flat.tolist(), cv2.LINE_AA, SHIFT)


def cap_polygon(solid: Solid, camera: Camera, top: bool) -> Points:
    """The outline of the flat part of the front or back face, in pixels."""
    mesh, _ = _mesh(solid)
    flat: Points = camera.project(mesh[-1 if top else 0])
    return flat


def cap_seen(solid: Solid, camera: Camera, top: bool) -> bool:
    """Whether the front (or back) face is turned towards the camera."""
    normal = solid.axes[:, 2] * (1 if top else -1)
    return bool(normal @ (camera.position - (solid.centre + normal * solid.extent[2] / 2)) > 0)


def sides_seen(solid: Solid, camera: Camera, others: Sequence[Solid], steep: float = 0.3) -> list[Points]:
    """The corners in pixels of each side that the camera sees (4 by 2), without those that touch another solid.

    Each side comes whole, and where it has two colours, its front part too. `steep` is how much it must face the
    camera: 0 sees it edge on, 1 straight.
    """
    half = np.array(solid.extent) / 2
    front = -half[2] + float(np.clip(solid.split, 0, 1)) * solid.extent[2]
    found = []
    for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
        normal = sign * solid.axes[:, axis]
        middle = solid.centre + normal * half[axis]
        towards = camera.position - middle
        touched = any(_holds(other, middle + 2 * normal) for other in others if other is not solid)
        if touched or float(normal @ towards) < steep * float(np.linalg.norm(towards)):
            continue
        for low in {-half[2], front if front < 0.7 * half[2] else -half[2]}:
            corners = np.zeros((4, 3))
            corners[:, axis] = sign * half[axis]
            corners[:, 1 - axis] = np.array([-1, 1, 1, -1]) * half[1 - axis]
            corners[:, 2] = [half[2], half[2], low, low]
            seen = camera.project(corners @ solid.axes.T + solid.centre)
            clockwise = cv2.contourArea(seen.astype(np.float32), oriented=True) > 0
            found.append(seen if clockwise else seen[::-1])
    return found


def _holds(solid: Solid, point: Points) -> bool:
    return bool((np.abs((point - solid.centre) @ solid.axes) < np.array(solid.extent) / 2).all())


def shadow(solid: Solid, light: Light, grow: float = 1.0) -> Points:
    """The solid's shadow on the table: a convex polygon, N by 2 in mm; `grow` scales its length."""
    mesh, _ = _mesh(solid)
    points = mesh.reshape(-1, 3)
    length = np.clip(points[:, 2:], 0, None) / max(float(light.towards[2]), 0.25) * grow
    ground = points[:, :2] - light.towards[:2] * length
    hull: Points = cv2.convexHull(ground.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    return hull


def pose(turn: float, tilt: float, down: bool) -> Points:
    """The axes (columns) of a tile turned anticlockwise by `turn` degrees and tilted up by `tilt` degrees."""
    a, b = math.radians(turn), math.radians(tilt)
    leaning = np.array(
        [[1, 0, 0], [0, math.cos(b), -math.sin(b)], [0, math.sin(b), math.cos(b)]], dtype=np.float64
    )
    turned = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
    flip = np.diag([-1.0, 1.0, -1.0]) if down else np.eye(3)
    axes: Points = turned @ leaning @ flip
    return axes


def ground_polygons(
    mask: NDArray[np.uint8], polygons: Sequence[Points], camera: Camera, scale: float, value: int
) -> None:
    """Fill polygons on the table (N by 2 in mm) in a mask that is `scale` times the size of the picture."""
    for polygon in polygons:
        corners = np.column_stack([polygon, np.zeros(len(polygon))])
        if (camera.depth(corners) > 1).all():
            cv2.fillConvexPoly(mask, fixed(camera.project(corners) * scale), value, cv2.LINE_AA, SHIFT)
