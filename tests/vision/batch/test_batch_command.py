"""`fanlens batch` as a person runs it, interrupts it, kills it, and goes on."""

import csv
import io
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Batch = Callable[..., subprocess.CompletedProcess[str]]
Start = Callable[..., subprocess.Popen[str]]
RowsIn = Callable[[Path], dict[str, dict[str, Any]]]
Many = Callable[[int], Path]
Wait = Callable[[Path, int], None]


def test_a_folder_is_read_whatever_is_in_it(
    batch: Batch, club: Path, tmp_path: Path, rows_in: RowsIn
) -> None:
    (club / "a.json").write_text('{"seat_wind": "S"}')
    out = tmp_path / "deep" / "results.jsonl"
    done = batch(club, "--out", out, "--report", tmp_path / "report.html", "--annotated", tmp_path / "drawn")
    assert done.returncode == 1
    assert "4 photos: 3 read, " in done.stdout
    assert "1 failed (1 not_a_photo)" in done.stdout
    assert "broken.jpg is not a photo" in done.stderr
    rows = rows_in(out)
    assert set(rows) == {str(club / name) for name in ("a.jpg", "b.JPG", "broken.jpg", "second round/c.jpg")}
    assert rows[str(club / "a.jpg")]["circumstances"]["seat_wind"] == "S"
    assert rows[str(club / "broken.jpg")]["problems"][0]["code"] == "not_a_photo"
    assert len(list((tmp_path / "drawn").glob("*.jpg"))) == 3
    assert (tmp_path / "report.html").read_text(encoding="utf-8").count("<svg ") == 3
    assert sorted(path.name for path in out.parent.iterdir()) == ["results.jsonl"]


def test_the_answers_are_those_of_photo(batch: Batch, club: Path, tmp_path: Path, rows_in: RowsIn) -> None:
    out = tmp_path / "results.jsonl"
    assert batch(club / "a.jpg", "--out", out, "--seat-wind", "w", "--quiet").returncode == 0
    command = [sys.executable, "-m", "webapp.cli", "photo", str(club / "a.jpg"), "--json", "--seat-wind", "W"]
    said = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    row = rows_in(out)[str(club / "a.jpg")]
    assert {name: row[name] for name in said if name != "timing_ms"} == {
        name: said[name] for name in said if name != "timing_ms"
    }


HEAVY = {"PIL", "cv2", "flask", "numpy", "onnxruntime", "rich"}


