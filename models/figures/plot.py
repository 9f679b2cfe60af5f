"""Small line plots side by side as one SVG picture: readable as text, the same bytes for the same figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

_WIDTH, _HEIGHT = 250, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 10, 26, 38
_COLUMNS = 4
_COLOURS = ("#1a7f4b", "#b3541e")
_DASHES = ("", "5 3")


@dataclass(frozen=True)
class Panel:
    """One plot: shares (0 to 1) over named levels, evenly spaced; `lines` by name, at most two."""

    title: str
    unit: str
    levels: tuple[str, ...]
    lines: dict[str, tuple[float, ...]]

    def __post_init__(self) -> None:
        """Every level has its share."""
        if len(self.levels) < 2 or any(len(line) != len(self.levels) for line in self.lines.values()):
            raise ValueError(f"{self.title}: every line needs a share for each of two or more levels")


def draw(panels: Sequence[Panel], legend: str) -> str:
    """The panels, four in a row, as an SVG document; `legend` goes above them."""
    rows = -(-len(panels) // _COLUMNS)
    width, height = _COLUMNS * _WIDTH, rows * _HEIGHT + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="11">',
        f"<title>{escape(legend)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *_key(panels[0].lines, legend),
    ]
    for at, panel in enumerate(panels):
        x, y = at % _COLUMNS * _WIDTH, at // _COLUMNS * _HEIGHT + 24
        parts += [f'<g transform="translate({x} {y})">', *_panel(panel), "</g>"]
    return "\n".join([*parts, "</svg>", ""])


def _key(lines: dict[str, tuple[float, ...]], legend: str) -> list[str]:
    parts, x = [f'<text x="{_LEFT}" y="16" font-weight="bold">{escape(legend)}</text>'], 420
    for name, colour, dash in zip(lines, _COLOURS, _DASHES, strict=False):
        parts.append(_stroke(f"M{x} 12h26", colour, dash))
        parts.append(f'<text x="{x + 32}" y="16">{escape(name)}</text>')
        x += 190
    return parts


def _panel(panel: Panel) -> list[str]:
    inner, tall = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    step = inner / (len(panel.levels) - 1)
    parts = [f'<text x="{_LEFT}" y="18">{escape(panel.title)}</text>']
    for percent in (0, 25, 50, 75, 100):
        y = _TOP + tall * (1 - percent / 100)
        parts.append(_stroke(f"M{_LEFT} {y:.1f}h{inner}", "#ddd", "", 1))
        parts.append(f'<text x="{_LEFT - 4}" y="{y + 4:.1f}" text-anchor="end" fill="#555">{percent}</text>')
    for at, level in enumerate(panel.levels):
        x = _LEFT + at * step
        parts.append(f'<text x="{x:.1f}" y="{_TOP + tall + 14}" text-anchor="middle">{escape(level)}</text>')
    unit = f'<text x="{_LEFT + inner / 2:.1f}" y="{_HEIGHT - 8}" text-anchor="middle" fill="#555">'
    parts.append(f"{unit}{escape(panel.unit)}</text>")
    for line, colour, dash in zip(panel.lines.values(), _COLOURS, _DASHES, strict=False):
        places = [(_LEFT + at * step, _TOP + tall * (1 - share)) for at, share in enumerate(line)]
        parts.append(_stroke("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places), colour, dash))
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4" fill="{colour}"/>' for x, y in places]
    return parts


def _stroke(path: str, colour: str, dash: str, width: float = 1.8) -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}/>'
