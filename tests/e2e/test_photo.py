"""From photo to agreed score in a real browser, with the real models on bundled photos."""

import io
import struct
import zlib
from collections.abc import Callable
from math import hypot
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageFilter
from playwright.sync_api import expect

from scorer import hand_from_json, score
from tests.e2e.browser import DESKTOP, PHONE, Json, Person
from tests.e2e.conftest import laid_out, sample
from vision.photo import load_photo
from vision.recognition import recognise
from vision.tilesets import list_tilesets, load_tileset

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
pytestmark = pytest.mark.e2e
CONDITIONS = ("self_drawn", "seat_wind", "prevalent_wind", "last_tile", "kong", "fourth_tile")


def middle(quad: list[list[float]]) -> tuple[float, float]:
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def as_laid(hand: Json) -> tuple[Any, ...]:
    """A hand and how it was won, whatever the order of tiles and melds."""
    read, circumstances = hand_from_json(hand)
    melds = sorted((meld.kind.value, meld.tiles) for meld in read.melds)
    return read.concealed, melds, read.winning_tile, read.flowers, circumstances


def true_tile(tile: Json, truth: Json) -> Json | None:
    """The labelled tile at the place of a tile that was found."""
    x, y = middle(tile["quad"])
    nearest: Json = min(
        truth["tiles"],
        key=lambda one: hypot(*(a - b for a, b in zip(middle(one["quad"]), (x, y), strict=True))),
    )
    x0, y0, x1, y1 = nearest["box"]
    return nearest if x0 <= x <= x1 and y0 <= y <= y1 else None


def tile(someone: Person, number: int) -> str:
    if someone.page.locator(f'#board details.strays:not([open]) [data-tile="{number}"]').count():
        someone.tap("#board details.strays summary")
    return f'#board [data-tile="{number}"]'


def act(someone: Person, number: int, action: str) -> None:
    someone.tap(tile(someone, number))
    someone.tap(f'#sheet [data-action="{action}"]')


def put_right(someone: Person, truth: Json) -> None:
    """Corrects whatever was misread, tile by tile, as a person would, until the page holds the true hand."""
    wanted = {}
    for one in someone.draft()["tiles"]:
        real = true_tile(one, truth)
        wanted[one["id"]] = real
        # A declared hand's concealed kong is named by the tile; what lies beside the hand does not belong to it.
        playing = real is not None and real["role"] in {"concealed", "meld", "winning", "flower"}
        if not playing:
            if one["role"] != "stray":
                act(someone, one["id"], "stray")
            continue
        if one["role"] == "stray":
            act(someone, one["id"], "take")
    for one in someone.draft()["tiles"]:
        real = wanted[one["id"]]
        if one["role"] == "meld":
            now = next(t for t in someone.draft()["tiles"] if t["id"] == one["id"])
            if now["role"] == "meld" and not meld_is_right(someone, now, wanted):
                act(someone, one["id"], "dissolve")
        if real is not None and real["role"] != "stray" and real["face"] not in (one["face"], "back"):
            someone.tap(tile(someone, one["id"]))
            someone.tap(f'#sheet .keypad [data-face="{real["face"]}"]')
    # Kongs first: only then does the page expect the further tile that each of them brings.
    make_melds(someone, truth["hand"])
    found = [id(real) for real in wanted.values() if real is not None]
    missed = [real for real in truth["tiles"] if id(real) not in found and real["role"] != "stray"]
    if missed:
        someone.tap('[data-key="add"]')
        for real in missed:
            someone.tap(f'#sheet .keypad [data-face="{real["face"]}"]')
        someone.tap('[data-key="close"]')
    mark_winning(someone, truth["hand"]["winning_tile"])
    make_melds(someone, truth["hand"])


def meld_is_right(someone: Person, one: Json, wanted: dict[int, Json | None]) -> bool:
    members = [t for t in someone.draft()["tiles"] if t["role"] == "meld" and t["group"] == one["group"]]
    groups = {(real["role"], real["group"]) if (real := wanted[t["id"]]) else None for t in members}
    return (
        len(members) in (3, 4)
        and len(groups) == 1
        and next(iter(groups or [None]), None) is not None
        and all(real is not None and real["role"] == "meld" for t in members for real in [wanted[t["id"]]])
    )


