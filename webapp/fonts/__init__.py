"""The typeface of the pictures that the server draws: a server may have no Chinese fonts.

Two subsets of Noto Sans CJK SC under the SIL Open Font License (`OFL.txt`), cut by `python -m webapp.fonts.cut`. The
regular weight has the common simplified and traditional characters, for the names of people; the bold weight has
digits, Latin letters and the names of the fans.
"""

from functools import cache
from pathlib import Path

from PIL import ImageFont

FOLDER = Path(__file__).parent
REGULAR = FOLDER / "NotoSansCJKsc-Regular-subset.otf"
BOLD = FOLDER / "NotoSansCJKsc-Bold-subset.otf"


@cache
def typeface(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """The typeface at `size` pixels per em."""
    # The basic layout sets a line of text the same way on every machine, with or without Raqm.
    return ImageFont.truetype(BOLD if bold else REGULAR, size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _known(character: str) -> bool:
    face = typeface(16)
    return character.isspace() or bytes(face.getmask(character)) != bytes(face.getmask("\uffff"))


def drawable(text: str) -> str:
    """`text` without the characters that the typeface lacks and would draw as boxes.

    >>> drawable("张三 🀄 Zoë")
    '张三 Zoë'
    """
    return " ".join("".join(character for character in text if _known(character)).split())
