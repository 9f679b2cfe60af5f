"""Thresholds that decide what a tile is for. Those of pure geometry are in `vision.layout.geometry`.

Scores are natural log-odds: +1 makes a way of sorting the tiles 2.7 times as likely.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.layout.geometry import Doubles, RowGeometry
from vision.threshold import (
    BY_HAND,
    BY_HAND_IN_0_3,
    FOR_SPEED,
    ON_RENDERED_HANDS,
    ON_SIMULATED_TABLES,
    UNFITTED_IN_0_5,
    threshold,
)


@dataclass(frozen=True)
class HandPlaces:
    """Which rows may be the hand's, and where they are cut (`vision.layout.pieces`, `vision.layout.tidying`)."""

    fewest_tiles: int = threshold(
        5, "tiles", "Fewer than these, the winning tile included, are no declared hand.", BY_HAND
    )
    most_tiles: int = threshold(
        18,
        "tiles, a kong counted as three",
        "More than these are no hand but a tray of tiles, and if no more lie there at all, none of them is litter.",
        ON_SIMULATED_TABLES,
    )
    touching: float = threshold(
        1.3,
        "tiles",
        "If tiles this close to what was found are left over, as many as fewest_tiles, and it is no won hand, then "
        "it is part of a tray.",
        ON_SIMULATED_TABLES,
    )
    loose: float = threshold(
        2.3,
        "tiles",
        "Tiles laid loosely for the photo lie this close to one another.",
        ON_SIMULATED_TABLES,
    )
    blank: float = threshold(
        0.5,
        "probability",
        "A tile that is blank with more than this probability may be the side of a wall.",
        BY_HAND,
    )
    main_rows: int = threshold(
        3, "rows", "This many are tried as the main row of the hand.", ON_RENDERED_HANDS
    )
    main_row_least: float = threshold(
        0.3, "share of the weight of the likeliest one", "Rows below it are not tried.", FOR_SPEED
    )
    off_centre: float = threshold(
        0.3, "share of the weight", "About what a row loses at the edge of the photo.", BY_HAND
    )
    space: float = threshold(
        0.15,
        "tiles beyond the usual step",
        "Tiles farther apart have a visible space between them.",
        ON_RENDERED_HANDS,
    )
    most_pieces: int = threshold(
        12,
        "pieces",
        "The nearest ones may be the hand's: four melds, parts of a row, a tile apart.",
        FOR_SPEED,
    )
    across: float = threshold(
        3.4, "tile heights", "Rows this far from the main row may belong to the hand.", BY_HAND
    )
    beside: float = threshold(6.0, "tile widths", "And this far beyond its ends.", BY_HAND)
    size: tuple[float, float] = threshold(
        (0.55, 1.7), "ratio of tile sizes", "And with tiles of this size relative to the main row's.", BY_HAND
    )
    turn: float = threshold(25.0, "degrees", "And parallel to the main row within this angle.", BY_HAND)
    lone_turn: float = threshold(
        14.0, "degrees", "A lone tile lies this straight, along the main row or across it.", BY_HAND
    )
    added_along: float = threshold(
        0.5, "tiles", "A tile added to a claimed pung lies at most this far along it.", BY_HAND
    )
    added_across: tuple[float, float] = threshold(
        (0.3, 1.4), "tiles", "And this far across it.", BY_HAND_IN_0_3
    )
    added_close: tuple[float, float] = threshold(
        (0.6, 1.1),
        "tiles",
        "This far across it, it need not be seen that a tile of the kong lies sideways.",
        ON_SIMULATED_TABLES,
    )
    added_alike: float = threshold(
        0.5, "probability", "And shows the face of the pung with at least this probability.", BY_HAND
    )


