"""Large JPEGs are opened at a reduced size, and whole only when needed."""

import pickle

import numpy as np
import pytest
from PIL import Image

from tests.vision.photos import TURNS, code, difference, encoded, quartered
from vision import photo as door
from vision.errors import PhotoError
from vision.photo import Photo, load_photo


@pytest.mark.parametrize("orientation", sorted(TURNS))
@pytest.mark.parametrize(("width", "height", "parts"), [(825, 550, 2), (803, 451, 2), (1751, 100, 4)])
def test_a_large_jpeg_is_opened_reduced_and_whole_when_asked_for(
    width: int, height: int, parts: int, orientation: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "SMALLEST_GLANCE_PX", 400)
    upright = quartered(width, height)
    stored = upright
    for turn in TURNS[orientation]:
        stored = stored.transpose(turn)
    exif = Image.Exif()
    exif[0x0112] = orientation
    photo = load_photo(encoded(stored, "JPEG", exif=exif.tobytes(), quality=90))
    assert (photo.width, photo.height) == (width, height)
    assert photo.glance.shape == (-(-height // parts), -(-width // parts), 3)
    reduced = upright.resize((photo.glance.shape[1], photo.glance.shape[0]))
    assert np.abs(photo.glance.astype(int) - np.asarray(reduced)).mean() < 4
    assert photo.at_least(0.25) is photo.glance
    assert photo.at_least(0.6) is photo.pixels
    assert difference(photo, upright) < 4


def test_from_3200_pixels_on_a_jpeg_is_large() -> None:
    wide, one_less = (load_photo(encoded(Image.new("L", (width, 40)), "JPEG")) for width in (3200, 3199))
    assert wide.glance.shape == (20, 1600, 3)
    assert one_less.glance.shape == (40, 3199, 3)


def test_photos_that_are_not_large_are_opened_whole() -> None:
    photo = load_photo(encoded(quartered(3000, 90), "JPEG"))
    assert photo.glance is photo.pixels
    assert photo.at_least(1.0) is photo.pixels
    png = load_photo(encoded(quartered(3300, 90), "PNG"))
    assert png.glance.shape == (90, 3300, 3)


@pytest.mark.parametrize("mode", ["L", "CMYK"])
def test_large_jpegs_of_other_colour_modes(mode: str) -> None:
    picture = quartered(3300, 220).convert(mode)
    photo = load_photo(encoded(picture, "JPEG", quality=95, progressive=True))
    assert photo.glance.shape == (110, 1650, 3)
    assert difference(photo, picture) < 6


def test_a_large_jpeg_cut_short_is_refused_at_once() -> None:
    noise = np.random.default_rng(3).integers(0, 256, (220, 3300, 3)).astype(np.uint8)
    whole = encoded(Image.fromarray(noise), "JPEG")
    assert code(whole[: len(whole) // 2]) == "damaged"


def test_a_reduced_photo_needs_the_full_size() -> None:
    with pytest.raises(ValueError, match="decoder"):
        Photo(np.zeros((4, 4, 3), dtype=np.uint8), full_size=(8, 8))


def large() -> bytes:
    return encoded(quartered(3300, 220), "JPEG", quality=90)


def test_a_large_photo_can_be_sent_to_another_process() -> None:
    photo = load_photo(large(), name="big.jpg")
    other = pickle.loads(pickle.dumps(photo))  # noqa: S301 (our own)
    assert (other.width, other.height, other.name) == (3300, 220, "big.jpg")
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
