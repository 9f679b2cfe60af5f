"""What the commands have in common: lines on a terminal, folders made with a clear word."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from vision.printable import printable


def say(console: Console, message: str, style: str) -> None:
    """One line that may name files: no markup, no emoji codes, nothing that steers the terminal."""
    console.print(Text(printable(message), style), soft_wrap=True)


def make_folder(folder: Path) -> None:
    """Make the folder where it is missing. Raises ClickException, which says what to do."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(
            f"{printable(str(folder))} cannot be made ({reason}): name a folder you may write to"
        ) from error
