"""Results on disk: whole shards, torn lines, full disks, and never a photo twice."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from vision.batch.results.record import Record, RecordError, replace_file


def row(source: str, sha256: str | None = "ab", code: str | None = None, **more: Any) -> dict[str, Any]:
    problems = [] if code is None else [{"code": code, "message": "why"}]
    return {
        "source": source,
        "sha256": sha256,
        "models": {"reader": "1"},
        "profile": "guobiao",
        "circumstances": {},
        "assumed": [],
        "tiles": [] if code else [{}],
        "problems": problems,
        **more,
    }


def sources(path: Path) -> list[str]:
    return [json.loads(line)["source"] for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


def test_shards_get_their_names_when_whole_and_are_joined_at_the_end(out: Path) -> None:
    with Record(out, resume=False, shard_size=2) as record:
        for number in range(5):
            record.write(row(f"万{number}"))
        names = sorted(path.name for path in record.folder.iterdir())
        assert names == ["000000.jsonl", "000001.jsonl", "000002.jsonl.part", "lock"]
        assert not out.exists()
        record.finish()
    assert sources(out) == [f"万{number}" for number in range(5)]
    assert [path.name for path in out.parent.iterdir()] == ["results.jsonl"]


def test_complete_lines_of_a_killed_run_are_kept(out: Path) -> None:
    with Record(out, resume=False, shard_size=2) as record:
        for name in "abc":
            record.write(row(name))
        folder = record.folder
    part = folder / "000001.jsonl.part"
    part.write_bytes(part.read_bytes() + b'{"source": "d", "sha2')
    with Record(out, resume=True) as record:
        assert [record.key(name) is None for name in "abcd"] == [False, False, False, True]
        record.write(row("d"))
        record.finish()
    assert sources(out) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("cut", [1, 2, 30, 10_000])
def test_a_part_cut_anywhere_is_taken_up(out: Path, cut: int) -> None:
    with Record(out, resume=False) as record:
        record.write(row("a"))
        record.write(row("b"))
        part = next(record.folder.glob("*.part"))
    os.truncate(part, max(0, part.stat().st_size - cut))
    with Record(out, resume=True) as record:
        for name in "ab":
            if record.key(name) is None:
                record.write(row(name))
        record.finish()
    assert sorted(sources(out)) == ["a", "b"]


def test_a_finished_file_that_lost_its_end_is_completed(out: Path) -> None:
    with Record(out, resume=False) as record:
        record.write(row("a"))
        record.write(row("b"))
        record.finish()
    os.truncate(out, out.stat().st_size - 9)
    with Record(out, resume=True) as record:
        assert record.key("a") is not None
        assert record.key("b") is None
        record.write(row("b"))
        record.finish()
    assert sources(out) == ["a", "b"]


def test_lines_that_are_not_rows_are_dropped(out: Path) -> None:
    ours = f"{json.dumps(row('a'))}\n"
    out.write_text(f'garbage\n\n{{"source": 5}}\n{ours}{{"source": "x"}}\n\x00\xff\n', encoding="latin-1")
    with Record(out, resume=True) as record:
        record.write(row("b"))
        record.finish()
    assert sources(out) == ["a", "b"]


@pytest.mark.parametrize("name", ["list.txt", "hands.jsonl", "salaries.csv", "table.parquet"])
def test_a_file_that_holds_something_else_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text('{"id": 1}\nphoto.jpg\n')
    with pytest.raises(RecordError, match="does not hold results of a run"):
        Record(tmp_path / name, resume=True)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == '{"id": 1}\nphoto.jpg\n'


def test_a_file_that_was_only_touched_may_be_filled(out: Path) -> None:
    out.touch()
    with Record(out, resume=True) as record:
        record.write(row("a"))
        record.finish()
    assert sources(out) == ["a"]


@pytest.mark.parametrize("name", ["-", "pipe", "/dev/null"])
def test_results_go_to_ordinary_files_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with pytest.raises(RecordError, match="not an ordinary file"):
        Record(Path(name), resume=True)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_failure_of_a_photo_that_is_not_listed_any_more_is_dropped(out: Path) -> None:
    with Record(out, resume=False) as record:
        for each in (row("folder", None, "unreadable"), row("gone", "ab"), row("damaged", "ab", "damaged")):
            record.enlist(each["source"])
            record.write(each)
        record.finish()
    assert sources(out) == ["folder", "gone", "damaged"]
    with Record(out, resume=True) as record:  # the folder can be listed by now
        record.enlist("folder/a")
        record.write(row("folder/a"))
        record.finish()
    assert sources(out) == ["folder/a", "gone", "damaged"]


def test_a_newer_row_takes_the_place_of_an_older_one(out: Path) -> None:
    with Record(out, resume=False) as record:
        record.write(row("a", "old"))
        record.write(row("b"))
        record.finish()
    before = out.read_bytes()
    with Record(out, resume=True) as record:
        record.finish()
    assert out.read_bytes() == before
    with Record(out, resume=True) as record:
        record.write(row("a", "new"))
        record.publish()
        assert [each["sha256"] for each in record.rows()] == ["ab", "new"]
        record.finish()
    assert sources(out) == ["b", "a"]


def test_a_run_killed_between_joining_and_clearing_away_writes_nothing_twice(out: Path) -> None:
    with Record(out, resume=False) as record:
        record.write(row("a"))
        record.publish()
        shard = record.folder / "000000.jsonl"
        out.write_bytes(shard.read_bytes())
    with Record(out, resume=True) as record:
        record.finish()
    assert sources(out) == ["a"]


def test_a_run_killed_at_any_step_on_the_disk_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    script = Path(__file__).with_name("killed_record.py")
    done = subprocess.run([sys.executable, script, tmp_path], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) > 40
    assert [line.partition(" ")[2] for line in lines] == ["same"] * len(lines)


def test_a_run_killed_while_joining_leaves_no_litter(out: Path) -> None:
    with Record(out, resume=False) as record:
        record.write(row("a"))
    (out.parent / ".results.jsonl.4711.tmp").write_text("half a fi")
    with Record(out, resume=True) as record:
        record.finish()
    assert list(out.parent.iterdir()) == [out]


def test_failures_that_may_pass_are_tried_again(out: Path) -> None:
    with Record(out, resume=False) as record:
        record.write(row("gone", None, "not_found"))
        record.write(row("killed", "ab", "worker_killed"))
        record.write(row("damaged", "ab", "damaged"))
        assert record.key("gone") is record.key("killed") is None
        assert record.key("damaged") is not None
        assert record.failed("damaged")


def test_results_are_not_overwritten(out: Path) -> None:
    with Record(out, resume=False) as record:
        record.write(row("a"))
    with pytest.raises(RecordError, match="--resume"):
        Record(out, resume=False)
    with Record(out, resume=True) as record:
        record.finish()
    with pytest.raises(RecordError, match="--resume"):
        Record(out, resume=False)
    assert sources(out) == ["a"]


def test_a_run_that_wrote_nothing_leaves_nothing(out: Path) -> None:
    with Record(out, resume=False):
        pass
    assert list(out.parent.iterdir()) == []


def test_two_runs_do_not_share_results(out: Path) -> None:
    with Record(out, resume=False), pytest.raises(RecordError, match="another run"):
        Record(out, resume=True)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RecordError, match="choose another place"):
        Record(tmp_path / "file" / "results.jsonl", resume=False)


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """The disk takes no more than so many bytes a file, which fails as a full one does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_costs_the_row_that_did_not_fit(out: Path) -> None:
    with Record(out, resume=False) as record:
        record.write(row("a"))
        with files_no_longer_than(500):
            with pytest.raises(OSError, match="too large"):
                record.write(row("b", more="x" * 600))
            record.write(row("c"))
        assert record.key("b") is None
        record.write(row("d"))
        record.finish()
    assert sources(out) == ["a", "c", "d"]


def test_a_disk_too_full_to_join_leaves_the_shards(out: Path) -> None:
    with Record(out, resume=False, shard_size=1) as record:
        for name in "abc":
            record.write(row(name))
        with files_no_longer_than(300), pytest.raises(OSError, match="too large"):
            record.finish()
    assert not out.exists()
    assert [path.name for path in out.parent.iterdir()] == ["results.jsonl.shards"]
    with Record(out, resume=True) as record:
        record.finish()
    assert sources(out) == ["a", "b", "c"]


def test_a_table_keeps_its_shards_for_the_next_run(tmp_path: Path) -> None:
    out = tmp_path / "results.csv"
    with Record(out, resume=False) as record:
        record.write(row("a"))
        record.finish()
    with Record(out, resume=True) as record:
        assert record.key("a") is not None


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    replace_file(path, iter(["old"]))

    def breaking() -> Iterator[str]:
        yield "new"
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        replace_file(path, breaking())
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_names_that_are_no_unicode_are_written(out: Path) -> None:
    name = os.fsdecode(b"caf\xe9.jpg")
    with Record(out, resume=False) as record:
        record.write(row(name))
        record.finish()
    with Record(out, resume=True) as record:
        assert record.key(name) is not None
