"""Curves of tile recall as pictures get worse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.figures.distort import HARMS, Harm
from models.figures.plot import Panel, draw
from models.figures.specimens import Specimen, TileCounts, count_tiles, of_labelled, of_rendered, total
from models.rendering import render_scene
from vision.evaluation.labels import LabelledPhoto

SEED = 20261130
FIRST_SCENE = 1_400_000
"""Seed of the first scene. Neither training nor any choice between networks used seeds from here on."""
SHARES = {"home-green": 6, "auto-table": 4, "tray": 3, "webcam-riichi": 1}
"""How many of every 14 photos come from each scene."""
SOURCES = ("photo", "rendered")
NAMES = {"photo": "photos not used in training", "rendered": "rendered scenes"}
_SCENE_SIZE = (1280, 960)


@dataclass(frozen=True)
class Curve:
    """Tile counts under one harm, for each source and level."""

    harm: Harm
    counts: dict[str, tuple[TileCounts, ...]]

    def __post_init__(self) -> None:
        """Check that there are counts for every level."""
        if any(len(row) != len(self.harm.levels) for row in self.counts.values()):
            raise ValueError(
                f"{self.harm.name} has {len(self.harm.levels)} levels; every source needs as many counts"
            )

    def both(self) -> tuple[TileCounts, ...]:
        """The counts of all sources together, by level."""
        return tuple(total(row[at] for row in self.counts.values()) for at in range(len(self.harm.levels)))


def sample(photos: Sequence[LabelledPhoto], count: int, seed: int = SEED) -> list[LabelledPhoto]:
    """Draw `count` of the photos by scene (`SHARES`); the same seed draws the same photos."""
    rng = np.random.default_rng(seed)
    chosen: list[LabelledPhoto] = []
    every = sum(SHARES.values())
    for scene, share in SHARES.items():
        there = [photo for photo in photos if photo.scene == scene and photo.faces]
        wanted = min(len(there), max(1, round(count * share / every)))
        chosen += [there[at] for at in sorted(rng.choice(len(there), wanted, replace=False))]
    return chosen


def specimens(photos: Sequence[LabelledPhoto], count: int, scenes: int) -> list[Specimen]:
    """`count` of the photos and `scenes` rendered scenes of drawn tile sets; training used none of them."""
    rendered = [
        of_rendered(render_scene(seed, size=_SCENE_SIZE), f"scene-{seed}")
        for seed in range(FIRST_SCENE, FIRST_SCENE + scenes)
    ]
    return [*(of_labelled(photo) for photo in sample(photos, count)), *(s for s in rendered if s.faces)]


def measure(
    pictures: Sequence[Specimen],
    harms: Sequence[Harm] = HARMS,
    progress: Callable[[Harm, float], None] = lambda *_: None,
) -> list[Curve]:
    """Read every picture at every level of every harm."""
    curves = []
    for harm in harms:
        rows: dict[str, list[TileCounts]] = {source: [] for source in SOURCES}
        for level in harm.levels:
            progress(harm, level)
            for source in SOURCES:
                of_source = [picture for picture in pictures if picture.source == source]
                rows[source].append(
                    total(
                        count_tiles(harm.apply(picture, level, np.random.default_rng((SEED, at))))
                        for at, picture in enumerate(of_source)
                    )
                )
        curves.append(Curve(harm, {source: tuple(row) for source, row in rows.items() if pictures}))
    return curves


def table(curves: Sequence[Curve]) -> str:
    """The recall of all curves in percent as a Markdown table, photos before rendered scenes."""
    lines = ["| harm | tile recall in photos / rendered scenes, % |", "|---|---|"]
    for curve in curves:
        cells = []
        for at, level in enumerate(curve.harm.levels):
            recalls = [f"{100 * curve.counts[source][at].recall:.0f}" for source in SOURCES]
            cells.append(f"{level:g}: {'/'.join(recalls)}")
        lines.append(f"| {curve.harm.name}, {curve.harm.unit} | {' · '.join(cells)} |")
    return "\n".join(lines)


def flagging(curves: Sequence[Curve]) -> TileCounts:
    """The counts over all levels of all harms, which show how many tiles are flagged."""
    return total(row for curve in curves for row in curve.both())


def default_corrections() -> Path:
    """The file of corrections to the labels of the hand photos."""
    return Path(__file__).resolve().parents[1] / "training" / "corrections.jsonl"


def plot(curves: Sequence[Curve]) -> str:
    """All curves as one SVG picture."""
    panels = [
        Panel(
            curve.harm.name,
            curve.harm.unit,
            tuple(f"{level:g}" for level in curve.harm.levels),
            {NAMES[source]: tuple(t.recall for t in row) for source, row in curve.counts.items()},
        )
        for curve in curves
    ]
    return draw(panels, "Tile recall in % as pictures get worse")


def section(curves: Sequence[Curve], pictures: Sequence[Specimen]) -> str:
    """The section `robustness` of the model card: the picture, the table, and how many tiles are flagged."""
    shown = {source: sum(1 for picture in pictures if picture.source == source) for source in SOURCES}
    seen = flagging(curves)
    wrong, right = max(seen.wrong, 1), max(seen.right_in_hand, 1)
    return "\n".join(
        [
            "![Tile recall as pictures get worse](../docs/pictures/robustness.svg)",
            "",
            f"{shown['photo']} photos and {shown['rendered']} rendered scenes at every level of every harm. Each cell "
            "gives the level, and the recall in photos / rendered scenes.",
            "",
            table(curves),
            "",
            f"Over all {len(curves)} curves, {seen.wrong_flagged / wrong:.0%} of the {seen.wrong:,} misread tiles of "
            f"hands are marked as doubtful, and {seen.right_flagged / right:.1%} of the {seen.right_in_hand:,} tiles "
            "read correctly.",
        ]
    )
