"""Small line plots side by side as one SVG picture; the same figures give the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

_COLUMNS = 4
_PANEL_INCHES = (2.6, 2.0)
_STYLES = (("#1a7f4b", "-"), ("#b3541e", "--"))
"""Colour and dashes of the first and second line."""


@dataclass(frozen=True)
class Panel:
    """One plot of shares (0 to 1) over named, evenly spaced levels; `lines` holds at most two lines by name.

    Raises ValueError where a line does not have one share for each of at least two levels.
    """

    title: str
    unit: str
    levels: tuple[str, ...]
    lines: dict[str, tuple[float, ...]]

    def __post_init__(self) -> None:
        """Check that every level has its share."""
        if len(self.levels) < 2 or any(len(line) != len(self.levels) for line in self.lines.values()):
            raise ValueError(f"{self.title}: every line needs a share for each of two or more levels")


def draw(panels: Sequence[Panel], title: str) -> str:
    """The panels as an SVG document, four in a row, with a title and a legend above them."""
    rows = -(-len(panels) // _COLUMNS)
    width, height = _PANEL_INCHES
    # text stays text, and the salt makes the ids in the file the same each time
    with mpl.rc_context({"font.size": 8, "svg.fonttype": "none", "svg.hashsalt": "fanlens"}):
        figure = Figure(figsize=(_COLUMNS * width, rows * height + 0.5), layout="constrained")
        axes = figure.subplots(rows, _COLUMNS, squeeze=False).ravel().tolist()
        for place, panel in zip(axes, panels, strict=False):
            _draw_panel(place, panel)
        for place in axes[len(panels) :]:
            place.set_axis_off()
        figure.suptitle(title, x=0.01, ha="left", weight="bold")
        handles, names = axes[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="upper right", ncols=len(names), frameon=False)
        written = StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None, "Title": title})
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines()) + "\n"


def _draw_panel(axes: Axes, panel: Panel) -> None:
    places = range(len(panel.levels))
    for (name, shares), (colour, dashes) in zip(panel.lines.items(), _STYLES, strict=False):
        percent = [100 * share for share in shares]
        axes.plot(places, percent, color=colour, linestyle=dashes, marker="o", markersize=3, label=name)
    axes.set_title(panel.title)
    axes.set_xlabel(panel.unit)
    axes.set_xticks(list(places), panel.levels)
    axes.set_ylim(0, 104)
    axes.grid(axis="y", color="#ddd")
    axes.spines[["top", "right"]].set_visible(False)
