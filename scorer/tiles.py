"""The 42 tile faces, their order, their names and their Unicode characters.

Fanlens writes a face as two characters, rank and suit: ``1m-9m`` characters (万), ``1p-9p`` dots (饼),
``1s-9s`` bamboo (条), ``1z-4z`` the East, South, West and North wind, ``5z 6z 7z`` the red, green and
white dragon (中 发 白), and ``1f-8f`` the flowers 春 夏 秋 冬 梅 兰 竹 菊.

>>> FACES[0], FACES[33], FACES[41], len(FACES)
('1m', '7z', '8f', 42)
>>> chinese("5z"), english("5z"), unicode_tile("5z")
('中', 'Red Dragon', '🀄')
"""

from __future__ import annotations

from itertools import permutations
from typing import Final

SUITS: Final = "mps"
SUIT_AND_HONOUR_FACES: Final[tuple[str, ...]] = tuple(
    [f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)] + [f"{rank}z" for rank in range(1, 8)]
)
FLOWERS: Final[tuple[str, ...]] = tuple(f"{rank}f" for rank in range(1, 9))
FACES: Final[tuple[str, ...]] = SUIT_AND_HONOUR_FACES + FLOWERS
BACK: Final = "back"
"""A face-down tile: a camera may see one, but a hand with one cannot be scored."""

FACE_INDEX: Final[dict[str, int]] = {face: index for index, face in enumerate(FACES)}
"""Face to its place in :data:`FACES`; 0-33 are the playing tiles, 34-41 the flowers."""

WINDS: Final = "ESWN"
"""Wind letters in seat order; the face of ``WINDS[i]`` is ``f"{i + 1}z"``."""

ORPHANS: Final[tuple[str, ...]] = tuple(
    face for face in SUIT_AND_HONOUR_FACES if face[1] == "z" or face[0] in "19"
)
"""The 13 terminals and honours (幺九牌), which thirteen orphans need: the 1s and 9s, winds and dragons."""

KNITTED_ARRANGEMENTS: Final[tuple[tuple[str, ...], ...]] = tuple(
    tuple(f"{rank + step}{suit}" for suit, rank in zip(SUITS, ranks, strict=True) for step in (0, 3, 6))
    for ranks in permutations((1, 2, 3))
)
"""The six ways to share 147, 258 and 369 among the suits (组合龙), nine faces each in the order of
:data:`FACES`."""

_DIGITS = "一二三四五六七八九"
_SUIT_CHINESE = {"m": "万", "p": "饼", "s": "条"}
_SUIT_ENGLISH = {"m": "Characters", "p": "Dots", "s": "Bamboo"}
_HONOUR_CHINESE = "东南西北中发白"
_HONOUR_ENGLISH = (
    "East Wind", "South Wind", "West Wind", "North Wind", "Red Dragon", "Green Dragon", "White Dragon",
)  # fmt: skip
_FLOWER_CHINESE = "春夏秋冬梅兰竹菊"
_FLOWER_ENGLISH = ("Spring", "Summer", "Autumn", "Winter", "Plum", "Orchid", "Bamboo Plant", "Chrysanthemum")


def chinese(face: str) -> str:
    """The Chinese name of a face, as a player says it: ``3m`` is 三万, ``1z`` is 东."""
    rank = int(face[0]) - 1
    if face[1] == "z":
        return _HONOUR_CHINESE[rank]
    if face[1] == "f":
        return _FLOWER_CHINESE[rank]
    return _DIGITS[rank] + _SUIT_CHINESE[face[1]]


def english(face: str) -> str:
    """The English name of a face.

    >>> [english(face) for face in ("3m", "5p", "7s", "1z", "5z", "1f")]
    ['3 Characters', '5 Dots', '7 Bamboo', 'East Wind', 'Red Dragon', 'Spring']
    """
    rank = int(face[0]) - 1
    if face[1] == "z":
        return _HONOUR_ENGLISH[rank]
    if face[1] == "f":
        return _FLOWER_ENGLISH[rank]
    return f"{rank + 1} {_SUIT_ENGLISH[face[1]]}"


def _unicode_by_face() -> dict[str, str]:
    # The block U+1F000 orders: winds, dragons, characters, bamboos, dots, then the four plants
    # (plum first) and the four seasons (spring first).
    order = [f"{rank}z" for rank in range(1, 8)]
    order += [f"{rank}{suit}" for suit in "msp" for rank in range(1, 10)]
    order += ["5f", "6f", "7f", "8f", "1f", "2f", "3f", "4f"]
    return {face: chr(0x1F000 + offset) for offset, face in enumerate(order)}


UNICODE_OF_FACE: Final[dict[str, str]] = _unicode_by_face()
FACE_OF_UNICODE: Final[dict[str, str]] = {char: face for face, char in UNICODE_OF_FACE.items()}


def unicode_tile(face: str) -> str:
    """The Unicode character of a face (block Mahjong Tiles); ``back`` is U+1F02B."""
    return "\U0001f02b" if face == BACK else UNICODE_OF_FACE[face]


def in_order(faces: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """The same faces sorted as :data:`FACES` sorts them.

    >>> in_order(["1z", "9s", "1m"])
    ('1m', '9s', '1z')
    """
    return tuple(sorted(faces, key=FACE_INDEX.__getitem__))
