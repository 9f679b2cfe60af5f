"""The same work on a real Dask cluster: the same bytes, whatever dies on the way."""

import gc
import json
import os
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from models.manifest import Manifest, load_manifest
from vision.batch.engines import cluster as engine
from vision.batch.engines import shards
from vision.batch.engines.cluster import Cluster
from vision.batch.engines.pool import PoolError
from vision.batch.engines.shards import Needs, needs
from vision.batch.engines.tasks import Settings, Task
from vision.batch.listing.photo_source import Source
from vision.batch.results.result_rows import Stamp

FRAGILE = (sys.executable, str(Path(__file__).with_name("fragile_worker.py")))
DASK = str(Path(sys.executable).with_name("dask"))
SETTINGS = Settings(Stamp({"detector": "1"}, "guobiao"), {})


@pytest.fixture(autouse=True)
def _no_client_left() -> Iterator[None]:
    """A client that could not connect closes when it is collected, and must not do so in the next one's thread."""
    yield
    gc.collect()


class Started:
    """A scheduler on loopback, and workers that are processes of their own."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        self._file = folder / "scheduler.json"
        self._held = held
        self._log = held.enter_context((folder / "log").open("w"))
        self._start("scheduler", "--port", "0")
        for _ in range(6000):
            if self._file.exists() and self._file.read_text().endswith("}"):
                break
            time.sleep(0.05)
        self.address: str = json.loads(self._file.read_text())["address"]

    def worker(self) -> subprocess.Popen[bytes]:
        return self._start("worker", "--nthreads", "1", "--no-nanny")

    def _start(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        own_port = ("--dashboard-address", "127.0.0.1:0", "--no-dashboard")
        common = ("--host", "127.0.0.1", *own_port, "--scheduler-file", str(self._file))
        process = self._held.enter_context(
            subprocess.Popen([DASK, what, *common, *arguments], stdout=self._log, stderr=self._log)
        )
        self._held.callback(process.kill)
        return process


@contextmanager
def started(folder: Path) -> Iterator[Started]:
    with ExitStack() as held:
        yield Started(folder, held)


@pytest.fixture(scope="module")
def one_worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with a worker."""
    with started(tmp_path_factory.mktemp("cluster")) as cluster:
        cluster.worker()
        yield cluster.address


def tasks(*names: str) -> Iterator[Task]:
    for number, name in enumerate(names):
        yield Task(number, Source(name, name, data=b"some bytes"), {})


def reasons(cluster: Cluster, *names: str) -> dict[str, str]:
    found: dict[str, str] = {}
    with cluster:
        for reply in cluster.run(tasks(*names)):
            if reply is not None and reply.row is not None:
                assert reply.row["source"] not in found
                found[reply.row["source"]] = reply.row["problems"][0]["code"]
    return found


def test_a_worker_killed_on_the_way_changes_no_byte(
    start: Any, batch: Any, many: Any, wait_for_rows: Any, tmp_path: Path
) -> None:
    many(60)
    local, out = tmp_path / "local.jsonl", tmp_path / "dask.jsonl"
    assert batch("many", "--out", local, "--quiet", cwd=tmp_path).returncode == 0
    with started(tmp_path) as cluster:
        workers = [cluster.worker(), cluster.worker()]
        how = ("--engine", "dask", "--scheduler", cluster.address)
        with start("many", "--out", out, *how, cwd=tmp_path) as process:  # workers are elsewhere
            wait_for_rows(out, 8)
            workers[0].kill()
            _, err = process.communicate()
        assert workers[1].poll() is None
    assert process.returncode == 0, err
    assert out.read_bytes() == local.read_bytes()


def test_a_run_goes_on_with_the_other_engine(
    start: Any, batch: Any, many: Any, wait_for_rows: Any, tmp_path: Path
) -> None:
    folder = many(80)
    with tarfile.open(tmp_path / "photos.tar", "w") as archive:
        archive.add(folder, "photos")
    source, out = tmp_path / "photos.tar", tmp_path / "results.jsonl"
    how = ("--out", out, "--processes", "2", "--report", tmp_path / "report.html")
    with start(source, *how, "--engine", "dask", start_new_session=True) as process:
        wait_for_rows(out, 8)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, err = process.communicate()
    assert process.returncode == 130
    assert "all of them kept; to go on:" in err
    assert "Traceback" not in err
    done = batch(source, *how, "--resume")
    assert done.returncode == 0
    assert 8 <= int(done.stdout.partition(" skipped as done")[0].rpartition(", ")[2]) < 80
    assert (tmp_path / "report.html").read_text(encoding="utf-8").count("<svg ") == 80
    whole = tmp_path / "undisturbed.jsonl"
    assert batch(source, "--out", whole, "--quiet").returncode == 0
    assert out.read_bytes() == whole.read_bytes()


def test_a_photo_that_kills_dask_workers_is_named_and_the_others_are_read() -> None:
    # The last shard has one photo, which dies with the worker that the other brings down.
    names = [*"123", "host", *"45678"]
    found = reasons(Cluster(SETTINGS, processes=1, command=FRAGILE), *names)
    assert found == {**dict.fromkeys("12345678", "no_tiles"), "host": "worker_killed"}


