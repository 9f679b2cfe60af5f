"""Photos in a bucket of a real server that speaks S3."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fsspec
import pytest
from click.testing import Result

from tests.vision.batch.conftest import KEYS, DaskCluster, s3_environment
from vision.batch.listing import addresses
from vision.batch.listing.listing import find, read, read_sidecar
from vision.batch.listing.photo_source import PhotoSource, SourceError
from vision.errors import PhotoError

NOWHERE = "http://127.0.0.1:9"


RowsIn = Callable[[Path], dict[str, dict[str, Any]]]
Invoke = Callable[..., Result]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let this process, and those that it starts, use the server at an endpoint with these keys."""

    def change(endpoint: str, keys: dict[str, str] = KEYS) -> None:
        for name in (*KEYS, *s3_environment(NOWHERE)):
            monkeypatch.delenv(name, raising=False)
        for name, value in s3_environment(endpoint, **keys).items():
            monkeypatch.setenv(name, value)
        fsspec.get_filesystem_class("s3").clear_instance_cache()

    return change


def test_a_bucket_is_read_as_a_folder_is(
    invoke: Invoke,
    use: Callable[..., None],
    s3_server: str,
    bucket: str,
    cluster: DaskCluster,
    tmp_path: Path,
    rows_in: RowsIn,
) -> None:
    use(s3_server)
    out, other = tmp_path / "results.jsonl", tmp_path / "dask.jsonl"
    done = invoke(bucket, "--out", out)
    assert done.exit_code == 1, done.stderr
    assert "3 photos: 2 read, " in done.stdout
    rows = rows_in(out)
    assert list(rows) == [f"{bucket}/{name}" for name in ("一月 1.jpg", "in/b.jpg", "in/broken.jpg")]
    first, second, third = rows.values()
    assert (first["circumstances"]["seat_wind"], second["circumstances"]["seat_wind"]) == ("S", "E")
    assert first["tiles"] == second["tiles"]
    assert third["problems"][0]["code"] == "not_a_photo"
    on_cluster = ("--engine", "dask", "--scheduler", cluster.address)
    assert invoke(bucket, "--out", other, *on_cluster).exit_code == 1
    assert other.read_bytes() == out.read_bytes()


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
    use: Callable[..., None],
    where: str,
    endpoint: str | None,
    keys: dict[str, str],
    words: str,
) -> None:
    use(endpoint or s3_server, keys)
    with pytest.raises(SourceError, match=f"{re.escape(words)}.*check the address"):
        list(find(where))


def test_a_listing_that_the_server_refuses_ends_the_command_without_a_traceback(
    start: Callable[..., subprocess.Popen[str]], s3_server: str, bucket: str, tmp_path: Path
) -> None:
    with start(bucket, "--out", tmp_path / "x.jsonl", env=s3_environment(s3_server)) as process:
        _, err = process.communicate()
    assert process.returncode == 2
    assert "Unable to locate credentials" in err
    assert "Traceback" not in err


def test_addresses_that_the_server_does_not_give_cost_their_rows_and_are_tried_again(
    invoke: Invoke, use: Callable[..., None], s3_server: str, bucket: str, tmp_path: Path, rows_in: RowsIn
) -> None:
    listed, out = tmp_path / "list.txt", tmp_path / "results.jsonl"
    addresses = [f"{bucket}/in/b.jpg", f"{bucket}/none.jpg", "s3://nobody/a.jpg"]
    listed.write_text("".join(f"{address}\n" for address in addresses))
    use(NOWHERE)
    failed = invoke(listed, "--out", out, "--log-json")
    assert failed.exit_code == 1
    events = [json.loads(line) for line in failed.stderr.splitlines()]
    told = [event for event in events if event["event"] == "failed"]
    assert [event["code"] for event in told] == ["unreadable"] * 3
    assert all("Could not connect" in event["message"] for event in told)
    use(s3_server)
    again = invoke(listed, "--out", out, "--resume")
    assert again.exit_code == 1
    assert "3 photos: 1 read" in again.stdout
    first, *absent = rows_in(out).values()
    assert first["tiles"]
    assert [row["problems"][0]["code"] for row in absent] == ["not_found", "not_found"]


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
