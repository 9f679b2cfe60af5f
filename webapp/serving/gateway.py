"""From uvicorn to the application: a request reaches a thread only once its body is here.

Requests go through lanes with threads of their own, so that photos never keep the others waiting, and neither does a
ledger that is locked.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from email.utils import formatdate
from io import BytesIO
from typing import Any, Final
from urllib.parse import unquote_to_bytes, urlsplit

from webapp.network import network_of
from webapp.serving.limits import Limits
from webapp.serving.uploads import GoneError, Receive, RefusedError, Uploads, pass_over, read_body

REFUSAL: Final = "fanlens.refusal"
"""The key in the WSGI environment that says why the server did not take the body: see `webapp.serving.refusals`."""

PHOTOS: Final = "/api/v1/recognise"
_WATCH: Final = ("/healthz", "/metrics")
_LEDGER: Final = ("/api/v1/hands", "/api/v1/matches", "/hands", "/match")

Environ = dict[str, Any]
Answer = tuple[int, list[tuple[str, str]], bytes]
Send = Callable[[Any], Awaitable[None]]


class Lane:
    """Some threads, and a bounded queue for them."""

    def __init__(self, name: str, threads: int, queue: int) -> None:
        """Start without a thread; they come with the requests."""
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._most = threads + queue
        self._present = 0

    async def run(self, work: Callable[[Environ], Answer], environ: Environ) -> Answer:
        """Have a thread answer. Raises RefusedError `busy` if too many wait already."""
        if self._present >= self._most:
            raise RefusedError("busy")
        self._present += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work, environ)
        finally:
            self._present -= 1

    def close(self) -> None:
        """Let the threads finish what they do, and drop what waits."""
        self._pool.shutdown(wait=True, cancel_futures=True)


class Gateway:
    """The ASGI application in front of the WSGI application `app`.

    most_bytes: the longest form with a photo. proxies: addresses of reverse proxies whose `X-Forwarded-` headers count.
    """

    def __init__(self, app: Any, limits: Limits, most_bytes: int, proxies: Collection[str] = ()) -> None:
        """Prepare the lanes."""
        self._app, self._limits, self._most, self._proxies = app, limits, most_bytes, frozenset(proxies)
        self._uploads = Uploads(limits)
        self._lanes = {
            "photos": Lane("photos", limits.photo_threads, limits.uploads),
            "ledger": Lane("ledger", limits.ledger_threads, limits.queue),
            "watch": Lane("watch", limits.watch_threads, limits.queue),
            "other": Lane("other", limits.threads, limits.queue),
        }

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer one request."""
        environ = environ_of(scope, self._proxies)
        try:
            try:
                answer = await self._answer(environ, receive)
            except RefusedError as refused:
                environ |= {REFUSAL: refused.code, "wsgi.input": BytesIO(), "CONTENT_LENGTH": "0"}
                try:
                    answer = await self._lanes["other"].run(self._call, environ)
                except RefusedError:
                    answer = (503, [("Retry-After", "2"), ("Content-Type", "text/plain")], b"busy\n")
        except GoneError:
            return
        status, headers, body = answer
        named = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        named.append((b"date", formatdate(usegmt=True).encode("ascii")))
        if (
            not any(name == b"content-length" for name, _ in named)
            and status >= 200
            and status not in (204, 304)
        ):
            named.append((b"content-length", str(len(body)).encode("ascii")))
        await send({"type": "http.response.start", "status": status, "headers": named})
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, environ: Environ, receive: Receive) -> Answer:
        path, most = environ["PATH_INFO"], self._most
        photo = path == PHOTOS and environ["REQUEST_METHOD"] == "POST"
        lane = self._lanes["photos" if photo else lane_of(path)]
        announced = environ.get("CONTENT_LENGTH")
        length = int(announced) if announced else most if "HTTP_TRANSFER_ENCODING" in environ else 0
        if length > most:
            raise RefusedError("too_large")
        if not photo and length <= self._limits.small_bytes:
            environ["wsgi.input"] = await read_body(receive, self._limits.small_bytes, self._limits)
            return await lane.run(self._call, environ)
        with ExitStack() as held:
            try:
                upload = held.enter_context(self._uploads.place(network_of(environ["REMOTE_ADDR"]), length))
            except RefusedError:
                await pass_over(receive, self._limits)
                raise
            environ["wsgi.input"] = await read_body(receive, most, self._limits, upload)
            environ["CONTENT_LENGTH"] = str(upload.received)
            return await lane.run(self._call, environ)

    def _call(self, environ: Environ) -> Answer:
        """Call the application, in a thread."""
        started: list[tuple[int, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            del exc_info  # nothing is sent before the application has finished
            started[:] = [(int(status.split(" ", 1)[0]), headers)]
            return _no_write

        parts: Iterable[bytes] = self._app(environ, start_response)
        try:
            body = b"".join(parts)
        finally:
            if hasattr(parts, "close"):
                parts.close()
        return (*started[0], body)

    def close(self) -> None:
        """End the threads."""
        for lane in self._lanes.values():
            lane.close()


def _no_write(_data: bytes) -> None:
    raise NotImplementedError("applications return their answers")


def lane_of(path: str) -> str:
    """The lane of a request that brings no photo."""
    if path in _WATCH:
        return "watch"
    return "ledger" if path.startswith(_LEDGER) else "other"


def environ_of(scope: Any, proxies: Collection[str]) -> Environ:
    """The WSGI environment of a request, without its body."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        if "_" not in name:  # it would pass for the header with a hyphen
            headers[name] = f"{headers[name]},{value}" if name in headers else value
    target = scope["raw_path"].decode("latin-1")
    if target.startswith(("http://", "https://")):
        try:
            target = urlsplit(target).path
        except ValueError:
            target = "/%00"
    client, server = scope["client"] or ("", 0), scope["server"] or ("", 0)
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(target).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    environ |= {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    for name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if (value := environ.pop(f"HTTP_{name}", None)) is not None:
            environ[name] = value
    if client[0] in proxies:
        _trust(environ)
    return environ


def _trust(environ: Environ) -> None:
    """Take address, scheme and host of the client from what a reverse proxy says."""
    forwarded = environ.pop("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()
    environ["REMOTE_ADDR"] = forwarded or environ["REMOTE_ADDR"]
    scheme = environ.pop("HTTP_X_FORWARDED_PROTO", "")
    environ["wsgi.url_scheme"] = scheme if scheme in ("http", "https") else environ["wsgi.url_scheme"]
    environ["HTTP_HOST"] = environ.pop("HTTP_X_FORWARDED_HOST", environ.get("HTTP_HOST", ""))
