"""``fanlens waits``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from scorer.commands.options import (
    HAND_HELP,
    changed,
    circumstance_options,
    json_option,
    profile_option,
    reports_errors,
)
from scorer.errors import HandError
from scorer.fans.model import ShapeKind
from scorer.hand import Hand, counted
from scorer.jsonl import json_line
from scorer.notation import parse_flowers, parse_tiles
from scorer.profile_file import profile_named
from scorer.scoring import Score
from scorer.tiles import chinese
from scorer.waits import Discard, WaitingTile, best_discards, from_ready_by_shape, waits
from scorer.winning import tiles_away


@click.command("waits", epilog=HAND_HELP)
@click.argument("hand")
@json_option
@click.option("--visible", default="", metavar="TILES", help="Tiles seen on the table outside the hand.")
@circumstance_options
@profile_option
@reports_errors
def waits_command(
    *, hand: str, as_json: bool, visible: str, profile: str, flowers: str | None, **circumstances: Any
) -> None:
    """List the tiles that a hand waits for, or the best discards.

    For 13 tiles: each tile that wins, how many are left, and its total if self-drawn and on a discard, in
    brackets if it is under the minimum. If the hand is not ready: how many tiles it is from ready. For 14
    tiles: the best discards.
    """
    rules = profile_named(profile)
    concealed, melds, aside, given = parse_tiles(hand)
    laid = aside if flowers is None else parse_flowers(flowers)
    how = changed(given, circumstances)
    seen = parse_tiles(visible)[0] if visible.strip() else ()
    _check_size(len(concealed), len(melds))
    if len(concealed) + 3 * len(melds) == 14:
        discards = best_discards(concealed, melds, visible=seen)
        won = tiles_away(Hand(concealed[:-1], melds, concealed[-1])) == 0
        _print_discards(discards, won=won, as_json=as_json)
        return
    found = waits(concealed, melds, how, flowers=laid, visible=seen, profile=rules)
    by_shape = from_ready_by_shape(concealed, melds)
    if as_json:
        rows = [each.to_json() for each in found]
        answer = {"tiles_from_ready": min(by_shape.values()), "by_shape": by_shape, "waits": rows}
        click.echo(json_line(answer))
    elif found:
        _print_waits(found)
    else:
        _print_not_ready(by_shape)


def _check_size(concealed: int, melds: int) -> None:
    fitting = 13 - 3 * melds
    if fitting < 0 or concealed in (fitting, fitting + 1):
        return
    raise HandError(
        "wrong_tile_count",
        f"{counted(concealed, 'concealed tile')} besides {counted(melds, 'meld')}; there must be {fitting} to see "
        f"what they wait for, or {fitting + 1} to see what to discard",
    )


def _print_discards(discards: Iterable[Discard], *, won: bool, as_json: bool) -> None:
    if as_json:
        click.echo(json_line({"wins": won, "discards": [each.to_json() for each in discards]}))
        return
    if won:
        click.echo("These tiles win already: score them with `fanlens score`.")
    for each in discards:
        verb = "improves" if each.left == 1 else "improve"
        click.echo(
            f"{chinese(each.tile)} {each.tile}: {each.tiles_from_ready} from ready, "
            f"{counted(each.left, 'tile')} {verb} it: {' '.join(each.improving)}"
        )


def _print_not_ready(by_shape: Mapping[ShapeKind, int]) -> None:
    shapes = ", ".join(f"{shape.replace('_', ' ')} {number}" for shape, number in by_shape.items())
    click.echo(f"Not ready: {min(by_shape.values())} from ready ({shapes}).")


def _print_waits(found: Iterable[WaitingTile]) -> None:
    table = Table(box=None, pad_edge=False)
    for title in ("tile", "left", "self-drawn", "discard", "fans self-drawn", "fans on a discard"):
        table.add_column(title, overflow="fold")
    for each in found:
        name = f"{chinese(each.tile)} {each.tile}"
        drawn, claimed = each.self_drawn, each.discard
        table.add_row(name, str(each.left), _total(drawn), _total(claimed), _fans(drawn), _fans(claimed))
    Console(highlight=False).print(table)


def _fans(result: Score | None) -> str:
    counts = result.counts if result else {}
    return " ".join(f"{name}×{count}" if count > 1 else name for name, count in counts.items())


def _total(result: Score | None) -> str:
    if result is None:
        return "-"
    return str(result.total) if result.legal else f"({result.total})"
