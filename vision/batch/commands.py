"""`fanlens batch`."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import click

from models.manifest import ModelError, load_manifest
from scorer import PROFILES
from scorer.jsonl import json_line
from vision.batch.circumstances import CircumstancesError, CircumstancesTable, read_table, resolve
from vision.batch.engines.pool import Pool, PoolError
from vision.batch.engines.tasks import Settings
from vision.batch.listing.photo_source import SourceError
from vision.batch.listing.sources import Listing, count, find
from vision.batch.progress import Lines, Silent, summary
from vision.batch.results.parquet import MissingParquetError, library, write_parquet
from vision.batch.results.record import Record, RecordError, replace_file
from vision.batch.results.report import report_pieces
from vision.batch.results.result_rows import Stamp, learned
from vision.batch.results.tables import csv_lines
from vision.batch.run import Engine, Outcome, Stop, Thumbs, go
from vision.photo_formats import ENDINGS
from vision.printable import printable

if TYPE_CHECKING:
    from vision.tilesets import TileSet

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
    "--resume", is_flag=True, help="Go on with a run that was stopped; read what is new or changed."
)
@click.option(
    "--circumstances",
    "table",
    type=click.Path(path_type=Path),
    metavar="FILE.csv",
    help="How each hand was won: columns photo, seat_wind, prevalent_wind, self_drawn, …",
)
@click.option("--seat-wind", type=_WIND, help="For photos nothing else is known of.  [assumed: E]")
@click.option("--prevalent-wind", type=_WIND, help="The same for the wind of the round.  [assumed: E]")
@click.option("--self-drawn/--discard", default=None, help="The same for how it was won.  [assumed: discard]")
@click.option("--profile", type=click.Choice(sorted(PROFILES)), default="guobiao", show_default=True)
@click.option(
    "--tileset", "set_name", metavar="NAME", help="The set on the table, shown by `fanlens tileset learn`."
)
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.html")
@click.option(
    "--annotated",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write each photo with its tiles outlined and named into DIR.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Who reads: processes of this run, or a Dask cluster (pip install 'fanlens[dask]').",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="The Dask cluster's scheduler, tcp://…:8786.  [default: a cluster on this machine]",
)
@click.option(
    "--processes", type=click.IntRange(1, 1024), help="Processes that read photos.  [default: one a core]"
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=120.0,
    show_default=True,
    help="Seconds one photo may take.",
)
@click.option("--shard-size", type=click.IntRange(1), default=100, show_default=True, help="Rows a shard.")
@click.option("--quiet", is_flag=True, help="Say nothing unless it cannot run.")
@click.option("--log-json", is_flag=True, help="Progress and summary as JSON objects on standard error.")
def batch(
    source: str,
    out: Path,
    resume: bool,
    table: Path | None,
    profile: str,
    set_name: str | None,
    report: Path | None,
    annotated: Path | None,
    engine: str,
    scheduler: str | None,
    processes: int | None,
    timeout: float,
    shard_size: int,
    quiet: bool,
    log_json: bool,
    **options: Any,
) -> None:
    """Read and score many photos, one row each.

    SOURCE is a folder (with all folders in it), a glob in quotes, a list of paths (- for standard input), a zip,
    a tar, or an address such as s3://club/2026 (pip install 'fanlens[remote]').

    A file photo.json beside photo.jpg, or --circumstances, says how a hand was won. What nobody says is
    assumed, and each row names what was.

    Exit status: 0 all fine, 1 some photos failed (each has its row with the reason), 2 could not run,
    130 interrupted.
    """
    start = monotonic()
    _open_standard_streams()
    if scheduler is not None and engine != "dask":
        raise click.UsageError("--scheduler names a Dask cluster: add --engine dask")
    if scheduler is not None and processes is not None:
        raise click.UsageError("a cluster has as many workers as were started: leave out --processes")
    start_engine = _dask if engine == "dask" else _local
    crew = _Crew(processes or len(os.sched_getaffinity(0)), timeout, scheduler)
    try:
        listing = find(source)
        _see_to_places(listing, [source, table], out, report, annotated)
        if out.suffix.lower() == ".parquet":
            library()
        known = None if table is None else read_table(table)
        tileset = None if set_name is None else _tileset(set_name, log_json)
        settings = Settings(
            Stamp(_versions(), profile, None if tileset is None else learned(tileset)),
            resolve_options(options),
            annotated=_folder(annotated),
            thumbs=report is not None,
            folder=_here(),
            tileset=tileset,
        )
        reading = start_engine(settings, crew, listing)
        with ExitStack() as held:
            record = held.enter_context(Record(out, resume=resume, shard_size=shard_size))
            thumbs = None if report is None else held.enter_context(Thumbs(_folder(report.parent) or Path()))
            outcome = _read_all(listing, record, reading, known, thumbs, _watcher(listing, quiet, log_json))
            if outcome.stopped:
                _stopped(outcome, quiet, log_json)
            if outcome.tally.photos == 0:
                raise SourceError(f"{source} holds no photo ({', '.join(ENDINGS)}): name another place")
            _publish(record, out, report, thumbs)
    except (
        SourceError,
        CircumstancesError,
        RecordError,
        MissingParquetError,
        ModelError,
        PoolError,
    ) as error:
        _refuse(str(error), log_json)
    except KeyboardInterrupt:  # a second Ctrl-C, or one while the results are joined
        _tell("stopped at once; what was read is kept: run again with --resume", err=True)
        sys.exit(_INTERRUPTED)
    except OSError as error:
        _refuse(f"{error}; what was read is safe: put that right and run again with --resume", log_json)
    _sum_up(outcome, monotonic() - start, table, quiet, log_json)
    sys.exit(1 if outcome.tally.failed or outcome.tally.skipped_failed else 0)


def _sum_up(outcome: Outcome, seconds: float, table: Path | None, quiet: bool, log_json: bool) -> None:
    """Say what came of the run."""
    tally = outcome.tally
    if log_json:
        rate = round((tally.read + tally.failed.total()) / seconds, 2)
        event = {"event": "done", **tally.to_json(), "seconds": round(seconds, 1), "photos_per_second": rate}
        used = {"unused_circumstances": outcome.unused, "shared_circumstances": outcome.shared}
        _tell(json.dumps({**event, **used, "not_written_because": outcome.full}), err=True)
        return
    if not quiet:
        _tell(summary(tally, seconds))
    if outcome.unused and not quiet:
        _tell(f"rows of {table} that name no photo: {outcome.unused}", err=True)
    if outcome.shared and not quiet:
        said = f"rows of {table} that name several photos: {outcome.shared}"
        _tell(f"{said}; they hold for each of them: write paths to tell them apart", err=True)
    if outcome.full is not None:
        _tell(f"rows could not be written ({outcome.full}): make room and run with --resume", err=True)


def resolve_options(options: dict[str, Any]) -> dict[str, Any]:
    """The circumstances that the command line gives, checked. Raises CircumstancesError."""
    given = {name: value for name, value in options.items() if value is not None}
    resolve(given)
    return given


def _versions() -> dict[str, str]:
    """The version of each network, once its file is known to be the one meant. Raises ModelError."""
    for model in load_manifest().models:
        model.read()
    return {model.name: model.version for model in load_manifest().models}


def _tileset(name: str, log_json: bool) -> TileSet:
    """The set of that name; leaves where there is none that can be used."""
    tilesets = import_module("vision.tilesets")  # with NumPy and OpenCV, which nothing else here needs
    try:
        known: TileSet = tilesets.load_tileset(name)
    except tilesets.TileSetError as error:
        _refuse(str(error), log_json)
    return known


def _see_to_places(
    listing: Listing,
    read: Sequence[str | Path | None],
    out: Path,
    report: Path | None,
    annotated: Path | None,
) -> None:
    """See that nothing is written where photos are read from, nor twice in one place. Raises RecordError."""
    taken = {os.path.realpath(each) for each in read if each is not None}
    for name, path in (("--out", out), ("--report", report)):
        if path is not None:
            if (place := os.path.realpath(path)) in taken:
                raise RecordError(f"{name} {path} would replace what the run needs: choose another name")
            taken.add(place)
    if annotated is not None and listing.would_list(annotated):
        raise RecordError(
            f"--annotated {annotated} lies where photos are read from, its pictures would be read as photos: "
            "name another folder"
        )


def _open_standard_streams() -> None:
    """Where cron or a daemon left one closed, its number would go to a socket, and what is printed into it."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        pass
    os.close(number)


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise SourceError("the folder this runs in is gone: change to another") from error


