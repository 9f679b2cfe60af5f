"""What the commands share: lines on a terminal, folders, and errors as one plain line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from scorer.errors import FanlensError
from vision.printable import printable


def say(console: Console, message: str, style: str = "") -> None:
    """Print one line that may contain file names: without markup, emoji codes or control characters."""
    console.print(Text(printable(message), style), soft_wrap=True)


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "photo"), counted(2, "photo")
    ('1 photo', '2 photos')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def make_folder(folder: Path) -> None:
    """Create a folder and its parents. Raises ClickException with the reason."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(
            f"{printable(str(folder))} cannot be created ({reason}): name a folder that you may write to"
        ) from error


@contextmanager
def plain_errors() -> Iterator[None]:
    """End the command with one line on standard error and exit status 1 when Fanlens or the system reports an error.

    Use it as a decorator of a command or around a block.
    """
    try:
        yield
    except FanlensError as error:
        raise click.ClickException(printable(error.message)) from error
    except BrokenPipeError:
        raise  # click ends the command quietly when nobody reads its output
    except OSError as error:
        raise click.ClickException(printable(str(error))) from error
