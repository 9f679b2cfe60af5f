"""Thresholds of tile sets: what may be learned, when tiles count as confirmed, how much references weigh.

Probabilities and shares run from 0 to 1. Similarities are cosines between features of the reader, at most 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.threshold import threshold

SINCE_TILE_SETS: Final = "set by hand in version 0.2.0; never fitted"
ON_SEVEN_SHEETS: Final = (
    "chosen in version 0.2.0 on seven sheets of sets that the reader had not seen; "
    "`python -m tests.bench.bench_tileset` measures them on the other sheets"
)


@dataclass(frozen=True)
class LessonLimits:
    """What one photo may teach (`vision.tilesets.references`)."""

    most_tiles: int = threshold(
        400, "tiles per photo", "Two whole sets and more; a longer list is a mistake.", SINCE_TILE_SETS
    )
    most_of_a_face: int = threshold(
        4, "tiles per photo", "A set has no more tiles of one face.", "rules of the game"
    )
    farthest_px: float = threshold(
        1_000_000.0, "pixels", "No coordinate in a photo is larger.", SINCE_TILE_SETS
    )
    smallest_px: float = threshold(
        10.0,
        "pixels, square root of the area",
        "In a smaller tile the reader cannot see a face.",
        SINCE_TILE_SETS,
    )
    same_place: float = threshold(
        0.4,
        "share of the smaller tile's size",
        "Tiles with centres closer than this are one tile named twice.",
        SINCE_TILE_SETS,
    )
    outside: float = threshold(
        0.5, "share of a tile's size", "A corner may lie this far outside the photo.", SINCE_TILE_SETS
    )


@dataclass(frozen=True)
class ConfirmThresholds:
    """When tiles count as the ones that a person named (`vision.tilesets.confirm`)."""

    least_alike: float = threshold(
        0.4,
        "share of the tiles",
        "This many must read as they were named; chance gives one in forty.",
        SINCE_TILE_SETS,
    )
    exchanged: float = threshold(
        0.8,
        "probability",
        "Two neighbours that read as each other with more than this are probably exchanged.",
        SINCE_TILE_SETS,
    )
    clear: float = threshold(
        float(np.log(20)),
        "natural log-odds",
        "The best assignment must be 20 times as likely as the best one that gives a tile another face.",
        SINCE_TILE_SETS,
    )
    least_probability: float = threshold(
        1e-5, "probability", "No reading counts more strongly than this against a face.", SINCE_TILE_SETS
    )
    read_so: float = threshold(
        0.5,
        "probability",
        "From here on a tile counts as face down, or as no tile.",
        SINCE_TILE_SETS,
    )


@dataclass(frozen=True)
class SimilarityWeights:
    """How the references of a set change what the reader says (`vision.tilesets.similarity`)."""

    most_of_a_face: int = threshold(
        8,
        "references",
        "The latest ones of each face are compared; each costs four looks of the reader once per process.",
        "set by hand in version 0.2.0 to bound time",
    )
    least_probability: float = threshold(
        1e-6, "probability", "No reading is so sure that references could not outweigh it.", ON_SEVEN_SHEETS
    )
    likeness: float = threshold(
        23.5,
        "log-odds per unit of similarity",
        "Weight of the similarity in choosing among faces with references.",
        ON_SEVEN_SHEETS,
    )
    read_beside: float = threshold(
        0.1,
        "share of the reader's log-odds",
        "What the reader still counts in that choice beside a perfect likeness.",
        ON_SEVEN_SHEETS,
    )
    comparable: float = threshold(
        0.65, "similarity", "Around this best similarity, references start to count.", ON_SEVEN_SHEETS
    )
    comparable_sharpness: float = threshold(
        12.0, "per unit of similarity", "How abruptly they start to count.", ON_SEVEN_SHEETS
    )
    evidence: float = threshold(
        8.0,
        "log-odds",
        "What a perfect likeness adds to the claim that the face is one with references.",
        ON_SEVEN_SHEETS,
    )
    alike: float = threshold(
        0.81,
        "similarity",
        "Around this similarity that evidence starts; a different face seldom reaches it.",
        ON_SEVEN_SHEETS,
    )
    alike_sharpness: float = threshold(
        30.0, "per unit of similarity", "How abruptly that evidence starts.", ON_SEVEN_SHEETS
    )
    other_set: float = threshold(
        0.83,
        "similarity",
        "Surely read tiles this alike to their references belong to another set: references are ignored.",
        ON_SEVEN_SHEETS,
    )
    this_set: float = threshold(
        0.91, "similarity", "And this alike to this set: references count in full.", ON_SEVEN_SHEETS
    )
    assumed: float = threshold(
        0.9, "similarity", "What is assumed of a photo before any of its tiles is seen.", ON_SEVEN_SHEETS
    )
    assumed_tiles: int = threshold(2, "tiles", "How many tiles that assumption is worth.", ON_SEVEN_SHEETS)
    surely_read: float = threshold(
        0.95,
        "probability",
        "Tiles read with more than this show which set lies on the table.",
        ON_SEVEN_SHEETS,
    )
