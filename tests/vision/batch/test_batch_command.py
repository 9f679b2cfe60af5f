"""`fanlens batch` as a person runs it: what it reads, what it writes and what it refuses."""

import csv
import io
import json
import os
import resource
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from scorer import PROFILES, parse_profile

Invoke = Callable[..., Result]
Start = Callable[..., subprocess.Popen[str]]
RowsIn = Callable[[Path], dict[str, dict[str, Any]]]

CLUB_RULES = 'name = "club"\nminimum = 24\n'


def test_a_folder_is_read_whatever_is_in_it(
    invoke: Invoke, club: Path, tmp_path: Path, rows_in: RowsIn
) -> None:
    (club / "a.json").write_text('{"seat_wind": "S"}')
    out = tmp_path / "deep" / "results.jsonl"
    done = invoke(club, "--out", out, "--report", tmp_path / "report.html", "--annotated", tmp_path / "drawn")
    assert done.exit_code == 1
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


def test_the_answers_are_those_of_photo(start: Start, club: Path, tmp_path: Path, rows_in: RowsIn) -> None:
    out = tmp_path / "results.jsonl"
    with start(club / "a.jpg", "--out", out, "--seat-wind", "w", "--quiet") as process:
        assert process.communicate() == ("", "")
    assert process.returncode == 0
    command = [sys.executable, "-m", "webapp.cli", "photo", str(club / "a.jpg"), "--json", "--seat-wind", "W"]
    said = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    row = rows_in(out)[str(club / "a.jpg")]
    assert {name: row[name] for name in said if name != "timing_ms"} == {
        name: said[name] for name in said if name != "timing_ms"
    }


HEAVY = {"PIL", "cv2", "flask", "numpy", "onnxruntime", "rich"}


def test_the_run_imports_nothing_that_only_its_processes_need(not_photos: Path, tmp_path: Path) -> None:
    script = (
        "import sys\nfrom webapp.cli import main\n"
        "try:\n    main(sys.argv[1:])\n"
        f"finally:\n    print(*{HEAVY} & sys.modules.keys(), file=sys.stderr)"
    )
    out, report = tmp_path / "a.jsonl", tmp_path / "report.html"
    command = [sys.executable, "-c", script, "batch", not_photos, "--quiet", "--out", out, "--report", report]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.stderr.strip() == ""
    assert done.returncode == 1
    assert len(out.read_text().splitlines()) == 3


