"""Accuracy on tile sets that the reader never saw, measured on rendered scenes of one set at a time.

    python -m models.figures.held_out runs/held-out-*

Each run folder holds a reader that was trained without some sets of `tile-crops` (the last loop of
`models/training/recipe.sh`); its `held-out.jsonl` names them. Scenes with the photographed faces of one such set, from
seeds that no training used, are read by the whole pipeline with that reader. Needs torch.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from models.figures.specimens import Specimen, TileCounts, compare, of_rendered, total
from models.rendering import render_scene
from models.training.loop import load_average
from models.training.reader import TileReader
from models.training.tile_crops import faces_of_set, read_tile_crops
from vision.networks.detector import Detector
from vision.networks.finder import Finder
from vision.networks.reader import Looks, Reader
from vision.networks.sessions import open_session
from vision.photo import Photo
from vision.recognition import Recognition, interpret
from vision.tiles import Pixels

FIRST_SCENE = 1_520_000
"""Seed of the first scene. Neither training nor any choice between networks used seeds from here on."""
SCENES = 20
"""How many scenes are rendered for each set."""
_SIZE = (1280, 960)


class CheckpointReader(Reader):
    """A reader with the weights of a training run."""

    def __init__(self, checkpoint: Path) -> None:
        """Load the averaged weights, with the temperature of the shipped network. Raises FileNotFoundError."""
        session = open_session("reader")
        super().__init__(session)
        model = TileReader()
        load_average(checkpoint, model)
        model.eval()
        self._face, model.face = model.face, nn.Identity()
        self._model = model
        self._temperature = float(session.get_modelmeta().custom_metadata_map["temperature"])

    def look(self, crops: Pixels) -> Looks:
        """Read crops (N×64×64×3, RGB)."""
        if not len(crops):
            return super().look(crops)
        with torch.no_grad():
            features, turn = self._model(torch.from_numpy(crops).permute(0, 3, 1, 2).float())
            faces = (self._face(features) / self._temperature).softmax(1)
        return Looks(faces.numpy(), turn.softmax(1).numpy(), features.numpy())


@dataclass(frozen=True)
class SetResult:
    """The tile counts of one set over its scenes."""

    name: str
    counts: TileCounts


def held_out_sets(run: Path) -> tuple[str, ...]:
    """The sets that the reader of a run folder was not trained on. Raises FileNotFoundError."""
    path = run / "held-out.jsonl"
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing: give run folders of readers trained with --hold-out")
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(dict.fromkeys(json.loads(line)["set"] for line in lines))


def scenes(faces: dict[str, list[Pixels]], count: int) -> Iterator[Specimen]:
    """Scenes of one set. Faces that the set lacks are drawn, and their tiles do not count."""
    for seed in range(FIRST_SCENE, FIRST_SCENE + count):
        shown = of_rendered(render_scene(seed, size=_SIZE, faces=faces), f"scene-{seed}")
        own = np.array([face in faces for face in shown.faces], dtype=bool)
        kept = tuple(face for face in shown.faces if face in faces)
        yield Specimen(shown.name, shown.source, shown.pixels, shown.quads[own], kept)


def measure(
    runs: Sequence[Path],
    labels: Path,
    count: int = SCENES,
    progress: Callable[[SetResult], None] = lambda _: None,
) -> list[SetResult]:
    """Read the scenes of every held-out set with the reader that never saw it."""
    results = []
    crops = read_tile_crops(labels)
    detector = Detector(open_session("detector"))
    for run in runs:
        reader = CheckpointReader(run / "reader.pt")
        for name in held_out_sets(run):
            faces = faces_of_set(crops, name)
            counts = [compare(scene, _read(scene, detector, reader)) for scene in scenes(faces, count)]
            results.append(SetResult(name, total(counts)))
            progress(results[-1])
    return sorted(results, key=lambda result: int(result.name.rpartition("-")[2]))


def _read(scene: Specimen, detector: Detector, reader: Reader) -> Recognition:
    photo = Photo(scene.pixels, scene.name)
    return interpret(Finder(detector, reader).find(photo), (photo.width, photo.height))


def table(results: Sequence[SetResult]) -> str:
    """The counts as a Markdown table, one row per set."""
    lines = [
        "| set | tiles | found | recall | misread tiles marked as doubtful | correct tiles marked as doubtful |",
        "|---|---|---|---|---|---|",
    ]
    everything = SetResult("all", total(result.counts for result in results))
    for name, counts in ((result.name, result.counts) for result in [*results, everything]):
        found = counts.found / counts.tiles
        lines.append(
            f"| {name.removeprefix('set-')} | {counts.tiles} | {found:.1%} | {counts.recall:.1%} "
            f"| {counts.wrong_flagged} of {counts.wrong} | {counts.right_flagged} of {counts.right_in_hand} |"
        )
    return "\n".join(lines)


def default_crops() -> Path:
    """The labels of the tile crops in the folder `shared` beside the checkout."""
    return Path(__file__).resolve().parents[3] / "shared" / "data" / "tile-crops" / "labels.jsonl"


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path, nargs="+", help="run folders of readers trained with --hold-out")
    parser.add_argument("--tile-crops", type=Path, default=default_crops())
    parser.add_argument("--scenes", type=int, default=SCENES, help="number of scenes for each set")
    options = parser.parse_args()
    results = measure(
        options.runs,
        options.tile_crops,
        options.scenes,
        lambda result: print(f"{result.name} {result.counts.recall:.1%}", file=sys.stderr, flush=True),
    )
    print(table(results))


if __name__ == "__main__":
    main()
