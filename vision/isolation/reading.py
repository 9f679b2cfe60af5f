"""The process of a photo service: it decodes and recognises one photo after the other under a limit of memory."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import traceback
from multiprocessing.connection import Connection
from time import perf_counter

from PIL import Image

from models.manifest import ModelError
from vision.errors import PhotoError
from vision.isolation.memory import is_out_of_memory, kill_me_first, limit_further_memory
from vision.isolation.messages import PhotoRequest, ReadPhoto, Refused
from vision.isolation.process import READY
from vision.networks.sessions import open_session
from vision.photo import Photo, load_photo
from vision.recognition import recognise

MAX_SIDE_PX = 2400
NICENESS = 5
"""Photos yield the processor to the other requests, which take a thousandth of their time."""


def read(request: PhotoRequest) -> ReadPhoto | Refused:
    """Read a photo; what is wrong with it comes back as a reason."""
    try:
        begun = perf_counter()
        photo = load_photo(request.data)
        load_ms = (perf_counter() - begun) * 1000
        # Raises PhotoError too: a large photo is decoded whole only once its tiles turn out to be small.
        recognition = recognise(photo, tileset=request.tileset, load_ms=load_ms).to_json()
        return ReadPhoto(recognition, display_jpeg(photo) if recognition["tiles"] else b"")
    except PhotoError as error:
        return Refused("photo", error.code, error.message)
    except ModelError as error:
        return Refused("models", error.code, error.message)
    except Exception as error:  # noqa: BLE001 the server logs it, and this process can go on
        if is_out_of_memory(error):
            message = "there is too little memory here for this photo: scale it down"
            return Refused("photo", "out_of_memory", message)
        at = traceback.extract_tb(error.__traceback__)[-1]
        return Refused("bug", "internal_error", f"{type(error).__name__} at {at.name}, line {at.lineno}")


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
            request: PhotoRequest = connection.recv()
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
