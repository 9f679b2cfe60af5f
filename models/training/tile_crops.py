"""The labelled single-tile crops of ten sets, `shared/data/tile-crops`, with their provable label errors mended."""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.training.labels import Pixels

CORRECTIONS = Path(__file__).with_name("tile_crops_corrections.jsonl")
"""A line for each crop whose label is wrong: image, the label, the face it shows, and what proves it."""


@dataclass(frozen=True)
class TileCrop:
    """One crop: its picture file, the face it shows, and the tile set it is of."""

    path: Path
    face: str
    set: str

    def pixels(self) -> Pixels:
        """Return the picture, upright, RGB H×W×3. Raises FileNotFoundError."""
        image = cv2.imread(str(self.path), cv2.IMREAD_COLOR_RGB)
        if image is None:
            raise FileNotFoundError(f"{self.path} cannot be read as a picture")
        return np.asarray(image, np.uint8)

    def face_pixels(self) -> Pixels:
        """Return the picture without the cut edge."""
        image = self.pixels()
        down, right = (round(0.04 * side) for side in image.shape[:2])
        return np.ascontiguousarray(image[down : image.shape[0] - down, right : image.shape[1] - right])


def read_tile_crops(labels: Path) -> list[TileCrop]:
    """Return the crops of a labels.jsonl (image, face, set a line), in file order."""
    mended = {
        (row["image"], row["label"], row["set"]): row["face"]
        for row in map(json.loads, CORRECTIONS.read_text(encoding="utf-8").splitlines())
    }
    rows = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines()]
    return [
        TileCrop(
            labels.parent / row["image"],
            mended.get((row["image"], row["face"], row["set"]), row["face"]),
            row["set"],
        )
        for row in rows
    ]


def faces_of_set(crops: list[TileCrop], name: str) -> dict[str, list[Pixels]]:
    """Return the photographed faces of one set, code to pictures. Raises ValueError where there is no such set."""
    faces: dict[str, list[Pixels]] = {}
    for crop in crops:
        if crop.set == name:
            faces.setdefault(crop.face, []).append(crop.face_pixels())
    if not faces:
        raise ValueError(f"no tile crop is of {name}")
    return faces
