"""Workers die; the photos that kill them get a row, the others are read."""

import errno
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from vision.batch.engines.pool import Pool, PoolError, PoolStoppedError
from vision.batch.engines.tasks import Settings, Task
from vision.batch.listing.photo_source import Source
from vision.batch.results.result_rows import Stamp
from vision.networks.sessions import THREADS

FRAGILE = (sys.executable, str(Path(__file__).with_name("fragile_worker.py")))
SETTINGS = Settings(Stamp({"detector": "1"}, "guobiao"), {})


def tasks(*names: str) -> Iterator[Task]:
    for number, name in enumerate(names):
        yield Task(number, Source(name, name, data=b"some bytes"), {})


def reasons(pool: Pool, names: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    with pool:
        for reply in pool.run(tasks(*names)):
            if reply is not None and reply.row is not None:
                assert reply.row["source"] not in found
                found[reply.row["source"]] = reply.row["problems"][0]["code"]
    return found


def test_photos_that_bring_a_worker_down_are_named_and_the_others_read() -> None:
    names = ["1", "2", "crash", "3", "4", "killed", "memory", "bug", "5", "6"]
    found = reasons(Pool(2, SETTINGS, command=FRAGILE), names)
    assert found == {
        **dict.fromkeys("123456", "no_tiles"),
        "crash": "worker_crashed",
        "killed": "worker_killed",
        "memory": "out_of_memory",
        "bug": "internal_error",
    }


def test_a_photo_that_never_ends_is_given_up() -> None:
    found = reasons(Pool(1, SETTINGS, command=FRAGILE, timeout_s=2.5), ["1", "slow", "2"])
    assert found == {"1": "no_tiles", "2": "no_tiles", "slow": "too_slow"}


def test_starting_a_worker_does_not_count_as_the_photo_s_time() -> None:
    found = reasons(Pool(1, SETTINGS, command=FRAGILE, timeout_s=0.3), ["1", "slow", "2"])
    assert found["slow"] == "too_slow"


def test_the_reason_of_an_unforeseen_error_is_kept() -> None:
    with Pool(1, SETTINGS, command=FRAGILE) as pool:
        rows = [reply.row for reply in pool.run(tasks("bug")) if reply is not None]
    assert rows[0] is not None
    assert rows[0]["problems"][0]["message"] == "ZeroDivisionError: division by zero"


def test_workers_that_do_not_start_end_the_run_with_their_last_words() -> None:
    pool = Pool(2, SETTINGS, command=(sys.executable, "-c", "raise SystemExit('no library here')"))
    with pool, pytest.raises(PoolError, match="no library here"):
        list(pool.run(tasks("1", "2", "3")))


def test_a_worker_that_does_not_listen_yet_holds_nobody_up() -> None:
    deaf = (sys.executable, "-c", "import time; time.sleep(600)")
    with Pool(1, SETTINGS, command=deaf) as pool:
        large = Task(0, Source("a", "a", data=bytes(4_000_000)), {})  # more than a socket holds
        assert next(pool.run(iter([large]))) is None


def test_there_are_no_more_processes_than_files_may_be_open() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64 + 2 * 2, hard))
    try:
        pool = Pool(1000, SETTINGS, command=FRAGILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    most = 0
    with pool:
        for _ in pool.run(tasks(*map(str, range(12)))):
            most = max(most, len(pool._workers))
    assert most == 2


def test_where_the_system_starts_no_more_processes_fewer_do_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    real, started = subprocess.Popen, 0

    def no_third(*arguments: Any, **options: Any) -> Any:
        nonlocal started
        started += 1
        if started > 2:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return real(*arguments, **options)

    monkeypatch.setattr(subprocess, "Popen", no_third)
    names = list(map(str, range(12)))
    assert reasons(Pool(5, SETTINGS, command=FRAGILE), names) == dict.fromkeys(names, "no_tiles")
    assert started == 3
    with pytest.raises(PoolError, match=r"no process can be started .*temporarily unavailable"):
        reasons(Pool(5, SETTINGS, command=FRAGILE), names)


def test_tasks_are_taken_only_when_there_is_room() -> None:
    taken = 0

    def counted() -> Iterator[Task]:
        nonlocal taken
        for task in tasks(*map(str, range(40))):
            taken += 1
            yield task

    answered = 0
    with Pool(2, SETTINGS, command=FRAGILE) as pool:
        for reply in pool.run(counted()):
            answered += reply is not None
            assert taken <= answered + 2 * 2
    assert answered == taken == 40


def test_a_process_that_ended_between_two_runs_costs_nothing() -> None:
    with Pool(1, SETTINGS, command=FRAGILE) as pool:
        assert len([reply for reply in pool.run(tasks("1")) if reply is not None]) == 1
        first = pool._workers[0].process
        first.kill()
        first.wait()
        again = [reply for reply in pool.run(tasks("1", "2")) if reply is not None]
        assert pool._attempts.total() == 0
    assert sorted(reply.number for reply in again) == [0, 1]


def test_a_pool_that_is_stopped_says_so_and_leaves_no_process() -> None:
    with Pool(1, SETTINGS, command=FRAGILE) as pool:
        replies = pool.run(tasks("1", "slow"))
        while next(replies) is None:
            pass
        Thread(target=pool.stop).start()
        with pytest.raises(PoolStoppedError):
            list(replies)
        processes = [worker.process for worker in pool._workers]
    assert [process.returncode for process in processes] == [-9]


def test_processes_that_are_done_are_not_waited_for() -> None:
    with Pool(2, SETTINGS, command=FRAGILE) as pool:
        assert len([reply for reply in pool.run(tasks("1", "2", "3")) if reply is not None]) == 3
        processes = [worker.process for worker in pool._workers]
    assert [process.returncode for process in processes] == [-9, -9]


def test_a_process_reads_with_one_thread_whatever_other_commands_are_told(
    small_photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(small_photos / "three-chows.jpg")
    threads = {}
    for told in ("1", "4"):
        monkeypatch.setenv(THREADS, told)
        with Pool(1, SETTINGS) as pool:
            task = Task(0, Source(path, path), {})
            (row,) = [reply.row for reply in pool.run(iter([task])) if reply is not None]
            threads[told] = len(list(Path(f"/proc/{pool._workers[0].process.pid}/task").iterdir()))
        assert row is not None
        assert row["tiles"]
    assert threads["1"] == threads["4"]


def test_leaving_early_leaves_no_process_behind() -> None:
    with Pool(1, SETTINGS, command=FRAGILE) as pool:
        next(pool.run(tasks("slow")))
        processes = [worker.process for worker in pool._workers]
    assert [process.returncode for process in processes] == [-9]
