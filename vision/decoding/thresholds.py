"""Thresholds of decoding: what is taken for likely before the tiles are seen, and when a person is asked."""

from __future__ import annotations

from dataclasses import dataclass

from vision.threshold import (
    BY_HAND,
    BY_HAND_IN_0_2,
    BY_HAND_IN_0_3,
    FOR_SPEED,
    ON_SIMULATED_TABLES,
    threshold,
)

_HELD_OUT = (
    "chosen in version 0.4.0 on 36 scenes of each tile set held out of training "
    "(python -m models.figures held-out)"
)


@dataclass(frozen=True)
class DecodingPriors:
    """What is likely about a hand besides what its tiles show, and how far the search goes (`vision.decoding`)."""

    win_prior: float = threshold(
        3.5, "log-odds", "That a hand of fourteen tiles laid out for a photo is a winning one.", BY_HAND
    )
    most_of_a_hand: int = threshold(
        18,
        "tiles, a kong counted as three",
        "More tiles, such as a tray of them, are not read as a hand.",
        BY_HAND_IN_0_2,
    )
    options: int = threshold(
        6, "faces or melds", "At most this many are tried for each tile or meld.", FOR_SPEED
    )
    least: float = threshold(
        1e-4, "probability", "No reader is surer than this that a face is not there.", BY_HAND
    )
    reach: float = threshold(
        7.0, "log-odds", "Faces this much less likely than the likeliest one are not tried.", BY_HAND
    )
    hopeless: float = threshold(
        1000.0, "odds", "The search ends at readings this much less likely than the best one.", FOR_SPEED
    )
    most_looked_at: int = threshold(600, "readings", "The search ends after this many.", FOR_SPEED)
    most_hands: int = threshold(16, "readings", "The likeliest ones that are made into hands.", FOR_SPEED)
    most_readings: int = threshold(8, "hands", "The likeliest ones that are given.", BY_HAND)
    laid_open: float = threshold(
        0.25,
        "odds",
        "That a kong face up without a tile sideways is concealed.",
        BY_HAND_IN_0_3,
    )
    turns_claimed: float = threshold(
        2.5,
        "times per other meld with a tile sideways",
        "How much such melds raise these odds if no meld is without.",
        BY_HAND_IN_0_3,
    )
    last_tile: float = threshold(
        0.5, "probability", "That the last tile of the row won if none lies apart.", BY_HAND
    )


@dataclass(frozen=True)
class DoubtThresholds:
    """When a person is asked to look at a tile (`vision.decoding.doubts`)."""

    sure: float = threshold(0.97, "probability", "A face less likely than this is in doubt.", _HELD_OUT)
    supported: float = threshold(
        0.7,
        "probability",
        "This is enough if the hand wins as read and no likely reading differs; but not for the winning tile, as "
        "several may win.",
        _HELD_OUT,
    )
    which_flower: float = threshold(
        0.95,
        "probability",
        "This is enough for which flower a flower is, as each is worth the same.",
        _HELD_OUT,
    )
    strong_rival: float = threshold(
        0.05,
        "probability",
        "A rival reading this likely puts the tiles it reads differently in doubt.",
        BY_HAND,
    )
    other_way: float = threshold(
        0.15,
        "probability",
        "If other ways of taking the tiles that change the total are together this likely, they are asked about.",
        ON_SIMULATED_TABLES,
    )


PRIORS = DecodingPriors()
DOUBTS = DoubtThresholds()
"""The thresholds that Fanlens uses."""
