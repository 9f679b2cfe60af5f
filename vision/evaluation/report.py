"""The report of `fanlens eval --report DIR`: figures, confusions, results by photo, error sheets."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from scorer.jsonl import json_line
from vision.annotate import annotate
from vision.evaluation.measure import Evaluation, PhotoResult
from vision.layout.roles import Role
from vision.output_files import FreeNames, atomic_write, write_picture
from vision.photo import load_photo

#: The files of a report; the folder `photos` lies beside them.
REPORT_FILES = ("evaluation.json", "confusions.csv", "photos.jsonl", "errors.png")

_THUMB_PX = 96
_CAPTION_PX = 16
_COLUMNS = 12
_MOST_ERRORS = 240
_MOST_PHOTOS = 60
_LONGEST_SIDE_PX = 1600


def write_report(evaluation: Evaluation, folder: Path) -> None:
    """Write the report into an existing folder, replacing an earlier one. Raises OSError.

    evaluation.json: all figures.
    confusions.csv: labelled face, face read, number of times.
    photos.jsonl: for each photo the tiles that were missed, misread, or put into the hand without a label.
    errors.png: a crop of each of these tiles with its label and what was read (`-` if there is none).
    photos/: annotated photos of rows with an error; they never replace a labelled photo.
    """
    figures = json.dumps(evaluation.to_json(), ensure_ascii=False, indent=2)
    with atomic_write(folder / "evaluation.json") as file:
        file.write(f"{figures}\n".encode(errors="backslashreplace"))
    with atomic_write(folder / "confusions.csv") as file:
        file.write(_confusions(evaluation).encode())
    with atomic_write(folder / "photos.jsonl") as file:
        for result in evaluation.results:
            file.write(f"{json_line(_summary(result))}\n".encode())
    thumbs = [thumb for result in evaluation.results for thumb in _error_thumbs(result)][:_MOST_ERRORS]
    if thumbs:
        with atomic_write(folder / "errors.png") as file:
            _contact_sheet(thumbs).save(file, "PNG")
    else:
        (folder / "errors.png").unlink(missing_ok=True)
    pictures = folder / "photos"
    pictures.mkdir(exist_ok=True)
    names = FreeNames(result.label.path for result in evaluation.results)
    wrong_rows = [result for result in evaluation.results if result.label.shows_one_row and not result.exact]
    for result in wrong_rows[:_MOST_PHOTOS]:
        picture = Image.fromarray(annotate(load_photo(result.label.path), result.recognition))
        picture.thumbnail((_LONGEST_SIDE_PX, _LONGEST_SIDE_PX))
        path = names.take(pictures / f"{result.label.path.stem}.jpg")
        write_picture(np.asarray(picture), path, quality=85)


def _confusions(evaluation: Evaluation) -> str:
    """The confusions as CSV, the most frequent first."""
    table = io.StringIO(newline="")
    writer = csv.writer(table)
    writer.writerow(["label", "read", "times"])
    writer.writerows((*pair, times) for pair, times in evaluation.confusions.most_common())
    return table.getvalue()


def _summary(result: PhotoResult) -> dict[str, object]:
    matched = set(result.matches)
    tiles = result.recognition.tiles
    return {
        "image": result.label.path.name,
        "scene": result.label.scene,
        "one_row": result.label.shows_one_row,
        "exact": result.exact,
        "missed": [face for face, at in zip(result.label.faces, result.matches, strict=True) if at is None],
        "misnamed": [[face, tile.face] for face, tile in result.pairs() if face != tile.face],
        "labelled_strays": [face for face, tile in result.pairs() if tile.role is Role.STRAY],
        "unlabelled_hand": [
            tile.face for at, tile in enumerate(tiles) if at not in matched and tile.role is not Role.STRAY
        ],
        "problems": [problem.code for problem in result.recognition.problems],
    }


def _error_thumbs(result: PhotoResult) -> Iterator[tuple[NDArray[np.uint8], str]]:
    """A small square crop with a caption for every tile that was missed, misread, or put into the hand unlabelled."""
    tiles, matched = result.recognition.tiles, set(result.matches)
    wrong: list[tuple[str, Sequence[float]]] = []
    for face, box, at in zip(result.label.faces, result.label.boxes, result.matches, strict=True):
        if at is None:
            wrong.append((f"{face} -", box))
        elif tiles[at].face != face:
            wrong.append((f"{face} {tiles[at].face} {tiles[at].confidence:.2f}", box))
    for at, tile in enumerate(tiles):
        if at not in matched and tile.role is not Role.STRAY:
            corners = np.array(tile.quad)
            box = (*corners.min(axis=0), *corners.max(axis=0))
            wrong.append((f"- {tile.face} {tile.confidence:.2f}", box))
    if not wrong:
        return
    pixels = load_photo(result.label.path).pixels
    for caption, (x0, y0, x1, y1) in wrong:
        half = 0.65 * max(x1 - x0, y1 - y0)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        low = np.maximum([x - half, y - half], 0).astype(int)
        part = pixels[low[1] : int(y + half) + 1, low[0] : int(x + half) + 1]
        if part.size:
            small = cv2.resize(part, (_THUMB_PX, _THUMB_PX), interpolation=cv2.INTER_AREA)
            yield np.asarray(small, np.uint8), caption


def _contact_sheet(thumbs: list[tuple[NDArray[np.uint8], str]]) -> Image.Image:
    rows = -(-len(thumbs) // _COLUMNS)
    sheet = Image.new("RGB", (_COLUMNS * _THUMB_PX, rows * (_THUMB_PX + _CAPTION_PX)), "white")
    drawing = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(12)
    for number, (picture, caption) in enumerate(thumbs):
        x, y = number % _COLUMNS * _THUMB_PX, number // _COLUMNS * (_THUMB_PX + _CAPTION_PX)
        sheet.paste(Image.fromarray(picture), (x, y + _CAPTION_PX))
        drawing.text((x + 2, y + 1), caption, fill="black", font=font)
    return sheet
