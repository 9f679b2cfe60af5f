"""Labelled photos: axis-aligned boxes with faces, one JSON object a photo.

A label line has `image` (a path relative to the file), `tiles` (each with `face` and `box` [x0, y0, x1,
y1] in pixels, maybe also with its `role`) and may have `split` and `scene`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as shown
from typing import Any

import numpy as np

from vision.layout.roles import Role
from vision.tiles import BACK, FACES

#: [x0, y0, x1, y1] in pixels of the upright photo.
Box = tuple[float, float, float, float]

#: Tiles of one declared hand: the winning tile may be missing, four kongs or flowers may be there.
ROW_TILES = range(13, 19)

#: Pixels beyond which no box of any photo reaches; NaN and infinities do not pass it either.
_FARTHEST = 1_000_000
_OFF_LINE = 0.5


class LabelError(ValueError):
    """A labels file that cannot be used; the message names the line and what is wrong with it."""


@dataclass(frozen=True)
class LabelledPhoto:
    """One photo with its labelled tiles: `faces` and `boxes` [x0, y0, x1, y1] in pixels, in one order.

    roles: what each tile is to the hand, None where the label does not say; empty where none does.
    """

    path: Path
    scene: str
    faces: tuple[str, ...]
    boxes: tuple[Box, ...]
    roles: tuple[Role | None, ...] = ()

    @property
    def shows_one_row(self) -> bool:
        """Whether the labelled tiles are one row of 13 to 18 tiles.

        They are if there are so many and the middles of all boxes lie within half a tile (the median
        square root of the boxes' areas) of one straight line, at whatever angle.
        """
        if len(self.boxes) not in ROW_TILES:
            return False
        boxes = np.array(self.boxes, dtype=np.float64)
        middles = (boxes[:, :2] + boxes[:, 2:]) / 2
        size = float(np.median(np.sqrt(np.prod(boxes[:, 2:] - boxes[:, :2], axis=1))))
        from_mean = middles - middles.mean(axis=0)
        line = np.linalg.svd(from_mean, full_matrices=False)[2][0]
        off = np.abs(from_mean[:, 0] * line[1] - from_mean[:, 1] * line[0])
        return bool(off.max() < _OFF_LINE * size)


def read_labels(path: Path, split: str | None = None) -> tuple[LabelledPhoto, ...]:
    """The labelled photos of a JSONL file, all or those of one split. Raises LabelError."""
    photos = labelled_photos(read_rows(path), path.parent, split)
    if not photos:
        which = f" of split {split!r}" if split is not None else ""
        raise LabelError(f"{path} holds no labelled photo{which}")
    return photos


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The label lines of a JSONL file as JSON objects, each one checked. Raises LabelError."""
    rows = []
    for number, line in numbered_lines(path):
        try:
            row = json_object(line)
            _photo(row, path.parent)
        except LabelError as error:
            raise LabelError(f"{path}, line {number} is no label: {error}") from error
        rows.append(row)
    return rows


def labelled_photos(
    rows: Iterable[dict[str, Any]], folder: Path, split: str | None = None
) -> tuple[LabelledPhoto, ...]:
    """The photos of label lines, whose image paths are relative to `folder`; all or those of one split."""
    return tuple(_photo(row, folder) for row in rows if split is None or row.get("split") == split)


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a JSONL file that are not blank, each with its number from 1. Raises LabelError."""
    try:
        # Not splitlines(): text inside JSON may hold other line separators.
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise LabelError(f"{path} cannot be read ({error}): name a file of one JSON object a line") from error
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def json_object(line: str) -> dict[str, Any]:
    """The JSON object that a line holds. Raises LabelError."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise LabelError(f"it is not JSON ({error.msg} at character {error.pos + 1})") from error
    except (ValueError, RecursionError) as error:
        raise LabelError(f"it is not JSON that can be read ({error})") from error
    if not isinstance(row, dict):
        raise LabelError("it must be one JSON object")
    return row


def _photo(row: dict[str, Any], folder: Path) -> LabelledPhoto:
    """The labelled photo of one line. Raises LabelError, which says what the line lacks."""
    image, tiles, scene = row.get("image"), row.get("tiles"), row.get("scene", "all")
    if not isinstance(image, str) or not image:
        raise LabelError("it needs image, the path of the photo in quotes")
    if not isinstance(tiles, list):
        raise LabelError("it needs tiles, a list of objects with face and box")
    if not isinstance(scene, str):
        raise LabelError("its scene must be text in quotes, or be left out")
    named = [face_and_box(tile, f"tile {number}") for number, tile in enumerate(tiles, 1)]
    roles = tuple(_role(tile, number) for number, tile in enumerate(tiles, 1))
    faces, boxes = tuple(face for face, _ in named), tuple(box for _, box in named)
    return LabelledPhoto(folder / image, scene, faces, boxes, roles if any(roles) else ())


def face_and_box(tile: object, name: str) -> tuple[str, Box]:
    """The face and the box of a tile of a label line; `name` is what to call it. Raises LabelError."""
    if not isinstance(tile, dict) or not {"face", "box"} <= tile.keys():
        raise LabelError(f"{name} needs face and box")
    if tile["face"] not in (*FACES, BACK):
        raise LabelError(f"{name} is of unknown face {shown(tile['face'])}")
    values = tile["box"]
    if isinstance(values, list) and len(values) == 4:
        corners = [float(value) for value in values if _is_place(value)]
        if len(corners) == 4 and corners[0] < corners[2] and corners[1] < corners[3]:
            return str(tile["face"]), (corners[0], corners[1], corners[2], corners[3])
    raise LabelError(f"the box of {name} must be [x0, y0, x1, y1] in pixels with x0 < x1 and y0 < y1")


def _role(tile: dict[str, Any], number: int) -> Role | None:
    """The role that the label gives the tile, None where it gives none."""
    role = tile.get("role")
    if role is not None and role not in list(Role):
        raise LabelError(f"tile {number} has the unknown role {shown(role)}: use {', '.join(Role)}")
    return None if role is None else Role(role)


def _is_place(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= _FARTHEST
