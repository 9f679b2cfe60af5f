"""Label stray tiles: unlabelled tiles of heaps, walls and other hands in the labelled photos.

The networks trained so far find and read them. The labels file that this stage writes holds the labelled tiles, the
finds that the networks are sure of, and the others as `unsure` places, which count neither as tile nor as background.
"""

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from models.training.labels import TrainingPhoto, read_training_photos
from vision.networks.detector import Detector
from vision.networks.finder import Finder
from vision.networks.reader import CROP, Reader, cut_crops
from vision.networks.sessions import open_session
from vision.photo import Photo
from vision.tiles import CLASSES, Pixels, Tiles

SURE_TILE, SURE_FACE = 0.6, 0.97
"""A find is trusted from this score, and its face from this probability."""
FEWEST_PIXELS = 14.0
"""A smaller find (square root of its area, in pixels) is not trusted."""
STRUCK_OFF = Path(__file__).with_name("strays_struck_off.json")
"""Finds that are not tiles, as a person saw on the contact sheet."""


def add_strays(options: argparse.Namespace) -> None:
    """Write the labels of the photos with their stray tiles to `options.out`, and a contact sheet."""
    finder = Finder(Detector(open_session("detector")), Reader(open_session("reader")))
    options.out.mkdir(parents=True, exist_ok=True)
    added: list[Pixels] = []  # crops of the stray tiles added
    with (options.out / "labels.jsonl").open("w", encoding="utf-8") as out:
        for photo in read_training_photos(options.labels, "train", options.corrections):
            if photo.scene in options.leave_out or not photo.faces:
                continue
            opened = Photo(photo.pixels())
            tiles = finder.find(opened)
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
    print(f"{len(added)} stray tiles added")
    _write_contact_sheet(added, str(options.out / "strays.jpg"))


def _unlabelled(photo: TrainingPhoto, tiles: Tiles) -> np.ndarray:
    """Return the indices of finds that share no centre with a labelled box, either way."""
    middles = tiles.quads.mean(1)[:, None]
    low, high = photo.boxes[None, :, :2], photo.boxes[None, :, 2:]
    inside = ((middles > low) & (middles < high)).all(2).any(1)
    labelled = (photo.boxes[:, :2] + photo.boxes[:, 2:])[None] / 2
    corners_low, corners_high = tiles.quads.min(1)[:, None], tiles.quads.max(1)[:, None]
    holds = ((labelled > corners_low) & (labelled < corners_high)).all(2).any(1)
    return np.flatnonzero(~inside & ~holds)


def _struck_off(photo: TrainingPhoto, strays: Tiles) -> list[bool]:
    """Return for each find whether it was struck off."""
    points = [row["at"] for row in json.loads(STRUCK_OFF.read_text()) if row["image"] == photo.path.stem]
    return [
        any(cv2.pointPolygonTest(quad.astype(np.float32), point, False) >= 0 for point in points)
        for quad in strays.quads
    ]


def _sure_face(tiles: Tiles, index: int) -> str | None:
    """Return the face of a find that both networks are sure of, else None."""
    odds = tiles.probabilities[index]
    name = CLASSES[int(odds.argmax())]
    large = cv2.contourArea(tiles.quads[index].astype(np.float32)) > FEWEST_PIXELS**2
    sure = tiles.scores[index] >= SURE_TILE and odds.max() >= SURE_FACE and large and name != "none"
    return name if sure else None


def _write_contact_sheet(crops: list[Pixels], path: str) -> None:
    """Write all crops in rows of 30, for a person to check."""
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
    parser.add_argument("--leave-out", nargs="*", default=[], help="scenes to leave out")
    parser.add_argument("--out", type=Path, required=True, help="folder to write to, outside the repository")
    parser.set_defaults(main=add_strays)
