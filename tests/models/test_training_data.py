"""Training data: quads from boxes, patches and crops, changes of light and lens. Needs no torch."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.training.augment import change_lens, change_light
from models.training.crops import (
    CROP,
    FACE,
    PATCH,
    Patches,
    blank_dragons,
    draw_crop,
    patch_of,
    photo_patches,
    plain_backs,
    plain_crop,
    without_white_backs,
)
from models.training.drawn import drawn_patches
from models.training.labels import BOXES_ON_PARTS, corners, quads_from_boxes, read_training_photos
from models.training.scenes import is_of_drawn_tiles, render
from models.training.strays import _sure_face, _unlabelled
from vision.tiles import CLASSES, FACES, Tiles


def turned_row(degrees: float, tiles: int = 13) -> np.ndarray:
    """The quads of a row of touching tiles, 30 wide and 40 high, turned around the origin."""
    angle = np.deg2rad(degrees)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    first = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], float)
    return np.stack([first + [30 * i, 0] for i in range(tiles)]) @ turn + 500


@pytest.mark.parametrize("degrees", [0, 2, 10, 25, 40, -15, -35])
def test_the_boxes_of_a_turned_row_give_its_quads(degrees: float) -> None:
    true = turned_row(degrees)
    quads, oriented = quads_from_boxes(np.concatenate([true.min(1), true.max(1)], 1))
    assert oriented
    if abs(degrees) >= 4:
        assert np.abs(quads - true).max() < 2.5
    else:
        assert np.abs(quads - true).max() < 4


def test_scattered_square_boxes_have_no_known_direction() -> None:
    rng = np.random.default_rng(0)
    places = rng.uniform(0, 2000, (8, 2))
    assert not quads_from_boxes(np.concatenate([places, places + 40], 1))[1]


def test_corners_run_clockwise_from_the_top_left() -> None:
    assert corners(np.array([[1.0, 2, 5, 9]])).tolist() == [[[1, 2], [5, 2], [5, 9], [1, 9]]]


def test_the_face_fills_the_middle_of_a_patch() -> None:
    picture = np.zeros((600, 600, 3), np.uint8)
    quad = turned_row(20, 1)[0] - 250
    cv2.fillConvexPoly(picture, np.rint(quad * 1).astype(np.int32), (255, 255, 255))
    patch = patch_of(picture, quad)
    low = (PATCH - FACE) // 2
    assert patch[low + 6 : -low - 6, low + 6 : -low - 6].min() > 200
    assert patch[: low - 6].max() < 60


def test_a_quarter_turn_clockwise_moves_the_top_left_to_the_top_right() -> None:
    patch = np.zeros((PATCH, PATCH, 3), np.uint8)
    patch[24:44, 24:44] = 255
    assert plain_crop(patch)[8:18, 8:18].min() == 255
    assert plain_crop(patch, 1)[8:18, -18:-8].min() == 255
    drawn = np.mean([draw_crop(patch, 1, np.random.default_rng(seed)).mean(2) for seed in range(20)], 0)
    assert drawn[:32, 32:].mean() > 2 * max(drawn[:32, :32].mean(), drawn[32:].mean())


def test_the_same_seed_draws_the_same_crop() -> None:
    patch = np.random.default_rng(1).integers(0, 256, (PATCH, PATCH, 3), np.uint8)
    one, other = (draw_crop(patch, 2, np.random.default_rng(7)) for _ in range(2))
    assert one.shape == (CROP, CROP, 3)
    assert np.array_equal(one, other)


@pytest.mark.parametrize("change", [change_light, change_lens])
def test_changes_of_light_and_lens_keep_shape_and_type(change) -> None:
    picture = np.random.default_rng(2).integers(0, 256, (64, 96, 3), np.uint8)
    for seed in range(30):
        result = change(picture, np.random.default_rng(seed))
        assert result.shape == picture.shape
        assert result.dtype == np.uint8


def test_drawn_and_painted_tiles_are_labelled() -> None:
    drawn = drawn_patches(28, np.random.default_rng(3))
    assert drawn.pixels.shape == (28, PATCH, PATCH, 3)
    assert set(drawn.labels) <= set(range(len(FACES)))
    backs = plain_backs(drawn, 5, np.random.default_rng(4))
    assert {CLASSES[label] for label in backs.labels} == {"back"}
    both: Patches = drawn + backs
    assert len(both.labels) == len(both.pixels) == len(both.origin) == len(both.turns) == 33


def test_rendered_scenes_have_quads_and_a_second_run_adds_the_missing_ones(tmp_path: Path) -> None:
    class Options:
        out, count, seed, tile_crops, sheets, hold_out = tmp_path, 1, 5, None, [], []

    render(Options)
    Options.count = 2
    render(Options)
    photos = read_training_photos(tmp_path / "labels.jsonl", "train")
    assert [photo.path.name for photo in photos] == ["scene-000005.jpg", "scene-000006.jpg"]
    assert all(photo.oriented and photo.pixels().ndim == 3 for photo in photos)
    lines = (tmp_path / "labels.jsonl").read_text().splitlines()
    assert len(lines) == 2
    assert len(json.loads(lines[0])["tiles"]) == len(photos[0].faces)


def test_the_name_of_a_scene_tells_whether_its_tiles_are_drawn(tmp_path: Path) -> None:
    violet = np.full((80, 60, 3), (200, 20, 200), np.uint8)
    cv2.imwrite(str(tmp_path / "violet.png"), violet[..., ::-1])
    rows = [{"image": "violet.png", "face": face, "set": "violet"} for face in FACES]
    (tmp_path / "crops.jsonl").write_text("\n".join(map(json.dumps, rows)))

    class Options:
        out, count, seed = tmp_path / "scenes", 4, 1
        tile_crops, sheets, hold_out = tmp_path / "crops.jsonl", [], []

    render(Options)
    shares = {}
    for photo in read_training_photos(tmp_path / "scenes" / "labels.jsonl"):
        red, green, blue = photo.pixels().astype(int).transpose(2, 0, 1)
        shares[photo.path.name] = ((red > green + 25) & (blue > green + 25)).mean()
    drawn = [share for name, share in shares.items() if is_of_drawn_tiles(name)]
    photographed = [share for name, share in shares.items() if not is_of_drawn_tiles(name)]
    assert len(drawn) == len(photographed) == 2
    assert max(drawn) < 0.25 * min(photographed)


def test_photos_whose_boxes_cover_only_parts_of_tiles_are_dropped(tmp_path: Path) -> None:
    tiles = [{"face": "3m", "box": [0, 0, 30, 40]}]
    names = ["a.jpg", *(f"{name}.jpg" for name in BOXES_ON_PARTS)]
    lines = [json.dumps({"image": f"images/{name}", "tiles": tiles}) for name in names]
    (tmp_path / "labels.jsonl").write_text("\n".join(lines))
    assert [photo.path.name for photo in read_training_photos(tmp_path / "labels.jsonl")] == ["a.jpg"]


def test_pale_face_down_tiles_are_dropped_and_others_kept() -> None:
    colours = {"white back": (240, 238, 230), "grey back": (150, 150, 148), "blue back": (40, 90, 200)}
    colours |= {"dark back": (30, 32, 34), "white dragon": (240, 238, 230)}
    patches = Patches.of(
        [
            (
                np.full((PATCH, PATCH, 3), colour, np.uint8),
                CLASSES.index("7z" if name == "white dragon" else "back"),
                name,
                (1.0, 0.0, 0.0, 0.0),
            )
            for name, colour in colours.items()
        ]
    )
    assert list(without_white_backs(patches).origin) == ["blue back", "dark back", "white dragon"]


def test_strays_are_the_finds_outside_labelled_tiles(tmp_path: Path) -> None:
    square = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)
    at = np.array([[100, 100], [104, 103], [300, 100], [95, 90]], np.float32)
    quads = square + at[:, None]
    quads[3] *= 1.3  # a find far too large, around the labelled tile
    quads[3] -= quads[3].mean(0) - (115, 120)
    row = {"image": "a.jpg", "tiles": [{"face": "1m", "box": [100, 100, 130, 140]}]}
    (tmp_path / "labels.jsonl").write_text(json.dumps(row))
    photo = read_training_photos(tmp_path / "labels.jsonl")[0]
    tiles = Tiles(quads, np.full((4, len(CLASSES)), 1 / len(CLASSES), np.float32), np.ones(4, np.float32))
    assert list(_unlabelled(photo, tiles)) == [2]
    assert _sure_face(tiles, 2) is None


def test_labels_are_read_with_corrections(tmp_path: Path) -> None:
    row = {"image": "a.jpg", "tiles": [{"face": "3m", "box": [0, 0, 30, 40]}]}
    (tmp_path / "labels.jsonl").write_text(json.dumps(row))
    wrong = {"image": "a.jpg", "label": row["tiles"][0], "correct": {"face": "2m"}, "reason": "misnamed"}
    (tmp_path / "wrong.jsonl").write_text(json.dumps({**wrong, "proof": "two strokes"}))
    assert read_training_photos(tmp_path / "labels.jsonl")[0].faces == ("3m",)
    assert read_training_photos(tmp_path / "labels.jsonl", None, tmp_path / "wrong.jsonl")[0].faces == ("2m",)


def labels_of(folder: Path, **row: object) -> Path:
    cv2.imwrite(str(folder / "photo.png"), np.full((300, 400, 3), (30, 90, 40), np.uint8))
    path = folder / "labels.jsonl"
    path.write_text(
        json.dumps({"image": "photo.png", "split": "train", "tiles": [], **row}), encoding="utf-8"
    )
    return path


def test_where_a_box_covers_a_part_the_tile_is_somewhere_around(tmp_path: Path) -> None:
    whole = {"face": "1m", "box": [10, 10, 50, 60]}
    part = {"face": "1f", "box": [200, 100, 240, 112], "partial_box": True}
    (photo,) = read_training_photos(labels_of(tmp_path, tiles=[whole, part]))
    assert photo.faces == ("1m",)
    (unsure,) = photo.unsure
    assert unsure.min(0).tolist() == [176, 62]
    assert unsure.max(0).tolist() == [264, 150]


def test_places_where_nothing_is_teach_none(tmp_path: Path) -> None:
    quads = [[[x, 10], [x + 40, 10], [x + 40, 50], [x, 50]] for x in (10, 60, 110)]
    photos = read_training_photos(labels_of(tmp_path, scene="nothing", nothing=quads))
    patches = photo_patches(photos, np.random.default_rng(1), mistakes_per_photo=2)
    assert [CLASSES[label] for label in patches.labels] == ["none", "none"]
    assert patches.origin.tolist() == ["mistake", "mistake"]


def test_a_blank_dragon_has_the_colour_of_the_tile_it_was_made_of() -> None:
    patch = np.full((PATCH, PATCH, 3), 60, np.uint8)
    low, high = (PATCH - FACE) // 2, (PATCH + FACE) // 2
    patch[low:high, low:high] = (230, 225, 210)
    patch[50:60, 50:60] = (200, 20, 20)
    some = Patches.of([(patch, CLASSES.index("5z"), "photo:tray", (0.25,) * 4)])
    made = blank_dragons(some, 5, np.random.default_rng(2))
    assert [CLASSES[label] for label in made.labels] == ["7z"] * 5
    middles = made.pixels[:, 52:58, 52:58].reshape(-1, 3).mean(0)
    assert np.abs(middles - (230, 225, 210)).max() < 12
