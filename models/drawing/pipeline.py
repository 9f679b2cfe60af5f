"""``python -m models.drawing.pipeline``: draw the way from a photo to a score, the picture of docs/architecture.md."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

import click

from vision.output_files import atomic_write

PICTURE: Final = Path("docs/pictures/pipeline.svg")

BOX_PX: Final = (206, 84)
GAP_PX: Final = (34, 56)
MARGIN_PX: Final = 16
PER_ROW: Final = 4


@dataclass(frozen=True)
class Stage:
    """One step from photo to score.

    module, name: what does it. question: what it answers. gives: the value it hands on.
    """

    module: str
    name: str
    question: str
    gives: str


STAGES: Final = (
    Stage("vision.photo", "load_photo", "Which way is up?", "Photo"),
    Stage("vision.networks.detector", "Detector.detect", "Where are tiles?", "Detections"),
    Stage("vision.networks.reader", "Reader.read", "Which face does each show?", "Tiles"),
    Stage("vision.layout.arrange", "arrange", "What is each tile for?", "Layout"),
    Stage("vision.decoding.decode", "decode", "Which legal hands are likely?", "Decoding"),
    Stage("scorer.scoring", "score", "Which fans, what total?", "Score"),
    Stage("scorer.explain", "explain", "Why these and no others?", "Explanation"),
    Stage("scorer.settlement", "settle", "Who pays whom?", "Payments"),
)
"""The stages in order. Tests check that the names exist and that the picture shows these stages."""

_STYLE = """\
  <style>
    text { font-family: sans-serif; font-size: 13px; fill: #1c2321 }
    .name { font-weight: bold; font-size: 15px }
    .home { font-family: monospace; font-size: 11px; fill: #56615e }
    .box { fill: #f4f9f7; stroke: #1d6149; stroke-width: 1.5 }
    .arrow { stroke: #1d6149; stroke-width: 1.5; fill: none; marker-end: url(#head) }
    .gives { font-size: 11px; fill: #1d6149 }
  </style>
  <defs>
    <marker id="head" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">
      <path d="M0 0 L8 4 L0 8 z" fill="#1d6149"/>
    </marker>
  </defs>
"""


def _corner(place: int) -> tuple[int, int]:
    """Left and top of a stage's box, in pixels."""
    row, column = divmod(place, PER_ROW)
    (width, height), (across, down) = BOX_PX, GAP_PX
    return MARGIN_PX + column * (width + across), MARGIN_PX + row * (height + down)


def _box(place: int, stage: Stage) -> str:
    left, top = _corner(place)
    return (
        f'  <rect class="box" x="{left}" y="{top}" width="{BOX_PX[0]}" height="{BOX_PX[1]}" rx="8"/>\n'
        f'  <text class="name" x="{left + 12}" y="{top + 24}">{escape(stage.name)}</text>\n'
        f'  <text class="home" x="{left + 12}" y="{top + 41}">{escape(stage.module)}</text>\n'
        f'  <text x="{left + 12}" y="{top + 61}">{escape(stage.question)}</text>\n'
        f'  <text class="gives" x="{left + 12}" y="{top + 77}">gives {escape(stage.gives)}</text>\n'
    )


def _arrow(place: int) -> str:
    """The arrow from a stage to the next: across, or down to the beginning of the next row."""
    left, top = _corner(place)
    (width, height), (across, down) = BOX_PX, GAP_PX
    if (place + 1) % PER_ROW:
        return f'  <path class="arrow" d="M{left + width} {top + height // 2} h{across}"/>\n'
    start, bottom = left + width // 2, top + height
    end, below = _corner(place + 1)[0] + width // 2, bottom + down // 2
    return f'  <path class="arrow" d="M{start} {bottom} V{below} H{end} V{bottom + down}"/>\n'


def drawn() -> str:
    """The picture as SVG."""
    right, bottom = _corner(PER_ROW - 1)[0] + BOX_PX[0], _corner(len(STAGES) - 1)[1] + BOX_PX[1]
    width, height = right + MARGIN_PX, bottom + MARGIN_PX
    boxes = "".join(_box(place, stage) for place, stage in enumerate(STAGES))
    arrows = "".join(map(_arrow, range(len(STAGES) - 1)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
        f'{_STYLE}  <rect width="{width}" height="{height}" fill="#ffffff"/>\n{boxes}{arrows}</svg>\n'
    )


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=PICTURE, show_default=True)
def main(out: Path) -> None:
    """Draw the stages from photo to score."""
    with atomic_write(out) as file:
        file.write(drawn().encode())
    click.echo(f"{len(STAGES)} stages drawn in {out}")


if __name__ == "__main__":
    main()
