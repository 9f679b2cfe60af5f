"""Four people at a table: names, payments, the picture they share, what-ifs, drags, and two windows on one hand."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Locator, expect

from scorer import parse_hand, score
from tests.e2e.browser import DESKTOP, PHONE, Person
from tests.e2e.conftest import laid_out
from tests.e2e.test_typed import engine, faces

pytestmark = pytest.mark.e2e
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
NASTY = "<img src=x onerror=alert(1)>"


def name_players(someone: Person, **names: str) -> None:
    if not someone.page.locator("#players[open]").count():
        someone.tap("#players summary")
    for seat, name in names.items():
        someone.page.fill(f'#players [data-seat="{seat}"]', name)


def test_payments_bear_the_names_and_the_ledger_keeps_them(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.read_notation("123456789m12sCC3s")
    name_players(someone, E="Lin", S=NASTY, W="张三丰")
    # The tap that ends the typing is not lost, and the names stand where the seats are chosen.
    someone.won("E", "S")
    assert someone.draft()["discarder"] == "S"
    heads = page.locator(".payments th .player").all_text_contents()
    assert heads == ["Lin", NASTY, "张三丰"]
    expect(page.locator('[data-condition="from"][data-value="W"]')).to_contain_text("张三丰")
    someone.hit(page.locator("#save"))
    page.wait_for_url("**/hands#hand-*")
    paid = page.locator(".ledger [data-hand]").first.locator(".payments")
    expect(paid).to_contain_text("张三丰")
    expect(paid).to_contain_text(NASTY)
    assert page.locator(".ledger img").count() == 0
    assert served[1].extensions["ledger"].entries()[0].players == {"E": "Lin", "S": NASTY, "W": "张三丰"}


@SIZES
def test_picture_is_saved(new_person: Callable[..., Person], size: tuple[int, int], tmp_path: Path) -> None:
    someone = new_person(size, locale="zh-CN")
    someone.read_notation("123456789m12sCC3s")
    someone.won("E", "S")
    name_players(someone, E="Lin")
    with someone.page.expect_download() as download:
        someone.hit(someone.page.locator('[data-key="picture"]'))
    assert download.value.suggested_filename == "fanlens-21.png"
    with Image.open(download.value.path()) as picture:
        assert (picture.format, picture.width) == ("PNG", 1080)
    expect(someone.page.locator("#toast")).to_contain_text("图片已存入下载")


def test_picture_goes_to_the_share_sheet_where_there_is_one(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.page.add_init_script(
        """navigator.canShare = (data) => Boolean(data.files);
        navigator.share = async (data) => {
            window.shared = data.files ? [data.files[0].name, data.files[0].type, data.files[0].size] : data.text;
        };"""
    )
    someone.read_notation("123456789m12sCC3s")
    name_players(someone, E="Lin")
    someone.won("E", "W")
    someone.hit(someone.page.locator('[data-key="picture"]'))
    someone.page.wait_for_function("() => window.shared")
    name, kind, size = someone.page.evaluate("window.shared")
    assert (name, kind) == ("fanlens-21.png", "image/png")
    assert size > 10_000
    someone.tap('[data-key="share"]')
    someone.page.wait_for_function("() => typeof window.shared === 'string'")
    text = someone.page.evaluate("window.shared").split("\n")
    assert text[0] == "21 points"
    assert text[-5:-1] == ["East Lin +45", "South −8", "West −29", "North −8"]


def test_picture_without_a_network_says_so(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.read_notation("123456789m12sCC3s")
    someone.page.context.set_offline(True)
    someone.hit(someone.page.locator('[data-key="picture"]'))
    expect(someone.page.locator("#toast")).to_contain_text("cannot be reached")
    someone.page.context.set_offline(False)


def test_what_if_says_and_does_it(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.read_notation("EEE234567p9s[NNN]9s")
    someone.tap("details.what-if summary")
    for key, text in {
        "if-self_drawn-true": "EEE234567p9s[NNN]9s|EE1000",
        "if-seat_wind-N": "EEE234567p9s[NNN]9s|EN0000",
        "if-prevalent_wind-N": "EEE234567p9s[NNN]9s|NE0000",
    }.items():
        expect(someone.page.locator(f'[data-key="{key}"] b')).to_have_text(str(engine(text)))
    someone.tap('[data-key="if-seat_wind-N"]')
    assert someone.total() == engine("EEE234567p9s[NNN]9s|EN0000")
    expect(someone.page.locator("details.what-if")).to_have_attribute("open", "")
    someone.tap('[data-key="undo"]')
    assert someone.total() == engine("EEE234567p9s[NNN]9s")


def centre(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_tiles_are_dragged_with_a_mouse(new_person: Callable[..., Person]) -> None:
    someone = new_person(DESKTOP)
    page = someone.page
    someone.read_notation("256789m12sCC[111m]3s")

    def drag(tile: str, to: str) -> None:
        before = someone.assessed()
        page.mouse.move(*centre(page.locator(tile).first))
        page.mouse.down()
        page.mouse.move(300, 300, steps=4)
        page.mouse.move(*centre(page.locator(to).first), steps=4)
        page.mouse.up()
        someone.settle(before)

    drag('#board .concealed [data-face="9m"]', "#board .winning")
    assert (faces(someone, "winning"), page.locator("#sheet").is_visible()) == (["9m"], False)
    drag("#board .winning .tile", "#board .concealed")
    assert faces(someone, "winning") == []
    drag('#board .concealed [data-face="3s"]', '.dropzones [data-drop="winning"]')
    assert faces(someone, "winning") == ["3s"]
    # Into a meld: the pung of 1m takes any fourth tile, and gives it back when it is dragged out.
    drag('#board .concealed [data-face="2m"]', "#board .meld")
    assert sorted(faces(someone, "meld")) == ["1m", "1m", "1m", "2m"]
    drag('#board .meld [data-face="2m"]', "#board .concealed")
    assert sorted(faces(someone, "meld")) == ["1m"] * 3
    drag('#board .concealed [data-face="2m"]', '.dropzones [data-drop="out"]')
    assert "2m" not in faces(someone, "concealed")
    someone.press("Control+z")
    assert faces(someone, "concealed").count("2m") == 1
    # Let go over nothing, or given up with Escape, nothing happens; a click is still a click.
    drag('#board .concealed [data-face="2m"]', "header.top")
    page.mouse.move(*centre(page.locator('#board .concealed [data-face="2m"]')))
    page.mouse.down()
    page.mouse.move(300, 300, steps=4)
    page.keyboard.press("Escape")
    page.mouse.up()
    assert page.locator(".ghost").count() == 0
    assert faces(someone, "concealed").count("2m") == 1
    page.locator('#board .concealed [data-face="2m"]').click()
    expect(page.locator("#sheet")).to_be_visible()


def test_a_finger_that_rests_drags_and_one_that_swipes_scrolls(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.read_notation("123456789m12sCC3s")
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        finger.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        )

    start = centre(page.locator('#board .concealed [data-face="9m"]'))
    touch("touchStart", start)
    expect(page.locator(".ghost")).to_be_visible()
    end = centre(page.locator('.dropzones [data-drop="winning"]'))
    for step in range(1, 6):
        touch("touchMove", tuple(a + (b - a) * step / 5 for a, b in zip(start, end, strict=True)))
    touch("touchEnd")
    expect(page.locator(".ghost")).to_have_count(0)
    page.wait_for_function("() => document.querySelector('#board .winning .tile').dataset.face === '9m'")
    assert page.evaluate("scrollY") == 0
    expect(page.locator("#sheet")).to_be_hidden()
    touch("touchStart", start)
    for step in range(1, 6):
        touch("touchMove", (start[0], start[1] - 20 * step))
    touch("touchEnd")
    page.wait_for_function("() => scrollY > 0")
    assert faces(someone, "winning") == ["9m"]


def test_a_tile_too_many_may_be_a_kong(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    someone.open("/hand")
    someone.press("Escape")
    for tiles in ("234567p", "559999s", "22m"):
        someone.type(tiles)
    someone.tap("#board .winning .tile")
    someone.tap('#sheet [data-action="unwin"]')
    someone.tap('[data-key="add"]')
    someone.tap('#sheet [data-face="2m"]')
    someone.tap('[data-key="close"]')
    expect(someone.page.locator("#fix")).to_contain_text("1 tile too many")
    someone.taps = 0
    someone.tap('[data-key="fix-concealed_kong-9s"]')
    assert someone.taps == 1
    someone.tap('[data-key^="won-"] >> nth=0')
    won = faces(someone, "winning")[0]
    held = faces(someone, "concealed")
    assert sorted([*held, won]) == sorted(["2p", "3p", "4p", "5p", "6p", "7p", "5s", "5s", "2m", "2m", "2m"])
    expect(someone.page.locator("#total")).to_be_visible()


def test_one_hand_in_two_windows_is_confirmed_once(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    store = served[1].extensions["ledger"]
    someone = new_person(DESKTOP)
    someone.open(laid_out(served, "three-chows"))
    someone.won("E", "self_drawn")
    other = Person(someone.page.context.new_page(), someone.address, touch=False)
    other.open(someone.page.url.removeprefix(someone.address))
    other.won("E", "self_drawn")
    before = len(store.entries(10**6))
    for one in (someone, other):
        one.hit(one.page.locator("#save"))
        one.page.wait_for_url("**/hands#hand-*")
    assert len(store.entries(10**6)) == before + 1


def test_a_tapped_twice_confirm_writes_one_hand(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    store = served[1].extensions["ledger"]
    someone = new_person(PHONE)
    someone.read_notation("123456789m12sCC3s")
    someone.won("E", "self_drawn")
    before = len(store.entries(10**6))
    someone.page.evaluate(
        "() => { for (let tap = 0; tap < 3; tap += 1) document.getElementById('save').click(); }"
    )
    someone.page.wait_for_url("**/hands#hand-*")
    assert len(store.entries(10**6)) == before + 1


def test_copied_window_with_other_circumstances_is_told(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.read_notation("123456789m12sCC3s")
    someone.won("E", "self_drawn")
    held = page.evaluate("() => sessionStorage.getItem('fanlens/hand')")
    someone.hit(page.locator("#save"))
    page.wait_for_url("**/hands#hand-*")
    page.evaluate("(held) => sessionStorage.setItem('fanlens/hand', held)", held)
    someone.open("/hand")
    someone.tap('[data-condition="prevalent_wind"][data-value="N"]')
    someone.tap("#save")
    expect(page.locator("#toast")).to_contain_text("A hand was already confirmed from this page")
    expect(page.locator("#save")).to_be_enabled()
    someone.hit(page.locator("#toast button"))
    page.wait_for_url("**/hands")


def test_huge_pastes_are_refused_in_words(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    page = someone.page
    someone.open("/hand")
    someone.press("Escape")
    someone.tap("#notation summary")
    for text, code in (("1m" * 20_000, "wrong_tile_count"), ("1" * 100_000, "too_large")):
        page.fill("#notation-text", text)
        someone.hit(page.locator("#notation-form button").first)
        expect(page.locator("#notation-error")).to_be_visible()
        expect(page.locator("#notation-error")).to_have_attribute("data-code", code)
    # Text dropped or pasted on the start page is no photo and does nothing.
    someone.open("/")
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.setData("text/plain", "1m".repeat(100000));
            document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
        }"""
    )
    expect(page.locator("#progress")).to_be_hidden()


def test_names_of_files_are_only_names(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    content = io.BytesIO()
    Image.new("RGB", (640, 480), "seagreen").save(content, "JPEG")
    someone.choose({"name": f"{NASTY}.jpg", "mimeType": "image/jpeg", "buffer": content.getvalue()})
    expect(someone.page.locator("#error")).to_have_attribute("data-code", "no_tiles", timeout=30_000)
    assert NASTY not in someone.page.content()


def test_score_is_the_engines_whatever_is_tapped(new_person: Callable[..., Person]) -> None:
    someone = new_person(PHONE)
    for text in ("[EEEE,1]234567p9s[NNN]9s|SE0000|3", "1133m5577p2288sEE|WW1000"):
        someone.read_notation(text)
        assert someone.total() == score(*parse_hand(text)).total
