"""A server to attack, a client that keeps asking whether it is well, and the memory it takes."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SAMPLE = Path(__file__).parents[2] / "vision" / "samples" / "dragons.jpg"


@dataclass
class Target:
    """A running `fanlens serve`."""

    process: subprocess.Popen[str]
    port: int
    folder: Path

    def processes(self) -> list[int]:
        """The server and the process that reads photos."""
        children = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        found = [self.process.pid]
        with contextlib.suppress(OSError):
            found += [int(pid) for path in children for pid in path.read_text().split()]
        return found

    def memory_mb(self) -> int:
        """The memory that the whole service takes now."""
        total = 0
        for pid in self.processes():
            with contextlib.suppress(OSError, ValueError, StopIteration):
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
                total += next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
        return total // 1024


@contextlib.contextmanager
def serving(*options: str) -> Iterator[Target]:
    """A server on a free port of the loopback, with a ledger of its own; it must end well."""
    with tempfile.TemporaryDirectory() as name:
        arguments = [*options, "--host", "127.0.0.1", "--port", "0"]
        if "--database" not in options:
            arguments += ["--database", f"{name}/ledger.sqlite3"]
        log = Path(name, "log").open("w+")  # noqa: SIM115 it is closed below, after the server
        process = subprocess.Popen(
            [sys.executable, "-m", "webapp.cli", "serve", *arguments],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, "FANLENS_HOME": name},
        )
        try:
            assert process.stdout
            found = next(
                match for line in process.stdout if (match := re.search(r"127\.0\.0\.1:(\d+)", line))
            )
            yield Target(process, int(found[1]), Path(name))
            assert process.poll() is None, "the server ended"
        finally:
            process.terminate()
            process.communicate(timeout=60)
            log.seek(0)
            told = log.read()
            log.close()
        assert "Traceback" not in told, told
        assert process.returncode == 0, process.returncode


def ask(
    port: int,
    method: str = "GET",
    path: str = "/healthz",
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
    *,
    source: str = "127.0.0.1",
    timeout_s: float = 300,
) -> tuple[int, http.client.HTTPMessage, bytes]:
    """Status, headers and body of an answer."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout_s, source_address=(source, 0))
    with contextlib.closing(client):
        client.request(method, path, body, headers or {})
        answer = client.getresponse()
        return answer.status, answer.headers, answer.read()


def upload(port: int, photo: bytes, source: str = "127.0.0.1") -> int:
    """The status of the answer to a photo, 0 if there was none."""
    head = b'--cut\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    kind = {"Content-Type": "multipart/form-data; boundary=cut"}
    try:
        body = head + photo + b"\r\n--cut--\r\n"
        return ask(port, "POST", "/api/v1/recognise", body, kind, source=source)[0]
    except (OSError, http.client.HTTPException):
        return 0


@dataclass
class Watch:
    """What an honest client saw, and what memory the service took, while something else happened."""

    target: Target
    waits_ms: list[float] = field(default_factory=list)
    failed: int = 0
    peak_mb: int = 0

    def line(self) -> str:
        """The figures in a line."""
        waits = sorted(self.waits_ms)
        p50, p99, most = statistics.median(waits), waits[int(len(waits) * 0.99)], waits[-1]
        return (
            f"health check p50 {p50:.0f} ms, p99 {p99:.0f} ms, slowest {most:.0f} ms ({len(waits)} asked, "
            f"{self.failed} without an answer); peak of memory {self.peak_mb} MB"
        )


@contextlib.contextmanager
def watching(target: Target, every_s: float = 0.05) -> Iterator[Watch]:
    """Ask for the health, twenty times a second, and look at the memory."""
    watch, over = Watch(target), threading.Event()

    def look() -> None:
        while not over.wait(every_s):
            watch.peak_mb = max(watch.peak_mb, target.memory_mb())
            begun = time.perf_counter()
            try:
                watch.failed += ask(target.port, timeout_s=10)[0] != 200
            except (OSError, http.client.HTTPException):
                watch.failed += 1
            watch.waits_ms.append((time.perf_counter() - begun) * 1000)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield watch
    finally:
        over.set()
        thread.join()


def at_once(work: list[threading.Thread]) -> None:
    """Run threads and wait for all."""
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
