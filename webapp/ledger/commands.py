"""The `ledger` command: the operator's view of every match and hand, whoever entered it."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from scorer.errors import FanlensError
from scorer.match import Penalty, standings, statistics
from vision.output_files import atomic_write
from webapp.ledger import Ledger, LedgerError, MatchSummary, Search, StoredMatch
from webapp.ledger.database import default_database
from webapp.ledger.exchange import match_from_json, match_to_csv, match_to_json
from webapp.ledger.hand_commands import HAND_COMMANDS
from webapp.ledger.opening import database_option, opened
from webapp.ledger.upkeep import backup, check, restore

_MOST_LISTED = 10_000


@click.group(name="ledger")
def ledger_group() -> None:
    """List, export, back up and check the ledger."""


@ledger_group.command("list")
@database_option
@click.option("--player", help="Only matches of this player.")
@click.option("--fan", help="Only matches with a win of this fan (its Chinese name).")
@click.option("--points", type=int, help="Only matches with a win of at least so many points.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per match.")
def list_command(
    database: str | None, player: str | None, fan: str | None, points: int | None, as_json: bool
) -> None:
    """List the matches, the newest first."""
    with opened(database) as ledger:
        found = ledger.matches.listed(
            Search(player=player, fans=(fan,) if fan else (), least_points=points), limit=_MOST_LISTED
        )
        if as_json:
            for one in found:
                click.echo(json.dumps(_summary_json(one), ensure_ascii=False))
            return
        table = Table("match", "started (UTC)", "title", "players", "")
        for one in found:
            players = ", ".join(
                f"{name} {total:+d}" for name, total in zip(one.players, one.totals, strict=True)
            )
            started = f"{one.started_at:%Y-%m-%d %H:%M}"
            table.add_row(str(one.id), started, one.title, players, "ended" if one.ended else "in play")
        Console().print(table)


def _summary_json(one: MatchSummary) -> dict[str, Any]:
    totals = dict(zip(one.players, one.totals, strict=True))
    started = one.started_at.isoformat(timespec="seconds")
    return {"match": one.id, "title": one.title, "started_at": started, "ended": one.ended, "totals": totals}


@ledger_group.command("show")
@database_option
@click.argument("number", type=int)
@click.option("--json", "as_json", is_flag=True, help="Print the match as `ledger export` writes it.")
def show_command(database: str | None, number: int, as_json: bool) -> None:
    """Show the score sheet of match NUMBER."""
    with opened(database) as ledger:
        stored = _match(ledger, number)
        if as_json:
            click.echo(json.dumps(match_to_json(stored), ensure_ascii=False, indent=1))
            return
        match = stored.match
        table = Table("hand", "wind", *stored.players, title=stored.title or f"Match {number}")
        for played in match.played:
            gains = match.moved_by(played.entry).players
            mark = " (corrected)" if len(played.entry.versions) > 1 else ""
            table.add_row(f"{played.number}{mark}", played.prevalent_wind, *(f"{gain:+d}" for gain in gains))
        for entry in match.charges:
            reason = entry.event.reason if isinstance(entry.event, Penalty) else ""
            gains = match.moved_by(entry).players
            table.add_row("penalty", reason, *(f"{gain:+d}" for gain in gains))
        table.add_row("total", "", *(f"{total:+d}" for total in match.totals))
        ranks = {one.player: one for one in standings(match.totals)}
        table.add_row("rank", "", *(str(ranks[player].rank) for player in range(4)))
        Console().print(table)


def _match(ledger: Ledger, number: int) -> StoredMatch:
    stored = ledger.matches.match_of(number)
    if stored is None:
        raise LedgerError(f"there is no match {number}: `fanlens ledger list` shows which there are")
    return stored


@ledger_group.command("statistics")
@database_option
@click.option("--player", help="Only matches of this player.")
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="Only matches since this day (UTC).")
@click.option("--json", "as_json", is_flag=True, help="Print the players as a JSON array.")
def statistics_command(
    database: str | None, player: str | None, since: datetime | None, as_json: bool
) -> None:
    """Show what every player did over all matches."""
    search = Search(player=player, since=None if since is None else since.replace(tzinfo=UTC))
    with opened(database) as ledger:
        found = statistics(ledger.matches.played(search))
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], ensure_ascii=False))
        return
    table = Table(
        "player", "matches", "hands", "wins", "self-drawn", "deal-ins", "average", "biggest", "points"
    )
    for one in found:
        average = "" if one.average is None else f"{one.average:.1f}"
        counts = (one.matches, one.hands, one.wins, one.self_drawn, one.deal_ins)
        table.add_row(one.name, *map(str, counts), average, str(one.biggest or ""), f"{one.points:+d}")
    Console().print(table)


@ledger_group.command("export")
@database_option
@click.argument("numbers", type=int, nargs=-1)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="FILE.json or FILE.csv."
)
def export_command(database: str | None, numbers: tuple[int, ...], out: Path) -> None:
    """Write matches NUMBERS (all of them if none is given) as JSON, or one match as a CSV score sheet."""
    with opened(database) as ledger:
        wanted = numbers or [one.id for one in reversed(ledger.matches.listed(limit=_MOST_LISTED))]
        stored = [_match(ledger, number) for number in wanted]
        if out.suffix == ".csv":
            if len(stored) != 1:
                raise LedgerError(
                    f"a CSV score sheet holds one match, not {len(stored)}: name one match, or use .json"
                )
            content = "\ufeff" + match_to_csv(stored[0])
        elif out.suffix == ".json":
            content = json.dumps([match_to_json(one) for one in stored], ensure_ascii=False, indent=1) + "\n"
        else:
            raise LedgerError(f"{out} must end in .json or .csv")
        try:
            with atomic_write(out) as file:
                file.write(content.encode())
        except OSError as error:
            raise LedgerError(f"{out} cannot be written ({error.strerror}): give another --out") from error
    click.echo(f"{len(stored)} {'match' if len(stored) == 1 else 'matches'} written to {out}.")


@ledger_group.command("import")
@database_option
@click.argument("source", type=click.Path(dir_okay=False, path_type=Path))
def import_command(database: str | None, source: Path) -> None:
    """Add the matches of SOURCE, a JSON file that `ledger export` wrote."""
    try:
        data = json.loads(source.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise click.ClickException(
            f"{source} cannot be read ({error}): name a file of `ledger export`"
        ) from error
    with opened(database) as ledger:
        exported = [match_from_json(one) for one in (data if isinstance(data, list) else [data])]
        for stored, owner in ledger.matches.take_in(exported):
            click.echo(f"match {stored.id} added; its owner's key is {owner}")


@ledger_group.command("backup")
@database_option
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path))
def backup_command(database: str | None, target: Path) -> None:
    """Copy the ledger to TARGET while it is in use."""
    with opened(database) as ledger:
        backup(ledger.database, target)
    click.echo(f"The ledger was backed up to {target}.")


@ledger_group.command("restore")
@database_option
@click.argument("source", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Replace an existing ledger; the old one is kept beside it.")
def restore_command(database: str | None, source: Path, replace: bool) -> None:
    """Put the backup SOURCE in the place of the ledger. Stop `fanlens serve` first."""
    path = Path(database) if database else default_database()
    try:
        restore(source, path, replace=replace)
    except FanlensError as error:
        raise click.ClickException(error.message) from error
    click.echo(f"{source} was restored to {path}.")


@ledger_group.command("check")
@database_option
def check_command(database: str | None) -> None:
    """Check the database, replay every match, and report what is wrong."""
    with opened(database) as ledger:
        faults = list(check(ledger))
    for fault in faults:
        click.echo(fault)
    if faults:
        raise click.ClickException("the ledger is damaged: restore a backup with `fanlens ledger restore`")
    click.echo("The ledger is sound.")


for command in HAND_COMMANDS:
    ledger_group.add_command(command)

COMMANDS: tuple[click.Command, ...] = (ledger_group,)
