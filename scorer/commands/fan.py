"""``fanlens fan``."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource
from rich.console import Console
from rich.table import Table

from scorer.commands.options import json_option, profile_option, reports_errors
from scorer.fans import Fan
from scorer.jsonl import json_line
from scorer.profile_file import profile_named
from scorer.profiles import PROFILES, Profile


@click.command("fan")
@click.argument("name", required=False)
@json_option
@profile_option
@reports_errors
def fan_command(*, name: str | None, as_json: bool, profile: str) -> None:
    """List the fans, or explain one.

    NAME is a Chinese or English name, or the number in the list.

    With --profile, shows the whole profile: every fan with its rule, then the rulings.
    """
    rules = profile_named(profile)
    chosen = [fan for fan in rules.fans if name is None or _is_called(fan, name)]
    if not chosen:
        chosen = [rules.fan(name or "")]
    if as_json:
        click.echo(json_line([_fan_json(fan) for fan in chosen]))
        return
    if name is not None:
        for fan in chosen:
            _print_fan(fan)
        return
    source = click.get_current_context().get_parameter_source("profile")
    _print_catalogue(rules, full=source is ParameterSource.COMMANDLINE)


def _is_called(fan: Fan, name: str) -> bool:
    return name.strip().casefold() in (fan.name, fan.english.casefold(), str(fan.number))


def _fan_json(fan: Fan) -> dict[str, Any]:
    # A near miss belongs to the default rules; fans of other profiles have none.
    example = {"hand": fan.example, "near_miss": fan.near_miss} if fan.near_miss else None
    return {
        "number": fan.number,
        "name": fan.name,
        "english": fan.english,
        "points": fan.points,
        "family": str(fan.family),
        "rule": {"zh": fan.rule, "en": fan.rule_english},
        "not_also_counted": list(fan.drops),
        "repeats": fan.repeats,
        "profiles": {profile.name: _points_in(profile, fan) for profile in PROFILES.values()},
        "example": example,
    }


def _points_in(profile: Profile, fan: Fan) -> int | None:
    return next((other.points for other in profile.fans if other.number == fan.number), None)


def _print_catalogue(rules: Profile, *, full: bool) -> None:
    click.echo(f"{rules.name}: {rules.title} / {rules.title_english}")
    if full:
        for fan in rules.fans:
            click.echo(f"{fan.points:4} {fan.name} {fan.english}{', each' if fan.repeats else ''}")
            click.echo(f"       {fan.rule} / {fan.rule_english}")
            if fan.drops:
                click.echo(f"       not also counted: {' '.join(fan.drops)}")
    else:
        table = Table(box=None, pad_edge=False)
        for title in ("points", "fan", "English", "not also counted"):
            table.add_column(title, overflow="fold")
        for fan in rules.fans:
            table.add_row(str(fan.points), fan.name, fan.english, " ".join(fan.drops))
        Console(highlight=False).print(table)
    for line in rules.rulings():
        click.echo(line)


def _print_fan(fan: Fan) -> None:
    click.echo(f"{fan.name} {fan.english}: {fan.points} points ({fan.family}, number {fan.number})")
    click.echo(f"  {fan.rule}")
    click.echo(f"  {fan.rule_english}")
    if fan.drops:
        click.echo(f"  not also counted: {' '.join(fan.drops)}")
    if fan.absorbs:
        click.echo("  its pungs do not count as 幺九刻 as well")
    if fan.repeats:
        click.echo("  may count more than once")
    if fan.example:
        opening = f" (opening win: {fan.opening})" if fan.opening else ""
        click.echo(f"  example: {fan.example}{opening}")
    if fan.near_miss:
        click.echo(f"  near miss: {fan.near_miss}")
    values = {profile.name: _points_in(profile, fan) for profile in PROFILES.values()}
    shown = ", ".join(f"{name} {'-' if value is None else value}" for name, value in values.items())
    click.echo(f"  points by profile: {shown}")
