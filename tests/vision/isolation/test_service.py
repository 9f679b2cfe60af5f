"""The photo service: what a photo does to its process costs that photo an answer and nobody else anything."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import vision
from models.manifest import ModelError
from tests.vision.photos import encoded
from vision.errors import PhotoError
from vision.isolation import service as module
from vision.isolation.memory import kilobytes
from vision.isolation.service import BusyError, PhotoService
from vision.photo import load_photo
from vision.recognition import recognise

SAMPLE = Path(vision.__file__).parent / "samples" / "dragons.jpg"
FRAGILE = (sys.executable, str(Path(__file__).with_name("fragile_reader.py")), "networks")


@pytest.fixture
def fragile() -> Iterator[PhotoService]:
    service = PhotoService(waiting=2, patience_s=1.5, command=FRAGILE)
    yield service
    service.close()


def pid_of(service: PhotoService) -> int:
    pid: int = service.read(b"who").recognition["pid"]
    return pid


def until(condition: Any) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_one_process_reads_all_photos(fragile: PhotoService) -> None:
    first = pid_of(fragile)
    assert pid_of(fragile) == first == fragile.pid != os.getpid()


@pytest.mark.parametrize(("photo", "code"), [(b"crash", "crashed"), (b"slow", "too_slow")])
def test_a_photo_that_ends_its_process_costs_only_its_own_answer(
    fragile: PhotoService, photo: bytes, code: str
) -> None:
    before = pid_of(fragile)
    with pytest.raises(PhotoError) as caught:
        fragile.read(photo)
    assert caught.value.code == code
    assert pid_of(fragile) != before
    assert not Path(f"/proc/{before}").exists()


def test_refusals_travel(fragile: PhotoService) -> None:
    before = pid_of(fragile)
    with pytest.raises(PhotoError, match="it is damaged") as caught:
        fragile.read(b"refused")
    assert caught.value.code == "damaged"
    with pytest.raises(RuntimeError, match="ZeroDivisionError at read"):
        fragile.read(b"bug")
    assert pid_of(fragile) == before


def test_a_few_wait_and_more_are_asked_to_come_back(fragile: PhotoService) -> None:
    pid_of(fragile)
    answers: list[str] = []
    pauses: list[int] = []

    def send() -> None:
        try:
            fragile.read(b"soon")
            answers.append("read")
        except BusyError as error:
            pauses.append(error.retry_after_s)
            answers.append(error.code)

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["busy"] * 5 + ["read"] * 3
    assert min(pauses) >= 1
    assert fragile.waiting == 0


def test_a_process_that_has_grown_is_replaced_once_it_is_idle(
    fragile: PhotoService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IDLE_S", 0.2)
    before = pid_of(fragile)
    time.sleep(0.5)
    monkeypatch.setattr(module, "IDLE_S", 60)
    assert pid_of(fragile) == before
    fragile.read(b"grow")
    assert kilobytes("VmRSS", before) > 190_000
    monkeypatch.setattr(module, "IDLE_S", 0.2)
    assert pid_of(fragile) == before
    until(lambda: not Path(f"/proc/{before}").exists())
    assert pid_of(fragile) != before


def test_missing_networks_are_told() -> None:
    service = PhotoService(command=(*FRAGILE[:2], "no-networks"))
    with pytest.raises(ModelError, match="the detector is missing"):
        service.read(b"who")
    silent = PhotoService(command=(sys.executable, "-c", "raise SystemExit('no library here')"))
    with pytest.raises(ModelError, match="no library here"):
        silent.read(b"who")


def test_closing_ends_the_process_and_whoever_waits(fragile: PhotoService) -> None:
    before = pid_of(fragile)
    caught: list[type[Exception]] = []

    def wait() -> None:
        try:
            fragile.read(b"soon")
        except BusyError as error:
            caught.append(type(error))

    thread = threading.Thread(target=wait)
    thread.start()
    until(lambda: fragile.waiting)
    fragile.close()
    thread.join()
    assert caught == [BusyError]
    assert not Path(f"/proc/{before}").exists()


def test_the_real_process_reads_as_this_one_does_and_survives_what_is_too_large() -> None:
    service = PhotoService(command=(*module._COMMAND[:-1], str(300 * 2**20)))
    try:
        found = service.read(SAMPLE.read_bytes())
        expected = recognise(load_photo(SAMPLE)).to_json()
        assert [tile["face"] for tile in found.recognition["tiles"]] == [
            tile["face"] for tile in expected["tiles"]
        ]
        assert found.recognition["timing_ms"]["load"] > 0
        assert found.jpeg.startswith(b"\xff\xd8")
        pid = service.pid
        with pytest.raises(PhotoError) as caught:
            service.read(encoded(Image.new("RGBA", (8192, 8192)), "PNG"))
        assert caught.value.code == "out_of_memory"
        with pytest.raises(PhotoError) as caught:
            service.read(b"nonsense")
        assert caught.value.code == "not_a_photo"
        assert service.read(SAMPLE.read_bytes()).recognition["hand"] == found.recognition["hand"]
        assert service.pid == pid
    finally:
        service.close()


def test_a_transparent_picture_of_64_megapixels_fits() -> None:
    service = PhotoService()
    try:
        found = service.read(encoded(Image.new("RGBA", (8192, 8192)), "PNG", compress_level=1))
        assert (found.recognition["width"], found.recognition["height"]) == (8192, 8192)
        assert found.recognition["tiles"] == []
    finally:
        service.close()
