"""Find what the networks take for tiles where none is: hard negatives for both networks.

The pictures are folders of photographs without tiles (`--pictures`), photos whose tiles are all labelled (`--labels`
and `--scenes`), and rendered pictures without tiles (`--rendered`). Each is looked at from near and from afar. Finds
that are no labelled tile, and finds that show only a part of one, are written as places where nothing is.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from models.rendering.untiled import render_untiled
from models.training.labels import NOTHING, Floats, TrainingPhoto, read_training_photos
from vision.networks.detector import Detector
from vision.networks.limits import DETECTION
from vision.networks.reader import Reader
from vision.networks.sessions import open_session
from vision.photo import Photo
from vision.tiles import CLASS_INDEX, NONE, Detections, signed_area

LOOKS_PX = (160, 320, 640, 1280)
"""Longer sides of the picture in the looks."""
MOST_OF_A_LOOK = 24
"""At most this many finds of one look are kept: half of them the surest to be read as a tile."""
MOST_READ = 72
"""At most this many finds of one look are read, chosen by chance."""
PART = 0.55
"""A find smaller than this share of a tile's size shows only a part of it."""
LONGEST_PX = 1600
"""Larger pictures are reduced to this."""
_FRAME_SIZES = ((1280, 960), (960, 1280), (1280, 720), (1024, 1024))


def find_mistakes(options: argparse.Namespace) -> None:
    """Write `labels.jsonl` and the pictures that have no file yet to `options.out`."""
    detector, reader = Detector(open_session("detector")), Reader(open_session("reader"))
    options.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(options.seed)
    total = 0
    with (options.out / "labels.jsonl").open("w", encoding="utf-8") as out:
        for photo in _pictures(options):
            quads = np.concatenate(
                [_mistakes(photo, Photo(photo.pixels()), side, detector, reader, rng) for side in LOOKS_PX]
            )
            total += len(quads)
            print(json.dumps(_row(photo, quads)), file=out, flush=True)
    print(f"{total} mistakes")


def _pictures(options: argparse.Namespace) -> Iterator[TrainingPhoto]:
    for labels in options.labels:
        for photo in read_training_photos(labels, "train"):
            if photo.scene in options.scenes:
                yield photo
    for folder in options.pictures:
        for path in sorted(folder.glob("*.jpg")):
            yield _without_tiles(path)
    for seed in range(options.seed, options.seed + options.rendered):
        path = options.out / f"untiled-{seed:06}.jpg"
        if not path.exists():
            size = _FRAME_SIZES[seed % len(_FRAME_SIZES)]
            pixels = render_untiled(seed, size=size)
            cv2.imwrite(str(path), pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 92])
        yield _without_tiles(path)


def _without_tiles(path: Path) -> TrainingPhoto:
    return TrainingPhoto(
        path, NOTHING, (), np.empty((0, 4), np.float32), np.empty((0, 4, 2), np.float32), oriented=True
    )


def _mistakes(
    photo: TrainingPhoto,
    picture: Photo,
    side: int,
    detector: Detector,
    reader: Reader,
    rng: np.random.Generator,
) -> Floats:
    """The quads of one look's mistakes; the surest tiles come first, others are chosen by chance."""
    longest = max(picture.width, picture.height)
    if side > 2.5 * longest:
        return np.empty((0, 4, 2), np.float32)
    finds = detector.glance(picture, side / longest, DETECTION.faint)
    wrong = np.array([_is_mistake(quad, photo) for quad in finds.quads], bool)
    finds = finds[rng.permutation(np.flatnonzero(wrong))[:MOST_READ]]
    if not len(finds):
        return finds.quads
    tiles = reader.read(picture, Detections(finds.quads, finds.scores))
    order = np.argsort(tiles.probabilities[:, CLASS_INDEX[NONE]], kind="stable")
    half = MOST_OF_A_LOOK // 2
    return finds.quads[np.concatenate([order[:half], rng.permutation(order[half:])[:half]])]


def _is_mistake(quad: Floats, photo: TrainingPhoto) -> bool:
    """Whether no labelled tile lies there, or only a part of one is outlined."""
    middle = quad.mean(0)
    point = (float(middle[0]), float(middle[1]))
    for unsure in photo.unsure:
        if cv2.pointPolygonTest(unsure.astype(np.float32), point, measureDist=False) >= 0:
            return False
    size = float(np.sqrt(abs(signed_area(quad[None])[0])))
    for tile in photo.quads:
        its_size = float(np.sqrt(abs(signed_area(tile[None])[0])))
        if np.hypot(*(tile.mean(0) - middle)) < its_size and size > PART * its_size:
            return False
    return True


def _row(photo: TrainingPhoto, quads: Floats) -> dict[str, object]:
    tiles = [
        {"face": face, "box": box.tolist(), "quad": quad.round(1).tolist()}
        for face, box, quad in zip(photo.faces, photo.boxes, photo.quads, strict=True)
    ]
    return {
        "image": str(photo.path.resolve()),
        "split": "train",
        "scene": photo.scene,
        "oriented": photo.oriented,
        "tiles": tiles,
        "unsure": [quad.round(1).tolist() for quad in photo.unsure],
        "nothing": quads.round(1).tolist(),
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `python -m models.training mistakes`."""
    parser.add_argument(
        "--pictures", type=Path, nargs="*", default=[], help="folders of JPEG files without tiles"
    )
    parser.add_argument("--labels", type=Path, nargs="*", default=[], help="labels.jsonl files of photos")
    parser.add_argument(
        "--scenes", nargs="*", default=[], help="scenes of these photos whose tiles all are labelled"
    )
    parser.add_argument("--rendered", type=int, default=0, help="number of rendered pictures without tiles")
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the first rendered picture; the next follow"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to write to, outside the repository")
    parser.set_defaults(main=find_mistakes)
