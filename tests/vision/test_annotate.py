"""The annotated picture: roles by colour and line, doubts by shape, names readable."""

from typing import Any

import numpy as np

from vision.annotate import annotate
from vision.layout.roles import Role
from vision.photo import Photo
from vision.recognition import interpret
from vision.tiles import Tiles


def scene(table: Any, *, doubtful: bool) -> tuple[Photo, Any]:
    table.row("1f 1m 2m 3m 4m 5m 6m 9s 9s", 0, 0)
    table.row("5z 5z~ 5z", 10 * 32, 0)
    table.row("7p 8p", -50 - 64, 0)
    table.put("9p", -200, 0, sure=0.6 if doubtful else 0.99, rival="8p")
    table.put("4s", 100, -220, turn=40)
    tiles = table.tiles()
    return Photo(np.full((1200, 1200, 3), 128, np.uint8), "hand"), interpret(tiles, (1200, 1200))


def test_every_role_leaves_its_mark(table: Any) -> None:
    photo, recognition = scene(table, doubtful=False)
    picture = annotate(photo, recognition)
    assert picture.dtype == np.uint8
    assert picture.shape[2] == 3
    assert picture.shape[0] > photo.height  # small tiles are enlarged
    factor = picture.shape[0] / photo.height
    for tile in recognition.tiles:
        (x0, y0), (x1, y1) = np.min(tile.quad, axis=0) * factor, np.max(tile.quad, axis=0) * factor
        part = picture[int(y0) - 2 : int(y1) + 3, int(x0) - 2 : int(x1) + 3]
        assert (part != 128).any(axis=2).mean() > 0.02, tile.role
    colours = np.unique(picture.reshape(-1, 3)[::7].astype(np.uint32) @ [1 << 16, 1 << 8, 1])
    assert len(colours) > len(Role)


def test_a_doubt_is_drawn_as_a_shape(table: Any) -> None:
    photo, doubtful = scene(table, doubtful=True)
    tile = next(tile for tile in doubtful.tiles if tile.doubt is not None)
    with_doubt = annotate(photo, doubtful)
    yellow = (np.abs(with_doubt.astype(np.int16) - [250, 205, 20]).sum(axis=2) < 30).nonzero()
    factor = with_doubt.shape[0] / photo.height
    assert len(yellow[0]) > 20
    assert abs(yellow[1].mean() / factor - np.mean(tile.quad, axis=0)[0]) < 20


def test_the_photo_itself_is_left_alone(table: Any) -> None:
    photo, recognition = scene(table, doubtful=False)
    annotate(photo, recognition)
    assert (photo.pixels == 128).all()


def test_a_photo_without_tiles_is_returned_as_it_is() -> None:
    photo = Photo(np.full((60, 80, 3), 7, np.uint8))
    assert (annotate(photo, interpret(Tiles.empty(), (80, 60))) == 7).all()


def test_a_huge_photo_is_shrunk(table: Any) -> None:
    for face in ("1m", "2m"):
        table.put(face, 0 if face == "1m" else 400, 0, scale=12)
    photo = Photo(np.zeros((6000, 8000, 3), np.uint8))
    recognition = interpret(table.tiles(), (8000, 6000))
    height, width, _ = annotate(photo, recognition).shape
    assert height * width <= 8_100_000
