"""The `ledger` commands for single hands: list and show them, whoever confirmed them, and put one into a match."""

from __future__ import annotations

import json

import click
from rich.console import Console
from rich.table import Table

from scorer.match import Win
from webapp.ledger import Entry, HandSearch, Ledger, LedgerError, StoredMatch
from webapp.ledger.opening import database_option, opened

_MOST_LISTED = 10_000


def _row(entry: Entry) -> tuple[str, ...]:
    paid = ", ".join(
        f"{entry.players.get(seat, seat)} {points:+d}" for seat, points in entry.payments.items()
    )
    fans = ", ".join(award["english"] for award in entry.score["awards"])
    corrected = "corrected" if entry.versions > 1 else ""
    when = f"{entry.confirmed_at:%Y-%m-%d %H:%M}"
    return str(entry.id), when, str(entry.score["total"]), fans, paid, corrected


@click.command("hands")
@database_option
@click.option("--player", default="", help="Only hands with this in a player's name.")
@click.option("--fan", help="Only hands that count this fan (its Chinese name).")
@click.option("--points", type=int, help="Only hands of at least so many points.")
@click.option("--removed", is_flag=True, help="The removed hands instead of the others.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per hand.")
def hands_command(
    database: str | None, player: str, fan: str | None, points: int | None, *, removed: bool, as_json: bool
) -> None:
    """List the hands confirmed outside matches in every browser, the newest first."""
    search = HandSearch(
        player=player, fans=None if fan is None else (fan,), least_points=points, removed=removed
    )
    with opened(database) as ledger:
        found = ledger.entries(_MOST_LISTED, search=search)
        if as_json:
            for entry in found:
                click.echo(json.dumps(entry.to_json(), ensure_ascii=False))
            return
        table = Table("hand", "confirmed (UTC)", "points", "fans", "payments", "")
        for entry in found:
            table.add_row(*_row(entry))
        Console().print(table)


@click.command("hand")
@database_option
@click.argument("number", type=int)
def hand_command(database: str | None, number: int) -> None:
    """Print hand NUMBER as JSON, with its earlier versions."""
    with opened(database) as ledger:
        entry = _hand(ledger, number)
        earlier = [version.to_json() for version in ledger.versions(number)]
        click.echo(json.dumps(entry.to_json() | {"earlier": earlier}, ensure_ascii=False, indent=1))


@click.command("assign")
@database_option
@click.argument("number", type=int)
@click.argument("match", type=int)
@click.option("--winner", help="Who won, by name; needed where the hand does not say it.")
@click.option("--discarder", help="Who discarded the winning tile, by name.")
def assign_command(
    database: str | None, number: int, match: int, winner: str | None, discarder: str | None
) -> None:
    """Enter hand NUMBER as the next hand of match MATCH. The hand itself stays in the ledger."""
    with opened(database) as ledger:
        entry, stored = _hand(ledger, number), ledger.matches.match_of(match)
        if stored is None:
            raise LedgerError(f"there is no match {match}: `fanlens ledger list` shows which there are")
        event = Win(
            _player(stored, winner or entry.players.get(entry.hand["seat_wind"]), "winner"),
            entry.score["total"],
            None
            if entry.hand["self_drawn"]
            else _player(stored, discarder or entry.players.get(entry.discarder or ""), "discarder"),
        )
        entered = ledger.matches.add(
            stored.enter_key,
            event,
            after=len(stored.events),
            entry_key=f"hand-{number}-assigned",
            hand=entry.hand,
            score=entry.score,
        )
        if len(entered.events) == len(stored.events):
            raise LedgerError(f"hand {number} is in match {match} already")
        ledger.put_into_match(number, match)
    click.echo(f"Hand {number} was entered into match {match} as hand {stored.match.hand_number}.")


def _hand(ledger: Ledger, number: int) -> Entry:
    entry = ledger.entry(number)
    if entry is None:
        raise LedgerError(f"there is no hand {number}: `fanlens ledger hands` shows which there are")
    return entry


def _player(stored: StoredMatch, name: str | None, option: str) -> int:
    names = [one.casefold() for one in stored.players]
    if name is None or name.casefold() not in names:
        said = "the hand does not say it" if name is None else f"{name} does not play in it"
        raise LedgerError(f"give --{option} one of {', '.join(stored.players)}: {said}")
    return names.index(name.casefold())


HAND_COMMANDS: tuple[click.Command, ...] = (hands_command, hand_command, assign_command)
