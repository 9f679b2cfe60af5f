"""Options that commands of several packages share. The module imports nothing but click, so commands start quickly."""

from __future__ import annotations

import click

from scorer.profiles import DEFAULT, PROFILES

profile_option = click.option(
    "--profile",
    default=DEFAULT.name,
    show_default=True,
    metavar="NAME|FILE",
    help=f"Rules to score by: {', '.join(PROFILES)}, or a TOML file of your own.",
)
