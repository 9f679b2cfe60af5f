"""How many tiles of the scenes of `shared/data/phone-rows` are found and named, and what else is found there.

Many of these photos show one or two tiles, which are no hand, so the networks are asked alone, without layout. A label
counts as found where its middle lies in a found tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2

from vision.evaluation.labels import LabelledPhoto, read_labels
from vision.layout.doubles import distinct
from vision.networks.detector import Detector
from vision.networks.finder import Finder
from vision.networks.reader import Reader
from vision.networks.sessions import open_session
from vision.photo import load_photo
from vision.tiles import BACK, Tiles

SCENES = ("cream-cloth", "dim-wood", "keyboard-desk", "cutting-mat")
"""The scenes that are kept for measuring, and the mat that the networks were trained on."""


@dataclass(frozen=True)
class SceneCounts:
    """The counts over the photos of one scene.

    found, right: labelled tiles that were found, and found and named correctly.
    faces, backs: finds on no labelled tile, read as a face and as face down.
    """

    photos: int = 0
    tiles: int = 0
    found: int = 0
    right: int = 0
    faces: int = 0
    backs: int = 0

    def __add__(self, other: SceneCounts) -> SceneCounts:
        """The sums of both."""
        mine, theirs = vars(self), vars(other)
        return SceneCounts(**{name: mine[name] + theirs[name] for name in mine})


def measure(labels: Path, progress: Callable[[str], None] = lambda _: None) -> dict[str, SceneCounts]:
    """Read the photos of `SCENES`; the counts by scene."""
    finder = Finder(Detector(open_session("detector")), Reader(open_session("reader")))
    counts = dict.fromkeys(SCENES, SceneCounts())
    for photo in read_labels(labels):
        if photo.scene in counts:
            tiles = finder.find(load_photo(photo.path))
            counts[photo.scene] += compare(photo, tiles.select(distinct(tiles)))
            progress(photo.path.stem)
    return counts


def compare(photo: LabelledPhoto, tiles: Tiles) -> SceneCounts:
    """Compare the finds in one photo with its labels."""
    found = right = 0
    used: set[int] = set()
    for label in photo.tiles:
        x0, y0, x1, y1 = label.box
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        hits = [
            number
            for number, quad in enumerate(tiles.quads)
            if cv2.pointPolygonTest(quad, middle, measureDist=False) >= 0
        ]
        used.update(hits)
        found += bool(hits)
        right += any(tiles.faces[number] == label.face for number in hits)
    others = [face for number, face in enumerate(tiles.faces) if number not in used]
    backs = others.count(BACK)
    return SceneCounts(1, len(photo.tiles), found, right, len(others) - backs, backs)


def section(counts: Iterable[tuple[str, SceneCounts]]) -> str:
    """The section `phone-rows` of the model card."""
    return "\n".join(
        [
            "| scene | photos | tiles | found | named correctly, too | other finds as faces | other finds as backs |",
            "|---|---|---|---|---|---|---|",
            *(
                f"| {scene} | {one.photos} | {one.tiles} | {one.found / max(one.tiles, 1):.1%} "
                f"| {one.right / max(one.tiles, 1):.1%} ({one.right}) | {one.faces} | {one.backs} |"
                for scene, one in counts
            ),
        ]
    )


def default_labels() -> Path:
    """The labels of phone-rows in the folder `shared` beside the checkout."""
    return Path(__file__).resolve().parents[3] / "shared" / "data" / "phone-rows" / "labels.jsonl"
