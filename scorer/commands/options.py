"""Options that several commands share, and how they all report errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, Final, TypeVar

import click

from scorer.circumstances import Circumstances, Opening
from scorer.errors import HandError
from scorer.jsonl import error_row, json_line
from scorer.profiles import DEFAULT, PROFILES
from scorer.tiles import WINDS

HAND_HELP: Final = """
Write HAND as text: concealed tiles, [melds], the winning tile last, then | winds and flags | flowers.

\b
  345s3p55p5567p[7777s]4p|EE0100|3
  123m = characters, p = dots, s = bamboo; ESWN winds; C F P = red, green, white dragon
  [123m] chow  [EEE] pung  [7777s,1] melded kong  [7777s] concealed kong
  |EE0100: prevalent wind, seat wind, then 1 or 0 for
           self-drawn, 和绝张, last tile, kong    |3: flowers

MPSZ (5z 中, 6z 发, 7z 白; riichi tools have 5z 白, 7z 中), Chinese names, Botzone's codes and Unicode tiles work too.
Put quotes around HAND, because | and [] mean something to the
shell.
"""

Command = TypeVar("Command", bound=Callable[..., Any])

wind_choice: Final = click.Choice(list(WINDS), case_sensitive=False)
profile_option: Final = click.option(
    "--profile",
    default=DEFAULT.name,
    show_default=True,
    metavar="NAME|FILE",
    help=f"Rules to score by: {', '.join(PROFILES)}, or the path of your own TOML file.",
)
json_option: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


def circumstance_options(command: Command) -> Command:
    """Options for how a hand was won; they replace what the text says."""
    options = [
        click.option(
            "--self-drawn/--discard", default=None, help="The winner drew the tile, or claimed a discard."
        ),
        click.option("--last-tile", is_flag=True, default=None, help="妙手回春 / 海底捞月: the last tile."),
        click.option("--kong", is_flag=True, default=None, help="杠上开花 if self-drawn, else 抢杠和."),
        click.option("--fourth-tile", is_flag=True, default=None, help="和绝张: the other three lie open."),
        click.option("--seat-wind", type=wind_choice, help="The winner's seat wind."),
        click.option("--prevalent-wind", type=wind_choice, help="The wind of the round."),
        click.option("--flowers", metavar="COUNT|a-h", help="The flowers: a count, or letters."),
        click.option(
            "--opening",
            type=click.Choice([opening.value for opening in Opening]),
            help="天胡, 地胡 or 人胡; it counts by the profile platform.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def changed(given: Circumstances, options: dict[str, Any]) -> Circumstances:
    """The circumstances with those replaced that :func:`circumstance_options` sets."""
    chosen = {name: value for name, value in options.items() if value is not None}
    if chosen.get("opening"):
        chosen["opening"] = Opening(chosen["opening"])
    return replace(given, **chosen) if chosen else given


def reports_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Make a command with :data:`json_option` print a :class:`HandError` and exit with status 1."""

    @wraps(command)
    def run(*, as_json: bool, **arguments: Any) -> None:
        try:
            command(as_json=as_json, **arguments)
        except HandError as error:
            if as_json:
                click.echo(json_line(error_row(error)))
            click.echo(f"Error [{error.code}]: {error.message}", err=True)
            raise click.exceptions.Exit(1) from None

    return run
