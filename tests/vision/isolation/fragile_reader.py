"""A process of a photo service that reads nothing: what a photo's bytes say happens to it."""

import os
import sys
import time
from multiprocessing.connection import Connection

from vision.isolation.messages import PhotoRequest, ReadPhoto, Refused
from vision.isolation.process import READY


def answer(request: PhotoRequest) -> ReadPhoto | Refused:
    """Die, hang, grow, refuse, or tell the number of this process."""
    match request.data.decode():
        case "crash":
            os.abort()
        case "slow":
            time.sleep(600)
        case "soon":
            time.sleep(0.3)
        case "grow":
            grown.append(bytearray(os.urandom(1) * 200_000_000))
        case "refused":
            return Refused("photo", "damaged", "it is damaged")
        case "bug":
            return Refused("bug", "internal_error", "ZeroDivisionError at read, line 1")
    return ReadPhoto({"pid": os.getpid()}, b"")


grown: list[bytearray] = []

if __name__ == "__main__":
    with Connection(int(sys.argv[-1])) as ours:
        if sys.argv[1] == "no-networks":
            ours.send(Refused("models", "models_missing", "the detector is missing"))
            sys.exit()
        ours.send(READY)
        while True:
            try:
                ours.send(answer(ours.recv()))
            except EOFError:
                break
