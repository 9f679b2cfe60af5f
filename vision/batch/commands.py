"""The command `fanlens batch`."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn

import click

from scorer import FanlensError
from scorer.jsonl import json_line
from scorer.options import profile_option
from vision.batch.listing.listing import Listing
from vision.batch.progress import Bar, Lines, Silent, summary
from vision.batch.run import Options, Outcome, run_batch
from vision.printable import printable

_WIND = click.Choice(["E", "S", "W", "N"], case_sensitive=False)
_COULD_NOT_RUN = 2
_INTERRUPTED = 130
_STANDARD_ERROR = 2


@click.command()
@click.argument("source")
@click.option(
    "--out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Results: JSON Lines, or a table if the name ends in .csv or .parquet.",
)
@click.option(
    "--resume", is_flag=True, help="Continue a run that was stopped: read only what is new or changed."
)
@click.option(
    "--circumstances",
    type=click.Path(path_type=Path),
    metavar="FILE.csv",
    help="How each hand was won: columns photo, seat_wind, prevalent_wind, self_drawn, …",
)
@click.option("--seat-wind", type=_WIND, help="Seat wind when nothing else specifies it.  [assumed: E]")
@click.option(
    "--prevalent-wind", type=_WIND, help="Prevalent wind when nothing else specifies it.  [assumed: E]"
)
@click.option(
    "--self-drawn/--discard",
    default=None,
    help="How the hand was won when nothing else specifies it.  [assumed: discard]",
)
@profile_option
@click.option("--tileset", metavar="NAME", help="Your tile set, taught with `fanlens tileset learn`.")
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.html",
    help="Also write a page with every photo, failed and doubtful ones first.",
)
@click.option(
    "--annotated",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also write each photo with its tiles outlined and named into DIR.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="What reads the photos: processes on this machine, or a Dask cluster (pip install 'fanlens[dask]').",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Scheduler of the Dask cluster, tcp://…:8786.  [default: a cluster on this machine]",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 1024),
    help="Number of processes that read photos.  [default: one per core]",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=120.0,
    show_default=True,
    help="Longest time for one photo, in seconds.",
)
@click.option("--shard-size", type=click.IntRange(1), default=100, show_default=True, help="Rows per shard.")
@click.option("--quiet", is_flag=True, help="Print only fatal errors.")
@click.option("--log-json", is_flag=True, help="Print progress and summary as JSON on standard error.")
def batch(**options: Any) -> None:
    """Read and score many photos into one table.

    SOURCE is a folder (with all folders in it), a glob in quotes, a list of paths (- for standard input), a zip,
    a tar, or an address such as s3://club/2026 (pip install 'fanlens[remote]').

    A file photo.json beside photo.jpg, or --circumstances, tells how a hand was won. Everything else is assumed,
    and each row lists what was.

    Exit status: 0 all photos were read, 1 some photos failed (their rows say why), 2 the run could not work,
    130 interrupted.
    """
    start = monotonic()
    _open_standard_streams()
    asked = Options(**options)
    if asked.scheduler is not None and asked.engine != "dask":
        raise click.UsageError("--scheduler names a Dask cluster: add --engine dask")
    if asked.scheduler is not None and asked.processes is not None:
        raise click.UsageError("a Dask cluster has its own number of workers: leave out --processes")
    try:
        outcome = run_batch(asked, lambda listing: _display(listing, asked))
    except FanlensError as error:
        _refuse(error.code, error.message, asked)
    except KeyboardInterrupt:  # a second Ctrl-C, or one while the results are joined
        _print("stopped at once; finished rows are kept: run again with --resume", err=True)
        sys.exit(_INTERRUPTED)
    except OSError as error:
        message = f"{error}; finished rows are safe: solve the problem and run again with --resume"
        _refuse("not_writable", message, asked)
    if outcome.stopped:
        _stopped(outcome, asked)
    _sum_up(outcome, monotonic() - start, asked)
    sys.exit(1 if outcome.tally.failed or outcome.tally.skipped_failed else 0)


def _display(listing: Listing, options: Options) -> Silent:
    """The display of the progress."""
    if options.log_json:
        return Lines(listing.count(), as_json=True)
    if options.quiet:
        return Silent()
    if sys.stderr is not None and sys.stderr.isatty():
        return Bar(listing.count())
    return Lines(listing.count())


def _sum_up(outcome: Outcome, seconds: float, options: Options) -> None:
    """Print how the run ended."""
    tally, table = outcome.tally, options.circumstances
    if options.log_json:
        rate = round((tally.read + tally.failed.total()) / seconds, 2)
        event = {"event": "done", **tally.to_json(), "seconds": round(seconds, 1), "photos_per_second": rate}
        used = {"unused_circumstances": outcome.unused, "shared_circumstances": outcome.shared}
        _print(json.dumps({**event, **used, "not_written_because": outcome.full}), err=True)
        return
    if not options.quiet:
        _print(summary(tally, seconds))
    if outcome.unused and not options.quiet:
        _print(f"rows of {table} that match no photo: {outcome.unused}", err=True)
    if outcome.shared and not options.quiet:
        _print(
            f"rows of {table} that match several photos and apply to each of them: {outcome.shared}; "
            "write paths to distinguish them",
            err=True,
        )
    if outcome.full is not None:
        _print(f"rows could not be written ({outcome.full}): make room and run with --resume", err=True)


def _stopped(outcome: Outcome, options: Options) -> NoReturn:
    """Print how to continue, and exit."""
    if outcome.full is not None:
        message = f"rows could not be written ({outcome.full}): make room and run again with --resume"
        _refuse("not_writable", message, options)
    if options.log_json:
        _print(json.dumps({"event": "stopped", **outcome.tally.to_json()}), err=True)
    elif not options.quiet:
        again = sys.argv[1:] if "--resume" in sys.argv else [*sys.argv[1:], "--resume"]
        _print(
            f"stopped after {outcome.tally.photos} photos, whose rows are kept; to continue:\n"
            f"  fanlens {shlex.join(again)}",
            err=True,
        )
    sys.exit(_INTERRUPTED)


def _refuse(code: str, message: str, options: Options) -> NoReturn:
    """Print why the run could not work, and exit."""
    event = {"event": "error", "code": code, "message": message}
    _print(json_line(event) if options.log_json else f"Error: {printable(message)}", err=True)
    sys.exit(_COULD_NOT_RUN)


def _print(text: str, *, err: bool = False) -> None:
    """Print a line. A closed pipe does not change how the run ends."""
    try:
        click.echo(text, err=err)
    except OSError:  # what is left in the buffer would fail again when Python exits
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), (sys.stderr if err else sys.stdout).fileno())


def _open_standard_streams() -> None:
    """Open standard streams that are closed, as under cron; a socket would get their number, and what is printed."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        pass
    os.close(number)


COMMANDS: tuple[click.Command, ...] = (batch,)
"""The command that this package adds to `fanlens`."""
