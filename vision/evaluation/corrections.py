"""Labels that are provably wrong, and what they should be: a file of reasons beside labels left as they are.

One JSON object a line: `image` as the labels name it; `label`, the tile as the labels have it (`face` and
`box`), or null for a tile they lack; `correct`, the tile as it should be (`face`, and `box` where that
changes), or null for a tile that should not be there; `reason`; and `proof`, what the picture shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.evaluation.labels import Box, LabelError, face_and_box, json_object, numbered_lines


@dataclass(frozen=True)
class Correction:
    """One tile of one photo, as labelled (None: not labelled) and as it should be (None: not at all)."""

    image: str
    label: tuple[str, Box] | None
    correct: tuple[str, Box] | None
    reason: str
    proof: str

    def __str__(self) -> str:
        """What is changed and why, in one line."""
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
    """The corrections of a JSONL file. Raises LabelError, which names the line and what is wrong with it."""
    corrections = []
    for number, line in numbered_lines(path):
        try:
            corrections.append(_correction(json_object(line)))
        except LabelError as error:
            raise LabelError(f"{path}, line {number} is no correction: {error}") from error
    if not corrections:
        raise LabelError(f"{path} holds no correction")
    return tuple(corrections)


def apply_corrections(
    rows: Iterable[dict[str, Any]], corrections: Sequence[Correction]
) -> list[dict[str, Any]]:
    """Label lines with the corrections made; the lines given are not changed.

    `rows` are label lines as JSON objects (`image`, `tiles`). Raises LabelError where a correction's photo or
    tile is not among them.

    >>> box = [0, 0, 30, 40]
    >>> rows = [{"image": "a.jpg", "tiles": [{"face": "3m", "box": box}]}]
    >>> wrong = Correction("a.jpg", ("3m", (0, 0, 30, 40)), ("2m", (0, 0, 30, 40)), "misnamed", "two strokes")
    >>> apply_corrections(rows, [wrong])
    [{'image': 'a.jpg', 'tiles': [{'face': '2m', 'box': [0, 0, 30, 40]}]}]
    """
    corrected = [{**row, "tiles": list(row["tiles"])} for row in rows]
    tiles_of = {row["image"]: row["tiles"] for row in corrected}
    for correction in corrections:
        if correction.image not in tiles_of:
            raise LabelError(
                f"the labels have no photo {correction.image}: these corrections are for other labels"
            )
        _apply(tiles_of[correction.image], correction)
    return corrected


def _apply(tiles: list[dict[str, Any]], correction: Correction) -> None:
    """Make one correction in the tiles of its photo."""
    if correction.label is None:
        if correction.correct is not None:
            face, box = correction.correct
            tiles.append({"face": face, "box": list(box)})
        return
    face, box = correction.label
    place = next(
        (at for at, tile in enumerate(tiles) if tile["face"] == face and tuple(tile["box"]) == box), None
    )
    if place is None:
        raise LabelError(
            f"{correction.image} has no {face} labelled at {_corner(box)}: "
            "these corrections are for other labels, or that label is already corrected"
        )
    if correction.correct is None:
        del tiles[place]
        return
    found = tiles[place]
    changed, moved = correction.correct
    if moved == box:
        tiles[place] = {**found, "face": changed}
    else:  # what else the label says of the place, a quad for instance, no longer holds
        tiles[place] = {"face": changed, "box": list(moved)}


def _corner(box: Box) -> str:
    return f"({box[0]:g}, {box[1]:g})"


def _correction(row: dict[str, Any]) -> Correction:
    """The correction of one line. Raises LabelError, which says what the line lacks."""
    texts = [row.get(key) for key in ("image", "reason", "proof")]
    if not all(isinstance(text, str) and text for text in texts):
        raise LabelError("it needs image, reason and proof, each in quotes")
    if not {"label", "correct"} <= row.keys():
        raise LabelError("it needs label and correct, each a tile with face and box, or null")
    if row["label"] is None and row["correct"] is None:
        raise LabelError("label and correct are both null: it would change nothing")
    label = None if row["label"] is None else face_and_box(row["label"], "label")
    correct = row["correct"]
    if label is not None and isinstance(correct, dict) and "box" not in correct:
        correct = {**correct, "box": list(label[1])}
    named = None if correct is None else face_and_box(correct, "correct")
    if label == named:
        raise LabelError("label and correct are the same: it would change nothing")
    image, reason, proof = (str(text) for text in texts)
    return Correction(image, label, named, reason, proof)
