"""Pictures whose tiles are known, and how many of them recognition finds and names."""

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

Pixels = NDArray[np.uint8]
Quads = NDArray[np.float32]

NEAR = 0.4
"""A find belongs to a tile if their middles lie nearer than this part of the tile's size."""
ENOUGH_SEEN = 0.75
"""Share of a rendered face that must be visible for the tile to count."""


@dataclass(frozen=True, eq=False)
class Specimen:
    """One picture (RGB H×W×3) with the quads (N×4×2 pixels) and faces of the tiles it shows.

    source: `photo` or `rendered`.
    """

    name: str
    source: str
    pixels: Pixels
    quads: Quads
    faces: tuple[str, ...]

    @property
    def size_px(self) -> float:
        """The middle size of its tiles: square root of the area."""
        return float(np.median(sizes_px(self.quads)))

    def seen(self, pixels: Pixels, quads: Quads) -> Specimen:
        """The same tiles in another picture; those not wholly inside it no longer count."""
        height, width = pixels.shape[:2]
        low, high = quads.min(axis=1), quads.max(axis=1)
        inside = (low >= -1).all(1) & (high[:, 0] <= width + 1) & (high[:, 1] <= height + 1)
        faces = tuple(face for face, kept in zip(self.faces, inside, strict=True) if kept)
        return Specimen(self.name, self.source, pixels, quads[inside], faces)


def of_labelled(photo: LabelledPhoto) -> Specimen:
    """A labelled photo; its boxes become quads by the direction of neighbouring tiles."""
    boxes = np.asarray(photo.boxes, dtype=np.float32)
    quads, _ = quads_from_boxes(boxes)
    pixels = np.array(load_photo(photo.path).pixels)
    return Specimen(photo.path.stem, "photo", pixels, quads.astype(np.float32), photo.faces)


def of_rendered(scene: RenderedPhoto, name: str) -> Specimen:
    """A rendered scene; tiles hidden for the most part do not count, nor do strays beside a hand."""
    hand = [tile for tile in scene.tiles if tile.role != Role.STRAY.value]
    tiles = [tile for tile in hand or scene.tiles if tile.visible >= ENOUGH_SEEN]
    quads = np.array([tile.quad for tile in tiles], dtype=np.float32).reshape(-1, 4, 2)
    return Specimen(name, "rendered", scene.pixels, quads, tuple(tile.face for tile in tiles))


@dataclass(frozen=True)
class Tally:
    """What became of some tiles: how many there are, were found, and were found and rightly named.

    wrong, right_in_hand: the found ones that were put into the hand, by whether their name is wrong or right;
    wrong_flagged, right_flagged: those of them marked as doubtful.
    """

    tiles: int = 0
    found: int = 0
    right: int = 0
    wrong: int = 0
    wrong_flagged: int = 0
    right_in_hand: int = 0
    right_flagged: int = 0

    def __add__(self, other: Tally) -> Tally:
        """Both together."""
        mine, theirs = vars(self), vars(other)
        return Tally(**{name: mine[name] + theirs[name] for name in mine})

    @property
    def recall(self) -> float:
        """Share of the tiles that were found and rightly named; 0 where there are none."""
        return self.right / self.tiles if self.tiles else 0.0


def total(tallies: Iterable[Tally]) -> Tally:
    """All tallies together."""
    return sum(tallies, Tally())


def tally(specimen: Specimen) -> Tally:
    """Read one picture and compare. Raises `models.manifest.ModelError` where the networks are missing."""
    return compare(specimen, recognise(Photo(specimen.pixels, specimen.name)))


def compare(specimen: Specimen, recognition: Recognition) -> Tally:
    """Compare what was read with what the picture shows.

    A find belongs to the tile whose middle is nearest to its own, if that is near (`NEAR`); each is used
    once. Boxes would not do: those round tiles turned by 45 degrees overlap too little.
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
    return Tally(
        tiles=len(specimen.faces),
        found=len(pairs),
        right=sum(1 for face, tile in pairs if tile.face == face),
        wrong=len(wrong),
        wrong_flagged=sum(1 for tile in wrong if tile.doubt is not None),
        right_in_hand=len(right),
        right_flagged=sum(1 for tile in right if tile.doubt is not None),
    )


def nearest(quads: Quads, recognition: Recognition) -> tuple[int | None, ...]:
    """For each of the quads (N×4×2) the number of the find that belongs to it, or None."""
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
    """Square root of the area of each of N×4×2 quads."""
    areas = [abs(cv2.contourArea(np.asarray(quad, np.float32))) for quad in quads]
    return np.sqrt(np.maximum(np.array(areas, dtype=np.float64), 1e-6))


def read_specimens(paths: Iterable[LabelledPhoto]) -> list[Specimen]:
    """Open labelled photos. Raises `vision.photo.PhotoError` where one cannot be opened."""
    return [of_labelled(photo) for photo in paths]


def default_labels() -> Path:
    """Where the labelled photos lie: beside the checkout."""
    return Path(__file__).resolve().parents[3] / "shared" / "data" / "hand-photos" / "labels.jsonl"