@dataclass(frozen=True)
class LayoutWeights:
    """How likely one way of sorting the pieces is (`vision.layout.partition`), in natural log-odds unless stated."""

    complete: float = threshold(5.0, "log-odds", "For a hand of fourteen tiles.", BY_HAND)
    one_short: float = threshold(
        4.0, "log-odds", "For a hand of thirteen without a winning tile apart.", BY_HAND
    )
    per_tile_off: float = threshold(
        -1.5, "log-odds per tile", "For each tile more or less than fourteen.", BY_HAND
    )
    most_off: float = threshold(-7.0, "log-odds", "The most that a wrong count costs.", BY_HAND)
    nearest_row: float = threshold(
        1.5, "log-odds", "For concealed tiles in the row nearest to their owner.", BY_HAND
    )
    space_between: float = threshold(
        -0.5, "log-odds per space", "For a clear space between concealed tiles.", ON_RENDERED_HANDS
    )
    one_set_apart: float = threshold(
        -1.5,
        "log-odds",
        "For concealed tiles of which a set lies a clear space away from a longer stretch.",
        ON_SIMULATED_TABLES,
    )
    clear_space: float = threshold(
        0.45, "tiles", "A space is clear from here on; a smaller one counts in proportion.", ON_RENDERED_HANDS
    )
    torn: float = threshold(-4.0, "log-odds per tile of space", "For space inside a meld.", ON_RENDERED_HANDS)
    two_rows: float = threshold(-1.5, "log-odds per further row", "For concealed tiles in two rows.", BY_HAND)
    several_rows_lose: float = threshold(
        -4.0,
        "log-odds",
        "For concealed tiles in some of the rows, but not in all, with which they do not win.",
        ON_SIMULATED_TABLES,
    )
    lone_concealed: float = threshold(-3.0, "log-odds", "For each such row that is a single tile.", BY_HAND)
    lying_concealed: float = threshold(
        -1.0, "log-odds per tile", "For concealed tiles that lie sideways.", ON_RENDERED_HANDS
    )
    down_concealed: float = threshold(
        -2.0,
        "log-odds per tile",
        "For a concealed tile that lies face down; four may be a kong.",
        ON_SIMULATED_TABLES,
    )
    apart: float = threshold(1.5, "log-odds", "For a winning tile that is set apart.", BY_HAND)
    apart_near: float = threshold(1.7, "tiles", "A winning tile outside the row lies this near.", BY_HAND)
    loosely: float = threshold(
        1.25,
        "tiles",
        "If most concealed tiles lie farther than this from the next one, they lie loosely.",
        ON_SIMULATED_TABLES,
    )
    apart_spread: float = threshold(
        0.2,
        "tiles",
        "Beside a row with several spaces a tile is set apart if its own space is wider by this.",
        ON_SIMULATED_TABLES,
    )
    apart_far: float = threshold(
        -3.0, "log-odds per tile", "For each tile that it lies farther away.", BY_HAND
    )
    apart_face_down: float = threshold(
        -5.0, "log-odds", "For a winning tile outside the row that lies face down.", BY_HAND
    )
    wins: float = threshold(2.5, "log-odds", "For tiles whose likeliest faces win.", BY_HAND)
    lone_tile_loses: float = threshold(
        -2.0, "log-odds", "For a winning tile outside the row with which they do not win.", BY_HAND
    )
    looked_at: int = threshold(40, "ways", "The best ones are checked for a winning hand.", FOR_SPEED)
    meld_read: float = threshold(
        -0.2, "log-odds", "For each meld, beyond the evidence of its faces.", BY_HAND
    )
    least_evidence: float = threshold(
        1e-5,
        "probability",
        "Added to the evidence of a meld, so that one misread tile cannot veto it.",
        BY_HAND,
    )
    claimed: float = threshold(1.0, "log-odds", "For a meld with a tile that lies sideways.", BY_HAND)
    stray_touching: float = threshold(
        -1.6, "log-odds per tile", "For a stray that touches the main row.", BY_HAND
    )
    stray_far: float = threshold(-0.15, "log-odds per tile", "For a stray far from the main row.", BY_HAND)
    stray_beside_meld: float = threshold(
        -2.0,
        "log-odds",
        "For a stray that touches the end of a meld, beside what any stray costs.",
        ON_SIMULATED_TABLES,
    )
    stray_between: tuple[float, float] = threshold(
        (1.0, 4.0), "tiles", "From touching to far; in between in proportion.", BY_HAND
    )
    kong_in_row: float = threshold(
        -0.5, "log-odds", "For a kong face up in the row, which may as well be a pung and a chow.", BY_HAND
    )
    maybe_a_kong: float = threshold(
        0.25,
        "probability",
        "Four neighbours that are equal with at least this probability may be a kong.",
        BY_HAND,
    )
    run_together: float = threshold(
        -0.7,
        "log-odds",
        "For a meld without a tile sideways that no space parts from the tiles before it.",
        ON_SIMULATED_TABLES,
    )
    maybe_a_meld: float = threshold(
        0.5,
        "probability",
        "Tiles at the end of a row, one of them sideways, that are a meld with at least this probability are "
        "weighed as one though no space parts them from the row.",
        ON_SIMULATED_TABLES,
    )
    temperature: float = threshold(
        1.0,
        "times",
        "By how much the scores of ways are divided before their chances are compared.",
        ON_SIMULATED_TABLES,
    )
    real_chance: float = threshold(
        0.02, "probability", "Other ways of taking the tiles this likely are scored too.", ON_SIMULATED_TABLES
    )
    second_hand: float = threshold(
        0.2,
        "probability",
        "That of two whole hands on the table not the larger one is meant.",
        UNFITTED_IN_0_5,
    )
    most_rivals: int = threshold(6, "ways", "At most this many of them.", FOR_SPEED)
    disputed: float = threshold(
        0.3,
        "share of the ways",
        "If a larger share gives a tile another role, its role is in doubt.",
        ON_RENDERED_HANDS,
    )


