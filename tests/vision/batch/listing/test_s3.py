"""Photos in a bucket of a real server that speaks S3."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fsspec
import pytest

from tests.vision.batch.conftest import KEYS, DaskCluster, s3_environment
from vision.batch.listing import addresses
from vision.batch.listing.listing import find, read, read_sidecar
from vision.batch.listing.photo_source import PhotoSource, SourceError
from vision.errors import PhotoError

NOWHERE = "http://127.0.0.1:9"


RowsIn = Callable[[Path], dict[str, dict[str, Any]]]
Batch = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def batch(start: Callable[..., subprocess.Popen[str]]) -> Batch:
    """Run the command as a process to its end."""

    def run(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
        with start(*arguments, **options) as process:
            out, err = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    return run


def test_a_bucket_is_read_as_a_folder_is(
    batch: Batch, s3_server: str, bucket: str, cluster: DaskCluster, tmp_path: Path, rows_in: RowsIn
) -> None:
    out = tmp_path / "results.jsonl"
    how = {"env": s3_environment(s3_server, **KEYS)}
    done = batch(bucket, "--out", out, **how)
    assert done.returncode == 1, done.stderr
    assert "3 photos: 2 read, " in done.stdout
    rows = rows_in(out)
    assert list(rows) == [f"{bucket}/{name}" for name in ("一月 1.jpg", "in/b.jpg", "in/broken.jpg")]
    first, second, third = rows.values()
    assert (first["circumstances"]["seat_wind"], second["circumstances"]["seat_wind"]) == ("S", "E")
    assert first["tiles"] == second["tiles"]
    assert third["problems"][0]["code"] == "not_a_photo"
    before = out.read_bytes()
    out.unlink()
    on_cluster = ("--engine", "dask", "--scheduler", cluster.address)
    assert batch(bucket, "--out", out, *on_cluster, **how).returncode == 1
    assert out.read_bytes() == before
    again = batch(bucket, "--out", out, "--resume", *on_cluster, **how)
    assert "3 skipped as done" in again.stdout
    assert out.read_bytes() == before


def test_addresses_in_a_list_that_are_not_there_cost_their_rows(
    batch: Batch, s3_server: str, bucket: str, tmp_path: Path, rows_in: RowsIn
) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text(f"{bucket}/in/b.jpg\n{bucket}/none.jpg\ns3://nobody/a.jpg\n", encoding="utf-8")
    out = tmp_path / "results.jsonl"
    done = batch(listed, "--out", out, env=s3_environment(s3_server, **KEYS))
    assert done.returncode == 1
    first, *absent = rows_in(out).values()
    assert first["tiles"]
    assert [row["problems"][0]["code"] for row in absent] == ["not_found", "not_found"]


@pytest.mark.parametrize(
    ("where", "endpoint", "keys", "words"),
    [
        ("s3://nobody/2026", None, KEYS, "s3://nobody/2026 does not exist, or you may not see it"),
        ("s3://club/2025", None, KEYS, "s3://club/2025 does not exist"),
        ("s3://club/2026", NOWHERE, KEYS, "Could not connect to the endpoint"),
        ("s3://club/2026/*.jpg", NOWHERE, KEYS, "Could not connect to the endpoint"),
        ("s3://club/2026", None, {}, "Unable to locate credentials"),
    ],
)
def test_a_bucket_that_cannot_be_listed_is_named(
    s3_server: str,
    bucket: str,
    monkeypatch: pytest.MonkeyPatch,
    where: str,
    endpoint: str | None,
    keys: dict[str, str],
    words: str,
) -> None:
    for name in (*KEYS, *s3_environment(NOWHERE)):
        monkeypatch.delenv(name, raising=False)
    for name, value in s3_environment(endpoint or s3_server, **keys).items():
        monkeypatch.setenv(name, value)
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    with pytest.raises(SourceError, match=f"{re.escape(words)}.*check the address"):
        list(find(where))


def test_what_the_server_refuses_is_said_without_a_traceback_and_tried_again_by_another_run(
    batch: Batch, s3_server: str, bucket: str, tmp_path: Path
) -> None:
    listed, out = tmp_path / "list.txt", tmp_path / "results.jsonl"
    listed.write_text(f"{bucket}/in/b.jpg\n")
    refused = batch(bucket, "--out", out, env=s3_environment(s3_server))
    assert refused.returncode == 2
    assert "Unable to locate credentials" in refused.stderr
    assert "Traceback" not in refused.stderr
    failed = batch(listed, "--out", out, "--log-json", env=s3_environment(NOWHERE, **KEYS))
    assert failed.returncode == 1
    events = [json.loads(line) for line in failed.stderr.splitlines()]
    (event,) = (event for event in events if event["event"] == "failed")
    assert event["code"] == "unreadable"
    assert "Could not connect" in event["message"]
    again = batch(listed, "--out", out, "--resume", env=s3_environment(s3_server, **KEYS))
    assert again.returncode == 0
    assert "1 photos: 1 read" in again.stdout


def test_a_folder_of_a_bucket_that_cannot_be_listed_costs_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe({"/club/a.jpg": b"a", "/club/in/b.jpg": b"b", "/club/z/c.jpg": b"c"})
    plain = type(memory).ls

    def ls(self: Any, path: str, detail: bool = True, **options: Any) -> Any:
        if path.endswith("/in"):
            raise PermissionError("Access Denied")
        return plain(self, path, detail=detail, **options)

    monkeypatch.setattr(type(memory), "ls", ls)
    try:
        first, denied, last = find("memory://club")
    finally:
        memory.rm("/club", recursive=True)
    assert (read(first), read(last)) == (b"a", b"c")
    with pytest.raises(PhotoError, match=r"/club/in cannot be listed .*Access Denied"):
        read(denied)


def test_what_is_forbidden_where_nothing_was_listed_is_taken_for_absent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden(address: str) -> bytes:
        raise PhotoError("unreadable", f"{address} is forbidden") from PermissionError("Forbidden")

    monkeypatch.setattr(addresses, "address_bytes", forbidden)
    assert read_sidecar(PhotoSource("s3://club/a.jpg", "a.jpg")) is None
    assert read_sidecar(PhotoSource("s3://club/a.jpg", "a.jpg", beside=())) is None
    with pytest.raises(PhotoError, match=r"a\.json is forbidden"):
        read_sidecar(PhotoSource("s3://club/a.jpg", "a.jpg", beside=("s3://club/a.json",)))
