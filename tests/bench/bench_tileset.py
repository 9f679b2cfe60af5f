"""Measure how much a learned tile set helps, and whether it ever hurts.

    python -m tests.bench.bench_tileset [--photos SPLIT]

Needs ../shared and the extra [train]. Sheets of whole sets are read by the readers in runs/ that were trained without
them (`models/training/recipe.sh`), or if these are missing, by the shipped reader, which saw the sheets. A tile is
never measured with a set that learned it. `chosen on` are the sheets on which the constants of
`vision.tilesets.similarity` were chosen, `measured on` the others. With --photos the shipped reader reads photos of
that split of ../shared/data/hand-photos, with sets learned from training photos of the same scene and of other
scenes.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.bench.tile_sheets import SHEETS, read_sheet
from tests.bench.tileset_readers import CHECKOUT, RightCounts, Shown, open_reader, show, some, weighed
from vision.evaluation.labels import LabelledPhoto, read_labels
from vision.evaluation.measure import match
from vision.networks.detector import Detector
from vision.networks.reader import Looks, Reader, cut_crops
from vision.networks.sessions import open_session
from vision.photo import load_photo
from vision.tiles import CLASS_INDEX, CLASSES
from vision.tilesets.similarity import SecondOpinion, turned_features

DATA = CHECKOUT.parent / "shared" / "data"
CHOSEN_ON = ("labelled-3", "labelled-5", "labelled-8", "labelled-11", "unlabelled-Art", "unlabelled-TB268")
#: Which reader reads which sheet: the one that saw the least of such a set. The last one reads all other sheets.
READERS = {
    "labelled-3": "set-3-set-4",
    "labelled-4": "set-3-set-4",
    "labelled-5": "set-5-set-7",
    "labelled-7": "set-5-set-7",
    "labelled-11": "set-11-set-12",
    "labelled-12": "set-11-set-12",
    "unlabelled-TB268": "set-3-set-4",
    "unlabelled-TB2btN": "set-3-set-4",
    "unlabelled-winddragflow": "set-11-set-12",
    "": "set-8-set-10",
}
#: Starts of the names of sheets that show one set on two photos.
TWICE = ("unlabelled-TB268", "unlabelled-TB2g6")
HAND = 13
"""About how many faces a tile set learns from one confirmed hand."""
SCENES = ("home-green", "tray", "auto-table", "other-tables", "webcam-riichi")
LEARNED_PHOTOS = 4


COLUMNS = (
    "clean, alone",
    "clean, set",
    "rough, alone",
    "rough, set",
    "set from rough crops",
    "one hand",
    "another set",
    "other photo of the set",
)
Row = dict[str, RightCounts]


def measure(
    name: str, shown: Shown, others: Sequence[Shown], twin: Shown | None, rng: np.random.Generator
) -> Row:
    """Read one sheet in each of the ways of `COLUMNS`."""
    row: Row = defaultdict(RightCounts)

    def ask(column: str, opinion: SecondOpinion | None, looks: Looks, tiles: NDArray[np.intp]) -> None:
        asked = some(looks, tiles)
        after = asked.probabilities if opinion is None else weighed(opinion, asked, rng)
        row[column].add(shown.labels[tiles], asked.probabilities, after)

    everything = np.arange(len(shown.labels))
    taught = shown.one_each(rng)
    rest = np.setdiff1d(everything, taught)
    ask("clean, alone", None, shown.clean, rest)
    own = shown.teach(taught)
    ask("clean, set", own, shown.clean, rest)
    ask("rough, alone", None, shown.rough, rest)
    ask("rough, set", own, shown.rough, rest)
    ask("set from rough crops", shown.teach(taught, rough=True), shown.rough, rest)
    faces = np.unique(shown.labels)
    hand = shown.one_each(rng, rng.choice(faces, min(HAND, len(faces)), replace=False))
    ask("one hand", shown.teach(hand), shown.rough, np.setdiff1d(everything, hand))
    if others:
        other = others[int(rng.integers(len(others)))]
        ask("another set", other.teach(other.one_each(rng)), shown.rough, everything)
    if twin is not None:
        ask("other photo of the set", twin.teach(twin.one_each(rng)), shown.rough, everything)
    return row


def start_of(name: str, starts: Iterable[str]) -> str | None:
    """The first of these with which the name starts, or None."""
    return next((start for start in starts if start and name.startswith(start)), None)


def sheets() -> None:
    """Measure on all sheets and print the table."""
    rng = np.random.default_rng(11)
    detector = Detector(open_session("detector"))
    opened: dict[str, Reader] = {}
    shown: dict[str, Shown] = {}
    reader_of = {name: READERS[start_of(name, READERS) or ""] for name in SHEETS}
    for name in SHEETS:
        reader = open_reader(reader_of[name], opened)
        shown[name] = show(read_sheet(DATA / "tile-crops" / "sheets", name, detector), reader, rng)
    totals: dict[str, Row] = {"chosen on": defaultdict(RightCounts), "measured on": defaultdict(RightCounts)}
    print("sheet".ljust(26), "tiles", *(column.rjust(24) for column in COLUMNS), sep=" | ")
    for name in SHEETS:
        kin = start_of(name, TWICE)
        twins = [shown[other] for other in SHEETS if kin and other != name and other.startswith(kin)]
        others = [
            shown[other]
            for other in SHEETS
            if other != name and reader_of[other] == reader_of[name] and not (kin and other.startswith(kin))
        ]
        row = measure(name, shown[name], others, twins[0] if twins else None, rng)
        print_row(name, row)
        sys.stdout.flush()
        half = totals["chosen on" if start_of(name, CHOSEN_ON) else "measured on"]
        for column, tally in row.items():
            half[column].include(tally)
    for half, row in totals.items():
        print_row(half, row)


def print_row(name: str, row: Row) -> None:
    """Print one line of the table."""
    print(
        name[:26].ljust(26),
        f"{row[COLUMNS[0]].tiles:5}",
        *(str(row.get(column, "")).rjust(24) for column in COLUMNS),
        sep=" | ",
    )


@dataclass(frozen=True, eq=False)
class Found:
    """The labelled tiles of one photo that were found: class numbers, looks and crops."""

    scene: str
    labels: NDArray[np.intp]
    looks: Looks
    crops: NDArray[np.uint8]


def read_photos(split: str, most: int, detector: Detector, reader: Reader) -> list[Found]:
    """Read at most `most` photos of each scene, spread over the split."""
    labelled = read_labels(DATA / "hand-photos" / "labels.jsonl", split)
    found = []
    for scene in SCENES:
        here = [photo for photo in labelled if photo.scene == scene]
        for photo in here[:: max(1, -(-len(here) // most))]:
            found += _found(photo, detector, reader)
    return found


def _found(photo: LabelledPhoto, detector: Detector, reader: Reader) -> list[Found]:
    opened = load_photo(photo.path)
    detections = detector.detect(opened)
    matches = match(np.array(photo.boxes, dtype=np.float64), detections.boxes.astype(np.float64))
    pairs = [(label, index) for label, index in enumerate(matches) if index is not None]
    if not pairs:
        return []
    crops = cut_crops(opened, detections.quads)[[index for _, index in pairs]]
    labels = np.array([CLASS_INDEX[photo.faces[label]] for label, _ in pairs])
    return [Found(photo.scene, labels, reader.look(crops), crops)]


def photos(split: str, most: int) -> None:
    """Read photos with a set learned from the same scene and with one from other scenes, and print the table."""
    rng = np.random.default_rng(12)
    reader = Reader(open_session("reader"))
    detector = Detector(open_session("detector"))
    lessons = read_photos("train", 12, detector, reader)
    asked = read_photos(split, most, detector, reader)

    def opinion(wanted: Callable[[Found], bool]) -> SecondOpinion:
        these = [found for found in lessons if wanted(found)]
        chosen = [
            these[index] for index in rng.choice(len(these), min(LEARNED_PHOTOS, len(these)), replace=False)
        ]
        crops = np.concatenate([found.crops for found in chosen])
        faces = [CLASSES[label] for found in chosen for label in found.labels]
        return SecondOpinion(faces, turned_features(reader, crops))

    print(
        f"photos of the split {split}: shipped reader, tile sets learned from {LEARNED_PHOTOS} confirmed photos"
    )
    print(
        "scene".ljust(26),
        *(title.rjust(24) for title in ("tiles", "alone", "same scene", "another scene")),
        sep=" | ",
    )
    for scene in SCENES:
        alone, own, other = RightCounts(), RightCounts(), RightCounts()
        here = [found for found in asked if found.scene == scene]
        if not here:
            continue
        for number, found in enumerate(here):
            if number % 5 == 0:
                same = opinion(lambda each, scene=scene: each.scene == scene)
                wrong = opinion(lambda each, scene=scene: each.scene != scene)
            before = found.looks.probabilities
            alone.add(found.labels, before, before)
            own.add(found.labels, before, same(found.looks).probabilities)
            other.add(found.labels, before, wrong(found.looks).probabilities)
        print(scene.ljust(26), *(str(cell).rjust(24) for cell in (alone.tiles, alone, own, other)), sep=" | ")


def main() -> None:
    """Parse the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--photos", choices=("train", "valid"), help="measure on photos of this split instead"
    )
    parser.add_argument("--most", type=int, default=40, help="largest number of photos per scene")
    options = parser.parse_args()
    if options.photos:
        photos(options.photos, options.most)
    else:
        sheets()


if __name__ == "__main__":
    main()
