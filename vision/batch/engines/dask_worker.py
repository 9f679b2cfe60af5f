"""The Dask worker's side: a shard of photos in, their rows out, and the plugin that holds what reads them.

A Dask worker reads nothing itself. Its plugin keeps a pool of one process for each of its threads, the same process
that the local engine uses, so that a photo which crashes, hangs or eats the memory costs that process and its own
row, and the Dask worker stays. What still brings a whole worker down is `vision.batch.engines.cluster`'s to find.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from queue import SimpleQueue

from distributed import Worker, WorkerPlugin, get_worker

from models.manifest import ModelError, load_manifest
from vision.batch.engines.pool import COMMAND, Pool, PoolError, PoolStoppedError
from vision.batch.engines.tasks import Reply, Settings, Task


class WrongWorkerError(RuntimeError):
    """A worker cannot give the rows of this run; the message says which, why, and what to do."""


@dataclass(frozen=True)
class Shard:
    """Some photos, read one after the other by one worker: the unit of work on a cluster."""

    tasks: tuple[Task, ...]


@dataclass(frozen=True)
class Needs:
    """What a worker must have to give the rows of a run: this Fanlens, these networks (sha256 by name), this path.

    path: where the photos lie, as the run names it, None where a worker need not see it.
    """

    fanlens: str
    models: Mapping[str, str]
    path: str | None = None

    def lacking(self) -> str | None:
        """What this machine lacks of it, None where it has everything."""
        if (found := installed()) != self.fanlens:
            return (
                f"it has Fanlens {found}, this run {self.fanlens}: install the same version on every worker"
            )
        for name, digest in self.models.items():
            try:
                model = load_manifest()[name]
                model.read()
            except KeyError:
                return f"it has no network {name}: install the same Fanlens on every worker"
            except ModelError as error:
                return str(error)
            if model.sha256 != digest:
                return (
                    f"its network {name} {model.version} has the sha256 {model.sha256[:12]}…, this run's "
                    f"{digest[:12]}…: install the same Fanlens on every worker"
                )
        return None


def needs(path: str | None = None) -> Needs:
    """What this process has, for workers to have too."""
    return Needs(installed(), {model.name: model.sha256 for model in load_manifest().models}, path)


def installed() -> str:
    """The version of Fanlens here."""
    try:
        return version("fanlens")
    except PackageNotFoundError:
        return "not installed"


class Reading(WorkerPlugin):
    """Holds the processes that read photos on one Dask worker for one run, one for each of its threads."""

    def __init__(
        self, name: str, settings: Settings, needed: Needs, timeout_s: float, command: Sequence[str] = COMMAND
    ) -> None:
        """`name` tells runs on the same cluster apart."""
        self.name = name
        self._settings = settings
        self._needed = needed
        self._timeout_s = timeout_s
        self._command = command

    def setup(self, worker: Worker) -> None:
        """See whether the worker will do; its processes start with its first photos. Called by Dask."""
        self.lacking = self._needed.lacking()
        self._pools: SimpleQueue[Pool] = SimpleQueue()
        self._at_work: set[Pool] = set()
        for _ in range(worker.state.nthreads):
            self._pools.put(self._pool())

    def _pool(self) -> Pool:
        return Pool(1, self._settings, timeout_s=self._timeout_s, command=self._command)

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002 Dask's form
        """End the processes, also those at work. Called by Dask when the run ends or the worker leaves."""
        for pool in tuple(self._at_work):
            pool.stop()
        while not self._pools.empty():
            self._pools.get().close()

    def read(self, shard: Shard) -> tuple[Reply, ...]:
        """Read the photos. Raises WrongWorkerError, PoolError, PoolStoppedError."""
        if self.lacking is not None:
            raise WrongWorkerError(f"the worker {get_worker().address} cannot read photos: {self.lacking}")
        pool = self._pools.get()
        self._at_work.add(pool)
        try:
            replies = tuple(reply for reply in pool.run(iter(shard.tasks)) if reply is not None)
        except (PoolError, PoolStoppedError):
            pool.close()
            self._pools.put(self._pool())
            raise
        else:
            self._pools.put(pool)
            return replies
        finally:
            self._at_work.discard(pool)


def dask_setup(worker: Worker) -> None:  # noqa: ARG001 Dask's form
    """Leave Ctrl-C and a closed terminal to the run: what Dask calls in a worker that preloads this module."""
    for each in (signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)


def read_shard(name: str, shard: Shard) -> tuple[Reply, ...]:
    """The replies to every task of a shard: the one function that a cluster runs, for the run of that name.

    It depends on its arguments and the files alone, so any worker may run it, and again. Raises WrongWorkerError,
    PoolError, PoolStoppedError.
    """
    plugin = get_worker().plugins[name]
    if not isinstance(plugin, Reading):
        raise WrongWorkerError(f"another plugin is called {name}")
    return plugin.read(shard)
