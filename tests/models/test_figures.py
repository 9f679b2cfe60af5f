"""The figures of the model card: harms, counts of tiles, and sections between hand-written text."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from models.figures.card import CARD, CardError, accuracy, replace_section, summary, write_section
from models.figures.distort import HARMS, LONGEST_PX, Harm, cover, expose, resize, rotate, shine, tilt
from models.figures.hands import HandResult
from models.figures.hands import measure as measure_hands
from models.figures.hands import section as hands_section
from models.figures.plot import Panel, draw
from models.figures.robustness import SHARES, Curve, flagging, measure, sample, section, table
from models.figures.specimens import (
    ENOUGH_SEEN,
    Quads,
    Specimen,
    TileCounts,
    compare,
    nearest,
    of_rendered,
    total,
)
from models.rendering import render_scene
from models.rendering.hands import LaidHand, same_hand
from scorer import Circumstances, Hand, Meld
from vision.evaluation.labels import LabelledPhoto, LabelledTile
from vision.evaluation.measure import Evaluation
from vision.evaluation.measure import compare as compare_boxes
from vision.recognition import Recognition, interpret
from vision.tiles import CLASS_INDEX, CLASSES, Tiles

RNG = np.random.default_rng(3)
NEUTRAL = {"rotation": 0, "blur": 0, "brightness": 1, "colour cast": 0, "JPEG": 100, "perspective": 0, "covered": 0,
           "noise": 0, "glare": 0}  # fmt: skip


def quad_at(x: float, y: float, width: float = 30, height: float = 40) -> list[list[float]]:
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]


@pytest.fixture
def specimen() -> Specimen:
    """Three white tiles with a red upper left quarter, on green."""
    pixels = np.full((240, 320, 3), (20, 90, 40), np.uint8)
    places = [(40, 60), (140, 100), (250, 150)]
    for x, y in places:
        pixels[y : y + 40, x : x + 30] = 230
        pixels[y : y + 20, x : x + 15] = (220, 30, 30)
    quads = np.array([quad_at(x, y) for x, y in places], np.float32)
    return Specimen("three", "photo", pixels, quads, ("1m", "2m", "3m"))


def reading(specimen: Specimen, faces: str, *, sure: float = 0.999, moved: float = 0.0) -> Recognition:
    """The recognition of finds on the tiles with these faces, moved by `moved` pixels."""
    named = faces.split()
    probabilities = np.full((len(named), len(CLASSES)), (1 - sure) / (len(CLASSES) - 1), np.float32)
    probabilities[range(len(named)), [CLASS_INDEX[face] for face in named]] = sure
    quads = specimen.quads[: len(named)] + np.float32(moved)
    tiles = Tiles(quads, probabilities, np.full(len(named), 0.9, np.float32))
    return interpret(tiles, (specimen.pixels.shape[1], specimen.pixels.shape[0]))


def at(pixels: np.ndarray, quad: Quads, right: float, down: float) -> np.ndarray:
    """The colour at a place in a quad, given in shares of its sides."""
    place = quad[0] + (quad[1] - quad[0]) * right + (quad[3] - quad[0]) * down
    return pixels[round(float(place[1])), round(float(place[0]))].astype(int)


@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.name)
def test_every_harm_has_a_level_that_changes_nothing(harm: Harm, specimen: Specimen) -> None:
    level = NEUTRAL.get(harm.name, specimen.size_px)
    assert level in harm.levels or harm.name == "tile size"
    same = harm.apply(specimen, level, RNG)
    assert np.array_equal(same.pixels, specimen.pixels)
    assert np.allclose(same.quads, specimen.quads)


@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.name)
def test_every_harm_at_its_worst_changes_the_picture(harm: Harm, specimen: Specimen) -> None:
    before = specimen.pixels.copy()
    for level in (harm.levels[0], harm.levels[-1]):
        worse = harm.apply(specimen, level, RNG)
        if level != NEUTRAL.get(harm.name):
            assert worse.pixels.shape != before.shape or not np.array_equal(worse.pixels, before)
    assert np.array_equal(specimen.pixels, before)


@pytest.mark.parametrize("degrees", [15, 45, 90, 135, 180, 270])
def test_the_quads_turn_with_the_tiles(specimen: Specimen, degrees: float) -> None:
    turned = rotate(specimen, degrees, RNG)
    assert turned.faces == specimen.faces
    for quad in turned.quads:
        assert at(turned.pixels, quad, 0.25, 0.25)[1] < 100  # red
        assert at(turned.pixels, quad, 0.75, 0.75)[1] > 180  # white


@pytest.mark.parametrize("degrees", [15, 45, 65])
def test_the_quads_lie_down_with_the_picture(specimen: Specimen, degrees: float) -> None:
    lying = tilt(specimen, degrees, RNG)
    assert lying.faces == specimen.faces
    for quad in lying.quads:
        assert at(lying.pixels, quad, 0.25, 0.25)[1] < 110
        assert at(lying.pixels, quad, 0.75, 0.75)[1] > 170
    far, near = lying.quads[0], lying.quads[-1]
    assert np.ptp(near[:, 0]) > np.ptp(far[:, 0])


@pytest.mark.parametrize("size", [12, 100, 400])
def test_tiles_get_this_size_and_pictures_stay_within_twelve_megapixels(
    specimen: Specimen, size: float
) -> None:
    resized = resize(specimen, size, RNG)
    assert resized.size_px == pytest.approx(size, rel=0.05)
    assert max(resized.pixels.shape) <= LONGEST_PX + 1
    assert at(resized.pixels, resized.quads[0], 0.75, 0.75)[1] > 180


def test_tiles_that_are_cut_off_do_not_count(specimen: Specimen) -> None:
    left = specimen.seen(specimen.pixels[:, :200], specimen.quads)
    assert left.faces == ("1m", "2m")


def test_this_share_of_each_tile_is_covered(specimen: Specimen) -> None:
    covered = cover(specimen, 30, np.random.default_rng(1))
    for quad in specimen.quads.astype(int):
        (x0, y0), (x1, y1) = quad[0], quad[2]
        changed = (covered.pixels[y0:y1, x0:x1] != specimen.pixels[y0:y1, x0:x1]).any(2).mean()
        assert changed == pytest.approx(0.3, abs=0.08)


def test_light_is_multiplied_and_glare_is_white(specimen: Specimen) -> None:
    assert at(expose(specimen, 0.5, RNG).pixels, specimen.quads[0], 0.75, 0.75)[1] == 115
    assert expose(specimen, 3, RNG).pixels.max() == 255
    assert shine(specimen, 90, RNG).pixels.astype(int).sum() > specimen.pixels.astype(int).sum()


def test_finds_are_counted(specimen: Specimen) -> None:
    assert compare(specimen, reading(specimen, "1m 2m 3m")).recall == 1
    one_wrong = compare(specimen, reading(specimen, "1m 2m 4m"))
    assert (one_wrong.tiles, one_wrong.found, one_wrong.right) == (3, 3, 2)
    one_missed = compare(specimen, reading(specimen, "1m 2m"))
    assert (one_missed.tiles, one_missed.found, one_missed.right) == (3, 2, 2)
    assert compare(specimen, reading(specimen, "1m 2m 3m", moved=20)).found == 0


def test_no_find_counts_twice(specimen: Specimen) -> None:
    doubled = Specimen("twice", "photo", specimen.pixels, specimen.quads[[0, 0]], ("1m", "1m"))
    assert Counter(nearest(doubled.quads, reading(specimen, "1m 2m"))) == {0: 1, None: 1}


def test_doubts_are_counted(specimen: Specimen) -> None:
    row = np.array([quad_at(20 + 32 * at, 60) for at in range(9)], np.float32)
    faces = ("1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s")
    tiles = Specimen("row", "photo", specimen.pixels, row, faces)
    counted = compare(tiles, reading(tiles, "1m 2m 3m 4p 5p 6p 7s 8s 1s", sure=0.92))
    assert (counted.wrong, counted.wrong_flagged) == (1, 1)
    assert counted.right_in_hand == counted.right_flagged == 8
    calm = compare(tiles, reading(tiles, "1m 2m 3m 4p 5p 6p 7s 8s 9s"))
    assert (calm.wrong, calm.right_in_hand, calm.right_flagged) == (0, 9, 0)


def test_counts_add_up() -> None:
    both = total([TileCounts(4, 3, 2, 1, 1, 2, 0), TileCounts(6, 6, 6, 0, 0, 6, 1)])
    assert both == TileCounts(10, 9, 8, 1, 1, 8, 1)
    assert both.recall == 0.8
    assert TileCounts().recall == 0


def labelled(scene: str, number: int) -> LabelledPhoto:
    return LabelledPhoto(Path(f"{scene}-{number}.jpg"), (LabelledTile("1m", (0, 0, 30, 40)),), scene=scene)


def test_the_sample_is_drawn_by_scene_and_repeatable() -> None:
    photos = [labelled(scene, number) for scene in SHARES for number in range(40)]
    drawn = sample(photos, 14)
    assert Counter(photo.scene for photo in drawn) == SHARES
    assert drawn == sample(photos, 14)
    assert drawn != sample(photos, 14, seed=1)
    assert len(sample(photos, 28)) == 28


def test_tiles_of_a_rendered_hand_count_but_its_strays_do_not() -> None:
    scene = render_scene(5, kind="row", size=(640, 480))
    shown = of_rendered(scene, "row")
    assert shown.source == "rendered"
    assert 0 < len(shown.faces) <= sum(tile.role != "stray" for tile in scene.tiles)
    assert shown.quads.shape == (len(shown.faces), 4, 2)
    grid = render_scene(5, kind="grid", size=(640, 480))
    assert len(of_rendered(grid, "grid").faces) == sum(tile.visible >= ENOUGH_SEEN for tile in grid.tiles) > 8


def test_curves_table_and_section_from_a_real_reading() -> None:
    shown = of_rendered(render_scene(910_003, kind="row", size=(960, 720)), "row")
    photo = Specimen("as a photo", "photo", shown.pixels, shown.quads, shown.faces)
    harm = Harm("brightness", "times", (0.01, 1), expose)
    (curve,) = measure([shown, photo], [harm])
    dark, plain = curve.both()
    assert dark.tiles == plain.tiles == 2 * len(shown.faces)
    assert dark.recall < plain.recall
    assert plain.recall > 0.5
    assert flagging([curve]) == dark + plain
    assert "| brightness, times | 0.01: " in table([curve])
    text = section([curve], [shown, photo])
    assert "1 photos and 1 rendered scenes" in text
    assert "docs/pictures/robustness.svg" in text


ROW = ("1m", "2m", "3m", "4p", "5p", "6p", "1z")
MELDS = (Meld.pung("5z"), Meld.chow("7s"))
LAID = LaidHand.of(ROW, "1z", MELDS, ("8f", "1f"), Circumstances(self_drawn=True))
READ = Hand(ROW[::-1], MELDS[::-1], "1z", ("1f", "8f"))


def test_hands_are_compared_in_any_order_and_in_all_their_parts() -> None:
    assert same_hand(LAID, READ)
    assert not same_hand(LAID, replace(READ, flowers=("1f",)))
    assert not same_hand(
        LAID, replace(READ, winning_tile="1m", concealed=("1z", "1z", *READ.concealed[1:-1]))
    )
    assert not same_hand(LAID, replace(READ, melds=(Meld.pung("6z"), Meld.chow("7s"))))
    assert not same_hand(LAID, replace(READ, melds=(Meld.pung("5z"), Meld.chow("6s"))))
    without_flowers = LaidHand.of(ROW, "1z", MELDS)
    assert same_hand(without_flowers, replace(READ, flowers=()))
    assert not same_hand(without_flowers, replace(READ, flowers=2))
    assert not same_hand(LAID, None)
    assert not same_hand(None, READ)


def test_a_rendered_hand_is_read() -> None:
    (result,) = measure_hands(1)
    assert 0 < result.roles <= result.found <= result.tiles
    assert result.named <= result.found
    text = hands_section([result, HandResult(10, 9, 8, 7, exact=False)])
    assert "of the 2 hands are read exactly" in text


def test_a_curve_needs_counts_for_every_level() -> None:
    with pytest.raises(ValueError, match="2 levels"):
        Curve(Harm("brightness", "times", (0.1, 1), expose), {"photo": (TileCounts(),)})


def test_plots_are_svg_with_a_point_for_every_level() -> None:
    panel = Panel("blur <&>", "%", ("0", "1", "2"), {"photos": (1.0, 0.5, 0.0), "rendered": (0.9, 0.4, 0.1)})
    text = draw([panel] * 5, "recall")
    assert text == draw([panel] * 5, "recall")
    root = ET.fromstring(text)  # noqa: S314 (our own text)
    words = Counter(element.text for element in root.iter("{http://www.w3.org/2000/svg}text"))
    assert (words["blur <&>"], words["recall"], words["photos"], words["rendered"]) == (5, 1, 1, 1)
    marks = Counter(use.get("style") for use in root.iter("{http://www.w3.org/2000/svg}use"))
    in_colour = {style: number for style, number in marks.items() if style and "fill" in style}
    assert list(in_colour.values()) == [5 * 3 + 1] * 2  # and one for the legend
    with pytest.raises(ValueError, match="needs a share"):
        Panel("x", "", ("0", "1"), {"photos": (1.0,)})


def test_only_the_text_between_the_marks_changes(tmp_path: Path) -> None:
    card = tmp_path / "card.md"
    card.write_text("by hand\n<!-- figures:x -->\nold\n<!-- /figures:x -->\nby hand too\n", encoding="utf-8")
    write_section("x", "new | 1\n", card)
    text = "by hand\n<!-- figures:x -->\nnew | 1\n<!-- /figures:x -->\nby hand too\n"
    assert card.read_text(encoding="utf-8") == text
    assert list(tmp_path.iterdir()) == [card]
    with pytest.raises(CardError, match="figures:y"):
        write_section("y", "new", card)
    assert card.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "name",
    [
        "accuracy",
        "phone-rows",
        "untiled",
        "held-out",
        "hands",
        "layout",
        "tables",
        "hand-sets",
        "robustness",
        "speed",
    ],
)
def test_the_card_has_every_section(name: str) -> None:
    assert "\nnothing\n" in replace_section(CARD.read_text(encoding="utf-8"), name, "nothing")


def test_the_readme_has_its_summary() -> None:
    readme = (CARD.parents[1] / "README.md").read_text(encoding="utf-8")
    assert "\nnothing\n" in replace_section(readme, "summary", "nothing")


def test_accuracy_shows_corrected_and_original_labels(specimen: Specimen) -> None:
    boxes = tuple(tuple(float(v) for v in (*quad.min(0), *quad.max(0))) for quad in specimen.quads)
    corrected, wrong = (
        LabelledPhoto(Path("a.jpg"), tuple(map(LabelledTile, faces, boxes)), scene="tray")
        for faces in (("1m", "2m", "3m"), ("1m", "2m", "9m"))
    )
    measured = Evaluation((compare_boxes(corrected, reading(specimen, "1m 2m 3m")),))
    text = accuracy(measured, [wrong])
    assert "| all | 3 | 100.00 % | 100.00 % |  |" in text
    assert "| all, original labels | 3 | 66.67 % | 66.67 % |  |" in text
    assert "| tiles found and named correctly | 100.00 % of 3 |" in summary(measured)
