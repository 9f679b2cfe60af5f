"""The local engine: keeps worker processes busy, replaces those that die, and names the photo that kills them."""

from __future__ import annotations

import resource
import signal
import sys
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import wait
from time import monotonic
from types import TracebackType
from typing import Self

from scorer import FanlensError
from vision.batch.engines.engine import EngineError, Reply, Settings, Task
from vision.batch.results.result_rows import ATTEMPTS, attempts_text, failed_row
from vision.isolation.process import READY, WorkerProcess, how_it_ended

# Not `python -m`: that would name the worker's classes after `__main__`, and no other process could unpickle them.
COMMAND = (sys.executable, "-c", "from vision.batch.engines.worker import main; main()")

_TASKS_PER_WORKER = 2  # one is read while the next is opened
_TICK_S = 0.25
_START_S = 120.0
_MOST_FALSE_STARTS = 3
_FILES_PER_WORKER = 2  # its socket and its errors
_OTHER_FILES = 64  # libraries, shards, and what starting a process takes for a moment
# Libraries read these when they are imported. Each process uses one thread, because there is one process per core.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class StoppedError(FanlensError):
    """`Pool.stop` was called while the pool was at work; `code` is `stopped`."""


class _Worker(WorkerProcess):
    """One worker process and the tasks it holds."""

    def __init__(self, command: Sequence[str], settings: Settings) -> None:
        super().__init__(command, _ONE_THREAD)
        self.tasks: dict[int, Task] = {}
        self.alone = False
        self.ready = False
        self.since = monotonic()
        self._settings = settings

    def give(self, task: Task, *, alone: bool = False) -> None:
        """Add a task; `alone` keeps other tasks away until it is done."""
        if not self.tasks:
            self.since = monotonic()
        self.tasks[task.number] = task
        self.alone = alone
        if self.ready:
            self._send(task)

    def begin(self) -> None:
        """Send the settings and the tasks it holds. Sent before it is ready, a large one would block the pool."""
        self.ready = True
        self._send(self._settings)
        for task in self.tasks.values():
            self._send(task)

    def _send(self, message: Settings | Task) -> None:
        try:
            self.connection.send(message)
        except OSError:  # it is dead; the next read from it will show that
            return

    def patience_s(self, timeout_s: float) -> float:
        """How long to wait for it, in seconds: the limit of a photo, or longer while it starts."""
        return timeout_s if self.ready else max(timeout_s, _START_S)


