"""Photos in a bucket of a real server that speaks S3."""

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
import fsspec
import pytest
from moto.server import ThreadedMotoServer

from vision.batch.listing import addresses
from vision.batch.listing.photo_source import Source, SourceError
from vision.batch.listing.sources import find, read, read_sidecar
from vision.errors import PhotoError

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


def environment(endpoint: str, **more: str) -> dict[str, str]:
    left = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return {
        **left,
        "PYTHONWARNINGS": "error",
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_MAX_ATTEMPTS": "1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        **more,
    }


KEYS = {"AWS_ACCESS_KEY_ID": "club", "AWS_SECRET_ACCESS_KEY": "secret"}


@pytest.fixture(scope="module")
def bucket(server: str, small_photos: Path) -> Iterator[str]:
    client = boto3.client(
        "s3",
        endpoint_url=server,
        aws_access_key_id="club",
        aws_secret_access_key="secret",  # noqa: S106
        region_name="us-east-1",
    )
    client.create_bucket(Bucket="club")
    photo = (small_photos / "three-chows.jpg").read_bytes()
    for key, body in {
        "2026/": b"",
        "2026/一月 1.jpg": photo,
        "2026/一月 1.json": b'{"seat_wind": "S"}',
        "2026/in/b.jpg": photo + b"b",
        "2026/in/broken.jpg": b"no photo",
        "2026/in/.hidden.jpg": photo,
        "2026/notes.txt": b"no photo",
    }.items():
        client.put_object(Bucket="club", Key=key, Body=body)
    yield "s3://club/2026"
    client.close()


def test_a_bucket_is_read_as_a_folder_is(
    batch: Callable[..., Any], server: str, bucket: str, tmp_path: Path, rows_in: Callable[[Path], Any]
) -> None:
    out = tmp_path / "results.jsonl"
    how = {"env": environment(server, **KEYS)}
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
    again = batch(bucket, "--out", out, "--resume", "--engine", "dask", **how)
    assert "3 skipped as done" in again.stdout
    assert out.read_bytes() == before


def test_addresses_in_a_list_that_are_not_there_cost_their_rows(
    batch: Callable[..., Any], server: str, bucket: str, tmp_path: Path, rows_in: Callable[[Path], Any]
) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text(f"{bucket}/in/b.jpg\n{bucket}/none.jpg\ns3://nobody/a.jpg\n", encoding="utf-8")
    out = tmp_path / "results.jsonl"
    done = batch(listed, "--out", out, env=environment(server, **KEYS))
    assert done.returncode == 1
    first, *absent = rows_in(out).values()
    assert first["tiles"]
    assert [row["problems"][0]["code"] for row in absent] == ["not_found", "not_found"]


@pytest.mark.parametrize(
    ("where", "endpoint", "keys", "words"),
    [
        ("s3://nobody/2026", None, KEYS, "s3://nobody/2026 does not exist, or is not for us to see"),
        ("s3://club/2025", None, KEYS, "s3://club/2025 does not exist"),
        ("s3://club/2026", NOWHERE, KEYS, "Could not connect to the endpoint"),
        ("s3://club/2026/*.jpg", NOWHERE, KEYS, "Could not connect to the endpoint"),
        ("s3://club/2026", None, {}, "Unable to locate credentials"),
    ],
)
def test_a_bucket_that_cannot_be_listed_is_named(
    server: str,
    bucket: str,
    monkeypatch: pytest.MonkeyPatch,
    where: str,
    endpoint: str | None,
    keys: dict[str, str],
    words: str,
) -> None:
    for name in (*KEYS, *environment(NOWHERE)):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment(endpoint or server, **keys).items():
        monkeypatch.setenv(name, value)
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    with pytest.raises(SourceError, match=f"{re.escape(words)}.*check the address"):
        list(find(where))


def test_what_the_server_refuses_is_said_without_a_traceback_and_mended_by_another_run(
    batch: Callable[..., Any], server: str, bucket: str, tmp_path: Path
) -> None:
    listed, out = tmp_path / "list.txt", tmp_path / "results.jsonl"
    listed.write_text(f"{bucket}/in/b.jpg\n")
    refused = batch(bucket, "--out", out, env=environment(server))
    assert refused.returncode == 2
    assert "Unable to locate credentials" in refused.stderr
    assert "Traceback" not in refused.stderr
    failed = batch(listed, "--out", out, "--log-json", env=environment(NOWHERE, **KEYS))
    assert failed.returncode == 1
    events = [json.loads(line) for line in failed.stderr.splitlines()]
    (event,) = (
        event for event in events if event["event"] == "failed"
    )  # a slow machine tells its progress before
    assert event["code"] == "unreadable"
    assert "Could not connect" in event["message"]
    again = batch(listed, "--out", out, "--resume", env=environment(server, **KEYS))
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
    assert read_sidecar(Source("s3://club/a.jpg", "a.jpg")) is None
    assert read_sidecar(Source("s3://club/a.jpg", "a.jpg", beside=())) is None
    with pytest.raises(PhotoError, match=r"a\.json is forbidden"):
        read_sidecar(Source("s3://club/a.jpg", "a.jpg", beside=("s3://club/a.json",)))
