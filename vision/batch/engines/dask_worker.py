"""What runs on a Dask worker: it takes a shard of photos and gives their rows.

The Dask worker itself reads nothing. A plugin on it keeps one process of `vision.batch.engines.worker` per thread, as
the local engine does. So a photo that crashes, hangs or eats the memory costs that process and its own row, and the
Dask worker survives. `vision.batch.engines.dask_engine` deals with photos that still kill a whole Dask worker.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from queue import SimpleQueue

from distributed import Worker, WorkerPlugin, get_worker

from models.manifest import ModelError, load_manifest
from vision.batch.engines.engine import EngineError, Reply, Settings, Task
from vision.batch.engines.pool import COMMAND, Pool, StoppedError


@dataclass(frozen=True)
class Shard:
    """Some photos that one worker reads one after the other: the unit of work on a cluster."""

    tasks: tuple[Task, ...]


@dataclass(frozen=True)
class Needs:
    """What a worker must have to give the same rows as the run.

    fanlens: this version of Fanlens. models: sha256 of each network by name. path: where the photos lie, as the run
    names it, None if a worker need not see it.
    """

    fanlens: str
    models: Mapping[str, str]
    path: str | None = None

    def lacking(self) -> str | None:
        """What this machine lacks, None if it has everything."""
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
    """What this process has, and workers must have too."""
    return Needs(installed(), {model.name: model.sha256 for model in load_manifest().models}, path)


def installed() -> str:
    """The version of Fanlens that is installed."""
    try:
        return version("fanlens")
    except PackageNotFoundError:
        return "not installed"


class Reading(WorkerPlugin):
    """Holds the reading processes of one run on one Dask worker, one process per thread."""

    def __init__(
        self, name: str, settings: Settings, needed: Needs, timeout_s: float, command: Sequence[str] = COMMAND
    ) -> None:
        """Prepare the plugin of the run called `name`; a cluster may serve several runs."""
        self.name = name
        self._settings = settings
        self._needed = needed
        self._timeout_s = timeout_s
        self._command = command

    def setup(self, worker: Worker) -> None:
        """Check whether the worker has what it needs. Its processes start with its first photos. Dask calls this."""
        self.lacking = self._needed.lacking()
        self._pools: SimpleQueue[Pool] = SimpleQueue()
        self._at_work: set[Pool] = set()
        for _ in range(worker.state.nthreads):
            self._pools.put(self._pool())

    def _pool(self) -> Pool:
        return Pool(1, self._settings, timeout_s=self._timeout_s, command=self._command)

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002 Dask passes it
        """End all processes, even those at work. Dask calls this when the run ends or the worker leaves."""
        for pool in tuple(self._at_work):
            pool.stop()
        while not self._pools.empty():
            self._pools.get().close()

    def read(self, shard: Shard) -> tuple[Reply, ...]:
        """Read the photos. Raises EngineError, StoppedError."""
        if self.lacking is not None:
            raise EngineError(
                "wrong_worker", f"the worker {get_worker().address} cannot read photos: {self.lacking}"
            )
        pool = self._pools.get()
        self._at_work.add(pool)
        try:
            replies = tuple(reply for reply in pool.run(iter(shard.tasks)) if reply is not None)
        except (EngineError, StoppedError):
            pool.close()
            self._pools.put(self._pool())
            raise
        else:
            self._pools.put(pool)
            return replies
        finally:
            self._at_work.discard(pool)


def dask_setup(worker: Worker) -> None:  # noqa: ARG001 Dask passes it
    """Ignore Ctrl-C and a closed terminal, which the run handles. Dask calls this in workers that preload us."""
    for each in (signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)


def read_shard(name: str, shard: Shard) -> tuple[Reply, ...]:
    """The replies to every task of a shard, for the run of that name. This is the one function that a cluster runs.

    It depends only on its arguments and the files, so any worker may run it, more than once if need be. Raises
    EngineError, StoppedError.
    """
    plugin = get_worker().plugins[name]
    if not isinstance(plugin, Reading):
        raise EngineError("wrong_worker", f"another plugin is called {name}")
    return plugin.read(shard)