def _folder(folder: Path | None) -> Path | None:
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RecordError(f"{folder} cannot be made ({error.strerror}): name another folder") from error
    return folder


@dataclass(frozen=True)
class _Crew:
    """How many processes read, how long one photo may take, and where the cluster is."""

    processes: int
    timeout_s: float
    scheduler: str | None


class _Started(Engine, AbstractContextManager[Engine], Protocol):
    """An engine that is ended when it is left."""


def _local(settings: Settings, crew: _Crew, _listing: Listing) -> _Started:
    return Pool(crew.processes, settings, timeout_s=crew.timeout_s)


def _dask(settings: Settings, crew: _Crew, listing: Listing) -> _Started:
    """A cluster. Raises PoolError where Dask is not installed."""
    try:
        cluster = import_module("vision.batch.engines.cluster")
    except ImportError as error:
        raise PoolError(f"--engine dask needs Dask ({error}): pip install 'fanlens[dask]'") from error
    started: _Started = cluster.Cluster(
        settings,
        scheduler=crew.scheduler,
        processes=crew.processes,
        timeout_s=crew.timeout_s,
        path=listing.where if listing.kind in ("folder", "photo", "zip") else None,
    )
    return started


def _watcher(listing: Listing, quiet: bool, log_json: bool) -> Silent:
    if log_json:
        return Lines(count(listing), as_json=True)
    if quiet:
        return Silent()
    if sys.stderr is not None and sys.stderr.isatty():
        bar: Silent = import_module("vision.batch.bar").Bar(count(listing))  # with rich
        return bar
    return Lines(count(listing))


