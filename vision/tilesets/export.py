"""Export the kept photos of a set with their labels, in the formats of common training tools.

coco: `annotations.json` with bbox [x, y, width, height], the quad as segmentation, category ids from 1 in the order of
    `LEARNABLE`.
yolo: `labels/*.txt` with class and box (centre and size, as shares of the photo's width and height).
yolo-obb: class and the four corners, as shares too. YOLO classes count from 0; `data.yaml` names them.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.tilesets.errors import TileSetError
from vision.tilesets.references import LEARNABLE, Lesson
from vision.tilesets.store import TileSet, kept_photo, load_tileset

FORMATS = ("coco", "yolo", "yolo-obb")

Kept = tuple[Lesson, Path]


def export_labels(name: str, form: str, out: Path) -> int:
    """Write the kept photos of a set and their labels into a new or empty folder; return the number of photos.

    form: one of `FORMATS`.

    Raises TileSetError: bad_name, unknown_tileset, damaged, no_photo, not_written. The folder is unchanged then.
    """
    tileset = load_tileset(name)
    kept = [(lesson, photo) for lesson in tileset.lessons if (photo := kept_photo(name, lesson)) is not None]
    if not kept:
        raise TileSetError(
            "no_photo", f"no photo of {tileset.name} was kept: learn the photos again with --keep-photos"
        )
    try:
        if out.exists() and any(out.iterdir()):
            raise TileSetError("not_written", f"{out} already contains files: name a new folder")
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fanlens-", dir=out.parent) as temporary:
            folder = Path(temporary) / "export"
            images = folder / "images"
            images.mkdir(parents=True)
            for _, photo in kept:
                shutil.copyfile(photo, images / photo.name)
            if form == "coco":
                _write_coco(folder, tileset, kept)
            else:
                _write_yolo(folder, kept, corners=form == "yolo-obb")
            folder.replace(out)  # replaces an empty folder
    except OSError as error:
        raise TileSetError(
            "not_written", f"{out} cannot be written ({error.strerror}): make room or name another folder"
        ) from error
    return len(kept)


def _write_coco(folder: Path, tileset: TileSet, kept: Sequence[Kept]) -> None:
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for number, (lesson, photo) in enumerate(kept, 1):
        width, height = lesson.size
        images.append({"id": number, "file_name": f"images/{photo.name}", "width": width, "height": height})
        for reference in lesson.references:
            quad = _inside(reference.quad, lesson.size)
            x, y = quad.min(axis=0)
            w, h = np.ptp(quad, axis=0)
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": number,
                    "category_id": LEARNABLE.index(reference.face) + 1,
                    "bbox": [round(float(value), 2) for value in (x, y, w, h)],
                    "area": round(float(w * h), 2),
                    "segmentation": [[round(float(value), 2) for value in quad.ravel()]],
                    "iscrowd": 0,
                }
            )
    whole = {
        "info": {"description": f"tiles of the set {tileset.name}, confirmed by a person"},
        "images": images,
        "annotations": annotations,
        "categories": [
            {"id": index, "name": face, "supercategory": "tile"} for index, face in enumerate(LEARNABLE, 1)
        ],
    }
    (folder / "annotations.json").write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")


def _write_yolo(folder: Path, kept: Sequence[Kept], *, corners: bool) -> None:
    labels = folder / "labels"
    labels.mkdir()
    for lesson, photo in kept:
        lines = []
        for reference in lesson.references:
            quad = _inside(reference.quad, lesson.size) / np.array(lesson.size)
            low, high = quad.min(axis=0), quad.max(axis=0)
            values = quad.ravel() if corners else np.concatenate([(low + high) / 2, high - low])
            told = " ".join(f"{value:.6f}" for value in values)
            lines.append(f"{LEARNABLE.index(reference.face)} {told}\n")
        (labels / f"{photo.stem}.txt").write_text("".join(lines), encoding="ascii")
    names = "".join(f"  {index}: {face}\n" for index, face in enumerate(LEARNABLE))
    (folder / "data.yaml").write_text(
        f"path: .\ntrain: images\nval: images\nnames:\n{names}", encoding="ascii"
    )


def _inside(quad: Sequence[Sequence[float]], size: tuple[int, int]) -> NDArray[np.float64]:
    corners: NDArray[np.float64] = np.clip(
        np.array(quad, dtype=np.float64), 0, np.array(size, dtype=np.float64)
    )
    return corners
