"""Worker processes kept busy, and replaced when they die; a photo that brings them down is found and named."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from multiprocessing.connection import Connection, wait
from time import monotonic
from types import TracebackType
from typing import Self

from vision.batch.engines.tasks import READY, Reply, Settings, Task
from vision.batch.results.result_rows import failed_row

# Not -m, which would name the worker's classes after `__main__`, where nobody could unpickle them.
COMMAND = (sys.executable, "-c", "from vision.batch.engines.worker import main; main()")
_AHEAD = 2
_TICK_S = 0.25
_START_S = 120.0
_MOST_ATTEMPTS = 2
_MOST_FALSE_STARTS = 3
_FILES_A_WORKER = 2  # its socket and its errors
_FILES_BESIDE = 64  # libraries, shards, what starting one takes for a moment
# Libraries look at these when they are imported: one thread each, as cores are what processes are for.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class PoolError(RuntimeError):
    """Workers cannot work at all; the message says why."""


class PoolStoppedError(RuntimeError):
    """Somebody stopped the pool while it was at work."""


class _Worker:
    """One process and the tasks it has."""

    def __init__(self, command: Sequence[str], settings: Settings) -> None:
        with ExitStack() as held:
            ours, theirs = map(held.enter_context, socket.socketpair())
            # A file, since nobody would read a pipe and a full one would stop the worker.
            self.errors = held.enter_context(tempfile.TemporaryFile())
            self.process = subprocess.Popen(  # noqa: S603 our own module
                [*command, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=self.errors,
                stderr=self.errors,
                env={**os.environ, **_ONE_THREAD},
                start_new_session=True,  # Ctrl-C is the run's to handle
            )
            self.connection = Connection(ours.detach())
            held.pop_all()
        theirs.close()
        self.tasks: dict[int, Task] = {}
        self.alone = False
        self.ready = False
        self.since = monotonic()
        self._settings = settings

    def give(self, task: Task, *, alone: bool = False) -> None:
        if not self.tasks:
            self.since = monotonic()
        self.tasks[task.number] = task
        self.alone = alone
        if self.ready:
            self._send(task)

    def begin(self) -> None:
        """It is there: send what it was given so far. A tile set or a photo would block whoever sent it before."""
        self.ready = True
        self._send(self._settings)
        for task in self.tasks.values():
            self._send(task)

    def _send(self, message: Settings | Task) -> None:
        try:
            self.connection.send(message)
        except OSError:  # it is dead, which reading from it will show
            return

    def patience_s(self, timeout_s: float) -> float:
        """How long to wait for it: the time a photo may take, but more for its start."""
        return timeout_s if self.ready else max(timeout_s, _START_S)

    def ended(self) -> bool:
        """Whether the process is gone."""
        return self.process.poll() is not None

    def complaint(self) -> str:
        """The last line it wrote."""
        self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, self.errors.tell() - 2000))
        lines = self.errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def close(self) -> None:
        """End it at once: what it has said was heard, and what it is at nobody waits for."""
        self.process.kill()
        self.connection.close()
        self.process.wait()
        self.errors.close()


class Pool:
    """Worker processes for one run; a context manager that leaves none behind.

    Each keeps one core busy. There are fewer than `processes` where the system allows no more, be it for want of
    open files or of processes. timeout_s: how long one photo may take.
    """

    def __init__(
        self,
        processes: int,
        settings: Settings,
        *,
        timeout_s: float = 120.0,
        command: Sequence[str] = COMMAND,
    ) -> None:
        """Prepare; processes are started when `run` needs them."""
        self._processes = min(processes, max(1, (_open_files() - _FILES_BESIDE) // _FILES_A_WORKER))
        self._settings = settings
        self._timeout_s = timeout_s
        self._command = command
        self._workers: list[_Worker] = []
        self._suspects: deque[Task] = deque()
        self._attempts: Counter[int] = Counter()
        self._false_starts = 0
        self._stopped = False

    def __enter__(self) -> Self:
        """Nothing to do yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End every worker."""
        self.close()

    def close(self) -> None:
        """End every worker, all at a time."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.close()
        self._workers.clear()

    def stop(self) -> None:
        """Have `run` raise PoolStoppedError, whatever it is at, and leave no process; from any thread."""
        self._stopped = True
        for worker in tuple(self._workers):
            worker.process.kill()

    def run(self, tasks: Iterator[Task]) -> Iterator[Reply | None]:
        """Yield a reply for every task, as they come, and None now and then so that the caller can look around.

        A task is taken only when a worker has room for it. May be called again for further tasks. Raises
        PoolError when no worker can work, PoolStoppedError after `stop`.
        """
        more = True
        while True:
            if self._stopped:
                raise PoolStoppedError("the run was stopped")
            more = self._fill(tasks, more)
            busy = [worker for worker in self._workers if worker.tasks or not worker.ready]
            if not more and not self._suspects and not any(worker.tasks for worker in self._workers):
                return
            ready = wait([worker.connection for worker in busy], timeout=_TICK_S)
            for worker in busy:
                if worker.connection in ready:
                    yield from self._hear(worker)
                elif worker.tasks and monotonic() - worker.since > worker.patience_s(self._timeout_s):
                    worker.process.kill()
                    yield from self._lost(worker, slow=True)
            yield None

    def _fill(self, tasks: Iterator[Task], more: bool) -> bool:
        """Hand out tasks; whether `tasks` may have more."""
        for idle in [worker for worker in self._workers if not worker.tasks and worker.ended()]:
            self._workers.remove(idle)
            idle.close()
        for room in range(_AHEAD):  # one each before a second for anyone
            for at in range(self._processes):
                worker = self._workers[at] if at < len(self._workers) else None
                if worker is not None and (len(worker.tasks) > room or worker.alone):
                    continue
                if at >= self._processes:
                    break
                if self._suspects:
                    if room == 0:
                        self._give(at, self._suspects.popleft(), alone=True)
                elif more:
                    task = next(tasks, None)
                    if task is None:
                        return False
                    self._give(at, task)
        return more

    def _give(self, at: int, task: Task, *, alone: bool = False) -> None:
        """Give a task to the worker of that number, started where there is none; kept where there can be none.

        Raises PoolError where there can be no worker at all.
        """
        while len(self._workers) <= at:
            try:
                self._workers.append(_Worker(self._command, self._settings))
            except OSError as error:
                if not self._workers:
                    raise PoolError(f"no process can be started to read photos ({error.strerror})") from error
                self._processes = len(self._workers)
                self._suspects.appendleft(task)
                return
        self._workers[at].give(task, alone=alone)

    def _hear(self, worker: _Worker) -> Iterator[Reply]:
        try:
            said = worker.connection.recv()
        except (EOFError, OSError):
            yield from self._lost(worker)
            return
        worker.since = monotonic()
        if said == READY:
            worker.begin()
            self._false_starts = 0
            return
        reply: Reply = said
        if reply.fatal is not None:
            raise PoolError(reply.fatal)
        del worker.tasks[reply.number]
        self._attempts.pop(reply.number, None)
        worker.alone = False
        yield reply

    def _lost(self, worker: _Worker, *, slow: bool = False) -> Iterator[Reply]:
        """A worker is dead: its photos are tried again, each alone, unless one has had its chances."""
        if self._stopped:
            return
        self._workers.remove(worker)
        try:
            worker.process.wait(5.0)  # the socket closes a moment before the process is gone
        except subprocess.TimeoutExpired:
            worker.process.kill()
            worker.process.wait()
        complaint = worker.complaint()
        worker.close()
        if not worker.ready:
            self._false_starts += 1
            if self._false_starts >= _MOST_FALSE_STARTS:
                raise PoolError(f"worker processes do not start: {complaint}")
            self._suspects.extend(worker.tasks.values())
            return
        for task in worker.tasks.values():
            self._attempts[task.number] += 1
            if worker.alone and self._attempts[task.number] >= _MOST_ATTEMPTS:
                del self._attempts[task.number]
                code, message = _cause(worker.process.returncode, slow, self._timeout_s, complaint)
                row = failed_row(task.source, None, self._settings.stamp, None, code, message)
                yield Reply(task.number, row)
            else:
                self._suspects.append(task)


def _open_files() -> int:
    """How many files this process may have open."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return sys.maxsize if most == resource.RLIM_INFINITY else most


def _cause(status: int, slow: bool, timeout_s: float, complaint: str) -> tuple[str, str]:
    if slow:
        return (
            "too_slow",
            f"the photo took longer than {timeout_s:g} s, twice: raise --timeout or leave it out",
        )
    if status == -signal.SIGKILL:
        return "worker_killed", (
            "the process reading the photo was killed, twice, most likely for want of memory: "
            "scale the photo down or use fewer --processes"
        )
    how = signal.Signals(-status).name if status < 0 else f"exit status {status}: {complaint}"
    return (
        "worker_crashed",
        f"the process reading the photo crashed, twice ({how}): the file may be malicious",
    )
