"""Readers and tiles for `tests.bench.bench_tileset`: what a reader sees, with and without a tile set. Needs torch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from models.training.crops import draw_crop, patch_of
from models.training.export import ExportedReader
from models.training.loop import load_average
from models.training.reader import TileReader
from tests.bench.tile_sheets import Sheet
from vision.networks.reader import Looks, Reader, cut_crops
from vision.networks.sessions import open_session
from vision.photo import Photo
from vision.tiles import CLASS_INDEX, CLASSES
from vision.tilesets.similarity import SecondOpinion, turned_features

CHECKOUT = Path(__file__).resolve().parents[2]
BATCH = 64


class TorchSession:
    """A checkpoint that answers like an ONNX session."""

    def __init__(self, checkpoint: Path) -> None:
        reader = TileReader()
        load_average(checkpoint, reader)
        self._module = ExportedReader(reader, 1.0).eval()

    @torch.no_grad()
    def run(self, _names: Sequence[str], feeds: dict[str, NDArray[np.uint8]]) -> list[NDArray[np.float32]]:
        """Return faces, turns and features."""
        parts = [
            self._module(torch.from_numpy(np.ascontiguousarray(feeds["pixels"][start : start + BATCH])))
            for start in range(0, len(feeds["pixels"]), BATCH)
        ]
        return [torch.cat(each).numpy() for each in zip(*parts, strict=True)]


@dataclass(frozen=True, eq=False)
class Shown:
    """The tiles of a sheet: class numbers, clean and imprecise crops (N×64×64×3), and what the reader sees in each."""

    labels: NDArray[np.intp]
    reader: Reader
    clean_crops: NDArray[np.uint8]
    rough_crops: NDArray[np.uint8]
    clean: Looks
    rough: Looks

    def teach(self, tiles: NDArray[np.intp], *, rough: bool = False) -> SecondOpinion:
        """The second opinion of a tile set that learned these tiles."""
        crops = (self.rough_crops if rough else self.clean_crops)[tiles]
        faces = [CLASSES[self.labels[index]] for index in tiles]
        return SecondOpinion(faces, turned_features(self.reader, crops))

    def one_each(self, rng: np.random.Generator, faces: Iterable[int] | None = None) -> NDArray[np.intp]:
        """One tile of each face, or of each of these faces."""
        wanted = np.unique(self.labels) if faces is None else faces
        return np.array([rng.choice(np.flatnonzero(self.labels == face)) for face in wanted])


def show(sheet: Sheet, reader: Reader, rng: np.random.Generator) -> Shown:
    """Read the tiles of a sheet as they were cut, in any of four turns, and as a poor photo would show them."""
    crops = cut_crops(Photo(sheet.pixels), sheet.quads)
    turns = rng.integers(0, 4, len(crops))
    clean = np.stack([np.rot90(crop, -turn) for crop, turn in zip(crops, turns, strict=True)])
    rough = np.stack(
        [
            draw_crop(patch_of(sheet.pixels, quad), int(turn), rng)
            for quad, turn in zip(sheet.quads, turns, strict=True)
        ]
    )
    return Shown(
        np.array([CLASS_INDEX[face] for face in sheet.faces]),
        reader,
        clean,
        rough,
        reader.look(clean),
        reader.look(rough),
    )


def some(looks: Looks, tiles: NDArray[np.intp]) -> Looks:
    """The looks at these tiles."""
    return Looks(looks.probabilities[tiles], looks.turns[tiles], looks.features[tiles])


def weighed(opinion: SecondOpinion, looks: Looks, rng: np.random.Generator) -> NDArray[np.float32]:
    """Probabilities with the second opinion, for 14 tiles at a time as in a photo of a hand."""
    result = np.empty_like(looks.probabilities)
    order = rng.permutation(len(result))
    for start in range(0, len(order), 14):
        hand = order[start : start + 14]
        result[hand] = opinion(some(looks, hand)).probabilities
    return result


class RightCounts:
    """Tiles read correctly, and tiles that a second opinion made wrong or correct."""

    def __init__(self) -> None:
        self.tiles = self.right = self.broken = self.fixed = 0

    def add(self, labels: NDArray[np.intp], before: NDArray[np.float32], after: NDArray[np.float32]) -> None:
        """Count these tiles."""
        was, now = before.argmax(1) == labels, after.argmax(1) == labels
        self.tiles += len(labels)
        self.right += int(now.sum())
        self.broken += int((was & ~now).sum())
        self.fixed += int((~was & now).sum())

    def include(self, other: RightCounts) -> None:
        """Add the counts of another."""
        self.tiles += other.tiles
        self.right += other.right
        self.broken += other.broken
        self.fixed += other.fixed

    def __str__(self) -> str:
        """The share of correct tiles, as a cell of the table."""
        share = f"{self.right / max(self.tiles, 1):7.2%}"
        return share + (f" (+{self.fixed} -{self.broken})" if self.broken or self.fixed else "")


def open_reader(name: str, opened: dict[str, Reader]) -> Reader:
    """The reader trained without these sets, or the shipped one if there is none."""
    if name not in opened:
        checkpoint = CHECKOUT / "runs" / f"held-out-{name}" / "reader.pt"
        if checkpoint.exists():
            opened[name] = Reader(TorchSession(checkpoint))
        else:
            print(f"{checkpoint} is missing; the shipped reader, which saw these sheets, takes its place")
            opened[name] = Reader(open_session("reader"))
    return opened[name]
