"""One photo as one function: the same answers as `fanlens photo`, and a row whatever happens."""

import json
import os
import resource
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from scorer import PROFILES, Circumstances
from vision import load_photo, recognise
from vision.batch.engines import worker
from vision.batch.engines.engine import Settings, Task
from vision.batch.engines.worker import picture_of, process
from vision.batch.listing.photo_source import PhotoSource
from vision.batch.results.result_rows import Stamp, key_of, status
from vision.errors import PhotoError
from vision.output_files import write_picture
from vision.photo import Photo

STAMP = Stamp({"detector": "1", "reader": "2"}, PROFILES["guobiao"])


def task(path: Path, **more: Any) -> Task:
    return Task(1, PhotoSource(str(path), str(path)), {}, **more)


@pytest.fixture
def photo(tmp_path: Path, small_photos: Path) -> Path:
    path = tmp_path / "three-chows.jpg"
    path.write_bytes((small_photos / "three-chows.jpg").read_bytes())
    return path


def test_a_row_is_what_photo_says_and_where_it_came_from(photo: Path) -> None:
    photo.with_suffix(".json").write_text('{"seat_wind": "S", "self_drawn": true}')
    row = process(task(photo), Settings(STAMP, {"prevalent_wind": "W"})).row
    assert row is not None
    said = recognise(
        load_photo(photo), Circumstances(self_drawn=True, seat_wind="S", prevalent_wind="W")
    ).to_json()
    for name in ("width", "height", "tiles", "hand", "readings", "score", "problems"):
        assert row[name] == said[name]
    assert row["image"] == row["source"] == str(photo)
    assert row["sha256"] == sha256(photo.read_bytes()).hexdigest()
    assert row["models"] == {"detector": "1", "reader": "2"}
    assert (row["profile"], row["minimum"]) == ("guobiao", 8)
    assert row["profile_sha256"] == PROFILES["guobiao"].key
    assert row["circumstances"]["seat_wind"] == "S"
    assert row["assumed"] == ["last_tile", "kong", "fourth_tile"]
    assert row["timing_ms"] == {}
    json.dumps(row)


def test_the_table_is_stronger_than_the_sidecar(photo: Path) -> None:
    photo.with_suffix(".json").write_text('{"seat_wind": "S"}')
    chosen = Task(1, PhotoSource(str(photo), str(photo)), {"seat_wind": "N"})
    row = process(chosen, Settings(STAMP, {"seat_wind": "W"})).row
    assert row is not None
    assert row["circumstances"]["seat_wind"] == "N"


def test_a_photo_whose_row_is_right_is_not_read_again(photo: Path) -> None:
    settings = Settings(STAMP, {})
    row = process(task(photo), settings).row
    assert row is not None
    done = key_of(row)
    assert process(task(photo, done=done), settings).row is None
    for changed in (
        Settings(Stamp({"detector": "1", "reader": "3"}, STAMP.profile), {}),
        Settings(Stamp(STAMP.models, PROFILES["wmo2006"]), {}),
        Settings(STAMP, {"kong": True}),
    ):
        assert process(task(photo, done=done), changed).row is not None
    Image.new("RGB", (64, 64)).save(photo)
    assert process(task(photo, done=done), settings).row is not None


def test_a_missing_picture_is_drawn_though_the_row_is_right(photo: Path, tmp_path: Path) -> None:
    settings = Settings(STAMP, {}, annotated=tmp_path)
    row = process(task(photo), settings).row
    assert row is not None
    picture = picture_of(tmp_path, PhotoSource(str(photo), str(photo)), row["sha256"])
    with Image.open(picture) as drawn:
        assert drawn.format == "JPEG"
    assert process(task(photo, done=key_of(row)), settings).row is None
    picture.unlink()
    assert process(task(photo, done=key_of(row)), settings).row is not None
    assert picture.exists()


