"""Compare Fanlens with the open YOLO11n tile detector `mahjong-detector` (PyPI): speed and faces on the same photos.

    pip install --no-deps --target /tmp/peer mahjong-detector
    PYTHONPATH=/tmp/peer python -m tests.bench.bench_peer [--photos 14] [--megapixels 12] [PHOTO…]

Its weights come from an AGPL tool, so that it serves for comparison only and is neither a dependency nor shipped. It
names 34 faces, while Fanlens goes from the file to hand and score. Both read each photo in turn, with as many threads
as there are cores; a first reading, which opens the network, is not counted. The photos are some of the `valid`
split, drawn with a fixed seed, or the given ones, which have no labels. mahjong-detector returns names without
places, so recall counts the labelled faces among the names of the photo. It does not know flowers, which do not count
for either.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from PIL import Image

from models.figures.robustness import default_corrections, sample
from models.figures.specimens import default_labels
from scorer import SUIT_AND_HONOUR_FACES
from vision.evaluation.corrections import read_corrections
from vision.evaluation.labels import read_labels
from vision.photo import load_photo
from vision.recognition import recognise

PASSES = 3
_HONOURS = {"tou": "1z", "nan": "2z", "sha": "3z", "pe": "4z", "chun": "5z", "hatsu": "6z", "haku": "7z"}
Read = Callable[[Path], list[str]]


def ours(path: Path) -> list[str]:
    """The faces that Fanlens reads in a photo, on the way to hand and score."""
    return [tile.face for tile in recognise(load_photo(path)).tiles]


def peer() -> Read:
    """The other detector as a function from a photo to tile codes."""
    try:
        detector = importlib.import_module("mahjong_detector")
    except ImportError as error:
        raise SystemExit(
            f"mahjong-detector is missing ({error}): pip install --no-deps --target /tmp/peer mahjong-detector, "
            "then run this with PYTHONPATH=/tmp/peer"
        ) from error
    return lambda path: [_HONOURS.get(name, name) for name in detector.detect_tiles(str(path))]


def timed(read: Read, path: Path) -> tuple[float, float]:
    """Wall-clock and processor time of reading a photo, in milliseconds."""
    start, busy = time.perf_counter(), time.process_time()
    read(path)
    return (time.perf_counter() - start) * 1000, (time.process_time() - busy) * 1000


def hits(truth: Sequence[str], read: Sequence[str]) -> int:
    """How many of the true faces were read, counting repeated faces."""
    return (Counter(truth) & Counter(read)).total()


def enlarged(path: Path, megapixels: float, folder: Path) -> Path:
    """Write the photo at another size as a JPEG file to `folder`."""
    with Image.open(path) as image:
        scale = (megapixels * 1e6 / (image.width * image.height)) ** 0.5
        size = (round(image.width * scale), round(image.height * scale))
        held = io.BytesIO()
        image.convert("RGB").resize(size, Image.Resampling.LANCZOS).save(held, "JPEG", quality=92)
    out = folder / f"{path.stem}.jpg"
    out.write_bytes(held.getvalue())
    return out


def main() -> None:
    """Parse the command line, measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("given", type=Path, nargs="*", metavar="PHOTO")
    parser.add_argument("--photos", type=int, default=14, help="number of photos of the valid split")
    parser.add_argument("--megapixels", type=float, help="enlarge the photos to this size first")
    options = parser.parse_args()
    theirs = peer()
    photos = [(path, ()) for path in options.given]
    if not photos:
        labels = default_labels()
        labelled = read_labels(labels, "valid", read_corrections(default_corrections()))
        chosen = sample(labelled, options.photos)
        photos = [(photo.path, photo.faces) for photo in chosen]
    with tempfile.TemporaryDirectory() as folder:
        if options.megapixels:
            photos = [(enlarged(path, options.megapixels, Path(folder)), faces) for path, faces in photos]
        compare(photos, theirs)


def compare(photos: Sequence[tuple[Path, Sequence[str]]], theirs: Read) -> None:
    """Read all photos with both, and print speed and hits."""
    sides: dict[str, Read] = {"ours": ours, "theirs": theirs}
    clock: dict[str, list[float]] = {side: [] for side in sides}
    busy: dict[str, list[float]] = {side: [] for side in sides}
    right = Counter[str]()
    tiles = 0
    for read in sides.values():
        read(photos[0][0])
    for path, faces in photos:
        truth = [face for face in faces if face in SUIT_AND_HONOUR_FACES]
        tiles += len(truth)
        turns = [{side: timed(read, path) for side, read in sides.items()} for _ in range(PASSES)]
        for side, read in sides.items():
            clock[side].append(median(turn[side][0] for turn in turns))
            busy[side].append(median(turn[side][1] for turn in turns))
            right[side] += hits(truth, read(path))
        print(
            f"{path.name} {clock['ours'][-1]:.0f} {clock['theirs'][-1]:.0f} ms", file=sys.stderr, flush=True
        )
    print(f"{len(photos)} photos, median of {PASSES} passes each, {len(os.sched_getaffinity(0))} cores")
    for what, spent in (("wall-clock time", clock), ("processor time", busy)):
        mine, other = median(spent["ours"]), median(spent["theirs"])
        print(
            f"{what}: Fanlens, file to score, {mine:.0f} ms; mahjong-detector, file to names, {other:.0f} ms; "
            f"ratio {mine / other:.2f}"
        )
    if tiles:
        shares = {side: right[side] / tiles for side in sides}
        print(
            f"{tiles} labelled tiles of 34 faces: Fanlens names {shares['ours']:.1%}, mahjong-detector "
            f"{shares['theirs']:.1%}"
        )


if __name__ == "__main__":
    main()
