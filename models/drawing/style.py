"""The look of a drawn tile set: every choice that its maker has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

RED, GREEN, BLUE, BLACK = "#c4202b", "#0a7a3d", "#1c3f95", "#1c1c1e"

_HANDS = (
    "brush", "kai", "song", "mincho", "running", "sans", "cactus", "chocolate", "dela", "hina", "huninn", "kaisei",
    "klee", "long_cang", "potta", "shippori", "yusei", "kuaile", "huangyou", "xiaowei", "antique", "zhi_mang",
)  # fmt: skip

CHOICES: dict[str, tuple[Any, ...]] = {
    "numerals": _HANDS,
    "letters": _HANDS,
    "five": ("伍", "五"),
    "ten_thousand": ("萬", "万"),
    "simplified": (False, True),
    "dot": ("rings", "target", "wheel", "cross", "flower", "coin", "grooved"),
    "one_dot": ("petals", "rings", "wheel", "daisy", "coin", "sun"),
    "bird": ("parrot", "peacock", "crane", "sparrow"),
    "stick": ("bone", "knots", "slim", "plain"),
    "frame": ("notched", "double", "single", "meander", "plaque", "letter", "blank"),
    "caption": ("none", "left", "right"),
    "caption_font": ("sans", "song", "kai"),
    "flower_label": ("both", "numerals", "digit", "character"),
    "blossom": ("filled", "lined"),
}
"""The values of each choice of a `Style`, the classic one first."""


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a tile set; the defaults are the classic Chinese set that the page shows.

    Colours are `#rrggbb`. `bold` thickens characters by this many drawing units, `line` thickens dots, sticks and stems
    by a factor. `scale` is the size of the drawing in the face, 1 on the page. `swapped` exchanges the corners of the
    character and the number of flowers; `mirrored` mirrors the bird and the flowers. `other_motifs` shifts the pictures
    of the flowers by this many, so that only character and number distinguish them. With `numbers_in_order` the bamboo
    plant has the number 3 and the chrysanthemum 4. Raises ValueError for a choice that is not in `CHOICES`.
    """

    numerals: str = "brush"
    letters: str = "brush"
    five: str = "伍"
    ten_thousand: str = "萬"
    simplified: bool = False
    dot: str = "rings"
    one_dot: str = "petals"
    bird: str = "parrot"
    stick: str = "bone"
    frame: str = "notched"
    caption: str = "none"
    caption_font: str = "sans"
    flower_label: str = "both"
    blossom: str = "filled"
    red: str = RED
    green: str = GREEN
    blue: str = BLUE
    black: str = BLACK
    numeral_ink: str = "blue"
    wind_ink: str = "blue"
    dot_ink: str = "blue"
    frame_ink: str = "blue"
    caption_ink: str = "red"
    red_fives: bool = False
    swapped: bool = False
    mirrored: bool = False
    other_motifs: int = 0
    numbers_in_order: bool = False
    bold: float = 6.0
    line: float = 1.0
    scale: float = 1.0

    def __post_init__(self) -> None:  # noqa: D105
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise ValueError(
                    f"{name} must be one of {', '.join(map(str, allowed))}: {getattr(self, name)!r}"
                )

    def ink(self, name: str) -> str:
        """The colour of `red`, `green`, `blue` or `black` in this set."""
        colours = {"red": self.red, "green": self.green, "blue": self.blue, "black": self.black}
        return colours[name]

    def all_in(self, colour: str) -> Style:
        """The same style in one colour, as for red fives."""
        return replace(self, red=colour, green=colour, blue=colour, black=colour)


CLASSIC = Style()


def random_style(rng: np.random.Generator) -> Style:
    """A random style; the same state of the generator gives the same style."""

    def pick(name: str, classic: float) -> Any:
        values = CHOICES[name]
        return values[0] if rng.random() < classic else values[int(rng.integers(len(values)))]

    chosen = {name: pick(name, _CLASSIC_SHARE.get(name, 0.25)) for name in CHOICES}
    dark = ("blue", "black")[int(rng.integers(2))]
    for name in ("numeral_ink", "wind_ink", "dot_ink", "frame_ink"):
        chosen[name] = (
            dark if rng.random() < 0.85 else ("blue", "black", "green", "red")[int(rng.integers(4))]
        )
    for name, colour in (("red", RED), ("green", GREEN), ("blue", BLUE), ("black", BLACK)):
        chosen[name] = _near(rng, colour)
    chosen |= {
        "caption_ink": ("red", "black", "blue", "green")[int(rng.integers(4))],
        "red_fives": bool(rng.random() < 0.12),
        "swapped": bool(rng.random() < 0.4),
        "mirrored": bool(rng.random() < 0.5),
        "bold": float(rng.uniform(0, 14)),
        "line": float(rng.uniform(0.6, 1.3)),
        "scale": float(rng.uniform(0.72, 1.03)),
    }
    if chosen["flower_label"] != "digit":  # some makers paint fish, scholars or fruit, so the writing decides
        chosen["other_motifs"] = int(rng.integers(8)) if rng.random() < 0.5 else 0
        chosen["numbers_in_order"] = bool(rng.random() < 0.4)
    if rng.random() < 0.5:
        chosen["caption"] = "none"
    if rng.random() < 0.15:  # as in Japanese sets
        chosen |= {"simplified": False, "ten_thousand": "萬", "caption": "none", "bird": "peacock"}
        chosen |= {
            "frame": "blank",
            "five": "五" if rng.random() < 0.7 else "伍",
            "red_fives": rng.random() < 0.6,
        }
    return Style(**chosen)


_CLASSIC_SHARE = {"numerals": 0.15, "letters": 0.15, "five": 0.3, "ten_thousand": 0.85, "simplified": 0.9}


def _near(rng: np.random.Generator, colour: str) -> str:
    """The colour slightly lighter, duller or tinted."""
    base = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)
    mixed = base * rng.uniform(0.4, 1.15) + rng.uniform(-15, 24, 3) + rng.uniform(0, 26)
    r, g, b = np.clip(mixed, 0, 235).astype(int)
    return f"#{r:02x}{g:02x}{b:02x}"
