"""The scorer on the command line: ``fanlens score``, ``waits``, ``fan`` and ``settle``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final, TextIO, TypeVar

import click
from click.core import ParameterSource
from rich.console import Console
from rich.table import Table

from scorer.circumstances import Circumstances, Opening, check_together
from scorer.errors import HandError
from scorer.explain import explain
from scorer.fans import BY_NAME, Fan
from scorer.fans.examples import EXAMPLES
from scorer.hand import Hand
from scorer.jsonl import error_row, json_line, scored_lines
from scorer.notation import parse_flowers, parse_hand, parse_tiles
from scorer.options import profile_option
from scorer.profile_file import profile_named
from scorer.profiles import PROFILES, Profile
from scorer.scoring import Score, score
from scorer.settlement import Payments, false_win, penalty, points_paid
from scorer.tiles import chinese, unicode_tile
from scorer.waits import Discard, WaitingTile, best_discards, from_ready_by_shape, waits
from scorer.winning.distance import tiles_away

HAND_HELP: Final = """
HAND is text: concealed tiles, [melds], the winning tile last, then | winds and flags | flowers.

\b
  345s3p55p5567p[7777s]4p|EE0100|3
  123m = characters, p = dots, s = bamboo; ESWN winds; C F P = red, green, white
  [123m] chow  [EEE] pung  [7777s,1] melded kong  [7777s] concealed kong
  |EE0100: prevalent wind, seat wind, then 1 or 0 for
           self-drawn, 和绝张, last tile, kong    |3: flowers

