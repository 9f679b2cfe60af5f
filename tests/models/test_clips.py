"""Clips of a simulated hand-held camera, and how they are read."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.figures.clips import (
    FRAME_SIZE,
    ClipResult,
    camera_over,
    is_exact,
    read_clip,
    rendered_tables,
    section,
    winning_photos,
)
from models.figures.specimens import Specimen
from models.rendering.handheld import HandHeld, Handling
from models.rendering.optics import decode_jpeg, encode_jpeg
from vision.evaluation.labels import LabelledPhoto, LabelledTile
from vision.photo import Photo
from vision.recognition import recognise
from vision.tiles import Floats, Pixels

SIZE = (640, 480)
STEADY = Handling(sway=0, roll=0, tip=0, zoom=0, soft=0, glare=0, noise=0)


@pytest.fixture(scope="module")
def table() -> Specimen:
    return rendered_tables(1)[0]


def camera(table: Specimen, handling: Handling, seed: int = 1) -> HandHeld:
    return HandHeld(table.pixels, table.quads, SIZE, handling, np.random.default_rng(seed))


def brightness(pixels: Pixels, quads: Floats) -> np.ndarray:
    """The mean of a few pixels in the middle of each tile."""
    return np.array(
        [pixels[int(y) - 4 : int(y) + 5, int(x) - 4 : int(x) + 5].mean() for x, y in quads.mean(axis=1)]
    )


def test_the_tiles_are_where_the_clip_says(table: Specimen) -> None:
    greys = np.linspace(40, 200, len(table.faces))
    painted = np.zeros_like(table.pixels)
    for quad, grey in zip(table.quads, greys, strict=True):
        cv2.fillConvexPoly(painted, quad.astype(np.int32), (grey, grey, grey))
    plain = replace(table, pixels=painted)
    wild = camera(plain, replace(STEADY, sway=0.05, roll=8, tip=6, zoom=0.1, exposure_s=1e-4))
    for at_s in (0.0, 0.7, 1.9):
        pixels, quads = wild.frame(at_s)
        assert np.corrcoef(greys, brightness(pixels, quads))[0, 1] > 0.99


def test_a_phone_at_rest_shows_one_picture(table: Specimen) -> None:
    resting = camera(table, Handling(rests_at_s=0.5, noise=0))
    before, after, later = (resting.frame(at_s)[1] for at_s in (0.1, 0.5, 3.0))
    assert np.abs(before - after).max() > 1
    assert (after == later).all()


def test_motion_blurs_and_exposure_decides_how_much(table: Specimen) -> None:
    moving = replace(STEADY, sway=0.3)
    quick, slow = (
        camera(table, replace(moving, exposure_s=exposure)).frame(0.2)[0] for exposure in (1 / 1000, 1 / 5)
    )
    detail = [float(np.abs(np.diff(pixels.astype(float), axis=1)).mean()) for pixels in (quick, slow)]
    assert detail[1] < 0.8 * detail[0]


def test_glare_whitens_some_tiles_and_wanders(table: Specimen) -> None:
    shining, plain = camera(table, replace(STEADY, glare=3)), camera(table, STEADY)
    struck = []
    for at_s in (0.0, 0.8, 1.6):
        (pixels, quads), (without, _) = shining.frame(at_s), plain.frame(at_s)
        struck.append(set(np.flatnonzero(brightness(pixels, quads) - brightness(without, quads) > 25)))
    assert all(len(tiles) < len(table.faces) for tiles in struck)
    assert any(struck)
    assert len({frozenset(tiles) for tiles in struck}) > 1


def test_the_same_seed_gives_the_same_clip(table: Specimen) -> None:
    one, again, other = (next(camera_over(table, seed).jpegs(1, 5)) for seed in (3, 3, 4))
    assert one == again != other
    assert decode_jpeg(one).shape == (FRAME_SIZE[1], FRAME_SIZE[0], 3)


def test_a_hand_is_exact_if_its_tiles_are_those_of_the_picture(table: Specimen) -> None:
    read = recognise(Photo(table.pixels))
    assert is_exact(read, table)
    assert not is_exact(read, replace(table, faces=table.faces[1:]))
    assert not is_exact(read, replace(table, faces=(*table.faces[1:], "8f")))


def test_photos_that_win_are_chosen(table: Specimen, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("clips") / "row.jpg"
    path.write_bytes(encode_jpeg(table.pixels, 90))

    def photo(faces: str) -> LabelledPhoto:
        tiles = (
            LabelledTile(face, (30.0 * x, 10, 30.0 * x + 29, 50)) for x, face in enumerate(faces.split())
        )
        return LabelledPhoto(path, tuple(tiles))

    wins, loses = (photo(f"1m 1m 1m 2m 3m 4m 5p 6p 7p 7z 7z 7z 9s {last} 3f") for last in ("9s", "8s"))
    chosen = winning_photos([loses, wins, wins, loses, wins], 2)
    assert [specimen.faces for specimen in chosen] == [wins.faces] * 2


def test_a_clip_is_read_frame_by_frame_and_together(table: Specimen) -> None:
    result = read_clip(table, 0)
    assert len(result.alone) == len(result.together) == 10
    assert sum(result.together) >= sum(result.alone)
    assert result.together[-1]
    assert result.settled is not None
    assert result.settled[1]


def test_the_section_counts_by_source() -> None:
    never = ClipResult("photo", (False,) * 10, (False,) * 10, surest=False, settled=None)
    later = ClipResult("photo", (False,) * 10, (False,) * 2 + (True,) * 8, surest=False, settled=(3, True))
    good = ClipResult("rendered", (True,) * 10, (True,) * 10, surest=True, settled=(2, True))
    wrong = replace(good, together=(False,) * 10, settled=(2, False))
    lines = section([never, later, good, wrong]).splitlines()
    assert lines[2:] == [
        "| the median frame alone | 0 of 2 | 2 of 2 | 2 of 4 |",
        "| the frame alone that is least in doubt | 0 of 2 | 2 of 2 | 2 of 4 |",
        "| any one frame alone | 0 of 2 | 2 of 2 | 2 of 4 |",
        "| 3 frames together | 1 of 2 | 1 of 2 | 2 of 4 |",
        "| 5 frames together | 1 of 2 | 1 of 2 | 2 of 4 |",
        "| 10 frames together | 1 of 2 | 1 of 2 | 2 of 4 |",
        "",
        "3 of 4 clips settle within 2 s, so that the camera takes the picture by itself; 2 of these hands are exact at "
        "that moment.",
    ]
