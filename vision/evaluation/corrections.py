"""Corrections: labels that are provably wrong, and what they should be.

The label file itself stays as it was published; a second file lists the corrections, one JSON object per line:
`image` as the labels name it; `label`, the tile as labelled (`face` and `box`), or null if the labels lack it;
`correct`, the tile as it should be (`face`, and `box` if that changes), or null if no tile is there; `reason`; and
`proof`, what the picture shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vision.evaluation.errors import LabelError
from vision.evaluation.labelled_photo import UNKNOWN, Box, LabelledPhoto, LabelledTile, tile_from_json
from vision.evaluation.lines import read_lines


@dataclass(frozen=True)
class Correction:
    """One tile of one photo: its (face, box) as labelled and as it should be.

    label: None if the labels lack the tile. correct: None if no tile is there.
    """

    image: str
    label: tuple[str, Box] | None
    correct: tuple[str, Box] | None
    reason: str
    proof: str

    def __str__(self) -> str:
        """The change and its reason in one line."""
        if self.label is None and self.correct is not None:
            change = f"{self.correct[0]} at {_corner(self.correct[1])} added"
        elif self.label is not None and self.correct is None:
            change = f"{self.label[0]} at {_corner(self.label[1])} removed"
        elif self.label is not None and self.correct is not None:
            change = f"{self.label[0]} at {_corner(self.label[1])} is {self.correct[0]}"
        else:
            change = "nothing"
        return f"{self.image}: {change}: {self.reason}"


def read_corrections(path: Path) -> tuple[Correction, ...]:
    """The corrections of a file. Raises LabelError, which names the line and the fault."""
    corrections = read_lines(path, _correction, "a correction")
    if not corrections:
        raise LabelError(f"{path} holds no correction")
    return corrections


def apply_corrections(
    photos: Iterable[LabelledPhoto], corrections: Sequence[Correction]
) -> tuple[LabelledPhoto, ...]:
    """The photos with the corrections applied. Raises LabelError if a correction's photo or tile is not among them.

    >>> box = (0, 0, 30, 40)
    >>> photo = LabelledPhoto(Path("a.jpg"), (LabelledTile("3m", box),), "a.jpg")
    >>> wrong = Correction("a.jpg", ("3m", box), ("2m", box), "misnamed", "two strokes")
    >>> apply_corrections([photo], [wrong])[0].faces
    ('2m',)
    """
    photos = tuple(photos)
    tiles = [list(photo.tiles) for photo in photos]
    tiles_of = {photo.image: its for photo, its in zip(photos, tiles, strict=True)}
    for correction in corrections:
        if correction.image not in tiles_of:
            raise LabelError(
                f"the labels have no photo {correction.image}: these corrections are for other labels"
            )
        _apply(tiles_of[correction.image], correction)
    return tuple(replace(photo, tiles=tuple(its)) for photo, its in zip(photos, tiles, strict=True))


def _apply(tiles: list[LabelledTile], correction: Correction) -> None:
    """Apply one correction to the tiles of its photo."""
    if correction.label is None:
        if correction.correct is not None:
            tiles.append(LabelledTile(*correction.correct))
        return
    face, box = correction.label
    place = next((at for at, tile in enumerate(tiles) if (tile.face, tile.box) == (face, box)), None)
    if place is None:
        raise LabelError(
            f"{correction.image} has no {face} labelled at {_corner(box)}: "
            "these corrections are for other labels, or that label is already corrected"
        )
    if correction.correct is None:
        del tiles[place]
        return
    changed, moved = correction.correct
    if moved == box:
        tiles[place] = replace(tiles[place], face=changed)
    else:  # what else the label says about the place, for instance a quad, no longer holds
        tiles[place] = LabelledTile(changed, moved)


def _corner(box: Box) -> str:
    return f"({box[0]:g}, {box[1]:g})"


def _correction(row: dict[str, Any]) -> Correction:
    """The correction of one line. Raises LabelError, which names the fault."""
    texts = [row.get(key) for key in ("image", "reason", "proof")]
    if not all(isinstance(text, str) and text for text in texts):
        raise LabelError("it needs image, reason and proof, each in quotes")
    if not {"label", "correct"} <= row.keys():
        raise LabelError("it needs label and correct, each a tile with face and box, or null")
    if row["label"] is None and row["correct"] is None:
        raise LabelError("label and correct are both null: it would change nothing")
    label = None if row["label"] is None else _face_and_box(row["label"], "label")
    correct = row["correct"]
    if label is not None and isinstance(correct, dict) and "box" not in correct:
        correct = {**correct, "box": list(label[1])}
    named = None if correct is None else _face_and_box(correct, "correct")
    if label == named:
        raise LabelError("label and correct are the same: it would change nothing")
    image, reason, proof = (str(text) for text in texts)
    return Correction(image, label, named, reason, proof)


def _face_and_box(tile: object, name: str) -> tuple[str, Box]:
    labelled = tile_from_json(tile, name)
    if labelled.face == UNKNOWN:
        raise LabelError(f"{name} needs a face")
    return labelled.face, labelled.box
