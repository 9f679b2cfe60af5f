"""The photo door: each format, colour mode and orientation gives one picture, all else a named error."""

import contextlib
import errno
import io
import os
import pickle
import struct
import zlib
from pathlib import Path

import numpy as np
import pillow_heif
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

from vision import photo as door
from vision.errors import PhotoError
from vision.photo import Photo, load_photo
from vision.photo_formats import PHOTO_FORMATS

#: Pillow's names of the formats that Fanlens reads.
DECODERS = [form.decoder for form in PHOTO_FORMATS]
RED, GREEN, BLUE, GREY = (220, 30, 30), (30, 200, 40), (20, 40, 210), (128, 128, 128)


def quartered(width: int = 96, height: int = 64) -> Image.Image:
    """A picture whose four quarters differ, so that every turn and mirroring shows."""
    image = Image.new("RGB", (width, height), RED)
    image.paste(GREEN, (width // 2, 0, width, height // 2))
    image.paste(BLUE, (0, height // 2, width // 2, height))
    image.paste(GREY, (width // 2, height // 2, width, height))
    return image


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def code(source: bytes | Path) -> str:
    with pytest.raises(PhotoError) as caught:
        load_photo(source)
    assert len(caught.value.message) > 20
    assert str(caught.value) == caught.value.message
    return caught.value.code


def difference(photo: Photo, picture: Image.Image) -> float:
    want = np.asarray(picture.convert("RGB")).astype(int)
    assert photo.pixels.shape == want.shape
    return float(np.abs(photo.pixels.astype(int) - want).mean())


@pytest.mark.parametrize("kind", DECODERS)
def test_formats(kind: str) -> None:
    photo = load_photo(encoded(quartered(), kind, quality=95), name="hand")
    assert (photo.width, photo.height, photo.name) == (96, 64, "hand")
    assert difference(photo, quartered()) < 6
    with pytest.raises(ValueError, match="read-only"):
        photo.pixels[0, 0, 0] = 1


TURNS = {
    1: [],
    2: [Image.Transpose.FLIP_LEFT_RIGHT],
    3: [Image.Transpose.ROTATE_180],
    4: [Image.Transpose.FLIP_TOP_BOTTOM],
    5: [Image.Transpose.TRANSPOSE],
    6: [Image.Transpose.ROTATE_90],  # stored a quarter turn counter-clockwise: the reader turns it back
    7: [Image.Transpose.TRANSVERSE],
    8: [Image.Transpose.ROTATE_270],
}


@pytest.mark.parametrize("orientation", sorted(TURNS))
@pytest.mark.parametrize("kind", DECODERS)
def test_each_orientation_is_applied_exactly_once(kind: str, orientation: int) -> None:
    stored = quartered()
    for turn in TURNS[orientation]:
        stored = stored.transpose(turn)
    exif = Image.Exif()
    exif[0x0112] = orientation
    photo = load_photo(encoded(stored, kind, exif=exif.tobytes(), quality=95))
    assert difference(photo, quartered()) < 6


def test_jpeg_and_heic_of_one_photo_give_the_same_picture() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    one, other = (
        load_photo(encoded(quartered(), kind, exif=exif.tobytes(), quality=95)) for kind in ("JPEG", "HEIF")
    )
    assert one.pixels.shape == other.pixels.shape == (96, 64, 3)
    assert np.abs(one.pixels.astype(int) - other.pixels.astype(int)).mean() < 6


def test_broken_exif_does_not_lose_the_picture() -> None:
    data = encoded(quartered(), "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\xff" + b"\x12\x01" * 8, quality=95)
    assert difference(load_photo(data), quartered()) < 6


def test_alpha_lies_over_white() -> None:
    image = quartered().convert("RGBA")
    image.putalpha(Image.new("L", image.size, 0))
    assert load_photo(encoded(image, "PNG")).pixels.min() == 255
    half = quartered().convert("LA")
    half.putalpha(Image.new("L", image.size, 0))
    assert load_photo(encoded(half, "PNG")).pixels.min() == 255


def test_palette_with_and_without_transparency() -> None:
    image = quartered().quantize(8)
    assert difference(load_photo(encoded(image, "PNG")), quartered()) < 2
    transparent = load_photo(encoded(image, "PNG", transparency=image.getpixel((0, 0))))
    assert transparent.pixels[0, 0].tolist() == [255, 255, 255]
    assert transparent.pixels[0, -1].tolist() == pytest.approx(GREEN, abs=2)


@pytest.mark.parametrize("mode", ["L", "1"])
def test_greyscale_and_bilevel(mode: str) -> None:
    image = quartered().convert(mode)
    assert difference(load_photo(encoded(image, "PNG")), image) < 1


def test_sixteen_bit_grey() -> None:
    ramp = np.tile(np.linspace(0, 65535, 96).astype(np.uint16), (64, 1))
    photo = load_photo(encoded(Image.fromarray(ramp), "PNG"))
    assert photo.pixels[0, 0].tolist() == [0, 0, 0]
    assert photo.pixels[0, -1].tolist() == [255, 255, 255]
    assert np.diff(photo.pixels[0, :, 0].astype(int)).min() >= 0


def test_sixteen_bit_colour() -> None:
    rows = b"".join(b"\0" + struct.pack(">3H", 65535, 32768, 0) * 40 for _ in range(40))

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", 40, 40, 16, 2, 0, 0, 0)
    png = (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )
    assert load_photo(png).pixels[5, 5].tolist() == [255, 128, 0]


def test_cmyk() -> None:
    image = quartered().convert("CMYK")
    assert difference(load_photo(encoded(image, "JPEG", quality=95)), quartered()) < 8


def test_a_colour_profile_is_applied_and_a_broken_one_ignored() -> None:
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    assert difference(load_photo(encoded(quartered(), "PNG", icc_profile=lab)), quartered()) < 1
    assert difference(load_photo(encoded(quartered(), "PNG", icc_profile=b"nonsense")), quartered()) < 1
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert difference(load_photo(encoded(quartered(), "PNG", icc_profile=srgb)), quartered()) < 1
    swapped = _swap_red_and_blue(srgb)
    red = load_photo(encoded(Image.new("RGB", (40, 40), (255, 0, 0)), "PNG", icc_profile=swapped)).pixels[
        0, 0
    ]
    assert red[2] > 200
    assert red[0] < 60


def _swap_red_and_blue(profile: bytes) -> bytes:
    """The sRGB profile with the red and blue primaries exchanged and another name."""
    marked = profile.replace(b"rXYZ", b"tmp!").replace(b"bXYZ", b"rXYZ").replace(b"tmp!", b"bXYZ")
    return marked.replace("sRGB".encode("utf-16-be"), "swap".encode("utf-16-be")).replace(b"sRGB", b"swap")


def test_the_content_decides_not_the_name(tmp_path: Path) -> None:
    path = tmp_path / "hand.png"
    path.write_bytes(encoded(quartered(), "JPEG", quality=95))
    assert load_photo(path).name == "hand.png"
    text = tmp_path / "hand.jpg"
    text.write_text("this is no photo at all, whatever its name says")
    assert code(text) == "not_a_photo"


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


def test_names_and_pipes_are_told_for_what_they_are(tmp_path: Path) -> None:
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


def test_of_several_pictures_in_a_phone_file_the_primary_is_taken() -> None:
    second = quartered().rotate(180)
    mpo = encoded(quartered(), "MPO", save_all=True, append_images=[second], quality=95)
    assert difference(load_photo(mpo), quartered()) < 6
    heif = pillow_heif.from_pillow(quartered())
    heif.add_from_pillow(second)
    out = io.BytesIO()
    heif.save(out, quality=95, primary_index=1)
    assert difference(load_photo(out.getvalue()), second) < 6


@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF", "AVIF", "PDF"])
def test_other_formats_are_named(kind: str) -> None:
    assert code(encoded(quartered(), kind)) == "unsupported_format"


def test_photo_is_valid_once_built() -> None:
    with pytest.raises(ValueError, match="uint8"):
        Photo(np.zeros((4, 4, 3), dtype=np.float32))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="uint8"):
        Photo(np.zeros((4, 4), dtype=np.uint8))
    with pytest.raises(ValueError, match="pixels"):
        Photo(np.zeros((0, 4, 3), dtype=np.uint8))


@pytest.mark.parametrize("orientation", sorted(TURNS))
@pytest.mark.parametrize(("width", "height"), [(3300, 2200), (3203, 1801), (7001, 400)])
def test_a_large_jpeg_is_opened_reduced_and_whole_when_asked_for(
    width: int, height: int, orientation: int
) -> None:
    upright = quartered(width, height)
    stored = upright
    for turn in TURNS[orientation]:
        stored = stored.transpose(turn)
    exif = Image.Exif()
    exif[0x0112] = orientation
    photo = load_photo(encoded(stored, "JPEG", exif=exif.tobytes(), quality=90))
    parts = 4 if width > 4 * door.SMALLEST_GLANCE_PX else 2
    assert (photo.width, photo.height) == (width, height)
    assert photo.glance.shape == (-(-height // parts), -(-width // parts), 3)
    reduced = upright.resize((photo.glance.shape[1], photo.glance.shape[0]))
    assert np.abs(photo.glance.astype(int) - np.asarray(reduced)).mean() < 4
    assert photo.at_least(0.25) is photo.glance
    assert photo.at_least(0.6) is photo.pixels
    assert difference(photo, upright) < 4


def test_photos_that_are_not_large_are_opened_whole() -> None:
    photo = load_photo(encoded(quartered(3000, 900), "JPEG"))
    assert photo.glance is photo.pixels
    assert photo.at_least(1.0) is photo.pixels
    png = load_photo(encoded(quartered(3300, 900), "PNG"))
    assert png.glance.shape == (900, 3300, 3)


@pytest.mark.parametrize("mode", ["L", "CMYK"])
def test_large_jpegs_of_other_colour_modes(mode: str) -> None:
    picture = quartered(3300, 2200).convert(mode)
    photo = load_photo(encoded(picture, "JPEG", quality=95, progressive=True))
    assert photo.glance.shape == (1100, 1650, 3)
    assert difference(photo, picture) < 6


def test_a_large_jpeg_cut_short_is_refused_at_once() -> None:
    noise = np.random.default_rng(3).integers(0, 256, (2200, 3300, 3)).astype(np.uint8)
    whole = encoded(Image.fromarray(noise), "JPEG")
    assert code(whole[: len(whole) // 2]) == "damaged"


def test_a_glance_needs_the_photos_size() -> None:
    with pytest.raises(ValueError, match="decoder"):
        Photo(np.zeros((4, 4, 3), dtype=np.uint8), full_size=(8, 8))


def large() -> bytes:
    return encoded(quartered(3300, 2200), "JPEG", quality=90)


def test_a_large_photo_goes_between_processes_and_is_whole_there() -> None:
    photo = load_photo(large(), name="big.jpg")
    other = pickle.loads(pickle.dumps(photo))  # noqa: S301 (our own)
    assert (other.width, other.height, other.name) == (3300, 2200, "big.jpg")
    assert (other.pixels == photo.pixels).all()


def test_too_little_memory_is_not_called_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = load_photo(large())

    def full(_image: Image.Image) -> None:
        raise MemoryError

    monkeypatch.setattr(door, "_srgb", full)
    assert code(large()) == "out_of_memory"
    with pytest.raises(PhotoError, match="not enough memory") as caught:
        _ = photo.pixels
    assert caught.value.code == "out_of_memory"
