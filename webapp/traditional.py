"""Simplified Chinese into traditional, through OpenCC.

The configurations match whole phrases, because one simplified character may stand for several traditional ones:
复 is 復 in 恢复 (恢復) but 複 in 复制 (複製). Both write characters as Taiwan does.
"""

from enum import StrEnum
from functools import cache

from opencc import OpenCC


class Wording(StrEnum):
    """Which words change beside the characters; the values are OpenCC's configurations."""

    #: The page's sentences also use Taiwan's words for computer terms: 文件 becomes 檔案, 网络 becomes 網路.
    PAGE = "s2twp"
    #: Fans and rules change characters only. Taiwan's computer terms would turn 扩展番种, the extended list of
    #: fans, into 擴充套件番種, fans of a browser extension.
    RULES = "s2tw"


@cache
def _converter(wording: Wording) -> OpenCC:
    return OpenCC(wording.value)


def traditional(text: str, wording: Wording) -> str:
    """`text` in traditional characters; Latin letters and traditional characters stay as they are.

    >>> traditional("复制：清龙、花牌", Wording.PAGE), traditional("国标、一色双龙会", Wording.RULES)
    ('複製：清龍、花牌', '國標、一色雙龍會')
    """
    converted: str = _converter(wording).convert(text)
    return converted
