"""Text that is safe to print, whatever a file is called."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    r"""The text with escapes for control characters and for bytes of file names that are not UTF-8.

    >>> printable("a\x1b[31m.jpg")
    'a\\x1b[31m.jpg'
    """
    return "".join(
        char.encode("unicode_escape").decode() if unicodedata.category(char) in ("Cc", "Cs") else char
        for char in text
    )