def mark_winning(someone: Person, face: str) -> None:
    """Marks the last tile of this face as the winning one, unless it is so already."""
    tiles = someone.draft()["tiles"]
    if [one["face"] for one in tiles if one["role"] == "winning"] != [face]:
        last = [one for one in tiles if one["role"] == "concealed" and one["face"] == face][-1]
        act(someone, last["id"], "win")


def make_melds(someone: Person, hand: Json) -> None:
    """Makes the melds of `hand` that are not there yet and whose tiles are."""
    for meld in hand["melds"]:
        tiles = someone.draft()["tiles"]
        groups: dict[int, list[str]] = {}
        for one in tiles:
            if one["role"] == "meld":
                groups.setdefault(one["group"], []).append(one["face"])
        faces = sorted(meld["tiles"])
        loose = [one for one in tiles if one["role"] == "concealed"]
        held = [one["face"] for one in loose]
        if faces in map(sorted, groups.values()) or any(
            held.count(face) < faces.count(face) for face in faces
        ):
            continue
        kind = "chow-" + "".join(faces) if meld["kind"] == "chow" else meld["kind"]
        act(someone, next(one["id"] for one in loose if one["face"] == faces[0]), kind)


def set_conditions(someone: Person, hand: Json) -> None:
    """Taps what differs: who won how, and the winds."""
    for name in CONDITIONS:
        now = someone.draft()["conditions"][name]
        if now == hand[name]:
            continue
        value = hand[name]
        if name in {"last_tile", "kong", "fourth_tile"}:
            someone.tap(f'[data-condition="{name}"]')
        else:
            shown = str(value).lower() if isinstance(value, bool) else value
            someone.tap(f'[data-condition="{name}"][data-value="{shown}"]')


@SIZES
@pytest.mark.parametrize("name", ["three-chows", "east-kong"])
def test_photo_corrected_scored_and_confirmed(
    new_person: Callable[..., Person], served: tuple[str, Any], size: tuple[int, int], name: str
) -> None:
    someone = new_person(size)
    photo, truth = sample(name)
    someone.send_photo(photo)
    page = someone.page
    expect(page.locator("#photo svg.canvas")).to_be_visible()
    assert page.locator("#photo [data-tile]").count() == len(someone.draft()["tiles"])

    put_right(someone, truth)
    set_conditions(someone, truth["hand"])
    result = score(*hand_from_json(truth["hand"]))
    expect(page.locator("#total")).to_contain_text(str(result.total))
    shown = page.locator(".fanrow").evaluate_all("rows => rows.map((row) => row.dataset.fan)")
    assert shown == [award.fan.name for award in result.fans]

    if not truth["hand"]["self_drawn"]:
        someone.tap('[data-condition="discarder"] >> nth=0')
    # Reload and back lose nothing of it.
    page.reload()
    expect(page.locator("#total")).to_contain_text(str(result.total))
    page.goto(someone.address + "/help")
    page.go_back()
    expect(page.locator("#total")).to_contain_text(str(result.total))

    token = page.url.rsplit("/", 1)[1]
    someone.hit(page.locator("#save"))
    page.wait_for_url("**/hands#hand-*")
    entry = served[1].extensions["ledger"].entries()[0]
    assert entry.score["total"] == result.total
    assert as_laid(entry.hand) == as_laid(truth["hand"])
    gone = page.request.get(f"{someone.address}/photos/{token}.jpg")
    assert gone.status == 404


def blurred_until_misread(name: str) -> tuple[Json, int, str] | None:
    """A sample blurred until a tile is misread, flagged, and the right face is among its alternatives."""
    path, truth = sample(name)
    with Image.open(path) as image:
        image.load()
    for radius in (*range(13), 14, 16):
        file = io.BytesIO()
        image.filter(ImageFilter.GaussianBlur(radius)).save(file, "JPEG", quality=90)
        read = recognise(load_photo(file.getvalue())).to_json()
        doubtful = [problem["tile"] for problem in read["problems"] if problem["code"] == "doubtful_tile"]
        if any(problem.get("doubt") in ("kong", "role") for problem in read["problems"]):
            continue  # it asks about more than faces
        # The page asks about doubtful tiles one after the other, so the first is the one it shows.
        for number in doubtful[:1]:
            one = read["tiles"][number]
            real = true_tile(one, truth)
            rivals = [face for face, _ in one["alternatives"]]
            if one["role"] != "stray" and real and real["face"] != one["face"] and real["face"] in rivals:
                return (
                    {"name": "blurred.jpg", "mimeType": "image/jpeg", "buffer": file.getvalue()},
                    number,
                    real["face"],
                )
    return None