def _read_all(
    listing: Listing,
    record: Record,
    engine: _Started,
    table: CircumstancesTable | None,
    thumbs: Thumbs | None,
    watcher: Silent,
) -> Outcome:
    with Stop().listening() as stop, engine, watcher:
        return go(listing, record, engine, table=table, thumbs=thumbs, stop=stop, watch=watcher)


def _publish(record: Record, out: Path, report: Path | None, thumbs: Thumbs | None) -> None:
    """Write the table and the page, then join the shards. Raises OSError."""
    match out.suffix.lower():
        case ".csv":
            replace_file(out, csv_lines(record.rows()))
        case ".parquet":
            write_parquet(out, record.rows())
    if report is not None and thumbs is not None:
        replace_file(report, report_pieces(record.rows, thumbs.get))
    record.finish()


def _stopped(outcome: Outcome, quiet: bool, log_json: bool) -> NoReturn:
    """Say how to go on, and leave."""
    if outcome.full is not None:
        why = f"rows could not be written ({outcome.full}): make room and run again with --resume"
        _refuse(why, log_json)
    if log_json:
        _tell(json.dumps({"event": "stopped", **outcome.tally.to_json()}), err=True)
    elif not quiet:
        again = sys.argv[1:] if "--resume" in sys.argv else [*sys.argv[1:], "--resume"]
        _tell(
            f"stopped after {outcome.tally.photos} photos, all of them kept; to go on:\n"
            f"  fanlens {shlex.join(again)}",
            err=True,
        )
    sys.exit(_INTERRUPTED)


def _refuse(message: str, log_json: bool) -> NoReturn:
    """Say why it could not run, and leave."""
    event = {"event": "error", "message": message}
    _tell(json_line(event) if log_json else f"Error: {printable(message)}", err=True)
    sys.exit(_COULD_NOT_RUN)


def _tell(text: str, *, err: bool = False) -> None:
    """Say it, if anybody listens: a pipe that was closed is no reason to end otherwise than the run did."""
    try:
        click.echo(text, err=err)
    except OSError:  # what is left of it would fail again when Python ends
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), (sys.stderr if err else sys.stdout).fileno())


COMMANDS: tuple[click.Command, ...] = (batch,)
"""The command that this package adds to `fanlens`."""
