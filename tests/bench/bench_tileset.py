"""How much a learned tile set helps, and whether it ever hurts; asserts nothing.

    python -m tests.bench.bench_tileset [--photos SPLIT]

Needs ../shared and the extra [train]. Sheets of whole sets are read by the readers in runs/ that were trained without
them (`models/training/recipe.sh`); where those are missing the shipped reader takes their place, which saw the sheets.
The tiles that are asked about are never those learned from. `chosen on` are the sheets on which the constants of
`vision.tilesets.similarity` were chosen, `measured on` the others. With --photos the shipped reader reads photos of
that split of ../shared/data/hand-photos, with sets learned from training photos of the same and of another scene.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from models.training.crops import draw_crop, patch_of
from models.training.export import ExportedReader
from models.training.loop import Average, load_checkpoint
from models.training.reader import TileReader
from tests.bench.tile_sheets import SHEETS, Sheet, read_sheet
from vision.evaluation.labels import LabelledPhoto, read_labels
from vision.evaluation.measure import match
from vision.networks.detector import Detector
from vision.networks.reader import Looks, Reader, cut_crops
from vision.networks.sessions import open_session
from vision.photo import Photo, load_photo
from vision.tiles import CLASS_INDEX, CLASSES
from vision.tilesets.similarity import SecondOpinion, turned_features

CHECKOUT = Path(__file__).resolve().parents[2]
DATA = CHECKOUT.parent / "shared" / "data"
CHOSEN_ON = ("labelled-3", "labelled-5", "labelled-8", "labelled-11", "unlabelled-Art", "unlabelled-TB268")
#: Which held-out reader reads which sheet: the one that least saw its like. All others: the last.
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
#: Sheets of one set on two photos.
TWICE = ("unlabelled-TB268", "unlabelled-TB2g6")
HAND = 13
"""Faces that one confirmed hand teaches, about."""
BATCH = 64
SCENES = ("home-green", "tray", "auto-table", "other-tables", "webcam-riichi")
LEARNED_PHOTOS = 4


class TorchSession:
    """A checkpoint in the place of an ONNX session."""

    def __init__(self, checkpoint: Path) -> None:
        reader = TileReader()
        load_checkpoint(checkpoint, reader, None, Average(reader))
        self._module = ExportedReader(reader, 1.0).eval()

    @torch.no_grad()
    def run(self, _names: Sequence[str], feeds: dict[str, NDArray[np.uint8]]) -> list[NDArray[np.float32]]:
        """Faces, turns, features."""
        parts = [
            self._module(torch.from_numpy(np.ascontiguousarray(feeds["pixels"][start : start + BATCH])))
            for start in range(0, len(feeds["pixels"]), BATCH)
        ]
        return [torch.cat(each).numpy() for each in zip(*parts, strict=True)]


@dataclass(frozen=True, eq=False)
class Shown:
    """The tiles of a sheet: class numbers N, clean and careless crops N×64×64×3 of them, and what the reader sees."""

    labels: NDArray[np.intp]
    reader: Reader
    clean_crops: NDArray[np.uint8]
    careless_crops: NDArray[np.uint8]
    clean: Looks
    careless: Looks

    def teach(self, tiles: NDArray[np.intp], *, careless: bool = False) -> SecondOpinion:
        """The opinion of these tiles."""
        crops = (self.careless_crops if careless else self.clean_crops)[tiles]
        faces = [CLASSES[self.labels[index]] for index in tiles]
        return SecondOpinion(faces, turned_features(self.reader, crops))

    def one_each(self, rng: np.random.Generator, faces: Iterable[int] | None = None) -> NDArray[np.intp]:
        """One tile of each face, or of each of these."""
        wanted = np.unique(self.labels) if faces is None else faces
        return np.array([rng.choice(np.flatnonzero(self.labels == face)) for face in wanted])


def show(sheet: Sheet, reader: Reader, rng: np.random.Generator) -> Shown:
    """Look at the tiles of a sheet as cut, in any of four turns, and as a careless photo would show them."""
    crops = cut_crops(Photo(sheet.pixels), sheet.quads)
    turns = rng.integers(0, 4, len(crops))
    clean = np.stack([np.rot90(crop, -turn) for crop, turn in zip(crops, turns, strict=True)])
    careless = np.stack(
        [
            draw_crop(patch_of(sheet.pixels, quad), int(turn), rng)
            for quad, turn in zip(sheet.quads, turns, strict=True)
        ]
    )
    return Shown(
        np.array([CLASS_INDEX[face] for face in sheet.faces]),
        reader,
        clean,
        careless,
        reader.look(clean),
        reader.look(careless),
    )


def some(looks: Looks, tiles: NDArray[np.intp]) -> Looks:
    """The looks of these tiles."""
    return Looks(looks.probabilities[tiles], looks.turns[tiles], looks.features[tiles])


def weighed(opinion: SecondOpinion, looks: Looks, rng: np.random.Generator) -> NDArray[np.float32]:
    """Probabilities after the opinion was asked, hands of 14 tiles at a time as in a photo."""
    result = np.empty_like(looks.probabilities)
    order = rng.permutation(len(result))
    for start in range(0, len(order), 14):
        hand = order[start : start + 14]
        result[hand] = opinion(some(looks, hand)).probabilities
    return result


class Tally:
    """Right tiles and, where an opinion was asked, those it spoiled and mended."""

    def __init__(self) -> None:
        self.tiles = self.right = self.spoiled = self.mended = 0

    def add(self, labels: NDArray[np.intp], before: NDArray[np.float32], after: NDArray[np.float32]) -> None:
        """Count these tiles."""
        was, now = before.argmax(1) == labels, after.argmax(1) == labels
        self.tiles += len(labels)
        self.right += int(now.sum())
        self.spoiled += int((was & ~now).sum())
        self.mended += int((~was & now).sum())

    def include(self, other: Tally) -> None:
        """Count what another has counted too."""
        self.tiles += other.tiles
        self.right += other.right
        self.spoiled += other.spoiled
        self.mended += other.mended

    def __str__(self) -> str:
        """As a cell of the table."""
        share = f"{self.right / max(self.tiles, 1):7.2%}"
        return share + (f" (+{self.mended} -{self.spoiled})" if self.spoiled or self.mended else "")


COLUMNS = (
    "clean, alone",
    "clean, set",
    "careless, alone",
    "careless, set",
    "set from careless crops",
    "one hand",
    "another set",
    "other photo of the set",
)
Row = dict[str, Tally]


def measure(
    name: str, shown: Shown, others: Sequence[Shown], twin: Shown | None, rng: np.random.Generator
) -> Row:
    """Read one sheet in all the ways of `COLUMNS`."""
    row: Row = defaultdict(Tally)

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
    ask("careless, alone", None, shown.careless, rest)
    ask("careless, set", own, shown.careless, rest)
    ask("set from careless crops", shown.teach(taught, careless=True), shown.careless, rest)
    faces = np.unique(shown.labels)
    hand = shown.one_each(rng, rng.choice(faces, min(HAND, len(faces)), replace=False))
    ask("one hand", shown.teach(hand), shown.careless, np.setdiff1d(everything, hand))
    if others:
        other = others[int(rng.integers(len(others)))]
        ask("another set", other.teach(other.one_each(rng)), shown.careless, everything)
    if twin is not None:
        ask("other photo of the set", twin.teach(twin.one_each(rng)), shown.careless, everything)
    return row


def start_of(name: str, starts: Iterable[str]) -> str | None:
    """Which of these the name begins with."""
    return next((start for start in starts if start and name.startswith(start)), None)


def open_reader(name: str, opened: dict[str, Reader]) -> Reader:
    """The held-out reader of that name, or the shipped one."""
    if name not in opened:
        checkpoint = CHECKOUT / "runs" / f"held-out-{name}" / "reader.pt"
        if checkpoint.exists():
            opened[name] = Reader(TorchSession(checkpoint))
        else:
            print(f"{checkpoint} is missing: the shipped reader, which saw these sheets, takes its place")
            opened[name] = Reader(open_session("reader"))
    return opened[name]


def sheets() -> None:
    """Print the table of all sheets."""
    rng = np.random.default_rng(11)
    detector = Detector(open_session("detector"))
    opened: dict[str, Reader] = {}
    shown: dict[str, Shown] = {}
    reader_of = {name: READERS[start_of(name, READERS) or ""] for name in SHEETS}
    for name in SHEETS:
        reader = open_reader(reader_of[name], opened)
        shown[name] = show(read_sheet(DATA / "tile-crops" / "sheets", name, detector), reader, rng)
    totals: dict[str, Row] = {"chosen on": defaultdict(Tally), "measured on": defaultdict(Tally)}
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
    """One line of the table."""
    print(
        name[:26].ljust(26),
        f"{row[COLUMNS[0]].tiles:5}",
        *(str(row.get(column, "")).rjust(24) for column in COLUMNS),
        sep=" | ",
    )


@dataclass(frozen=True, eq=False)
class Found:
    """The labelled tiles of one photo that were found: class numbers, looks, and their crops."""

    scene: str
    labels: NDArray[np.intp]
    looks: Looks
    crops: NDArray[np.uint8]


def read_photos(split: str, most: int, detector: Detector, reader: Reader) -> list[Found]:
    """At most so many photos of each scene, spread over the split."""
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
    """Print how photos of the tables we know are read with a set learned from some, and with another's."""
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

    print(f"photos of the split {split}: shipped reader, {LEARNED_PHOTOS} confirmed photos learned")
    print(
        "scene".ljust(26),
        *(title.rjust(24) for title in ("tiles", "alone", "same scene", "another scene")),
        sep=" | ",
    )
    for scene in SCENES:
        alone, own, other = Tally(), Tally(), Tally()
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
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--photos", choices=("train", "valid"), help="measure on photos of this split instead"
    )
    parser.add_argument("--most", type=int, default=40, help="photos of each scene at most")
    options = parser.parse_args()
    if options.photos:
        photos(options.photos, options.most)
    else:
        sheets()


if __name__ == "__main__":
    main()