class Pool:
    """Worker processes for one run. Use it as a context manager, which leaves no process behind.

    processes: how many; there are fewer if the system allows fewer open files or processes.
    timeout_s: the longest that one photo may take, in seconds.
    attempts: how often a photo is tried whose process dies. From the second attempt on it has a process of its own, so
        1 also blames the photos that happened to be in the same process.
    """

    def __init__(
        self,
        processes: int,
        settings: Settings,
        *,
        timeout_s: float = 120.0,
        command: Sequence[str] = COMMAND,
        attempts: int = ATTEMPTS,
    ) -> None:
        """Prepare; `run` starts processes when it needs them."""
        self._processes = min(processes, max(1, (_open_files_limit() - _OTHER_FILES) // _FILES_PER_WORKER))
        self._settings = settings
        self._timeout_s = timeout_s
        self._command = command
        self._most_attempts = attempts
        self._workers: list[_Worker] = []
        self._suspects: deque[Task] = deque()
        self._attempts: Counter[int] = Counter()
        self._false_starts = 0
        self._stopped = False

    def __enter__(self) -> Self:
        """Return the pool."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Kill every process."""
        self.close()

    def close(self) -> None:
        """Kill every process. All are killed before any is waited for."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.close()
        self._workers.clear()

    def stop(self) -> None:
        """Make `run` raise StoppedError, whatever it is doing, and kill every process. Any thread may call this."""
        self._stopped = True
        for worker in tuple(self._workers):
            worker.process.kill()

    def run(self, tasks: Iterator[Task]) -> Iterator[Reply | None]:
        """Yield one reply for every task, as replies come, and None now and then so that the caller can look around.

        Takes a task only when a process has room for it. May be called again for further tasks. Raises EngineError if
        no process can work, StoppedError after `stop`.
        """
        more = True
        while True:
            if self._stopped:
                raise StoppedError("stopped", "the run was stopped")
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
        """Hand out tasks. Returns whether `tasks` may have more."""
        for idle in [worker for worker in self._workers if not worker.tasks and worker.ended()]:
            self._workers.remove(idle)
            idle.close()
        for held in range(_TASKS_PER_WORKER):  # every process gets its first task before any gets its second
            for at in range(self._processes):
                worker = self._workers[at] if at < len(self._workers) else None
                if worker is not None and (len(worker.tasks) > held or worker.alone):
                    continue
                if at >= self._processes:
                    break
                if self._suspects:
                    if held == 0:
                        self._give(at, self._suspects.popleft(), alone=True)
                elif more:
                    task = next(tasks, None)
                    if task is None:
                        return False
                    self._give(at, task)
        return more

    def _give(self, at: int, task: Task, *, alone: bool = False) -> None:
        """Give a task to the process with this number, and start it if needed.

        If no further process can be started, the task waits for one of the others. Raises EngineError if there is none.
        """
        while len(self._workers) <= at:
            try:
                self._workers.append(_Worker(self._command, self._settings))
            except OSError as error:
                if not self._workers:
                    raise EngineError(
                        "no_processes", f"no process can be started to read photos ({error.strerror})"
                    ) from error
                self._processes = len(self._workers)
                self._suspects.appendleft(task)
                return
        self._workers[at].give(task, alone=alone)

    def _hear(self, worker: _Worker) -> Iterator[Reply]:
        try:
            message = worker.connection.recv()
        except (EOFError, OSError):
            yield from self._lost(worker)
            return
        worker.since = monotonic()
        if message == READY:
            worker.begin()
            self._false_starts = 0
            return
        reply: Reply = message
        if reply.fatal is not None:
            raise EngineError("models_missing", reply.fatal)
        del worker.tasks[reply.number]
        self._attempts.pop(reply.number, None)
        worker.alone = False
        yield reply

    def _lost(self, worker: _Worker, *, slow: bool = False) -> Iterator[Reply]:
        """Deal with a dead process: its photos are tried again, each alone, until they have had their attempts."""
        if self._stopped:
            return
        self._workers.remove(worker)
        worker.wait()
        last_words = worker.last_words()
        worker.close()
        if not worker.ready:
            self._false_starts += 1
            if self._false_starts >= _MOST_FALSE_STARTS:
                raise EngineError("no_processes", f"worker processes do not start: {last_words}")
            self._suspects.extend(worker.tasks.values())
            return
        for task in worker.tasks.values():
            self._attempts[task.number] += 1
            if self._attempts[task.number] < self._most_attempts:
                self._suspects.append(task)
                continue
            times = attempts_text(self._attempts.pop(task.number))
            code, message = _cause(worker.process.returncode, times, slow, self._timeout_s, last_words)
            yield Reply(task.number, failed_row(task.source, None, self._settings.stamp, None, code, message))


def _open_files_limit() -> int:
    """How many files this process may have open."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return sys.maxsize if most == resource.RLIM_INFINITY else most


def _cause(status: int, times: str, slow: bool, timeout_s: float, last_words: str) -> tuple[str, str]:
    """Code and message for a photo whose process ended with that status, so many times."""
    if slow:
        return (
            "too_slow",
            f"the photo took longer than {timeout_s:g} s, {times}: raise --timeout or leave it out",
        )
    if status == -signal.SIGKILL:
        return "worker_killed", (
            f"the process reading the photo was killed, {times}, most likely because memory ran out: "
            "scale the photo down or use fewer --processes"
        )
    return (
        "worker_crashed",
        f"the process reading the photo crashed, {times} ({how_it_ended(status, last_words)}): "
        "the file may be malicious",
    )
