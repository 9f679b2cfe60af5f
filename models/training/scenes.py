"""Render training scenes: half with drawn tile sets, half with photographed faces of `tile-crops` and harvested sheets.

Scenes are written like labelled photos, with true quads and face-down tiles, so that both networks learn from them like
from any photo. Scenes are numbered by seed; existing ones are kept, so that a stopped run resumes.
"""

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from models.rendering import RenderedPhoto, render_scene
from models.training.labels import Floats, read_training_photos
from models.training.tile_crops import faces_of_set, read_tile_crops
from vision.tiles import Pixels

ENOUGH_SEEN = 0.75
"""A face is taught if at least this share is visible, and ignored below `HARDLY_SEEN`; between, it is unsure."""
HARDLY_SEEN = 0.2
SMALLEST_SIDE_PX = 9.0
"""A smaller side of a tile (square root of its area) is not taken for a tile."""
FACES_OF_A_SHEET = 30
"""A sheet with fewer faces does not show a whole set."""
_PHOTOGRAPHED = 0.5  # share of the scenes, if there are photographed sets to choose from
_FRAME_SIZES = ((1280, 960), (960, 1280), (1280, 720), (1024, 1024))


def render(options: argparse.Namespace) -> None:
    """Render `options.count` scenes to `options.out`, starting with seed `options.seed`."""
    sets = _photographed_sets(options.tile_crops, options.hold_out) if options.tile_crops else []
    sets += [faces for labels in options.sheets for faces in _sets_of_sheets(labels, options.hold_out)]
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "labels.jsonl"
    done = {json.loads(line)["image"] for line in path.read_text().splitlines()} if path.exists() else set()
    with path.open("a", encoding="utf-8") as labels:
        for seed in range(options.seed, options.seed + options.count):
            name = f"scene-{seed:06}.jpg"
            if name in done:
                continue
            rng = np.random.default_rng(seed)
            faces = sets[rng.integers(len(sets))] if sets and rng.random() < _PHOTOGRAPHED else None
            scene = render_scene(seed, size=_FRAME_SIZES[rng.integers(len(_FRAME_SIZES))], faces=faces)
            cv2.imwrite(str(options.out / name), scene.pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 92])
            print(json.dumps(_row(name, scene)), file=labels, flush=True)


def is_of_drawn_tiles(name: str) -> bool:
    """Whether the scene with this file name shows drawn tiles only."""
    seed = int(Path(name).stem.removeprefix("scene-"))
    return float(np.random.default_rng(seed).random()) >= _PHOTOGRAPHED


def _row(name: str, scene: RenderedPhoto) -> dict[str, object]:
    tiles, unsure, nothing = [], [], []
    for tile in scene.tiles:
        nothing += [np.round(side, 1).tolist() for side in tile.sides if _is_inside(side, scene.pixels)]
        quad = np.round(tile.quad, 1).tolist()
        if tile.visible >= ENOUGH_SEEN:
            tiles.append({"face": tile.face, "box": [round(side, 1) for side in tile.box], "quad": quad})
        elif tile.visible >= HARDLY_SEEN:
            unsure.append(quad)
    return {
        "image": name,
        "split": "train",
        "scene": "rendered",
        "tiles": tiles,
        "unsure": unsure,
        "nothing": nothing,
    }


def _is_inside(quad: Floats, pixels: Pixels) -> bool:
    """Whether the quad lies in the picture and is large enough to be taken for a tile."""
    low, high = quad.min(0), quad.max(0)
    large = cv2.contourArea(quad.astype(np.float32)) > SMALLEST_SIDE_PX**2
    return bool(large and (low > 0).all() and (high < pixels.shape[1::-1]).all())


def _photographed_sets(labels: Path, hold_out: list[str]) -> list[dict[str, list[Pixels]]]:
    """Return the faces of each tile set: upright RGB pictures by tile code."""
    crops = read_tile_crops(labels)
    names = dict.fromkeys(crop.set for crop in crops)
    return [faces_of_set(crops, name) for name in names if name not in hold_out]


def _sets_of_sheets(labels: Path, hold_out: list[str]) -> list[dict[str, list[Pixels]]]:
    """Return the faces of each harvested sheet that shows a whole set; `hold_out` may name sheets too."""
    sets = []
    for photo in read_training_photos(labels):
        faces: dict[str, list[Pixels]] = {}
        if photo.path.stem not in hold_out and len(set(photo.faces)) >= FACES_OF_A_SHEET:
            image = photo.pixels()
            for face, quad in zip(photo.faces, photo.quads, strict=True):
                if face is not None:
                    faces.setdefault(face, []).append(_face_of(image, quad))
            sets.append(faces)
    return sets


def _face_of(image: Pixels, quad: Floats) -> Pixels:
    """Return the face in a quad, upright, without its outer edge."""
    width, height = (float(np.hypot(*(quad[side] - quad[0]))) for side in (1, 3))
    inner = quad + 0.04 * (quad.mean(0) - quad)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(inner.astype(np.float32), corners)
    size = (max(round(width), 1), max(round(height), 1))
    return np.asarray(cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `python -m models.training scenes`."""
    parser.add_argument("--out", type=Path, required=True, help="folder to write to, outside the repository")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        help="seed of the first scene; the next follow",
    )
    parser.add_argument("--tile-crops", type=Path, help="labels.jsonl of single-tile crops to use as faces")
    parser.add_argument(
        "--sheets", type=Path, nargs="*", default=[], help="labels.jsonl of harvested sheets to use as faces"
    )
    parser.add_argument("--hold-out", nargs="*", default=[], help="tile sets and sheets to leave out")
    parser.set_defaults(main=render)