def test_a_photo_that_kills_its_process_leaves_the_dask_worker_alone(one_worker: str) -> None:
    cluster = Cluster(SETTINGS, scheduler=one_worker, command=FRAGILE, timeout_s=2.0)
    found = reasons(cluster, "1", "crash", "2", "memory", "slow", "3")
    assert found == {
        **dict.fromkeys("123", "no_tiles"),
        "crash": "worker_crashed",
        "memory": "out_of_memory",
        "slow": "too_slow",
    }


def test_the_scheduler_holds_few_photos_at_a_time(one_worker: str) -> None:
    taken = answered = 0

    def counted() -> Iterator[Task]:
        nonlocal taken
        for task in tasks(*map(str, range(100))):
            taken += 1
            yield task

    with Cluster(SETTINGS, scheduler=one_worker, command=FRAGILE) as cluster:
        for reply in cluster.run(counted()):
            answered += reply is not None
            assert taken <= answered + 3 * 8  # two shards for the one thread, and the one being handed over
    assert taken == answered == 100


def test_large_photos_that_travel_make_small_shards() -> None:
    sources = [Source(f"{number}", f"{number}", data=bytes(3_000_000)) for number in range(5)]
    left = iter([Task(number, source, {}) for number, source in enumerate(sources)])
    assert [len(engine._next_shard(left).tasks) for _ in range(3)] == [3, 2, 0]


def test_a_run_leaves_nothing_on_the_cluster(one_worker: str) -> None:
    assert reasons(Cluster(SETTINGS, scheduler=one_worker, command=FRAGILE), "1") == {"1": "no_tiles"}
    with Cluster(SETTINGS, scheduler=one_worker) as cluster:
        found = cluster._client.run(lambda dask_worker: [*dask_worker.plugins])
        assert [name for names in found.values() for name in names if "fanlens" in name] == [cluster._name]


@pytest.mark.parametrize(
    ("needed", "words"),
    [
        (Needs("0.0", {}), r"it has Fanlens \S+, this run 0\.0: install the same version"),
        (
            Needs(needs().fanlens, {"reader": "0" * 64}),
            r"its network reader \S+ has the sha256 .{12}…, this run",
        ),
        (Needs(needs().fanlens, {"seer": "0" * 64}), "it has no network seer"),
        (Needs(needs().fanlens, {}, "not/there"), "not/there is not there: share the folder"),
    ],
)
def test_a_worker_that_would_read_otherwise_is_refused(one_worker: str, needed: Needs, words: str) -> None:
    cluster = Cluster(SETTINGS, scheduler=one_worker)
    cluster._needed = needed
    with pytest.raises(PoolError, match=f"the worker tcp://.* cannot read photos: {words}"):
        cluster.__enter__()


def test_a_network_whose_file_is_damaged_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad.onnx").write_bytes(b"not a network")
    reader = replace(load_manifest()["reader"], file=str(tmp_path / "bad.onnx"))
    monkeypatch.setattr(shards, "load_manifest", lambda: Manifest((reader,)))
    lacking = Needs(needs().fanlens, {"reader": reader.sha256}).lacking()
    assert lacking is not None
    assert "install Fanlens again" in lacking


def test_a_wrong_worker_that_joins_later_ends_the_run(one_worker: str) -> None:
    with Cluster(SETTINGS, scheduler=one_worker, command=FRAGILE) as cluster:
        cluster._client.run(
            lambda name, dask_worker: setattr(dask_worker.plugins[name], "lacking", "its network is another"),
            cluster._name,
        )
        with pytest.raises(PoolError, match="cannot read photos: its network is another"):
            list(cluster.run(tasks("1")))


def test_workers_that_cannot_start_end_the_run(one_worker: str) -> None:
    command = (sys.executable, "-c", "raise SystemExit('no library here')")
    cluster = Cluster(SETTINGS, scheduler=one_worker, command=command)
    with cluster, pytest.raises(PoolError, match="do not start: no library here"):
        list(cluster.run(tasks("1")))


@pytest.mark.parametrize("address", ["nonsense", "tcp://127.0.0.1:9", "quic://127.0.0.1:9"])
def test_a_scheduler_that_does_not_answer_is_named(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_PATIENCE_S", 1.0)
    with pytest.raises(PoolError, match=f"no Dask scheduler answers at {address} .*: start one"):
        Cluster(SETTINGS, scheduler=address).__enter__()


def test_a_scheduler_that_goes_away_ends_the_run(tmp_path: Path) -> None:
    with started(tmp_path) as cluster, Cluster(SETTINGS, scheduler=cluster.address) as run:
        replies = run.run(tasks("1"))  # no worker is there to read it
        assert next(replies) is None
        cluster._held.close()
        with pytest.raises(PoolError, match="has gone away; what was read is kept"):
            list(replies)


def test_a_cluster_without_workers_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_NO_WORKERS_S", 0.5)
    with started(tmp_path) as cluster, Cluster(SETTINGS, scheduler=cluster.address) as run:
        waiting = pytest.raises(PoolError, match="has had no worker for minutes")
        with waiting:
            list(run.run(tasks("1")))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--scheduler", "tcp://127.0.0.1:9"), "add --engine dask"),
        (
            ("--scheduler", "tcp://127.0.0.1:9", "--engine", "dask", "--processes", "2"),
            "leave out --processes",
        ),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    start: Any, club: Path, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    with start(club, "--out", tmp_path / "x.jsonl", *arguments) as process:
        _, err = process.communicate()
    assert process.returncode == 2
    assert words in err