MPSZ (1234567z) and Unicode tiles are read too. Quote it: | and [] mean something to the shell.
"""

Command = TypeVar("Command", bound=Callable[..., Any])


def _circumstance_options(command: Command) -> Command:
    """Options for how a hand was won; they replace what the text says."""
    wind = click.Choice(["E", "S", "W", "N"], case_sensitive=False)
    options = [
        click.option("--self-drawn/--discard", default=None, help="Won on one's own draw, or on a discard."),
        click.option("--last-tile", is_flag=True, default=None, help="妙手回春 / 海底捞月: the last tile."),
        click.option("--kong", is_flag=True, default=None, help="杠上开花 if self-drawn, else 抢杠和."),
        click.option("--fourth-tile", is_flag=True, default=None, help="和绝张: the other three lie open."),
        click.option("--seat-wind", type=wind, help="The winner's seat wind."),
        click.option("--prevalent-wind", type=wind, help="The wind of the round."),
        click.option("--flowers", metavar="COUNT|a-h", help="Flowers laid aside: a count, or letters."),
        click.option(
            "--opening",
            type=click.Choice([opening.value for opening in Opening]),
            help="天胡, 地胡 or 人胡 (profile platform).",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


def _fail(error: HandError, *, as_json: bool = False) -> None:
    """Say what is wrong and leave with status 1."""
    if as_json:
        click.echo(json_line(error_row(error)))
    click.echo(f"Error [{error.code}]: {error.message}", err=True)
    raise click.exceptions.Exit(1)


def _changed(given: Circumstances, options: dict[str, Any]) -> Circumstances:
    chosen = {name: value for name, value in options.items() if value is not None}
    if chosen.get("opening"):
        chosen["opening"] = Opening(chosen["opening"])
    return replace(given, **chosen) if chosen else given


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


@click.command("score", epilog=HAND_HELP)
@click.argument("hand", required=False)
@json_option
@click.option("--explain", "explained", is_flag=True, help="Say why each fan counts, or does not.")
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", help="Language of --explain.")
@click.option(
    "--jsonl",
    type=click.File("r", encoding="utf-8-sig", errors="replace"),
    help="Score a file of hands, one JSON object a line (- for standard input).",
)
@_circumstance_options
@profile_option
def score_command(
    *,
    hand: str | None,
    as_json: bool,
    explained: bool,
    language: str,
    jsonl: TextIO | None,
    profile: str,
    **options: Any,
) -> None:
    """Score a hand written as text or JSON.

    With --jsonl, prints one result object for each line, in the same order; a hand that cannot be
    scored gets an object with "error", and so does a blank line, save at the end of the file. The exit
    status is 1 if any line failed or there is none.
    """
    if (hand is None) == (jsonl is None):
        raise click.UsageError("give either a HAND or --jsonl FILE")
    try:
        rules = profile_named(profile)
        if jsonl is not None:
            if not _score_lines(jsonl, rules):
                raise click.exceptions.Exit(1)
            return
        won, given = parse_hand(hand or "")
        flowers = options.pop("flowers")
        if flowers is not None:
            won = replace(won, flowers=parse_flowers(flowers))
        how = _changed(given, options)
        check_together(won, how)
        result = score(won, how, rules)
    except HandError as error:
        _fail(error, as_json=as_json)
        return
    if as_json:
        shown = result.to_json()
        if explained:
            shown["explanation"] = explain(result).to_json()
        click.echo(json_line(shown))
    elif explained:
        click.echo(explain(result).text(language))
    else:
        _print_score(result)


def _score_lines(lines: Iterable[str], rules: Profile) -> bool:
    """Print a result object for each line; whether every hand could be scored."""
    sound, empty = True, True
    for row in scored_lines(lines, rules):
        sound, empty = sound and row["error"] is None, False
        sys.stdout.write(json_line(row) + "\n")
    if empty:
        raise HandError("not_json", "there is no line to score: give one JSON object a line")
    return sound


@click.command("waits", epilog=HAND_HELP)
@click.argument("hand")
@json_option
@click.option("--visible", default="", metavar="TILES", help="Tiles seen on the table outside the hand.")
@_circumstance_options
@profile_option
def waits_command(*, hand: str, as_json: bool, visible: str, profile: str, **options: Any) -> None:
    """List the tiles that a hand waits for, or the best discards.

    For 13 tiles: each tile that wins, how many are left, and its total self-drawn and on a discard
    (in brackets if under the minimum). If the hand is not ready: how many tiles it is from ready. For
    14 tiles: the best discards.
    """
    try:
        rules = profile_named(profile)
        concealed, melds, aside, given = parse_tiles(hand)
        laid = options.pop("flowers")
        flowers = aside if laid is None else parse_flowers(laid)
        how = _changed(given, options)
        seen = parse_tiles(visible)[0] if visible.strip() else ()
        _check_size(len(concealed), len(melds))
        if len(concealed) + 3 * len(melds) == 14:
            discards = best_discards(concealed, melds, visible=seen)
            won = tiles_away(Hand(concealed[:-1], melds, concealed[-1])) == 0
            _print_discards(discards, won=won, as_json=as_json)
            return
        found = waits(concealed, melds, how, flowers=flowers, visible=seen, profile=rules)
        by_shape = from_ready_by_shape(concealed, melds)
        away = min(by_shape.values())
    except HandError as error:
        _fail(error, as_json=as_json)
        return
    if as_json:
        shown = {
            "tiles_from_ready": away,
            "by_shape": by_shape,
            "waits": [each.to_json() for each in found],
        }
        click.echo(json_line(shown))
        return
    if not found:
        shapes = ", ".join(f"{shape.replace('_', ' ')} {number}" for shape, number in by_shape.items())
        click.echo(f"Not ready: {away} from ready ({shapes}).")
        return
    _print_waits(found)


def _check_size(concealed: int, melds: int) -> None:
    fitting = 13 - 3 * melds
    if fitting < 0 or concealed in (fitting, fitting + 1):
        return
    raise HandError(
        "wrong_tile_count",
        f"{concealed} concealed tiles beside {melds} melds; there must be {fitting} to see what they wait for, "
        f"or {fitting + 1} to see what to discard",
    )


def _print_discards(discards: Iterable[Discard], *, won: bool, as_json: bool) -> None:
    if as_json:
        rows = [each.to_json() for each in discards]
        click.echo(json_line({"wins": won, "discards": rows}))
        return
    if won:
        click.echo("These tiles win as they are: score them with `fanlens score`.")
    for each in discards:
        click.echo(
            f"{chinese(each.tile)} {each.tile}: {each.tiles_from_ready} from ready, "
            f"{each.left} tiles improve it: {' '.join(each.improving)}"
        )


def _print_waits(found: Iterable[WaitingTile]) -> None:
    table = Table(box=None, pad_edge=False)
    for title in ("tile", "left", "self-drawn", "discard", "fans self-drawn", "fans on a discard"):
        table.add_column(title, overflow="fold")
    for each in found:
        name = f"{chinese(each.tile)} {each.tile}"
        drawn, claimed = each.self_drawn, each.discard
        table.add_row(name, str(each.left), _worth(drawn), _worth(claimed), _names(drawn), _names(claimed))
    Console(highlight=False).print(table)


def _names(result: Score | None) -> str:
    counts = result.counts if result else {}
    return " ".join(f"{name}×{count}" if count > 1 else name for name, count in counts.items())


def _worth(result: Score | None) -> str:
    if result is None:
        return "-"
    return str(result.total) if result.legal else f"({result.total})"


@click.command("fan")
@click.argument("name", required=False)
@json_option
@profile_option
def fan_command(name: str | None, as_json: bool, profile: str) -> None:
    """List the fans, or explain one.

    NAME is a Chinese or English name, or a number of the list.

    With --profile, the whole profile: every fan with its rule, then the rulings.
    """
    try:
        rules = profile_named(profile)
        chosen = [fan for fan in rules.fans if name is None or _is_called(fan, name)]
        if not chosen:
            rules.fan(name or "")
    except HandError as error:
        _fail(error, as_json=as_json)
        return
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
    values = {profile.name: _value_in(profile, fan) for profile in PROFILES.values()}
    return {
        "number": fan.number,
        "name": fan.name,
        "english": fan.english,
        "points": fan.points,
        "family": str(fan.family),
        "rule": {"zh": fan.rule, "en": fan.rule_english},
        "not_also_counted": list(fan.drops),
        "repeats": fan.repeats,
        "profiles": values,
        "example": _example(fan),
    }


def _example(fan: Fan) -> dict[str, str] | None:
    """A hand that counts the fan and a near miss, by the default rules."""
    same = next((name for name, other in BY_NAME.items() if other.number == fan.number), "")
    if same not in EXAMPLES:
        return None
    hand, near_miss = EXAMPLES[same]
    return {"hand": hand, "near_miss": near_miss}


def _value_in(profile: Profile, fan: Fan) -> int | None:
    same = [other for other in profile.fans if other.number == fan.number]
    return same[0].points if same else None


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
        click.echo("  its own pungs are not 幺九刻 as well")
    if fan.repeats:
        click.echo("  counted as often as it is there")
    example = _example(fan)
    if example:
        click.echo(f"  example: {example['hand']}")
        click.echo(f"  near miss: {example['near_miss']}")
    values = {profile.name: _value_in(profile, fan) for profile in PROFILES.values()}
    told = ", ".join(f"{name} {'-' if value is None else value}" for name, value in values.items())
    click.echo(f"  points by profile: {told}")


SEATS: Final = "ESWN"
_MOST: Final = 999_999
"""Far above any hand or penalty; keeps the sums printable."""
_charge = click.IntRange(-_MOST, _MOST)
_seat = click.Choice(list(SEATS), case_sensitive=False)


@click.command("settle")
@click.argument("points", type=click.IntRange(0, _MOST), required=False)
@click.option("--winner", type=_seat, help="Seat of the winner.")
@click.option("--discarder", type=_seat, help="Seat of who discarded the tile, or whose kong was robbed.")
@click.option("--self-drawn", is_flag=True, help="The winner drew the tile.")
@click.option(
    "--penalty", "penalised", nargs=2, type=(_seat, _charge), help="SEAT POINTS: shared by the others."
)
@click.option(
    "--false-win", "falsely", nargs=2, type=(_seat, _charge), help="SEAT POINTS: paid to each other."
)
@json_option
@profile_option
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

    POINTS include the flowers; seats are E, S, W and N. The profile says how many points a win needs and
    what every loser pays on top of them.

    \b
      fanlens settle 12 --winner E --discarder W
      fanlens settle 12 --winner E --self-drawn
      fanlens settle --penalty S 30        fanlens settle --false-win N 10
    """
    if sum(choice is not None for choice in (points, penalised, falsely)) != 1:
        raise click.UsageError("give POINTS, --penalty or --false-win, one of them")
    if points is None and (winner or discarder or self_drawn):
        raise click.UsageError("--winner, --discarder and --self-drawn belong to a win: leave them out here")
    try:
        if penalised:
            gains = penalty(SEATS.index(penalised[0]), penalised[1])
        elif falsely:
            gains = false_win(SEATS.index(falsely[0]), falsely[1])
        else:
            gains = _paid(points or 0, winner, discarder, self_drawn, profile_named(profile))
    except HandError as error:
        _fail(error, as_json=as_json)
        return
    if as_json:
        click.echo(json_line(dict(zip(SEATS, gains, strict=True))))
    else:
        click.echo("  ".join(f"{seat} {gain:+d}" for seat, gain in zip(SEATS, gains, strict=True)))


def _paid(
    points: int, winner: str | None, discarder: str | None, self_drawn: bool, rules: Profile
) -> Payments:
    if winner is None:
        raise click.UsageError("say who won: --winner E")
    if points < rules.minimum:
        raise HandError(
            "below_minimum",
            f"{points} points are under the {rules.minimum} that a win needs without its flowers: nobody pays "
            "for it; settle a false declaration with --false-win SEAT POINTS",
        )
    payer = None if discarder is None else SEATS.index(discarder)
    return points_paid(
        points, winner=SEATS.index(winner), discarder=payer, self_drawn=self_drawn, base=rules.base
    )


COMMANDS: Final[tuple[click.Command, ...]] = (score_command, waits_command, fan_command, settle_command)
"""What the ``fanlens`` command takes over from here."""
