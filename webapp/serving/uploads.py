"""Bodies of requests on their way: a bounded number, in bounded memory, each with a deadline."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from webapp.serving.limits import Limits

Receive = Callable[[], Awaitable[Any]]


class RefusedError(Exception):
    """A body is not taken; `code` says why: `busy`, `too_large`, `too_slow`."""

    def __init__(self, code: str) -> None:
        """Keep the code."""
        super().__init__(code)
        self.code = code


class GoneError(Exception):
    """The client has closed the connection."""


@dataclass(eq=False)
class Upload:
    """One body. `length` is what it may become, `client` the network it comes from."""

    client: str
    length: int
    begun: float
    deadline: asyncio.Timeout | None = None
    received: int = 0
    arrived: bool = False
    given_up: bool = False

    def is_slow(self, now: float, limits: Limits) -> bool:
        """Whether it arrives so slowly that it may have to give its place to another."""
        took = now - self.begun
        arriving = not self.arrived and not self.given_up
        return arriving and took > limits.slow_after_s and self.received < took * limits.slow_bytes_s


class Uploads:
    """The photos that arrive, wait or are read. A slow one gives its place to another."""

    def __init__(self, limits: Limits) -> None:
        """Start with none."""
        self._limits = limits
        self._all: set[Upload] = set()

    @contextmanager
    def place(self, client: str, length: int) -> Iterator[Upload]:
        """A place for a body of that length, held within the block. Raises RefusedError `busy`."""
        upload = Upload(client, length, asyncio.get_running_loop().time())
        while (crowd := self._too_many(upload)) is not None:
            slow = [each for each in crowd if each.is_slow(upload.begun, self._limits)]
            if not slow:
                raise RefusedError("busy")
            self._give_up(min(slow, key=lambda each: each.received / (upload.begun - each.begun)))
        self._all.add(upload)
        try:
            yield upload
        finally:
            self._all.discard(upload)

    def _too_many(self, upload: Upload) -> set[Upload] | None:
        """Those of which one has to go before `upload` has a place; None if there is room."""
        limits = self._limits
        same = {each for each in self._all if each.client == upload.client}
        if len(same) >= limits.uploads_per_address:
            return same
        taken = sum(each.length for each in self._all)
        full = len(self._all) >= limits.uploads or (self._all and taken + upload.length > limits.body_bytes)
        return self._all if full else None

    def _give_up(self, upload: Upload) -> None:
        upload.given_up = True
        self._all.discard(upload)
        if upload.deadline is not None:
            upload.deadline.reschedule(asyncio.get_running_loop().time())


async def read_body(receive: Receive, most: int, limits: Limits, upload: Upload | None = None) -> io.BytesIO:
    """The body of a request. Raises RefusedError (`too_large`, `too_slow`, `busy`) and GoneError."""
    body = io.BytesIO()
    clock = asyncio.get_running_loop().time
    latest = clock() + limits.upload_s
    try:
        async with asyncio.timeout(None) as deadline:
            if upload is not None:
                upload.deadline = deadline
            more = True
            while more:
                deadline.reschedule(min(latest, clock() + limits.stall_s))
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise GoneError
                more = message.get("more_body", False)
                body.write(message.get("body", b""))
                if upload is not None:
                    upload.received = body.tell()
                if body.tell() > most:
                    raise RefusedError("too_large")
    except TimeoutError as error:
        raise RefusedError("busy" if upload is not None and upload.given_up else "too_slow") from error
    if upload is not None:
        upload.arrived = True
    body.seek(0)
    return body


async def pass_over(receive: Receive, limits: Limits) -> None:
    """Take a body without keeping it: a client that is still sending would not see the answer."""
    try:
        async with asyncio.timeout(limits.stall_s):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise GoneError
                if not message.get("more_body", False):
                    return
    except TimeoutError:
        return
