"""The process of a photo service: it decodes and recognises one photo after the other under a limit of memory."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import traceback
from dataclasses import asdict
from functools import partial
from multiprocessing.connection import Connection
from time import perf_counter

from PIL import Image

from models.manifest import ModelError
from vision.errors import PhotoError
from vision.isolation.memory import is_out_of_memory, kill_me_first, limit_further_memory
from vision.isolation.messages import FrameRequest, PhotoRequest, ReadPhoto, Refused, SeenFrame
from vision.isolation.process import READY
from vision.networks.sessions import open_session
from vision.photo import Photo, load_photo
from vision.recognition import recognise
from vision.tracking.errors import FrameError
from vision.tracking.frame import load_frame
from vision.tracking.look import look, with_frames
from vision.tracking.travel import from_text, to_text

MAX_SIDE_PX = 2400
NICENESS = 5
"""Photos yield the processor to the other requests, which take a thousandth of their time."""


def read(request: PhotoRequest | FrameRequest) -> ReadPhoto | SeenFrame | Refused:
    """Read a photo or a frame; what is wrong with it comes back as a reason."""
    try:
        return _read_photo(request) if isinstance(request, PhotoRequest) else _read_frame(request)
    except PhotoError as error:
        return Refused("photo", error.code, error.message)
    except FrameError as error:
        return Refused("frame", error.code, error.message)
    except ModelError as error:
        return Refused("models", error.code, error.message)
    except Exception as error:  # noqa: BLE001 the server logs it, and this process can go on
        if is_out_of_memory(error):
            message = "there is too little memory here for this photo: scale it down"
            return Refused("photo", "out_of_memory", message)
        at = traceback.extract_tb(error.__traceback__)[-1]
        return Refused("bug", "internal_error", f"{type(error).__name__} at {at.name}, line {at.lineno}")


def _read_photo(request: PhotoRequest) -> ReadPhoto:
    begun = perf_counter()
    earlier = partial(with_frames, from_text(request.evidence)) if request.evidence else None
    photo = load_photo(request.data)
    load_ms = (perf_counter() - begun) * 1000
    # Raises PhotoError too: a large photo is decoded whole only once its tiles turn out to be small.
    found = recognise(photo, tileset=request.tileset, earlier=earlier, load_ms=load_ms)
    return ReadPhoto(found.to_json(), display_jpeg(photo) if found.tiles else b"")


def _read_frame(request: FrameRequest) -> SeenFrame:
    begun = perf_counter()
    evidence = from_text(request.evidence)
    seen = look(load_frame(request.data), evidence, request.number, tileset=request.tileset)
    return SeenFrame(
        to_text(seen.evidence),
        seen.recognition.to_json(),
        seen.numbers,
        None if seen.advice is None else asdict(seen.advice),
        seen.settled,
        (perf_counter() - begun) * 1000,
    )


def display_jpeg(photo: Photo) -> bytes:
    """The photo as JPEG bytes for the page; its longer side has at most `MAX_SIDE_PX` pixels."""
    image = Image.fromarray(photo.glance)
    image.thumbnail((MAX_SIDE_PX, MAX_SIDE_PX), Image.Resampling.BILINEAR, reducing_gap=2.0)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=85)
    return file.getvalue()


def serve(connection: Connection, further_bytes: int) -> None:
    """Open the networks, then answer requests until the other end closes."""
    try:
        for name in ("detector", "reader"):
            open_session(name)
    except ModelError as error:
        connection.send(Refused("models", error.code, error.message))
        return
    limit_further_memory(further_bytes)
    connection.send(READY)
    while True:
        try:
            request: PhotoRequest | FrameRequest = connection.recv()
            connection.send(read(request))
        except (EOFError, OSError):  # the server has ended
            return
        del request


def main() -> None:
    """Serve on the socket whose number is the last argument; the first is the memory for photos in bytes."""
    kill_me_first()
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    with Connection(int(sys.argv[2])) as connection:
        serve(connection, int(sys.argv[1]))
