"""One run: its options, and how it lists photos, has them read, writes their rows and stops when asked to."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Self

from models.manifest import load_manifest
from scorer import profile_named
from vision.batch.circumstances import CircumstancesTable, read_table, resolve
from vision.batch.engines.engine import Engine, EngineError, Reply, Settings, Task
from vision.batch.engines.pool import Pool
from vision.batch.listing.listing import Listing, find
from vision.batch.listing.photo_source import SourceError
from vision.batch.progress import Silent
from vision.batch.results.record import Record, RecordError, replace_file
from vision.batch.results.report import Thumbs, report_pieces
from vision.batch.results.result_rows import Row, Stamp, Tally, fingerprint
from vision.batch.results.tables import csv_lines, load_pyarrow, write_parquet
from vision.photo_formats import ENDINGS

if TYPE_CHECKING:
    from vision.tilesets import TileSet

_MOST_UNWRITTEN = 16
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a run is asked to do; the fields are the options of `fanlens batch`.

    circumstances: the table of circumstances. profile: name or file. tileset: name. timeout: seconds per photo.
    processes: None means one per core.
    """

    source: str
    out: Path
    resume: bool = False
    circumstances: Path | None = None
    seat_wind: str | None = None
    prevalent_wind: str | None = None
    self_drawn: bool | None = None
    profile: str = "guobiao"
    tileset: str | None = None
    report: Path | None = None
    annotated: Path | None = None
    engine: str = "local"
    scheduler: str | None = None
    processes: int | None = None
    timeout: float = 120.0
    shard_size: int = 100
    quiet: bool = False
    log_json: bool = False

    def given(self) -> dict[str, Any]:
        """The circumstances that hold unless a sidecar or the table says otherwise. Raises CircumstancesError."""
        options = {name: getattr(self, name) for name in ("seat_wind", "prevalent_wind", "self_drawn")}
        given = {name: value for name, value in options.items() if value is not None}
        resolve(given)
        return given

    def check_places(self, listing: Listing) -> None:
        """Check that nothing is written where photos are read from, or twice to one place. Raises RecordError."""
        inputs = (self.source, self.circumstances)
        taken = {os.path.realpath(each) for each in inputs if each is not None}
        for name, path in (("--out", self.out), ("--report", self.report)):
            if path is not None:
                if (place := os.path.realpath(path)) in taken:
                    raise RecordError(
                        "overwrites_input",
                        f"{name} {path} would replace a file that the run needs: choose another name",
                    )
                taken.add(place)
        if self.annotated is not None and listing.would_list(self.annotated):
            raise RecordError(
                "overwrites_input",
                f"--annotated {self.annotated} lies where photos are read from, and its pictures would be read as "
                "photos: name another folder",
            )


@dataclass
class Outcome:
    """How a run ended.

    stopped: whether it ended early. full: why some rows could not be written, None if all were.
    unused: rows of the table that match no photo. shared: rows that match several.
    """

    tally: Tally = field(default_factory=Tally)
    stopped: bool = False
    full: str | None = None
    unused: int = 0
    shared: int = 0


class Stop:
    """Whether the run was asked to stop: by Ctrl-C, `kill`, or a terminal that closed."""

    def __init__(self) -> None:
        """Start without a signal."""
        self.signal: signal.Signals | None = None

    @contextmanager
    def listening(self) -> Iterator[Self]:
        """Note the first signal instead of dying; the second raises KeyboardInterrupt.

        A signal that the parent process chose to ignore, as nohup does, stays ignored.
        """
        heard = [each for each in _SIGNALS if signal.getsignal(each) is not signal.SIG_IGN]
        before = {each: signal.signal(each, self._note) for each in heard}
        try:
            yield self
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        if self.signal is not None:
            raise KeyboardInterrupt
        self.signal = signal.Signals(number)


def run_batch(options: Options, display: Callable[[Listing], Silent]) -> Outcome:
    """Read and score the photos, and write the results unless the run was stopped.

    display: makes the display of the progress. Raises FanlensError if the run cannot work, OSError if the results
    cannot be written, KeyboardInterrupt on a second Ctrl-C.
    """
    listing = find(options.source)
    options.check_places(listing)
    if options.out.suffix.lower() == ".parquet":
        load_pyarrow()
    table = None if options.circumstances is None else read_table(options.circumstances)
    settings = _settings(options)
    engine = _engine(options, settings, listing)
    with ExitStack() as held:
        record = held.enter_context(Record(options.out, resume=options.resume, shard_size=options.shard_size))
        thumbs = None
        if options.report is not None:
            with _named(options.report):
                thumbs = held.enter_context(Thumbs(_made(options.report.parent)))
        watch = display(listing)
        with Stop().listening() as stop, engine, watch:
            outcome = read_photos(listing, record, engine, table=table, thumbs=thumbs, stop=stop, watch=watch)
        if outcome.stopped:
            return outcome
        if outcome.tally.photos == 0:
            raise SourceError(
                "no_photos", f"{options.source} holds no photo ({', '.join(ENDINGS)}): name another place"
            )
        _publish(record, options, thumbs)
    return outcome


def _settings(options: Options) -> Settings:
    profile = profile_named(options.profile)
    tileset = None if options.tileset is None else _tileset(options.tileset)
    return Settings(
        Stamp(_versions(), profile, None if tileset is None else fingerprint(tileset)),
        options.given(),
        annotated=None if options.annotated is None else _made(options.annotated),
        thumbs=options.report is not None,
        folder=_current_folder(),
        tileset=tileset,
    )


