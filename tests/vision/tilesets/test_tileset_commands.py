"""`fanlens tileset`, run as people run it, on laid-out tiles and the bundled samples."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from tests.vision.layout.laid_out import ROWS, lay_out
from vision.networks.reader import CROP
from vision.tilesets import LEARNABLE, list_tilesets, load_tileset
from webapp.cli import main

SAMPLES = Path(__file__).resolve().parents[3] / "vision" / "samples"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FANLENS_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path / "home"


@pytest.fixture
def all_tiles(tmp_path: Path) -> Path:
    path = tmp_path / "all.png"
    Image.fromarray(lay_out(ROWS, stranger=True).pixels).save(path)
    return path


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A sample with the JSON that names its tiles."""
    for ending in ("jpg", "json"):
        shutil.copy(SAMPLES / f"dragons.{ending}", tmp_path / f"dragons.{ending}")
    return tmp_path / "dragons.jpg"


def run(*arguments: object, exit_code: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == exit_code, result.output
    return result


def test_learning_all_tiles_in_order_helps_later_photos(all_tiles: Path, tmp_path: Path) -> None:
    told = run("tileset", "learn", "home", all_tiles, "--in-order").output
    assert "42 tiles learned" in told
    assert re.search(
        r"is Red Dragon, but it was read as .+ with \d+%", told
    )  # the dragons of this set are its own
    assert "every face is known" in told
    hand = tmp_path / "hand.png"
    faces = ["1m", "2m", "3m", "5z", "5z", "5z", "6z", "6z", "6z", "7z", "7z", "7z", "9p"]
    Image.fromarray(lay_out([faces], stranger=True, seed=3).pixels).save(hand)
    read = json.loads(run("photo", hand, "--tileset", "home", "--json").output)
    assert sorted(tile["face"] for tile in read["tiles"]) == sorted(faces)


def test_a_sidecar_of_named_tiles(sample: Path) -> None:
    told = run("tileset", "learn", "home", sample).output
    truth = [
        tile
        for tile in json.loads(sample.with_suffix(".json").read_text())["tiles"]
        if tile["role"] != "stray"
    ]
    assert f"{len(truth)} tiles learned" in told
    assert sorted(each.face for each in load_tileset("home").references) == sorted(
        tile["face"] for tile in truth
    )


def test_the_output_of_photo_serves_as_a_sidecar(tmp_path: Path) -> None:
    photo = tmp_path / "three-chows.jpg"
    shutil.copy(SAMPLES / photo.name, photo)
    photo.with_suffix(".json").write_text(run("photo", photo, "--json").output, encoding="utf-8")
    assert "14 tiles learned" in run("tileset", "learn", "home", photo).output


def test_a_hand_on_the_command_line_or_in_the_sidecar(tmp_path: Path) -> None:
    photo = tmp_path / "three-chows.jpg"
    shutil.copy(SAMPLES / photo.name, photo)
    read = json.loads(run("photo", photo, "--json").output)
    photo.with_suffix(".json").write_text(json.dumps({"hand": read["hand"]}), encoding="utf-8")
    assert "14 tiles learned" in run("tileset", "learn", "home", photo).output
    faces = [*read["hand"]["concealed"], read["hand"]["winning_tile"]]
    words = (
        "".join(faces[:-1])
        + "".join(f"[{''.join(meld['tiles'])}]" for meld in read["hand"]["melds"])
        + faces[-1]
    )
    assert "14 tiles learned" in run("tileset", "learn", "other", photo, "--hand", words).output
    assert load_tileset("home").counts == load_tileset("other").counts


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["home", "missing.jpg", "--in-order"], "missing.jpg"),
        (["../up", "{all}", "--in-order"], "cannot name a tile set"),
        (["home", "{all}"], "--in-order"),
        (["home", "{all}", "--faces", "1-9x"], "does not name any faces"),
        (["home", "{all}", "--faces", "1-9m"], "42 tiles were found"),
        (["home", "{all}", "--hand", "123m"], "tiles"),
        (["home", "{all}", "--hand", "123m456p789s11z555z"], "photograph just that hand"),
        (["home", "{blank}", "--in-order"], "no tile was found"),
    ],
)
def test_faults_are_reported_and_nothing_is_written(
    all_tiles: Path, tmp_path: Path, home: Path, arguments: list[str], says: str
) -> None:
    blank = tmp_path / "blank.png"
    Image.new("RGB", (300, 200), (40, 90, 60)).save(blank)
    filled = [each.format(all=all_tiles, blank=blank) for each in arguments]
    assert says in run("tileset", "learn", *filled, exit_code=1).output
    assert not home.exists()


def test_only_one_way_of_naming_is_allowed(all_tiles: Path) -> None:
    run("tileset", "learn", "home", all_tiles, "--in-order", "--faces", "1m", exit_code=2)


def test_a_bad_photo_does_not_stop_the_others(all_tiles: Path, tmp_path: Path) -> None:
    told = run("tileset", "learn", "home", tmp_path / "no.jpg", all_tiles, "--in-order", exit_code=1).output
    assert "42 tiles learned" in told
    assert list_tilesets() == ("home",)


