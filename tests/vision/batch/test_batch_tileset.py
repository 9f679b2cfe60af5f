"""A learned set in a batch: it helps every photo, on either engine, and its content is what a row depends on."""

import shutil
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.vision.batch.engines.test_cluster import started
from tests.vision.layout.laid_out import ROWS, lay_out
from vision.batch.circumstances import resolve
from vision.batch.engines.tasks import Settings
from vision.batch.listing.photo_source import Source
from vision.batch.results.result_rows import Stamp, failed_row, key_for, key_of, learned
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
    """The home of somebody who has shown Fanlens a set whose dragons look like nobody else's."""
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
    batch: Any,
    start: Any,
    table: Path,
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rows_in: RowsIn,
) -> None:
    local, dask = tmp_path / "local.jsonl", tmp_path / "dask.jsonl"
    assert batch(table, "--out", local, "--tileset", "stranger", "--processes", "2").returncode == 0
    rows = list(rows_in(local).values())
    assert [faces(row) for row in rows] == faces_by_photo(table)
    assert [row["tileset"] for row in rows] == [learned(load_tileset("stranger"))] * 3
    assert cells(rows[0])["tileset"] == "stranger"
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv(HOME, str(tmp_path / "nothing"))  # the workers' machine knows no set
        with started(tmp_path) as cluster:
            cluster.worker()
            elsewhere.setenv(HOME, str(home))
            how = ("--engine", "dask", "--scheduler", cluster.address)
            with start(table, "--out", dask, "--tileset", "stranger", *how) as process:
                _, err = process.communicate()
    assert process.returncode == 0, err
    assert dask.read_bytes() == local.read_bytes()


def test_resume_reads_again_what_another_set_or_another_lesson_would_read_otherwise(
    batch: Any, table: Path, home: Path, tmp_path: Path, rows_in: RowsIn
) -> None:
    out = tmp_path / "results.jsonl"

    def counts(*how: str) -> str:
        done = batch(table, "--out", out, "--resume", *how)
        assert done.returncode == 0
        return str(done.stdout).partition(" scored")[0].partition(": ")[2] + (
            " and 3 skipped" if "3 skipped as done" in done.stdout else ""
        )

    assert counts() == "3 read, 0"
    alone = rows_in(out)
    helped = faces_by_photo(table)
    assert {"5z", "6z", "7z"} <= set(chain(*helped))
    assert not {"5z", "6z", "7z"} <= set(chain(*map(faces, alone.values())))
    assert {str(row["tileset"]) for row in alone.values()} == {"None"}
    assert counts("--tileset", "stranger").startswith("3 read")
    assert [faces(row) for row in rows_in(out).values()] == helped
    assert counts("--tileset", "stranger").endswith("3 skipped")
    (home / "tilesets" / "stranger").rename(home / "tilesets" / "by another name")
    assert counts("--tileset", "by another name").startswith("3 read")
    forget("by another name", "9s")
    assert counts("--tileset", "by another name").startswith("3 read")
    assert {row["tileset"]["sha256"] for row in rows_in(out).values()} == {
        learned(load_tileset("by another name"))["sha256"]
    }
    assert counts().startswith("3 read")
    assert rows_in(out) == alone


def test_what_was_learned_is_known_by_its_faces_and_crops(home: Path) -> None:
    known = load_tileset("stranger")
    assert learned(known) == learned(load_tileset("stranger"))
    (lesson,) = known.lessons
    fewer = learned(TileSet("stranger", (lesson.without("5z"),)))
    assert fewer["name"] == "stranger"
    assert fewer["sha256"] != learned(known)["sha256"]


def test_a_row_from_before_there_were_sets_is_one_without() -> None:
    stamp = Stamp({"reader": "1"}, "guobiao")
    row = failed_row(Source("a", "a"), "00", stamp, resolve(), "no_tiles", "none")
    del row["tileset"]
    assert key_of(row) == key_for("00", stamp, resolve())


def test_settings_that_would_name_another_set_are_none(home: Path) -> None:
    known = load_tileset("stranger")
    with pytest.raises(ValueError, match="names another tile set"):
        Settings(Stamp({}, "guobiao"), {}, tileset=known)
    with pytest.raises(ValueError, match="names another tile set"):
        Settings(Stamp({}, "guobiao", learned(known)), {})
    assert Settings(Stamp({}, "guobiao", learned(known)), {}, tileset=known).tileset is known
