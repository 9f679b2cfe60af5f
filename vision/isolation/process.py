"""A worker process: a Python program that talks through a socket, and that may die without harm to its parent."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from multiprocessing.connection import Connection

READY = "ready"
"""What a worker process sends once it can work."""


class WorkerProcess:
    """A process that was started with the number of a socket as its last argument.

    connection: our end of that socket. It is at its end as soon as the process is. Raises OSError if the system starts
    no further process.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        """Start the process; `environment` is added to ours."""
        with ExitStack() as held:
            ours, theirs = map(held.enter_context, socket.socketpair())
            # A file and not a pipe: nobody reads it while the worker runs, and a full pipe would block the worker.
            self.errors = held.enter_context(tempfile.TemporaryFile())
            self.process = subprocess.Popen(  # noqa: S603 our own module
                [*command, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=self.errors,
                stderr=self.errors,
                env={**os.environ, **(environment or {})},
                start_new_session=True,  # the parent handles Ctrl-C, its processes must not see it
            )
            self.connection = Connection(ours.detach())
            held.pop_all()
        theirs.close()

    def ended(self) -> bool:
        """Whether the process has ended."""
        return self.process.poll() is not None

    def wait(self) -> int:
        """Wait until it has ended, kill it if it does not, and return how: the socket closes a moment before."""
        try:
            return self.process.wait(5.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def last_words(self) -> str:
        """The last line that it printed."""
        self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, self.errors.tell() - 2000))
        lines = self.errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it printed nothing"

    def close(self) -> None:
        """Kill the process at once: its replies have been read, and nobody needs what it is working on."""
        self.process.kill()
        self.connection.close()
        self.process.wait()
        self.errors.close()


def how_it_ended(status: int, last_words: str) -> str:
    """How a process ended, in a few words."""
    return signal.Signals(-status).name if status < 0 else f"exit status {status}: {last_words}"