def test_archives_lists_and_the_folder_agree(
    invoke: Invoke, small_photos: Path, tmp_path: Path, rows_in: RowsIn
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
        assert invoke(tmp_path / source, "--out", out, "--quiet").exit_code == 0
        rows = sorted(rows_in(out).values(), key=lambda row: str(row["sha256"]))
        seen.append([{name: row[name] for name in row if name not in ("source", "image")} for row in rows])
    assert len(seen[0]) == 2
    assert seen[0] == seen[1] == seen[2]


def test_a_table_with_circumstances_in_and_a_table_of_results_out(
    invoke: Invoke, club: Path, tmp_path: Path
) -> None:
    (tmp_path / "won.csv").write_text("photo;self_drawn;seat_wind\na.jpg;yes;W\nnobody.jpg;no;\n")
    out = tmp_path / "results.csv"
    done = invoke(club / "*.jpg", "--out", out, "--circumstances", tmp_path / "won.csv")
    assert done.exit_code == 1
    assert "that match no photo: 1" in done.stderr
    lines = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8-sig"), newline="")))
    assert [(Path(line["source"]).name, line["status"] == "failed") for line in lines] == [
        ("a.jpg", False),
        ("broken.jpg", True),
    ]
    assert (lines[0]["seat_wind"], lines[0]["self_drawn"], lines[0]["minimum"]) == ("W", "true", "8")
    again = invoke(club / "*.jpg", "--out", out, "--circumstances", tmp_path / "won.csv", "--resume")
    assert "2 skipped as done" in again.stdout


def test_a_row_of_the_table_that_matches_several_photos_is_pointed_out(
    invoke: Invoke, not_photos: Path, tmp_path: Path
) -> None:
    (not_photos / "second").mkdir()
    shutil.copy(not_photos / "a.jpg", not_photos / "second" / "a.jpg")
    (tmp_path / "won.csv").write_text("photo,seat_wind\na.jpg,S\nb.jpg,W\n")
    done = invoke(not_photos, "--out", tmp_path / "x.jsonl", "--circumstances", tmp_path / "won.csv")
    assert "that match several photos and apply to each of them: 1;" in done.stderr
    assert "that match no photo" not in done.stderr


def test_a_profile_file_is_scored_by_and_an_edited_one_is_noticed(
    invoke: Invoke, small_photos: Path, tmp_path: Path, rows_in: RowsIn
) -> None:
    rules, out, report = tmp_path / "club.toml", tmp_path / "results.jsonl", tmp_path / "report.html"
    photo = small_photos / "three-chows.jpg"

    def read() -> tuple[str, dict[str, Any]]:
        done = invoke(photo, "--out", out, "--profile", rules, "--report", report, "--resume")
        assert done.exit_code == 0, done.stderr
        (row,) = rows_in(out).values()
        return done.stdout, row

    rules.write_text(CLUB_RULES)
    _, strict = read()
    key = parse_profile(CLUB_RULES).key
    assert (strict["profile"], strict["profile_sha256"], strict["minimum"]) == ("club", key, 24)
    assert strict["score"]["legal"] is False
    assert "24 are needed" in strict["problems"][0]["message"]
    page = report.read_text(encoding="utf-8")
    assert "too few to win (minimum 24)" in page
    assert "profile club, minimum 24 points" in page
    rules.write_text(f"{CLUB_RULES}# a comment changes nothing\n")
    assert "1 skipped as done" in read()[0]
    rules.write_text(CLUB_RULES.replace("24", "6"))  # the same name, other rules
    said, lenient = read()
    assert "1 photos: 1 read" in said
    assert (lenient["minimum"], lenient["score"]["legal"], lenient["problems"]) == (6, True, [])
    assert lenient["score"]["total"] == strict["score"]["total"]


def test_a_row_names_the_fingerprint_of_a_built_in_profile_too(
    invoke: Invoke, not_photos: Path, tmp_path: Path, rows_in: RowsIn
) -> None:
    out = tmp_path / "x.jsonl"
    assert invoke(not_photos, "--out", out, "--profile", "wmo2006").exit_code == 1
    row = next(iter(rows_in(out).values()))
    assert (row["profile"], row["profile_sha256"]) == ("wmo2006", PROFILES["wmo2006"].key)


def events_but_progress(text: str) -> list[dict[str, Any]]:
    """The events that a run prints, except its progress, which depends on how long it takes."""
    events: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    return [event for event in events if event["event"] != "progress"]


def test_events_for_machines(invoke: Invoke, club: Path, tmp_path: Path) -> None:
    (club / "b.JPG").unlink()
    done = invoke(club, "--out", tmp_path / "results.jsonl", "--log-json")
    events = events_but_progress(done.stderr)
    assert [event["event"] for event in events] == ["failed", "done"]
    assert events[0]["code"] == "not_a_photo"
    assert (events[1]["photos"], events[1]["read"], events[1]["failed"]) == (3, 2, {"not_a_photo": 1})
    assert done.stdout == ""
    refused = invoke(tmp_path / "absent", "--out", tmp_path / "x.jsonl", "--log-json")
    assert refused.exit_code == 2
    event = json.loads(refused.stderr)
    assert (event["event"], event["code"]) == ("error", "no_source")
    assert "does not exist" in event["message"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["absent", "--out", "x.jsonl"], "does not exist"),
        (["", "--out", "x.jsonl"], "SOURCE is empty"),
        (["there.jsonl", "--out", "x.jsonl"], "is not a list of photos"),
        (["empty", "--out", "x.jsonl"], "holds no photo"),
        (["club", "--out", "there.jsonl"], "--resume"),
        (["club", "--out", "x.jsonl", "--circumstances", "absent.csv"], "check the name"),
        (["club", "--out", "there.jsonl/x.jsonl"], "choose another place"),
        (["club", "--out", "x.jsonl", "--annotated", "there.jsonl/x"], "name another folder"),
        (
            ["club", "--out", "x.jsonl", "--report", "/proc/x.html"],
            "/proc/x.html cannot be written (No such file",
        ),
        (["club", "--out", "x.jsonl", "--tileset", "nobody's"], "cannot name a tile set"),
        (["club", "--out", "x.jsonl", "--tileset", "nobody"], "there is no tile set 'nobody'"),
        (["club", "--out", "x.jsonl", "--profile", "nobody's"], 'no profile "nobody\'s"'),
        (["club", "--out", "x.jsonl", "--profile", "there.toml"], "unknown key 'minimun'"),
        (["club", "--out", "x.jsonl", "--annotated", "club/drawn"], "would be read as photos"),
        (["club", "--out", "x.html", "--report", "./x.html"], "would replace a file that the run needs"),
        (["there.jsonl", "--out", "there.jsonl", "--resume"], "is not a list of photos"),
        (["club", "--out", "there.jsonl", "--resume"], "does not hold results of a run"),
        (["club", "--out", "/dev/null", "--resume"], "not an ordinary file"),
        (["club", "--out", "x.jsonl", "--scheduler", "tcp://127.0.0.1:9"], "add --engine dask"),
        (["club"], "Missing option"),
    ],
)
def test_what_cannot_run_says_so_and_leaves_nothing(
    invoke: Invoke,
    not_photos: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("there.jsonl").write_text("{}\n")
    Path("there.toml").write_text("minimun = 6\n")
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert words in done.stderr
    assert isinstance(done.exception, SystemExit)
    left = ["club", "empty", "there.jsonl", "there.toml"]
    assert sorted(path.name for path in tmp_path.iterdir()) == left


def test_a_cluster_has_its_own_number_of_workers(invoke: Invoke, not_photos: Path, tmp_path: Path) -> None:
    how = ("--engine", "dask", "--scheduler", "tcp://127.0.0.1:9", "--processes", "2")
    done = invoke(not_photos, "--out", tmp_path / "x.jsonl", *how)
    assert done.exit_code == 2
    assert "leave out --processes" in done.stderr


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_run_whose_output_nobody_reads_any_more_ends_as_it_would(
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
    assert "the current folder does not exist any more" in done.stderr


def test_a_full_disk_costs_rows_and_not_the_run(
    invoke: Invoke, start: Start, photos: Path, undisturbed: list[str], tmp_path: Path, rows_in: RowsIn
) -> None:
    listed, out = tmp_path / "list.txt", tmp_path / "results.jsonl"
    listed.write_text("".join(f"{photos / f'{number:03}.jpg'}\n" for number in range(4)))

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, resource.RLIM_INFINITY))

    with start(listed, "--out", out, "--processes", "1", preexec_fn=little_room) as process:
        said, err = process.communicate()
    assert process.returncode == 1
    assert "not_written" in said
    assert "make room and run with --resume" in err
    kept = len(rows_in(out))
    assert 0 < kept < 4
    done = invoke(listed, "--out", out, "--resume")
    assert done.exit_code == 0
    assert f"{kept} skipped as done" in done.stdout
    assert out.read_text(encoding="utf-8").splitlines(keepends=True) == undisturbed[:4]