@dataclass(frozen=True)
class WinningTilePlaces:
    """When a tile stands out of its row, as a winning tile does (`vision.layout.winning_tile`)."""

    raised: float = threshold(
        0.38, "tile heights", "A tile pushed out of its row by this is set apart.", BY_HAND
    )
    raised_alone: float = threshold(
        0.7, "share of its height", "If no other tile is pushed out by this.", BY_HAND
    )
    end_gap: float = threshold(
        0.2,
        "tiles beyond the row's usual space",
        "The last tile of a row after such a space is set apart.",
        BY_HAND,
    )
    end_gap_clear: float = threshold(0.12, "tiles", "If the space is wider than any other by this.", BY_HAND)


@dataclass(frozen=True)
class FlowerPlaces:
    """Which tiles are flowers, and which flowers are the hand's (`vision.layout.flowers`)."""

    flower: float = threshold(0.5, "probability", "Above it a tile counts as a flower.", BY_HAND)
    back: float = threshold(0.5, "probability", "Above it a tile counts as face down.", BY_HAND)
    apart: tuple[tuple[float, float, float], ...] = threshold(
        ((0.55, 1.8, 0.85), (0.8, 2.2, 0.65), (0.97, 6.0, 0.65)),
        "probability, tiles, ratio of sizes",
        "Flowers outside the main row: at least this sure, at most this far from the hand's tiles, at least this "
        "large beside them. One line must hold; dice and chips look like flowers and are small.",
        ON_RENDERED_HANDS,
    )
    small: tuple[tuple[float, float, float], ...] = threshold(
        ((0.97, 6.0, 0.45),),
        "probability, tiles, ratio of sizes",
        "Smaller or farther ones are left out, but asked about if a line of these holds.",
        ON_SIMULATED_TABLES,
    )
    side_by_side: float = threshold(2.0, "tiles", "Tiles closer than this lie side by side.", BY_HAND_IN_0_3)
    clearly_beside: float = threshold(
        3.0, "tiles", "A lone flower farther off may belong to another player.", ON_SIMULATED_TABLES
    )
    doubtful: float = threshold(
        0.25,
        "probability",
        "That flowers are the hand's which were left out with a doubt, or are not which were kept with one.",
        UNFITTED_IN_0_5,
    )
    high: float = threshold(1.35, "tile widths", "The height of a tile.", "measured on common tiles")
    askew: float = threshold(
        15.0,
        "degrees",
        "A lone flower turned by more, neither straight nor across, was not laid by the hand's owner.",
        ON_RENDERED_HANDS,
    )


@dataclass(frozen=True)
class LayoutSettings:
    """All thresholds of layout."""

    doubles: Doubles = field(default_factory=Doubles)
    rows: RowGeometry = field(default_factory=RowGeometry)
    hand: HandPlaces = field(default_factory=HandPlaces)
    weights: LayoutWeights = field(default_factory=LayoutWeights)
    winning: WinningTilePlaces = field(default_factory=WinningTilePlaces)
    flowers: FlowerPlaces = field(default_factory=FlowerPlaces)


LAYOUT = LayoutSettings()
"""The thresholds that Fanlens uses."""
