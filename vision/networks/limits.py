"""Thresholds of finding and reading tiles.

The size of a tile is the square root of its area, in pixels of the look at it.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.threshold import (
    AGAINST_A_FAULT,
    BY_HAND,
    BY_HAND_IN_0_2,
    BY_HAND_IN_0_3,
    BY_HAND_IN_0_4,
    BY_HAND_IN_0_5,
    FOR_SPEED,
    ON_TRAINING_PHOTOS,
    threshold,
)


@dataclass(frozen=True)
class DetectionLimits:
    """Where and at what scale the detector looks, and which of its finds count (`vision.networks.detector`).

    `whole_looks` are taken in their order: reordering them makes the detector settle for the wrong size of tiles.
    """

    first_look_px: int = threshold(
        448, "pixels", "Longer side of the whole photo in the first look.", ON_TRAINING_PHOTOS
    )
    whole_looks: tuple[float, ...] = threshold(
        (1.0, 2.0, 4.0, 1 / 3),
        "times the first look's scale",
        "Looks at the whole photo: while few tiles are found, from nearer, and at last from afar.",
        AGAINST_A_FAULT,
    )
    whole_look_scale: float = threshold(
        2.0, "times the photo's size", "No look at the whole photo enlarges it more.", BY_HAND_IN_0_4
    )
    handful: int = threshold(
        4,
        "tiles",
        "A look that finds fewer may have been misled: a row far away looks like one tile.",
        AGAINST_A_FAULT,
    )
    tile_px: float = threshold(
        40.0, "pixels", "Size at which a closer look shows the tiles.", ON_TRAINING_PHOTOS
    )
    closer_scale: float = threshold(
        2.5, "times the photo's size", "No closer look enlarges the photo more.", BY_HAND
    )
    near_enough: tuple[float, float] = threshold(
        (0.9, 1.6),
        "times tile_px",
        "If the first look shows the tiles at this size, a closer one would show no more.",
        ON_TRAINING_PHOTOS,
    )
    large_enough: float = threshold(
        0.75,
        "times tile_px",
        "A closer look that shows the tiles at least this large is enough.",
        AGAINST_A_FAULT,
    )
    full_detail: float = threshold(
        0.8,
        "times the photo's size",
        "A look at a larger scale shows all that is in the photo.",
        AGAINST_A_FAULT,
    )
    closer_looks: int = threshold(
        3,
        "looks",
        "At most this many; each tells better than the one before how large tiny tiles are.",
        AGAINST_A_FAULT,
    )
    small_px: float = threshold(
        16.0, "pixels", "Smaller tiles may be missed in a look, and the rest of their row with them.", BY_HAND
    )
    margin: float = threshold(1.3, "tile sizes", "A closer look reaches this far beyond the finds.", BY_HAND)
    wide_margin: float = threshold(5.0, "tile sizes", "And this far beyond small ones.", BY_HAND)
    likely_sizes: tuple[float, float] = threshold(
        (0.4, 2.5),
        "times the median size",
        "Faint finds of this size widen the region of a closer look.",
        BY_HAND,
    )
    most_pixels: int = threshold(1_600_000, "pixels", "No look shows more.", FOR_SPEED)
    sure: float = threshold(0.35, "score", "A find with at least this score is reported.", BY_HAND)
    faint: float = threshold(
        0.12, "score", "A find with at least this score may widen a closer look.", BY_HAND
    )
    most_finds: int = threshold(
        1000, "finds", "At most this many of one look are kept, the surest.", FOR_SPEED
    )
    smallest_px: float = threshold(8.0, "pixels", "No tile is smaller in a look.", BY_HAND)
    largest: float = threshold(1.5, "times the size of the look", "No tile is larger.", BY_HAND_IN_0_3)
    well_inside: float = threshold(
        0.55,
        "share of the way to the edge",
        "A centre this near to the centre of another find is the same tile, found twice.",
        BY_HAND_IN_0_2,
    )
    neighbour: float = threshold(
        2.5, "times the larger one's size", "Tiles closer than this are neighbours.", ON_TRAINING_PHOTOS
    )
    neighbours: int = threshold(
        2, "tiles", "Only a tile with this many neighbours is compared with them.", ON_TRAINING_PHOTOS
    )
    much_smaller: float = threshold(
        0.85,
        "share of its neighbours' size",
        "A smaller find is a tile outlined too tightly.",
        "chosen in version 0.3.0 after six validation photos had prompted the rule (models/MODEL_CARD.md)",
    )


@dataclass(frozen=True)
class SizeLimits:
    """From which looks the size of tiles is decided, and what proves that there are any (`vision.networks.finder`)."""

    far_look: float = threshold(
        2 / 7, "share of the first look's scale", "A look that shows tiles near the camera.", BY_HAND_IN_0_5
    )
    near_looks: tuple[float, ...] = threshold(
        (2.0, 4.0),
        "times the first look's scale",
        "Further looks at the whole photo while too little is surely read.",
        BY_HAND_IN_0_5,
    )
    surely: float = threshold(
        0.9, "probability", "A face, not a blank one, read with at least this is evidence.", BY_HAND_IN_0_5
    )
    handful: int = threshold(4, "tiles", "So many surely read tiles are enough.", BY_HAND_IN_0_5)
    mostly: float = threshold(
        0.4, "share of the finds", "If fewer are surely read, other looks are tried.", BY_HAND_IN_0_5
    )
    part: float = threshold(
        0.6, "share of the larger's size", "A find this small inside another is a part of it.", BY_HAND_IN_0_5
    )
    alike: float = threshold(
        0.6,
        "share of the larger's size",
        "Two surely read tiles of about one size show that there are tiles.",
        BY_HAND_IN_0_5,
    )
    beside: float = threshold(4.0, "times the larger's size", "They lie nearer than this.", BY_HAND_IN_0_5)


@dataclass(frozen=True)
class ReadingLimits:
    """How crops are cut and which tiles are read again (`vision.networks.reader`)."""

    at_once: int = threshold(64, "crops", "At most this many go through the network together.", FOR_SPEED)
    certain: float = threshold(
        0.99, "probability", "Tiles read with less are read again from shifted crops.", BY_HAND_IN_0_4
    )
    aside: tuple[tuple[float, float], ...] = threshold(
        ((0.04, 0.03), (-0.04, -0.03), (-0.03, 0.04), (0.03, -0.04)),
        "sides of the tile",
        "How far the crops are shifted, along its first side and its second.",
        BY_HAND_IN_0_4,
    )
    least: float = threshold(1e-6, "probability", "No crop makes a face less likely.", BY_HAND_IN_0_4)
    most_again: int = threshold(16, "tiles", "At most this many are read again, the likeliest.", FOR_SPEED)
    enough_detail: float = threshold(
        1.2,
        "times the side of the face in a crop",
        "Tiles this large in the photo's glance gain nothing from the whole photo.",
        FOR_SPEED,
    )
    shrunk_to: float = threshold(
        1.5,
        "times the side of the face in a crop",
        "Larger tiles are shrunk to this before crops are warped, which would skip pixels and show moiré.",
        BY_HAND,
    )
    worth_shrinking: float = threshold(
        0.8, "scale", "Above it shrinking would change next to nothing.", BY_HAND_IN_0_2
    )
    surroundings: float = threshold(
        0.5, "sizes of the largest tile", "What is shrunk reaches this far beyond the tiles.", BY_HAND_IN_0_3
    )


DETECTION = DetectionLimits()
SIZES = SizeLimits()
READING = ReadingLimits()
"""The thresholds that Fanlens uses."""
