"""A learned set in use: its tiles are read correctly, and other sets as before."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.layout.laid_out import ROWS, SIGNS, lay_out
from tests.vision.samples import NAMES, SAMPLES, circumstances_of
from vision.networks.detector import Detector
from vision.networks.reader import Looks, Reader, cut_crops
from vision.networks.sessions import open_session
from vision.photo import Photo, load_photo
from vision.recognition import Recognition, recognise
from vision.tiles import CLASS_INDEX, CLASSES, Tiles
from vision.tilesets import SecondOpinion, TileSet, learn, load_tileset, second_opinion
from vision.tilesets.confirm import in_order, places
from vision.tilesets.similarity import turned_features

HAND = [["1m", "2m", "3m", "5z", "5z", "5z", "6z", "6z", "6z", "7z", "7z", "7z", "9p"]]


def find(photo: Photo) -> Tiles:
    tiles = Reader(open_session("reader")).read(photo, Detector(open_session("detector")).detect(photo))
    return places(tiles)


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TileSet]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FANLENS_HOME", str(tmp_path_factory.mktemp("home")))
        photo = lay_out(ROWS, stranger=True)
        learn("stranger", photo, in_order(find(photo)).tiles)
        yield load_tileset("stranger")


def faces_in_place(recognition: Recognition) -> list[str]:
    """The faces from left to right."""
    return [
        tile.face for tile in sorted(recognition.tiles, key=lambda tile: tile.quad[0][0] + tile.quad[2][0])
    ]


@pytest.mark.parametrize(("tilt", "dim"), [(0.0, 1.0), (0.06, 0.75)])
def test_dragons_of_a_strange_set_are_read_after_they_were_taught(
    stranger: TileSet, tilt: float, dim: float
) -> None:
    photo = lay_out(HAND, stranger=True, tilt=tilt, dim=dim, seed=4)
    alone = faces_in_place(recognise(photo))
    helped = recognise(photo, tileset=stranger)
    assert alone != HAND[0]
    assert faces_in_place(helped) == HAND[0]
    signs = [tile for tile in helped.tiles if tile.face in SIGNS]
    assert min(tile.confidence for tile in signs) > 0.5


def test_a_strange_set_is_read_from_across_the_table(stranger: TileSet) -> None:
    photo = lay_out(HAND, stranger=True, across=True, seed=8)
    assert faces_in_place(recognise(photo, tileset=stranger)) == HAND[0][::-1]


@pytest.mark.parametrize("name", NAMES)
def test_other_sets_are_read_as_without_the_tile_set(
    stranger: TileSet, seen: dict[str, Recognition], name: str
) -> None:
    alone = seen[name]
    beside = recognise(load_photo(SAMPLES / f"{name}.jpg"), circumstances_of(name), tileset=stranger)
    assert [tile.face for tile in beside.tiles] == [tile.face for tile in alone.tiles]
    assert beside.hand == alone.hand


def looks_of(photo: Photo) -> Looks:
    return Reader(open_session("reader")).look(cut_crops(photo, find(photo).quads))


def test_faces_without_references_lose_nothing(stranger: TileSet) -> None:
    few = [each for each in stranger.references if each.face in ("1m", "5p", "5z")]
    looks = looks_of(lay_out(ROWS[:3], seed=6))
    before = looks.probabilities.argmax(1)
    after = second_opinion(few)(looks)
    assert (after.probabilities.argmax(1) == before).all()
    assert np.allclose(after.probabilities.sum(1), 1, atol=1e-5)


def test_a_photo_without_tiles_is_left_alone(stranger: TileSet) -> None:
    empty = Reader(open_session("reader")).look(np.empty((0, 64, 64, 3), np.uint8))
    assert len(second_opinion(stranger.references)(empty).probabilities) == 0
    assert recognise(Photo(np.full((200, 300, 3), 90, np.uint8)), tileset=stranger).tiles == ()


def test_the_reader_decides_when_references_contradict_each_other(stranger: TileSet) -> None:
    told = [each for each in stranger.references if each.face in ("1m", "2m", "3m", "4m")]
    wrong = replace(next(each for each in told if each.face == "1m"), face="4m")
    looks = looks_of(lay_out([["1m", "2m", "3m", "4m", "5m"]], seed=7))
    faces = [CLASSES[index] for index in second_opinion([*told, wrong])(looks).probabilities.argmax(1)]
    assert sorted(faces) == ["1m", "2m", "3m", "4m", "5m"]


def synthetic() -> tuple[SecondOpinion, np.ndarray]:
    """Two known faces with features at right angles, and those features."""
    features = np.eye(8, dtype=np.float32)[:2]
    return SecondOpinion(["1m", "2m"], np.repeat(features[:, None], 4, axis=1)), features


def look(features: np.ndarray, **odds: float) -> Looks:
    row = np.full(44, 1e-4, np.float32)
    for face, probability in odds.items():
        row[CLASS_INDEX[face.strip("_")]] = probability
    rows = np.repeat((row / row.sum())[None], len(features), axis=0)
    return Looks(rows, np.full((len(features), 4), 0.25, np.float32), features)


def test_likeness_decides_between_known_faces_and_not_against_strange_ones() -> None:
    opinion, features = synthetic()
    alike = opinion(look(features[:1], _1m=0.4, _2m=0.6)).probabilities[0]
    assert alike[CLASS_INDEX["1m"]] > 0.9
    elsewhere = np.eye(8, dtype=np.float32)[5:6]
    unlike = opinion(look(elsewhere, _9s=0.6, _1m=0.4)).probabilities[0]
    assert unlike[CLASS_INDEX["9s"]] == pytest.approx(0.6, abs=0.1)


def test_references_are_ignored_when_sure_tiles_do_not_look_like_them() -> None:
    opinion, features = synthetic()
    strange = np.eye(8, dtype=np.float32)[4:8]
    tiles = Looks(
        np.concatenate(
            [look(strange, _1m=0.99).probabilities, look(features[:1], _9s=0.9, _1m=0.1).probabilities]
        ),
        np.full((5, 4), 0.25, np.float32),
        np.concatenate([strange, features[:1]]),
    )
    assert np.allclose(opinion(tiles).probabilities, tiles.probabilities, atol=1e-6)


def test_references_know_all_four_ways_up(stranger: TileSet) -> None:
    reader = Reader(open_session("reader"))
    crops = np.stack([each.crop for each in stranger.references[:5]])
    features = turned_features(reader, crops)
    upside_down = reader.look(np.ascontiguousarray(np.rot90(crops, 2, axes=(1, 2)))).features
    assert np.allclose(features[:, 2], upside_down, atol=1e-3)
    assert features.shape[:2] == (5, 4)
