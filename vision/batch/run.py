"""One run: list the photos, have them read, write their rows, and stop when told to."""

from __future__ import annotations

import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from types import FrameType
from typing import Any, Protocol, Self

from vision.batch.circumstances import CircumstancesTable
from vision.batch.engines.tasks import Reply, Task
from vision.batch.listing.sources import Listing
from vision.batch.results.record import Record
from vision.batch.results.result_rows import Row, Tally

_MOST_UNWRITTEN = 16
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Engine(Protocol):
    """Whatever reads photos: the pool on this machine, or a cluster."""

    def run(self, tasks: Iterator[Task]) -> Iterator[Reply | None]:
        """Yield a reply for every task, in any order, and None now and then; take tasks when there is room."""
        ...


class Stop:
    """Whether somebody asked the run to stop: Ctrl-C, `kill`, or a terminal that closed."""

    def __init__(self) -> None:
        """Nobody has, yet."""
        self.signal: signal.Signals | None = None

    @contextmanager
    def listening(self) -> Iterator[Self]:
        """Take note of signals instead of dying of them; a second Ctrl-C does not wait any more.

        What whoever started the run chose to ignore, as nohup does, stays ignored.
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


class Thumbs:
    """Thumbnails for the report, in a file without a name; a context manager."""

    def __init__(self, folder: Path) -> None:
        """Keep them on the disk that the report goes to."""
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        self._places: dict[bytes, tuple[int, int]] = {}

    def __enter__(self) -> Self:
        """Nothing to do yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Forget them."""
        self._file.close()

    def add(self, address: str, jpeg: bytes) -> None:
        """Keep one. Raises OSError."""
        at = self._file.seek(0, 2)
        self._file.write(jpeg)
        self._places[_digest(address)] = (at, len(jpeg))

    def get(self, address: str) -> bytes | None:
        """The JPEG of a photo, None where there is none."""
        place = self._places.get(_digest(address))
        if place is None:
            return None
        self._file.seek(place[0])
        return self._file.read(place[1])


@dataclass
class Outcome:
    """How a run ended.

    unused: rows of the table that name no photo; shared: those that name several. full: why rows could not be
    written, if some could not.
    """

    tally: Tally = field(default_factory=Tally)
    stopped: bool = False
    full: str | None = None
    unused: int = 0
    shared: int = 0


def go(
    listing: Listing,
    record: Record,
    engine: Engine,
    *,
    table: CircumstancesTable | None = None,
    thumbs: Thumbs | None = None,
    stop: Stop | None = None,
    watch: Callable[[Tally, Row | None], None] = lambda _tally, _row: None,
) -> Outcome:
    """Read every photo of a listing that the record lacks; `watch` is told of each row, and now and then of none.

    Published are all whole shards and, at the end, the last one. Raises SourceError, PoolError.
    """
    outcome = Outcome()
    tally = outcome.tally
    table = table or CircumstancesTable()
    stop = stop or Stop()
    desk = _Desk(listing, record, table, stop)
    unwritten = 0
    try:
        for reply in engine.run(desk.tasks()):
            if stop.signal is not None:
                outcome.stopped = True
                break
            if reply is None:
                watch(tally, None)
                continue
            address = desk.addresses.pop(reply.number)
            try:
                if reply.row is not None:
                    record.write(reply.row)
            except OSError as error:
                outcome.full = error.strerror or str(error)
                tally.failed["not_written"] += 1
                unwritten += 1
                if unwritten >= _MOST_UNWRITTEN:  # no use in reading on
                    outcome.stopped = True
                    break
                continue
            unwritten = 0
            if thumbs is not None and reply.thumb is not None:
                with suppress(OSError):  # the report can do without a picture
                    thumbs.add(address, reply.thumb)
            if reply.row is None:
                tally.skipped += 1
                tally.skipped_failed += record.failed(address)
            else:
                tally.add(reply.row)
            watch(tally, reply.row)
    finally:
        try:
            record.publish()
        except OSError as error:
            outcome.full = error.strerror or str(error)
    outcome.stopped = outcome.stopped or stop.signal is not None
    outcome.unused = len(table.rows.keys() - desk.named.keys())
    outcome.shared = sum(count > 1 for count in desk.named.values())
    return outcome


class _Desk:
    """Hands out tasks; knows which photos are under way, and which rows of the table were used."""

    def __init__(self, listing: Listing, record: Record, table: CircumstancesTable, stop: Stop) -> None:
        self.addresses: dict[int, str] = {}
        self.named: Counter[str] = Counter()
        self._listing = listing
        self._record = record
        self._table = table
        self._stop = stop

    def tasks(self) -> Iterator[Task]:
        for number, source in enumerate(self._listing):
            if self._stop.signal is not None:
                return
            if not self._record.enlist(source.address):  # a list may name a photo twice
                continue
            name = self._table.name_of(source)
            given: Mapping[str, Any] = {}
            if name is not None:
                self.named[name] += 1
                given = self._table.rows[name]
            self.addresses[number] = source.address
            yield Task(number, source, given, self._record.key(source.address))


def _digest(address: str) -> bytes:
    return blake2b(address.encode("utf-8", "surrogatepass"), digest_size=16).digest()
