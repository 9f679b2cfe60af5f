"""The running server under what tests of the bare application cannot show: raw sockets, many clients at once,
a violent end, and starts that fail.
"""

import contextlib
import http.client
import json
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from flask import Flask

import vision
from scorer import hand_from_json, score
from webapp.cli import main
from webapp.ledger import ConfirmedHand, Ledger
from webapp.serving import Serving

SAMPLE = next((Path(vision.__file__).parent / "samples").glob("*.jpg"))


@pytest.fixture
def port(app: Flask) -> Iterator[int]:
    with Serving(app, "127.0.0.1", 0) as serving:
        yield serving.port


def raw(port: int, sent: bytes) -> tuple[int, Message, bytes]:
    """Status, headers and body of the answer to these very bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(sent)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer.status, answer.headers, answer.read()


def post(port: int, path: str, body: bytes, kind: str = "application/json") -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    with contextlib.closing(connection):
        connection.request("POST", path, body, {"Content-Type": kind})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


@pytest.mark.parametrize(
    "target",
    [
        "//evil.com",
        "//evil.com/photo",
        "//evil.com//photo",
        "///evil.com/%2f..",
        "/\\evil.com",
        "//evil.com/%2e%2e/photo",
        "http://evil.com/photo",
        "http://[bad/photo",
        "/photo",
        "//photo",
        "/%0d%0aSet-Cookie:a=b",
        "*",
        "evil.com:443",
    ],
)
def test_no_target_leads_elsewhere(port: int, target: str) -> None:
    request = f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    status, headers, _ = raw(port, request.encode())
    assert status in {308, 400, 404}
    assert headers.get("Location", "/photo/").removeprefix("http://localhost") == "/photo/"
    assert (status == 308) == ("Location" in headers)
    assert "Set-Cookie" not in headers


def test_what_never_reaches_the_application_is_refused_in_its_words(port: int) -> None:
    head = "POST {} HTTP/1.1\r\nHost: localhost\r\nAccept-Language: zh-CN\r\n{}\r\n\r\n"
    status, headers, body = raw(port, head.format("/api/v1/recognise", "Content-Length: 99000000").encode())
    assert status == 413
    assert headers["X-Frame-Options"] == "DENY"
    error = json.loads(body)["error"]
    assert error["code"] == "too_large"
    assert "40 MB" in error["message"]
    assert not error["message"].isascii()
    status, headers, body = raw(port, head.format("/language", "Content-Length: 99000000").encode())
    assert (status, headers["Content-Type"]) == (413, "text/html; charset=utf-8")
    assert 'lang="zh-Hans"' in body.decode()
    status, headers, body = raw(port, head.format("/api/v1/score", "Content-Length: -1").encode())
    assert (status, headers["Content-Type"]) == (400, "text/plain; charset=utf-8")
    assert raw(port, b"nonsense\r\n\r\n")[0] == 400


def test_twenty_at_once_get_the_same_answers_as_one(port: int, hand: dict[str, Any]) -> None:
    head = b'--cut\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    form = head + SAMPLE.read_bytes() + b"\r\n--cut--\r\n"
    expected = score(*hand_from_json(hand)).to_json()
    answers: list[tuple[int, Any, int, Any]] = []

    def work() -> None:
        read = post(port, "/api/v1/recognise", form, "multipart/form-data; boundary=cut")
        while read[0] == 503:  # too many at once: the page sends it again too
            time.sleep(1)
            read = post(port, "/api/v1/recognise", form, "multipart/form-data; boundary=cut")
        answers.append((*read, *post(port, "/api/v1/score", json.dumps(hand).encode())))

    threads = [threading.Thread(target=work) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 20
    assert all(answer[0] == 201 and answer[2:] == (200, expected) for answer in answers)
    assert len({answer[1]["page"] for answer in answers}) == 20
    faces = [[tile["face"] for tile in answer[1]["tiles"]] for answer in answers]
    assert len(faces[0]) >= 14
    assert all(one == faces[0] for one in faces)


@contextlib.contextmanager
def started(*options: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """`fanlens serve` on a free port of 127.0.0.1: the process, its address and its output; killed at the end."""
    command = [sys.executable, "-m", "webapp.cli", "serve", "--host", "127.0.0.1", "--port", "0", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as run:
        try:
            assert run.stdout
            assert run.stderr
            output = ""
            while "Ctrl-C stops" not in output:
                line = run.stdout.readline()
                assert line, output + run.stderr.read()
                output += line
            found = re.search(r"https?://127\.0\.0\.1:\d+/", output)
            assert found
            yield run, found[0], output
        finally:
            run.kill()


@pytest.mark.parametrize(
    ("options", "stop"),
    [(["--https"], signal.SIGINT), (["--log-json"], signal.SIGTERM)],
    ids=["https", "log"],
)
def test_the_command_prints_its_address_and_stops_when_asked(
    tmp_path: Path, options: list[str], stop: signal.Signals
) -> None:
    with started(*options, "--database", str(tmp_path / "ledger.sqlite3")) as (run, address, output):
        assert "▀" in output or "█" in output
        trusting = None
        if "--https" in options:
            assert re.search(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", output)
            trusting = ssl.create_default_context(cafile=tmp_path / "fanlens-authority.pem")
        for path in ("hand", "healthz"):
            with urllib.request.urlopen(address + path, timeout=60, context=trusting) as answer:  # noqa: S310
                assert answer.status == 200
        run.send_signal(stop)
        _, log = run.communicate(timeout=30)
    assert run.returncode == 0
    requests = [(line["route"], line["status"]) for line in map(json.loads, log.splitlines())]
    assert requests == ([("/hand", 200), ("/healthz", 200)] if "--log-json" in options else [])


def test_confirmed_hands_outlive_a_kill(tmp_path: Path, hand: dict[str, Any]) -> None:
    database = tmp_path / "ledger.sqlite3"
    confirmed: list[int] = []
    ten = threading.Event()

    def confirm(port: int) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):  # the server's end
            while True:
                status, entry = post(port, "/api/v1/hands", json.dumps(hand | {"discarder": "S"}).encode())
                assert status == 201
                confirmed.append(entry["id"])
                if len(confirmed) >= 10:
                    ten.set()

    with started("--database", str(database)) as (run, address, _):
        port = urlsplit(address).port
        threads = [threading.Thread(target=confirm, args=(port,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        assert ten.wait(120)
        run.send_signal(signal.SIGKILL)
        for thread in threads:
            thread.join()
    ledger = Ledger(database)
    kept = {entry.id for entry in ledger.entries(limit=10**6)}
    assert set(confirmed) <= kept
    assert len(kept) <= len(confirmed) + len(threads)  # each may have had one answer on its way
    result, payments = score(*hand_from_json(hand)).to_json(), {"E": 3, "S": -1, "W": -1, "N": -1}
    assert ledger.add(ConfirmedHand(hand=hand, score=result, payments=payments, discarder=None, players={}))
    ledger.close()


@pytest.mark.parametrize("https", [[], ["--https"]], ids=["http", "https"])
@pytest.mark.parametrize(
    ("host", "reason"),
    [
        ("300.1.1.1", "Name or service not known"),
        ("a..b", "(Name or service not known|this is not an address)"),
        ("192.0.2.1", "Cannot assign requested address"),
    ],
)
def test_an_address_that_is_none(tmp_path: Path, host: str, reason: str, https: list[str]) -> None:
    options = ["serve", "--host", host, "--port", "0", "--database", str(tmp_path / "a.sqlite3"), *https]
    run = CliRunner().invoke(main, options)
    assert run.exit_code == 1
    expected = (
        rf"Error: cannot listen on {re.escape(host)}, port 0 \({reason}\): choose another --host or --port\n"
    )
    assert re.fullmatch(expected, run.output)


def test_a_database_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (Path("/proc/x/y.sqlite3"), tmp_path / "file" / "y.sqlite3"):
        run = CliRunner().invoke(main, ["serve", "--port", "0", "--database", str(path)])
        assert run.exit_code == 1
        assert re.fullmatch(
            rf"Error: the folder {re.escape(str(path.parent))} cannot be created \([^\[]+\): give another --database\n",
            run.output,
        )


def test_a_file_that_is_not_a_database(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("hello " * 200)
    run = CliRunner().invoke(main, ["serve", "--port", "0", "--database", str(notes)])
    assert run.exit_code == 1
    assert "it is not a database" in run.output
    assert "Traceback" not in run.output


def test_a_certificate_that_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "fanlens-key.pem").mkdir()
    run = CliRunner().invoke(main, ["serve", "--https", "--database", str(tmp_path / "y.sqlite3")])
    assert run.exit_code == 1
    assert "the certificate cannot be kept in" in run.output
    assert "or leave out --https" in run.output
