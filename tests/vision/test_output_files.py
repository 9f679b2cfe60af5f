"""The one writer of files: whole or not at all, whatever interrupts it."""

import os
import resource
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pytest
from PIL import Image

from vision.output_files import FreeNames, atomic_write, remove_unfinished, write_picture


def write(path: Path, content: bytes, *, durable: bool = False) -> None:
    with atomic_write(path, durable=durable) as file:
        file.write(content)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("durable", [False, True])
def test_the_old_content_is_there_until_the_new_one_is_whole(tmp_path: Path, durable: bool) -> None:
    path = tmp_path / "page.html"
    write(path, b"old", durable=durable)
    with atomic_write(path, durable=durable) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["page.html"]


@pytest.mark.parametrize("error", [OSError("no space"), KeyboardInterrupt()])
def test_an_interrupted_write_changes_nothing(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "page.html"

    def break_off() -> None:
        with atomic_write(path) as file:
            file.write(b"new")
            raise error

    for before in ([], ["page.html"]):
        with pytest.raises(type(error)):
            break_off()
        assert names(tmp_path) == before
        write(path, b"old")
    assert path.read_bytes() == b"old"


def test_a_full_disk_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    write(path, b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(OSError, match="too large"):
            write(path, b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["page.html"]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which steps towards the disk were made, in order."""
    made: list[str] = []

    def fsync(handle: int, real: Any = os.fsync) -> None:
        made.append(f"fsync {'folder' if os.path.isdir(f'/proc/self/fd/{handle}') else 'file'}")
        real(handle)

    def replace(self: Path, target: Path, real: Any = Path.replace) -> Path:
        made.append("replace")
        return Path(real(self, target))

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    return made


def test_a_durable_write_is_on_the_disk_before_it_has_its_name(tmp_path: Path, calls: list[str]) -> None:
    write(tmp_path / "results.jsonl", b"rows", durable=True)
    assert calls == ["fsync file", "replace", "fsync folder"]


def test_a_write_that_promises_nothing_does_not_wait_for_the_disk(tmp_path: Path, calls: list[str]) -> None:
    write(tmp_path / "picture.jpg", b"pixels")
    assert calls == ["replace"]


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_a_file_keeps_its_permissions_and_a_new_one_has_the_usual(tmp_path: Path, umask: None) -> None:
    path = tmp_path / "results.jsonl"
    write(path, b"old")
    assert path.stat().st_mode & 0o777 == 0o644
    path.chmod(0o640)
    write(path, b"new")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_is_replaced_and_its_target_is_left_alone(tmp_path: Path, umask: None) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write(link, b"new")
    assert (target.read_bytes(), link.read_bytes(), link.is_symlink()) == (b"old", b"new", False)
    assert link.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("letter", ["a", "万", "\udcff"])
def test_the_longest_name_a_file_may_have_can_be_written(tmp_path: Path, letter: str) -> None:
    path = tmp_path / (letter * (255 // len(os.fsencode(letter))))
    write(path, b"content")
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "absent" / "page.html", b"new")
    assert names(tmp_path) == []


def test_threads_that_write_one_file_at_once_do_not_mix(tmp_path: Path) -> None:
    path, together = tmp_path / "page.html", Barrier(4)

    def work(letter: bytes) -> None:
        with atomic_write(path) as file:
            together.wait()
            for _ in range(100):
                file.write(letter * 100)

    threads = [Thread(target=work, args=(letter,)) for letter in (b"a", b"b", b"c", b"d")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    content = path.read_bytes()
    assert content == content[:1] * 10_000
    assert names(tmp_path) == ["page.html"]


def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "[results].jsonl"
    kept = ["[results].jsonl", ".[results].jsonl.note", ".others.jsonl.0123456789abcdef.tmp"]
    for name in (*kept, ".[results].jsonl.0123456789abcdef.tmp"):
        (tmp_path / name).touch()
    remove_unfinished(path)
    assert names(tmp_path) == sorted(kept)


def test_what_a_write_leaves_when_it_is_killed_can_be_removed(tmp_path: Path) -> None:
    path = tmp_path / ("万" * 85)
    child = os.fork()
    if not child:
        with atomic_write(path):
            os._exit(9)
    os.waitpid(child, 0)
    assert len(names(tmp_path)) == 1
    remove_unfinished(path)
    assert names(tmp_path) == []


def test_a_picture_is_written_as_a_jpeg(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    write_picture(np.full((8, 12, 3), 200, np.uint8), path)
    with Image.open(path) as picture:
        assert (picture.format, picture.size) == ("JPEG", (12, 8))
    assert names(tmp_path) == ["picture.png"]


def test_names_avoid_photos_other_pictures_and_other_names_of_a_photo(tmp_path: Path) -> None:
    photo = tmp_path / "a.jpg"
    photo.touch()
    (tmp_path / "b.jpg").hardlink_to(photo)
    free = FreeNames([photo])
    taken = [free.take(tmp_path / name).name for name in ("a.jpg", "a.jpg", "b.jpg", "c.jpg")]
    assert taken == ["a-2.jpg", "a-3.jpg", "b-2.jpg", "c.jpg"]
