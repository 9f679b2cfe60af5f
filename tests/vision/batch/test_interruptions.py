"""Runs that are interrupted, killed and resumed lose no row, and read no photo twice."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import Result

from tests.vision.batch.conftest import FedRun, alive, children_of, wait_until
from tests.vision.batch.test_batch_command import events_but_progress

Invoke = Callable[..., Result]
Start = Callable[..., subprocess.Popen[str]]
RowsIn = Callable[[Path], dict[str, dict[str, Any]]]
Fed = Callable[..., FedRun]


def first(photos: Path, count: int) -> list[Path]:
    return [photos / f"{number:03}.jpg" for number in range(count)]


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines(keepends=True)


def test_resume_reads_only_what_is_new_or_changed(
    invoke: Invoke, club: Path, tmp_path: Path, rows_in: RowsIn
) -> None:
    out = tmp_path / "results.jsonl"
    invoke(club, "--out", out, "--quiet")
    before = out.read_bytes()
    again = invoke(club, "--out", out, "--resume")
    assert again.exit_code == 1
    assert "0 read" in again.stdout
    assert "4 skipped as done (1 of them failed then)" in again.stdout
    assert out.read_bytes() == before
    shutil.copy(club / "b.JPG", club / "broken.jpg")
    shutil.copy(club / "b.JPG", club / "d.jpg")
    more = invoke(club, "--out", out, "--resume")
    assert more.exit_code == 0
    assert "5 photos: 2 read" in more.stdout
    rows = rows_in(out)
    assert len(rows) == 5
    assert rows[str(club / "broken.jpg")]["tiles"]


def test_a_killed_run_loses_nothing_and_repeats_nothing(
    invoke: Invoke, fed_run: Fed, photos: Path, undisturbed: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "results.jsonl"
    for count, how in ((3, ()), (6, ("--resume",))):
        run = fed_run(out, "--shard-size", "2", *how)
        run.feed(*first(photos, count))
        run.process.kill()
        run.process.communicate()
        assert run.process.returncode == -signal.SIGKILL
        assert not out.exists()
    done = invoke(photos, "--out", out, "--resume")
    assert done.exit_code == 0
    assert "19 read" in done.stdout
    assert "5 skipped as done" in done.stdout
    assert lines(out) == undisturbed


def test_ctrl_c_keeps_what_was_read_and_says_how_to_continue(
    start: Start, fed_run: Fed, photos: Path, undisturbed: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "results.jsonl"
    run = fed_run(out)
    run.feed(*first(photos, 3))
    run.process.send_signal(signal.SIGINT)
    _, err = run.end()
    assert run.process.returncode == 130
    assert "stopped after 2 photos, whose rows are kept; to continue:" in err
    assert f"fanlens batch - --out {out} --processes 1 --resume" in err
    assert "Traceback" not in err
    assert not list(out.with_name("results.jsonl.shards").glob("*.part"))
    with start("-", "--out", out, "--processes", "1", "--resume", stdin=subprocess.PIPE) as process:
        said, _ = process.communicate("".join(f"{path}\n" for path in first(photos, 4)))
    assert "2 skipped as done" in said
    assert lines(out) == undisturbed[:4]


def test_a_stop_is_an_event_too(fed_run: Fed, photos: Path, tmp_path: Path) -> None:
    run = fed_run(tmp_path / "results.jsonl", "--log-json")
    run.feed(*first(photos, 2))
    run.process.terminate()
    _, err = run.end()
    assert run.process.returncode == 130
    assert [event["event"] for event in events_but_progress(err)] == ["stopped"]


def waits_for_a_pipe(pid: int) -> bool:
    """Whether the main thread of a process reads from an empty pipe."""
    try:
        return "pipe_read" in Path(f"/proc/{pid}/wchan").read_text()
    except OSError:
        return False


def test_a_second_ctrl_c_does_not_wait_for_the_list(fed_run: Fed, photos: Path, tmp_path: Path) -> None:
    run = fed_run(tmp_path / "results.jsonl")
    run.feed(*first(photos, 2))
    while run.process.poll() is None:
        if waits_for_a_pipe(run.process.pid):  # a signal that comes while Python exits cannot be handled
            run.process.send_signal(signal.SIGINT)
        time.sleep(0.2)
    assert run.process.stderr is not None
    err = run.process.stderr.read()
    assert run.process.returncode == 130
    assert "--resume" in err
    assert "Traceback" not in err


def test_a_run_started_with_nohup_outlives_its_terminal(
    fed_run: Fed, photos: Path, undisturbed: list[str], tmp_path: Path
) -> None:
    def nohup() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    out = tmp_path / "results.jsonl"
    run = fed_run(out, preexec_fn=nohup)
    run.feed(*first(photos, 2))
    run.process.send_signal(signal.SIGHUP)
    run.feed(first(photos, 3)[-1])
    run.end()
    assert run.process.returncode == 0
    assert lines(out) == undisturbed[:3]


def test_workers_end_when_the_run_is_killed(fed_run: Fed, photos: Path, tmp_path: Path) -> None:
    run = fed_run(tmp_path / "results.jsonl")
    run.feed(*first(photos, 2))
    (worker,) = children_of(run.process.pid)
    run.process.kill()
    wait_until(lambda: not alive(worker), "the worker outlived its run")


def test_a_killed_worker_costs_no_photo(
    fed_run: Fed, photos: Path, undisturbed: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "results.jsonl"
    run = fed_run(out, "--quiet")
    run.feed(*first(photos, 3))
    (worker,) = children_of(run.process.pid)
    os.kill(worker, signal.SIGKILL)
    run.feed(*first(photos, 5)[3:])
    run.end()
    assert run.process.returncode == 0
    assert lines(out) == undisturbed[:5]
