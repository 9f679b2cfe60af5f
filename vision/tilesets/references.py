"""What Fanlens learned from one photo, as values and as one file.

The file of a lesson is a lossless PNG of its crops, one below the other. A text chunk holds the faces, the outlines and
the source as JSON. One file can be written whole or not at all, and a person can look at it.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from vision.networks.reader import CROP, FACE, cut_crops
from vision.photo import Photo
from vision.tiles import BACK, FACES, Pixels, name_of, signed_area
from vision.tilesets.errors import TileSetError
from vision.tilesets.thresholds import LessonLimits

Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Four corners in pixels of the upright photo, clockwise from the tile's own top left."""

LEARNABLE = (*FACES, BACK)
"""The faces a reference may show."""
LIMITS: Final = LessonLimits()

_CHUNK = "fanlens-tileset"
_FORMAT = 2
_CROP_AND_FACE = {1: (80, 64), _FORMAT: (CROP, FACE)}  # sides in pixels, by format of the file


@dataclass(frozen=True, eq=False)
class Reference:
    """One confirmed tile: its face, its place in the photo, and its 64×64×3 crop (see `vision.networks.reader`)."""

    face: str
    quad: Quad
    crop: Pixels


@dataclass(frozen=True, eq=False)
class Lesson:
    """Everything that Fanlens learned from one photo.

    key: identifies the photo by its pixels, so that learning it again replaces the lesson.
    source: the photo's file name, for people. size: its width and height in pixels.
    """

    key: str
    source: str
    size: tuple[int, int]
    references: tuple[Reference, ...]

    @classmethod
    def of(cls, photo: Photo, key: str, confirmed: Sequence[tuple[str, ArrayLike]]) -> Self:
        """Cut the confirmed tiles, (face, quad) each, out of the photo.

        Raises TileSetError: unknown_face, no_tiles, bad_tile, same_place, too_many.
        """
        quads = _checked(confirmed, (photo.width, photo.height))
        crops = cut_crops(photo, quads)
        return cls(
            key,
            photo.name,
            (photo.width, photo.height),
            tuple(
                Reference(face, _corners(quad), crop)
                for (face, _), quad, crop in zip(confirmed, quads, crops, strict=True)
            ),
        )

    def without(self, face: str) -> Self:
        """The same lesson without the references of one face."""
        kept = tuple(reference for reference in self.references if reference.face != face)
        return type(self)(self.key, self.source, self.size, kept)

    def save(self, out: BinaryIO) -> None:
        """Write the lesson's file into an open one."""
        about = {
            "format": _FORMAT,
            "source": self.source,
            "size": list(self.size),
            "tiles": [{"face": each.face, "quad": each.quad} for each in self.references],
        }
        chunk = PngInfo()
        chunk.add_text(_CHUNK, json.dumps(about), zip=True)  # ASCII: Latin-1 is all that this chunk may hold
        picture = np.concatenate([each.crop for each in self.references])
        Image.fromarray(picture).save(out, "PNG", pnginfo=chunk)

    @classmethod
    def read(cls, path: Path) -> Self:
        """The lesson in a file. Raises TileSetError `damaged`, and FileNotFoundError if the file is gone."""
        content = path.read_bytes()
        try:
            with Image.open(BytesIO(content), formats=["PNG"]) as picture:
                side = picture.width
                if side not in dict(_CROP_AND_FACE.values()) or picture.height > side * LIMITS.most_tiles:
                    raise ValueError("another size")
                picture.load()
                about = json.loads(picture.info[_CHUNK])
                stored = np.asarray(picture.convert("RGB"), np.uint8).reshape(-1, side, side, 3)
            if _CROP_AND_FACE.get(about["format"], (0,))[0] != side or len(stored) != len(about["tiles"]):
                raise ValueError("another format")
            crops = [_as_read_now(crop, _CROP_AND_FACE[about["format"]][1]) for crop in stored]
            tiles = [(_face(tile["face"]), tile["quad"]) for tile in about["tiles"]]
            size = (int(about["size"][0]), int(about["size"][1]))
            quads = _checked(tiles, size)
            references = tuple(
                Reference(face, _corners(quad), crop)
                for (face, _), quad, crop in zip(tiles, quads, crops, strict=True)
            )
            return cls(path.stem, str(about["source"]), size, references)
        except (
            OSError,
            SyntaxError,
            ValueError,
            LookupError,
            TypeError,
            ArithmeticError,
            RecursionError,
            Image.DecompressionBombError,
        ) as error:
            raise TileSetError(
                "damaged",
                f"{path} is damaged or from another version ({error}): delete that file and learn its photo again",
            ) from error