@pytest.fixture(scope="module")
def misread() -> tuple[Json, int, str]:
    """A photo with a misread tile that the page is sure to ask about: photo, number of the tile, its true face."""
    for name in ("seven-pairs-dim", "three-chows", "dragons", "all-dots", "east-kong"):
        found = blurred_until_misread(name)
        if found:
            return found
    raise AssertionError(
        "no blur makes any sample's first doubtful tile a misread one with the truth as a rival"
    )


def test_a_doubtful_misread_costs_one_tap(
    new_person: Callable[..., Person], misread: tuple[Json, int, str]
) -> None:
    photo, number, face = misread
    someone = new_person(PHONE)
    someone.send_photo(photo)
    page = someone.page
    expect(page.locator("#doubt")).to_have_attribute("data-tile", str(number))
    expect(page.locator("#doubt .cutout")).to_be_visible()
    # Marked by shape as well as colour, in the hand and in the photo, and first in tab order.
    expect(page.locator(f'#board [data-tile="{number}"] .mark')).to_have_text("?")
    expect(page.locator(f'#photo [data-tile="{number}"] .mark text')).to_have_text("?")
    assert page.locator(f'#board [data-tile="{number}"]').get_attribute("aria-label").endswith("not sure")

    someone.taps = 0
    someone.tap(f'#doubt [data-face="{face}"]')
    assert someone.taps == 1
    corrected = next(one for one in someone.draft()["tiles"] if one["id"] == number)
    assert (corrected["face"], corrected["unsure"]) == (face, False)
    expect(page.locator(f'#board [data-tile="{number}"] .mark')).to_have_count(0)


@SIZES
def test_any_other_misread_costs_two_taps_and_changes_the_score(
    new_person: Callable[..., Person], size: tuple[int, int]
) -> None:
    someone = new_person(size)
    photo, truth = sample("seven-pairs-dim")
    someone.send_photo(photo)
    put_right(someone, truth)
    set_conditions(someone, truth["hand"])
    right = score(*hand_from_json(truth["hand"])).total
    assert someone.total() == right

    chosen = next(one for one in someone.draft()["tiles"] if one["role"] == "concealed" and one["quad"])
    someone.taps = 0
    someone.tap(f'#board [data-tile="{chosen["id"]}"]')
    someone.tap('#sheet .keypad [data-face="7z"]')
    assert someone.taps == 2
    expect(someone.page.locator("#problem")).to_have_attribute("data-code", "not_winning")
    expect(someone.page.locator("#save")).to_be_disabled()
    someone.tap('[data-key="undo"]')
    assert someone.total() == right
    someone.tap('[data-key="redo"]')
    expect(someone.page.locator("#problem")).to_be_visible()
    someone.tap('[data-key="undo"]')

    # The same tile through the photo itself.
    someone.page.locator(f'#photo [data-tile="{chosen["id"]}"] polygon').click()
    expect(someone.page.locator("#sheet .cutout")).to_be_visible()
    someone.page.keyboard.press("Escape")
    expect(someone.page.locator("#sheet")).to_be_hidden()


