"""The reader on bundled photos: faces, rotation, cutting."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.networks.limits import READING
from vision.networks.reader import CROP, FACE, Looks, Reader, cut_crops
from vision.networks.sessions import open_session
from vision.photo import Photo, load_photo
from vision.tiles import CLASSES, Detections

SAMPLES = Path(__file__).resolve().parents[3] / "vision" / "samples"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.jpg"))
#: Faces that look the same upside down or nearly so: their rotation means nothing.
SYMMETRIC = {"1p", "2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "7z", "back"}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(open_session("reader"))


def face_up_tiles(name: str) -> list[dict]:
    tiles = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))["tiles"]
    return [tile for tile in tiles if tile["role"] != "stray" and tile["face"] != "back"]


def detections_of(tiles: list[dict]) -> Detections:
    quads = np.array([tile["quad"] for tile in tiles], np.float32)
    return Detections(quads, np.ones(len(quads), np.float32))


@pytest.mark.parametrize("name", NAMES)
def test_faces_cut_at_their_true_place_are_read(reader: Reader, name: str) -> None:
    tiles = face_up_tiles(name)
    table = reader.read(load_photo(SAMPLES / f"{name}.jpg"), detections_of(tiles))
    assert [CLASSES[i] for i in table.probabilities.argmax(1)] == [tile["face"] for tile in tiles]


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_the_quad_starts_at_the_tiles_own_top_left(reader: Reader, quarters: int) -> None:
    tiles = [tile for tile in face_up_tiles(NAMES[0]) if tile["face"] not in SYMMETRIC]
    true = detections_of(tiles)
    rolled = Detections(np.roll(true.quads, -quarters, axis=1), true.scores)
    table = reader.read(load_photo(SAMPLES / f"{NAMES[0]}.jpg"), rolled)
    starts_right = np.abs(table.quads[:, 0] - true.quads[:, 0]).max(1) < 1
    assert starts_right.mean() > 0.8


@pytest.mark.parametrize("blur_px", [0, 5])
def test_only_doubtful_tiles_are_read_again_and_averaged(reader: Reader, blur_px: int) -> None:
    sharp = load_photo(SAMPLES / "dragons.jpg").pixels
    photo = Photo(sharp if blur_px == 0 else np.asarray(cv2.GaussianBlur(sharp, (0, 0), blur_px), np.uint8))
    found = detections_of(face_up_tiles("dragons"))
    once = reader.look(cut_crops(photo, found.quads)).probabilities
    read = reader.read(photo, found).probabilities
    doubtful = once.max(1) < READING.certain
    assert doubtful.any() == (blur_px > 0)
    assert np.array_equal(read[~doubtful], once[~doubtful])
    side, up = (found.quads[:, [corner]] - found.quads[:, [0]] for corner in (1, 3))
    views = [once[doubtful]] + [
        reader.look(cut_crops(photo, (found.quads + u * side + v * up)[doubtful])).probabilities
        for u, v in READING.aside
    ]
    mean = np.exp(np.mean([np.log(np.maximum(view, READING.least)) for view in views], axis=0))
    assert np.allclose(read[doubtful], mean / mean.sum(1, keepdims=True), atol=0.02)


def test_of_many_doubtful_tiles_the_likeliest_are_read_again(reader: Reader) -> None:
    noise = np.random.default_rng(2).integers(0, 256, (600, 800, 3), dtype=np.uint8)
    corners = np.array([[0, 0], [60, 0], [60, 80], [0, 80]], np.float32)
    quads = np.stack([corners + (70 * column, 90 * row) for row in range(6) for column in range(11)])
    again = []

    class Counted(Reader):
        def look(self, crops: np.ndarray) -> Looks:
            again.append(len(crops))
            return super().look(crops)

    Counted(open_session("reader")).read(Photo(noise), Detections(quads, np.ones(len(quads), np.float32)))
    assert again == [len(quads), READING.most_again * len(READING.aside)]


def test_a_look_tells_faces_turns_and_features(reader: Reader) -> None:
    crops = np.zeros((3, CROP, CROP, 3), np.uint8)
    looks = reader.look(crops)
    assert np.allclose(looks.probabilities.sum(1), 1, atol=1e-5)
    assert looks.turns.shape == (3, 4)
    assert looks.features.shape[0] == 3
    assert looks.features.shape[1] > 4
    assert len(reader.look(crops[:0]).probabilities) == 0


def test_many_crops_are_read_as_few_are(reader: Reader) -> None:
    crops = np.random.default_rng(5).integers(0, 256, (150, CROP, CROP, 3)).astype(np.uint8)
    together, last = reader.look(crops), reader.look(crops[140:])
    assert together.probabilities.shape == (150, len(CLASSES))
    assert np.allclose(together.features[140:], last.features, atol=1e-3)
    assert np.allclose(together.turns[140:], last.turns, atol=1e-3)


def test_a_second_opinion_has_the_last_word() -> None:
    def all_south(looks: Looks) -> Looks:
        south = np.zeros_like(looks.probabilities)
        south[:, CLASSES.index("2z")] = 1
        return replace(looks, probabilities=south)

    tiles = face_up_tiles(NAMES[0])
    photo = load_photo(SAMPLES / f"{NAMES[0]}.jpg")
    told = Reader(open_session("reader"), all_south).read(photo, detections_of(tiles))
    assert set(told.faces) == {"2z"}


def test_no_detections_give_an_empty_table(reader: Reader) -> None:
    none = Detections(np.empty((0, 4, 2), np.float32), np.empty(0, np.float32))
    assert reader.read(Photo(np.zeros((50, 50, 3), np.uint8)), none).probabilities.shape == (0, len(CLASSES))


def test_a_piece_of_bare_table_is_not_a_tile(reader: Reader) -> None:
    square = Detections(np.float32([[[40, 40], [80, 40], [80, 90], [40, 90]]]), np.float32([0.9]))
    rng = np.random.default_rng(1)
    felt = np.clip(rng.normal((30, 110, 60), 8, (200, 200, 3)), 0, 255).astype(np.uint8)
    odds = reader.read(Photo(felt), square).probabilities[0]
    assert CLASSES[int(odds.argmax())] in ("none", "back")


@pytest.mark.parametrize("size", [20, 300])
@pytest.mark.parametrize("place", [(1000, 1000), (-1000, -900), (1000, 10), (10, -1000)])
def test_a_crop_outside_the_photo_shows_its_nearest_edge(size: int, place: tuple[int, int]) -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    picture[:, 0] = picture[:, -1] = picture[0] = picture[-1] = 200
    quad = np.float32([[0, 0], [size, 0], [size, size], [0, size]]) + np.float32(place)
    crop = cut_crops(Photo(picture), quad[None])[0]
    low = (CROP - FACE) // 2
    assert crop[low:-low, low:-low].min() > 90


@pytest.mark.parametrize("size", [20, 60, 400])
def test_a_crop_holds_the_quad_in_its_middle(size: int) -> None:
    picture = np.zeros((1000, 1000, 3), np.uint8)
    quad = np.float32([[200, 300], [200 + size, 300], [200 + size, 300 + size], [200, 300 + size]])
    cv2.fillConvexPoly(picture, np.rint(quad).astype(np.int32), (255, 255, 255))
    crop = cut_crops(Photo(picture), quad[None])[0]
    low = (CROP - FACE) // 2
    assert crop[low + 3 : -low - 3, low + 3 : -low - 3].min() > 200
    assert crop[: low - 3].max() < 60
    assert crop[:, : low - 3].max() < 60
