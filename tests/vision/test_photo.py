"""Each photo format, colour mode and orientation gives the same upright sRGB picture."""

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pillow_heif
import pytest
from PIL import Image, ImageCms

from tests.vision.photos import DECODERS, GREEN, TURNS, code, difference, encoded, quartered
from vision.photo import Photo, load_photo


@pytest.mark.parametrize("kind", DECODERS)
def test_formats(kind: str) -> None:
    photo = load_photo(encoded(quartered(), kind, quality=95), name="hand")
    assert (photo.width, photo.height, photo.name) == (96, 64, "hand")
    assert difference(photo, quartered()) < 6
    with pytest.raises(ValueError, match="read-only"):
        photo.pixels[0, 0, 0] = 1


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


def test_of_several_pictures_in_a_phone_file_the_primary_is_taken() -> None:
    second = quartered().rotate(180)
    mpo = encoded(quartered(), "MPO", save_all=True, append_images=[second], quality=95)
    assert difference(load_photo(mpo), quartered()) < 6
    heif = pillow_heif.from_pillow(quartered())
    heif.add_from_pillow(second)
    out = io.BytesIO()
    heif.save(out, quality=95, primary_index=1)
    assert difference(load_photo(out.getvalue()), second) < 6


def test_photo_is_valid_once_built() -> None:
    with pytest.raises(ValueError, match="uint8"):
        Photo(np.zeros((4, 4, 3), dtype=np.float32))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="uint8"):
        Photo(np.zeros((4, 4), dtype=np.uint8))
    with pytest.raises(ValueError, match="pixels"):
        Photo(np.zeros((0, 4, 3), dtype=np.uint8))
