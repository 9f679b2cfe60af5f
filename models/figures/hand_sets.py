"""Which tiles of training photos are put into the hand, against what a person sees there.

Around the hand of these photos lie heaps, walls and other hands. `models/training/hand_sets.jsonl` names the photos,
and which of their labelled tiles do not belong to the hand; all others do. Tiles without a label do not belong to it
either. Which sets were claimed cannot be seen: no tile of theirs lies sideways.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.tables.outcome import NO_QUESTION
from vision.evaluation.labels import LabelledPhoto
from vision.evaluation.measure import compare
from vision.layout.roles import Role
from vision.photo import load_photo
from vision.recognition import Recognition, SeenTile, recognise

LABELS = Path(__file__).resolve().parents[1] / "training" / "hand_sets.jsonl"
_EDGE_PX = 4  # nearer to the edge of the photo a tile is cut off, and has no label


@dataclass(frozen=True)
class HandSet:
    """One photo: how many tiles of its hand were left out, how many others were put in, and whether it was asked."""

    image: str
    lost: int
    added: int
    asked: bool

    @property
    def right(self) -> bool:
        """Whether exactly the tiles of the hand were put into it."""
        return not self.lost and not self.added


def read_hand_sets(path: Path = LABELS) -> dict[str, tuple[int, ...]]:
    """For each photo the labelled tiles that do not belong to its hand."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {line["image"]: tuple(line["left_out"]) for line in lines}


def measure(
    photos: Iterable[LabelledPhoto],
    left_out: Mapping[str, tuple[int, ...]],
    progress: Callable[[int], None] = lambda _: None,
) -> list[HandSet]:
    """Read those of the photos that `left_out` names."""
    results = []
    for photo in photos:
        if photo.image in left_out:
            results.append(judge(photo, recognise(load_photo(photo.path)), left_out[photo.image]))
            progress(len(results))
    return results


def judge(photo: LabelledPhoto, read: Recognition, left_out: tuple[int, ...]) -> HandSet:
    """Compare the hand of one reading with the tiles that belong to it."""
    finds = _finds(photo, read)
    inside = {at for at, tile in enumerate(read.tiles) if tile.role is not Role.STRAY}
    lost = sum(1 for find, label in finds.items() if label not in left_out and find not in inside)
    others = [find for find in inside if finds.get(find, -1) in left_out or find not in finds]
    added = sum(1 for find in others if find in finds or not _cut_off(read.tiles[find], read))
    asked = any(problem.code not in NO_QUESTION for problem in read.problems)
    return HandSet(photo.image, lost, added, asked)


def _finds(photo: LabelledPhoto, read: Recognition) -> dict[int, int]:
    """For each find that shows a labelled tile the number of that tile.

    The box of a label may hug its tile less than the find does; then it is enough that it holds the find's middle.
    """
    found = {find: label for label, find in enumerate(compare(photo, read).matches) if find is not None}
    missing = set(range(len(photo.boxes))) - set(found.values())
    for find, tile in enumerate(read.tiles):
        x, y = np.mean(tile.quad, axis=0)
        at = next(
            (
                label
                for label in sorted(missing)
                if photo.boxes[label][0] < x < photo.boxes[label][2]
                and photo.boxes[label][1] < y < photo.boxes[label][3]
            ),
            None,
        )
        if find not in found and at is not None:
            found[find] = at
            missing.remove(at)
    return found


def _cut_off(tile: SeenTile, read: Recognition) -> bool:
    """Whether a tile reaches the edge of the photo."""
    corners = np.array(tile.quad)
    low, high = corners.min(axis=0), corners.max(axis=0)
    size = np.array([read.width, read.height])
    return bool((low < _EDGE_PX).any() or (high > size - _EDGE_PX).any())


def section(results: Iterable[HandSet]) -> str:
    """The section `hand-sets` of the model card."""
    photos = list(results)
    right = sum(photo.right for photo in photos)
    silent = [photo for photo in photos if not photo.right and not photo.asked]
    wrong = ", ".join(
        f"{Path(photo.image).stem} ({photo.lost} left out, {photo.added} added)"
        for photo in photos
        if not photo.right
    )
    return (
        f"In {right} of {len(photos)} training photos exactly the tiles of the hand are put into it. Wrong: "
        f"{wrong or 'none'}. Of these {len(silent)} are wrong without a question."
    )
