"""Measure the live camera's frames on the server: `python -m tests.bench.bench_look [SECONDS]`.

Phones send frames of rendered clips to a server on localhost, as the page does: one after the other, each with the
evidence of those before it, waiting as long as the server says. One phone alone, then four at once. Printed are the
frames that one phone got read in a second, the time that one took in its process and how much of it was computing (on a
busy machine the rest is waiting for a core), and how many frames were too late.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import threading
import time
import urllib.request
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from models.figures.clips import FRAME_SIZE, PER_SECOND, camera_over, rendered_tables
from tests.e2e.browser import running_server
from vision.isolation.messages import FrameRequest, SeenFrame
from vision.isolation.service import PhotoService

SECONDS = 10.0
PHONES = (1, 4)
CLIP_FRAMES = 10


@dataclass
class Told:
    """What one phone was answered: how many frames were read and how many not, and seconds from sending to answer."""

    read: int = 0
    missed: int = 0
    answered_s: list[float] = field(default_factory=list)


def post(address: str, jpeg: bytes, number: int, evidence: str) -> dict[str, object]:
    """Send one frame."""
    fields = {"frame": str(number), "evidence": evidence}
    parts = [f'--cut\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items()]
    head = '--cut\r\nContent-Disposition: form-data; name="photo"; filename="f.jpg"\r\n\r\n'
    body = "".join([*parts, head]).encode() + jpeg + b"\r\n--cut--\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=cut"}
    request = urllib.request.Request(f"{address}/api/v1/look", body, kind)  # noqa: S310 our own server
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
        found: dict[str, object] = json.loads(answer.read())
        return found


def hold(address: str, frames: list[bytes], until: float, told: Told) -> None:
    """Send the frames of a clip again and again, as the page does."""
    evidence = ""
    for number in count(1):
        begun = time.perf_counter()
        if begun > until:
            return
        answer = post(address, frames[number % len(frames)], number, evidence)
        told.answered_s.append(time.perf_counter() - begun)
        match answer["seen"]:
            case {"evidence": str(text)}:
                evidence, told.read = text, told.read + 1
            case _:
                told.missed += 1
        time.sleep(float(str(answer["next_ms"])) / 1000)


def cpu_s(pid: int | None) -> float:
    """Seconds that a process has computed."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Timed(PhotoService):
    """A photo service that notes how long each frame took in its process."""

    def __init__(self) -> None:
        """Start with no times."""
        super().__init__()
        self.spent_ms: list[float] = []

    def look(self, frame: FrameRequest) -> SeenFrame:
        """Read a frame, and note the time."""
        seen = super().look(frame)
        self.spent_ms.append(seen.spent_ms)
        return seen


def main(seconds: float) -> None:
    """Print one line for each number of phones."""
    tables = rendered_tables(max(PHONES))
    clips = [
        list(camera_over(table, place).jpegs(CLIP_FRAMES, PER_SECOND)) for place, table in enumerate(tables)
    ]
    sizes = [len(jpeg) / 1000 for clip in clips for jpeg in clip]
    threads = os.environ.get("FANLENS_THREADS", "all")
    print(
        f"frames of {FRAME_SIZE[0]}×{FRAME_SIZE[1]} pixels, {statistics.median(sizes):.0f} kB; threads: {threads}"
    )
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as (address, app):
        app.extensions["photo_service"].close()
        service = app.extensions["photo_service"] = Timed()
        post(address, clips[0][0], 1, "")  # opens the networks
        for phones in PHONES:
            service.spent_ms.clear()
            computing = cpu_s(service.pid)
            told = [Told() for _ in range(phones)]
            until = time.perf_counter() + seconds
            hands = [
                threading.Thread(target=hold, args=(address, clip, until, one))
                for clip, one in zip(clips, told, strict=False)
            ]
            for thread in hands:
                thread.start()
            for thread in hands:
                thread.join()
            read, missed = sum(one.read for one in told), sum(one.missed for one in told)
            answered = [1000 * each for one in told for each in one.answered_s]
            print(
                f"{phones} phone{'s' * (phones > 1)}: {read / phones / seconds:.1f} frames a second each, "
                f"{statistics.median(service.spent_ms):.0f} ms in the process, "
                f"{1000 * (cpu_s(service.pid) - computing) / max(read, 1):.0f} ms of it computing, answer after "
                f"{statistics.median(answered):.0f} ms, not read {missed} of {read + missed}, process busy "
                f"{sum(service.spent_ms) / 1000 / seconds:.0%}"
            )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
