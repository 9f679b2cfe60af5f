"""Where the detector looks, at what scale and in which order: enough to find the tiles, and no more."""

from pathlib import Path

import numpy as np
import pytest

from vision.networks.detector import Detector, Finds, Region
from vision.networks.limits import DETECTION
from vision.networks.resize import shrink
from vision.networks.sessions import open_session
from vision.photo import Photo, load_photo
from vision.tiles import signed_area

SAMPLES = Path(__file__).resolve().parents[3] / "vision" / "samples"


class Counted(Detector):
    """A detector that remembers where it looked and at what scale."""

    def __init__(self) -> None:
        super().__init__(open_session("detector"))
        self.taken: list[tuple[Region, float]] = []

    def _look(self, photo: Photo, region: Region, scale: float) -> Finds:
        self.taken.append((region, scale))
        return super()._look(photo, region, scale)


@pytest.mark.parametrize(("width", "looks"), [(560, 1), (1600, 2)])
def test_a_second_look_is_taken_only_where_it_shows_more(width: int, looks: int) -> None:
    pixels = load_photo(SAMPLES / "east-kong.jpg").pixels
    # The hand alone, its tiles then a tenth of the picture wide; or small in the middle of a wide one.
    height = width * pixels.shape[0] // pixels.shape[1]
    shown, _ = shrink(pixels, min(width, pixels.shape[1]), min(height, pixels.shape[0]))
    if looks == 2:
        shown = np.pad(shown, ((600, 600), (800, 800), (0, 0)), mode="edge")
    counted = Counted()
    counted.detect(Photo(np.ascontiguousarray(shown)))
    assert len(counted.taken) == looks


def mesh(width: int, height: int, step: int) -> Photo:
    """What looks like thousands of tiles: light fields on green."""
    picture = np.full((height, width, 3), (30, 100, 60), np.uint8)
    down, right = np.arange(height) % step < 0.8 * step, np.arange(width) % step < 0.65 * step
    picture[down[:, None] & right] = (235, 230, 220)
    return Photo(picture)


@pytest.mark.parametrize(("width", "height", "step"), [(640, 480, 8), (4000, 3000, 80)])
def test_a_mesh_costs_no_more_looks_nor_finds_than_tell_anything(width: int, height: int, step: int) -> None:
    counted = Counted()
    found = counted.detect(mesh(width, height, step))
    assert 500 < len(found) <= DETECTION.most_finds
    assert len(set(counted.taken)) == len(counted.taken)


@pytest.mark.parametrize(("width", "height"), [(150, 200), (1200, 1200), (4000, 4000), (300, 3000)])
def test_no_look_at_a_photo_without_tiles_is_too_large_or_taken_twice(width: int, height: int) -> None:
    counted = Counted()
    counted.detect(Photo(np.full((height, width, 3), (40, 110, 60), np.uint8)))
    assert all(width * height * scale**2 < 1.001 * DETECTION.most_pixels for _, scale in counted.taken)
    assert len(set(counted.taken)) == len(counted.taken)


def plain(width: int, height: int) -> Photo:
    """A table without tiles."""
    return Photo(np.full((height, width, 3), (40, 110, 60), np.uint8))


@pytest.mark.parametrize(("width", "height"), [(1200, 500), (500, 1200), (300, 200)])
def test_the_first_look_shows_the_whole_photo_448_pixels_long(width: int, height: int) -> None:
    counted = Counted()
    counted.detect(plain(width, height))
    region, scale = counted.taken[0]
    assert region == (0, 0, width, height)
    assert scale * max(width, height) == pytest.approx(448)


@pytest.mark.parametrize(
    ("width", "height", "sides"),
    [
        (1200, 500, [448, 896, 1792, 149]),
        (1200, 1200, [448, 896, 1265, 149]),  # no look shows more than 1.6 megapixels
        (300, 200, [448, 600, 149]),  # or enlarges the photo more than twice
    ],
)
def test_while_nothing_is_found_the_looks_come_nearer_and_the_last_is_from_afar(
    width: int, height: int, sides: list[int]
) -> None:
    counted = Counted()
    counted.detect(plain(width, height))
    assert [round(scale * max(width, height)) for _, scale in counted.taken] == sides


def test_after_a_look_that_finds_a_handful_one_look_shows_the_tiles_40_pixels_large() -> None:
    counted = Counted()
    quads = counted.detect(load_photo(SAMPLES / "dragons.jpg")).quads
    (_, first), (_, closer) = counted.taken
    size = float(np.median(np.sqrt(signed_area(quads))))
    assert size * first < 35
    assert size * closer == pytest.approx(40, rel=0.1)
