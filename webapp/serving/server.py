"""A server for the application: it runs in a thread of its own until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import resource
import socket
import threading
from collections.abc import Collection
from dataclasses import replace
from typing import Final, Self

from flask import Flask
from uvicorn.server import ServerState

from scorer.errors import FanlensError
from webapp.certificate import Certificate
from webapp.serving.connections import Connection, Connections, configuration
from webapp.serving.gateway import Gateway
from webapp.serving.limits import LIMITS, Limits

BACKLOG: Final = 1024
MOST_FILES: Final = 8192
"""How many open files the server asks for, if the system lets it."""

FILES_OF_OUR_OWN: Final = 128

# Malformed requests are answered, and nobody needs to read about them.
logging.getLogger("uvicorn.error").setLevel(logging.ERROR)


class ServingError(FanlensError):
    """The server cannot go on; `code` is `server_failed`."""


class Serving:
    """A server for `app` on `host` and `port` (0: any free port): HTTP, or HTTPS with a certificate.

    Inside this context manager the server answers from background threads; leaving it stops them and closes the
    sockets. Raises OSError when the address is not available and UnicodeError when it is malformed.
    """

    def __init__(
        self,
        app: Flask,
        host: str,
        port: int,
        certificate: Certificate | None = None,
        *,
        proxies: Collection[str] = (),
        limits: Limits = LIMITS,
    ) -> None:
        """Bind the address; nothing is answered yet."""
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.create_server((host, port), family=family, backlog=BACKLOG)
        limits = replace(limits, connections=min(limits.connections, _open_files() - FILES_OF_OUR_OWN))
        self._limits = limits
        self._tls = certificate.context() if certificate else None
        self._gateway = Gateway(app, limits, app.config["MAX_CONTENT_LENGTH"], proxies)
        self._connections = Connections(limits, proxies)
        self._thread = threading.Thread(target=self._run, name="server")
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._stopping = False
        self._failure: BaseException | None = None

    @property
    def port(self) -> int:
        """The port browsers connect to."""
        port: int = self._socket.getsockname()[1]
        return port

    def __enter__(self) -> Self:
        """Start the server."""
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the server and close open connections."""
        self._stopping = True
        if self._loop is not None and self._stop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended by itself
                self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._gateway.close()
        self._socket.close()

    def wait(self) -> None:
        """Block until the server is stopped or interrupted. Raises ServingError if it ended by itself."""
        while self._thread.is_alive():
            self._thread.join(0.5)
        if not self._stopping:
            raise ServingError(
                "server_failed", f"the server has stopped: {self._failure or 'nobody asked it to'}"
            )

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001 whoever waits is told, whatever it was
            self._failure = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        config, state = configuration(self._gateway, self._limits), ServerState()
        server = await self._loop.create_server(
            lambda: Connection(config, state, self._connections),
            sock=self._socket,
            ssl=self._tls,
            backlog=BACKLOG,
            ssl_handshake_timeout=self._limits.handshake_s if self._tls else None,
            ssl_shutdown_timeout=self._limits.handshake_s if self._tls else None,
        )
        watch = asyncio.create_task(self._connections.watch())
        asked = asyncio.create_task(self._stop.wait())
        self._ready.set()
        try:
            done, _ = await asyncio.wait({watch, asked}, return_when=asyncio.FIRST_COMPLETED)
            if watch in done:  # without it nobody would close what waits for ever
                watch.result()
        finally:
            server.close()
            self._connections.abort_all()
            for task in (watch, asked, *state.tasks):
                task.cancel()


def _open_files() -> int:
    """Let this process open as many files as it may, because every connection is one; return how many that are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return most
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most
