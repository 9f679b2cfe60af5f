import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from models.rendering import Setting, render_scene
from models.rendering.__main__ import main
from models.rendering.camera import look_at
from models.rendering.hands import LaidHand, random_hand
from models.rendering.layout import KINDS, Proportions, arrange
from models.rendering.optics import Optics
from models.rendering.samples import SAMPLES, Sample, photo
from models.rendering.sets import classic_set
from scorer import BACK, FACES, hand_from_json, score, tiles_away

SIZE = (640, 480)
SHARP = Optics(fall=0, vignette=0, blur=0.2, noise=0, sharpen=0, jpeg=95)
SAMPLE_FOLDER = Path(__file__).parents[2] / "vision" / "samples"


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_gives_the_same_photo(kind: str) -> None:
    one, two = (render_scene(5, size=SIZE, kind=kind) for _ in range(2))
    assert np.array_equal(one.pixels, two.pixels)
    assert [t.face for t in one.tiles] == [t.face for t in two.tiles]
    assert not np.array_equal(one.pixels, render_scene(6, size=SIZE, kind=kind).pixels)


@pytest.mark.parametrize("seed", range(12))
def test_the_truth_fits_the_picture(seed: int) -> None:
    scene = render_scene(seed, size=SIZE)
    assert scene.pixels.shape == (480, 640, 3)
    assert scene.pixels.dtype == np.uint8
    for tile in scene.tiles:
        assert tile.face in (*FACES, BACK)
        assert tile.quad.shape == (4, 2)
        assert cv2.contourArea(tile.quad, oriented=True) > 0  # clockwise with y down
        assert 0 < tile.visible <= 1
        if tile.role != "stray":
            assert tile.quad.min() >= -2
            assert (tile.quad.max(0) <= np.array(SIZE) + 2).all()


@pytest.mark.parametrize("seed", range(6))
def test_a_visible_face_shows_the_tile(seed: int) -> None:
    """Faces have no ink near a corner, so the pixel there has the colour of the tile, not of the table."""
    plain = classic_set()
    hand = random_hand(np.random.default_rng(seed), melds=0, flowers=0)
    setting = Setting(tile_set=plain, optics=SHARP, table="felt", strays=False, hand=hand)
    scene = render_scene(seed, size=SIZE, kind="hand", setting=setting)
    for tile in scene.tiles:
        near = tile.quad[3] + 0.1 * (tile.quad[1] - tile.quad[3])
        red, green, blue = scene.pixels[int(near[1]), int(near[0])].astype(int)
        assert min(red, green, blue) > 60
        assert max(red, green, blue) - min(red, green, blue) < 70, tile


@pytest.mark.parametrize("seed", range(40))
def test_random_hands_win(seed: int) -> None:
    laid = random_hand(np.random.default_rng(seed))
    won, circumstances = hand_from_json(laid.to_json())
    assert (won, circumstances) == (laid.hand, laid.circumstances)
    assert tiles_away(won) == 0
    assert score(won, circumstances).total >= 0


@pytest.mark.parametrize("seed", range(25))
def test_the_tiles_laid_out_are_those_of_the_hand(seed: int) -> None:
    rng = np.random.default_rng(seed)
    arrangement = arrange("hand", rng, Proportions(1.34, 0.7))
    hand = arrangement.hand
    assert hand is not None
    laid = Counter((t.role, t.face) for t in arrangement.tiles if t.face != BACK and t.role != "meld")
    expected = Counter(("concealed", face) for face in hand.hand.concealed)
    expected[("winning", hand.winning_tile)] += 1
    expected.update(("flower", face) for face in hand.flowers)
    assert laid == expected
    melds = sum(1 for t in arrangement.tiles if t.role == "meld")
    assert melds == sum(len(meld.tiles) for meld in hand.melds)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(10))
def test_no_two_tiles_share_a_place(kind: str, seed: int) -> None:
    proportions = Proportions(1.34, 0.7)
    tiles = arrange(kind, np.random.default_rng(seed), proportions).tiles
    outlines = [
        cv2.boxPoints(((t.x, t.y), (0.9, proportions.height * 0.85 if t.tilt < 45 else 0.5), t.turn))
        for t in tiles
    ]
    for i, one in enumerate(tiles):
        for j in range(i):
            if abs(one.lift - tiles[j].lift) < proportions.thickness / 2:
                shared, _ = cv2.intersectConvexConvex(outlines[i], outlines[j])
                assert shared < 0.02, (one, tiles[j])


def test_a_hand_seen_from_across_is_upside_down() -> None:
    def upright(kind: str) -> float:
        scene = render_scene(2, size=SIZE, kind=kind, setting=Setting(roll=0, strays=False))
        rows = [t.quad for t in scene.tiles if t.role == "concealed"]
        return float(np.mean([q[3, 1] - q[0, 1] for q in rows]))  # own bottom below own top

    assert upright("hand") > 0
    assert upright("across") < 0


