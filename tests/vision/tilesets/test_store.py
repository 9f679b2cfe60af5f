"""Tile sets on disk: learning, listing, forgetting, kept photos; bad names, damage, concurrency, full disks."""

import json
import multiprocessing
import os
import resource
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from vision.networks.reader import CROP, FACE, cut_crops
from vision.photo import Photo
from vision.tilesets import (
    LEARNABLE,
    TILESET_REASONS,
    TileSetError,
    forget,
    kept_photo,
    learn,
    list_tilesets,
    load_tileset,
    tilesets_folder,
)

QUADS = [[[x, 20], [x + 40, 20], [x + 40, 75], [x, 75]] for x in range(10, 400, 50)]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FANLENS_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def photo(seed: int = 0, name: str = "photo.jpg") -> Photo:
    return Photo(np.random.default_rng(seed).integers(0, 256, (100, 420, 3)).astype(np.uint8), name)


def named(*faces: str) -> list[tuple[str, list[list[float]]]]:
    return list(zip(faces, QUADS, strict=False))


def refused(code: str, *arguments: object, action: object = learn, **options: object) -> str:
    assert callable(action)
    with pytest.raises(TileSetError) as caught:
        action(*arguments, **options)
    assert caught.value.code == code
    assert code in TILESET_REASONS
    return caught.value.message


def test_a_lesson_is_read_back_exactly() -> None:
    picture = photo()
    learn("home", picture, named("1m", "5z", "back"))
    (lesson,) = load_tileset("home").lessons
    assert [each.face for each in lesson.references] == ["1m", "5z", "back"]
    assert lesson.source == "photo.jpg"
    assert lesson.size == (420, 100)
    assert np.allclose([each.quad for each in lesson.references], QUADS[:3])
    crops = np.stack([each.crop for each in lesson.references])
    assert crops.shape == (3, CROP, CROP, 3)
    assert (crops == cut_crops(picture, np.float32(QUADS[:3]))).all()


def test_lessons_of_the_earlier_format_are_still_read() -> None:
    learn("home", photo(), named("1m", "5z"))
    (path,) = (tilesets_folder() / "home").glob("*.png")
    with Image.open(path) as now:
        about = {**json.loads(now.info["fanlens-tileset"]), "format": 1}
    crops = np.zeros((2, 80, 80, 3), np.uint8)
    crops[:, 8:72, 8:72] = [[[[250, 40, 40]]], [[[40, 40, 250]]]]  # the face filled the middle 64
    chunk = PngInfo()
    chunk.add_text("fanlens-tileset", json.dumps(about), zip=True)
    Image.fromarray(crops.reshape(160, 80, 3)).save(path, "PNG", pnginfo=chunk)
    one, other = load_tileset("home").references
    low = (CROP - FACE) // 2
    assert one.crop.shape == (CROP, CROP, 3)
    assert (one.crop[low + 1 : -low - 1, low + 1 : -low - 1] == (250, 40, 40)).all()
    assert (other.crop[low + 1 : -low - 1, low + 1 : -low - 1] == (40, 40, 250)).all()
    assert one.crop[: low - 1].max() == 0
    assert one.crop[:, -low + 1 :].max() == 0


def test_counts_and_missing_faces() -> None:
    learn("home", photo(1), named("1m", "2m"))
    learn("home", photo(2), named("1m"))
    known = load_tileset("home")
    assert known.counts == {face: {"1m": 2, "2m": 1}.get(face, 0) for face in LEARNABLE}
    assert "3m" in known.missing
    assert "1m" not in known.missing
    assert "back" not in known.missing
    assert [lesson.references[0].face for lesson in known.lessons] == ["1m", "1m"]


def test_a_photo_learned_again_replaces_what_was_learned_from_it() -> None:
    learn("home", photo(), named("1m", "2m"), keep_photo=True)
    learn("home", photo(), named("1m", "3m"))
    known = load_tileset("home")
    assert [each.face for each in known.references] == ["1m", "3m"]
    assert kept_photo("home", known.lessons[0]) is None


