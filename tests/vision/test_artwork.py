import re
from xml.etree import ElementTree

import pytest

from scorer import BACK, FACES
from vision.artwork import artwork_path, face_picture, face_svg

TILES = (*FACES, BACK)


@pytest.mark.parametrize("face", TILES)
def test_each_tile_is_paths_only_and_small(face: str) -> None:
    text = face_svg(face)
    root = ElementTree.fromstring(text)  # noqa: S314 - our own files
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert names == {"svg", "title", "path"}
    assert root.get("viewBox") == "0 0 600 800"
    assert len(text.encode()) < 6_000


@pytest.mark.parametrize("face", TILES)
def test_a_page_can_include_a_tile_as_it_is(face: str) -> None:
    text = face_svg(face)
    assert not re.search(r"\b(id|class|style|href|on\w+)=", text)
    assert "<style" not in text
    assert "font" not in text


def test_all_tiles_together_fit_the_page_budget() -> None:
    assert sum(artwork_path(face).stat().st_size for face in TILES) < 150_000


def test_no_two_tiles_look_the_same() -> None:
    drawings = {re.sub(r"<title>.*?</title>", "", face_svg(face)) for face in TILES}
    assert len(drawings) == len(TILES)


@pytest.mark.parametrize("face", ["0m", "8z", "9f", "none", "../secret", ""])
def test_an_unknown_tile_is_refused(face: str) -> None:
    with pytest.raises(ValueError, match="no tile"):
        artwork_path(face)


def test_the_fonts_licence_comes_with_the_drawings() -> None:
    text = artwork_path("1m").with_name("LICENSE-FONTS.md").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in text
    for font in (
        "Yuji Boku",
        "LXGW WenKai",
        "Ma Shan Zheng",
        "Kaisei Tokumin",
        "Noto Serif CJK",
        "Noto Sans CJK",
    ):
        assert font in text


@pytest.mark.parametrize("height", [24, 92, 192])
def test_a_tile_as_pixels_is_three_quarters_as_wide_as_high(height: int) -> None:
    assert face_picture("5z", height).size == (height * 3 // 4, height)


def test_no_two_tiles_are_the_same_pixels() -> None:
    assert len({face_picture(face, 64).tobytes() for face in TILES}) == len(TILES)


def test_pixels_of_an_unknown_tile_are_refused() -> None:
    with pytest.raises(ValueError, match="no tile"):
        face_picture("8z", 64)
