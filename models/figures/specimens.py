"""Pictures whose tiles are known, and how many of these tiles recognition finds and names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.rendering import RenderedPhoto
from models.training.labels import quads_from_boxes
from vision.evaluation.labels import LabelledPhoto
from vision.layout.roles import Role
from vision.photo import Photo, load_photo
from vision.recognition import Recognition, recognise
from vision.tiles import Pixels

Quads = NDArray[np.float32]

NEAR = 0.4
"""A find belongs to a tile if their centres are closer than this share of the tile's size."""
ENOUGH_SEEN = 0.75
"""A rendered tile counts if at least this share of its face is visible."""


@dataclass(frozen=True, eq=False)
class Specimen:
    """One picture (H×W×3, RGB) with the quads (N×4×2, pixels) and faces of its tiles.

    `source` is `photo` or `rendered`.
    """

    name: str
    source: str
    pixels: Pixels
    quads: Quads
    faces: tuple[str, ...]

    @property
    def size_px(self) -> float:
        """The median size of its tiles, the square root of their area in pixels."""
        return float(np.median(sizes_px(self.quads)))

    def seen(self, pixels: Pixels, quads: Quads) -> Specimen:
        """The same tiles in another picture, without those that are not wholly inside it."""
        height, width = pixels.shape[:2]
        low, high = quads.min(axis=1), quads.max(axis=1)
        inside = (low >= -1).all(1) & (high[:, 0] <= width + 1) & (high[:, 1] <= height + 1)
        faces = tuple(face for face, kept in zip(self.faces, inside, strict=True) if kept)
        return Specimen(self.name, self.source, pixels, quads[inside], faces)


def of_labelled(photo: LabelledPhoto) -> Specimen:
    """A labelled photo; the direction of neighbouring tiles turns its boxes into quads."""
    boxes = np.asarray(photo.boxes, dtype=np.float32)
    quads, _ = quads_from_boxes(boxes)
    pixels = np.array(load_photo(photo.path).pixels)
    return Specimen(photo.path.stem, "photo", pixels, quads.astype(np.float32), photo.faces)


def of_rendered(scene: RenderedPhoto, name: str) -> Specimen:
    """A rendered scene without largely hidden tiles, and where it shows a hand, without stray tiles."""
    hand = [tile for tile in scene.tiles if tile.role != Role.STRAY.value]
    tiles = [tile for tile in hand or scene.tiles if tile.visible >= ENOUGH_SEEN]
    quads = np.array([tile.quad for tile in tiles], dtype=np.float32).reshape(-1, 4, 2)
    return Specimen(name, "rendered", scene.pixels, quads, tuple(tile.face for tile in tiles))


@dataclass(frozen=True)
class TileCounts:
    """How many tiles there are, how many were found, and how many were found and named correctly (`right`).

    Of the tiles put into the hand, `wrong` and `right_in_hand` count those with a wrong and with the correct name;
    `wrong_flagged` and `right_flagged` count how many of these are marked as doubtful.
    """

    tiles: int = 0
    found: int = 0
    right: int = 0
    wrong: int = 0
    wrong_flagged: int = 0
    right_in_hand: int = 0
    right_flagged: int = 0

    def __add__(self, other: TileCounts) -> TileCounts:
        """The sums of both."""
        mine, theirs = vars(self), vars(other)
        return TileCounts(**{name: mine[name] + theirs[name] for name in mine})

    @property
    def recall(self) -> float:
        """The share of the tiles that were found and named correctly; 0 where there are no tiles."""
        return self.right / self.tiles if self.tiles else 0.0


def total(counts: Iterable[TileCounts]) -> TileCounts:
    """The sums of all counts."""
    return sum(counts, TileCounts())


def count_tiles(specimen: Specimen) -> TileCounts:
    """Read one picture and compare. Raises `models.manifest.ModelError` if a network is missing."""
    return compare(specimen, recognise(Photo(specimen.pixels, specimen.name)))


def compare(specimen: Specimen, recognition: Recognition) -> TileCounts:
    """Compare a reading with what the picture shows.

    A find belongs to the tile with the nearest centre, if that is within `NEAR`; each find is used once. The overlap
    of boxes does not serve here, because boxes around tiles turned by 45 degrees overlap too little.
    """
    found = nearest(specimen.quads, recognition)
    pairs = [
        (face, recognition.tiles[at])
        for face, at in zip(specimen.faces, found, strict=True)
        if at is not None
    ]
    hand = [(face, tile) for face, tile in pairs if tile.role is not Role.STRAY]
    wrong = [tile for face, tile in hand if tile.face != face]
    right = [tile for face, tile in hand if tile.face == face]
    return TileCounts(
        tiles=len(specimen.faces),
        found=len(pairs),
        right=sum(1 for face, tile in pairs if tile.face == face),
        wrong=len(wrong),
        wrong_flagged=sum(1 for tile in wrong if tile.doubt is not None),
        right_in_hand=len(right),
        right_flagged=sum(1 for tile in right if tile.doubt is not None),
    )


def nearest(quads: Quads, recognition: Recognition) -> tuple[int | None, ...]:
    """For each quad (N×4×2) the index of the find that belongs to it, or None."""
    finds = np.array([tile.quad for tile in recognition.tiles], dtype=np.float32).reshape(-1, 4, 2)
    matches: list[int | None] = [None] * len(quads)
    if not len(quads) or not len(finds):
        return tuple(matches)
    apart = np.linalg.norm(quads.mean(1)[:, None] - finds.mean(1)[None], axis=2) / sizes_px(quads)[:, None]
    used: set[int] = set()
    for place in np.argsort(apart, axis=None, kind="stable"):
        row, column = divmod(int(place), len(finds))
        if apart[row, column] > NEAR:
            break
        if matches[row] is None and column not in used:
            matches[row] = column
            used.add(column)
    return tuple(matches)


def sizes_px(quads: Quads) -> NDArray[np.float64]:
    """The square root of the area of each quad (N×4×2), in pixels."""
    areas = [abs(cv2.contourArea(np.asarray(quad, np.float32))) for quad in quads]
    return np.sqrt(np.maximum(np.array(areas, dtype=np.float64), 1e-6))


def default_labels() -> Path:
    """The labels of the hand photos in the folder `shared` beside the checkout."""
    return Path(__file__).resolve().parents[3] / "shared" / "data" / "hand-photos" / "labels.jsonl"