def test_sets_are_listed_by_name_in_any_script() -> None:
    assert list_tilesets() == ()
    learn("奶奶的 麻将", photo(), named("1m"))
    learn("b-1_x", photo(), named("1m"))
    assert list_tilesets() == ("b-1_x", "奶奶的 麻将")
    assert load_tileset("奶奶的 麻将").name == "奶奶的 麻将"


def test_a_name_written_in_two_ways_is_one_set() -> None:
    learn("Ju\u0308rgen", photo(1), named("1m"))
    learn("J\u00fcrgen", photo(2), named("1m"))
    assert len(load_tileset("J\u00fcrgen").lessons) == 2


@pytest.mark.parametrize(
    "name",
    [
        "", " ", ".", "..", ".hidden", "../up", "a/b", "a\\b", "/etc", "a\0b", "a\nb", "x" * 61, "麻" * 61, "con",
        "LPT1", "-rf", " a", "a ", "a\u202eb", "a\u200bb", "\ud800", "a:b", "*", "~",
    ],
)  # fmt: skip
def test_bad_names_are_refused_by_every_function(name: str, home: Path) -> None:
    refused("bad_name", name, photo(), named("1m"))
    refused("bad_name", name, action=load_tileset)
    refused("bad_name", name, action=forget)
    assert not home.exists()


def test_the_message_about_an_unknown_set_lists_the_known_sets() -> None:
    learn("home", photo(), named("1m"))
    assert "home" in refused("unknown_tileset", "office", action=load_tileset)
    refused("unknown_tileset", "office", action=forget)


@pytest.mark.parametrize(
    ("code", "tiles"),
    [
        ("no_tiles", []),
        ("unknown_face", [("10m", QUADS[0])]),
        ("unknown_face", [("none", QUADS[0])]),
        ("unknown_face", [(None, QUADS[0])]),
        ("bad_tile", [("1m", [[0, 0], [10, 0]])]),
        ("bad_tile", [("1m", "quad")]),
        ("bad_tile", [("1m", [[10**400, 0], [30, 0], [30, 30], [0, 30]])]),
        ("bad_tile", [("1m", [[0, 0], [np.nan, 0], [30, 30], [0, 30]])]),
        ("bad_tile", [("1m", QUADS[0][::-1])]),
        ("bad_tile", [("1m", [[10, 10], [40, 40], [40, 10], [10, 40]])]),
        ("bad_tile", [("1m", [[10, 10], [15, 10], [15, 15], [10, 15]])]),
        ("bad_tile", [("1m", [[900, 10], [940, 10], [940, 60], [900, 60]])]),
        ("bad_tile", [("1m", [[10, 10], [1e30, 10], [1e30, 60], [10, 60]])]),
        ("same_place", [("1m", QUADS[0]), ("2m", [[x + 3, y] for x, y in QUADS[0]])]),
        ("too_many", [("1m", quad) for quad in QUADS[:5]]),
    ],
)
def test_bad_tiles_are_refused_and_nothing_is_written(code: str, tiles: list, home: Path) -> None:
    refused(code, "home", photo(), tiles)
    assert list_tilesets() == ()
    assert not (home / "tilesets").exists()


