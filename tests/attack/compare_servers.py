"""Compare WSGI servers under slow clients: `python tests/attack/compare_servers.py`.

It needs a virtual environment with Flask, waitress, gunicorn, cheroot, hypercorn, granian, uvicorn and a2wsgi.
Each serves the same small application with eight threads on the loopback. Slow clients come from 127.0.0.2, the honest
one from 127.0.0.1. A figure is the slowest of three answers in milliseconds; `-` means none within five seconds.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

PORT = 8901
ATTEMPTS, PATIENCE_S = 3, 5.0
APP = """
from flask import Flask, request
app = Flask(__name__)
@app.get("/")
def hello(): return "hello"
@app.post("/")
def length(): return str(len(request.get_data()))
"""
A2WSGI = "from hello import app\nfrom a2wsgi import WSGIMiddleware\nasgi = WSGIMiddleware(app, workers=8)\n"
CHEROOT = (
    "from hello import app\nfrom cheroot.wsgi import Server\n"
    f"Server(('127.0.0.1', {PORT}), app, numthreads=8, request_queue_size=128).start()\n"
)
SERVERS = {
    "waitress": f"-m waitress --listen=127.0.0.1:{PORT} --threads=8 hello:app",
    "gunicorn gthread": f"-m gunicorn -b 127.0.0.1:{PORT} -k gthread --threads 8 --log-level critical hello:app",
    "cheroot": "run_cheroot.py",
    "hypercorn": f"-m hypercorn -b 127.0.0.1:{PORT} --log-level critical hello:app",
    "granian": "-m granian --interface wsgi --blocking-threads 8 --log-level critical "
    f"--host 127.0.0.1 --port {PORT} hello:app",
    "uvicorn + a2wsgi": f"-m uvicorn --host 127.0.0.1 --port {PORT} --log-level critical asgi:asgi",
}
HALF = b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
STALLED = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 39000000\r\n\r\n" + bytes(1_000_000)


def connections(number: int, first: bytes) -> list[socket.socket]:
    """That many connections which send their first bytes, as far as the server takes them, and then nothing."""
    opened = []
    for _ in range(number):
        connection = socket.socket()
        connection.bind(("127.0.0.2", 0))
        connection.settimeout(0.5)
        opened.append(connection)
        with contextlib.suppress(OSError):
            connection.connect(("127.0.0.1", PORT))
            connection.sendall(first)
    return opened


def honest() -> str:
    """The slowest of a few answers in milliseconds."""
    slowest = 0.0
    for _ in range(ATTEMPTS):
        begun = time.perf_counter()
        client = http.client.HTTPConnection("127.0.0.1", PORT, timeout=PATIENCE_S)
        try:
            client.request("GET", "/")
            client.getresponse().read()
        except (OSError, http.client.HTTPException):
            return "-"
        finally:
            client.close()
        slowest = max(slowest, time.perf_counter() - begun)
    return f"{slowest * 1000:.0f}"


def memory_mb(group: int) -> int:
    """The memory of all processes of a process group."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError, ValueError):
            if os.getpgid(int(status.parent.name)) == group:
                total += next(
                    int(line.split()[1]) for line in status.read_text().splitlines() if "VmRSS" in line
                )
    return total // 1024


@contextlib.contextmanager
def serving(arguments: str, folder: Path) -> Iterator[int]:
    """A server at work: the number of its process group."""
    run = subprocess.Popen(
        [sys.executable, *arguments.split()],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 20
        while honest() == "-" and time.monotonic() < deadline:
            time.sleep(0.2)
        yield run.pid
    finally:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()


def measured(arguments: str, folder: Path) -> list[str]:
    """The figures of one server: alone, beside each kind of slow clients, and its memory in the end."""
    figures = []
    attacks: list[Callable[[], list[socket.socket]]] = [
        list,
        lambda: connections(1000, b""),
        lambda: connections(200, HALF),
        lambda: connections(60, STALLED),
    ]
    for attack in attacks:
        with serving(arguments, folder) as group:
            held = attack()
            time.sleep(1)
            figures.append(honest())
            if attack is attacks[-1]:
                figures.append(str(memory_mb(group)))
            for connection in held:
                connection.close()
    return figures


def main() -> None:
    """Print the table."""
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "hello.py").write_text(APP)
        (folder / "asgi.py").write_text(A2WSGI)
        (folder / "run_cheroot.py").write_text(CHEROOT)
        print("| server | alone | 1,000 idle | 200 half-open | 60 stalled uploads | memory then, MB |")
        print("|---|--:|--:|--:|--:|--:|")
        for server, arguments in SERVERS.items():
            print(f"| {server} | " + " | ".join(measured(arguments, folder)) + " |", flush=True)


if __name__ == "__main__":
    main()
