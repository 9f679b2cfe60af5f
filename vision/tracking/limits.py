"""Thresholds of following tiles through the frames of a camera."""

from __future__ import annotations

from dataclasses import dataclass

from vision.threshold import FOR_SPEED, threshold

BY_HAND_IN_0_5 = "set by hand in version 0.5.0; never fitted"
ON_CLIPS = (
    "chosen in version 0.5.0 on 24 clips of training photos and rendered tables (models.figures.clips, seeds from "
    "1850000)"
)


@dataclass(frozen=True)
class MotionLimits:
    """How the camera's motion between two frames is found (`vision.tracking.motion`)."""

    surest_pairs: int = threshold(
        28, "pairs", "At most this many pairs of tiles of one face propose a motion.", FOR_SPEED
    )
    zoom: tuple[float, float] = threshold(
        (0.25, 6.0), "times", "No camera comes nearer or goes farther between two pictures.", BY_HAND_IN_0_5
    )
    turn: float = threshold(60.0, "degrees", "No camera turns more between two pictures.", BY_HAND_IN_0_5)
    same_place: float = threshold(
        0.45, "tile sizes", "A tile this near to where it was expected is the same tile.", BY_HAND_IN_0_5
    )
    by_place: float = threshold(
        0.2,
        "share of a tile of the same face",
        "How much a tile counts that lies where one was expected, but shows another face.",
        BY_HAND_IN_0_5,
    )
    least_share: float = threshold(
        0.5,
        "share of the tiles",
        "If fewer tiles are found again, the picture shows something else.",
        BY_HAND_IN_0_5,
    )


@dataclass(frozen=True)
class EvidenceLimits:
    """How much each frame counts (`vision.tracking.evidence`)."""

    worthless: float = threshold(
        0.02,
        "probability",
        "That what a frame shows of a tile says nothing about its face, as in glare.",
        ON_CLIPS,
    )
    kept: float = threshold(
        0.9, "share", "How much of the evidence is left after one more frame.", BY_HAND_IN_0_5
    )
    most_frames: float = threshold(
        3.0,
        "frames",
        "However many frames agree, they count as this many: they share their faults.",
        ON_CLIPS,
    )
    present: float = threshold(
        0.4, "share of the frames", "A tile found in fewer of them is not counted.", BY_HAND_IN_0_5
    )
    forgotten: float = threshold(
        0.1, "share of the frames", "A tile found in fewer of them is dropped.", BY_HAND_IN_0_5
    )
    most_tiles: int = threshold(120, "tiles", "At most this many are followed, the surest.", FOR_SPEED)


@dataclass(frozen=True)
class HintLimits:
    """When which hint is given (`vision.tracking.hints`), and when a hand is settled (`vision.tracking.look`)."""

    dark: float = threshold(
        45.0, "of 255", "Mean brightness of a frame in which noise hides the faces.", BY_HAND_IN_0_5
    )
    white: int = threshold(
        240, "of 255", "What is this bright in red, green and blue is white.", BY_HAND_IN_0_5
    )
    glare: float = threshold(
        0.2,
        "share of the face",
        "A doubtful tile with so much more white than the other tiles lies in glare.",
        BY_HAND_IN_0_5,
    )
    beside: float = threshold(
        1.5, "tile sizes", "Glare so near to the tiles may hide others.", BY_HAND_IN_0_5
    )
    hides: float = threshold(0.6, "tile areas", "So much glare may hide a tile.", BY_HAND_IN_0_5)
    white_table: float = threshold(
        0.5, "share of what lies around the tiles", "If more is white, the table is.", BY_HAND_IN_0_5
    )
    small_px: float = threshold(
        24.0, "pixels", "Doubtful tiles smaller than this would be read better from nearer.", BY_HAND_IN_0_5
    )
    edge: float = threshold(
        0.15, "tile sizes", "A hand this near to the edge of the picture goes on beyond it.", BY_HAND_IN_0_5
    )
    moving: float = threshold(
        0.5, "tile sizes", "A camera that moves farther from frame to frame blurs them.", BY_HAND_IN_0_5
    )
    settled: float = threshold(
        2.5, "frames", "A hand is settled if each of its tiles was found in so many.", ON_CLIPS
    )


MOTION = MotionLimits()
EVIDENCE = EvidenceLimits()
HINTS = HintLimits()
"""The thresholds that Fanlens uses."""
