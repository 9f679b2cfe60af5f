"""A contact sheet of a set: one row per face, each reference as it was cut out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.networks.reader import CROP
from vision.output_files import atomic_write
from vision.tilesets.errors import TileSetError
from vision.tilesets.references import LEARNABLE
from vision.tilesets.store import TileSet

_COLUMNS = 3  # faces side by side
_SHOWN = 6  # references per face
_LABEL = 48
_GROUND, _INK = (32, 32, 32), (240, 240, 240)


def contact_sheet(tileset: TileSet) -> Image.Image:
    """The latest references of each face, at most six; faces without references have an empty row."""
    width, height = _LABEL + _SHOWN * CROP, CROP
    rows = -(-len(LEARNABLE) // _COLUMNS)
    sheet = Image.new("RGB", (_COLUMNS * width, rows * height), _GROUND)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(18)
    for place, face in enumerate(LEARNABLE):
        x, y = place // rows * width, place % rows * height
        draw.text((x + 4, y + CROP // 3), face, _INK, font)
        crops = [reference.crop for reference in reversed(tileset.references) if reference.face == face]
        for number, crop in enumerate(crops[:_SHOWN]):
            sheet.paste(Image.fromarray(np.ascontiguousarray(crop)), (x + _LABEL + number * CROP, y))
    return sheet


def write_sheet(tileset: TileSet, path: Path) -> None:
    """Write the contact sheet as a PNG. Raises TileSetError `not_written`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as file:
            contact_sheet(tileset).save(file, "PNG")
    except OSError as error:
        raise TileSetError(
            "not_written", f"{path} could not be written ({error.strerror}): name another place"
        ) from error
