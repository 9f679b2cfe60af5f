"""Files that are not usable photos are refused with a named error, whatever is wrong with them."""

import contextlib
import errno
import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.vision.photos import DECODERS, code, encoded, quartered
from vision import photo as door
from vision.errors import PhotoError
from vision.photo import load_photo
from vision.photo_formats import PHOTO_FORMATS


@pytest.mark.parametrize("kind", DECODERS)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_truncated_files(kind: str, share: float) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3), dtype=np.uint8)
    data = encoded(Image.fromarray(noise), kind)
    assert code(data[: int(len(data) * share)]) == "damaged"


@given(
    st.binary(max_size=200),
    st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP"]),
)
@settings(max_examples=60, deadline=None)
def test_rubbish_never_gets_through(rubbish: bytes, start: bytes) -> None:
    with pytest.raises(PhotoError):
        load_photo(start + rubbish)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_flipped_byte_gives_a_picture_or_a_named_error(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(DECODERS))
    good = bytearray(encoded(quartered(), kind))
    place = data.draw(st.integers(0, len(good) - 1))
    good[place] ^= data.draw(st.integers(1, 255))
    # Whatever comes, it is one of the two: any other exception fails the test.
    with contextlib.suppress(PhotoError):
        assert load_photo(bytes(good)).pixels.ndim == 3


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert code(tmp_path / "absent.jpg") == "not_found"
    assert code(tmp_path) == "is_a_directory"
    (tmp_path / "empty.jpg").touch()
    assert code(tmp_path / "empty.jpg") == "empty"
    assert code(b"") == "empty"
    loop = tmp_path / "loop.jpg"
    os.symlink(loop, loop)
    assert code(loop) == "unreadable"
    assert code(Path("bad\0name.jpg")) == "unreadable"


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "locked.jpg"
    path.write_bytes(encoded(quartered(), "JPEG"))

    def refuse(self: Path, mode: str) -> None:  # root reads everything, so the refusal is played
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert code(path) == "unreadable"


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.EACCES, "check its permissions"),
        (errno.EIO, "the disk or card may be failing"),
        (errno.ENFILE, "copy the photo to this computer's disk"),
    ],
)
def test_advice_fits_what_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, advice: str
) -> None:
    path = tmp_path / "hand.jpg"
    path.write_bytes(encoded(quartered(), "JPEG"))

    def refuse(self: Path, mode: str) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(PhotoError, match=advice):
        load_photo(path)


def test_bad_names_and_pipes_are_not_called_permission_problems(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    for path, words in [
        (tmp_path / "pipe.jpg", "is a pipe or a device"),
        (Path("/dev/null"), "is a pipe or a device"),
        (Path("bad\0name.jpg"), "holds a null character"),
        (tmp_path / ("x" * 300), "shorter one"),
    ]:
        with pytest.raises(PhotoError, match=words) as caught:
            load_photo(path)
        assert caught.value.code == "unreadable"
        assert "permissions" not in caught.value.message


def test_byte_cap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MAX_BYTES", 1000)
    path = tmp_path / "large.jpg"
    path.write_bytes(b"\xff\xd8" + b"0" * 2000)
    assert code(path) == "too_many_bytes"
    assert code(path.read_bytes()) == "too_many_bytes"


def bomb(side: int) -> bytes:
    """A PNG that claims side×side pixels and holds none."""
    data = encoded(quartered(), "PNG")
    header = b"IHDR" + struct.pack(">II", side, side) + data[24:29]
    return data[:12] + header + struct.pack(">I", zlib.crc32(header)) + data[33:]


@pytest.mark.parametrize("side", [8300, 12000, 60000])
def test_pixel_cap_comes_before_decoding(side: int) -> None:
    assert code(bomb(side)) == "too_many_pixels"


def test_a_48_megapixel_photo_is_legal() -> None:
    assert load_photo(encoded(Image.new("L", (8064, 6048), 9), "JPEG")).width == 8064


def test_too_small() -> None:
    assert code(encoded(Image.new("RGB", (8, 200)), "PNG")) == "too_small"


@pytest.mark.parametrize("kind", [form.decoder for form in PHOTO_FORMATS if form.several_are_animation])
def test_animations_are_refused(kind: str) -> None:
    frames = [quartered(), quartered().rotate(180)]
    assert code(encoded(frames[0], kind, save_all=True, append_images=frames[1:])) == "animated"


@pytest.mark.parametrize("kind", sorted({"GIF", "BMP", "TIFF", "AVIF", "PDF"} - set(DECODERS)))
def test_other_formats_are_named(kind: str) -> None:
    assert code(encoded(quartered(), kind)) == "unsupported_format"
