"""A table as the networks would report it, without pixels: where a camera sees each tile, and what it reads there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from models.rendering.camera import Camera, framed
from models.rendering.layout import Placed, Proportions
from models.rendering.solids import Solid, cap_seen, pose
from models.tables.kinds import Table
from models.tables.litter import Thing
from scorer import BACK
from vision.tiles import CLASS_INDEX, CLASSES, SET_FACES, WHITE_DRAGON, Tiles

Array = NDArray[np.float64]
_SIZE = (1280, 960)
_MM = 27.0
_SAME_EITHER_WAY = frozenset(["1p", "2p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "7z"])
_PLAIN = np.zeros(3)


@dataclass(frozen=True, eq=False)
class SeenTable:
    """The finds in a photo of a table.

    truth: for each find the tile it shows, None if it is the side of a tile, or no tile.
    """

    table: Table
    tiles: Tiles
    truth: tuple[Placed | None, ...]
    size: tuple[int, int]


def seen(table: Table, seed: int) -> SeenTable:
    """Return a table as a camera sees it that looks at the hand from anywhere; the same seed gives the same finds."""
    rng = np.random.default_rng((seed, crc32(table.kind.encode()), 1))
    own = [_solid(tile, table.proportions) for tile in table.own]
    camera = framed(
        np.concatenate([solid.cap(top=True) for solid in own]),
        _SIZE,
        rng,
        elevation=float(rng.triangular(32, 62, 90)),
        azimuth=float(rng.normal(0, 14)) + (180.0 if rng.random() < 0.35 else 0.0),
        roll=float(rng.normal(0, 5)) + float(rng.choice([0, 90, -90], p=[0.94, 0.03, 0.03])),
        fill=float(rng.triangular(0.4, 0.9, 0.97)),
    )
    finds = _Finds(camera, rng)
    for tile, solid in zip(table.own, own, strict=True):
        finds.add_tile(tile, solid, own=True)
    for tile in table.strays:
        finds.add_tile(tile, _solid(tile, table.proportions), own=False)
    for thing in table.things:
        finds.add_thing(thing)
    return finds.together(table)


def _solid(tile: Placed, proportions: Proportions) -> Solid:
    extent = (_MM, proportions.height * _MM, proportions.thickness * _MM)
    lean = math.radians(tile.tilt)
    rise = (extent[2] * math.cos(lean) + extent[1] * math.sin(lean)) / 2 + tile.lift * _MM
    axes = pose(tile.turn, tile.tilt, tile.face == BACK)
    return Solid(extent, np.array([tile.x * _MM, tile.y * _MM, rise]), axes, _PLAIN, _PLAIN)


class _Finds:
    """Finds collected tile by tile."""

    def __init__(self, camera: Camera, rng: np.random.Generator) -> None:
        self._camera = camera
        self._rng = rng
        self._quads: list[Array] = []
        self._faces: list[Array] = []
        self._scores: list[float] = []
        self._truth: list[Placed | None] = []

    def add_tile(self, tile: Placed, solid: Solid, *, own: bool) -> None:
        """The face or the back of a tile, whichever is seen, and the top of one that stands."""
        rng = self._rng
        face_seen = cap_seen(solid, self._camera, top=True)
        face = tile.face if face_seen else BACK
        # The back of a standing tile is often seen at an angle at which it is not found.
        if own or tile.tilt < 45 or rng.random() < 0.6:
            sure = float(rng.uniform(0.975, 0.9995)) if own or face_seen else float(rng.uniform(0.7, 0.999))
            shown = tile if face_seen or tile.face == BACK else None
            self._put(solid.cap(top=face_seen), self._read(face, sure), shown, 0.84)
        if tile.tilt >= 45 and rng.random() < 0.5:
            blank = WHITE_DRAGON if rng.random() < 0.5 else BACK
            self._put(_top(solid), self._read(blank, float(rng.uniform(0.6, 0.999))), None, 0.6)

    def add_thing(self, thing: Thing) -> None:
        """A thing that is taken for a tile."""
        half, rng = thing.size / 2 * _MM, self._rng
        angle = float(rng.uniform(0, 2 * math.pi))
        x, y = thing.x * _MM, thing.y * _MM
        corners = np.array([(-half, half), (half, half), (half, -half), (-half, -half)])
        spin = np.array([(math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))])
        flat = np.column_stack([corners @ spin.T + (x, y), np.full(4, 3.0)])
        self._put(
            flat, self._read(str(rng.choice(thing.looks_like)), float(rng.uniform(0.6, 0.999))), None, 0.7
        )

    def together(self, table: Table) -> SeenTable:
        """All finds in any order, as the networks give them."""
        order = self._rng.permutation(len(self._quads))
        return SeenTable(
            table,
            Tiles(np.array(self._quads)[order], np.array(self._faces)[order], np.array(self._scores)[order]),
            tuple(self._truth[at] for at in order),
            _SIZE,
        )

    def _put(self, corners: Array, faces: Array, tile: Placed | None, score: float) -> None:
        """One find with these corners in the world, unless it lies outside the picture or is too flat to be found."""
        rng, inside = self._rng, np.array(_SIZE)
        if self._camera.depth(corners).min() < 3 * _MM:
            return
        quad = self._camera.project(corners)
        right, down = quad[1] - quad[0], quad[3] - quad[0]
        area = float(right[0] * down[1] - right[1] * down[0])
        middle = quad.mean(axis=0)
        if area < 0:
            quad, area = quad[[1, 0, 3, 2]], -area
        if area < 80 or (middle < 4).any() or (middle > inside - 4).any():
            return
        size = math.sqrt(area)
        off = float(rng.choice([0.012, 0.025, 0.04], p=(0.4, 0.4, 0.2))) * size
        quad = quad + rng.normal(0, 0.6 * off, 2) + rng.normal(0, off, (4, 2))
        self._quads.append(np.roll(quad, -self._turned(faces), axis=0))
        self._faces.append(faces)
        self._scores.append(float(np.clip(rng.normal(score, 0.06), 0.25, 0.97)))
        self._truth.append(tile)

    def _turned(self, faces: Array) -> int:
        """By how many quarters the reader takes a tile for turned."""
        rng = self._rng
        if rng.random() < 0.005:
            return int(rng.integers(4))
        alike = CLASSES[int(faces.argmax())] in _SAME_EITHER_WAY
        return 2 if alike and rng.random() < 0.4 else 0

    def _read(self, face: str, sure: float) -> Array:
        """Probabilities of all classes, most of what is left with one other face."""
        rng = self._rng
        rest = rng.dirichlet(np.full(len(CLASSES), 0.05)) * (1 - sure)
        rest[int(rng.integers(SET_FACES))] += 1e-6
        rest[CLASS_INDEX[face]] += sure
        probabilities: Array = rest / rest.sum()
        return probabilities


def _top(solid: Solid) -> Array:
    """The corners of the narrow side that a standing tile turns upward."""
    width, height, thickness = (length / 2 for length in solid.extent)
    flat = [(-width, height, -thickness), (width, height, -thickness), (width, height, thickness)]
    corners: Array = np.array([*flat, (-width, height, thickness)]) @ solid.axes.T + solid.centre
    return corners
