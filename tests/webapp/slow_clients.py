"""Clients that keep a server waiting, and an honest one beside them; shared by tests and `tests/attack`."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
from collections.abc import Iterator

HALF_A_HEAD = b"POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


def half_an_upload(length: int, sent: int, path: str = "/api/v1/recognise") -> bytes:
    """The beginning of an upload of `length` bytes: its head and `sent` bytes."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=cut\r\n"
    return f"{head}Content-Length: {length}\r\n\r\n".encode() + bytes(sent)


@contextlib.contextmanager
def held(
    port: int,
    number: int,
    first: bytes = b"",
    *,
    source: str = "127.0.0.1",
    tls: ssl.SSLContext | None = None,
) -> Iterator[list[socket.socket]]:
    """That many open connections that send their first bytes, as far as the server takes them, and no more."""
    connections: list[socket.socket] = []
    try:
        for _ in range(number):
            connection = socket.create_connection(("127.0.0.1", port), 10, source_address=(source, 0))
            if tls is not None:
                connection = tls.wrap_socket(connection, server_hostname="localhost")
            connection.settimeout(1)
            connections.append(connection)
            with contextlib.suppress(OSError):  # the server may have closed it already
                connection.sendall(first)
        yield connections
    finally:
        for connection in connections:
            connection.close()


def status_of(
    port: int, path: str = "/healthz", tls: ssl.SSLContext | None = None, timeout_s: float = 20
) -> int:
    """The status that an honest client gets on a new connection."""
    client = (
        http.client.HTTPSConnection("localhost", port, timeout=timeout_s, context=tls)
        if tls
        else http.client.HTTPConnection("127.0.0.1", port, timeout=timeout_s)
    )
    with contextlib.closing(client):
        client.request("GET", path)
        answer = client.getresponse()
        answer.read()
        return answer.status


def closed(connection: socket.socket, timeout_s: float = 20) -> bool:
    """Whether the server closes this connection, whatever it says before."""
    connection.settimeout(timeout_s)
    try:
        while connection.recv(65536):
            continue
    except TimeoutError:
        return False
    except OSError:
        return True
    return True
