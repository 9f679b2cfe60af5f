"""A tile set in a batch: it helps to read every photo, with either engine, and rows depend on its content."""

import shutil
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from scorer import PROFILES
from tests.vision.batch.conftest import DaskCluster
from tests.vision.layout.laid_out import ROWS, lay_out
from vision.batch.circumstances import resolve
from vision.batch.engines.engine import Settings, Task
from vision.batch.engines.worker import process
from vision.batch.listing.photo_source import PhotoSource
from vision.batch.results.result_rows import Stamp, failed_row, fingerprint, key_for, key_of
from vision.batch.results.tables import cells
from vision.networks.detector import Detector
from vision.networks.reader import Reader
from vision.networks.sessions import open_session
from vision.photo import load_photo
from vision.recognition import recognise
from vision.tilesets import HOME, TileSet, forget, learn, load_tileset
from vision.tilesets.confirm import in_order, places

HAND = ["1m", "2m", "3m", "5z", "5z", "5z", "6z", "6z", "6z", "7z", "7z", "7z", "9p"]
Rows = dict[str, dict[str, Any]]
RowsIn = Callable[[Path], Rows]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a person who taught Fanlens a set whose dragons look like no other."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(HOME, str(home))
        photo = lay_out(ROWS, stranger=True)
        detections = Detector(open_session("detector")).detect(photo)
        tiles = places(Reader(open_session("reader")).read(photo, detections))
        learn("stranger", photo, in_order(tiles).tiles)
    return home


@pytest.fixture
def home(shown: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that home, used by this process and those it starts."""
    copy = Path(shutil.copytree(shown, tmp_path / "home"))
    monkeypatch.setenv(HOME, str(copy))
    return copy


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Three photos of a hand with such dragons."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for number in range(3):
        photo = lay_out([HAND], stranger=True, tilt=0.02 * number, seed=4 + number)
        Image.fromarray(photo.pixels).save(folder / f"{number}.png")
    return folder


def faces(row: dict[str, Any]) -> list[str]:
    return [tile["face"] for tile in row["tiles"]]


def faces_by_photo(table: Path) -> list[list[str]]:
    """What `fanlens photo --tileset stranger` reads."""
    known = load_tileset("stranger")
    return [faces(recognise(load_photo(path), tileset=known).to_json()) for path in sorted(table.iterdir())]


def test_every_worker_has_the_set_and_a_cluster_gives_the_same_bytes(
    invoke: Any, table: Path, home: Path, cluster: DaskCluster, tmp_path: Path, rows_in: RowsIn
) -> None:
    local, dask = tmp_path / "local.jsonl", tmp_path / "dask.jsonl"
    assert invoke(table, "--out", local, "--tileset", "stranger", "--processes", "2").exit_code == 0
    rows = list(rows_in(local).values())
    helped = faces_by_photo(table)
    assert [faces(row) for row in rows] == helped
    assert {"5z", "6z", "7z"} <= set(chain(*helped))
    assert [row["tileset"] for row in rows] == [fingerprint(load_tileset("stranger"))] * 3
    assert cells(rows[0])["tileset"] == "stranger"
    on_cluster = ("--engine", "dask", "--scheduler", cluster.address)  # whose worker knows no tile set
    assert invoke(table, "--out", dask, "--tileset", "stranger", *on_cluster).exit_code == 0
    assert dask.read_bytes() == local.read_bytes()
    again = invoke(table, "--out", local, "--resume", "--tileset", "stranger")
    assert "3 skipped as done" in again.stdout
    alone = invoke(table, "--out", local, "--resume")
    assert "3 photos: 3 read" in alone.stdout
    assert not {"5z", "6z", "7z"} <= set(chain(*map(faces, rows_in(local).values())))
    assert {str(row["tileset"]) for row in rows_in(local).values()} == {"None"}


def test_a_row_is_out_of_date_if_another_set_or_another_lesson_would_read_the_photo(
    table: Path, home: Path
) -> None:
    path = str(next(table.iterdir()))

    def read(name: str | None, done: bytes | None = None) -> dict[str, Any] | None:
        known = None if name is None else load_tileset(name)
        stamp = Stamp({}, PROFILES["guobiao"], None if known is None else fingerprint(known))
        return process(Task(1, PhotoSource(path, path), {}, done), Settings(stamp, {}, tileset=known)).row

    alone, helped = read(None), read("stranger")
    assert alone is not None
    assert helped is not None
    assert read(None, key_of(helped)) == alone
    assert read("stranger", key_of(alone)) == helped
    assert read("stranger", key_of(helped)) is None
    (home / "tilesets" / "stranger").rename(home / "tilesets" / "by another name")
    renamed = read("by another name", key_of(helped))
    assert renamed is not None
    forget("by another name", "9s")
    forgot = read("by another name", key_of(renamed))
    assert forgot is not None
    assert forgot["tileset"] == fingerprint(load_tileset("by another name"))


def test_what_was_learned_is_known_by_its_faces_and_crops(home: Path) -> None:
    known = load_tileset("stranger")
    assert fingerprint(known) == fingerprint(load_tileset("stranger"))
    (lesson,) = known.lessons
    fewer = fingerprint(TileSet("stranger", (lesson.without("5z"),)))
    assert fewer["name"] == "stranger"
    assert fewer["sha256"] != fingerprint(known)["sha256"]


@pytest.mark.parametrize("missing", ["tileset", "profile_sha256", "minimum"])
def test_a_row_of_an_older_version_counts_as_one_without_a_set_by_a_built_in_profile(missing: str) -> None:
    stamp = Stamp({"reader": "1"}, PROFILES["wmo2006"])
    row = failed_row(PhotoSource("a", "a"), "00", stamp, resolve(), "no_tiles", "none")
    del row[missing]
    assert key_of(row) == key_for("00", stamp, resolve())
    assert key_of(row) != key_for("00", Stamp(stamp.models, PROFILES["guobiao"]), resolve())


def test_settings_that_would_name_another_set_are_refused(home: Path) -> None:
    known = load_tileset("stranger")
    with pytest.raises(ValueError, match="names another tile set"):
        Settings(Stamp({}, PROFILES["guobiao"]), {}, tileset=known)
    with pytest.raises(ValueError, match="names another tile set"):
        Settings(Stamp({}, PROFILES["guobiao"], fingerprint(known)), {})
    assert Settings(Stamp({}, PROFILES["guobiao"], fingerprint(known)), {}, tileset=known).tileset is known
