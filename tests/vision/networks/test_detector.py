"""The detector on bundled photos, turned, enlarged, small, empty."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.networks.detector import Detector, Finds, as_large_as_their_neighbours, without_doubles
from vision.networks.sessions import open_session
from vision.photo import Photo, load_photo
from vision.tiles import Floats

SAMPLES = Path(__file__).resolve().parents[3] / "vision" / "samples"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.jpg"))


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(open_session("detector"))


def truth(name: str) -> list[dict]:
    return json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))["tiles"]


def overlap(one: Floats, other: Floats) -> float:
    """Intersection over union of two quads."""
    one, other = one.astype(np.float32), other.astype(np.float32)
    shared = cv2.intersectConvexConvex(cv2.convexHull(one), cv2.convexHull(other))[0]
    return shared / (cv2.contourArea(cv2.convexHull(one)) + cv2.contourArea(cv2.convexHull(other)) - shared)


def found(quads: Floats, wanted: list[Floats]) -> list[bool]:
    return [max((overlap(quad, want) for quad in quads), default=0) > 0.5 for want in wanted]


def test_there_are_bundled_photos() -> None:
    assert len(NAMES) >= 4


@pytest.mark.parametrize("name", NAMES)
def test_every_tile_of_the_hand_is_found(detector: Detector, name: str) -> None:
    detections = detector.detect(load_photo(SAMPLES / f"{name}.jpg"))
    wanted = [
        np.array(tile["quad"]) for tile in truth(name) if tile["role"] != "stray" and tile["face"] != "back"
    ]
    assert all(found(detections.quads, wanted))


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_turning_the_photo_loses_no_tile(detector: Detector, quarters: int) -> None:
    pixels = load_photo(SAMPLES / f"{NAMES[0]}.jpg").pixels
    upright = detector.detect(Photo(pixels))
    turned = detector.detect(Photo(np.ascontiguousarray(np.rot90(pixels, quarters))))
    assert abs(len(turned.scores) - len(upright.scores)) <= 1


def test_quads_are_in_pixels_of_the_photo_whatever_its_size(detector: Detector) -> None:
    pixels = load_photo(SAMPLES / f"{NAMES[0]}.jpg").pixels
    small = detector.detect(Photo(pixels))
    large = detector.detect(Photo(np.asarray(cv2.resize(pixels, None, fx=2, fy=2), np.uint8)))
    assert np.mean(found(large.quads / 2, list(small.quads))) > 0.9


@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_tile_outlined_too_tightly_becomes_as_large_as_its_neighbours(place: int) -> None:
    square = np.float32([[0, 0], [30, 0], [30, 40], [0, 40]])
    row = np.stack([square + np.float32([31 * place, 0]) for place in range(4)])
    tight = row.copy()
    tight[place] = row[place].mean(0) + 0.6 * (row[place] - row[place].mean(0))
    tight[2] = row[2].mean(0) + 0.93 * (row[2] - row[2].mean(0))
    far = square[None] * 0.5 + 500  # a small tile elsewhere, alone
    finds = Finds(np.concatenate([tight, far]), np.full(5, 0.9, np.float32))
    quads = as_large_as_their_neighbours(finds)
    others = [index for index in range(5) if index != place]
    assert np.abs(quads[place] - row[place]).max() < 1.5
    assert (quads[others] == finds.quads[others]).all()
    assert len(as_large_as_their_neighbours(finds[np.zeros(5, bool)])) == 0


def test_a_plain_table_has_no_tile(detector: Detector) -> None:
    table = np.full((480, 640, 3), (40, 110, 60), np.uint8)
    assert len(detector.detect(Photo(table)).scores) == 0


@pytest.mark.parametrize("shape", [(1, 1), (7, 9), (16, 2000), (2000, 16)])
def test_tiny_and_narrow_pictures_are_no_problem(detector: Detector, shape: tuple[int, int]) -> None:
    picture = np.full((*shape, 3), 128, np.uint8)
    assert len(detector.detect(Photo(picture)).scores) == 0


def test_two_finds_of_one_tile_become_the_better_one() -> None:
    square = np.float32([[0, 0], [30, 0], [30, 40], [0, 40]])
    quads = np.stack([square, square + 5, square + np.float32([31, 0])])
    finds = without_doubles(Finds(quads, np.float32([0.6, 0.9, 0.8])))
    assert finds.scores.tolist() == pytest.approx([0.9, 0.8])


def test_touching_neighbours_are_two_tiles() -> None:
    square = np.float32([[0, 0], [30, 0], [30, 40], [0, 40]])
    finds = Finds(np.stack([square, square + np.float32([29, 0])]), np.float32([0.6, 0.9]))
    assert len(without_doubles(finds)) == 2


@pytest.mark.parametrize(
    ("name", "share", "size"),
    [
        ("three-chows", 0.3, (1600, 1200)),
        ("dragons", 0.25, (4000, 3000)),  # tiles of 37 pixels, 4 in the first look
        ("three-chows", 0.25, (4000, 3000)),  # 24 pixels
        ("all-green-across", 0.25, (3200, 2400)),  # the whole row looks like one tile at first
        ("all-green-across", 0.2, (4000, 3000)),
    ],
)
def test_a_hand_that_fills_a_small_part_of_the_photo_is_found_whole(
    detector: Detector, name: str, share: float, size: tuple[int, int]
) -> None:
    pixels = load_photo(SAMPLES / f"{name}.jpg").pixels
    small = cv2.resize(pixels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    photo = np.full((size[1], size[0], 3), (70, 80, 90), np.uint8)
    photo[600 : 600 + small.shape[0], 900 : 900 + small.shape[1]] = small
    wanted = [np.array(tile["quad"]) * share + [900, 600] for tile in truth(name) if tile["role"] != "stray"]
    assert all(found(detector.detect(Photo(photo)).quads, wanted))


@pytest.mark.parametrize("scale", [1, 3, 12])
def test_a_tile_that_fills_the_photo_is_one_tile(detector: Detector, scale: int) -> None:
    tile = next(tile for tile in truth("three-chows") if tile["face"] == "2s")
    quad = np.array(tile["quad"])
    (left, top), (right, bottom) = np.floor(quad.min(0)).astype(int), np.ceil(quad.max(0)).astype(int)
    pixels = load_photo(SAMPLES / "three-chows.jpg").pixels[top:bottom, left:right]
    detections = detector.detect(Photo(np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale), np.uint8)))
    assert found(detections.quads, [(quad - (left, top)) * scale]) == [True]
    assert len(detections) == 1


@pytest.mark.parametrize("part", [np.s_[:340], np.s_[:, :209]])
def test_what_is_more_than_half_outside_the_photo_is_not_found(
    detector: Detector, part: tuple[slice, ...]
) -> None:
    photo = Photo(np.ascontiguousarray(load_photo(SAMPLES / "three-chows.jpg").pixels[part]))
    middles = detector.detect(photo).quads.mean(1)
    assert len(middles)
    assert (middles > 0).all()
    assert (middles < (photo.width, photo.height)).all()
