"""F15: two servers on one PostgreSQL behind a real nginx: `python -m tests.attack.two_servers`.

nginx runs with `docs/deploy/nginx.conf`, whose names, ports and certificate are replaced by those of this computer.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from http.client import HTTPSConnection
from pathlib import Path

import psycopg

from tests.attack.harness import SAMPLE, Target, ask, serving
from tests.webapp.slow_clients import HALF_A_HEAD, held
from tests.webapp.test_slow_clients import FORM, form
from webapp.certificate import certificate_for

CONF = Path(__file__).parents[2] / "docs" / "deploy" / "nginx.conf"
HAND = {"text": "123456789m12s55z3s"}


@contextlib.contextmanager
def postgresql() -> Iterator[str]:
    """The URL of a database on a server of our own."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    if as_user:
        shutil.chown(folder, "postgres", "postgres")

    def run(program: str, *arguments: str) -> None:
        command = [*as_user, str(programs / program), "-D", str(folder / "data"), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")

    run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8")
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}'"
    run("pg_ctl", "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        with psycopg.connect(f"postgresql://postgres@/postgres?host={folder}", autocommit=True) as connection:
            connection.execute("CREATE DATABASE club")
        yield f"postgresql://postgres@/club?host={folder}"
    finally:
        run("pg_ctl", "-m", "immediate", "stop")
        shutil.rmtree(folder)


def free_port() -> int:
    """A port that nobody uses."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def nginx(first: Target, second: Target) -> Iterator[tuple[int, ssl.SSLContext]]:
    """The proxy of the example before two servers: its port, and how to trust it."""
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        certificate = certificate_for(["localhost"], folder)
        conf = CONF.read_text(encoding="utf-8")
        replaced = {
            "fanlens1:8000": f"127.0.0.1:{first.port}",
            "fanlens2:8000": f"127.0.0.1:{second.port}",
            "listen 443": f"listen 127.0.0.1:{port}",
            "/etc/nginx/tls/fullchain.pem": str(certificate.path),
            "/etc/nginx/tls/key.pem": str(certificate.key_path),
        }
        for old, new in replaced.items():
            assert old in conf, old
            conf = conf.replace(old, new)
        (folder / "nginx.conf").write_text(f"daemon off; pid {folder}/pid; error_log stderr crit;\n{conf}")
        run = subprocess.Popen(
            ["/usr/sbin/nginx", "-p", name, "-c", f"{name}/nginx.conf"], stderr=subprocess.DEVNULL
        )
        try:
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.1)
            yield port, ssl.create_default_context(cafile=certificate.authority_path)
        finally:
            run.terminate()
            run.wait()


def through(
    port: int, trusting: ssl.SSLContext, method: str, path: str, body: bytes = b"", kind: str = ""
) -> tuple[int, bytes]:
    """Status and body of an answer through the proxy."""
    client = HTTPSConnection("localhost", port, context=trusting, timeout=120)
    with contextlib.closing(client):
        client.request(method, path, body or None, {"Content-Type": kind} if kind else {})
        answer = client.getresponse()
        return answer.status, answer.read()


def main() -> None:
    """Take photos through the proxy and confirm each through the other server; then attack the proxy."""
    with postgresql() as address:
        options = ("--database", address, "--proxy", "127.0.0.1", "--name", "localhost")
        with serving(*options) as one, serving(*options) as two, nginx(one, two) as (port, trusting):
            confirmed: Counter[int] = Counter()
            photo = form(SAMPLE.read_bytes())
            for number in range(6):
                status, body = through(
                    port, trusting, "POST", "/api/v1/recognise", photo, FORM["Content-Type"]
                )
                assert status == 201, body
                read = json.loads(body)
                for server in (one, two):  # both know it
                    assert ask(server.port, path=read["photo"])[0] == 200
                hand = json.loads(
                    ask(one.port, "POST", "/api/v1/notation", json.dumps(HAND).encode(), JSON)[2]
                )
                body = json.dumps(
                    hand | {"discarder": "S", "photos": [read["page"].rsplit("/", 1)[1]]}
                ).encode()
                server = (one, two)[number % 2]
                confirmed[ask(server.port, "POST", "/api/v1/hands", body, JSON)[0]] += 1
                assert ask((two, one)[number % 2].port, path=read["photo"])[0] == 404
            print(
                f"6 photos taken through nginx, each confirmed through one of two servers: answers {dict(confirmed)}"
            )
            assert confirmed == {201: 6}
            assert through(port, trusting, "GET", "/metrics")[0] == 404
            with held(port, 50, HALF_A_HEAD, tls=trusting):
                begun = time.perf_counter()
                assert through(port, trusting, "GET", "/healthz")[0] == 200
                print(
                    f"beside 50 half-open connections: {(time.perf_counter() - begun) * 1000:.0f} ms through nginx"
                )


JSON = {"Content-Type": "application/json"}

if __name__ == "__main__":
    main()