def test_photographed_faces_replace_drawn_ones() -> None:
    crop = np.full((80, 60, 3), (200, 40, 200), np.uint8)
    faces = {face: [crop] for face in FACES}
    setting = Setting(optics=SHARP, table="felt", strays=False, elevation=80)
    scene = render_scene(1, size=SIZE, kind="hand", faces=faces, setting=setting)
    for tile in scene.tiles:
        if tile.face != BACK and tile.visible > 0.9:
            x, y = tile.quad.mean(0).astype(int)
            red, green, blue = scene.pixels[y, x].astype(int)
            assert min(red, blue) > 1.3 * green


def test_covered_tiles_are_less_visible() -> None:
    shares = [tile.visible for seed in range(8) for tile in render_scene(seed, size=SIZE, kind="hand").tiles]
    assert min(shares) < 0.9
    assert np.median(shares) > 0.97


def test_a_camera_straight_above_keeps_right_angles() -> None:
    above = np.zeros(3)
    camera = look_at(above, distance=500, elevation=90, azimuth=0, roll=0, focal_px=1000)
    corner = camera.project(np.array([[0.0, 0, 0], [50, 0, 0], [0, 50, 0]]))
    assert corner == pytest.approx(np.array([[0, 0], [100, 0], [0, -100]]), abs=1e-6)


def test_the_homography_of_the_table_agrees_with_the_projection() -> None:
    camera = look_at(np.array([10.0, 20, 0]), distance=600, elevation=50, azimuth=30, roll=7, focal_px=900)
    point = np.array([35.0, -12.0, 0])
    u, v, w = camera.ground() @ np.array([35.0, -12.0, 1.0])
    assert camera.project(point) == pytest.approx(np.array([u / w, v / w]))


def test_a_hand_is_laid_with_its_own_tiles_only() -> None:
    laid = random_hand(np.random.default_rng(3), melds=0, flowers=2)
    with pytest.raises(ValueError, match="concealed tiles"):
        LaidHand(laid.hand, laid.circumstances, laid.row[1:], laid.flowers)
    with pytest.raises(ValueError, match="flowers"):
        LaidHand(laid.hand, laid.circumstances, laid.row)


def test_bad_requests_are_refused() -> None:
    with pytest.raises(ValueError, match="no arrangement"):
        render_scene(0, kind="pyramid")
    with pytest.raises(ValueError, match="at least 64 pixels"):
        render_scene(0, size=(10, 480))


def test_the_command_writes_photos_and_labels(tmp_path: Path) -> None:
    arguments = ["--out", str(tmp_path), "--count", "2", "--seed", "3", "--width", "320", "--height", "240"]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    lines = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    assert len(lines) == 2
    for line in lines:
        assert (tmp_path / line["image"]).stat().st_size > 1000
        assert {"face", "box", "quad", "role", "group", "sideways", "visible"} == set(line["tiles"][0])
    failed = CliRunner().invoke(main, ["--out", str(tmp_path / "no"), "--width", "3"])
    assert failed.exit_code == 1
    assert "at least 64 pixels" in failed.output
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_bundled_samples_are_legal_wins_and_as_rendered(sample: Sample) -> None:
    stored = json.loads((SAMPLE_FOLDER / f"{sample.name}.json").read_text(encoding="utf-8"))
    hand, circumstances = hand_from_json(stored["hand"])
    assert score(hand, circumstances).legal
    assert (SAMPLE_FOLDER / f"{sample.name}.jpg").stat().st_size < 350_000
    _, truth = photo(sample)
    again = json.loads(truth)
    assert again["hand"] == stored["hand"]
    for tile, before in zip(again["tiles"], stored["tiles"], strict=True):
        assert (tile["face"], tile["role"], tile["sideways"]) == (
            before["face"],
            before["role"],
            before["sideways"],
        )
        assert np.allclose(tile["quad"], before["quad"], atol=0.5)
    own = [tile for tile in stored["tiles"] if tile["role"] != "stray"]
    assert all(tile["visible"] > 0.9 for tile in own)


def test_the_sides_of_tiles_that_nothing_touches_are_told() -> None:
    """From a low seat in front: the near side of each tile of a row, and the outer sides at its ends at most."""
    hand = random_hand(np.random.default_rng(1), melds=0, flowers=0)
    setting = Setting(classic_set(), SHARP, "felt", elevation=35, azimuth=0, roll=0, strays=False, hand=hand)
    scene = render_scene(3, size=SIZE, kind="hand", setting=setting)
    sides = [side for tile in scene.tiles for side in tile.sides]
    assert len(scene.tiles) <= len(sides) <= 2 * (len(scene.tiles) + 4)
    for tile in scene.tiles:
        for side in tile.sides:
            assert cv2.contourArea(side, oriented=True) > 0
            covered, _ = cv2.intersectConvexConvex(side, tile.quad)
            assert covered < 0.15 * cv2.contourArea(side)