def test_two_close_readings_are_offered_with_their_scores(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    _, truth = sample("three-chows")
    first = truth["hand"]
    second = first | {
        "concealed": [face if face != "5p" else "9p" for face in first["concealed"]],
    }
    tiles = [
        {
            "face": one["face"],
            "confidence": 0.6,
            "alternatives": [["9p", 0.4]] if one["face"] == "5p" else [],
            "quad": one["quad"],
            "group": one["group"],
            "role": one["role"],
            "sideways": one["sideways"],
        }
        for one in truth["tiles"]
    ]
    recognition = {
        "image": "photo",
        "width": truth["width"],
        "height": truth["height"],
        "tiles": tiles,
        "hand": first,
        "readings": [{"hand": first, "probability": 0.55}, {"hand": second, "probability": 0.4}],
        "score": None,
        "problems": [],
        "timing_ms": {},
    }
    token = served[1].extensions["pending_photos"].put(sample("three-chows")[0].read_bytes(), recognition)
    someone = new_person()
    someone.open(f"/photo/{token}")
    offered = someone.page.locator("#readings .reading")
    expect(offered).to_have_count(2)
    totals = [score(*hand_from_json(hand)).total for hand in (first, second)]
    for place, total in enumerate(totals):
        expect(offered.nth(place)).to_contain_text(f"{total} point")
    someone.tap(offered.nth(1))
    assert someone.total() == totals[1]
    expect(offered.nth(1)).to_have_attribute("aria-pressed", "true")
    assert sorted(one["face"] for one in someone.draft()["tiles"]).count("9p") == 2


def encoded(kind: str, size: tuple[int, int] = (640, 480), **options: Any) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, "seagreen").save(file, kind, **options)
    return file.getvalue()


def huge_png() -> bytes:
    """The head of a PNG of 400 megapixels, which a browser cannot open and so does not shrink."""
    head = b"IHDR" + struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    start = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return start + struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT"))


@pytest.mark.parametrize(
    ("content", "mime", "code", "english", "chinese"),
    [
        (b"", "image/jpeg", "empty", "The file is empty", "文件是空的"),
        (b"just some text", "image/jpeg", "not_a_photo", "not a photo", "不是照片"),
        (encoded("GIF"), "image/gif", "unsupported_format", "cannot be read", "不支持这种图片"),
        (encoded("JPEG")[:900], "image/jpeg", "damaged", "damaged or incomplete", "已损坏"),
        (encoded("PNG", (16, 16)), "image/png", "too_small", "too small", "照片太小"),
        (encoded("JPEG"), "image/jpeg", "no_tiles", "No tiles were found", "没有找到牌"),
        (
            encoded("WEBP", save_all=True, append_images=[Image.new("RGB", (640, 480), "red")]),
            "image/webp",
            "animated",
            "an animation",
            "动图",
        ),
        (huge_png(), "image/png", "too_many_pixels", "more than 64 megapixels", "像素"),
    ],
    ids=["empty", "text", "gif", "damaged", "tiny", "no-tiles", "animated", "huge"],
)
def test_photo_door_errors_in_words(
    new_person: Callable[..., Person], content: bytes, mime: str, code: str, english: str, chinese: str
) -> None:
    for locale, words in (("en-GB", english), ("zh-CN", chinese)):
        someone = new_person(locale=locale)
        someone.choose({"name": "photo", "mimeType": mime, "buffer": content})
        error = someone.page.locator("#error")
        expect(error).to_be_visible(timeout=30_000)
        expect(error).to_have_attribute("data-code", code)
        expect(error).to_contain_text(words)
        # The way on is still there.
        expect(someone.page.locator('label[for="gallery"]')).to_be_visible()


def test_too_large_a_file_is_refused_before_it_travels(
    new_person: Callable[..., Person], tmp_path: Path
) -> None:
    large = tmp_path / "large.heic"
    with large.open("wb") as file:
        file.truncate(41_000_000)
    someone = new_person(locale="zh-CN")
    sent: list[str] = []
    someone.page.on("request", lambda request: sent.append(request.url))
    someone.choose(large)
    expect(someone.page.locator("#error")).to_have_attribute("data-code", "too_large")
    expect(someone.page.locator("#error")).to_contain_text("40 MB")
    assert not [url for url in sent if url.endswith("/recognise")]


