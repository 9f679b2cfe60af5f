"""Clients that keep the server waiting: it closes what waits too long, and everybody else is answered."""

import contextlib
import http.client
import json
import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, request

import vision
from tests.webapp.slow_clients import HALF_A_HEAD, closed, half_an_upload, held, status_of
from vision.isolation.messages import ReadPhoto
from webapp.network import network_of
from webapp.serving import Serving, ServingError
from webapp.serving.connections import Connections
from webapp.serving.limits import Limits

SAMPLE = Path(vision.__file__).parent / "samples" / "three-chows.jpg"
PATIENT = Limits(head_s=60, stall_s=60, upload_s=60)
FORM = {"Content-Type": "multipart/form-data; boundary=cut"}


def form(photo: bytes) -> bytes:
    head = b'--cut\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    return head + photo + b"\r\n--cut--\r\n"


@contextmanager
def serving(app: Flask, limits: Limits, **more: Any) -> Iterator[int]:
    with Serving(app, "127.0.0.1", 0, limits=limits, **more) as server:
        yield server.port


def uploaded(port: int, body: bytes, source: str = "127.0.0.1") -> tuple[int, str | None]:
    """Status and `Retry-After` of the answer to an upload."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(source, 0))
    client.request("POST", "/api/v1/recognise", body, FORM)
    answer = client.getresponse()
    answer.read()
    client.close()
    return answer.status, answer.getheader("Retry-After")


@pytest.mark.parametrize(
    ("first", "limits"),
    [
        (b"", Limits(head_s=1)),
        (HALF_A_HEAD, Limits(head_s=1)),
        (half_an_upload(10_000, 100), Limits(stall_s=1, head_s=1)),
        (half_an_upload(10_000, 100), Limits(upload_s=1, head_s=1)),
        (half_an_upload(10_000, 100, "/api/v1/score"), Limits(stall_s=1, head_s=1)),
    ],
    ids=["idle", "half a head", "stalled", "too long", "stalled elsewhere"],
)
def test_what_waits_too_long_is_closed(app: Flask, first: bytes, limits: Limits) -> None:
    with serving(app, limits) as port, held(port, 3, first) as connections:
        assert all(closed(connection) for connection in connections)
        assert status_of(port) == 200


def test_a_trickle_of_headers_does_not_extend_the_deadline(app: Flask) -> None:
    with serving(app, Limits(head_s=1)) as port, held(port, 1, HALF_A_HEAD) as (connection,):
        deadline = time.monotonic() + 30
        with contextlib.suppress(ConnectionError):
            while time.monotonic() < deadline:
                connection.sendall(b"x")
                time.sleep(0.05)
        assert time.monotonic() < deadline
        assert status_of(port) == 200


def test_an_answer_that_nobody_reads_is_dropped(app: Flask) -> None:
    with serving(app, Limits(stall_s=1)) as port, socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", port))
        asked = 200
        for _ in range(asked):
            connection.sendall(b"GET /artwork/tiles.svg HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(4)
        connection.settimeout(20)
        got = 0
        with contextlib.suppress(ConnectionError):
            while data := connection.recv(1 << 20):
                got += data.count(b"HTTP/1.1 200")
    assert got < asked


@pytest.mark.parametrize("limits", [Limits(connections_per_address=5), Limits(connections=5)])
def test_the_connection_that_waits_longest_goes_when_there_are_too_many(app: Flask, limits: Limits) -> None:
    with serving(app, limits) as port, held(port, 5) as connections:
        assert status_of(port) == 200
        assert closed(connections[0])
        assert not closed(connections[4], timeout_s=0.5)


def test_a_reverse_proxy_may_have_any_number(app: Flask) -> None:
    limits = Limits(connections_per_address=5)
    with serving(app, limits, proxies=["127.0.0.1"]) as port, held(port, 8) as connections:
        assert status_of(port) == 200
        assert not closed(connections[0], timeout_s=0.5)


def test_a_stalled_upload_gives_its_place_to_another(app: Flask) -> None:
    stalled = half_an_upload(1_000_000, 1000)
    with serving(app, PATIENT) as port, held(port, 12, stalled) as connections:
        time.sleep(1.5)  # from then on it counts as slow
        status, _ = uploaded(port, form(SAMPLE.read_bytes()))
        assert status == 201
        refused = [connection for connection in connections if select.select([connection], [], [], 0)[0]]
        assert refused
        assert b" 503 " in refused[0].recv(100)


@pytest.mark.parametrize(
    ("limits", "third"),
    [
        (Limits(uploads=2), "127.0.0.2"),
        (Limits(uploads_per_address=2), "127.0.0.1"),
        (Limits(body_bytes=1), "127.0.0.2"),
    ],
)
def test_uploads_beyond_the_places_are_asked_to_come_back(
    app: Flask, monkeypatch: pytest.MonkeyPatch, limits: Limits, third: str
) -> None:
    hold, begun = threading.Event(), threading.Semaphore(0)

    def read(*_: object) -> ReadPhoto:
        begun.release()
        hold.wait(60)
        return ReadPhoto({"tiles": [], "timing_ms": {}}, b"")

    monkeypatch.setattr(app.extensions["photo_service"], "read", read)
    found: list[int] = []
    with serving(app, limits) as port:
        threads = [
            threading.Thread(target=lambda: found.append(uploaded(port, form(b"x"))[0])) for _ in range(2)
        ]
        for thread in threads[: 1 if limits.body_bytes == 1 else 2]:
            thread.start()
            assert begun.acquire(timeout=60)
        # It has read all of it, or we would not hear it.
        assert uploaded(port, form(b"x" * 3_000_000), third) == (503, "2")
        assert status_of(port) == status_of(port, "/hand") == 200
        hold.set()
        for thread in threads:
            if thread.ident:
                thread.join()
    assert set(found) == {422}


def test_only_a_trusted_proxy_speaks_for_others(app: Flask) -> None:
    seen: list[tuple[str | None, str, str]] = []

    def look() -> None:
        seen.append((request.remote_addr, request.scheme, request.host))

    app.before_request_funcs.setdefault(None, []).append(look)
    headers = {
        "X-Forwarded-For": "203.0.113.9, 198.51.100.7",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "localhost",
        "X_Forwarded_For": "203.0.113.1",
    }
    try:
        for proxies in ([], ["127.0.0.1"]):
            with serving(app, PATIENT, proxies=proxies) as port:
                client = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
                client.request("GET", "/hand", headers=headers)
                assert client.getresponse().read()
                client.close()
    finally:
        app.before_request_funcs[None].remove(look)
    assert seen == [
        ("127.0.0.1", "http", f"127.0.0.1:{port_of(seen)}"),
        ("198.51.100.7", "https", "localhost"),
    ]


def port_of(seen: list[tuple[str | None, str, str]]) -> str:
    return seen[0][2].rpartition(":")[2]


def test_whoever_waits_learns_that_the_server_has_ended(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(_: Connections) -> None:
        raise OSError("no file is left")

    monkeypatch.setattr(Connections, "watch", fail)
    with Serving(app, "127.0.0.1", 0) as server, pytest.raises(ServingError, match="no file is left"):
        server.wait()


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unix", "unix"),
    ],
)
def test_what_counts_as_one_client(address: str, network: str) -> None:
    assert network_of(address) == network


def test_large_bodies_without_a_photo_need_a_place_too(app: Flask) -> None:
    body = b'["' + b"x" * 2_000_000 + b'"]'
    kind = {"Content-Type": "application/json"}

    def send(port: int) -> tuple[int, str]:
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        client.request("POST", "/api/v1/matches/import", body, kind)
        answer = client.getresponse()
        status, code = answer.status, json.loads(answer.read())["error"]["code"]
        client.close()
        return status, code

    with serving(app, PATIENT) as port:
        assert send(port)[0] == 422  # the application has seen it
    with serving(app, Limits(uploads=0)) as port:
        assert send(port) == (503, "busy")
        assert status_of(port) == 200
