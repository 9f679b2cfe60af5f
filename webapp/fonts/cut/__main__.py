"""Cuts the subsets of the typeface from Debian's Noto Sans CJK: `python -m webapp.fonts.cut`.

Needs fonttools (the `[train]` extra) and Debian's `fonts-noto-cjk` (1:20220127+repack1-1 here).
"""

from collections.abc import Iterable
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from scorer import PROFILES
from webapp.fonts import BOLD, REGULAR
from webapp.language import languages
from webapp.traditional import Wording, traditional

SOURCE = Path("/usr/share/fonts/opentype/noto")
SIMPLIFIED_CHINESE = 2  # index in the font collection
# Accented Latin, Greek, Cyrillic, punctuation and kana, because people write their names in many scripts.
RANGES = ((0x20, 0x7F), (0xA0, 0x180), (0x370, 0x400), (0x400, 0x460), (0x2010, 0x2027), (0x3000, 0x3100))


def _decoded(encoding: str, leads: Iterable[int], trails: Iterable[int]) -> set[str]:
    characters = set()
    trails = list(trails)
    for lead in leads:
        for trail in trails:
            characters.add(bytes([lead, trail]).decode(encoding, errors="ignore"))
    return characters - {""}


def common() -> set[str]:
    """The characters of the regular weight: level 1 of GB 2312, level 1 of Big5, and the letters of RANGES."""
    simplified = _decoded("gb2312", range(0xB0, 0xD8), range(0xA1, 0xFF))
    usual = _decoded("big5", range(0xA4, 0xC7), [*range(0x40, 0x7F), *range(0xA1, 0xFF)])
    letters = {chr(code) for first, after in RANGES for code in range(first, after)}
    return simplified | usual | letters | of_page()


def of_page() -> set[str]:
    """Every character of the page's messages and of the fans."""
    text = "".join(form for language in languages() for forms in language.messages.values() for form in forms)
    return set(text) | fans()


def fans() -> set[str]:
    """The characters of the bold weight: printable ASCII, signs, and the fans in either script."""
    names = "".join(fan.name for profile in PROFILES.values() for fan in profile.fans)
    return {*names, *traditional(names, Wording.RULES), *"×−+·，、番分點点", *map(chr, range(0x20, 0x7F))}


def cut(weight: str, characters: set[str], to: Path) -> None:
    """Writes the subset of one weight of the font as an OpenType file without hints and features."""
    font = TTFont(SOURCE / f"NotoSansCJK-{weight}.ttc", fontNumber=SIMPLIFIED_CHINESE, recalcTimestamp=False)
    options = subset.Options()
    options.hinting = False
    options.layout_features = []
    options.notdef_outline = True
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(sorted(characters)))
    cutter.subset(font)
    font.save(to)
    print(f"{to} {len(characters)} characters, {to.stat().st_size // 1000} kB")


if __name__ == "__main__":
    cut("Regular", common(), REGULAR)
    cut("Bold", fans(), BOLD)