def _tileset(name: str) -> TileSet:
    """The tile set with that name. Raises TileSetError."""
    tilesets = import_module("vision.tilesets")  # imports OpenCV, which the run does not need otherwise
    found: TileSet = tilesets.load_tileset(name)
    return found


def _versions() -> dict[str, str]:
    """The version of each network, after checking its file. Raises ModelError."""
    for model in load_manifest().models:
        model.read()
    return {model.name: model.version for model in load_manifest().models}


def _current_folder() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise SourceError(
            "no_source", "the current folder does not exist any more: change to another"
        ) from error


def _made(folder: Path) -> Path:
    """The folder, made if it does not exist. Raises RecordError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(
            "not_writable", f"{folder} cannot be made ({error.strerror}): name another folder"
        ) from error
    return folder


def _engine(options: Options, settings: Settings, listing: Listing) -> Engine:
    """The engine that reads the photos. Raises EngineError if Dask is wanted and not installed."""
    processes = options.processes or len(os.sched_getaffinity(0))
    if options.engine == "local":
        return Pool(processes, settings, timeout_s=options.timeout)
    try:
        dask_engine = import_module("vision.batch.engines.dask_engine")
    except ImportError as error:
        raise EngineError(
            "missing_library", f"--engine dask needs Dask ({error}): pip install 'fanlens[dask]'"
        ) from error
    engine: Engine = dask_engine.DaskEngine(
        settings,
        scheduler=options.scheduler,
        processes=processes,
        timeout_s=options.timeout,
        path=listing.where if listing.kind in ("folder", "photo", "zip") else None,
    )
    return engine


def _publish(record: Record, options: Options, thumbs: Thumbs | None) -> None:
    """Write the table and the page, then join the shards. Raises RecordError."""
    if options.report is not None and thumbs is not None:
        with _named(options.report):
            replace_file(options.report, report_pieces(record.rows, thumbs.get))
    with _named(options.out):
        match options.out.suffix.lower():
            case ".csv":
                replace_file(options.out, csv_lines(record.rows()))
            case ".parquet":
                write_parquet(options.out, record.rows())
        record.finish()


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Say which file could not be written. Raises RecordError."""
    try:
        yield
    except OSError as error:
        reason = f"{path} cannot be written ({error.strerror or error}); finished rows are safe"
        advice = "solve the problem, or name another file, and run again with --resume"
        raise RecordError("not_writable", f"{reason}: {advice}") from error


def read_photos(
    listing: Listing,
    record: Record,
    engine: Engine,
    *,
    table: CircumstancesTable | None = None,
    thumbs: Thumbs | None = None,
    stop: Stop | None = None,
    watch: Callable[[Tally, Row | None], None] = lambda _tally, _row: None,
) -> Outcome:
    """Have the engine read every photo that has no valid row, and write the rows.

    `watch` is called for each row, and now and then without one. Raises FanlensError.
    """
    reading = _Reading(listing, record, table or CircumstancesTable(), thumbs, stop or Stop())
    outcome = reading.outcome
    try:
        for reply in engine.run(reading.tasks()):
            if reading.stop.signal is not None:
                break
            if reply is None:
                watch(outcome.tally, None)
            elif reading.keep(reply):
                watch(outcome.tally, reply.row)
            elif reading.unwritten >= _MOST_UNWRITTEN:
                outcome.stopped = True
                break
    finally:
        try:
            record.publish()
        except OSError as error:
            outcome.full = error.strerror or str(error)
    outcome.stopped = outcome.stopped or reading.stop.signal is not None
    outcome.unused = len(reading.table.rows.keys() - reading.named.keys())
    outcome.shared = sum(count > 1 for count in reading.named.values())
    return outcome


class _Reading:
    """Hands out tasks and keeps their replies.

    named: how many photos each row of the table matches. unwritten: how many rows in succession could not be written.
    """

    def __init__(
        self, listing: Listing, record: Record, table: CircumstancesTable, thumbs: Thumbs | None, stop: Stop
    ) -> None:
        self.outcome = Outcome()
        self.table = table
        self.stop = stop
        self.named: Counter[str] = Counter()
        self.unwritten = 0
        self._listing = listing
        self._record = record
        self._thumbs = thumbs
        self._addresses: dict[int, str] = {}

    def tasks(self) -> Iterator[Task]:
        """A task for every photo of the listing, each photo once."""
        for number, source in enumerate(self._listing):
            if self.stop.signal is not None:
                return
            if not self._record.enlist(source.address):
                continue
            name = self.table.name_of(source)
            given: Mapping[str, Any] = {}
            if name is not None:
                self.named[name] += 1
                given = self.table.rows[name]
            self._addresses[number] = source.address
            yield Task(number, source, given, self._record.key(source.address))

    def keep(self, reply: Reply) -> bool:
        """Write the row and the thumbnail of a reply and count it. Returns whether the row could be written."""
        address, tally = self._addresses.pop(reply.number), self.outcome.tally
        if reply.row is not None:
            try:
                self._record.write(reply.row)
            except OSError as error:
                self.outcome.full = error.strerror or str(error)
                tally.failed["not_written"] += 1
                self.unwritten += 1
                return False
        self.unwritten = 0
        if self._thumbs is not None and reply.thumb is not None:
            with suppress(OSError):  # the page can do without a picture
                self._thumbs.add(address, reply.thumb)
        if reply.row is None:
            tally.skipped += 1
            tally.skipped_failed += self._record.failed(address)
        else:
            tally.add(reply.row)
        return True
