"""Small photos, and `fanlens batch` as a process of its own."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

SAMPLES = Path(__file__).parents[3] / "vision" / "samples"
Rows = dict[str, dict[str, Any]]


@pytest.fixture(scope="session")
def small_photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three bundled photos at half their size, which is enough to read them, and quicker."""
    folder = tmp_path_factory.mktemp("small")
    for name in ("three-chows", "seven-pairs-dim", "dragons"):
        with Image.open(SAMPLES / f"{name}.jpg") as image:
            image.resize((800, 600)).save(folder / f"{name}.jpg", quality=92)
    return folder


@pytest.fixture
def many(tmp_path: Path, small_photos: Path) -> Callable[[int], Path]:
    """Make a folder of so many photos, each with its own content, as bytes after the end of a JPEG are nobody's."""

    def make(count: int) -> Path:
        folder = tmp_path / "many"
        folder.mkdir()
        photo = (small_photos / "three-chows.jpg").read_bytes()
        for number in range(count):
            (folder / f"{number:03}.jpg").write_bytes(photo + b"%d" % number)
        return folder

    return make


@pytest.fixture
def wait_for_rows() -> Callable[[Path, int], None]:
    """Wait until so many rows are on the disk."""

    def wait(out: Path, count: int) -> None:
        folder = out.with_name(f"{out.name}.shards")
        for _ in range(6000):
            rows = 0
            for path in folder.glob("*.jsonl*"):
                with suppress(FileNotFoundError):  # it has just been given its name
                    rows += path.read_bytes().count(b"\n")
            if rows >= count:
                return
            time.sleep(0.05)
        raise AssertionError("no rows came")

    return wait


@pytest.fixture
def club(tmp_path: Path, small_photos: Path) -> Path:
    """A folder with two photos, one more in a folder, and a file that is no photo but is called one."""
    folder = tmp_path / "club"
    (folder / "second round").mkdir(parents=True)
    shutil.copy(small_photos / "three-chows.jpg", folder / "a.jpg")
    shutil.copy(small_photos / "seven-pairs-dim.jpg", folder / "b.JPG")
    shutil.copy(small_photos / "dragons.jpg", folder / "second round" / "c.jpg")
    (folder / "broken.jpg").write_text("not a photo at all")
    (folder / "notes.txt").write_text("not a photo and not called one")
    return folder


@pytest.fixture
def start() -> Callable[..., subprocess.Popen[str]]:
    """Start the command; what is started must be waited for."""

    def run(*arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "webapp.cli", "batch", *map(str, arguments)]
        usual = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(
            command, **{**usual, "env": {**os.environ, "PYTHONWARNINGS": "error"}, **options}
        )

    return run


@pytest.fixture
def batch(start: Callable[..., subprocess.Popen[str]]) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command to its end, with one process unless told otherwise."""

    def run(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
        how = () if "--processes" in arguments else ("--processes", "1")
        with start(*arguments, *how, **options) as process:
            out, err = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    return run


@pytest.fixture
def rows_in() -> Callable[[Path], Rows]:
    """The rows of a file by what they are about, each photo once."""

    def read(path: Path) -> Rows:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert len({row["source"] for row in rows}) == len(rows)
        return {row["source"]: row for row in rows}

    return read
