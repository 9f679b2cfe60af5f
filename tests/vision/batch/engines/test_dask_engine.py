"""The same work on a real Dask cluster: the same bytes, whatever dies on the way."""

import gc
import json
import os
import signal
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from distributed import Client

from models.manifest import Manifest, load_manifest
from scorer.jsonl import json_line
from tests.vision.batch.conftest import DaskCluster, children_of, dask_cluster, wait_for_rows, wait_until
from tests.vision.batch.engines.test_pool import FRAGILE, SETTINGS, tasks
from vision.batch.engines import dask_engine, dask_worker
from vision.batch.engines.dask_engine import DaskEngine
from vision.batch.engines.dask_worker import Needs, needs
from vision.batch.engines.engine import EngineError, Task
from vision.batch.listing.photo_source import PhotoSource


@pytest.fixture(autouse=True)
def _no_client_left() -> Iterator[None]:
    """A client that could not connect closes when it is collected, and must not do so in the next one's thread."""
    yield
    gc.collect()


def reasons(engine: DaskEngine, *names: str) -> dict[str, str]:
    found: dict[str, str] = {}
    with engine:
        for reply in engine.run(tasks(*names)):
            if reply is not None and reply.row is not None:
                assert reply.row["source"] not in found
                found[reply.row["source"]] = reply.row["problems"][0]["code"]
    return found


def test_a_worker_killed_on_the_way_changes_no_byte(
    start: Any, photos: Path, undisturbed: list[str], cluster: DaskCluster, tmp_path: Path
) -> None:
    out, folder = tmp_path / "dask.jsonl", tmp_path / "elsewhere"
    folder.mkdir()
    victim = cluster.worker()
    with Client(cluster.address) as client:
        client.wait_for_workers(2)
    how = ("--engine", "dask", "--scheduler", cluster.address)
    with start(photos, "--out", out, *how, cwd=folder) as process:  # the workers are in another folder
        wait_until(lambda: bool(children_of(victim.pid)), "the worker got no photo")
        victim.kill()
        _, err = process.communicate()
    assert process.returncode == 0, err
    assert out.read_text(encoding="utf-8").splitlines(keepends=True) == undisturbed


def test_a_run_is_resumed_with_the_other_engine(
    start: Any, invoke: Any, photos: Path, undisturbed: list[str], tmp_path: Path
) -> None:
    source, out, report = tmp_path / "photos.tar", tmp_path / "results.jsonl", tmp_path / "report.html"
    with tarfile.open(source, "w") as archive:
        for path in sorted(photos.iterdir()):
            archive.add(path, f"photos/{path.name}")
    how = ("--out", out, "--processes", "1", "--report", report)
    with start(source, *how, "--engine", "dask", start_new_session=True) as process:
        wait_for_rows(out, 1)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, err = process.communicate()
    assert process.returncode == 130, err
    assert "whose rows are kept; to continue:" in err
    assert "Traceback" not in err
    done = invoke(source, *how, "--resume")
    assert done.exit_code == 0
    assert 8 <= int(done.stdout.partition(" skipped as done")[0].rpartition(", ")[2]) < 24
    assert report.read_text(encoding="utf-8").count("<svg ") == 24
    expected = []
    for line in undisturbed:
        row = json.loads(line)
        image = f"photos/{Path(row['image']).name}"
        expected.append(json_line({**row, "source": f"tar://{image}::{source}", "image": image}) + "\n")
    assert out.read_text(encoding="utf-8").splitlines(keepends=True) == expected


def test_a_photo_that_kills_dask_workers_is_named_and_the_others_are_read() -> None:
    # The last shard has one photo, which dies with the worker that the other brings down.
    names = [*"123", "host", *"45678"]
    found = reasons(DaskEngine(SETTINGS, processes=1, command=FRAGILE), *names)
    assert found == {**dict.fromkeys("12345678", "no_tiles"), "host": "worker_killed"}


def test_a_photo_that_kills_its_process_leaves_the_dask_worker_alone(cluster: DaskCluster) -> None:
    engine = DaskEngine(SETTINGS, scheduler=cluster.address, command=FRAGILE, timeout_s=2.0)
    with Client(cluster.address) as client:
        before = client.nthreads()
        found = reasons(engine, "1", "crash", "2", "memory", "slow", "3")
        assert client.nthreads() == before
    assert found == {
        **dict.fromkeys("123", "no_tiles"),
        "crash": "worker_crashed",
        "memory": "out_of_memory",
        "slow": "too_slow",
    }


