"""The distributed engine (`pip install 'fanlens[dask]'`): reads photos on a Dask cluster.

Shards of a few photos go out, just enough of them to keep the workers busy, and their replies come back. If a worker
dies, Dask tries its shard again on another one. If a shard keeps killing workers, the engine tries each of its photos
with nothing else on the cluster: it names the photo that kills workers and reads the others.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from logging import CRITICAL
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from types import TracebackType
from typing import Self
from uuid import uuid4

import dask
from distributed import Client, Future, KilledWorker, LocalCluster, Worker
from distributed.utils import silence_logging_cmgr

from vision.batch.engines import dask_worker
from vision.batch.engines.dask_worker import Needs, Reading, Shard, needs, read_shard
from vision.batch.engines.engine import EngineError, Reply, Settings, Task
from vision.batch.engines.pool import COMMAND, StoppedError
from vision.batch.results.result_rows import failed_row

_SHARD_PHOTOS = 8
_SHARD_BYTES = 8_000_000
_SHARDS_PER_THREAD = 2
_RETRIES = 2
_TICK_S = 0.25
_LOOK_S = 2.0
_PATIENCE_S = 15.0
_NO_WORKERS_S = 300.0
_LOCAL_DEATHS = (
    1  # how often Dask tries a shard again whose worker died, on the cluster that we start ourselves
)

# Errors that a dying worker can cause. The photo may be fine, and is tried again.
_PASSING = (KilledWorker, StoppedError, OSError, MemoryError)

_CONFIG = {
    # The photos of a tar travel with their shard, and Dask would warn about every large one.
    "distributed.admin.large-graph-warning-threshold": "200MB",
    "distributed.comm.timeouts.connect": f"{_PATIENCE_S}s",
    # Dask closes a local worker that is away this long after a death. On a slow machine it would also close one that is
    # just starting again after another death, and no worker would be left.
    "distributed.deploy.lost-worker-timeout": "1000 hours",
}

Replies = Future[tuple[Reply, ...]]


class DaskEngine:
    """A Dask cluster at work for one run. Use it as a context manager, like `vision.batch.engines.pool.Pool`.

    scheduler: address of the cluster's scheduler, None to start a cluster of `processes` workers on this machine.
    timeout_s: the longest that one photo may take, in seconds.
    path: where the photos lie, None if workers need not see that path.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        scheduler: str | None = None,
        processes: int = 1,
        timeout_s: float = 120.0,
        path: str | None = None,
        command: Sequence[str] = COMMAND,
    ) -> None:
        """Prepare; nothing is started or connected before `with`."""
        self._settings = settings
        self._scheduler = scheduler
        self._processes = processes
        self._name = f"fanlens-{uuid4().hex[:12]}"
        self._needed = needs(path)
        self._plugin = Reading(self._name, settings, self._needed, timeout_s, command)
        self._held = ExitStack()
        self._futures: dict[Replies, Shard] = {}
        self._done: SimpleQueue[Replies] = SimpleQueue()
        self._suspects: deque[Task] = deque()
        self._alone: Replies | None = None
        self._submitted = 0
        self._threads = 0
        self._looked = self._had_workers = monotonic()

    def __enter__(self) -> Self:
        """Start the cluster or connect to it, and check that its workers have what they need. Raises EngineError."""
        with ExitStack() as held:
            held.enter_context(dask.config.set(_CONFIG))
            held.enter_context(silence_logging_cmgr(CRITICAL))  # our own errors say what matters
            self._client: Client = held.enter_context(self._connected(held))
            lacking = self._client.run(_lacking, self._needed, self._settings.folder, on_error="return")
            for address, what in lacking.items():
                if what is not None:
                    raise EngineError(
                        "wrong_worker", f"the worker {address} cannot read photos: {_words(what)}"
                    )
            self._client.register_plugin(self._plugin, name=self._name)
            held.callback(self._leave)
            self._held = held.pop_all()
        self._look()
        return self

    def _connected(self, held: ExitStack) -> Client:
        if self._scheduler is None:
            try:
                cluster = LocalCluster(
                    n_workers=self._processes,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",  # None would mean a fixed port, which another cluster may use
                    memory_limit=0,
                    silence_logs=CRITICAL,
                    preload=[dask_worker.__name__],
                    scheduler_kwargs={"allowed_failures": _LOCAL_DEATHS},
                )
            except (OSError, RuntimeError) as error:
                raise EngineError(
                    "no_cluster", f"no Dask cluster could be started on this machine ({error})"
                ) from error
            return Client(held.enter_context(cluster))
        try:
            return Client(self._scheduler, timeout=_PATIENCE_S)
        except (OSError, ValueError, ImportError) as error:
            raise EngineError(
                "no_cluster",
                f"no Dask scheduler answers at {self._scheduler} ({error}): start one with `dask scheduler`, "
                "and give the address that it prints, tcp://…:8786",
            ) from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take back unfinished shards and end our reading processes. Workers of a cluster that was there stay."""
        self._held.close()

    def _leave(self) -> None:
        if self._client.status != "running":
            return
        with suppress(OSError, TimeoutError, RuntimeError):  # the scheduler may be leaving too
            self._client.cancel(list(self._futures))
            self._client.unregister_worker_plugin(self._name)

    def run(self, tasks: Iterator[Task]) -> Iterator[Reply | None]:
        """Yield one reply for every task, as replies come, and None now and then so that the caller can look around.

        Takes tasks only when the cluster has room for them. Raises EngineError if the cluster cannot work.
        """
        more = True
        while True:
            while more and self._room():
                shard = _next_shard(tasks)
                more = bool(shard.tasks)
                if more:
                    self._submit(shard)
            if self._suspects and not self._futures:
                self._alone = self._submit(Shard((self._suspects.popleft(),)))
            if not self._futures:
                return
            with suppress(Empty):
                yield from self._hear(self._done.get(timeout=_TICK_S))
            self._look()
            yield None

    def _room(self) -> bool:
        """Whether another shard may go out. None may while a suspect is alone on the cluster or waits for that."""
        most = max(1, self._threads) * _SHARDS_PER_THREAD
        return self._alone is None and not self._suspects and len(self._futures) < most

    def _submit(self, shard: Shard) -> Replies:
        self._submitted += 1
        future = self._client.submit(
            read_shard,
            self._name,
            shard,
            key=f"{self._name}-{self._submitted}",
            pure=False,
            retries=_RETRIES,
        )
        self._futures[future] = shard
        future.add_done_callback(self._done.put)
        return future

    def _hear(self, future: Replies) -> Iterator[Reply]:
        """The replies of a finished shard. If its workers died, its photos become suspects."""
        shard = self._futures[future]
        outcome = self._outcome(future)
        if outcome is None:
            future.add_done_callback(self._done.put)
            return
        alone = future is self._alone
        self._alone = None if alone else self._alone
        del self._futures[future]
        future.release()
        if isinstance(outcome, tuple):
            for reply in outcome:
                if reply.fatal is not None:
                    raise EngineError("models_missing", reply.fatal)
                yield reply
        elif isinstance(outcome, EngineError):
            raise outcome
        elif not isinstance(outcome, _PASSING):
            raise EngineError("wrong_worker", _words(outcome)) from outcome
        elif alone:
            yield self._given_up(shard.tasks[0], outcome)
        else:
            self._suspects.extend(shard.tasks)

    def _outcome(self, future: Replies) -> tuple[Reply, ...] | BaseException | None:
        """The replies, or the error; None if the replies died with their worker, and the shard is read again."""
        try:
            match future.status:
                case "cancelled" | "lost":
                    raise EngineError("no_cluster", self._gone())
                case "error":
                    error: BaseException = future.exception(timeout=_PATIENCE_S)
                    return error
                case _:
                    return future.result(timeout=_PATIENCE_S)
        except TimeoutError:
            return None
        except KilledWorker as error:
            return error

    def _given_up(self, task: Task, error: BaseException) -> Reply:
        message = (
            "every worker that took the photo died, with nothing else on the cluster "
            f"({type(error).__name__}): scale the photo down or give the workers more memory"
        )
        return Reply(
            task.number,
            failed_row(task.source, None, self._settings.stamp, None, "worker_killed", message),
        )

    def _look(self) -> None:
        """Count the threads of the cluster now and then. Raises EngineError if it has had none for minutes."""
        now = monotonic()
        if self._client.status != "running":
            raise EngineError("no_cluster", self._gone())
        if self._threads and now - self._looked < _LOOK_S:
            return
        self._looked = now
        try:
            self._threads = sum(self._client.nthreads().values())
        except (OSError, TimeoutError) as error:
            raise EngineError("no_cluster", self._gone()) from error
        if self._threads:
            self._had_workers = now
        elif now - self._had_workers > _NO_WORKERS_S:
            raise EngineError(
                "no_cluster",
                f"{self._where()} has had no worker for minutes: start some with `dask worker`",
            )

    def _where(self) -> str:
        return f"the Dask scheduler at {self._scheduler or 'this machine'}"

    def _gone(self) -> str:
        return f"{self._where()} does not answer any more; finished rows are kept: start it and run again with --resume"


def _next_shard(tasks: Iterator[Task]) -> Shard:
    """The next few tasks, fewer if they carry their photos with them, none at the end."""
    taken: list[Task] = []
    size = 0
    while len(taken) < _SHARD_PHOTOS and size < _SHARD_BYTES and (task := next(tasks, None)) is not None:
        taken.append(task)
        size += len(task.source.data or b"")
    return Shard(tuple(taken))


def _lacking(needed: Needs, folder: Path | None, dask_worker: Worker | None = None) -> str | None:  # noqa: ARG001
    """What a worker lacks, None if it lacks nothing. Runs on the worker itself."""
    lacking = needed.lacking()
    if lacking is None and needed.path is not None and not os.path.exists((folder or Path()) / needed.path):
        return (
            f"{(folder or Path()) / needed.path} is not there: share the folder with every worker at the same "
            "path, or name an address that all can read, such as s3://…"
        )
    return lacking


def _words(answer: object) -> str:
    """The answer of a worker, or the error that kept it from answering, as a message."""
    if isinstance(answer, ImportError):
        return f"Fanlens is not installed there ({answer}): pip install 'fanlens[dask]' on every worker"
    return answer if isinstance(answer, str) else f"{type(answer).__name__}: {answer}"