def _as_read_now(crop: Pixels, face: int) -> Pixels:
    """Convert a crop whose face fills the middle `face` pixels to the size that the reader takes now."""
    if face == FACE:
        return crop
    side = round(len(crop) * FACE / face)
    smaller = cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA)
    low = (side - CROP) // 2
    return np.ascontiguousarray(smaller[low : low + CROP, low : low + CROP], np.uint8)


def _corners(quad: NDArray[np.float32]) -> Quad:
    one, two, three, four = ((round(float(x), 2), round(float(y), 2)) for x, y in quad)
    return one, two, three, four


def _face(face: Any) -> str:
    if face not in LEARNABLE:
        raise TileSetError(
            "unknown_face", f"{face!r} is not a face: use 1m-9m 1p-9p 1s-9s 1z-7z 1f-8f or back"
        )
    return str(face)


def _checked(confirmed: Sequence[tuple[str, ArrayLike]], size: tuple[int, int]) -> NDArray[np.float32]:
    """The quads N×4×2 of confirmed tiles, if all of them can lie in a photo of this width and height.

    Raises TileSetError: no_tiles, too_many, unknown_face, bad_tile, same_place.
    """
    if not confirmed:
        raise TileSetError("no_tiles", "no tile was confirmed: name at least one tile")
    if len(confirmed) > LIMITS.most_tiles:
        raise TileSetError(
            "too_many", f"{len(confirmed)} tiles in one photo: Fanlens learns at most {LIMITS.most_tiles}"
        )
    quads = np.stack([_quad(number, quad, size) for number, (_, quad) in enumerate(confirmed, 1)])
    for face, count in Counter(_face(face) for face, _ in confirmed).items():
        if face != BACK and count > LIMITS.most_of_a_face:
            raise TileSetError(
                "too_many", f"{name_of(face)} is named {count} times: a set has at most four of a face"
            )
    centres = quads.mean(axis=1)
    sizes = np.sqrt(signed_area(quads))
    for one in range(1, len(quads)):
        apart = np.hypot(*(centres[:one] - centres[one]).T)
        near = apart < LIMITS.same_place * np.minimum(sizes[:one], sizes[one])
        if near.any():
            other = int(near.argmax())
            first, second = (f"tile {at + 1} ({name_of(confirmed[at][0])})" for at in (other, one))
            raise TileSetError("same_place", f"{first} and {second} lie in one place: name each tile once")
    return quads


def _quad(number: int, given: ArrayLike, size: tuple[int, int]) -> NDArray[np.float32]:
    try:
        corners = np.array(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        corners = np.empty(0)
    if corners.shape != (4, 2) or not (np.abs(corners) < LIMITS.farthest_px).all():  # NaN fails too
        raise TileSetError("bad_tile", f"tile {number}: its outline must be four corners [x, y] in pixels")
    quad = corners.astype(np.float32)
    area = float(signed_area(quad[None])[0])
    convex = all(signed_area(quad[None, [i, (i + 1) % 4, (i + 2) % 4]])[0] > 0 for i in range(4))
    if not convex or area < LIMITS.smallest_px**2:
        raise TileSetError(
            "bad_tile",
            f"tile {number}: its corners must run clockwise around a tile of at least {LIMITS.smallest_px:.0f} pixels",
        )
    reach = LIMITS.outside * math.sqrt(area)
    x, y = quad.mean(axis=0)
    inside = 0 <= x <= size[0] and 0 <= y <= size[1]
    if not inside or quad.min() < -reach or (quad > np.array(size) + reach).any():
        raise TileSetError("bad_tile", f"tile {number} lies outside the photo of {size[0]}×{size[1]} pixels")
    return quad
