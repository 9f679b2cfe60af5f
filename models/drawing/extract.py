"""`python -m models.drawing.extract FOLDER`: extract the outlines from the fonts in a folder.

Needs fonttools (the `[train]` extra) and the unpacked packages that `vision/artwork/LICENSE-FONTS.md` lists.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

from models.drawing.outlines import EM, OUTLINES_FILE

CHARACTERS = "一二三四五伍六七八九萬万東东南西北中發发春夏秋冬梅蘭兰竹菊白"
CAPTIONS = "123456789ESWNCFPB"

FONTS: Mapping[str, tuple[str, int | None]] = {
    "kai": ("LXGWWenKai-Bold.ttf", None),
    "brush": ("yuji-boku-*-400-normal.woff", None),
    "running": ("ma-shan-zheng-*-400-normal.woff", None),
    "mincho": ("kaisei-tokumin-*-800-normal.woff", None),
    "song": ("NotoSerifCJK-Bold.ttc", 3),
    "sans": ("NotoSansCJK-Bold.ttc", 3),
    # more handwritings, which only the networks learn from
    "cactus": ("cactus-classical-serif-*-400-normal.woff", None),
    "chocolate": ("chocolate-classical-sans-*-400-normal.woff", None),
    "dela": ("dela-gothic-one-*-400-normal.woff", None),
    "hina": ("hina-mincho-*-400-normal.woff", None),
    "huninn": ("huninn-*-400-normal.woff", None),
    "kaisei": ("kaisei-opti-*-700-normal.woff", None),
    "klee": ("klee-one-*-600-normal.woff", None),
    "long_cang": ("long-cang-*-400-normal.woff", None),
    "potta": ("potta-one-*-400-normal.woff", None),
    "shippori": ("shippori-mincho-b1-*-800-normal.woff", None),
    "yusei": ("yusei-magic-*-400-normal.woff", None),
    "kuaile": ("zcool-kuaile-*-400-normal.woff", None),
    "huangyou": ("zcool-qingke-huangyou-*-400-normal.woff", None),
    "xiaowei": ("zcool-xiaowei-*-400-normal.woff", None),
    "antique": ("zen-antique-*-400-normal.woff", None),
    "zhi_mang": ("zhi-mang-xing-*-400-normal.woff", None),
}
"""For each style its font file (a pattern if the font has several files) and its index in a collection."""


def _segments(font: Any, character: str) -> list[list[Any]]:
    glyphs = font.getGlyphSet()
    pen = DecomposingRecordingPen(glyphs)
    glyphs[font.getBestCmap()[ord(character)]].draw(pen)
    scale = EM / font["head"].unitsPerEm
    rise = 0.88 * EM  # the usual ascent of CJK fonts

    def flat(points: Iterable[tuple[float, float]]) -> list[int]:
        return [round(v) for x, y in points for v in (x * scale, rise - y * scale)]

    segments: list[list[Any]] = []
    for operator, points in pen.value:
        if operator == "moveTo":
            segments.append(["M", *flat(points)])
        elif operator == "lineTo":
            segments.append(["L", *flat(points)])
        elif operator == "curveTo":
            segments.append(["C", *flat(points)])
        elif operator == "qCurveTo":
            # TrueType omits on-curve points half way between two control points
            controls = list(points)
            for here, after in pairwise(controls[:-1]):
                middle = ((here[0] + after[0]) / 2, (here[1] + after[1]) / 2)
                segments.append(["Q", *flat((here, middle))])
            segments.append(["Q", *flat(controls[-2:])])
        else:
            segments.append(["Z"])
    return segments


def extract(folder: Path, names: Iterable[str] = FONTS) -> dict[str, dict[str, list[list[Any]]]]:
    """Read the outlines of these styles from the fonts in a folder and from Debian's Noto CJK.

    Raises FileNotFoundError if a font is missing.
    """
    styles: dict[str, dict[str, list[list[Any]]]] = {}
    for style in names:
        pattern, index = FONTS[style]
        files = sorted({*folder.rglob(pattern), *Path("/usr/share/fonts").rglob(pattern)})
        if not files:
            raise FileNotFoundError(f"no font {pattern} below {folder}; see vision/artwork/LICENSE-FONTS.md")
        found: dict[str, list[list[Any]]] = {}
        for file in files:
            font = TTFont(file, fontNumber=-1 if index is None else index, lazy=True)
            known = font.getBestCmap()
            wanted = CHARACTERS + (CAPTIONS if style in ("song", "sans", "kai") else "")
            for character in wanted:
                if ord(character) in known and character not in found:
                    found[character] = _segments(font, character)
        styles[style] = dict(sorted(found.items()))
    return styles


if __name__ == "__main__":
    text = json.dumps(extract(Path(sys.argv[1])), ensure_ascii=False, separators=(",", ":"))
    OUTLINES_FILE.write_text(text.replace("},", "},\n").replace("]],", "]],\n") + "\n", encoding="utf-8")
