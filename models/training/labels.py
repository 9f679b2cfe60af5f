"""Labelled photos as the networks learn from them: with an oriented quad for every tile.

The boxes of turned photos enclose the tiles without saying how far they are turned. Tiles on a table stand in
straight lines, so the directions between touching neighbours give the angle, and the spacing gives the width.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evaluation.corrections import read_corrections
from vision.evaluation.labels import UNKNOWN, LabelledPhoto, read_labels
from vision.tiles import Pixels

Floats = NDArray[np.floating[Any]]

NOTHING = "nothing"
"""The scene of pictures without tiles."""
FULLY_LABELLED_SCENES = frozenset({"tray", "rendered", "cutting-mat", NOTHING})
"""Scenes in which an unlabelled place is certainly not a tile; elsewhere strays are mostly unlabelled."""
BOXES_ON_PARTS = frozenset({"other-tables-023-train"})
"""Photos that teach nothing: their boxes cover only part of the tiles."""

_PART = 2.2
"""Where a label covers only part of a tile, the tile lies within this many of its longer sides."""
_TILE_ASPECT = 1.33  # height over width of a common tile face, where a photo does not tell


@dataclass(frozen=True)
class TrainingPhoto:
    """A labelled photo with a quad for every tile.

    faces: the face of each tile; None if its label has none.
    boxes: N×4, [x0, y0, x1, y1] in pixels.
    quads: N×4×2 in pixels, clockwise; if the label has none, the side nearest to horizontal comes first.
    oriented: whether the quads are known to follow the tiles; False if only the enclosing box is known.
    unsure: quads of tiles that are too hidden to be taught and too visible to count as background.
    nothing: quads (N×4×2) of places that look like tiles but are not.
    """

    path: Path
    scene: str
    faces: tuple[str | None, ...]
    boxes: Floats
    quads: Floats
    oriented: bool
    unsure: tuple[Floats, ...] = ()
    nothing: Floats = field(default_factory=lambda: np.empty((0, 4, 2), np.float32))

    @classmethod
    def of(cls, photo: LabelledPhoto) -> "TrainingPhoto":
        """Estimate the quads that the labels lack; where a label covers only part of a tile, the place is unsure."""
        whole = replace(photo, tiles=tuple(tile for tile in photo.tiles if not tile.partial))
        boxes = np.asarray(whole.boxes, dtype=np.float32).reshape(-1, 4)
        if not whole.tiles:
            quads, oriented = np.empty((0, 4, 2), np.float32), True
        elif whole.quads is None:
            quads, oriented = quads_from_boxes(boxes)
        else:
            quads, oriented = np.asarray(whole.quads, dtype=np.float32), photo.oriented
        parts = [_around(tile.box) for tile in photo.tiles if tile.partial]
        return cls(
            path=photo.path,
            scene=photo.scene,
            faces=tuple(None if face == UNKNOWN else face for face in whole.faces),
            boxes=boxes,
            quads=quads,
            oriented=oriented,
            unsure=tuple(np.asarray(quad, np.float32) for quad in (*photo.unsure, *parts)),
            nothing=np.asarray(photo.nothing, np.float32).reshape(-1, 4, 2),
        )

    @property
    def backs(self) -> tuple[bool, ...]:
        """For each tile whether it lies face down."""
        return tuple(face == "back" for face in self.faces)

    def pixels(self) -> Pixels:
        """Return the photo as RGB pixels, H×W×3."""
        image = cv2.imread(str(self.path), cv2.IMREAD_COLOR)
        if image is None:
            raise FileNotFoundError(f"{self.path} cannot be read as a picture")
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def read_training_photos(
    labels: Path, split: str | None = None, corrections: Path | None = None
) -> list[TrainingPhoto]:
    """The photos of a label file that teach something, in its order, with corrections applied.

    Raises `vision.evaluation.labels.LabelError` if a file cannot be used.
    """
    applied = () if corrections is None else read_corrections(corrections)
    return training_photos(read_labels(labels, split, applied, unknown_faces=True))


def training_photos(photos: Iterable[LabelledPhoto]) -> list[TrainingPhoto]:
    """The photos that teach something: all but those whose boxes cover only parts of the tiles."""
    return [TrainingPhoto.of(photo) for photo in photos if photo.path.stem not in BOXES_ON_PARTS]


def _around(box: Sequence[float]) -> Floats:
    """The square in which a tile lies of which a box covers part."""
    x0, y0, x1, y1 = box
    middle, reach = np.array([x0 + x1, y0 + y1]) / 2, _PART * max(x1 - x0, y1 - y0) / 2
    return corners(np.array([[*(middle - reach), *(middle + reach)]], np.float32))[0]


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
