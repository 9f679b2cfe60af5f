"""Frames of a camera that pans over a table, read one after the other."""

from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.layout.laid_out import lay_out
from vision.layout.roles import Role
from vision.networks.detector import Detector
from vision.networks.reader import Reader
from vision.networks.sessions import open_session
from vision.photo import Photo
from vision.tiles import Pixels
from vision.tracking.evidence import Evidence
from vision.tracking.hints import Hint, Side
from vision.tracking.look import Look, look, with_frames

HAND = ["1m", "2m", "3m", "5p", "6p", "7p", "7s", "8s", "9s", "2z", "2z", "2z", "4p", "4p"]
SIZE = (960, 540)


@cache
def table(faces: tuple[str, ...] = tuple(HAND)) -> Pixels:
    photo = lay_out([faces])
    return np.asarray(cv2.copyMakeBorder(photo.pixels, 260, 260, 60, 60, cv2.BORDER_REPLICATE), np.uint8)


def frame(pixels: Pixels, shift: float = 0.0, zoom: float = 1.0, dim: float = 1.0) -> Photo:
    scale = zoom * SIZE[0] / pixels.shape[1]
    middle = np.array([pixels.shape[1], pixels.shape[0]]) / 2
    matrix = np.array(
        [[scale, 0, SIZE[0] / 2 - scale * middle[0] + shift], [0, scale, SIZE[1] / 2 - scale * middle[1]]]
    )
    seen = cv2.warpAffine(pixels, matrix, SIZE, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    return Photo(np.asarray(seen * dim, np.uint8))


def looks(*frames: Photo) -> list[Look]:
    found: list[Look] = []
    evidence = Evidence.none()
    for number, each in enumerate(frames, 1):
        found.append(look(each, evidence, number))
        evidence = found[-1].evidence
    return found


def with_glare(photo: Photo, first: int, last: int, *, whole: bool = True) -> Photo:
    """The frame with a reflection over tiles of the row, counted from the left, and what lies above and below."""
    shining = photo.glance.copy()
    step = SIZE[0] / (table().shape[1] / 70)
    left = (SIZE[0] - 14 * step) / 2
    rows = slice(None) if whole else slice(SIZE[1] // 2 - 50, SIZE[1] // 2 + 50)
    shining[rows, int(left + first * step) : int(left + (last + 1) * step)] = 252
    return Photo(shining)


def test_a_hand_settles_after_three_frames() -> None:
    one, two, three = looks(frame(table()), frame(table(), shift=14), frame(table(), shift=20))
    assert (one.settled, two.settled, three.settled) == (False, False, True)
    assert three.advice is None
    assert three.recognition.score is not None
    assert sorted(tile.face for tile in three.recognition.tiles) == sorted(HAND)
    assert set(one.numbers) == set(two.numbers) == set(three.numbers) == set(range(1, 15))


def test_the_numbers_name_the_tiles() -> None:
    one, two = looks(frame(table()), frame(table(), shift=40))
    places = [dict(zip(each.numbers, each.recognition.tiles, strict=True)) for each in (one, two)]
    for number, tile in places[0].items():
        assert places[1][number].face == tile.face
        moved = np.mean(places[1][number].quad, axis=0) - np.mean(tile.quad, axis=0)
        assert moved == pytest.approx([40, 0], abs=3)


def test_a_photo_keeps_what_the_frames_said() -> None:
    evidence = looks(frame(table()), frame(table(), shift=10))[-1].evidence
    blinded = with_glare(frame(table(), zoom=1.0), 6, 7)
    tiles = Reader(open_session("reader")).read(blinded, Detector(open_session("detector")).detect(blinded))
    assert len(set(tiles.faces) & set(HAND)) < len(set(HAND))
    together = with_frames(evidence, tiles, SIZE)
    assert sorted(together.faces) == sorted(HAND)


@pytest.mark.parametrize(
    ("pictured", "hint", "side", "number"),
    [
        (Photo(np.full((540, 960, 3), (34, 104, 66), np.uint8)), Hint.NO_TILES, None, 0),
        (Photo(np.full((540, 960, 3), 12, np.uint8)), Hint.DARK, None, 0),
        (frame(table(tuple(HAND[:-1]))), Hint.MISSING, None, 1),
        (frame(table(tuple(HAND[:-3]))), Hint.MISSING, None, 3),
        (frame(table((*HAND, "9m"))), Hint.TOO_MANY, None, 1),
        (frame(table((*HAND[:-1], "9m"))), Hint.NOT_WINNING, None, 0),
        (frame(table(), shift=-420), Hint.CUT_OFF, Side.LEFT, 0),
        (frame(table(), shift=420), Hint.CUT_OFF, Side.RIGHT, 0),
        (frame(table(tuple(HAND[:-2])), zoom=0.28), Hint.CLOSER, None, 2),
    ],
    ids=lambda value: str(value) if isinstance(value, Hint) else None,
)
def test_hints_speak_of_the_tiles(pictured: Photo, hint: Hint, side: Side | None, number: int) -> None:
    (seen,) = looks(pictured)
    assert seen.advice is not None
    assert (seen.advice.hint, seen.advice.side, seen.advice.number) == (hint, side, number)
    assert not seen.settled


@pytest.mark.parametrize(("first", "last"), [(5, 7), (12, 13), (0, 1)])
def test_glare_that_hides_tiles_is_glare(first: int, last: int) -> None:
    (seen,) = looks(with_glare(frame(table()), first, last, whole=False))
    assert seen.advice is not None
    assert (seen.advice.hint, seen.advice.number) == (Hint.GLARE, last - first + 1)


def test_tiles_missing_on_a_white_table_are_missing() -> None:
    pixels = table(tuple(HAND[:-2])).copy()
    green = (pixels[..., 1].astype(int) - pixels[..., 0]) > 25
    pixels[green] = 250
    (seen,) = looks(frame(pixels))
    assert seen.advice is not None
    assert seen.advice.hint is not Hint.GLARE


def test_white_tiles_on_a_dark_table_are_no_glare() -> None:
    pixels = table().copy()
    pixels[pixels[..., 1] < 150] //= 3
    (seen,) = looks(Photo(np.clip(frame(pixels).glance.astype(int) * 1.12, 0, 255).astype(np.uint8)))
    assert seen.recognition.tiles[0].role is not Role.STRAY
    assert seen.advice is None