def test_slow_network_shows_progress_and_can_be_cancelled(new_person: Callable[..., Person]) -> None:
    someone = new_person()
    someone.open("/")
    network = someone.page.context.new_cdp_session(someone.page)
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 50, "downloadThroughput": 200_000, "uploadThroughput": 60_000},
    )
    someone.page.set_input_files("#gallery", sample("three-chows")[0])
    expect(someone.page.locator("#stage")).to_have_text("Sending the photo…")
    someone.page.wait_for_function("() => document.getElementById('bar').value > 0.05", timeout=30_000)
    assert 0 < someone.page.evaluate("document.getElementById('bar').value") < 1
    someone.tap("#cancel")
    expect(someone.page.locator("#error")).to_have_attribute("data-code", "cancelled")
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    someone.page.set_input_files("#gallery", sample("three-chows")[0])
    expect(someone.page.locator("#error")).to_have_attribute("data-code", "offline")


def test_huge_photo_is_shrunk_before_it_travels(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    path, _ = sample("seven-pairs-dim")
    file = io.BytesIO()
    with Image.open(path) as image:
        exif = image.getexif()
        exif[0x0112] = 6  # taken with the phone turned: the pixels lie on their side
        large = image.rotate(90, expand=True).resize((image.height * 4, image.width * 4))
        large.save(file, "JPEG", quality=80, exif=exif)
    someone = new_person()
    sizes: list[int] = []
    someone.page.on(
        "request",
        lambda request: (
            sizes.append(
                int(request.headers.get("content-length", 0)) or len(request.post_data_buffer or b"")
            )
            if request.url.endswith("/recognise")
            else None
        ),
    )
    someone.send_photo({"name": "IMG.jpg", "mimeType": "image/jpeg", "buffer": file.getvalue()})
    recognition = someone.page.evaluate("JSON.parse(document.getElementById('recognition').textContent)")
    assert (recognition["width"], recognition["height"]) == (4000, 3000)
    assert len([one for one in recognition["tiles"] if one["role"] != "stray"]) >= 10


def test_photo_dropped_and_pasted_on_a_desktop(new_person: Callable[..., Person]) -> None:
    path, _ = sample("three-chows")
    for event in ("drop", "paste"):
        someone = new_person(DESKTOP)
        someone.open("/")
        someone.page.evaluate(
            """async ([event, bytes]) => {
                const data = new DataTransfer();
                data.items.add(new File([new Uint8Array(bytes)], "hand.jpg", { type: "image/jpeg" }));
                document.dispatchEvent(
                    event === "drop"
                        ? new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })
                        : new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
            }""",
            [event, list(path.read_bytes())],
        )
        someone.page.wait_for_url("**/photo/*", timeout=30_000)
        expect(someone.page.locator("#board .tile").first).to_be_visible()


def test_photo_zooms(new_person: Callable[..., Person]) -> None:
    someone = new_person(DESKTOP)
    someone.send_photo(sample("three-chows")[0])
    canvas = someone.page.locator("#photo svg.canvas")

    def width() -> float:
        return float((canvas.get_attribute("viewBox") or "").split()[2])

    fitted = width()
    someone.tap('#photo button[aria-label="Zoom in"]')
    assert width() < fitted
    someone.tap("#photo .fit")
    assert width() == pytest.approx(fitted)
    someone.tap("#photo .fit")
    assert width() == 1600


@SIZES
def test_whole_photo_of_a_portrait_is_tall(
    new_person: Callable[..., Person], served: tuple[str, Any], size: tuple[int, int]
) -> None:
    tall = Image.new("RGB", (1600, 2400), "seagreen")
    with Image.open(sample("three-chows")[0]) as image:
        tall.paste(image)
    file = io.BytesIO()
    tall.save(file, "JPEG")
    someone = new_person(size)
    someone.open(laid_out(served, "three-chows", photo=file.getvalue(), height=2400))
    canvas = someone.page.locator("#photo svg.canvas")

    def shown() -> tuple[str | None, float]:
        return canvas.get_attribute("viewBox"), canvas.evaluate("(one) => one.clientHeight")

    fitted = shown()
    assert fitted[1] <= 0.47 * size[1]
    someone.tap("#photo .fit")
    expect(someone.page.locator("#photo .fit")).to_have_text("Zoom to the tiles")
    whole = shown()
    assert whole[0] == "0 0 1600 2400"
    assert whole[1] == pytest.approx(0.6 * size[1], abs=1)
    someone.tap("#photo .fit")
    assert shown() == fitted


def test_second_photo_adds_to_the_first(new_person: Callable[..., Person]) -> None:
    first, _ = sample("three-chows")
    someone = new_person(PHONE)
    someone.send_photo(first)
    before = someone.draft()
    someone.page.set_input_files("#another", sample("dragons")[0])
    expect(someone.page.locator("#toast")).to_contain_text("added", timeout=30_000)
    after = someone.draft()
    assert len(after["photos"]) == 2
    assert after["tiles"][: len(before["tiles"])] == before["tiles"]
    added = after["tiles"][len(before["tiles"]) :]
    assert added
    assert all(one["photo"] == 1 for one in added)
    assert len([one for one in after["tiles"] if one["role"] == "winning"]) == 1
    expect(someone.page.locator('[data-key="photo-1"]')).to_have_attribute("aria-pressed", "true")
    # A tile of the first photo brings that photo back; reload keeps both; undo takes the second away.
    someone.tap(f'#board [data-tile="{before["tiles"][1]["id"]}"]')
    expect(someone.page.locator('[data-key="photo-0"]')).to_have_attribute("aria-pressed", "true")
    someone.press("Escape")
    someone.page.reload()
    expect(someone.page.locator('[data-key="photo-1"]')).to_be_visible()
    someone.tap('[data-key="undo"]')
    assert someone.draft() == before


def test_second_photo_over_a_slow_network_shows_how_far_it_is(new_person: Callable[..., Person]) -> None:
    someone = new_person()
    page = someone.page
    someone.send_photo(sample("three-chows")[0])
    page.evaluate(
        """() => {
            window.said = [];
            new MutationObserver(() => window.said.push(document.getElementById("toast").textContent))
                .observe(document.getElementById("toast"), { childList: true, subtree: true });
        }"""
    )
    network = page.context.new_cdp_session(page)
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 50, "downloadThroughput": 400_000, "uploadThroughput": 120_000},
    )
    page.set_input_files("#another", sample("dragons")[0])
    expect(page.locator("#toast")).to_contain_text("added", timeout=60_000)
    said = page.evaluate("window.said")
    percents = [
        int(text.split(":")[1].split("%")[0]) for text in said if text.startswith("Sending the photo")
    ]
    assert len(set(percents)) > 2
    assert percents == sorted(percents)
    assert said.index("Reading the tiles…") > said.index(f"Sending the photo: {percents[-1]} %")


