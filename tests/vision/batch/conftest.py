"""Photos, clusters and servers that the tests of `fanlens batch` share, and ways to run the command."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import boto3
import pytest
from click.testing import CliRunner, Result
from moto.server import ThreadedMotoServer
from PIL import Image

from vision.batch.commands import batch as batch_command
from vision.batch.progress import Silent
from vision.batch.run import Options, run_batch
from vision.tilesets import HOME

SAMPLES = Path(__file__).parents[3] / "vision" / "samples"
DASK = str(Path(sys.executable).with_name("dask"))
KEYS = {"AWS_ACCESS_KEY_ID": "club", "AWS_SECRET_ACCESS_KEY": "secret"}
Rows = dict[str, dict[str, Any]]


@pytest.fixture(scope="session")
def small_photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three bundled photos at half their size, which is enough to read them, and quicker."""
    folder = tmp_path_factory.mktemp("small")
    for name in ("three-chows", "seven-pairs-dim", "dragons"):
        with Image.open(SAMPLES / f"{name}.jpg") as image:
            image.resize((800, 600)).save(folder / f"{name}.jpg", quality=92)
    return folder


@pytest.fixture(scope="session")
def photos(tmp_path_factory: pytest.TempPathFactory, small_photos: Path) -> Path:
    """A folder of 24 photos that no test changes. Bytes after the end of a JPEG make their contents differ."""
    folder = tmp_path_factory.mktemp("photos")
    photo = (small_photos / "three-chows.jpg").read_bytes()
    for number in range(24):
        (folder / f"{number:03}.jpg").write_bytes(photo + b"%d" % number)
    return folder


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, photos: Path) -> list[str]:
    """The lines of the results for `photos`, read in one go by the local engine."""
    out = tmp_path_factory.mktemp("undisturbed") / "results.jsonl"
    outcome = run_batch(Options(source=str(photos), out=out, processes=2), lambda _listing: Silent())
    assert outcome.tally.read == 24
    return out.read_text(encoding="utf-8").splitlines(keepends=True)


@pytest.fixture
def club(tmp_path: Path, small_photos: Path) -> Path:
    """A folder with two photos, one more in a folder, and a file that is no photo but is called one."""
    folder = tmp_path / "club"
    (folder / "second round").mkdir(parents=True)
    shutil.copy(small_photos / "three-chows.jpg", folder / "a.jpg")
    shutil.copy(small_photos / "seven-pairs-dim.jpg", folder / "b.JPG")
    shutil.copy(small_photos / "dragons.jpg", folder / "second round" / "c.jpg")
    (folder / "broken.jpg").write_text("not a photo at all")
    (folder / "notes.txt").write_text("not a photo and not called one")
    return folder


@pytest.fixture
def not_photos(tmp_path: Path) -> Path:
    """A folder of files that are called photos and take no time to read."""
    folder = tmp_path / "club"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.jpg").write_text("not a photo at all")
    return folder


@pytest.fixture
def invoke() -> Callable[..., Result]:
    """Run the command in this process, with one worker process unless told otherwise."""

    def run(*arguments: str | Path) -> Result:
        how = () if {"--processes", "--scheduler"} & set(map(str, arguments)) else ("--processes", "1")
        return CliRunner().invoke(batch_command, [*map(str, arguments), *how])

    return run


@pytest.fixture
def start() -> Callable[..., subprocess.Popen[str]]:
    """Start the command as a process, which the test must wait for."""

    def run(*arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "webapp.cli", "batch", *map(str, arguments)]
        usual = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(
            command, **{**usual, "env": {**os.environ, "PYTHONWARNINGS": "error"}, **options}
        )

    return run


def wait_until(true: Callable[[], bool], what: str) -> None:
    """Wait until something is true."""
    for _ in range(6000):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError(f"{what} in five minutes")


def wait_for_rows(out: Path, count: int) -> None:
    """Wait until the shards beside `out` have this many rows."""

    def rows() -> int:
        found = 0
        for path in out.with_name(f"{out.name}.shards").glob("*.jsonl*"):
            with suppress(FileNotFoundError):  # it has just been renamed
                found += path.read_bytes().count(b"\n")
        return found

    wait_until(lambda: rows() >= count, f"fewer than {count} rows")


