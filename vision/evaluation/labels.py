"""The reader of label files: one JSON object per photo and line.

`image` is the path of the photo relative to the file. `tiles` lists the labelled tiles: each has `face` (a face code,
`back`, or null if the face could not be read) and `box` ([x0, y0, x1, y1]); it may have `quad` (four corners), `role`
and `partial_box`. The object may have `split`, `scene`, `augmented`, `oriented`, and `unsure` and `nothing`, which list
quads. All coordinates are pixels of the upright photo. `vision.evaluation.labelled_photo` says what each of them means.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from vision.evaluation.corrections import Correction, apply_corrections
from vision.evaluation.errors import LabelError
from vision.evaluation.labelled_photo import UNKNOWN, LabelledPhoto, LabelledTile, photo_from_json
from vision.evaluation.lines import read_lines

__all__ = ["UNKNOWN", "LabelError", "LabelledPhoto", "LabelledTile", "read_labels"]


def read_labels(
    path: Path,
    split: str | None = None,
    corrections: Sequence[Correction] = (),
    *,
    unknown_faces: bool = False,
) -> tuple[LabelledPhoto, ...]:
    """The labelled photos of a file, in its order, with corrections applied.

    split: read only photos of this split. unknown_faces: accept tiles whose face is null.

    Raises LabelError if the file cannot be used, a correction does not fit, or no photo is left.
    """
    photos = apply_corrections(
        read_lines(path, partial(photo_from_json, folder=path.parent), "a label"), corrections
    )
    chosen = tuple(photo for photo in photos if split is None or photo.split == split)
    if not chosen:
        which = f" of split {split!r}" if split is not None else ""
        raise LabelError(f"{path} holds no labelled photo{which}")
    if not unknown_faces:
        for photo in chosen:
            if UNKNOWN in photo.faces:
                raise LabelError(
                    f"{path}: tile {photo.faces.index(UNKNOWN) + 1} of {photo.image} has no face: name it, or leave "
                    "the tile out"
                )
    return chosen
