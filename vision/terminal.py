"""What the commands have in common: lines that are safe to print, folders made with a clear word."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text


def say(console: Console, message: str, style: str) -> None:
    """One line that may name files: no markup, no emoji codes, nothing that steers the terminal."""
    console.print(Text(printable(message), style), soft_wrap=True)


def printable(text: str) -> str:
    r"""The text with control characters, and bytes of file names that are no UTF-8, as escapes.

    >>> printable("a\x1b[31m.jpg")
    'a\\x1b[31m.jpg'
    """
    return "".join(
        char.encode("unicode_escape").decode() if unicodedata.category(char) in ("Cc", "Cs") else char
        for char in text
    )


def make_folder(folder: Path) -> None:
    """Make the folder where it is missing. Raises ClickException, which says what to do."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(
            f"{printable(str(folder))} cannot be made ({reason}): name a folder you may write to"
        ) from error
