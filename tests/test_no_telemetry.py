"""No process of ours reaches out by itself: onnxruntime's telemetry is off in all of them, and nothing else does.

The processes run under strace, which sees what compiled libraries do as well. Connections to this machine itself are
allowed, name look-ups are not, wherever the resolver runs.
"""

import contextlib
import http.client
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "vision" / "samples" / "dragons.jpg"
ONLY_IMPORTER = Path("vision", "networks", "runtime.py")
IMPORT = re.compile(
    r"^\s*(?:import|from)\s+onnxruntime|import_module\(\s*['\"]onnxruntime|__import__\(\s*['\"]onnx", re.M
)
ADDRESS = re.compile(
    r"sin_port=htons\((?P<port4>\d+)\), sin_addr=inet_addr\(\"(?P<ip4>[^\"]+)\"\)"
    r"|sin6_port=htons\((?P<port6>\d+)\).*?inet_pton\(AF_INET6, \"(?P<ip6>[^\"]+)\""
    r"|sun_path=\"(?P<resolver>[^\"]*(?:resolve|nscd)[^\"]*)\""
)
REACHING = "connect,sendto,sendmsg,sendmmsg"
DNS_PORTS = {"53", "853", "5353", "5355"}
COMMANDS = {
    "photo": f"photo {SAMPLE}".split(),
    "batch": f"batch {SAMPLE} --out read.jsonl --quiet".split(),
    "batch on Dask": f"batch {SAMPLE} --out read.jsonl --quiet --engine dask --processes 1".split(),
}

BOUNDARY = "photo-follows"
UPLOAD = (
    (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="hand.jpg"\r\n'
        "Content-Type: image/jpeg\r\n\r\n"
    ).encode()
    + SAMPLE.read_bytes()
    + f"\r\n--{BOUNDARY}--\r\n".encode()
)


def test_one_module_alone_imports_onnxruntime() -> None:
    files = [
        path
        for folder in ("scorer", "vision", "webapp", "models", "tests")
        for path in (ROOT / folder).rglob("*")
    ]
    sources = [path for path in files if path.suffix in {".py", ".sh"} and path != Path(__file__).resolve()]
    assert ROOT / ONLY_IMPORTER in sources
    found = {
        str(path.relative_to(ROOT)) for path in sources if IMPORT.search(path.read_text(encoding="utf-8"))
    }
    assert found == {str(ONLY_IMPORTER)}


class Watched:
    """A process without our variable in its environment, in a home of its own, with strace looking on."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, folder / "strace.log"
        self.home, self.cache = folder / "home", folder / "cache"
        self.home.mkdir()
        inherited = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
        self.environment = inherited | {
            "HOME": str(self.home),
            "XDG_CACHE_HOME": str(self.cache),
            "FANLENS_HOME": str(folder / "tilesets"),
            "PYTHONPATH": str(ROOT),
        }

    def start(self, arguments: Sequence[str], *, cut_off: bool = False) -> subprocess.Popen[str]:
        """Start Python with these arguments; `cut_off` makes every attempt to reach anything fail."""
        strace = ["strace", "-f", "-qq", "-s", "64", "-e", f"trace={REACHING}", "-o", str(self.log)]
        cut = ["-e", f"inject={REACHING}:error=ENETUNREACH"] if cut_off else []
        return subprocess.Popen(
            [*strace, *cut, sys.executable, *arguments],
            cwd=self.folder,
            env=self.environment,
            start_new_session=True,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def reached(self) -> set[str]:
        """Every address beyond this machine, and every resolver of names, that the process turned to."""
        found = set()
        for match in ADDRESS.finditer(self.log.read_text(encoding="utf-8", errors="replace")):
            port = match["port4"] or match["port6"]
            address = match["resolver"] or match["ip4"] or match["ip6"]
            loopback = address == "::1" or address.startswith(("127.", "::ffff:127."))
            if not loopback or port in DNS_PORTS:
                found.add(f"{address} port {port}")
        return found

    def written(self) -> list[Path]:
        """Every file that the process left in its home and in the cache folder."""
        return [path for folder in (self.home, self.cache) for path in folder.rglob("*") if path.is_file()]


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


@contextlib.contextmanager
def running(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    with process:
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize(
    "reach",
    [
        "import socket; socket.create_connection(('192.0.2.1', 9), timeout=0.1)",
        "import socket; socket.getaddrinfo('fanlens.invalid', 80)",
    ],
)
def test_the_watch_sees_connections_and_look_ups(watched: Watched, reach: str) -> None:
    with running(watched.start(["-c", reach], cut_off=True)) as process:
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1, said
    assert watched.reached()


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_commands_that_read_photos_reach_nobody_and_write_nothing_into_the_home(
    watched: Watched, arguments: list[str]
) -> None:
    with running(watched.start(["-m", "webapp.cli", *arguments])) as process:
        told, said = process.communicate(timeout=300)
    assert process.returncode == 0, told + said
    assert watched.reached() == set()
    assert watched.written() == []


def test_the_server_reaches_nobody_and_writes_nothing_into_the_home(watched: Watched) -> None:
    server = f"serve --host 127.0.0.1 --port 0 --database {watched.folder / 'hands.sqlite'}".split()
    with running(watched.start(["-m", "webapp.cli", *server])) as process:
        assert process.stdout is not None
        port = next(
            int(found[1]) for line in process.stdout if (found := re.search(r"127\.0\.0\.1:(\d+)", line))
        )
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        with contextlib.closing(connection):
            kind = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
            connection.request("POST", "/api/v1/recognise", UPLOAD, kind)
            assert connection.getresponse().status == http.HTTPStatus.CREATED
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
    assert watched.reached() == set()
    assert watched.written() == []
