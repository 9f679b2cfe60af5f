"""The public names of the package, and what importing it costs."""

import subprocess
import sys

import pytest

import vision
import vision.tilesets


def test_the_public_names_are_these_and_no_others() -> None:
    names = ["Photo", "PhotoError", "Recognition", "load_photo", "recognise"]
    assert sorted(vision.__all__) == names
    assert sorted(name for name in dir(vision) if name in vision.__all__) == names
    for name in names:
        assert getattr(vision, name).__name__ == name
    with pytest.raises(AttributeError, match="module 'vision' has no attribute 'nothing'"):
        _ = vision.nothing


def test_the_public_names_of_tile_sets_are_these_and_no_others() -> None:
    names = {
        "HOME",
        "LEARNABLE",
        "TILESET_REASONS",
        "Lesson",
        "Quad",
        "Reference",
        "SecondOpinion",
        "TileSet",
        "TileSetError",
        "forget",
        "kept_photo",
        "learn",
        "list_tilesets",
        "load_tileset",
        "second_opinion",
        "tilesets_folder",
    }
    assert set(vision.tilesets.__all__) == names
    assert all(hasattr(vision.tilesets, name) for name in names)


def test_listing_photos_and_catching_errors_need_no_opencv() -> None:
    script = (
        "import sys, vision.photo_formats, vision.batch.listing.photo_source\n"
        "from vision import PhotoError\n"
        "print('cv2' in sys.modules)\n"
        "from vision import recognise, load_photo\n"
        "print('cv2' in sys.modules, vision.recognise is recognise, recognise.__module__, load_photo.__module__)"
    )
    said = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    assert said.split() == ["False", "True", "True", "vision.recognition", "vision.photo"]
