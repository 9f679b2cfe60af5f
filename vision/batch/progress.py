"""How far a run is: a line now and then, JSON for log collectors, or silence; on a terminal `vision.batch.bar`."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import IO, Any, Protocol, Self

from scorer.jsonl import json_line
from vision.batch.results.result_rows import Row, Tally, reason

_EVERY_S = 10.0


class Watcher(Protocol):
    """Told of every row, and now and then of none; a context manager."""

    def __enter__(self) -> Self:
        """Begin."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End."""
        ...

    def __call__(self, tally: Tally, row: Row | None) -> None:
        """Show the counts, and the row if it failed."""
        ...


class Silent:
    """Shows nothing."""

    def __enter__(self) -> Self:
        """Nothing to begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to end."""

    def __call__(self, tally: Tally, row: Row | None) -> None:
        """Nothing to show."""


class Lines(Silent):
    """A plain line every ten seconds, and one for each photo that failed; as JSON objects where `as_json`.

    Where nobody listens any more, a pipe that was closed or a disk that is full, it falls silent.
    """

    def __init__(self, total: int | None, *, as_json: bool = False, stream: IO[str] | None = None) -> None:
        """Write to `stream`, standard error by default; `total` photos are expected, if known."""
        self._total = total
        self._as_json = as_json
        self._stream = stream or sys.stderr  # None where the run was started without one
        self._start = self._last = monotonic()

    def __call__(self, tally: Tally, row: Row | None) -> None:
        """Say what failed, and how far it is if that was some time ago."""
        if row is not None and reason(row) is not None:
            self._say({"event": "failed", "source": row["source"], **row["problems"][0]}, failure(row))
        now = monotonic()
        if now - self._last >= _EVERY_S:
            self._last = now
            self._how_far(tally, now - self._start)

    def _how_far(self, tally: Tally, spent: float) -> None:
        rate = tally.photos / spent
        left = None if self._total is None or not rate else max(0.0, (self._total - tally.photos) / rate)
        text = f"{tally.photos} of {self._total or 'unknown'} photos, {rate:.1f} a second"
        if left is not None:
            text += f", {duration(left)} left"
        event = {"event": "progress", **tally.to_json(), "total": self._total}
        rounded = None if left is None else round(left)
        self._say({**event, "photos_per_second": round(rate, 2), "seconds_left": rounded}, text)

    def _say(self, event: dict[str, Any], text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write((json_line(event) if self._as_json else text) + "\n")
            self._stream.flush()
        except OSError:
            self._stream = None


def failure(row: Row) -> str:
    """A failed photo and the reason, on one line: a name may hold line ends, or what a terminal takes for orders."""
    text = f"{row['source']}: {row['problems'][0]['message']}"
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def duration(seconds: float) -> str:
    """A time left in words.

    >>> duration(42), duration(61), duration(7300)
    ('42 s', '1 min', '2 h 2 min')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def summary(tally: Tally, seconds: float) -> str:
    """The line at the end of a run.

    >>> summary(Tally(read=8, scored=7, doubtful=1, skipped=2), 4.0)
    '10 photos: 8 read, 7 scored, 1 doubtful, 0 failed, 2 skipped as done; 2.0 photos a second'
    """
    why = ", ".join(f"{count} {code}" for code, count in tally.failed.most_common())
    parts = [
        f"{tally.read} read, {tally.scored} scored, {tally.doubtful} doubtful, {tally.failed.total()} failed",
    ]
    if why:
        parts[0] += f" ({why})"
    if tally.skipped:
        before = f" ({tally.skipped_failed} of them failed then)" if tally.skipped_failed else ""
        parts.append(f"{tally.skipped} skipped as done{before}")
    rate = (tally.read + tally.failed.total()) / max(seconds, 0.001)
    return f"{tally.photos} photos: {', '.join(parts)}; {rate:.1f} photos a second"
