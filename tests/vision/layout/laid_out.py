"""Photos of tiles laid in rows: the drawn set of the samples, or a stranger's, whose dragons are its own."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from models.rendering.sets import classic_set
from scorer import FACES
from vision.photo import Photo
from vision.tiles import Pixels

WIDTH, HEIGHT, GAP, ROW_GAP, MARGIN = 66, 88, 4, 22, 70
ROWS = (FACES[:9], FACES[9:18], FACES[18:27], FACES[27:34], FACES[34:])
#: What a stranger's dragons look like: nothing that the reader was ever taught.
SIGNS = {"5z": ("A", (30, 60, 190)), "6z": ("K", (190, 40, 30)), "7z": ("W", (20, 120, 40))}


@cache
def picture(face: str, *, stranger: bool) -> Pixels:
    """The face of one tile, RGB, upright."""
    if stranger and face in SIGNS:
        letter, colour = SIGNS[face]
        tile = np.full((256, 192, 3), (244, 240, 226), np.uint8)
        cv2.putText(tile, letter, (28, 196), cv2.FONT_HERSHEY_TRIPLEX, 6.2, colour, 14, cv2.LINE_AA)
        cv2.circle(tile, (96, 40), 18, colour, -1, cv2.LINE_AA)
        return tile
    return classic_set().texture(face, np.random.default_rng(5), (0.4, 0.6))


def lay_out(
    rows: Sequence[Sequence[str]] = ROWS,
    *,
    stranger: bool = False,
    tilt: float = 0.0,
    across: bool = False,
    dim: float = 1.0,
    seed: int = 0,
) -> Photo:
    """A photo of these rows on green felt; tilted back, from across the table, or by a dim lamp."""
    rng = np.random.default_rng(seed)
    width = max(len(row) for row in rows) * (WIDTH + GAP) + 2 * MARGIN
    height = len(rows) * (HEIGHT + ROW_GAP) + 2 * MARGIN
    table = np.clip(rng.normal((34, 104, 66), 5, (height, width, 3)), 0, 255).astype(np.uint8)
    for number, row in enumerate(rows):
        for place, face in enumerate(row):
            x = MARGIN + place * (WIDTH + GAP) + int(rng.integers(-1, 2))
            y = MARGIN + number * (HEIGHT + ROW_GAP) + int(rng.integers(-2, 3))
            _put(table, picture(face, stranger=stranger), x, y)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = corners + np.array([[tilt, tilt], [-tilt, tilt], [0, 0], [0, 0]], np.float32) * width
    table = cv2.warpPerspective(
        table, cv2.getPerspectiveTransform(corners, seen), (width, height), borderMode=cv2.BORDER_REPLICATE
    )
    if across:
        table = np.rot90(table, 2)
    noisy = cv2.GaussianBlur(table, (0, 0), 0.7) * dim + rng.normal(0, 3, table.shape)
    return Photo(np.ascontiguousarray(np.clip(noisy, 0, 255).astype(np.uint8)), f"laid-out-{seed}.jpg")


def _put(table: Pixels, face: Pixels, x: int, y: int) -> None:
    """One tile with its shadow, its corners round."""
    shape = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.rectangle(shape, (8, 0), (WIDTH - 9, HEIGHT - 1), 255, -1)
    cv2.rectangle(shape, (0, 8), (WIDTH - 1, HEIGHT - 9), 255, -1)
    for corner in ((8, 8), (WIDTH - 9, 8), (8, HEIGHT - 9), (WIDTH - 9, HEIGHT - 9)):
        cv2.circle(shape, corner, 8, 255, -1)
    shadow = table[y + 4 : y + 4 + HEIGHT, x + 3 : x + 3 + WIDTH]
    shadow[shape > 0] = shadow[shape > 0] // 2
    small = cv2.resize(face, (WIDTH - 8, HEIGHT - 8), interpolation=cv2.INTER_AREA)
    body = np.full((HEIGHT, WIDTH, 3), (240, 236, 222), np.uint8)
    body[4:-4, 4:-4] = small
    place = table[y : y + HEIGHT, x : x + WIDTH]
    place[shape > 0] = body[shape > 0]
