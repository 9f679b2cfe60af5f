"""What `fanlens eval --report DIR` leaves behind: figures, confusions, results by photo, error sheets."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from scorer.lines import json_line
from vision.draw import annotate
from vision.evaluate import Evaluation, PhotoResult
from vision.layout import Role
from vision.photo import load_photo
from vision.pictures import FreeNames, write_picture

#: The files of a report, beside the folder `photos`.
REPORT_FILES = ("evaluation.json", "confusions.csv", "photos.jsonl", "errors.png")

_THUMB = 96
_COLUMNS = 12
_MOST_ERRORS = 240
_MOST_PHOTOS = 60
_CAPTION = 16


def write_report(evaluation: Evaluation, folder: Path) -> None:
    """Write the report into an existing folder; files of an earlier report are replaced. Raises OSError.

    evaluation.json: all figures. confusions.csv: labelled face, face read, times. photos.jsonl: for each
    photo what was missed, misnamed and found beyond the labels. errors.png: every missed or misnamed
    tile, its label and what was read (`-` where nothing was found). photos/: photos of rows with an
    error, annotated, never in place of a labelled photo.
    """
    figures = json.dumps(evaluation.to_json(), ensure_ascii=False, indent=2)
    path = folder / "evaluation.json"
    path.write_text(figures + "\n", encoding="utf-8", errors="backslashreplace")
    with (folder / "confusions.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["label", "read", "times"])
        writer.writerows((*pair, times) for pair, times in evaluation.confusions.most_common())
    with (folder / "photos.jsonl").open("w", encoding="utf-8") as file:
        for result in evaluation.results:
            file.write(json_line(_summary(result)) + "\n")
    thumbs = [thumb for result in evaluation.results for thumb in _error_thumbs(result)][:_MOST_ERRORS]
    if thumbs:
        _sheet(thumbs).save(folder / "errors.png")
    pictures = folder / "photos"
    pictures.mkdir(exist_ok=True)
    names = FreeNames(result.label.path for result in evaluation.results)
    wrong_rows = [result for result in evaluation.results if result.label.shows_one_row and not result.exact]
    for result in wrong_rows[:_MOST_PHOTOS]:
        picture = Image.fromarray(annotate(load_photo(result.label.path), result.recognition))
        picture.thumbnail((1600, 1600))
        path = names.take(pictures / f"{result.label.path.stem}.jpg")
        write_picture(np.asarray(picture), path, quality=85)


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
    """The labelled box of every tile missed or misnamed, square and small, with a caption."""
    wrong = [
        (face, box, None if at is None else result.recognition.tiles[at])
        for face, box, at in zip(result.label.faces, result.label.boxes, result.matches, strict=True)
        if at is None or result.recognition.tiles[at].face != face
    ]
    if not wrong:
        return
    pixels = load_photo(result.label.path).pixels
    for face, (x0, y0, x1, y1), tile in wrong:
        half = 0.65 * max(x1 - x0, y1 - y0)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        low = np.maximum([x - half, y - half], 0).astype(int)
        part = pixels[low[1] : int(y + half) + 1, low[0] : int(x + half) + 1]
        caption = f"{face} -" if tile is None else f"{face} {tile.face} {tile.confidence:.2f}"
        if part.size:
            yield (
                np.asarray(cv2.resize(part, (_THUMB, _THUMB), interpolation=cv2.INTER_AREA), np.uint8),
                caption,
            )


def _sheet(thumbs: list[tuple[NDArray[np.uint8], str]]) -> Image.Image:
    rows = -(-len(thumbs) // _COLUMNS)
    sheet = Image.new("RGB", (_COLUMNS * _THUMB, rows * (_THUMB + _CAPTION)), "white")
    drawing = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(12)
    for number, (picture, caption) in enumerate(thumbs):
        x, y = number % _COLUMNS * _THUMB, number // _COLUMNS * (_THUMB + _CAPTION)
        sheet.paste(Image.fromarray(picture), (x, y + _CAPTION))
        drawing.text((x + 2, y + 1), caption, fill="black", font=font)
    return sheet
