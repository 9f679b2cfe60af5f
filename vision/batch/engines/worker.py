"""The process that reads photos. It has one ONNX session per network, and opens the next photo while it reads one.

An engine starts it with the number of a socket. Tasks arrive and replies leave through that socket. The process ends
when the other end closes, because the run has ended or was killed.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from multiprocessing.connection import Connection
from pathlib import Path, PurePosixPath
from threading import Timer

import cv2
from PIL import Image

from models.manifest import ModelError
from vision.annotate import annotate
from vision.batch.circumstances import CircumstancesError, Won, from_sidecar, resolve
from vision.batch.engines.engine import Reply, Settings, Task
from vision.batch.listing.listing import read, read_sidecar
from vision.batch.listing.photo_source import PhotoSource, reason_of
from vision.batch.results.result_rows import Row, failed_row, key_for, read_row
from vision.errors import PhotoError
from vision.isolation.memory import is_out_of_memory, kill_me_first
from vision.isolation.process import READY
from vision.networks.sessions import THREADS
from vision.output_files import write_picture
from vision.photo import Photo, load_photo
from vision.recognition import recognise

_IDLE_S = 300.0
_LAST_S = 10.0
_THUMB_PX = 360
_LONGEST_STEM_BYTES = 200  # file names may have 255, and the digest and the ending are added
_OUT_OF_MEMORY = "there was too little memory for the photo: use fewer --processes, or scale it down"


@dataclass(frozen=True)
class Opened:
    """A photo after loading and before reading.

    row: its row, if loading failed. photo: None if nothing is left to do. thumb: its thumbnail, if wanted.
    """

    row: Row | None
    sha256: str | None = None
    won: Won | None = None
    photo: Photo | None = None
    thumb: bytes | None = None


def process(task: Task, settings: Settings) -> Reply:
    """Read one photo. The reply depends only on the arguments and on the files."""
    return _finish(task, _load(task, settings), settings)


def _load(task: Task, settings: Settings) -> Opened:
    """Fetch, hash and decode a photo."""
    source, digest, won = task.source, None, None
    try:
        data = read(source)
        digest = sha256(data).hexdigest()
        won = resolve(settings.given, from_sidecar(read_sidecar(source)), task.table)
        done = task.done == key_for(digest, settings.stamp, won)
        if done and not settings.thumbs and not _picture_missing(source, digest, settings):
            return Opened(None)
        photo = load_photo(data, PurePosixPath(source.image).name)
    except PhotoError as error:
        return Opened(_unread(source, digest, settings, won, error))
    except CircumstancesError as error:
        return Opened(failed_row(source, digest, settings.stamp, won, error.code, error.message))
    thumb = _thumb(photo) if settings.thumbs else None
    if done and not _picture_missing(source, digest, settings):
        return Opened(None, thumb=thumb)
    return Opened(None, digest, won, photo, thumb)


def _unread(
    source: PhotoSource, digest: str | None, settings: Settings, won: Won | None, error: PhotoError
) -> Row:
    """The row of a photo that cannot be fetched or decoded."""
    code, message = error.code, error.message
    if isinstance(error.__cause__, MemoryError):
        code, message = "out_of_memory", _OUT_OF_MEMORY
    return failed_row(source, digest, settings.stamp, won, code, message)


def _finish(task: Task, opened: Opened, settings: Settings) -> Reply:
    """Recognise, score and draw a photo."""
    if opened.photo is None or opened.sha256 is None or opened.won is None:
        return Reply(task.number, opened.row, opened.thumb)
    try:
        recognition = recognise(
            opened.photo,
            opened.won.circumstances,
            profile=settings.stamp.profile,
            tileset=settings.tileset,
        )
    except PhotoError as error:  # a large photo is decoded in full only now
        row = _unread(task.source, opened.sha256, settings, opened.won, error)
        return Reply(task.number, row, opened.thumb)
    row = read_row(task.source, opened.sha256, settings.stamp, opened.won, recognition)
    if settings.annotated is not None:
        try:
            picture = picture_of(settings.annotated, task.source, opened.sha256)
            write_picture(annotate(opened.photo, recognition), picture)
        except (OSError, PhotoError) as error:
            message = f"the annotated picture could not be written ({reason_of(error)})"
            row["problems"].append({"code": "picture_not_written", "message": message})
    return Reply(task.number, row, opened.thumb)


def picture_of(folder: Path, source: PhotoSource, digest: str) -> Path:
    """The path of the annotated picture of a photo. It contains the digest, so no two photos share a path."""
    stem = os.fsencode(PurePosixPath(source.image).stem)[:_LONGEST_STEM_BYTES].decode("utf-8", "ignore")
    return folder / f"{stem}-{digest[:12]}.jpg"


def _picture_missing(source: PhotoSource, digest: str, settings: Settings) -> bool:
    return settings.annotated is not None and not picture_of(settings.annotated, source, digest).exists()


def _thumb(photo: Photo) -> bytes:
    """A small JPEG of the photo."""
    factor = min(1.0, _THUMB_PX / max(photo.width, photo.height))
    size = (max(1, round(photo.width * factor)), max(1, round(photo.height * factor)))
    small = Image.fromarray(cv2.resize(photo.at_least(factor), size, interpolation=cv2.INTER_AREA))
    file = io.BytesIO()
    small.save(file, "JPEG", quality=70)
    return file.getvalue()


def _reply(task: Task, settings: Settings, future: Future[Reply]) -> Reply:
    """The reply to a task. An unexpected error becomes the row of its photo."""
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, ModelError):
        return Reply(task.number, None, fatal=str(error))
    code, text = "internal_error", f"{type(error).__name__}: {error}"
    if is_out_of_memory(error):
        code, text = "out_of_memory", _OUT_OF_MEMORY
    return Reply(task.number, failed_row(task.source, None, settings.stamp, None, code, text))


Work = Callable[[Task, Opened, Settings], Reply]


def serve(connection: Connection, finish: Work = _finish) -> None:
    """Take tasks until the other end closes. The pool sees to it that at most two are under way.

    A process without work for minutes ends too, because it may serve a cluster whose run was killed. When the other
    end closes, the current photo has a few seconds to finish, so that a photo that hangs cannot keep the process.
    """
    cv2.setNumThreads(1)
    connection.send(READY)
    settings: Settings = connection.recv()
    _change_folder(settings.folder)

    def answer(task: Task, future: Future[Reply]) -> None:
        try:
            connection.send(_reply(task, settings, future))
        except OSError:  # the run has ended and does not wait for this photo
            return

    def finish_loaded(task: Task, loaded: Future[Opened]) -> Reply:
        return finish(task, loaded.result(), settings)

    with ThreadPoolExecutor(1) as loader, ThreadPoolExecutor(1) as reader:
        while True:
            try:
                if not connection.poll(_IDLE_S):
                    return
                task: Task = connection.recv()
            except (EOFError, OSError):
                end = Timer(_LAST_S, os._exit, (1,))
                end.daemon = True
                end.start()
                return
            loaded = loader.submit(_load, task, settings)
            reader.submit(finish_loaded, task, loaded).add_done_callback(partial(answer, task))


def _change_folder(folder: Path | None) -> None:
    """Let relative paths start at that folder. If it does not exist on this machine, they lead nowhere."""
    if folder is not None:
        os.chdir(folder if folder.is_dir() else "/")


def main() -> None:
    """Serve on the socket whose number is the only argument."""
    kill_me_first()
    os.environ[THREADS] = "1"  # one process per core
    with Connection(int(sys.argv[1])) as connection:
        serve(connection)
