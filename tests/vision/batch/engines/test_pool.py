"""Worker processes die; the photos that kill them get a row, and the others are read."""

import errno
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from scorer import PROFILES, parse_profile
from tests.vision.batch.conftest import alive, children_of, wait_until
from tests.vision.batch.engines.fragile_worker import STARTS
from vision.batch.engines.engine import EngineError, Settings, Task
from vision.batch.engines.pool import Pool, StoppedError
from vision.batch.listing.photo_source import PhotoSource
from vision.batch.results.result_rows import ATTEMPTS, REASONS, Row, Stamp, attempts_text
from vision.networks.sessions import THREADS

FRAGILE = (sys.executable, str(Path(__file__).with_name("fragile_worker.py")))
SETTINGS = Settings(Stamp({"detector": "1"}, PROFILES["guobiao"]), {})
DOCS = Path(__file__).parents[4] / "docs" / "batch.md"


def tasks(*names: str) -> Iterator[Task]:
    for number, name in enumerate(names):
        yield Task(number, PhotoSource(name, name, data=b"some bytes"), {})


def rows(pool: Pool, *names: str) -> dict[str, Row]:
    """The row of each photo; each has one."""
    found: dict[str, Row] = {}
    for reply in pool.run(tasks(*names)):
        if reply is not None and reply.row is not None:
            assert reply.row["source"] not in found
            found[reply.row["source"]] = reply.row
    return found


def reasons(pool: Pool, *names: str) -> dict[str, str]:
    with pool:
        return {name: row["problems"][0]["code"] for name, row in rows(pool, *names).items()}


@pytest.fixture
def processes() -> Callable[[], list[int]]:
    """The processes that this one has started since the test began."""
    others = set(children_of(os.getpid()))
    return lambda: [pid for pid in children_of(os.getpid()) if pid not in others]


def test_photos_that_kill_a_process_are_named_and_the_others_read() -> None:
    names = ["1", "2", "crash", "3", "4", "killed", "memory", "bug", "5", "6"]
    assert reasons(Pool(2, SETTINGS, command=FRAGILE), *names) == {
        **dict.fromkeys("123456", "no_tiles"),
        "crash": "worker_crashed",
        "killed": "worker_killed",
        "memory": "out_of_memory",
        "bug": "internal_error",
    }


def test_a_photo_that_never_ends_is_given_up() -> None:
    found = reasons(Pool(1, SETTINGS, command=FRAGILE, timeout_s=2.0), "1", "slow", "2")
    assert found == {"1": "no_tiles", "2": "no_tiles", "slow": "too_slow"}


def test_starting_a_process_does_not_count_as_the_photo_s_time() -> None:
    with Pool(1, SETTINGS, command=FRAGILE, timeout_s=0.05) as pool:
        (row,) = rows(pool, "slow").values()
    assert "longer than 0.05 s" in row["problems"][0]["message"]


