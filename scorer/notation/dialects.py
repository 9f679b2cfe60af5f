"""What other people write: Chinese names, other letters for the suits, other brackets, and the notation of Botzone."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from scorer.tiles import SUIT_AND_HONOUR_FACES

NARROW: Final = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | {
    ord(theirs): ord(ours)
    for theirs, ours in (("【", "["), ("】", "]"), ("〔", "["), ("〕", "]"), ("，", ","), ("\u3000", " "))
}
"""Full-width characters, as Chinese keyboards type them, and their brackets."""

DIGITS: Final = (
    {digit: rank for rank, digit in enumerate("一二三四五六七八九", 1)}
    | {"伍": 5}
    | {str(rank): rank for rank in range(1, 10)}
)
"""Characters of ranks."""
SUITS: Final = {
    "m": "m", "p": "p", "s": "s", "z": "z", "f": "f", "M": "m", "P": "p", "S": "s", "Z": "z",
    "w": "m", "b": "p", "t": "s",
    "万": "m", "萬": "m", "饼": "p", "餅": "p", "筒": "p", "条": "s", "條": "s", "索": "s",
}  # fmt: skip
"""What may follow ranks, and the suit it is."""
RUN: Final = re.compile(rf"([{''.join(DIGITS)}]+)([{''.join(SUITS)}])")

_NAMES: Final = {
    "东": "1z", "東": "1z", "南": "2z", "西": "3z", "北": "4z",
    "红中": "5z", "紅中": "5z", "中": "5z", "发财": "6z", "發財": "6z", "青发": "6z", "青發": "6z", "发": "6z",
    "發": "6z", "白板": "7z", "白": "7z",
    "春": "1f", "夏": "2f", "秋": "3f", "冬": "4f", "梅": "5f", "兰": "6f", "蘭": "6f", "竹": "7f", "菊": "8f",
}  # fmt: skip
NAME: Final = re.compile(
    "|".join(sorted([f"{wind}[风風]" for wind in "东東南西北"] + list(_NAMES), key=len, reverse=True))
)
"""The Chinese name of a wind, a dragon or a flower; a wind may end in 风."""


def face_named(name: str) -> str:
    """The face of a match of :data:`NAME`."""
    return _NAMES[name.rstrip("风風")]


TRADITIONAL: Final = str.maketrans("万饼条东发兰", "萬餅條東發蘭")

WORDS: Final = ("CHI", "PENG", "GANG")
"""How Botzone calls a chow, a pung and a kong."""
_BOTZONE_SUITS: Final = {"m": "W", "p": "B", "s": "T"}
BOTZONE: Final = {
    face: f"{_BOTZONE_SUITS[face[1]]}{face[0]}"
    if face[1] != "z"
    else f"F{face[0]}"
    if face[0] < "5"
    else f"J{int(face[0]) - 4}"
    for face in SUIT_AND_HONOUR_FACES
}
"""Faces to Botzone's codes."""
FACE_OF_BOTZONE: Final = {code: face for face, code in BOTZONE.items()}
_BOTZONE_TILES: Final = re.compile(r"[\s\[\]()+,'\"]*(?:[WBTFJ][1-9](?:[\s,]+[0-3](?=\]))?[\s\[\]()+,'\"]*)+")
_BOTZONE_WORD: Final = re.compile("|".join(WORDS))
TOKEN: Final = re.compile(
    r"(?P<word>CHI|PENG|GANG)|(?P<tile>[WBTFJ][0-9])|(?P<offer>[0-9]+)|(?P<mark>[\[\]()+])|[\s,'\"]+"
)


class Token(NamedTuple):
    """A part of a text in Botzone's notation."""

    kind: str
    text: str
    position: int


def is_botzone(text: str) -> bool:
    """Whether a text is in Botzone's notation: only its codes, or one of its words for melds.

    No text can be read both ways: in the other notations ranks come before their suit, so none ends in a rank.

    >>> is_botzone("W1 W2 W3 F1"), is_botzone("[PENG W1] B2"), is_botzone("W1m2m"), is_botzone("123mWW")
    (True, True, False, False)
    """
    return bool(_BOTZONE_TILES.fullmatch(text) or _BOTZONE_WORD.search(text))
