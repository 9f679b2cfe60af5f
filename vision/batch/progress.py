"""Shows how far a run is: as a bar on a terminal, as a line now and then, as JSON for log collectors, or not at all."""

from __future__ import annotations

import sys
from contextlib import suppress
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, Self

from scorer.jsonl import json_line
from vision.batch.results.result_rows import Row, Tally, reason

if TYPE_CHECKING:
    from rich.console import Console

_EVERY_S = 10.0


class Silent:
    """Shows nothing. The other displays derive from it; each is a context manager for the time of a run."""

    def __enter__(self) -> Self:
        """Return the display."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the display."""

    def __call__(self, tally: Tally, row: Row | None) -> None:
        """Show the counts, and the row if it failed. The run calls this for every row, and now and then without one."""


class Lines(Silent):
    """Prints a line every ten seconds, and one for each failed photo; as JSON objects if `as_json`.

    It falls silent once its stream fails, because a pipe was closed or a disk is full.
    """

    def __init__(self, total: int | None, *, as_json: bool = False, stream: IO[str] | None = None) -> None:
        """Print to `stream`, by default standard error; `total` is the expected number of photos, if known."""
        self._total = total
        self._as_json = as_json
        self._stream = stream or sys.stderr  # None if the run was started without one
        self._start = self._last = monotonic()

    def __call__(self, tally: Tally, row: Row | None) -> None:
        """Print a failure at once, and the progress if the last time is long ago."""
        if row is not None and reason(row) is not None:
            self._print({"event": "failed", "source": row["source"], **row["problems"][0]}, failure(row))
        now = monotonic()
        if now - self._last >= _EVERY_S:
            self._last = now
            self.show_progress(tally, now - self._start)

    def show_progress(self, tally: Tally, seconds: float) -> None:
        """Print the progress after so many seconds."""
        rate = tally.photos / seconds
        left = None if self._total is None or not rate else max(0.0, (self._total - tally.photos) / rate)
        text = f"{tally.photos} of {self._total or 'unknown'} photos, {rate:.1f} per second"
        if left is not None:
            text += f", {duration(left)} left"
        event = {"event": "progress", **tally.to_json(), "total": self._total}
        rounded = None if left is None else round(left)
        self._print({**event, "photos_per_second": round(rate, 2), "seconds_left": rounded}, text)

    def _print(self, event: dict[str, Any], text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write((json_line(event) if self._as_json else text) + "\n")
            self._stream.flush()
        except OSError:
            self._stream = None


class Bar(Silent):
    """A progress bar with counts, rate and time left. Failed photos are printed above it."""

    def __init__(self, total: int | None, console: Console | None = None) -> None:
        """Draw on `console`, by default standard error; `total` is the expected number of photos, if known."""
        from rich import console as rich_console  # noqa: PLC0415 rich is slow to import, and only terminals need it
        from rich import progress as rich_progress  # noqa: PLC0415

        self._console = console or rich_console.Console(stderr=True)
        self._bar = rich_progress.Progress(
            rich_progress.SpinnerColumn(),
            rich_progress.MofNCompleteColumn(),
            rich_progress.BarColumn(),
            rich_progress.TextColumn("{task.fields[counts]}"),
            rich_progress.TimeRemainingColumn(),
            console=self._console,
        )
        self._task = self._bar.add_task("photos", total=total, counts="")
        self._start = monotonic()

    def __enter__(self) -> Self:
        """Show the bar."""
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the bar as it is."""
        with suppress(OSError):
            self._bar.stop()

    def __call__(self, tally: Tally, row: Row | None) -> None:
        """Advance the bar, as long as the terminal is there."""
        with suppress(OSError):
            if row is not None and reason(row) is not None:
                self._console.print(failure(row), style="red", markup=False, highlight=False, soft_wrap=True)
            rate = tally.photos / max(monotonic() - self._start, 0.001)
            counts = f"{rate:.1f}/s, {tally.doubtful} doubtful, {tally.failed.total()} failed"
            self._bar.update(self._task, completed=tally.photos, counts=counts)


def failure(row: Row) -> str:
    """A failed photo and the reason on one line. Line ends and control characters in names are escaped."""
    text = f"{row['source']}: {row['problems'][0]['message']}"
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def duration(seconds: float) -> str:
    """A time in words.

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
    '10 photos: 8 read, 7 scored, 1 doubtful, 0 failed, 2 skipped as done; 2.0 photos per second'
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
    return f"{tally.photos} photos: {', '.join(parts)}; {rate:.1f} photos per second"
