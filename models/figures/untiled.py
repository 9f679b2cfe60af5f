"""What recognition makes of pictures without a tile: rendered ones, and photographs from packages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from models.rendering.untiled import KINDS, render_untiled
from vision.photo import Photo, load_photo
from vision.recognition import Recognition, recognise

FIRST_PICTURE = 5_000_000
"""Seed of the first rendered picture. Neither training nor any choice used seeds from here on."""
RENDERED = 270
"""How many pictures are rendered, every kind equally often."""
_SIZES = ((1280, 960), (960, 1280), (1280, 720), (1024, 1024))


@dataclass(frozen=True)
class Outcome:
    """What was made of one picture: its kind, the number of tiles reported, and whether a hand was."""

    kind: str
    tiles: int
    hand: bool

    @classmethod
    def of(cls, kind: str, recognition: Recognition) -> Outcome:
        """From the answer of recognition."""
        return cls(kind, len(recognition.tiles), recognition.hand is not None)


def measure(
    folder: Path, rendered: int = RENDERED, progress: Callable[[int], None] = lambda _: None
) -> list[Outcome]:
    """Read the JPEG files of a folder, which may be missing, and rendered pictures."""
    outcomes = []
    for kind, photo in chain(_photographs(folder), _rendered(rendered)):
        outcomes.append(Outcome.of(kind, recognise(photo)))
        progress(len(outcomes))
    return outcomes


def _photographs(folder: Path) -> Iterator[tuple[str, Photo]]:
    for path in sorted(folder.glob("*.jpg")):
        yield "photographs", load_photo(path)


def _rendered(count: int) -> Iterator[tuple[str, Photo]]:
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        pixels = render_untiled(FIRST_PICTURE + number, size=_SIZES[number % len(_SIZES)], kind=kind)
        yield kind, Photo(np.ascontiguousarray(pixels), f"{kind}-{number}")


def section(outcomes: Iterable[Outcome]) -> str:
    """The section `untiled` of the model card."""
    every = list(outcomes)
    wrong = [one for one in every if one.tiles]
    kinds = {
        kind: [one for one in every if one.kind == kind] for kind in dict.fromkeys(one.kind for one in every)
    }
    rows = [
        f"| {kind} | {len(some)} | {sum(one.tiles > 0 for one in some)} | {sum(one.hand for one in some)} |"
        for kind, some in kinds.items()
    ]
    return "\n".join(
        [
            f"Of {len(every)} pictures without a tile, {len(wrong)} ({len(wrong) / max(len(every), 1):.1%}) are said "
            f"to show tiles, {sum(one.hand for one in every)} a hand:",
            "",
            "| kind | pictures | with tiles | with a hand |",
            "|---|---|---|---|",
            *rows,
        ]
    )
