"""Thresholds of pure geometry: which finds are one tile, which way a row runs, which tiles are neighbours.

Lengths in "tiles" are measured in the frame of a tile: along its row in its widths, across it in its heights. A "tile
size" is the square root of a tile's area.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.threshold import AGAINST_A_FAULT, BY_HAND, FOR_SPEED, ON_RENDERED_HANDS, threshold


@dataclass(frozen=True)
class Doubles:
    """When two finds are one tile, and when a find is no tile (`vision.layout.doubles`)."""

    not_a_tile: float = threshold(
        0.5, "probability", "A find that is not a tile with at least this probability is dropped.", BY_HAND
    )
    same_spot: float = threshold(
        0.45, "tile sizes", "Two finds whose centres are closer than this show one tile.", BY_HAND
    )
    covered: float = threshold(
        0.55, "share of the smaller", "Two finds that overlap by more than this show one tile.", BY_HAND
    )
    compared: float = threshold(
        1.5, "tile sizes", "Finds whose centres are farther apart than this are not compared.", FOR_SPEED
    )
    blank: float = threshold(
        0.5,
        "probability",
        "A find that is a white dragon or face down with more than this probability is blank.",
        AGAINST_A_FAULT,
    )
    faint: float = threshold(
        0.5, "detector's score", "A blank find below this score may be the side of a tile.", AGAINST_A_FAULT
    )
    overlaps: float = threshold(
        0.01,
        "share of the smaller",
        "A faint blank find that overlaps a tile by more than this is that tile's side.",
        AGAINST_A_FAULT,
    )


@dataclass(frozen=True)
class RowGeometry:
    """Which way rows run (`vision.layout.frames`), and which tiles form runs and rows (`vision.layout.rows`)."""

    size_ratio: float = threshold(
        1.8, "ratio of sizes", "Tiles that differ more than this in size are not neighbours.", BY_HAND
    )
    neighbourhood: float = threshold(4.0, "tile sizes", "Tiles closer than this vote.", BY_HAND)
    vote_falloff: int = threshold(2, "power of the distance", "Votes fall off like this.", BY_HAND)
    long_chain: int = threshold(6, "tiles", "Tiles in chains of at least this length count most.", BY_HAND)
    read_vote: float = threshold(
        0.15, "share of the vote of the longer chain", "Weight of the way a face was read.", BY_HAND
    )
    shape_vote: float = threshold(
        0.15, "log of height over width", "The most that the shape of a tile may weigh.", BY_HAND
    )
    kin: int = threshold(
        3, "tiles", "A chain of this many near tiles is enough to take the row's measures from.", BY_HAND
    )
    pull_cone: float = threshold(
        30.0, "degrees", "Neighbours within this angle of the row straighten its direction.", BY_HAND
    )
    pull_reach: float = threshold(2.2, "tile sizes", "Neighbours up to here straighten it.", BY_HAND)
    pull_nearest: float = threshold(0.5, "tile sizes", "Nearer neighbours count as if at this.", BY_HAND)
    pull_falloff: int = threshold(4, "power of the distance", "Their strength falls off like this.", BY_HAND)
    sideways_read: float = threshold(
        1.3,
        "ratio of proportions",
        "A tile read from its side lies sideways if it is this much longer along the row than those around.",
        BY_HAND,
    )
    sideways_unread: float = threshold(
        1.45, "ratio of proportions", "The same for a tile that was read upright.", BY_HAND
    )
    beside_along: tuple[float, float] = threshold(
        (0.5, 1.9), "tiles", "The centre of a neighbour lies this far along the row.", BY_HAND
    )
    beside_across: float = threshold(
        0.45, "tiles", "The centre of a neighbour lies at most this far across the row.", BY_HAND
    )
    lying: float = threshold(
        0.16, "tile widths", "Half of what a tile is longer than wide.", "measured on common tiles"
    )
    usual_step: float = threshold(
        1.2, "tiles", "The step from tile to tile where a row is too short to tell.", BY_HAND
    )
    gap: float = threshold(
        0.45, "tiles beyond the usual step", "A longer step separates two runs.", ON_RENDERED_HANDS
    )
    clear_vote: float = threshold(
        0.4,
        "net share of the tiles",
        "More must be read one way to set the reading direction; else a row runs from left to right.",
        BY_HAND,
    )
    end_tiles: int = threshold(4, "tiles", "This many at the end of a run tell which way it points.", BY_HAND)
    in_line_ratio: float = threshold(
        1.4,
        "ratio of sizes",
        "Runs in one line differ at most this much where they face each other.",
        BY_HAND,
    )
    in_line_across: float = threshold(
        0.35, "tiles", "One of two runs in line sees the other at most this far out of line.", BY_HAND
    )
    in_line_across_other: float = threshold(
        0.7, "tiles", "The other one, which may be a lone tile, sees it at most this far out.", BY_HAND
    )
    in_line_along: tuple[float, float] = threshold(
        (0.5, 5.0), "tiles", "The gap between two runs of one row.", BY_HAND
    )
    surely_out_of_line: float = threshold(
        1.35, "tiles", "Runs seen this far out of line need no closer look.", FOR_SPEED
    )
    surely_too_far: float = threshold(10.0, "tiles", "Runs this far apart need no closer look.", FOR_SPEED)


DOUBLES = Doubles()
GEOMETRY = RowGeometry()
"""The thresholds that Fanlens uses."""
