"""The web server: waitress, behind a TLS relay for HTTPS."""

import logging
import socket
import threading
from http import HTTPStatus
from typing import Self

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.parser import HTTPRequestParser, ParsingError  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]
from waitress.task import ErrorTask  # type: ignore[import-untyped]
from werkzeug.exceptions import InternalServerError, default_exceptions

from webapp.api.bodies import photo_too_large
from webapp.certificate import Certificate
from webapp.errors import answer_for, http_answer_for
from webapp.tls_relay import TlsRelay

THREADS = 8

# A browser requests a dozen files at once, so it is normal that some wait a moment in the queue.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """Waitress's parser, which would drop the connection without an answer for a target such as `http://[bad`."""

    def parse_header(self, header_plus: bytes) -> None:
        """Parses the request line and the headers."""
        try:
            super().parse_header(header_plus)
        except ValueError as error:
            raise ParsingError(f"the request cannot be read: {error}") from error


class _Refused(ErrorTask):  # type: ignore[misc]
    """Answers a request that waitress refuses itself (a body over the cap, a malformed request) as `app` would."""

    app: Flask

    def execute(self) -> None:
        """Writes the answer."""
        code, in_api = self.request.error.code, getattr(self.request, "path", "").startswith("/api/")
        headers = self.request.headers.items()
        language = {f"HTTP_{name}": value for name, value in headers if name in {"ACCEPT_LANGUAGE", "COOKIE"}}
        with self.app.test_request_context("/api/-" if in_api else "/-", environ_overrides=language):
            if in_api and code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
                # It must be a photo: JSON is refused at a thousandth of this size.
                answer = self.app.make_response(answer_for(photo_too_large()))
            else:
                error = default_exceptions.get(code, InternalServerError)()
                answer = self.app.make_response(http_answer_for(error))
            answer = self.app.process_response(answer)
        body = answer.get_data()
        self.status = answer.status
        self.response_headers.extend(answer.headers.items())
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


def _channel_for(app: Flask) -> type[HTTPChannel]:
    task = type("_Refused", (_Refused,), {"app": app})
    return type("_Channel", (HTTPChannel,), {"parser_class": _Parser, "error_task_class": task})


class Serving:
    """A server for `app` on `host` and `port` (0: any free port): HTTP, or HTTPS with a certificate.

    Inside this context manager the server answers from background threads; leaving it stops them and closes the
    sockets. Raises OSError when the address is not available and UnicodeError when it is malformed.
    """

    def __init__(self, app: Flask, host: str, port: int, certificate: Certificate | None = None) -> None:
        """Bind the address; nothing is answered yet."""
        inner = ("127.0.0.1", 0) if certificate else (host, port)
        family = socket.AF_INET6 if ":" in inner[0] else socket.AF_INET
        # Bound here because waitress leaks its sockets when the address is taken.
        listening = socket.create_server(inner, family=family)
        self._channels: dict[int, object] = {}
        self._server = create_server(
            app,
            map=self._channels,
            sockets=[listening],
            threads=THREADS,
            url_scheme="https" if certificate else "http",
            max_request_body_size=app.config["MAX_CONTENT_LENGTH"] + 1,
            inbuf_overflow=app.config["MAX_CONTENT_LENGTH"] + 1,  # keeps uploads in memory, off the disk
            ident="fanlens",
        )
        self._server.channel_class = _channel_for(app)
        self._port: int = listening.getsockname()[1]
        self._relay = TlsRelay(host, port, self._port, certificate.context()) if certificate else None
        self._thread = threading.Thread(target=self._server.run, name="waitress")

    @property
    def port(self) -> int:
        """The port browsers connect to."""
        return self._relay.port if self._relay else self._port

    def __enter__(self) -> Self:
        """Starts the server."""
        try:
            if self._relay:
                self._relay.start()
        except (OSError, UnicodeError):
            self._server.close()
            self._server.task_dispatcher.shutdown()
            raise
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stops the server and closes open connections."""
        if self._relay:
            self._relay.stop()
        # The workers stop first: they wake the loop when an answer is ready, so it must still be there.
        self._server.task_dispatcher.shutdown()
        # The loop closes its sockets itself, so that it never polls a socket that was just closed.
        self._server.trigger.pull_trigger(lambda: wasyncore.close_all(self._channels, ignore_all=True))
        self._thread.join()

    def wait(self) -> None:
        """Blocks until the server ends or is interrupted."""
        while self._thread.is_alive():
            self._thread.join(0.5)
