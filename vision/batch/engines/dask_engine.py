"""The distributed engine, through `pip install 'fanlens[dask]'`: the pool's work on a Dask cluster.

Shards of a few photos go out, no more of them than keep the workers busy, and their replies come back. Dask tries
a shard again on another worker when one dies. A shard whose workers keep dying is taken apart, and each of its
photos tried with nothing else on the cluster, so that the one to blame is named and the others are read.
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

from vision.batch.engines import shards
from vision.batch.engines.pool import COMMAND, PoolError, PoolStoppedError
from vision.batch.engines.shards import Needs, Reading, Shard, WrongWorkerError, needs, read_shard
from vision.batch.engines.tasks import Reply, Settings, Task
from vision.batch.results.result_rows import failed_row

_SHARD_PHOTOS = 8
_SHARD_BYTES = 8_000_000
_SHARDS_A_THREAD = 2
_RETRIES = 2
_TICK_S = 0.25
_LOOK_S = 2.0
_PATIENCE_S = 15.0
_NO_WORKERS_S = 300.0
_OWN_DEATHS = 1

# What may be the worker's end and not the run's.
_PASSING = (KilledWorker, PoolStoppedError, OSError, MemoryError)

_CONFIG = {
    # A tar's photos travel with their shard, which Dask would warn of for every large one.
    "distributed.admin.large-graph-warning-threshold": "200MB",
    "distributed.comm.timeouts.connect": f"{_PATIENCE_S}s",
}


class Cluster:
    """A Dask cluster at work for one run; a context manager with the form of `vision.batch.engines.pool.Pool`.

    scheduler: where the cluster is, None for one of so many processes on this machine. timeout_s: how long one
    photo may take. path: where the photos lie, None where workers need not see it.
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
        """Prepare; nothing is started or asked before `with`."""
        self._settings = settings
        self._scheduler = scheduler
        self._processes = processes
        self._name = f"fanlens-{uuid4().hex[:12]}"
        self._needed = needs(path)
        self._plugin = Reading(self._name, settings, self._needed, timeout_s, command)
        self._held = ExitStack()
        self._futures: dict[Future[tuple[Reply, ...]], Shard] = {}
        self._done: SimpleQueue[Future[tuple[Reply, ...]]] = SimpleQueue()
        self._suspects: deque[Task] = deque()
        self._alone: Future[tuple[Reply, ...]] | None = None
        self._submitted = 0
        self._threads = 0
        self._looked = self._had_workers = monotonic()

    def __enter__(self) -> Self:
        """Start or find the cluster, and see that its workers have what they need. Raises PoolError."""
        with ExitStack() as held:
            held.enter_context(dask.config.set(_CONFIG))
            held.enter_context(silence_logging_cmgr(CRITICAL))  # what matters is said by our own errors
            self._client: Client = held.enter_context(self._connected(held))
            lacking = self._client.run(_lacking, self._needed, self._settings.folder, on_error="return")
            for address, what in lacking.items():
                if what is not None:
                    raise PoolError(f"the worker {address} cannot read photos: {_words(what)}")
            self._client.register_plugin(self._plugin, name=self._name)
            held.callback(self._leave)
            self._held = held.pop_all()
        self._look()
        return self

    def _connected(self, held: ExitStack) -> Client:
        if self._scheduler is None:
            try:
                here = LocalCluster(
                    n_workers=self._processes,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",  # None would mean a port that another cluster may have
                    memory_limit=0,
                    silence_logs=CRITICAL,
                    preload=[shards.__name__],
                    scheduler_kwargs={"allowed_failures": _OWN_DEATHS},
                )
            except (OSError, RuntimeError) as error:
                raise PoolError(f"no Dask cluster could be started on this machine ({error})") from error
            return Client(held.enter_context(here))
        try:
            return Client(self._scheduler, timeout=_PATIENCE_S)
        except (OSError, ValueError, ImportError) as error:
            raise PoolError(
                f"no Dask scheduler answers at {self._scheduler} ({error}): start one with dask scheduler, "
                "and give the address it prints, tcp://…:8786"
            ) from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take back what is under way and end what reads it; workers of a cluster that was there stay."""
        self._held.close()

    def _leave(self) -> None:
        if self._client.status != "running":
            return
        with suppress(OSError, TimeoutError, RuntimeError):  # the scheduler may be leaving too
            self._client.cancel(list(self._futures))
            self._client.unregister_worker_plugin(self._name)

    def run(self, tasks: Iterator[Task]) -> Iterator[Reply | None]:
        """Yield a reply for every task, as they come, and None now and then so that the caller can look around.

        Tasks are taken only when the cluster has room for them. Raises PoolError when it cannot work.
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
        """Whether another shard may go out: none while a suspect is, or is waiting to be, alone."""
        most = max(1, self._threads) * _SHARDS_A_THREAD
        return self._alone is None and not self._suspects and len(self._futures) < most

    def _submit(self, shard: Shard) -> Future[tuple[Reply, ...]]:
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

    def _hear(self, future: Future[tuple[Reply, ...]]) -> Iterator[Reply]:
        """The replies of a shard that is done; its photos are tried alone where its workers died of it."""
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
                    raise PoolError(reply.fatal)
                yield reply
        elif not isinstance(outcome, _PASSING):
            raise PoolError(_words(outcome)) from outcome
        elif alone:
            yield self._given_up(shard.tasks[0], outcome)
        else:
            self._suspects.extend(shard.tasks)

    def _outcome(self, future: Future[tuple[Reply, ...]]) -> tuple[Reply, ...] | BaseException | None:
        """The replies, or why there are none; None where they died with their worker and come again."""
        try:
            match future.status:
                case "cancelled" | "lost":
                    raise PoolError(self._gone())
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
            f"every worker that took the photo died, with nothing else on the cluster ({type(error).__name__}): "
            "scale the photo down or give the workers more memory"
        )
        return Reply(
            task.number,
            failed_row(task.source, None, self._settings.stamp, None, "worker_killed", message),
        )

    def _look(self) -> None:
        """Count the cluster's threads, now and then. Raises PoolError where there are none for long."""
        now = monotonic()
        if self._client.status != "running":
            raise PoolError(self._gone())
        if self._threads and now - self._looked < _LOOK_S:
            return
        self._looked = now
        try:
            self._threads = sum(self._client.nthreads().values())
        except (OSError, TimeoutError) as error:
            raise PoolError(self._gone()) from error
        if self._threads:
            self._had_workers = now
        elif now - self._had_workers > _NO_WORKERS_S:
            raise PoolError(f"{self._where()} has had no worker for minutes: start some with dask worker")

    def _where(self) -> str:
        return f"the Dask scheduler at {self._scheduler or 'this machine'}"

    def _gone(self) -> str:
        return f"{self._where()} has gone away; what was read is kept: start it and run again with --resume"


def _next_shard(tasks: Iterator[Task]) -> Shard:
    """The next few tasks, fewer where they carry their photos with them, none at the end."""
    taken: list[Task] = []
    size = 0
    while len(taken) < _SHARD_PHOTOS and size < _SHARD_BYTES and (task := next(tasks, None)) is not None:
        taken.append(task)
        size += len(task.source.data or b"")
    return Shard(tuple(taken))


def _lacking(needed: Needs, folder: Path | None, dask_worker: Worker | None = None) -> str | None:  # noqa: ARG001
    """What a worker lacks, asked on the worker itself."""
    lacking = needed.lacking()
    if lacking is None and needed.path is not None and not os.path.exists((folder or Path()) / needed.path):
        return (
            f"{(folder or Path()) / needed.path} is not there: share the folder with every worker at the same "
            "path, or name an address that all can read, such as s3://…"
        )
    return lacking


def _words(said: object) -> str:
    """What a worker said, or the error that kept it from saying anything."""
    if isinstance(said, ImportError):
        return f"Fanlens is not installed there ({said}): pip install 'fanlens[dask]' on every worker"
    return (
        str(said)
        if isinstance(said, str | WrongWorkerError | PoolError)
        else f"{type(said).__name__}: {said}"
    )
