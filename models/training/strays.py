"""Strays of the labelled photos: tiles of heaps, walls and other hands that nobody labelled, found and read by the
networks where these are sure, so that they teach.

What is written looks like any labels file: the labelled tiles as they are, the sure finds beside them, and the
doubtful ones as `unsure` places that count neither as a tile nor as none.
"""

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from models.training.labels import Pixels, TrainingPhoto, read_training_photos
from vision.networks.detector import Detector
from vision.networks.reader import CROP, Reader, cut_crops
from vision.networks.sessions import open_session
from vision.photo import Photo
from vision.tiles import CLASSES, Tiles

SURE_TILE, SURE_FACE = 0.6, 0.97
"""Score of a find and probability of its face from which both are believed."""
FEWEST_PIXELS = 14.0
"""A smaller find (square root of its area) is not believed."""
STRUCK_OFF = Path(__file__).with_name("strays_struck_off.json")
"""Finds that a person looking through the contact sheet saw to be something else."""


def add_strays(options: argparse.Namespace) -> None:
    """Write the photos of `options.labels` with their strays to `options.out`/labels.jsonl, and a contact sheet."""
    detector, reader = Detector(open_session("detector")), Reader(open_session("reader"))
    options.out.mkdir(parents=True, exist_ok=True)
    added: list[Pixels] = []  # crops of the strays believed
    with (options.out / "labels.jsonl").open("w", encoding="utf-8") as out:
        for photo in read_training_photos(options.labels, "train", options.corrections):
            opened = Photo(photo.pixels())
            tiles = reader.read(opened, detector.detect(opened))
            strays = tiles.select(_unlabelled(photo, tiles))
            struck = _struck_off(photo, strays)
            faces = [None if struck[i] else _sure_face(strays, i) for i in range(len(strays.scores))]
            rows = [
                {"face": face, "box": box.tolist(), "quad": quad.tolist()}
                for face, box, quad in zip(photo.faces, photo.boxes, photo.quads, strict=True)
            ]
            for face, quad in zip(faces, strays.quads, strict=True):
                if face is not None:
                    box = [*quad.min(0).tolist(), *quad.max(0).tolist()]
                    rows.append({"face": face, "box": box, "quad": quad.tolist()})
            unsure = [quad.tolist() for face, quad in zip(faces, strays.quads, strict=True) if face is None]
            sure = np.array([face is not None for face in faces], bool)
            if sure.any():
                added += list(cut_crops(opened, strays.quads[sure]))
            row = {
                "image": str(photo.path.resolve()),
                "split": "train",
                "scene": photo.scene,
                "oriented": photo.oriented,
                "tiles": rows,
                "unsure": unsure,
            }
            print(json.dumps(row, ensure_ascii=False), file=out)
    print(f"{len(added)} strays added")
    _write_contact_sheet(added, str(options.out / "strays.jpg"))


def _unlabelled(photo: TrainingPhoto, tiles: Tiles) -> np.ndarray:
    """Return the numbers of the finds whose middle lies in no labelled box, nor that hold a box's middle."""
    middles = tiles.quads.mean(1)[:, None]
    low, high = photo.boxes[None, :, :2], photo.boxes[None, :, 2:]
    inside = ((middles > low) & (middles < high)).all(2).any(1)
    labelled = (photo.boxes[:, :2] + photo.boxes[:, 2:])[None] / 2
    corners_low, corners_high = tiles.quads.min(1)[:, None], tiles.quads.max(1)[:, None]
    holds = ((labelled > corners_low) & (labelled < corners_high)).all(2).any(1)
    return np.flatnonzero(~inside & ~holds)


def _struck_off(photo: TrainingPhoto, strays: Tiles) -> list[bool]:
    """Return for each find whether it is one of those struck off."""
    points = [row["at"] for row in json.loads(STRUCK_OFF.read_text()) if row["image"] == photo.path.stem]
    return [
        any(cv2.pointPolygonTest(quad.astype(np.float32), point, False) >= 0 for point in points)
        for quad in strays.quads
    ]


def _sure_face(tiles: Tiles, index: int) -> str | None:
    """Return the face of a find that both networks believe in, else None."""
    odds = tiles.probabilities[index]
    name = CLASSES[int(odds.argmax())]
    large = cv2.contourArea(tiles.quads[index].astype(np.float32)) > FEWEST_PIXELS**2
    sure = tiles.scores[index] >= SURE_TILE and odds.max() >= SURE_FACE and large and name != "none"
    return name if sure else None


def _write_contact_sheet(crops: list[Pixels], path: str) -> None:
    """Write all crops side by side, 30 a row, for a person to look through."""
    crops = crops + [np.zeros((CROP, CROP, 3), np.uint8)] * (-len(crops) % 30)
    if crops:
        sheet = np.vstack([np.hstack(crops[row : row + 30]) for row in range(0, len(crops), 30)])
        cv2.imwrite(path, sheet[..., ::-1])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `python -m models.training strays`."""
    parser.add_argument("--labels", type=Path, required=True, help="labels.jsonl of the hand photos")
    parser.add_argument(
        "--corrections", type=Path, help="corrections of the labels, see vision.evaluation.corrections"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to write to, outside the repository")
    parser.set_defaults(main=add_strays)
