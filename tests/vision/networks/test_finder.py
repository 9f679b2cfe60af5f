"""Which look is believed, and whether there are tiles at all."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.rendering.tops import squares
from vision.layout.doubles import distinct
from vision.networks.detector import Detector
from vision.networks.finder import Finder, evidence, news_of, parts_of_others
from vision.networks.presence import shows_tiles, surely_read
from vision.networks.reader import Reader
from vision.networks.sessions import open_session
from vision.photo import Photo, load_photo
from vision.tiles import CLASS_INDEX, CLASSES, Tiles

SAMPLES = Path(__file__).resolve().parents[3] / "vision" / "samples"


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder(Detector(open_session("detector")), Reader(open_session("reader")))


def square(x: float, y: float, side: float) -> np.ndarray:
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]], np.float32)


def tiles(*rows: tuple[str, float, tuple[float, float, float]]) -> Tiles:
    """Finds: a face, its probability, and left, top and side of its square."""
    odds = np.zeros((len(rows), len(CLASSES)), np.float32)
    for row, (face, probability, _) in zip(odds, rows, strict=True):
        row[CLASS_INDEX["none"]] = 1 - probability
        row[CLASS_INDEX[face]] += probability
    quads = np.array([square(*place) for _, _, place in rows], np.float32).reshape(-1, 4, 2)
    return Tiles(quads, odds, np.full(len(rows), 0.9))


def close_up(ground: np.ndarray, side: int) -> tuple[Photo, list[str]]:
    """Two neighbouring tiles of a bundled photo, enlarged to this many pixels, on another ground."""
    label = json.loads((SAMPLES / "three-chows.json").read_text(encoding="utf-8"))["tiles"]
    row = sorted(
        (tile for tile in label if tile["role"] == "concealed"), key=lambda tile: tile["quad"][0][0]
    )[:2]
    pixels = load_photo(SAMPLES / "three-chows.jpg").pixels
    picture = ground.copy()
    for place, tile in enumerate(row):
        left, top = 200 + place * (side + 12), 300
        target = np.array([[0, 0], [side, 0], [side, side * 4 / 3], [0, side * 4 / 3]], np.float32)
        matrix = cv2.getPerspectiveTransform(np.array(tile["quad"], np.float32), target)
        face = cv2.warpPerspective(np.array(pixels), matrix, (side, side * 4 // 3), flags=cv2.INTER_CUBIC)
        picture[top : top + len(face), left : left + side] = face
    return Photo(picture), [tile["face"] for tile in row]


@pytest.mark.parametrize("side", [160, 240, 330])
def test_two_tiles_close_to_the_camera_on_squares_are_found_whole(finder: Finder, side: int) -> None:
    ground = np.asarray(cv2.resize(squares(np.random.default_rng(8), 1024), (1280, 1024)), np.uint8)
    photo, faces = close_up(ground, side)
    found = finder.find(photo)
    found = found.select(distinct(found))
    large = [
        face for face, quad in zip(found.faces, found.quads, strict=True) if np.ptp(quad[:, 0]) > 0.7 * side
    ]
    assert sorted(large) == sorted(faces)


def test_a_row_is_found_as_before(finder: Finder) -> None:
    photo = load_photo(SAMPLES / "dragons.jpg")
    found = finder.find(photo)
    alone = Detector(open_session("detector")).detect(photo)
    assert len(found) == len(alone)
    assert np.abs(found.quads.mean(1) - alone.quads.mean(1)).max() < 1


def test_a_face_read_from_afar_outweighs_the_many_squares_around_it() -> None:
    squares_of_a_mat = [("back", 0.99, (40.0 * x, 40.0 * y, 30.0)) for x in range(6) for y in range(6)]
    parts = [("1p", 0.95, (310.0, 310.0, 40.0)), ("2p", 0.95, (360.0, 360.0, 40.0))]
    near, far = (
        tiles(*squares_of_a_mat, *parts),
        tiles(("9p", 0.97, (300, 300, 120)), ("3m", 0.97, (430, 300, 120))),
    )
    assert evidence([near, far])[1] > evidence([near, far])[0]


def test_a_row_outweighs_the_one_tile_that_it_looks_like_from_afar() -> None:
    row = tiles(*((f"{rank}m", 0.99, (50.0 * rank, 100.0, 48.0)) for rank in range(1, 10)))
    whole = tiles(("2s", 0.6, (50, 0, 450)))
    assert evidence([row, whole])[0] > evidence([row, whole])[1]


def test_only_what_was_missed_or_found_much_smaller_is_news() -> None:
    look = tiles(("1m", 0.9, (0, 0, 50)), ("1p", 0.9, (210, 210, 30)))
    seen_from_afar = np.stack([square(-4, 2, 54), square(200, 200, 100), square(400, 0, 60)])
    assert news_of(seen_from_afar, look).tolist() == [False, True, True]


def test_a_find_inside_a_larger_one_that_is_surely_read_loses() -> None:
    found = tiles(("9p", 0.98, (0, 0, 90)), ("1p", 0.99, (30, 30, 30)), ("1p", 0.99, (100, 0, 85)))
    assert parts_of_others(found).tolist() == [False, True, False]
    unsure = tiles(("9p", 0.5, (0, 0, 90)), ("1p", 0.99, (30, 30, 30)))
    assert not parts_of_others(unsure).any()


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        ([], False),
        ([("1m", 0.99, (0, 0, 40))], False),
        ([("1m", 0.99, (0, 0, 40)), ("2m", 0.99, (42, 0, 40))], True),
        ([("1m", 0.99, (0, 0, 40)), ("2m", 0.6, (42, 0, 40))], False),
        ([("1m", 0.99, (0, 0, 40)), ("2m", 0.99, (900, 0, 40))], False),
        ([("1m", 0.99, (0, 0, 40)), ("2m", 0.99, (42, 0, 15))], False),
        ([("7z", 0.99, (0, 0, 40)), ("back", 0.99, (42, 0, 40))], False),
    ],
)
def test_two_sure_faces_beside_each_other_show_that_there_are_tiles(rows: list, shown: bool) -> None:
    assert shows_tiles(tiles(*rows)) is shown


def test_blank_finds_are_never_surely_read() -> None:
    found = tiles(("7z", 0.99, (0, 0, 40)), ("back", 0.99, (50, 0, 40)), ("5z", 0.95, (99, 0, 40)))
    assert surely_read(found).tolist() == [False, False, True]