def test_a_kept_photo_has_no_metadata_and_goes_with_its_set() -> None:
    lesson = learn("home", photo(), named("1m"), keep_photo=True)
    path = kept_photo("home", lesson)
    assert path is not None
    with Image.open(path) as kept:
        assert kept.size == (420, 100)
        assert not kept.getexif()
        assert set(kept.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    assert forget("home") == 1
    assert list(tilesets_folder().iterdir()) == []


def test_forgetting_a_face_deletes_photos_without_references() -> None:
    first = learn("home", photo(1), named("1m", "2m"), keep_photo=True)
    second = learn("home", photo(2), named("2m", "2m"), keep_photo=True)
    assert forget("home", "2m") == 3
    known = load_tileset("home")
    assert [each.face for each in known.references] == ["1m"]
    assert kept_photo("home", first) is not None
    assert kept_photo("home", second) is None
    refused("unknown_face", "home", "2m", action=forget)
    refused("unknown_face", "home", "nonsense", action=forget)
    assert forget("home", "1m") == 1
    assert list_tilesets() == ()


def damaged(path: Path) -> list[bytes]:
    whole = path.read_bytes()
    empty = path.with_name("other.tmp")
    Image.new("RGB", (CROP, CROP)).save(empty, "PNG")
    plain = empty.read_bytes()
    Image.new("RGB", (4000, 10)).save(empty, "PNG")
    broad = empty.read_bytes()
    empty.unlink()
    return [b"", b"\0" * 100, whole[: len(whole) // 2], whole.replace(b"IDAT", b"IDAX"), plain, broad]


@pytest.mark.parametrize("about", ['{"format": 2, "size": [Infinity, 1], "tiles": [{}]}', "[" * 200_000])
def test_nonsense_in_a_lesson_file_counts_as_damage(about: str) -> None:
    lesson = learn("home", photo(1), named("1m"))
    path = tilesets_folder() / "home" / f"{lesson.key}.png"
    chunk = PngInfo()
    chunk.add_text("fanlens-tileset", about, zip=True)
    Image.new("RGB", (CROP, CROP)).save(path, "PNG", pnginfo=chunk)
    assert str(path) in refused("damaged", "home", action=load_tileset)
    assert forget("home") == 0
    assert list_tilesets() == ()


def test_a_set_with_a_damaged_file_can_be_forgotten() -> None:
    lesson = learn("home", photo(1), named("1m"))
    learn("home", photo(2), named("2m"))
    path = tilesets_folder() / "home" / f"{lesson.key}.png"
    for content in damaged(path):
        path.write_bytes(content)
        assert str(path) in refused("damaged", "home", action=load_tileset)
    assert list_tilesets() == ("home",)
    assert forget("home") == 1
    assert list_tilesets() == ()


def test_foreign_files_in_the_folder_are_not_sets(home: Path) -> None:
    learn("home", photo(), named("1m"))
    (home / "tilesets" / "notes.txt").write_text("mine")
    (home / "tilesets" / "empty").mkdir()
    (home / "tilesets" / "home" / ".abc.part").write_bytes(b"half")
    assert list_tilesets() == ("home",)
    assert len(load_tileset("home").lessons) == 1


def test_nothing_is_learned_when_nothing_can_be_written(home: Path) -> None:
    home.write_text("a file where the folder should be")
    assert "FANLENS_HOME" in refused("not_written", "home", photo(), named("1m"))


def learn_without_room(results: "multiprocessing.Queue[str]") -> None:
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    try:
        learn("full", photo(7), named("1m", "2m", "3m"))
    except TileSetError as error:
        results.put(error.code)


def test_a_full_disk_leaves_no_half_lesson(home: Path) -> None:
    learn("home", photo(), named("1m"))
    context = multiprocessing.get_context("fork")
    results: multiprocessing.Queue[str] = context.Queue()
    process = context.Process(target=learn_without_room, args=(results,))
    process.start()
    assert results.get(timeout=60) == "not_written"
    process.join()
    assert list_tilesets() == ("home",)
    assert [path.name for path in (home / "tilesets").iterdir()] == ["home"]


def learn_many(start: int) -> None:
    for seed in range(start, start + 10):
        learn("home", photo(seed), named("1m", "2m"))


def forget_and_learn(start: int) -> None:
    for seed in range(start, start + 10):
        learn("home", photo(seed), named("3m"))
        with suppress(TileSetError):  # another may have been quicker
            forget("home", "3m")


def run_together(*jobs: tuple[object, int]) -> None:
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=work, args=(start,)) for work, start in jobs]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * len(processes)


def test_processes_learn_at_the_same_time_without_losses() -> None:
    run_together((learn_many, 0), (learn_many, 5), (learn_many, 100), (forget_and_learn, 1000))
    known = load_tileset("home")
    learned = [lesson for lesson in known.lessons if lesson.references[0].face == "1m"]
    assert len(learned) == 25
    assert not [name for name in os.listdir(tilesets_folder() / "home") if name.startswith(".")]
