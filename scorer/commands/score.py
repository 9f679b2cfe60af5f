"""``fanlens score``."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any, TextIO

import click
from rich.console import Console
from rich.table import Table

from scorer.circumstances import check_together
from scorer.commands.options import (
    HAND_HELP,
    changed,
    circumstance_options,
    json_option,
    profile_option,
    reports_errors,
)
from scorer.errors import HandError
from scorer.explain import explain
from scorer.jsonl import AT_ONCE, json_line, scored_texts, with_notes
from scorer.notation import numbers_a_dragon, parse_flowers, parse_hand, says_winds
from scorer.notes import DRAGONS_BY_NUMBER, WINDS_OF_A_WIN, notes_on
from scorer.profile_file import profile_named
from scorer.profiles import Profile
from scorer.scoring import Score, score
from scorer.tiles import unicode_tile


@click.command("score", epilog=HAND_HELP)
@click.argument("hand", required=False)
@json_option
@click.option("--explain", "explained", is_flag=True, help="Say why each fan counts or does not.")
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", help="Language of --explain.")
@click.option(
    "--jsonl",
    type=click.File("r", encoding="utf-8-sig", errors="replace"),
    help="Score a file of hands, one JSON object per line (- for standard input).",
)
@circumstance_options
@profile_option
@reports_errors
def score_command(
    *,
    hand: str | None,
    as_json: bool,
    explained: bool,
    language: str,
    jsonl: TextIO | None,
    profile: str,
    flowers: str | None,
    **circumstances: Any,
) -> None:
    """Score a hand written as text or JSON.

    Prints its fans, its total, and whether it reaches the minimum.

    With --jsonl, prints one result object for each line, in the same order. A hand that cannot be scored gets
    an object with "error", and so does a blank line, except at the end of the file. The exit status is 1 if a
    line failed or there was no line.
    """
    if (hand is None) == (jsonl is None):
        raise click.UsageError("give either a HAND or --jsonl FILE")
    rules = profile_named(profile)
    if jsonl is not None:
        if not _score_lines(jsonl, rules):
            raise click.exceptions.Exit(1)
        return
    text = hand or ""
    won, given = parse_hand(text)
    if flowers is not None:
        won = replace(won, flowers=parse_flowers(flowers))
    how = changed(given, circumstances)
    check_together(won, how)
    result = score(won, how, rules)
    told = {name for name, value in circumstances.items() if value is not None}
    notes = notes_on({*WINDS_OF_A_WIN} if says_winds(text) else told, how, rules)
    if numbers_a_dragon(text):
        notes += (DRAGONS_BY_NUMBER,)
    if as_json:
        shown = with_notes(result.to_json(), notes)
        if explained:
            shown["explanation"] = explain(result).to_json()
        click.echo(json_line(shown))
    elif explained:
        click.echo(explain(result).text(language))
    else:
        _print_score(result)
    if not as_json:
        for note in notes:
            click.echo(f"Note: {note.message}.", err=True)


def _score_lines(lines: TextIO, rules: Profile) -> bool:
    """Print a result object for each line; return whether every hand could be scored."""
    sound, empty = True, True
    # A person who types lines wants each answer at once.
    at_once = 1 if lines.isatty() else AT_ONCE
    for answer in scored_texts(lines, rules, at_once=at_once):
        sound, empty = sound and answer.scored, False
        sys.stdout.write(answer.text + "\n")
    if empty:
        raise HandError("not_json", "there is no line to score; give one JSON object per line")
    return sound


def _print_score(result: Score) -> None:
    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False)
    for title in ("points", "fan", "", "tiles"):
        table.add_column(title, justify="right" if title == "points" else "left", overflow="fold")
    for award in result.fans:
        times = f" ×{award.count}" if award.count > 1 else ""
        shown = "  ".join("".join(map(unicode_tile, tiles)) for tiles in award.tiles if len(tiles) < 14)
        table.add_row(str(award.points), award.fan.name + times, award.fan.english, shown)
    console.print(table)
    verdict = f"{result.total} points"
    if result.flowers:
        verdict += f" ({result.qualifying} and {result.flowers} for flowers)"
    if not result.legal:
        verdict += f"; NOT a legal win: {result.qualifying} of the {result.minimum} needed without flowers"
    console.print(verdict)
