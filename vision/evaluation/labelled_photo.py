"""A photo with labelled tiles, and the JSON object that describes it in a label file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as shown
from typing import Any, Final

import numpy as np

from vision.evaluation.errors import LabelError
from vision.layout.roles import Role
from vision.tiles import BACK, FACES

Box = tuple[float, float, float, float]
"""[x0, y0, x1, y1] in pixels of the upright photo."""
Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Four corners in pixels of the upright photo, clockwise."""

UNKNOWN: Final = "unknown"
"""The face of a tile whose label has a null face: a tile lies there, but its face could not be read."""

HAND_TILES: Final = range(13, 19)
"""How many tiles a row needs to count as a declared hand: the winning tile may be missing, kongs add up to four."""

_FARTHEST_PX = 1_000_000  # no coordinate in a photo is larger; NaN and infinities fail the comparison too
_OFF_LINE = 0.5  # share of a tile's size by which the centre of a tile may miss the line of its row


@dataclass(frozen=True)
class LabelledTile:
    """One labelled tile.

    face: one of the 42 face codes, `back`, or `UNKNOWN`.
    box: the axis-aligned box around the tile.
    quad: the corners of the tile; None if the label gives only the box.
    role: what the tile is for; None if the label does not say.
    partial: whether the box covers only part of the tile.
    """

    face: str
    box: Box
    quad: Quad | None = None
    role: Role | None = None
    partial: bool = False


@dataclass(frozen=True)
class LabelledPhoto:
    """One photo with its labelled tiles.

    path: the photo. image: what its label calls it, relative to the label file.
    scene: the kind of scene, for separate figures. split: the part of the data set, for example `train`.
    augmented: whether the picture was made from another photo, for example by turning it.
    oriented: whether quads, where there are any, follow the edges of the tiles.
    unsure: tiles that are too hidden to count as tiles and too visible to count as background.
    nothing: places that look like tiles but are not.
    """

    path: Path
    tiles: tuple[LabelledTile, ...]
    image: str = ""
    scene: str = "all"
    split: str | None = None
    augmented: bool = False
    oriented: bool = True
    unsure: tuple[Quad, ...] = ()
    nothing: tuple[Quad, ...] = ()

    @property
    def faces(self) -> tuple[str, ...]:
        """The face of each tile."""
        return tuple(tile.face for tile in self.tiles)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The box of each tile."""
        return tuple(tile.box for tile in self.tiles)

    @property
    def quads(self) -> tuple[Quad, ...] | None:
        """The quad of each tile; None if a tile has none."""
        quads = tuple(tile.quad for tile in self.tiles if tile.quad is not None)
        return quads if len(quads) == len(self.tiles) else None

    @property
    def shows_one_row(self) -> bool:
        """Whether the labelled tiles form one row of 13 to 18 tiles.

        The centres of all boxes must lie within half a tile of one straight line, at any angle; a tile's size is the
        median square root of the areas of the boxes.
        """
        if len(self.tiles) not in HAND_TILES:
            return False
        boxes = np.array(self.boxes, dtype=np.float64)
        centres = (boxes[:, :2] + boxes[:, 2:]) / 2
        size = float(np.median(np.sqrt(np.prod(boxes[:, 2:] - boxes[:, :2], axis=1))))
        from_mean = centres - centres.mean(axis=0)
        line = np.linalg.svd(from_mean, full_matrices=False)[2][0]
        off = np.abs(from_mean[:, 0] * line[1] - from_mean[:, 1] * line[0])
        return bool(off.max() < _OFF_LINE * size)


def photo_from_json(row: dict[str, Any], folder: Path) -> LabelledPhoto:
    """The labelled photo of one line of a label file in `folder`. Raises LabelError, which names the fault."""
    image, tiles, scene, split = (row.get(key) for key in ("image", "tiles", "scene", "split"))
    if not isinstance(image, str) or not image:
        raise LabelError("it needs image, the path of the photo in quotes")
    if not isinstance(tiles, list):
        raise LabelError("it needs tiles, a list of objects with face and box")
    if "scene" in row and not isinstance(scene, str):
        raise LabelError("its scene must be text in quotes, or be left out")
    if split is not None and not isinstance(split, str):
        raise LabelError("its split must be text in quotes, or be left out")
    return LabelledPhoto(
        path=folder / image,
        tiles=tuple(tile_from_json(tile, f"tile {number}") for number, tile in enumerate(tiles, 1)),
        image=image,
        scene=scene or "all",
        split=split,
        augmented=_flag(row, "augmented", default=False),
        oriented=_flag(row, "oriented", default=True),
        unsure=_places(row, "unsure"),
        nothing=_places(row, "nothing"),
    )


def tile_from_json(tile: object, name: str) -> LabelledTile:
    """The tile of a label or a correction; `name` is what messages call it. Raises LabelError."""
    if not isinstance(tile, dict) or not {"face", "box"} <= tile.keys():
        raise LabelError(f"{name} needs face and box")
    face = UNKNOWN if tile["face"] is None else tile["face"]
    if face not in (*FACES, BACK, UNKNOWN):
        raise LabelError(f"{name} has the unknown face {shown(face)}")
    role = tile.get("role")
    if role is not None and role not in list(Role):
        raise LabelError(f"{name} has the unknown role {shown(role)}: use {', '.join(Role)}")
    return LabelledTile(
        face=str(face),
        box=_box(tile["box"], name),
        quad=_quad(tile["quad"], name) if "quad" in tile else None,
        role=None if role is None else Role(role),
        partial=_flag(tile, "partial_box", default=False),
    )


def _places(row: dict[str, Any], key: str) -> tuple[Quad, ...]:
    quads = row.get(key, [])
    if not isinstance(quads, list):
        raise LabelError(f"its {key} places must be a list of quads")
    return tuple(_quad(quad, f"{key} place {number}") for number, quad in enumerate(quads, 1))


def _box(values: object, name: str) -> Box:
    if isinstance(values, list) and len(values) == 4 and all(map(_is_coordinate, values)):
        x0, y0, x1, y1 = map(float, values)
        if x0 < x1 and y0 < y1:
            return x0, y0, x1, y1
    raise LabelError(f"the box of {name} must be [x0, y0, x1, y1] in pixels with x0 < x1 and y0 < y1")


def _quad(corners: object, name: str) -> Quad:
    if isinstance(corners, list) and len(corners) == 4 and all(map(_is_point, corners)):
        one, two, three, four = ((float(x), float(y)) for x, y in corners)
        return one, two, three, four
    raise LabelError(f"the quad of {name} must be four corners [x, y] in pixels")


def _is_point(corner: object) -> bool:
    return isinstance(corner, Sequence) and len(corner) == 2 and all(map(_is_coordinate, corner))


def _is_coordinate(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= _FARTHEST_PX


def _flag(row: dict[str, Any], key: str, *, default: bool) -> bool:
    value = row.get(key, default)
    if not isinstance(value, bool):
        raise LabelError(f"its {key} must be true or false, or be left out")
    return value