@pytest.mark.parametrize("name", ["../../up.jpg", "/etc/passwd.jpg", "..", "a\nb.jpg"])
def test_a_picture_stays_in_its_folder_whatever_the_photo_is_called(name: str) -> None:
    assert picture_of(Path("drawn"), PhotoSource(name, name), "ab" * 32).parent == Path("drawn")


@pytest.mark.parametrize(
    ("cause", "code"), [(None, "damaged"), (MemoryError(), "out_of_memory")], ids=["damaged", "memory"]
)
def test_a_large_photo_that_cannot_be_decoded_in_full_has_its_reason(
    photo: Path, monkeypatch: pytest.MonkeyPatch, cause: Exception | None, code: str
) -> None:
    def decode() -> Any:
        raise PhotoError("damaged", "it is cut short") from cause

    def glance(data: bytes, name: str) -> Photo:
        pixels = load_photo(data, name).pixels
        return Photo(pixels, name, (5 * pixels.shape[1], 5 * pixels.shape[0]), decode)

    monkeypatch.setattr(worker, "load_photo", glance)
    row = process(task(photo), Settings(STAMP, {})).row
    assert row is not None
    assert row["sha256"] == sha256(photo.read_bytes()).hexdigest()
    assert row["problems"][0]["code"] == code


@pytest.mark.parametrize("letter", ["a", "万", "\udcff"])
def test_a_picture_of_a_long_name_has_room_for_more(letter: str, tmp_path: Path) -> None:
    name = letter * (250 // len(os.fsencode(letter))) + ".jpg"
    picture = picture_of(tmp_path, PhotoSource(name, name), "ab" * 32)
    write_picture(np.zeros((8, 8, 3), np.uint8), picture)
    assert [path.name for path in tmp_path.iterdir()] == [picture.name]
    assert picture.name.endswith("-abababababab.jpg")


def test_a_picture_that_cannot_be_written_is_a_problem_of_its_row(photo: Path, tmp_path: Path) -> None:
    row = process(task(photo), Settings(STAMP, {}, annotated=tmp_path / "absent")).row
    assert row is not None
    assert row["tiles"]
    assert row["problems"][-1]["code"] == "picture_not_written"
    assert status(row) == "doubtful"


def test_a_thumbnail_comes_with_the_row_and_without(photo: Path) -> None:
    settings = Settings(STAMP, {}, thumbs=True)
    first = process(task(photo), settings)
    assert first.row is not None
    again = process(task(photo, done=key_of(first.row)), settings)
    assert again.row is None
    assert again.thumb == first.thumb
    assert first.thumb is not None
    assert first.thumb.startswith(b"\xff\xd8")


@pytest.mark.parametrize(
    ("content", "sidecar", "code"),
    [
        (b"", None, "empty"),
        (b"nothing", None, "not_a_photo"),
        (b"\xff\xd8\xff\xe0cut", None, "damaged"),
        (b"nothing", '{"seat_wind": "Q"}', "bad_circumstances"),
        (b"nothing", "[", "bad_circumstances"),
    ],
)
def test_a_bad_photo_has_the_same_keys_and_a_reason(
    photo: Path, tmp_path: Path, content: bytes, sidecar: str | None, code: str
) -> None:
    good = process(task(photo), Settings(STAMP, {})).row
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(content)
    if sidecar is not None:
        bad.with_suffix(".json").write_text(sidecar)
    row = process(task(bad), Settings(STAMP, {})).row
    assert good is not None
    assert row is not None
    assert list(row) == list(good)
    assert [problem["code"] for problem in row["problems"]] == [code]
    assert status(row) == "failed"


def test_too_little_memory_is_not_called_damage(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    Image.new("RGB", (7000, 7000)).save(path, compress_level=1)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    # The photo alone takes 147 MB, twice.
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 200_000_000, hard))
    try:
        row = process(task(path), Settings(STAMP, {})).row
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    assert row is not None
    assert row["problems"][0]["code"] == "out_of_memory"
    assert "use fewer --processes" in row["problems"][0]["message"]
    assert key_of(row) is None
