"""The tiles on product photos of whole sets in `../shared/data/tile-crops/sheets`, row by row, left to right.

`-` is a tile that does not count: jokers, tiles that are cut off, and flowers of sets that number theirs differently or
have only some. A person read them from the photos.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout.doubles import distinct
from vision.networks.detector import Detector
from vision.photo import Photo
from vision.tiles import Tiles


def _suit(suit: str) -> str:
    return " ".join(f"{rank}{suit}" for rank in range(1, 10))


def _fours(faces: str) -> str:
    return " ".join(" ".join([face] * 4) for face in faces.split())


_TWELVE = [
    *[f"{_suit('p')} 5z 6z 7z"] * 4,
    *[f"{_suit('s')} 1z 2z -"] * 4,
    *[f"{_suit('m')} 3z 4z -"] * 4,
]
_TWELVE_AND_BLANKS = [*_TWELVE[:8], *[f"{row} -" for row in _TWELVE[8:]]]
_THREE = [
    f"{_fours('1m')} 5m {_fours('6m 1z')} 5z {_fours('6z')}",
    f"{_fours('2m')} 5m {_fours('7m 2z')} 5z {_fours('7z')}",
    f"{_fours('3m')} 5m {_fours('8m 3z')} 5z - - - -",
    f"{_fours('4m')} 5m {_fours('9m 4z')} 5z - - - -",
    *[
        f"{_fours(f'{a}s')} 5s {_fours(f'{b}s {a}p')} 5p {_fours(f'{b}p')}"
        for a, b in zip("1234", "6789", strict=True)
    ],
]
_BESIDE = ["4z", "3z", "2z", "1z", "6z", "7z", "5z", "9m"]
_BACKWARDS = [
    f"{_fours(f'{rank}m {honour} {rank}s {rank}p')} {last}"
    for rank, honour, last in zip("87654321", _BESIDE, ["9p"] * 4 + ["9s", "9s", "-", "9s"], strict=True)
]
_HONOURS = ["1z", "2z", "3z", "4z", "5z", "6z", "7z", "-", "-"]

#: The rows of each sheet, by the start of its name.
SHEETS: dict[str, list[str]] = {
    "labelled-3": _THREE,
    "labelled-4": [
        f"{_fours('1s 7z -')}",
        f"{_fours('4z 3s 5s')}",
        f"{_fours('3z 1z 2z')}",
        f"{_fours('- 4s 2s')}",
        f"{_fours('9s 7s 6s')}",
        f"{_fours('- - 8s')}",
        f"{_fours('9p 8p -')}",
        f"{_fours('7p 6p 5p')}",
        f"{_fours('4p 3p 2p')}",
        f"{_fours('1p 5z 6z')}",
        f"{_fours('9m 8m 7m')}",
        f"{_fours('6m 5m 4m')}",
        f"{_fours('3m 2m 1m')}",
    ],
    "labelled-5": [
        *[f"{_suit('p')} 1z 3z 2z 4z"] * 4,
        *[f"{_suit('s')} - - - -"] * 4,
        *[f"{_suit('m')} 5z 6z 7z -"] * 4,
    ],
    "labelled-7": [
        *[f"{_suit('p')} 1z 2z 3z 4z"] * 4,
        *[f"{_suit('s')} - - - -"] * 4,
        *[f"{_suit('m')} 5z 6z 7z -"] * 4,
    ],
    "labelled-8": _TWELVE,
    "labelled-10": _TWELVE,
    "labelled-11": _TWELVE,
    "labelled-12": [
        *_TWELVE[:7],
        "1s 3s 2s 4s 5s 6s 7s 8s 9s 1z 2z -",
        f"{_suit('m')} 4z 3z -",
        *_TWELVE[9:],
    ],
    "unlabelled-Art": [
        "1z 2z 3z 4z 7z - - - - -",
        "1z 2z 3z 7z 4z - - - - -",
        *[f"{_suit('m')} 5z"] * 2,
        *[f"{_suit('s')} 6z"] * 2,
        *[f"{_suit('p')} -"] * 2,
    ],
    "unlabelled-TB268V6BKuSBuNjSsziXXbq8pXa___425369108.": [
        _fours(f"{rank}m {rank}p {rank}s {honour}") for rank, honour in enumerate(_HONOURS, 1)
    ],
    "unlabelled-TB268V6BKuSBuNjSsziXXbq8pXa___4253691089.": [
        _fours(f"{rank}m {honour} {rank}s {rank}p") for rank, honour in enumerate(_HONOURS, 1)
    ],
    "unlabelled-TB2btN": [
        _THREE[0].replace("6z", "7z"),
        f"{_fours('2m')} 5m {_fours('7m 2z')} 5z {_fours('6z')}",
        *_THREE[2:],
    ],
    "unlabelled-TB2g6OMnr5YBuNjSspoXXbeNFXa___413452239.jpg": _BACKWARDS,
    "unlabelled-TB2g6OMnr5YBuNjSspoXXbeNFXa___413452239.png": _BACKWARDS,
    "unlabelled-bams2": [_suit("s")] * 4,
    "unlabelled-craks2": [_suit("m")] * 4,
    "unlabelled-dots2": [_suit("p")] * 4,
    "unlabelled-standard": _TWELVE_AND_BLANKS,
    "unlabelled-winddragflow": ["1z 2z 3z 4z 7z 6z 5z - -"] * 4,
    "unlabelled-ymi": [*_TWELVE[:10], *_TWELVE_AND_BLANKS[10:]],
}


@dataclass(frozen=True, eq=False)
class Sheet:
    """A sheet: its pixels (H×W×3, RGB), the quads of the tiles that count, and their faces."""

    name: str
    pixels: NDArray[np.uint8]
    quads: NDArray[np.float32]
    faces: tuple[str, ...]


def read_sheet(folder: Path, start: str, detector: Detector) -> Sheet:
    """Find the tiles of the sheet whose name starts like this, and name them by their places.

    Raises ValueError if the detector does not find exactly these tiles.
    """
    (path,) = folder.glob(f"{start}*")
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert picture is not None, path
    scale = min(1600 / max(picture.shape[:2]), 3.0)
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    picture = cv2.copyMakeBorder(picture, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(90, 90, 90))
    pixels = np.ascontiguousarray(picture[..., ::-1], np.uint8)
    found = detector.detect(Photo(pixels))
    # `distinct` needs probabilities; here all finds are equal
    tiles = Tiles(found.quads, np.full((len(found), 44), 1 / 44), found.scores)
    quads = tiles.quads[distinct(tiles)]
    rows = _rows(quads)
    faces = [row.split() for row in SHEETS[start]]
    if len(rows) != len(faces) or not all(map(_fits, rows, faces)):
        raise ValueError(f"{path.name}: rows of {[len(r) for r in rows]}, expected {[len(r) for r in faces]}")
    asked = [
        (index, face)
        for row, names in zip(rows, faces, strict=True)
        for index, face in zip(row, names, strict=False)
        if face != "-"
    ]
    return Sheet(path.stem, pixels, quads[[index for index, _ in asked]], tuple(face for _, face in asked))


def _fits(row: list[int], names: list[str]) -> bool:
    """Whether exactly the tiles of a row were found; a last tile that does not count may be missing."""
    return len(row) == len(names) or (names[-1] == "-" and len(row) == len(names) - 1)


def _rows(quads: NDArray[np.float32]) -> list[list[int]]:
    """The rows of tiles from top to bottom; the sheets are straight, so a step down starts a new row."""
    x, y = quads.mean(axis=1).T
    height = float(np.median(np.ptp(quads[..., 1], axis=1)))
    order = np.argsort(y)
    breaks = np.flatnonzero(np.diff(y[order]) > 0.3 * height) + 1
    return [sorted((int(i) for i in row), key=lambda i: float(x[i])) for row in np.split(order, breaks)]
