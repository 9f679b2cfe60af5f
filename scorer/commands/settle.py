"""``fanlens settle``."""

from __future__ import annotations

from typing import Final

import click

from scorer.commands.options import json_option, profile_option, reports_errors, wind_choice
from scorer.errors import HandError
from scorer.jsonl import json_line
from scorer.profile_file import profile_named
from scorer.profiles import Profile
from scorer.settlement import Payments, false_win, penalty, points_paid
from scorer.tiles import WINDS

_MOST: Final = 999_999
"""Far above any hand or penalty, and low enough to print every sum."""
_charge = click.IntRange(-_MOST, _MOST)


@click.command("settle")
@click.argument("points", type=click.IntRange(0, _MOST), required=False)
@click.option("--winner", type=wind_choice, help="The winner's seat.")
@click.option(
    "--discarder", type=wind_choice, help="The seat that discarded the tile, or whose kong was robbed."
)
@click.option("--self-drawn", is_flag=True, help="The winner drew the tile.")
@click.option(
    "--penalty", "penalised", nargs=2, type=(wind_choice, _charge), help="SEAT POINTS: the others share them."
)
@click.option(
    "--false-win",
    "falsely",
    nargs=2,
    type=(wind_choice, _charge),
    help="SEAT POINTS: paid to each other seat.",
)
@json_option
@profile_option
@reports_errors
def settle_command(
    *,
    points: int | None,
    winner: str | None,
    discarder: str | None,
    self_drawn: bool,
    penalised: tuple[str, int] | None,
    falsely: tuple[str, int] | None,
    as_json: bool,
    profile: str,
) -> None:
    """Work out who pays whom for a win.

    POINTS include the flowers; seats are E, S, W and N. The profile says how many points a win needs, and
    what every loser pays in addition to them.

    \b
      fanlens settle 12 --winner E --discarder W
      fanlens settle 12 --winner E --self-drawn
      fanlens settle --penalty S 30        fanlens settle --false-win N 10
    """
    if sum(choice is not None for choice in (points, penalised, falsely)) != 1:
        raise click.UsageError("give POINTS, --penalty or --false-win, and only one of them")
    if points is None and (winner or discarder or self_drawn):
        raise click.UsageError("--winner, --discarder and --self-drawn belong to a win: leave them out here")
    if penalised:
        gains = penalty(WINDS.index(penalised[0]), penalised[1])
    elif falsely:
        gains = false_win(WINDS.index(falsely[0]), falsely[1])
    else:
        gains = _paid(points or 0, winner, discarder, self_drawn, profile_named(profile))
    if as_json:
        click.echo(json_line(dict(zip(WINDS, gains, strict=True))))
    else:
        click.echo("  ".join(f"{seat} {gain:+d}" for seat, gain in zip(WINDS, gains, strict=True)))


def _paid(
    points: int, winner: str | None, discarder: str | None, self_drawn: bool, rules: Profile
) -> Payments:
    if winner is None:
        raise click.UsageError("say who won, for example --winner E")
    if points < rules.minimum:
        raise HandError(
            "below_minimum",
            f"{points} points are under the minimum of {rules.minimum} without flowers, so nobody pays for the "
            "hand; settle a false win with --false-win SEAT POINTS",
        )
    payer = None if discarder is None else WINDS.index(discarder)
    return points_paid(
        points, winner=WINDS.index(winner), discarder=payer, self_drawn=self_drawn, base=rules.base
    )