def test_second_photo_that_is_none_says_so_until_it_is_put_away(new_person: Callable[..., Person]) -> None:
    someone = new_person(locale="zh-CN")
    someone.send_photo(sample("three-chows")[0])
    before = someone.draft()
    someone.page.set_input_files(
        "#another", {"name": "x.jpg", "mimeType": "image/jpeg", "buffer": b"no photo"}
    )
    alert = someone.page.locator("#toast [role=alert]")
    expect(alert).to_contain_text("不是照片")
    assert someone.draft() == before
    someone.hit(someone.page.locator("#toast button"))
    expect(someone.page.locator("#toast")).to_be_hidden()


def test_turning_the_phone_loses_nothing(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.send_photo(sample("three-chows")[0])
    someone.tap("#board .concealed .tile >> nth=1")
    someone.tap('#sheet .keypad [data-face="7z"]')
    someone.tap('[data-condition="seat_wind"][data-value="W"]')
    someone.tap("#board .concealed .tile >> nth=2")
    held = someone.draft()
    upright = page.locator("#photo svg.canvas").get_attribute("viewBox")
    page.set_viewport_size({"width": PHONE[1], "height": PHONE[0]})
    expect(page.locator("#sheet")).to_be_visible()
    assert someone.draft() == held
    page.wait_for_function(
        "(before) => document.querySelector('#photo svg.canvas').getAttribute('viewBox') !== before",
        arg=upright,
    )
    # Every tile of the hand is still in view in the photo.
    inside = """() => { const canvas = document.querySelector('#photo svg.canvas').getBoundingClientRect();
        return [...document.querySelectorAll('#photo .outline:not(.stray)')].every((one) => {
            const box = one.getBoundingClientRect();
            return box.left >= canvas.left - 1 && box.right <= canvas.right + 1 && box.top >= canvas.top - 1
                && box.bottom <= canvas.bottom + 1; }); }"""
    assert page.evaluate(inside)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.wait_for_function(
        "(before) => document.querySelector('#photo svg.canvas').getAttribute('viewBox') === before",
        arg=upright,
    )
    someone.tap('#sheet .keypad [data-face="6z"]')
    someone.tap('[data-key="undo"]')
    assert someone.draft() == held


def test_unsure_tiles_come_first_for_the_keyboard(
    new_person: Callable[..., Person], misread: tuple[Json, int, str]
) -> None:
    someone = new_person(DESKTOP)
    someone.send_photo(misread[0])
    page = someone.page
    page.locator("#main").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#doubt') !== null")
    # For the eye the photo stays on top.
    photo, doubt = page.locator("#photo").bounding_box(), page.locator("#doubt").bounding_box()
    assert photo
    assert doubt
    assert photo["y"] < doubt["y"]
    page.locator(f'#doubt [data-face="{misread[2]}"]').focus()
    someone.press("Enter")
    assert next(one for one in someone.draft()["tiles"] if one["id"] == misread[1])["face"] == misread[2]


def test_tile_set_is_taught_when_the_person_says_so(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    photo, truth = sample("all-green-across")
    someone = new_person(PHONE)
    page = someone.page
    someone.open("/")
    expect(page.locator("#tileset")).to_have_text("any")
    someone.open(laid_out(served, "all-green-across"))
    # A hand that is not right teaches nothing.
    someone.tap("#teach summary")
    someone.tap("#board .concealed .tile >> nth=1")
    someone.tap('#sheet .keypad [data-face="7z"]')
    someone.tap("#teach-form button")
    expect(page.locator("#toast")).to_contain_text("Check the hand first")
    assert "Lin's" not in list_tilesets()
    someone.tap('[data-key="undo"]')
    page.fill("#teach-name", "Lin's <b>")
    someone.tap("#teach-form button")
    expect(page.locator("#toast")).to_contain_text("A name may contain")
    page.fill("#teach-name", "Lin 的牌")
    someone.tap("#teach-form button")
    expect(page.locator("#toast")).to_contain_text("learned in total")
    learned = load_tileset("Lin 的牌")
    # What lies face down in a concealed kong shows nothing of its face.
    shown = [tile["face"] for tile in truth["tiles"] if tile["role"] != "stray" and tile["face"] != "back"]
    assert sorted(reference.face for reference in learned.references) == sorted(shown)

    # From then on this browser's photos are read with it, and say so when they go up.
    page.add_init_script(
        """const append = FormData.prototype.append;
        FormData.prototype.append = function (name, ...rest) {
            sessionStorage.setItem(`sent ${name}`, String(rest[0]));
            return append.call(this, name, ...rest);
        };"""
    )
    someone.open("/")
    expect(page.locator("#tileset")).to_have_text("Lin 的牌")
    someone.send_photo(photo)
    assert page.evaluate("sessionStorage.getItem('sent tileset')") == "Lin 的牌"
    # It is chosen and forgotten on its page; forgetting takes two taps, and then photos go up without it.
    someone.open("/tilesets")
    expect(page.locator('.set-choice input[value="Lin 的牌"]')).to_be_checked()
    someone.tap('[data-name="Lin 的牌"] .forget')
    assert "Lin 的牌" in list_tilesets()
    someone.tap('[data-name="Lin 的牌"] .forget')
    expect(page.locator('[data-name="Lin 的牌"]')).to_have_count(0)
    assert "Lin 的牌" not in list_tilesets()
    someone.open("/")
    expect(page.locator("#tileset")).to_have_text("any")


def test_tile_set_forgotten_elsewhere_costs_one_message(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.open("/")
    page.evaluate("localStorage.setItem('fanlens tile set', 'gone')")
    someone.choose(sample("three-chows")[0])
    expect(page.locator("#error")).to_have_attribute("data-code", "unknown_tileset")
    expect(page.locator("#tileset")).to_have_text("any")
    someone.send_photo(sample("three-chows")[0])
