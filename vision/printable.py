"""Text that is safe to print, whatever a file is called."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    r"""The text with control characters, and bytes of file names that are no UTF-8, as escapes.

    >>> printable("a\x1b[31m.jpg")
    'a\\x1b[31m.jpg'
    """
    return "".join(
        char.encode("unicode_escape").decode() if unicodedata.category(char) in ("Cc", "Cs") else char
        for char in text
    )
