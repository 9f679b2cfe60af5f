"""TLS in front of waitress, which has none: a thread decrypts each connection and relays it."""

import asyncio
import contextlib
import ssl
import threading

CHUNK_BYTES = 1 << 16


class TlsRelay:
    """Listens on `(host, port)` with TLS and relays to the plain server on `127.0.0.1:inner_port`.

    `start` returns once connections are accepted. It raises OSError when the address is not available and
    UnicodeError when it is malformed. `stop` ends every connection.
    """

    def __init__(self, host: str, port: int, inner_port: int, context: ssl.SSLContext) -> None:
        """Store where to listen and where to relay to; `port` 0 takes any free port."""
        self._address = (host, port)
        self._inner_port = inner_port
        self._context = context
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tls-relay", daemon=True)
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        """The port it listens on; after `start` this is the real port even if 0 was given."""
        if self._server is None:
            return self._address[1]
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def start(self) -> None:
        """Starts to listen."""
        self._thread.start()
        try:
            self._server = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        except (OSError, UnicodeError):
            self._end_loop()
            raise

    def stop(self) -> None:
        """Stops listening and ends every connection."""
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._end_loop()

    def _end_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _listen(self) -> asyncio.Server:
        host, port = self._address
        return await asyncio.start_server(self._talk, host, port, ssl=self._context)

    async def _close(self) -> None:
        if self._server is not None:
            self._server.close()
        for talk in list(self._talks):
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.current_task()
        if talk is not None:
            self._talks.add(talk)
            talk.add_done_callback(self._talks.discard)
        # `stop` cancels open connections. asyncio of Python 3.11 logs a cancelled one as an unhandled error.
        with contextlib.suppress(asyncio.CancelledError):
            await self._relay(reader, writer)
        writer.close()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self._inner_port)
        except OSError:
            writer.close()
            return
        # When either side closes, the connection ends: HTTP has no use for half a connection.
        ways = [
            asyncio.ensure_future(self._pass(reader, inner_writer)),
            asyncio.ensure_future(self._pass(inner_reader, writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for end in (writer, inner_writer):
                end.close()
                with contextlib.suppress(OSError, ssl.SSLError):
                    await end.wait_closed()

    @staticmethod
    async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, ssl.SSLError):
            while data := await reader.read(CHUNK_BYTES):
                writer.write(data)
                await writer.drain()