def children_of(pid: int) -> list[int]:
    """The processes that this one, by any of its threads, has started."""
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # the thread has ended
            found += map(int, path.read_text().split())
    return found


def alive(pid: int) -> bool:
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return False
    # The first thread of a killed process may be gone before the others, and its parent is told only after them.
    return state != "Z" or int(fields[16]) > 1


class FedRun:
    """A run with one process on a list that the test writes line by line: it cannot end before the test wants.

    After n lines it writes n - 1 rows, then waits for the next line with one photo in hand.
    """

    def __init__(self, process: subprocess.Popen[str], out: Path) -> None:
        self.process = process
        self._out = out
        self._rows = -1

    def feed(self, *photos: Path) -> None:
        """Write these photos to the list, and wait for the rows."""
        assert self.process.stdin is not None
        self.process.stdin.writelines(f"{path}\n" for path in photos)
        self.process.stdin.flush()
        self._rows += len(photos)
        wait_for_rows(self._out, self._rows)

    def end(self) -> tuple[str, str]:
        """End the list, and return what the run printed once it has ended."""
        return self.process.communicate()


@pytest.fixture
def fed_run(start: Callable[..., subprocess.Popen[str]]) -> Iterator[Callable[..., FedRun]]:
    """Start the command on a list that the test writes."""
    with ExitStack() as held:

        def run(out: Path, *arguments: str, **options: Any) -> FedRun:
            how = ("-", "--out", out, "--processes", "1", *arguments)
            process = held.enter_context(start(*how, stdin=subprocess.PIPE, **options))
            held.callback(process.kill)
            return FedRun(process, out)

        yield run


@pytest.fixture
def rows_in() -> Callable[[Path], Rows]:
    """The rows of a file by photo; each photo has one."""

    def read(path: Path) -> Rows:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert len({row["source"] for row in rows}) == len(rows)
        return {row["source"]: row for row in rows}

    return read


def s3_environment(endpoint: str, **more: str) -> dict[str, str]:
    """This process's environment for a client of that S3 server, and nothing else of Amazon's."""
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


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """The address of a server that speaks S3."""
    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture(scope="session")
def bucket(s3_server: str, small_photos: Path) -> Iterator[str]:
    """A bucket with two photos, one of them with a sidecar, a broken one, and files to be skipped."""
    client = boto3.client(
        "s3",
        endpoint_url=s3_server,
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


class DaskCluster:
    """A scheduler on loopback, and workers that are processes of their own."""

    def __init__(self, folder: Path, held: ExitStack, environment: dict[str, str]) -> None:
        self._file = folder / "scheduler.json"
        self._held = held
        self._environment = environment
        self._log = held.enter_context((folder / "log").open("w"))
        self.scheduler = self._start("scheduler", "--port", "0")
        wait_until(lambda: self._file.exists() and self._file.read_text().endswith("}"), "no scheduler")
        self.address: str = json.loads(self._file.read_text())["address"]

    def worker(self) -> subprocess.Popen[bytes]:
        """Start one more worker with one thread."""
        return self._start("worker", "--nthreads", "1", "--no-nanny")

    def _start(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        own_port = ("--dashboard-address", "127.0.0.1:0", "--no-dashboard")
        common = ("--host", "127.0.0.1", *own_port, "--scheduler-file", str(self._file))
        command = [DASK, what, *common, *arguments]
        process = self._held.enter_context(
            subprocess.Popen(command, stdout=self._log, stderr=self._log, env=self._environment)
        )
        self._held.callback(process.kill)
        return process


@contextmanager
def dask_cluster(folder: Path, environment: dict[str, str] | None = None) -> Iterator[DaskCluster]:
    """A cluster without workers."""
    with ExitStack() as held:
        yield DaskCluster(folder, held, environment or dict(os.environ))


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory, s3_server: str) -> Iterator[DaskCluster]:
    """A cluster with one worker, which may read the S3 server and knows no tile set."""
    folder = tmp_path_factory.mktemp("cluster")
    environment = {**s3_environment(s3_server, **KEYS), HOME: str(folder / "no tile sets")}
    del environment["PYTHONWARNINGS"]
    with dask_cluster(folder, environment) as started:
        started.worker()
        yield started
