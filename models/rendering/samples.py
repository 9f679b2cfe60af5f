"""`python -m models.rendering.samples`: render the sample photos that ship with Fanlens, and their truth."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import click

from models.rendering.__main__ import label
from models.rendering.hands import LaidHand
from models.rendering.optics import Optics, encode_jpeg
from models.rendering.scene import Setting, render_scene
from models.rendering.sets import classic_set
from scorer import Circumstances, Meld

SIZE = (1600, 1200)
LARGEST_BYTES = 340_000
"""The largest size of a sample file."""


@dataclass(frozen=True, eq=False)
class Sample:
    """One sample photo: its file name, and the arguments that render it."""

    name: str
    seed: int
    kind: str
    setting: Setting


def _hand(
    concealed: str,
    winning_tile: str,
    *melds: Meld,
    flowers: str = "",
    winds: str = "EE",
    self_drawn: bool = False,
) -> LaidHand:
    """A hand from tile codes with spaces between them; `winds` holds the seat wind and the prevalent wind."""
    circumstances = Circumstances(self_drawn, seat_wind=winds[0], prevalent_wind=winds[1])
    return LaidHand.of(tuple(concealed.split()), winning_tile, melds, tuple(flowers.split()), circumstances)


def _setting(table: str, hand: LaidHand, *, view: tuple[float, float, float], strays: bool) -> Setting:
    """The classic set on a table; `view` holds elevation, azimuth and roll of the camera in degrees."""
    elevation, azimuth, roll = view
    optics = Optics(
        exposure=0.98, contrast=1.08, fall=0.25, vignette=0.12, blur=0.55, noise=1.6, sharpen=0.4, jpeg=92
    )
    return Setting(
        tile_set=classic_set(),
        optics=optics,
        table=table,
        elevation=elevation,
        azimuth=azimuth,
        roll=roll,
        fill=0.91,
        strays=strays,
        hand=hand,
    )


_DIM = Optics(
    exposure=0.48,
    contrast=1.08,
    balance=(1.12, 1.0, 0.82),
    fall=0.5,
    blur=1.0,
    noise=4.5,
    sharpen=0.4,
    jpeg=88,
)

_THREE_CHOWS = _hand("2p 3p 4p 2s 3s 4s 2m 3m 4m 6m 7m 5p 5p", "8m", winds="SE", self_drawn=True)
_DRAGONS = _hand(
    *("5z 5z 9p 9p", "5z"),
    *(Meld.pung("6z"), Meld.pung("7z"), Meld.chow("7p")),
    flowers="1f 6f 8f",
    winds="WE",
)
_ALL_GREEN = _hand(
    *("2s 3s 4s 6s 6s 6s 8s", "8s"),
    *(Meld.kong("6z", concealed=True), Meld.chow("2s")),
    flowers="7f",
    winds="NE",
)
_SEVEN_PAIRS = _hand("1m 1m 4m 4m 7p 7p 2s 2s 9s 9s 1z 1z 5z", "5z", self_drawn=True)
_ALL_DOTS = _hand("1p 1p 1p 2p 3p 4p 5p 6p 7p 8p", "8p", Meld.pung("9p"), flowers="2f", winds="NE")
_EAST_KONG = _hand(
    *("3m 4m 5m 3p 4p 5p 9s", "9s"),
    *(Meld.kong("1z"), Meld.chow("3s")),
    flowers="3f 5f",
    self_drawn=True,
)

SAMPLES = (
    Sample("three-chows", 4, "hand", _setting("felt", _THREE_CHOWS, view=(58, 4, 1), strays=False)),
    Sample("dragons", 7, "hand", _setting("weave", _DRAGONS, view=(52, -10, -2), strays=True)),
    Sample("all-green-across", 6, "across", _setting("wood", _ALL_GREEN, view=(60, 176, 1), strays=False)),
    Sample(
        *("seven-pairs-dim", 1, "hand"),
        replace(_setting("cloth", _SEVEN_PAIRS, view=(55, 8, 2), strays=False), optics=_DIM),
    ),
    Sample("all-dots", 4, "hand", _setting("felt", _ALL_DOTS, view=(40, -20, -3), strays=True)),
    Sample("east-kong", 6, "hand", _setting("printed", _EAST_KONG, view=(64, 6, 0), strays=True)),
)


def photo(sample: Sample) -> tuple[bytes, str]:
    """The sample as a JPEG file, and its truth as the text of a JSON file."""
    rendered = render_scene(sample.seed, size=SIZE, kind=sample.kind, setting=sample.setting)
    truth = json.dumps(label(rendered, f"{sample.name}.jpg"), ensure_ascii=False, indent=1)
    tries = (encode_jpeg(rendered.pixels, quality) for quality in range(90, 60, -3))
    picture = next(data for data in tries if len(data) < LARGEST_BYTES)
    return picture, truth + "\n"


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("vision/samples"), show_default=True)
def main(out: Path) -> None:
    """Render the sample photos that ship with Fanlens."""
    out.mkdir(parents=True, exist_ok=True)
    for sample in SAMPLES:
        picture, truth = photo(sample)
        (out / f"{sample.name}.jpg").write_bytes(picture)
        (out / f"{sample.name}.json").write_text(truth, encoding="utf-8")
        click.echo(f"{out / sample.name}.jpg: {len(picture) // 1024} kB")


if __name__ == "__main__":
    main()
