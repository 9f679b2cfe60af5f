"""The tiles of a photo that a person says are the hand: sorted and decoded again, as if nothing else lay there.

All functions take `photo --json` objects, which is what is kept of a photo until its hand is confirmed.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import numpy as np

from scorer import BACK, FLOWERS
from vision.layout.frames import frames
from vision.layout.rows import find_rows
from vision.recognition import interpret
from vision.tiles import CLASS_INDEX, CLASSES, Tiles

MOST_CHOSEN: Final = 40
"""The most tiles that can be chosen: a hand of four kongs and all flowers has 26; a box takes in a few more."""

Json = dict[str, Any]


def rows_of(tiles: Sequence[Mapping[str, Any]]) -> list[int]:
    """For each tile of a `photo --json` object the number of the row in which it lies."""
    if not tiles:
        return []
    quads = np.array([tile["quad"] for tile in tiles], dtype=np.float32)
    row_of = [0] * len(tiles)
    for number, row in enumerate(find_rows(frames(quads))):
        for tile in row.members:
            row_of[tile] = number
    return row_of


def with_chosen(recognition: Mapping[str, Any], chosen: Collection[int]) -> Json:
    """The recognition in which the tiles with these numbers are the hand and all others are strays."""
    seen, numbers = recognition["tiles"], sorted(chosen)
    size = recognition["width"], recognition["height"]
    found = interpret(_tiles([seen[number] for number in numbers]), size).to_json()
    by_place = {_place(seen[number]): number for number in numbers}
    number_of = [by_place[_place(tile)] for tile in found["tiles"]]
    tiles = [{**tile, "role": "stray", "group": None} for tile in seen]
    for number, tile in zip(number_of, found["tiles"], strict=True):
        tiles[number] = tile
    for number in numbers:
        tiles[number] = _not_left_out(tiles[number])
    problems = [
        problem | ({"tile": number_of[problem["tile"]]} if "tile" in problem else {})
        for problem in found["problems"]
    ]
    return {**recognition, **found, "tiles": tiles, "problems": problems}


def _place(tile: Mapping[str, Any]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(float(value), 1) for value in point) for point in tile["quad"])


def _not_left_out(tile: Json) -> Json:
    """Somebody chose this tile, so it is not left out, wherever it lies."""
    if tile["role"] != "stray" or tile["face"] == BACK:
        return tile
    return tile | {"role": "flower" if tile["face"] in FLOWERS else "concealed"}


def _tiles(seen: Sequence[Mapping[str, Any]]) -> Tiles:
    """The table of these tiles, with the probabilities as far as they were kept; the other faces share the rest."""
    probabilities = np.zeros((len(seen), len(CLASSES)))
    for row, tile in enumerate(seen):
        known = {tile["face"]: tile["confidence"], **dict(map(tuple, tile["alternatives"]))}
        rest = max(0.0, 1.0 - sum(known.values()))
        probabilities[row] = rest / (len(CLASSES) - len(known))
        for face, probability in known.items():
            probabilities[row, CLASS_INDEX[face]] = probability
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    return Tiles([tile["quad"] for tile in seen], probabilities, np.ones(len(seen)))
