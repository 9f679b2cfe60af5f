"""The open connections: each has deadlines, and when there are too many, the one that waits for its client goes."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from webapp.network import network_of
from webapp.serving.limits import Limits

_LOOK_S: Final = 1.0


class Connection(H11Protocol):
    """A connection as uvicorn handles it, known to `Connections`.

    since: when it opened or its last answer was complete. unread: how many bytes of an answer wait for the client, and
    since when it is that many.
    """

    def __init__(self, config: Config, state: ServerState, known: Connections) -> None:
        """Prepare a connection that `known` shall watch."""
        super().__init__(config, state, {})
        self._known = known
        self.since = self.loop.time()
        self.unread: tuple[int, float] = (0, self.since)

    @property
    def address(self) -> str:
        """The network that the client belongs to."""
        return network_of(self.client[0]) if self.client else ""

    @property
    def waits_for_head(self) -> bool:
        """Whether the client has not sent the whole head of a request yet, or the rest of one that is answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Join the open connections."""
        super().connection_made(transport)
        self.since = self.loop.time()
        self._known.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave them."""
        self._known.remove(self)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self.since = self.loop.time()
        super().on_response_complete()

    def abort(self) -> None:
        """Close it at once."""
        self.transport.abort()


class Connections:
    """All open connections. `unlimited` are addresses that may have any number, such as a reverse proxy's."""

    def __init__(self, limits: Limits, unlimited: Collection[str] = ()) -> None:
        """Start with none."""
        self._limits = limits
        self._unlimited = frozenset(map(network_of, unlimited))
        self._all: set[Connection] = set()
        self._by_address: defaultdict[str, set[Connection]] = defaultdict(set)

    def __len__(self) -> int:
        """The number of open connections."""
        return len(self._all)

    def add(self, connection: Connection) -> None:
        """Add one; another one is closed if there are too many of its address, or of all."""
        self._all.add(connection)
        beside = self._by_address[connection.address]
        beside.add(connection)
        limits = self._limits
        if len(beside) > limits.connections_per_address and connection.address not in self._unlimited:
            self._close_the_longest_waiting(beside)
        elif len(self._all) > limits.connections:
            self._close_the_longest_waiting(self._all)

    def remove(self, connection: Connection) -> None:
        """Forget one that is closed."""
        self._all.discard(connection)
        beside = self._by_address[connection.address]
        beside.discard(connection)
        if not beside:
            del self._by_address[connection.address]

    def _close_the_longest_waiting(self, among: Iterable[Connection]) -> None:
        waiting = [each for each in among if each.waits_for_head and not each.transport.is_closing()]
        if waiting:
            min(waiting, key=lambda each: each.since).abort()

    async def watch(self) -> None:
        """Close connections whose client lets them wait, until this is cancelled."""
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(_LOOK_S)
            now = clock()
            for connection in tuple(self._all):
                if self._is_overdue(connection, now):
                    connection.abort()

    def _is_overdue(self, connection: Connection, now: float) -> bool:
        if connection.waits_for_head and now - connection.since > self._limits.head_s:
            return True
        size = connection.transport.get_write_buffer_size()
        if size != connection.unread[0]:
            connection.unread = (size, now)
        return size > 0 and now - connection.unread[1] > self._limits.stall_s

    def abort_all(self) -> None:
        """Close all of them at once."""
        for connection in tuple(self._all):
            connection.abort()


def configuration(gateway: Any, limits: Limits) -> Config:
    """How uvicorn is set up for the application `gateway`."""
    config = Config(
        gateway,
        interface="asgi3",
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=int(limits.head_s),
    )
    config.load()
    return config
