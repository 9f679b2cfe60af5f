"""F2, F5: hostile pictures and too many honest ones at once: `python -m tests.attack.photos`."""

from __future__ import annotations

import io
import struct
import threading
import time
from collections import Counter
from itertools import cycle, islice

from PIL import Image

from tests.attack.harness import SAMPLE, Target, at_once, serving, upload, watching

MOST_MB = 1500


def encoded(image: Image.Image, form: str, **how: object) -> bytes:
    """The picture as a file."""
    file = io.BytesIO()
    image.save(file, form, **how)
    return file.getvalue()


def empty_webp(width: int, height: int) -> bytes:
    """A WebP of 34 bytes that announces a large picture and holds nothing."""
    bits = (width - 1) | (height - 1) << 14
    data = b"\x2f" + struct.pack("<I", bits) + b"\x88\x88\x08"
    chunk = b"VP8L" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk


def hostile() -> list[bytes]:
    """Small files that become large pictures."""
    rgba = encoded(Image.new("RGBA", (8192, 8192)), "PNG")
    return [
        rgba,
        rgba[: len(rgba) // 2],
        empty_webp(16383, 4000),
        encoded(Image.new("RGB", (8100, 8100)), "WEBP", quality=1, method=0),
        encoded(Image.new("RGB", (8192, 8192)), "JPEG", progressive=True),
        encoded(Image.new("CMYK", (8192, 8192)), "JPEG"),
        encoded(Image.new("I;16", (8192, 8192)), "PNG"),
        encoded(Image.new("P", (8192, 8192)), "PNG", transparency=0),
        encoded(Image.new("RGBA", (20000, 20000)), "PNG"),
        b"\xff\xd8\xff" + bytes(1_000_000),
    ]


def attack(target: Target, files: list[bytes], name: str) -> int:
    """Send all at once, each from an address of its own, and print what happened; the peak of memory."""
    answers: Counter[int] = Counter()
    before = target.memory_mb()

    def send(number: int, data: bytes) -> None:
        answers[upload(target.port, data, f"127.0.{1 + number // 200}.{1 + number % 200}")] += 1

    begun = time.monotonic()
    with watching(target) as watch:
        at_once([threading.Thread(target=send, args=each) for each in enumerate(files)])
    print(
        f"{name}: answers {dict(sorted(answers.items()))} in {time.monotonic() - begun:.0f} s; {watch.line()}"
    )
    assert not answers.keys() - {201, 422, 503}, answers
    assert not watch.failed
    deadline = time.monotonic() + 60
    while target.memory_mb() > before + 200 and time.monotonic() < deadline:
        time.sleep(1)
    after = target.memory_mb()
    print(
        f"  memory before {before} MB, a while after {after} MB ({time.monotonic() - begun:.0f} s after the start)"
    )
    assert after <= before + 200
    return watch.peak_mb


def crowd(target: Target, seconds: float = 20, uploaders: int = 48) -> None:
    """Honest uploaders of 12 megapixels that never stop."""
    with Image.open(SAMPLE) as sample:
        photo = encoded(sample.resize((4032, 3024)), "JPEG", quality=92)
    answers: Counter[int] = Counter()
    end = time.monotonic() + seconds

    def send(number: int) -> None:
        while time.monotonic() < end:
            status = upload(target.port, photo, f"127.0.3.{1 + number}")
            answers[status] += 1
            if status == 503:
                time.sleep(2)  # as Retry-After asks

    with watching(target) as watch:
        at_once([threading.Thread(target=send, args=(number,)) for number in range(uploaders)])
    print(
        f"{uploaders} uploaders of {len(photo) / 1e6:.1f} MB: answers {dict(sorted(answers.items()))}; {watch.line()}"
    )
    assert answers[201]
    assert not answers.keys() - {201, 503}, answers
    assert not watch.failed


def main() -> None:
    """Attack one server in every way."""
    files = hostile()
    with serving() as target:
        assert upload(target.port, SAMPLE.read_bytes()) == 201
        peak = attack(target, [files[0]] * 8, "8 PNG of 8192×8192 RGBA at once")
        peak = max(peak, attack(target, [files[2]] * 8, "8 WebP of 34 bytes at once"))
        peak = max(peak, attack(target, list(islice(cycle(files), 100)), "100 hostile files at once"))
        crowd(target)
        print(f"peak of the whole service: {peak} MB")
        assert peak < MOST_MB
        assert upload(target.port, SAMPLE.read_bytes()) == 201


if __name__ == "__main__":
    main()
