"""What commands cost: time, CPU and memory, and how busy others kept the machine. `bench_batch` uses this."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from select import select

FANLENS = (sys.executable, "-m", "webapp.cli")
_TICK_S = 0.05

Size = tuple[int, int]


@dataclass(frozen=True)
class Cost:
    """What one command cost, or several in a row.

    seconds: elapsed. cpu_s: CPU seconds of the commands and their processes. others: share of the machine that other
    work used, 0 to 1. own_mb, worker_mb: peak resident memory of a command and of its largest process.
    """

    seconds: float
    cpu_s: float
    others: float
    own_mb: float
    worker_mb: float

    def __str__(self) -> str:
        return (
            f"{self.seconds:7.1f} s, {self.cpu_s:6.1f} s of CPU, memory {self.own_mb:.0f} MB and "
            f"{self.worker_mb:.0f} MB per worker, others used {self.others:.0%} of the machine"
        )

    def then(self, other: Cost) -> Cost:
        """The cost of both in a row."""
        seconds = self.seconds + other.seconds
        return Cost(
            seconds,
            self.cpu_s + other.cpu_s,
            (self.others * self.seconds + other.others * other.seconds) / seconds,
            max(self.own_mb, other.own_mb),
            max(self.worker_mb, other.worker_mb),
        )


@dataclass(frozen=True)
class Ways:
    """The cost of reading one list of photos in four ways.

    one, several: batch with one process and with several. listed: one call of photo with the whole list.
    looped: one call of photo for each of the first `calls` photos.
    """

    size: Size
    photos: int
    one: Cost
    several: Cost
    listed: Cost
    calls: int
    looped: Cost

    def gains(self) -> tuple[float, float, float]:
        """How many times faster several processes are than one, than one call of photo, and than a call per photo."""
        each = self.several.seconds / self.photos
        alone, listed = self.one.seconds / self.photos, self.listed.seconds / self.photos
        return alone / each, listed / each, self.looped.seconds / self.calls / each


@dataclass(frozen=True)
class LongRun:
    """The costs of a short run and of a long one, and of resuming the long one once it has finished."""

    size: Size
    few: int
    many: int
    few_cost: Cost
    many_cost: Cost
    resumed: Cost


def by(size: Size) -> str:
    """A size in words.

    >>> by((640, 480))
    '640×480'
    """
    return f"{size[0]}×{size[1]}"


def run(*arguments: str | Path) -> Cost:
    """Run a fanlens command to its end and measure it. Raises SystemExit if it could not run."""
    start, machine, own = time.perf_counter(), _busy_s(), _children_s()
    command = [*FANLENS, *map(str, arguments)]
    peaks: dict[int, int] = {}
    with tempfile.TemporaryFile() as output:
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=output) as process:
            ended = os.pidfd_open(process.pid)
            while not select([ended], [], [], _TICK_S)[0]:
                for pid in _family(process.pid):
                    peaks[pid] = max(peaks.get(pid, 0), _peak_kb(pid))
            os.close(ended)
        seconds = time.perf_counter() - start
        if process.returncode not in (0, 1):
            output.seek(0)
            words = output.read().decode("utf-8", "replace")
            raise SystemExit(f"fanlens {arguments[0]} ended with {process.returncode}: {words}")
    cpu = _children_s() - own
    others = (_busy_s() - machine - cpu) / (seconds * (os.cpu_count() or 1))
    own_kb = peaks.pop(process.pid, 0)
    return Cost(seconds, cpu, max(0.0, others), own_kb / 1024, max(peaks.values(), default=0) / 1024)


def _family(pid: int) -> list[int]:
    """A process and its children."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return []
    return [pid, *map(int, children)]


def _peak_kb(pid: int) -> int:
    """Peak resident memory of a process so far, in kB; 0 once it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)


def _busy_s() -> float:
    """CPU seconds that all work on the machine has used since the machine started."""
    user, nice, system = map(int, Path("/proc/stat").read_text(encoding="ascii").split()[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def _children_s() -> float:
    """CPU seconds of all processes that this one has started and that have ended, with their own children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