def test_list_show_and_forget(sample: Path, tmp_path: Path) -> None:
    assert "no tile set yet" in run("tileset", "list").output
    run("tileset", "learn", "home", sample)
    assert "home: 17 references from 1 photo, missing" in run("tileset", "list").output
    sheet = tmp_path / "sheet.png"
    shown = run("tileset", "show", "home", "--sheet", sheet).output
    assert "5z 中 ×3" in shown
    assert "1m 一萬 ×0" in shown or "1m" in shown
    assert "17 tiles of dragons.jpg" in shown
    with Image.open(sheet) as picture:
        pixels = np.asarray(picture)
    rows = -(-len(LEARNABLE) // 3)
    place = LEARNABLE.index("5z")
    x, y = place // rows * (48 + 6 * CROP) + 48, place % rows * CROP
    first = [each for each in load_tileset("home").references if each.face == "5z"][-1]
    assert (pixels[y : y + CROP, x : x + CROP] == first.crop).all()
    assert "3 references forgotten" in run("tileset", "forget", "home", "--face", "5z").output
    assert "14 references forgotten" in run("tileset", "forget", "home").output
    assert list_tilesets() == ()


@pytest.mark.parametrize("command", [["show"], ["forget"], ["export", "--format", "coco", "--out", "out"]])
def test_an_unknown_set_gives_one_clear_line(command: list[str]) -> None:
    output = run("tileset", command[0], "nix", *command[1:], exit_code=1).output
    assert "there is no tile set 'nix'" in output
    assert "Traceback" not in output


def test_a_photo_is_not_read_with_an_unknown_set(sample: Path) -> None:
    result = run("photo", sample, "--tileset", "nix", "--json", exit_code=1)
    assert result.stdout == ""
    assert "there is no tile set 'nix'" in result.stderr


def test_list_shows_damaged_and_sound_sets(sample: Path, home: Path) -> None:
    run("tileset", "learn", "home", sample)
    run("tileset", "learn", "well", sample)
    for lesson in (home / "tilesets" / "home").glob("*.png"):
        lesson.write_bytes(b"junk")
    listed = run("tileset", "list").output
    assert "damaged" in listed
    assert "well: 17 references" in listed
    assert "damaged" in run("photo", sample, "--tileset", "home", exit_code=1).output


@pytest.fixture
def kept(sample: Path) -> list[dict]:
    run("tileset", "learn", "home", sample, "--keep-photos")
    return json.loads(sample.with_suffix(".json").read_text())["tiles"]


def test_export_as_coco(kept: list[dict], tmp_path: Path) -> None:
    out = tmp_path / "coco"
    assert "1 photo written" in run("tileset", "export", "home", "--format", "coco", "--out", out).output
    told = json.loads((out / "annotations.json").read_text(encoding="utf-8"))
    (image,) = told["images"]
    with Image.open(out / image["file_name"]) as picture:
        assert picture.size == (image["width"], image["height"]) == (1600, 1200)
    names = {category["id"]: category["name"] for category in told["categories"]}
    assert list(names.values()) == list(LEARNABLE)
    truth = {
        (tile["face"], *(round(value) for value in tile["box"])) for tile in kept if tile["role"] != "stray"
    }
    boxes = set()
    for each in told["annotations"]:
        x, y, width, height = each["bbox"]
        boxes.add((names[each["category_id"]], round(x), round(y), round(x + width), round(y + height)))
        assert each["image_id"] == image["id"]
        assert each["area"] == pytest.approx(width * height, abs=0.1)
        assert len(each["segmentation"][0]) == 8
    assert boxes == truth
    assert len({each["id"] for each in told["annotations"]}) == len(truth)


@pytest.mark.parametrize(("form", "numbers"), [("yolo", 4), ("yolo-obb", 8)])
def test_export_as_yolo(kept: list[dict], tmp_path: Path, form: str, numbers: int) -> None:
    out = tmp_path / form
    run("tileset", "export", "home", "--format", form, "--out", out)
    (image,) = (out / "images").iterdir()
    lines = (out / "labels" / f"{image.stem}.txt").read_text().splitlines()
    truth = [tile for tile in kept if tile["role"] != "stray"]
    assert len(lines) == len(truth)
    for line, tile in zip(lines, truth, strict=True):
        face, *values = line.split()
        shares = np.array(values, float)
        assert LEARNABLE[int(face)] == tile["face"]
        assert len(shares) == numbers
        assert ((shares >= 0) & (shares <= 1)).all()
        expected = np.array(tile["quad"]) / (1600, 1200)
        if form == "yolo":
            low, high = expected.min(axis=0), expected.max(axis=0)
            assert np.allclose(shares, [*(low + high) / 2, *(high - low)], atol=1e-4)
        else:
            assert np.allclose(shares.reshape(4, 2), expected, atol=1e-4)
    assert f"  0: {LEARNABLE[0]}\n" in (out / "data.yaml").read_text()


def test_export_needs_kept_photos_and_an_empty_folder(sample: Path, tmp_path: Path) -> None:
    run("tileset", "learn", "home", sample)
    out = tmp_path / "out"
    options = ("--format", "coco", "--out", out)
    assert "--keep-photos" in run("tileset", "export", "home", *options, exit_code=1).output
    assert not out.exists()
    run("tileset", "learn", "home", sample, "--keep-photos")
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    assert "new folder" in run("tileset", "export", "home", *options, exit_code=1).output
    assert [path.name for path in out.iterdir()] == ["mine.txt"]
    (out / "mine.txt").unlink()
    run("tileset", "export", "home", *options)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".fanlens")]