@pytest.mark.parametrize("attempts", [None, 1, 3])
def test_a_photo_that_kills_its_process_is_started_as_often_as_attempts_says(
    attempts: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(STARTS, str(tmp_path / "starts"))
    how = {} if attempts is None else {"attempts": attempts}
    with Pool(1, SETTINGS, command=FRAGILE, **how) as pool:
        found = rows(pool, "crash")
    starts = (tmp_path / "starts").read_text().splitlines()
    assert starts == ["crash"] * (attempts or ATTEMPTS)
    assert f"crashed, {attempts_text(len(starts))} (exit status 3" in found["crash"]["problems"][0]["message"]


def test_the_other_photo_in_the_process_is_started_again_and_not_blamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(STARTS, str(tmp_path / "starts"))
    assert reasons(Pool(1, SETTINGS, command=FRAGILE), "crash", "2") == {
        "crash": "worker_crashed",
        "2": "no_tiles",
    }
    assert sorted((tmp_path / "starts").read_text().splitlines()) == ["2", *["crash"] * ATTEMPTS]


def test_every_text_about_attempts_says_how_many_there_are() -> None:
    for reason in ("worker_crashed", "worker_killed", "too_slow"):
        assert attempts_text() in REASONS[reason]


def test_the_documentation_lists_every_reason() -> None:
    told = [
        line.split("|")[1] for line in DOCS.read_text(encoding="utf-8").splitlines() if line.startswith("| `")
    ]
    assert all(any(f"`{reason}`" in cell for cell in told) for reason in REASONS)


def test_the_reason_of_an_unforeseen_error_is_kept() -> None:
    with Pool(1, SETTINGS, command=FRAGILE) as pool:
        assert rows(pool, "bug")["bug"]["problems"] == [
            {"code": "internal_error", "message": "ZeroDivisionError: division by zero"}
        ]


def test_processes_that_do_not_start_end_the_run_with_their_last_words() -> None:
    pool = Pool(2, SETTINGS, command=(sys.executable, "-c", "raise SystemExit('no library here')"))
    with pool, pytest.raises(EngineError, match="no library here") as caught:
        list(pool.run(tasks("1", "2", "3")))
    assert caught.value.code == "no_processes"


def test_a_process_that_does_not_listen_yet_does_not_block_the_pool() -> None:
    deaf = (sys.executable, "-c", "import time; time.sleep(600)")
    with Pool(1, SETTINGS, command=deaf) as pool:
        large = Task(0, PhotoSource("a", "a", data=bytes(4_000_000)), {})  # more than a socket holds
        assert next(pool.run(iter([large]))) is None


def test_there_are_no_more_processes_than_files_may_be_open(processes: Callable[[], list[int]]) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64 + 2 * 2, hard))
    try:
        pool = Pool(1000, SETTINGS, command=FRAGILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    with pool:
        found = rows(pool, *map(str, range(12)))
        readers = {row["problems"][0]["message"] for row in found.values()}
        assert len(processes()) == 2
    assert len(found) == 12
    assert len(readers) <= 2


def test_if_the_system_starts_no_more_processes_fewer_do_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    real, started = subprocess.Popen, 0

    def no_third(*arguments: Any, **options: Any) -> Any:
        nonlocal started
        started += 1
        if started > 2:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return real(*arguments, **options)

    monkeypatch.setattr(subprocess, "Popen", no_third)
    names = list(map(str, range(12)))
    assert reasons(Pool(5, SETTINGS, command=FRAGILE), *names) == dict.fromkeys(names, "no_tiles")
    assert started == 3
    with pytest.raises(EngineError, match=r"no process can be started .*temporarily unavailable"):
        reasons(Pool(5, SETTINGS, command=FRAGILE), *names)


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


def test_a_process_that_ended_between_two_runs_costs_no_photo() -> None:
    with Pool(1, SETTINGS, command=FRAGILE, attempts=1) as pool:
        first = int(rows(pool, "1")["1"]["problems"][0]["message"])
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: not alive(first), "it did not end")
        again = rows(pool, "1", "2")
    assert {name: row["problems"][0]["code"] for name, row in again.items()} == {
        "1": "no_tiles",
        "2": "no_tiles",
    }


def test_a_pool_that_is_stopped_says_so(processes: Callable[[], list[int]]) -> None:
    with Pool(1, SETTINGS, command=FRAGILE) as pool:
        replies = pool.run(tasks("1", "slow"))
        while next(replies) is None:
            pass
        Thread(target=pool.stop).start()
        with pytest.raises(StoppedError):
            list(replies)
    assert processes() == []


@pytest.mark.parametrize("names", [("1", "2", "3"), ("slow",)])
def test_no_process_is_left_behind_however_the_pool_is_left(
    names: tuple[str, ...], processes: Callable[[], list[int]]
) -> None:
    with Pool(2, SETTINGS, command=FRAGILE) as pool:
        for reply in pool.run(tasks(*names)):
            if reply is None and names == ("slow",):
                break
        assert processes()
    assert processes() == []


def test_a_process_reads_with_one_thread_whatever_other_commands_are_told(
    small_photos: Path, monkeypatch: pytest.MonkeyPatch, processes: Callable[[], list[int]]
) -> None:
    path = str(small_photos / "three-chows.jpg")
    threads = {}
    for told in ("1", "4"):
        monkeypatch.setenv(THREADS, told)
        with Pool(1, SETTINGS) as pool:
            (row,) = [reply.row for reply in pool.run(iter([Task(0, PhotoSource(path, path), {})])) if reply]
            (process,) = processes()
            threads[told] = len(list(Path(f"/proc/{process}/task").iterdir()))
        assert row is not None
        assert row["tiles"]
    assert threads["1"] == threads["4"]


def test_a_profile_of_a_file_is_sent_to_the_processes_whole(small_photos: Path) -> None:
    """They could not read the file: it may be on another machine, or edited meanwhile."""
    path = str(small_photos / "three-chows.jpg")
    rules = parse_profile('name = "club"\nminimum = 99\n')
    with Pool(1, Settings(Stamp({}, rules), {})) as pool:
        (row,) = [reply.row for reply in pool.run(iter([Task(0, PhotoSource(path, path), {})])) if reply]
    assert row is not None
    assert (row["minimum"], row["score"]["profile"], row["score"]["legal"]) == (99, "club", False)
