"""Outlines of the characters on the tiles.

`models.drawing.extract` extracted them from redistributable fonts (`vision/artwork/LICENSE-FONTS.md`) into
`outlines.json`, so that neither drawing nor training needs a font.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from models.drawing.shapes import Segment

EM = 1000
"""Units of the em square in which outlines are stored; y points down."""

OUTLINES_FILE = Path(__file__).with_name("outlines.json")


@cache
def _stored() -> dict[str, dict[str, list[list[Any]]]]:
    stored: dict[str, dict[str, list[list[Any]]]] = json.loads(OUTLINES_FILE.read_text(encoding="utf-8"))
    return stored


def has_glyph(style: str, character: str) -> bool:
    """Whether a style has this character; no style has every variant of all characters."""
    return character in _stored()[style]


@cache
def glyph(style: str, character: str) -> tuple[Segment, ...]:
    """The outline of a character: segments in a box of `EM` by `EM` units, y down.

    Raises KeyError for a style or a character that is not stored.
    """
    return tuple((kind, tuple(map(float, numbers))) for kind, *numbers in _stored()[style][character])
