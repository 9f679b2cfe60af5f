"""Whether there are tiles at all: a keyboard, dice or a page of text may look like a tile here and there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.networks.limits import SIZES, SizeLimits
from vision.tiles import BACK, CLASS_INDEX, NONE, WHITE_DRAGON, Floats, Tiles, signed_area

_NO_FACE = [CLASS_INDEX[face] for face in (WHITE_DRAGON, BACK, NONE)]


def surely_read(tiles: Tiles, limits: SizeLimits = SIZES) -> NDArray[np.bool_]:
    """Which finds show a face for certain: blank ones tell nothing, because much in the world is blank."""
    odds = tiles.probabilities.copy()
    odds[:, _NO_FACE] = 0
    return np.asarray(odds.max(1, initial=0) >= limits.surely)


def shows_tiles(tiles: Tiles, limits: SizeLimits = SIZES) -> bool:
    """Whether two tiles that are surely read lie beside each other and are about equally large."""
    sure = tiles.select(surely_read(tiles, limits))
    sizes, middles = sizes_px(sure.quads), sure.quads.mean(1)
    larger = np.maximum(sizes, sizes[:, None])
    apart = np.hypot(*(middles[None] - middles[:, None]).transpose(2, 0, 1))
    alike = np.minimum(sizes, sizes[:, None]) > limits.alike * larger
    beside = alike & (apart < limits.beside * larger) & ~np.eye(len(sure), dtype=bool)
    return bool(beside.any())


def sizes_px(quads: Floats) -> Floats:
    """The square root of each quad's area, in pixels."""
    return np.asarray(np.sqrt(np.abs(signed_area(quads))), np.float32)
