"""The labelled single-tile crops of ten sets (`shared/data/tile-crops`), with provable label errors corrected."""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.tiles import Pixels

CORRECTIONS = Path(__file__).with_name("tile_crops_corrections.jsonl")
"""One line for each crop with a wrong label: image, set, label, the face it shows, and the proof."""


@dataclass(frozen=True)
class TileCrop:
    """One crop: its file, the face it shows, and its tile set."""

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
        """Return the picture without its outer 4 %, where the cut shows."""
        image = self.pixels()
        down, right = (round(0.04 * side) for side in image.shape[:2])
        return np.ascontiguousarray(image[down : image.shape[0] - down, right : image.shape[1] - right])


def read_tile_crops(labels: Path) -> list[TileCrop]:
    """Return the crops listed in a labels.jsonl, in file order."""
    corrected = {
        (row["image"], row["label"], row["set"]): row["face"]
        for row in map(json.loads, CORRECTIONS.read_text(encoding="utf-8").splitlines())
    }
    rows = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines()]
    return [
        TileCrop(
            labels.parent / row["image"],
            corrected.get((row["image"], row["face"], row["set"]), row["face"]),
            row["set"],
        )
        for row in rows
    ]


def faces_of_set(crops: list[TileCrop], name: str) -> dict[str, list[Pixels]]:
    """Return the photographed faces of one set, by tile code. Raises ValueError if there is no such set."""
    faces: dict[str, list[Pixels]] = {}
    for crop in crops:
        if crop.set == name:
            faces.setdefault(crop.face, []).append(crop.face_pixels())
    if not faces:
        raise ValueError(f"there are no tile crops of {name}")
    return faces