def test_the_run_imports_nothing_that_only_its_processes_need(club: Path, tmp_path: Path) -> None:
    script = (
        "import sys\nfrom webapp.cli import main\n"
        "try:\n    main(sys.argv[1:])\n"
        f"finally:\n    print(*{HEAVY} & sys.modules.keys(), file=sys.stderr)"
    )
    command = [
        sys.executable,
        "-c",
        script,
        "batch",
        club / "a.jpg",
        "--quiet",
        "--out",
        tmp_path / "a.jsonl",
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stderr.strip() == ""
    assert json.loads((tmp_path / "a.jsonl").read_text())["tiles"]


def test_resume_reads_only_what_is_new_or_changed(
    batch: Batch, club: Path, tmp_path: Path, rows_in: RowsIn
) -> None:
    out = tmp_path / "results.jsonl"
    batch(club, "--out", out, "--quiet")
    before = out.read_bytes()
    again = batch(club, "--out", out, "--resume")
    assert again.returncode == 1
    assert "0 read" in again.stdout
    assert "4 skipped as done (1 of them failed then)" in again.stdout
    assert out.read_bytes() == before
    shutil.copy(club / "b.JPG", club / "broken.jpg")
    shutil.copy(club / "b.JPG", club / "d.jpg")
    more = batch(club, "--out", out, "--resume")
    assert more.returncode == 0
    assert "5 photos: 2 read" in more.stdout
    rows = rows_in(out)
    assert len(rows) == 5
    assert rows[str(club / "broken.jpg")]["tiles"]


def test_archives_lists_and_the_folder_agree(
    batch: Batch, small_photos: Path, tmp_path: Path, rows_in: RowsIn
) -> None:
    names = ["seven-pairs-dim.jpg", "three-chows.jpg"]
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as archive:
        for name in names:
            archive.write(small_photos / name, name)
    with tarfile.open(tmp_path / "photos.tgz", "w:gz") as tar:
        for name in names:
            tar.add(small_photos / name, name)
    (tmp_path / "list.txt").write_text("".join(f"{small_photos / name}\n" for name in [*names, names[0]]))
    seen = []
    for source in ("photos.zip", "photos.tgz", "list.txt"):
        out = tmp_path / f"{source}.jsonl"
        assert batch(tmp_path / source, "--out", out, "--quiet").returncode == 0
        rows = sorted(rows_in(out).values(), key=lambda row: str(row["sha256"]))
        seen.append([{name: row[name] for name in row if name not in ("source", "image")} for row in rows])
    assert len(seen[0]) == 2
    assert seen[0] == seen[1] == seen[2]


def test_a_table_with_circumstances_in_and_a_table_of_results_out(
    batch: Batch, club: Path, tmp_path: Path
) -> None:
    (tmp_path / "won.csv").write_text("photo;self_drawn;seat_wind\na.jpg;yes;W\nnobody.jpg;no;\n")
    out = tmp_path / "results.csv"
    done = batch(club / "*.jpg", "--out", out, "--circumstances", tmp_path / "won.csv")
    assert done.returncode == 1
    assert "that name no photo: 1" in done.stderr
    lines = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8-sig"), newline="")))
    assert [(Path(line["source"]).name, line["status"] == "failed") for line in lines] == [
        ("a.jpg", False),
        ("broken.jpg", True),
    ]
    assert (lines[0]["seat_wind"], lines[0]["self_drawn"]) == ("W", "true")
    again = batch(club / "*.jpg", "--out", out, "--circumstances", tmp_path / "won.csv", "--resume")
    assert "2 skipped as done" in again.stdout


def events_but_progress(text: str) -> list[dict[str, Any]]:
    """The events a run reports, without how far it is, which depends on how long it takes."""
    events: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    return [event for event in events if event["event"] != "progress"]


def test_events_for_machines(batch: Batch, club: Path, tmp_path: Path) -> None:
    (club / "b.JPG").unlink()
    done = batch(club, "--out", tmp_path / "results.jsonl", "--log-json")
    events = events_but_progress(done.stderr)
    assert [event["event"] for event in events] == ["failed", "done"]
    assert events[0]["code"] == "not_a_photo"
    assert (events[1]["photos"], events[1]["read"], events[1]["failed"]) == (3, 2, {"not_a_photo": 1})
    assert done.stdout == ""
    refused = batch(tmp_path / "absent", "--out", tmp_path / "x.jsonl", "--log-json")
    assert refused.returncode == 2
    event = json.loads(refused.stderr)
    assert event["event"] == "error"
    assert "does not exist" in event["message"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["absent", "--out", "x.jsonl"], "does not exist"),
        (["", "--out", "x.jsonl"], "SOURCE is empty"),
        (["there.jsonl", "--out", "x.jsonl"], "no list of photos"),
        (["empty", "--out", "x.jsonl"], "holds no photo"),
        (["club", "--out", "there.jsonl"], "--resume"),
        (["club", "--out", "x.jsonl", "--circumstances", "absent.csv"], "check the name"),
        (["club", "--out", "there.jsonl/x.jsonl"], "choose another place"),
        (["club", "--out", "x.jsonl", "--annotated", "there.jsonl/x"], "name another folder"),
        (["club", "--out", "x.jsonl", "--tileset", "nobody's"], "cannot name a tile set"),
        (["club", "--out", "x.jsonl", "--tileset", "nobody"], "there is no tile set 'nobody'"),
        (["club", "--out", "x.jsonl", "--annotated", "club/drawn"], "would be read as photos"),
        (["club", "--out", "x.html", "--report", "./x.html"], "would replace what the run needs"),
        (["there.jsonl", "--out", "there.jsonl", "--resume"], "no list of photos"),
        (["club", "--out", "there.jsonl", "--resume"], "holds something else"),
        (["club", "--out", "/dev/null", "--resume"], "no ordinary file"),
        (["club"], "Missing option"),
    ],
)
def test_what_cannot_run_says_so_and_leaves_nothing(
    batch: Batch, club: Path, tmp_path: Path, arguments: list[str], words: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "there.jsonl").write_text("{}\n")
    done = batch(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["club", "empty", "there.jsonl"]


@pytest.fixture
def not_photos(tmp_path: Path) -> Path:
    """A folder of files that are called photos and cost no time."""
    folder = tmp_path / "club"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.jpg").write_text("not a photo at all")
    return folder


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_run_nobody_listens_to_any_more_ends_as_it_would(
    start: Start, not_photos: Path, tmp_path: Path, rows_in: RowsIn, closed: str
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    out = tmp_path / "results.jsonl"
    with start(not_photos, "--out", out, "--processes", "1", **{closed: writing}) as process:
        os.close(writing)
        said, err = process.communicate()
    assert process.returncode == 1
    assert len(rows_in(out)) == 3
    if closed == "stderr":
        assert "3 photos: 0 read" in said
    else:
        assert err.count("is not a photo") == len(err.splitlines()) == 3


def test_a_run_started_without_standard_streams_writes_its_results(
    not_photos: Path, tmp_path: Path, rows_in: RowsIn
) -> None:
    out = tmp_path / "results.jsonl"
    run = [sys.executable, "-m", "webapp.cli", "batch", str(not_photos), "--out", str(out)]
    closed = ["sh", "-c", 'exec "$@" --processes 1 <&- >&- 2>&-', "sh", *run]
    assert subprocess.run(closed, check=False).returncode == 1
    assert {row["problems"][0]["code"] for row in rows_in(out).values()} == {"not_a_photo"}


def test_a_run_in_a_folder_that_is_gone_says_so(not_photos: Path, tmp_path: Path) -> None:
    run = [sys.executable, "-m", "webapp.cli", "batch", str(not_photos), "--out", str(tmp_path / "x.jsonl")]
    (tmp_path / "gone").mkdir()
    gone = ["sh", "-c", 'rmdir "$PWD" && exec "$@"', "sh", *run]
    done = subprocess.run(gone, cwd=tmp_path / "gone", check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "the folder this runs in is gone" in done.stderr


def test_a_row_of_the_table_that_holds_for_several_photos_is_pointed_out(
    batch: Batch, not_photos: Path, tmp_path: Path
) -> None:
    (not_photos / "second").mkdir()
    shutil.copy(not_photos / "a.jpg", not_photos / "second" / "a.jpg")
    (tmp_path / "won.csv").write_text("photo,seat_wind\na.jpg,S\nb.jpg,W\n")
    done = batch(not_photos, "--out", tmp_path / "x.jsonl", "--circumstances", tmp_path / "won.csv")
    assert "that name several photos: 1; they hold for each of them" in done.stderr
    assert "that name no photo" not in done.stderr


def test_a_killed_run_loses_nothing_and_repeats_nothing(
    batch: Batch, start: Start, many: Many, wait_for_rows: Wait, tmp_path: Path, rows_in: RowsIn
) -> None:
    folder = many(9)
    out = tmp_path / "results.jsonl"
    for rows in (2, 5):
        how = ["--resume"] if rows > 2 else []
        with start(folder, "--out", out, "--processes", "1", "--shard-size", "2", *how) as process:
            wait_for_rows(out, rows)
            process.kill()
            process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert not out.exists()
    done = batch(folder, "--out", out, "--resume")
    assert done.returncode == 0
    skipped = int(done.stdout.partition(" skipped as done")[0].rpartition(", ")[2])
    assert 5 <= skipped < 9
    whole = tmp_path / "undisturbed.jsonl"
    assert batch(folder, "--out", whole, "--quiet").returncode == 0
    assert rows_in(out) == rows_in(whole)


def test_ctrl_c_keeps_what_was_read_and_says_how_to_go_on(
    batch: Batch, start: Start, many: Many, wait_for_rows: Wait, tmp_path: Path, rows_in: RowsIn
) -> None:
    folder = many(60)
    out = tmp_path / "results.jsonl"
    with start(folder, "--out", out, "--processes", "1") as process:
        wait_for_rows(out, 1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 130
    assert f"fanlens batch {folder} --out {out} --processes 1 --resume" in err
    assert "Traceback" not in err
    assert not list(out.with_name("results.jsonl.shards").glob("*.part"))
    assert batch(folder, "--out", out, "--resume", "--quiet").returncode == 0
    assert len(rows_in(out)) == 60


def test_a_stop_is_an_event_too(start: Start, many: Many, wait_for_rows: Wait, tmp_path: Path) -> None:
    folder = many(60)
    out = tmp_path / "results.jsonl"
    with start(folder, "--out", out, "--processes", "1", "--log-json") as process:
        wait_for_rows(out, 1)
        process.terminate()
        _, err = process.communicate()
    assert process.returncode == 130
    assert [event["event"] for event in events_but_progress(err)] == ["stopped"]


def test_a_second_ctrl_c_does_not_wait_for_the_list(start: Start, many: Many, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    with start("-", "--out", out, "--processes", "1", stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.writelines(f"{path}\n" for path in many(3).iterdir())
        process.stdin.flush()
        while process.poll() is None:
            # A signal that comes while Python starts or ends is nobody's to handle.
            if out.with_name("results.jsonl.shards").exists() and waits_for_a_pipe(process.pid):
                process.send_signal(signal.SIGINT)
            time.sleep(0.2)
        err = process.stderr.read() if process.stderr is not None else ""
    assert process.returncode == 130
    assert "--resume" in err
    assert "Traceback" not in err


def test_a_run_started_with_nohup_outlives_its_terminal(
    start: Start, many: Many, wait_for_rows: Wait, tmp_path: Path, rows_in: RowsIn
) -> None:
    folder = many(3)
    out = tmp_path / "results.jsonl"

    def nohup() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with start(folder, "--out", out, "--processes", "1", preexec_fn=nohup) as process:
        wait_for_rows(out, 1)
        process.send_signal(signal.SIGHUP)
        process.communicate()
    assert process.returncode == 0
    assert len(rows_in(out)) == 3


def test_workers_end_when_the_run_is_killed(
    start: Start, many: Many, wait_for_rows: Wait, tmp_path: Path
) -> None:
    folder = many(60)
    out = tmp_path / "results.jsonl"
    with start(folder, "--out", out, "--processes", "1") as process:
        wait_for_rows(out, 1)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.kill()
        process.communicate()
    assert len(children) == 1
    for _ in range(6000):
        if not alive(int(children[0])):
            return
        time.sleep(0.05)
    raise AssertionError("the worker outlived its run")


def waits_for_a_pipe(pid: int) -> bool:
    """Whether the main thread of a process reads from a pipe that has nothing."""
    try:
        return "pipe_read" in Path(f"/proc/{pid}/wchan").read_text()
    except OSError:
        return False


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except FileNotFoundError:
        return False


def test_a_killed_worker_costs_no_photo(
    start: Start, many: Many, wait_for_rows: Wait, tmp_path: Path, rows_in: RowsIn
) -> None:
    folder = many(40)
    out = tmp_path / "results.jsonl"
    with start(folder, "--out", out, "--processes", "1", "--quiet") as process:
        wait_for_rows(out, 1)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGKILL)
        process.communicate()
    assert process.returncode == 0
    assert len(rows_in(out)) == 40


def test_a_full_disk_costs_rows_and_not_the_run(
    batch: Batch, many: Many, wait_for_rows: Wait, tmp_path: Path, rows_in: RowsIn
) -> None:
    folder = many(4)
    out = tmp_path / "results.jsonl"

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, resource.RLIM_INFINITY))

    done = batch(folder, "--out", out, preexec_fn=little_room)
    assert done.returncode == 1
    assert "not_written" in done.stdout
    assert "make room and run with --resume" in done.stderr
    kept = len(rows_in(out))
    assert 0 < kept < 4
    done = batch(folder, "--out", out, "--resume")
    assert done.returncode == 0
    assert f"{kept} skipped as done" in done.stdout
    assert len(rows_in(out)) == 4
