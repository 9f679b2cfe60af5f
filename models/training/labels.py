"""Labelled photos for training: reading them, and turning axis-aligned boxes into oriented quads.

The boxes of turned photos enclose the tiles without saying how far they are turned. Tiles on a table stand in
straight lines, so the directions between touching neighbours give the angle, and the spacing gives the width.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evaluation.corrections import apply_corrections, read_corrections

Floats = NDArray[np.floating[Any]]
Pixels = NDArray[np.uint8]

FULLY_LABELLED_SCENES = frozenset({"tray", "rendered"})
"""Scenes in which an unlabelled place is certainly not a tile; elsewhere strays are mostly unlabelled."""
BOXES_ON_PARTS = frozenset({"other-tables-023-train"})
"""Photos that teach nothing: their boxes cover only part of the tiles."""

_TILE_ASPECT = 1.33  # height over width of a common tile face, where a photo does not tell


@dataclass(frozen=True)
class LabelledPhoto:
    """One labelled photo: `quads` N×4×2 in pixels, clockwise, axis nearest to horizontal first."""

    path: Path
    scene: str
    split: str
    faces: tuple[str | None, ...]
    """None for a tile whose face nobody could tell."""
    boxes: Floats
    quads: Floats
    oriented: bool
    """Whether the quads are known to follow the tiles; False where only the enclosing box is known."""
    backs: tuple[bool, ...] = ()
    """For each tile whether it lies face down; empty when none does."""
    unsure: tuple[Floats, ...] = ()
    """Quads of tiles too hidden to be taught and too visible to count as none."""

    def pixels(self) -> Pixels:
        """Return the photo as RGB pixels, H×W×3."""
        image = cv2.imread(str(self.path), cv2.IMREAD_COLOR)
        if image is None:
            raise FileNotFoundError(f"{self.path} cannot be read as a picture")
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def read_labels(
    labels: Path, split: str | None = None, corrections: Path | None = None
) -> list[LabelledPhoto]:
    """Return the photos of a `labels.jsonl`, of one split or of all, in file order, with corrections made if given."""
    rows = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines()]
    if corrections:
        rows = apply_corrections(rows, read_corrections(corrections))
    return [
        _photo_of(row, labels.parent)
        for row in rows
        if row["tiles"]
        and split in (None, row.get("split"))
        and Path(row["image"]).stem not in BOXES_ON_PARTS
    ]


def _photo_of(row: dict[str, Any], folder: Path) -> LabelledPhoto:
    tiles = row["tiles"]
    boxes = np.asarray([tile["box"] for tile in tiles], dtype=np.float32)
    if all("quad" in tile for tile in tiles):
        quads = np.asarray([tile["quad"] for tile in tiles], dtype=np.float32)
        oriented = bool(row.get("oriented", True))
    else:
        quads, oriented = quads_from_boxes(boxes)
    faces = tuple(tile["face"] for tile in tiles)
    return LabelledPhoto(
        path=folder / row["image"],
        scene=row.get("scene", "rendered"),
        split=row.get("split", "train"),
        faces=faces,
        boxes=boxes,
        quads=quads,
        oriented=oriented,
        backs=tuple(face == "back" for face in faces),
        unsure=tuple(np.asarray(quad, np.float32) for quad in row.get("unsure", ())),
    )


def corners(boxes: Floats) -> Floats:
    """Return the four corners of N×4 boxes [x0, y0, x1, y1] as N×4×2 quads, clockwise from the top left."""
    x0, y0, x1, y1 = boxes.T
    return np.stack([np.stack(p, 1) for p in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))], 1).astype(np.float32)


def quads_from_boxes(boxes: Floats) -> tuple[Floats, bool]:
    """Return N×4×2 quads for the boxes of one photo and whether their direction is known."""
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    sizes = boxes[:, 2:] - boxes[:, :2]
    angle, agreement = _grid_angle(centres, np.sqrt(sizes.prod(1)))
    if abs(angle) < np.deg2rad(4) and agreement > 0.6:
        return corners(boxes), True
    if agreement < 0.8 or len(boxes) < 4:
        # A lone or scattered tile: an upright box of a tile's proportions is upright itself.
        upright = np.abs(np.log(sizes[:, 1] / sizes[:, 0])) > np.log(1.2)
        return corners(boxes), bool(upright.all())
    cos, sin = np.cos(angle), abs(np.sin(angle))
    spacing = _spacing(centres, angle, np.sqrt(sizes.prod(1)))
    total = sizes.sum(1) / (cos + sin)  # width plus height of each tile
    width = np.clip(np.full(len(boxes), spacing) * total / np.median(total), 0.36 * total, 0.62 * total)
    height = total - width
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    u, v = along * width[:, None] / 2, across * height[:, None] / 2
    quads = np.stack([centres - u - v, centres + u - v, centres + u + v, centres - u + v], 1)
    return quads.astype(np.float32), True


def _neighbour_steps(centres: Floats, sizes: Floats) -> Floats:
    """Vectors between tiles that touch or nearly touch."""
    steps = centres[None] - centres[:, None]
    distance = np.hypot(steps[..., 0], steps[..., 1])
    near = (distance > 0) & (distance < 1.5 * sizes[:, None])
    return np.asarray(steps[near], dtype=np.float32)


def _grid_angle(centres: Floats, sizes: Floats) -> tuple[float, float]:
    """Return the common direction of neighbours modulo 90 degrees (radians) and how well they agree, 0 to 1."""
    steps = _neighbour_steps(centres, sizes)
    if not len(steps):
        return 0.0, 0.0
    turn = np.exp(4j * np.arctan2(steps[:, 1], steps[:, 0])).mean()
    return float(np.angle(turn) / 4), float(abs(turn))


def _spacing(centres: Floats, angle: float, sizes: Floats) -> float:
    steps = _neighbour_steps(centres, sizes)
    along = np.abs(steps @ np.array([np.cos(angle), np.sin(angle)]))
    across = np.abs(steps @ np.array([-np.sin(angle), np.cos(angle)]))
    in_row = along[along > 2 * across]
    if not len(in_row):
        return float(np.median(sizes) / np.sqrt(_TILE_ASPECT))
    return float(np.percentile(in_row, 30))
