"""How far a run is, on a terminal."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
)

from vision.batch.progress import Silent, failure
from vision.batch.results.result_rows import Row, Tally, reason


class Bar(Silent):
    """A bar with counts, rate and time left; failed photos are named above it."""

    def __init__(self, total: int | None, console: Console | None = None) -> None:
        """Draw on a terminal, the one of standard error by default."""
        self._console = console or Console(stderr=True)
        self._bar = Progress(
            SpinnerColumn(),
            MofNCompleteColumn(),
            BarColumn(),
            TextColumn("{task.fields[counts]}"),
            TimeRemainingColumn(),
            console=self._console,
        )
        self._task = self._bar.add_task("photos", total=total, counts="")
        self._start = monotonic()

    def __enter__(self) -> Self:
        """Show it."""
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave it as it is."""
        with suppress(OSError):
            self._bar.stop()

    def __call__(self, tally: Tally, row: Row | None) -> None:
        """Move it on, as long as the terminal is there."""
        with suppress(OSError):
            if row is not None and reason(row) is not None:
                self._console.print(failure(row), style="red", markup=False, highlight=False, soft_wrap=True)
            rate = tally.photos / max(monotonic() - self._start, 0.001)
            counts = f"{rate:.1f}/s, {tally.doubtful} doubtful, {tally.failed.total()} failed"
            self._bar.update(self._task, completed=tally.photos, counts=counts)
