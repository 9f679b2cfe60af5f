"""Reads photos for a server in a process of its own: one at a time, a few waiting, nothing shared.

One photo is decoded at a time, whoever sent it, and its process may take `PHOTO_BYTES` beyond what the networks take:
this is the budget of decoded bytes of the whole server. A photo that crashes the process, hangs or needs more costs its
sender an answer; the next one gets a new process. A process that has grown is replaced once it is idle.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import weakref
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeVar

from models.manifest import ModelError
from scorer.errors import FanlensError
from vision.errors import PhotoError
from vision.isolation.memory import kilobytes
from vision.isolation.messages import FrameRequest, PhotoRequest, ReadPhoto, Refused, SeenFrame
from vision.isolation.process import READY, WorkerProcess, how_it_ended
from vision.tracking.errors import FrameError

if TYPE_CHECKING:
    from vision.tilesets import TileSet

Answer = TypeVar("Answer", ReadPhoto, SeenFrame)

PHOTO_BYTES: Final = 900 * 2**20
"""Memory for decoding and recognising a photo: the largest one takes half of it, WebP excepted."""
WAITING: Final = 8
"""How many photos may wait; a sender beyond that is asked to come back."""
FRAME_WAITS_S: Final = 0.4
"""How long a frame of a live camera waits for its turn: a later frame is worth more than a late answer."""
WAIT_S: Final = 20.0
"""How long a photo may wait for those before it."""
PATIENCE_S: Final = 30.0
"""The longest that one photo may take."""
START_S: Final = 120.0
"""The longest that a process may take to open the networks."""
IDLE_S: Final = 15.0
"""How long a process has been idle when it is replaced for having grown."""
GROWN_KB: Final = 150_000
"""How much a process may have grown without being replaced."""

# Not `python -m`: that would name the classes of the process after `__main__`, and we could not unpickle them.
_COMMAND: Final = (
    sys.executable,
    "-c",
    "from vision.isolation.reading import main; main()",
    str(PHOTO_BYTES),
)


class BusyError(FanlensError):
    """Too many photos wait already; `code` is `busy`, and `retry_after_s` is when to come back, in seconds."""

    def __init__(self, retry_after_s: int) -> None:
        """Say when to come back."""
        super().__init__("busy", f"too many photos are waiting: send it again in {retry_after_s} s")
        self.retry_after_s = retry_after_s


class PhotoService:
    """Reads photos, one at a time. Safe to share between threads.

    The process starts with the first photo, or with `start`. `close` ends it.
    """

    def __init__(
        self, *, waiting: int = WAITING, patience_s: float = PATIENCE_S, command: Sequence[str] = _COMMAND
    ) -> None:
        """Prepare; no process is started yet."""
        self._most = waiting + 1
        self._patience_s = patience_s
        self._command = command
        self._counting = threading.Lock()
        self._present = 0
        self._usual_s = 0.5
        self._reading = threading.Lock()
        self._held = _Held()
        self._closed = False
        self._timer: threading.Timer | None = None
        # Nobody may forget the process: a service that is thrown away takes it along.
        weakref.finalize(self, self._held.end)

    @property
    def waiting(self) -> int:
        """How many photos are being read or wait for it."""
        return self._present

    @property
    def pid(self) -> int | None:
        """The process that reads, None if there is none."""
        worker = self._held.worker
        return None if worker is None else worker.process.pid

    def start(self) -> None:
        """Start the process, without waiting until it has opened the networks."""
        with self._reading:
            self._worker()

    def close(self) -> None:
        """End the process. Whoever still waits for a photo gets an error."""
        self._closed = True
        with self._counting:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        self._held.end()

    def read(self, data: bytes, tileset: TileSet | None = None, evidence: str = "") -> ReadPhoto:
        """Read a photo. Raises BusyError, PhotoError and ModelError, and FrameError for invalid evidence."""
        with self._counting:
            if self._present >= self._most:
                raise BusyError(max(1, round(self._present * self._usual_s)))
            self._present += 1
        try:
            with self._reading:
                begun = monotonic()
                found = self._ask(PhotoRequest(data, tileset, evidence), ReadPhoto)
                self._usual_s += (monotonic() - begun - self._usual_s) / 8
        finally:
            with self._counting:
                self._present -= 1
        return found

    def look(self, frame: FrameRequest) -> SeenFrame:
        """Read a frame of a live camera, if its turn comes soon. Raises what `read` raises."""
        if not self._reading.acquire(timeout=FRAME_WAITS_S):
            raise BusyError(1)
        try:
            return self._ask(frame, SeenFrame)
        finally:
            self._reading.release()

    def _ask(self, request: PhotoRequest | FrameRequest, kind: type[Answer]) -> Answer:
        """Send a request to the process and return its answer, or raise why there is none."""
        worker = self._worker()
        try:
            if not self._held.ready:
                self._begin(worker)
            worker.connection.send(request)
            if not worker.connection.poll(self._patience_s):
                self._held.end()
                raise PhotoError(
                    "too_slow", f"reading the photo took longer than {self._patience_s:g} s: scale it down"
                )
            answer: Answer | Refused = worker.connection.recv()
        except (EOFError, OSError) as error:
            raise self._crashed(worker) from error
        self._look_later()
        if isinstance(answer, kind):
            return answer
        raise _error_of(answer)

    def _worker(self) -> WorkerProcess:
        worker = self._held.worker
        if worker is not None and worker.ended():
            self._held.end()
            worker = None
        if worker is None:
            if self._closed:
                raise BusyError(1)
            worker = self._held.worker = WorkerProcess(self._command)
        return worker

    def _begin(self, worker: WorkerProcess) -> None:
        """Wait until the networks are open. Raises ModelError, EOFError and OSError."""
        if not worker.connection.poll(START_S):
            self._held.end()
            raise ModelError("the networks could not be opened in time: the computer is overloaded")
        first: object = worker.connection.recv()
        if isinstance(first, Refused):
            self._held.end()
            raise ModelError(first.message)
        self._held.ready = first == READY
        self._held.fresh_kb = kilobytes("VmRSS", worker.process.pid)

    def _crashed(self, worker: WorkerProcess) -> FanlensError:
        started = self._held.ready
        if self._closed:
            return BusyError(1)
        how = how_it_ended(worker.wait(), worker.last_words())
        self._held.end()
        if not started:
            return ModelError(f"the process that reads photos does not start ({how})")
        return PhotoError(
            "crashed", f"the process that read the photo crashed ({how}): the file may be malicious"
        )

    def _look_later(self) -> None:
        """Look at the process once no photo has come for a while."""
        with self._counting:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(IDLE_S, self._replace_if_grown)
            self._timer.daemon = True
            self._timer.start()

    def _replace_if_grown(self) -> None:
        """Give the memory of a large photo back: end the process if it has grown, and start another."""
        with self._reading:
            worker = self._held.worker
            if worker is None or self._closed:
                return
            if kilobytes("VmRSS", worker.process.pid) - self._held.fresh_kb > GROWN_KB:
                self._held.end()
                with contextlib.suppress(BusyError):  # the service was closed in this moment
                    self._worker()


class _Held:
    """The process that a service holds, apart from it, so that a finalizer can end it.

    ready: whether it has opened the networks. fresh_kb: its memory then.
    """

    def __init__(self) -> None:
        self.worker: WorkerProcess | None = None
        self.ready = False
        self.fresh_kb = 0

    def end(self) -> None:
        worker, self.worker, self.ready = self.worker, None, False
        if worker is not None:
            worker.close()


def _error_of(refused: object) -> FanlensError:
    if not isinstance(refused, Refused):
        raise TypeError(f"the process that reads photos answered with {type(refused).__name__}")
    match refused.kind:
        case "photo":
            return PhotoError(refused.code, refused.message)
        case "frame":
            return FrameError(refused.code)
        case "models":
            return ModelError(refused.message)
        case _:
            raise RuntimeError(f"a photo could not be read: {refused.message}")