@pytest.mark.parametrize(
    ("photos_in_all", "size", "most_ahead"),
    [
        (60, 10, 3 * 8),  # two shards of eight for the one thread, and the one being handed over
        (12, 3_000_000, 3 * 3),  # photos that travel make shards of some megabytes
    ],
)
def test_the_scheduler_holds_few_photos_at_a_time(
    cluster: DaskCluster, photos_in_all: int, size: int, most_ahead: int
) -> None:
    taken = answered = 0

    def counted() -> Iterator[Task]:
        nonlocal taken
        for number in range(photos_in_all):
            taken += 1
            yield Task(number, PhotoSource(f"{number}", f"{number}", data=bytes(size)), {})

    with DaskEngine(SETTINGS, scheduler=cluster.address, command=FRAGILE) as engine:
        for reply in engine.run(counted()):
            answered += reply is not None
            assert taken <= answered + most_ahead
    assert taken == answered == photos_in_all


def test_a_run_leaves_nothing_on_the_cluster(cluster: DaskCluster) -> None:
    def plugins(dask_worker: Any) -> list[str]:
        return [name for name in dask_worker.plugins if "fanlens" in name]

    with Client(cluster.address) as client:
        with DaskEngine(SETTINGS, scheduler=cluster.address, command=FRAGILE) as engine:
            assert len(list(filter(None, engine.run(tasks("1", "2"))))) == 2
            assert [len(names) for names in client.run(plugins).values()] == [1]
        assert list(client.run(plugins).values()) == [[]]
        assert client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)) == 0


WRONG = [
    (Needs("0.0", {}), r"it has Fanlens \S+, this run 0\.0: install the same version"),
    (Needs(needs().fanlens, {"reader": "0" * 64}), r"its network reader \S+ has the sha256 .{12}…, this run"),
    (Needs(needs().fanlens, {"seer": "0" * 64}), "it has no network seer"),
    (Needs(needs().fanlens, {}, "not/there"), "not/there is not there: share the folder"),
]


@pytest.mark.parametrize(("needed", "words"), WRONG)
def test_a_worker_that_would_read_otherwise_is_refused(
    cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch, needed: Needs, words: str
) -> None:
    monkeypatch.setattr(dask_engine, "needs", lambda _path: needed)
    engine = DaskEngine(SETTINGS, scheduler=cluster.address)
    with pytest.raises(EngineError, match=f"the worker tcp://.* cannot read photos: {words}") as caught:
        engine.__enter__()
    assert caught.value.code == "wrong_worker"


def test_a_wrong_worker_that_joins_later_ends_the_run(
    cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed, words = WRONG[0]
    monkeypatch.setattr(dask_engine, "needs", lambda _path: needed)
    monkeypatch.setattr(dask_engine, "_lacking", lambda *_: None)  # at the start nothing was wrong
    engine = DaskEngine(SETTINGS, scheduler=cluster.address, command=FRAGILE)
    with engine, pytest.raises(EngineError, match=f"cannot read photos: {words}") as caught:
        list(engine.run(tasks("1")))
    assert caught.value.code == "wrong_worker"


def test_a_network_whose_file_is_damaged_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad.onnx").write_bytes(b"not a network")
    reader = replace(load_manifest()["reader"], file=str(tmp_path / "bad.onnx"))
    monkeypatch.setattr(dask_worker, "load_manifest", lambda: Manifest((reader,)))
    lacking = Needs(needs().fanlens, {"reader": reader.sha256}).lacking()
    assert lacking is not None
    assert "install Fanlens again" in lacking


def test_processes_that_cannot_start_end_the_run(cluster: DaskCluster) -> None:
    command = (sys.executable, "-c", "raise SystemExit('no library here')")
    engine = DaskEngine(SETTINGS, scheduler=cluster.address, command=command)
    with engine, pytest.raises(EngineError, match="do not start: no library here") as caught:
        list(engine.run(tasks("1")))
    assert caught.value.code == "no_processes"


@pytest.mark.parametrize("address", ["nonsense", "tcp://127.0.0.1:9", "quic://127.0.0.1:9"])
def test_a_scheduler_that_does_not_answer_is_named(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_engine, "_PATIENCE_S", 1.0)
    with pytest.raises(EngineError, match=f"no Dask scheduler answers at {address} .*: start one"):
        DaskEngine(SETTINGS, scheduler=address).__enter__()


def test_a_cluster_without_workers_or_scheduler_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with dask_cluster(tmp_path) as empty:
        with DaskEngine(SETTINGS, scheduler=empty.address) as engine, monkeypatch.context() as patch:
            patch.setattr(dask_engine, "_NO_WORKERS_S", 0.5)
            with pytest.raises(EngineError, match="has had no worker for minutes"):
                list(engine.run(tasks("1")))
        with DaskEngine(SETTINGS, scheduler=empty.address) as engine:
            replies = engine.run(tasks("1"))
            assert next(replies) is None
            empty.scheduler.kill()
            with pytest.raises(EngineError, match="does not answer any more; finished rows are kept"):
                list(replies)
