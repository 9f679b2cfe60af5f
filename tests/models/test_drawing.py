from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from models.drawing import CLASSIC, Style, face_ink, face_pixels, face_shapes, random_style, tile_svg
from models.drawing.__main__ import main
from models.drawing.outlines import glyph
from models.drawing.shapes import PAPER, InkShape, circle, curve, paint, placed, polygon
from models.drawing.style import CHOICES
from scorer import BACK, FACES
from vision.artwork import SHEET, SHEET_TILE, face_picture, face_svg


@pytest.mark.parametrize("face", [*FACES, BACK])
def test_the_artwork_is_what_the_code_draws(face: str) -> None:
    assert tile_svg(face) == face_svg(face)


@pytest.mark.parametrize("face", FACES)
def test_each_face_has_ink_inside_its_edges(face: str) -> None:
    ink = face_ink(face, 160)
    assert ink.shape == (160, 120, 4)
    covered = ink[..., 3] > 128
    assert 0.02 < covered.mean() < 0.6
    edge = np.ones_like(covered)
    edge[3:-3, 3:-3] = False
    assert not covered[edge].any()


def test_faces_differ_clearly_at_24_pixels() -> None:
    small = [face_pixels(face, 32).astype(float) for face in FACES]
    assert small[0].shape == (32, 24, 3)
    nearest = min(
        float(np.abs(one - other).mean()) for i, one in enumerate(small) for other in small[i + 1 :]
    )
    assert nearest > 2.5


def test_the_same_generator_state_gives_the_same_style() -> None:
    assert random_style(np.random.default_rng(7)) == random_style(np.random.default_rng(7))
    assert random_style(np.random.default_rng(7)) != random_style(np.random.default_rng(8))


@pytest.mark.parametrize("name", CHOICES)
def test_every_choice_of_a_set_changes_some_face(name: str) -> None:
    def drawn(style: Style) -> list[tuple[InkShape, ...]]:
        return [face_shapes(face, style) for face in FACES]

    # a caption font shows only where there is a caption
    base = {"caption": "left"} if name == "caption_font" else {}
    looks = [drawn(Style(**{**base, name: value})) for value in CHOICES[name]]  # type: ignore[arg-type]
    assert all(one != other for i, one in enumerate(looks) for other in looks[i + 1 :])


def test_random_sets_draw_every_face_but_a_blank_white_dragon() -> None:
    rng = np.random.default_rng(3)
    for _ in range(12):
        style = random_style(rng)
        for face in FACES:
            if (face, style.frame) != ("7z", "blank"):
                assert face_ink(face, 64, style)[..., 3].max() > 128, (face, style)


def test_a_blank_white_dragon_has_no_ink() -> None:
    assert not face_ink("7z", 64, Style(frame="blank")).any()


def test_red_fives_are_red_all_over() -> None:
    style = Style(red_fives=True)
    for face in ("5m", "5p", "5s"):
        assert {shape.colour for shape in face_shapes(face, style)} <= {style.red, PAPER}
    assert {shape.colour for shape in face_shapes("6p", style)} > {style.red}


def test_mirrored_sets_turn_birds_and_flowers_only() -> None:
    turned = Style(mirrored=True)
    changed = {face for face in FACES if face_shapes(face, turned) != face_shapes(face)}
    assert changed == {"1s", *FACES[34:]}
    assert {shape.mirrored().mirrored() for shape in face_shapes("1s")} == set(face_shapes("1s"))


def test_unknown_faces_and_choices_are_refused() -> None:
    with pytest.raises(ValueError, match="is not a face"):
        face_shapes("0m")
    with pytest.raises(ValueError, match="frame must be one of"):
        Style(frame="gold")
    with pytest.raises(ValueError, match="colour must be"):
        InkShape(circle(0, 0, 1), "red")
    with pytest.raises(ValueError, match="at least one segment"):
        InkShape((), "#000000")
    with pytest.raises(ValueError, match="at least 0"):
        InkShape(circle(0, 0, 1), "#000000", -1)


def test_painting_covers_the_area_it_should() -> None:
    square = polygon([(100, 100), (500, 100), (500, 500), (100, 500)])
    alpha = paint((InkShape(square, "#ff0000"),), 400)[..., 3].astype(float) / 255
    assert alpha.sum() == pytest.approx(200 * 200, rel=0.02)
    hole = curve("M200 200L200 400L400 400L400 200Z")  # turns the other way
    alpha = paint((InkShape(square + hole, "#ff0000"),), 400)[..., 3].astype(float) / 255
    assert alpha.sum() == pytest.approx(200 * 200 - 100 * 100, rel=0.03)
    paper = paint((InkShape(square, "#ff0000"), InkShape(hole, PAPER)), 400)[..., 3].astype(float) / 255
    assert paper.sum() == pytest.approx(alpha.sum(), rel=0.02)


def test_placing_turns_clockwise_and_scales_circles() -> None:
    ((kind, numbers),) = placed(circle(10, 0, 3), 100, 200, 2, 90)
    assert kind == "O"
    assert numbers == pytest.approx((100, 220, 6))


def test_outlines_lie_in_their_em_box() -> None:
    xs = [v for kind, numbers in glyph("song", "萬") for v in numbers]
    assert min(xs) > -50
    assert max(xs) < 1050


def test_the_command_writes_the_files_and_the_sheet(tmp_path: Path) -> None:
    runner = CliRunner()
    done = runner.invoke(main, ["--out", str(tmp_path / "art")])
    assert done.exit_code == 0
    assert (tmp_path / "art" / "1m.svg").read_text(encoding="utf-8") == tile_svg("1m", CLASSIC)
    assert {path.stem for path in (tmp_path / "art").glob("*.svg")} == {*FACES, BACK}
    assert (tmp_path / "art" / SHEET.name).read_bytes() == SHEET.read_bytes()
    done = runner.invoke(main, ["--sheet", str(tmp_path / "tiles.png")])
    assert done.exit_code == 0
    assert (tmp_path / "tiles.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("face", [*FACES, BACK])
def test_the_sheet_of_tiles_shows_the_drawn_tiles(face: str) -> None:
    drawn = face_pixels(face, SHEET_TILE[1]).astype(int)
    kept = np.asarray(face_picture(face, SHEET_TILE[1])).astype(int)
    assert kept.shape == drawn.shape
    assert np.abs(kept - drawn).mean() < 2  # a palette of 256 colours comes near
