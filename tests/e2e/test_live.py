"""The live camera: Chromium sees a film of a hand-held phone above a table, and the server reads its frames."""

import contextlib
import socket
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Playwright, Route, expect

from models.figures.clips import rendered_tables
from models.figures.specimens import Specimen
from tests.e2e.browser import DESKTOP, PHONE, Person, launched, person
from tests.e2e.films import film_of, playing
from vision.isolation.messages import ReadPhoto
from vision.isolation.service import PhotoService
from vision.tilesets import TileSet
from vision.tracking.travel import from_text

pytestmark = pytest.mark.e2e

LANDSCAPE = (740, 360)
ALONE = "fanlens camera takes alone"
LOOK = "**/api/v1/look"


@pytest.fixture(scope="module")
def table() -> Specimen:
    return rendered_tables(1)[0]


@pytest.fixture(scope="module")
def film(table: Specimen, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film_of(table, 0, tmp_path_factory.mktemp("films") / "table.mjpeg")


@pytest.fixture
def holding(
    driver: Playwright, served: tuple[str, Any], film: Path
) -> Callable[..., contextlib.AbstractContextManager[Person]]:
    """Makes people who hold their phone over the table."""

    @contextlib.contextmanager
    def hold(size: tuple[int, int] = PHONE, *, alone: bool = False, **options: Any) -> Iterator[Person]:
        with (
            launched(driver, *playing(film)) as browser,
            person(browser, served[0], size, **options) as someone,
        ):
            # Set once, so that the person can switch it.
            kept = f"localStorage.setItem('{ALONE}', localStorage.getItem('{ALONE}') || '{'yes' if alone else 'no'}')"
            someone.page.add_init_script(kept)
            yield someone
            assert someone.complaints == []

    return hold


def open_camera(someone: Person) -> None:
    someone.open("/")
    someone.tap("#live-camera")
    expect(someone.page.locator("#live video")).to_be_visible()


def settled(someone: Person) -> str:
    """Waits for the total and returns it."""
    expect(someone.page.locator(".live-total")).to_be_visible(timeout=60_000)
    return someone.page.locator(".live-total").text_content() or ""


def test_from_the_camera_to_the_score_without_a_tap(
    holding: Callable[..., contextlib.AbstractContextManager[Person]],
    table: Specimen,
    served: tuple[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service: PhotoService = served[1].extensions["photo_service"]
    sent: list[str] = []

    def read(data: bytes, tileset: TileSet | None = None, evidence: str = "") -> ReadPhoto:
        sent.append(evidence)
        return PhotoService.read(service, data, tileset, evidence)

    monkeypatch.setattr(service, "read", read)
    with holding(alone=True) as someone:
        open_camera(someone)
        someone.page.wait_for_url("**/photo/*", timeout=90_000)
        someone.wait_until_drawn()
        hand = [tile for tile in someone.draft()["tiles"] if tile["role"] != "stray"]
        assert sorted(tile["face"] for tile in hand) == sorted(table.faces)
        assert not any(tile["unsure"] for tile in hand)
        assert someone.total() > 0
        assert len(sent) == 1
        assert from_text(sent[0]).frame >= 3  # what the frames said went with the photo


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESKTOP], ids=str)
def test_tiles_are_outlined_and_named(
    holding: Callable[..., contextlib.AbstractContextManager[Person]], table: Specimen, size: tuple[int, int]
) -> None:
    with holding(size, dark=size == PHONE) as someone:
        open_camera(someone)
        total = settled(someone)
        page = someone.page
        faces = page.evaluate(
            "[...document.querySelectorAll('.outlines g > g')].map((one) => one.dataset.face)"
        )
        assert sorted(faces) == sorted(table.faces)
        letters = page.evaluate(
            """() => [...document.querySelectorAll('.outlines text')].map((one) => {
                const { top, bottom, left, right } = one.getBoundingClientRect();
                const whole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
                return [one.textContent, bottom - top, whole];
            })"""
        )
        assert all(name and height >= 11 and whole for name, height, whole in letters)
        # Outlines lie on the video, whichever way the phone is held.
        assert page.locator(".outlines").bounding_box() == page.locator("#live video").bounding_box()
        outside = page.evaluate(
            """() => [...document.querySelectorAll('#live button, .live-total')].filter((one) => {
                const { left, top, right, bottom } = one.getBoundingClientRect();
                return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
            }).map((one) => [one.className, JSON.stringify(one.getBoundingClientRect())])"""
        )
        assert outside == []
        assert total.split()[0].isdigit()
        violations = Axe().run(page).response["violations"]
        assert [(fault["id"], fault["nodes"][0]["target"]) for fault in violations] == []
        assert not page.url.endswith("/photo/")


def test_the_total_keeps_its_place_and_a_tap_takes_the_photo(
    holding: Callable[..., contextlib.AbstractContextManager[Person]],
) -> None:
    with holding() as someone:
        open_camera(someone)
        hint = someone.page.locator(".aim").bounding_box()
        settled(someone)
        total = someone.page.locator(".live-total").bounding_box()
        assert hint is not None
        assert total is not None
        assert total["y"] + total["height"] <= hint["y"] + 1  # the hint's place is below, total or not
        someone.hit(someone.page.locator(".shutter"))
        someone.page.wait_for_url("**/photo/*", timeout=60_000)


def test_sure_and_unsure_differ_in_shape(
    holding: Callable[..., contextlib.AbstractContextManager[Person]],
) -> None:
    def doubt(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        if body["seen"]:
            for tile in body["seen"]["tiles"][:2]:
                tile["sure"] = False
            body["seen"] |= {"settled": False, "hint": {"code": "glare", "text": "Glare!", "tiles": []}}
        route.fulfill(response=answer, json=body)

    with holding(alone=True) as someone:
        someone.page.route(LOOK, doubt)
        open_camera(someone)
        expect(someone.page.locator(".outlines .unsure")).to_have_count(2, timeout=60_000)
        expect(someone.page.locator(".aim")).to_have_text("Glare!")
        shapes = someone.page.evaluate(
            """() => ['.sure', '.unsure'].map((kind) => {
                const one = document.querySelector(`.outlines ${kind}`);
                const style = getComputedStyle(one.querySelector('polygon'));
                const [rect, text] = [one.querySelector('rect'), one.querySelector('text')];
                const round = rect.getAttribute('rx') / rect.getAttribute('height') > 0.4;
                return [style.strokeDasharray, text.textContent.endsWith('?'), round];
            })"""
        )
        assert shapes == [["none", False, False], ["5px, 4px", True, True]]
        # a question is open, so that nothing is taken
        someone.page.wait_for_timeout(1500)
        assert "/photo/" not in someone.page.url
        someone.page.unroute_all(behavior="ignoreErrors")


def test_the_old_hints_go_on_alone_while_the_server_is_busy(
    holding: Callable[..., contextlib.AbstractContextManager[Person]],
) -> None:
    with holding(alone=True) as someone:
        busy = {"frame": 1, "next_ms": 50, "seen": None}
        asked: list[int] = []

        def refuse(route: Route) -> None:
            asked.append(1)
            route.fulfill(json=busy | {"frame": len(asked)})

        someone.page.route(LOOK, refuse)
        open_camera(someone)
        expect(someone.page.locator(".aim")).to_contain_text("Fit the whole hand")
        expect(someone.page.locator(".outlines g > g")).to_have_count(0)
        while len(asked) < 4:  # it goes on asking
            someone.page.wait_for_timeout(50)
        someone.page.unroute(LOOK, refuse)
        someone.page.wait_for_url("**/photo/*", timeout=90_000)


def test_taking_by_itself_can_be_switched_off_for_good(
    holding: Callable[..., contextlib.AbstractContextManager[Person]],
) -> None:
    with holding() as someone:
        open_camera(someone)
        switch = someone.page.get_by_role("button", name="Automatic")
        expect(switch).to_have_attribute("aria-pressed", "false")
        settled(someone)
        someone.page.wait_for_timeout(1200)
        expect(someone.page.locator("#live")).to_be_visible()
        someone.press("Escape")
        open_camera(someone)
        expect(switch).to_have_attribute("aria-pressed", "false")
        someone.hit(switch)
        someone.page.wait_for_url("**/photo/*", timeout=90_000)
        assert someone.page.evaluate(f"localStorage.getItem('{ALONE}')") == "yes"


def test_screen_readers_hear_news_at_most_every_few_seconds(
    holding: Callable[..., contextlib.AbstractContextManager[Person]],
) -> None:
    with holding() as someone:
        number = [0]

        def chatter(route: Route) -> None:
            number[0] += 1
            hint = {"code": "missing", "text": f"{number[0]} more tiles.", "tiles": []}
            seen = {"width": 4, "height": 3, "tiles": [], "settled": False, "evidence": "", "hint": hint}
            route.fulfill(json={"frame": number[0], "next_ms": 100, "seen": seen})

        someone.page.route(LOOK, chatter)
        open_camera(someone)
        said = someone.page.evaluate(
            """() => new Promise((resolve) => {
                const times = [];
                const status = document.querySelector('#live [role=status]');
                new MutationObserver(() => times.push(performance.now())).observe(status, { childList: true });
                setTimeout(() => resolve(times), 7500);
            })"""
        )
        assert number[0] > 10
        assert 1 <= len(said) <= 3
        assert all(later - earlier >= 2900 for earlier, later in pairwise(said))
        assert someone.page.locator(".aim").get_attribute("role") is None
        someone.page.unroute_all(behavior="ignoreErrors")


def test_outlines_follow_the_camera_between_answers(new_person: Callable[..., Person]) -> None:
    """A picture that moves under the follower moves the outlines as far."""
    someone = new_person()
    someone.open("/")
    moved = someone.page.evaluate(
        """async () => {
            const { Follower } = await import('/static/js/live/follower.js');
            const { Outlines } = await import('/static/js/live/outlines.js');
            const { after, inverse } = await import('/static/js/live/motion.js');
            const [follower, outlines] = [new Follower(), new Outlines()];
            document.body.append(outlines.element);
            const picture = (shift) => {
                const values = new Float32Array(96 * 72);
                for (let y = 0; y < 72; y += 1) for (let x = 0; x < 96; x += 1) {
                    values[96 * y + x] = 128 + 40 * Math.sin((x - shift) / 5) + 40 * Math.cos(y / 6 + (x - shift) / 9);
                }
                return { values, width: 96, height: 72 };
            };
            follower.canvas.width = 96;
            follower.take(picture(0), 0);
            const mark = follower.total;
            const quad = [[480, 360], [540, 360], [540, 440], [480, 440]];
            const tile = { number: 1, face: '1m', label: '1C', sure: true, role: 'concealed', quad };
            outlines.draw({ width: 960, height: 720, tiles: [tile] });
            const rested = [];
            for (let frame = 1; frame <= 10; frame += 1) {
                follower.take(picture(frame), 33 * frame);
                rested.push(follower.restedFor(33 * frame));
            }
            for (let frame = 11; frame <= 30; frame += 1) follower.take(picture(10), 33 * frame);
            outlines.follow(after(inverse(mark), follower.total), 96);
            const point = outlines.group.transform.baseVal.consolidate().matrix;
            return [point.e + 480 * point.a, Math.max(...rested), follower.restedFor(33 * 30)];
        }"""
    )
    assert moved[0] == pytest.approx(480 + 100, abs=4)
    assert moved[1] == 0
    assert moved[2] >= 500


def test_a_link_opens_the_camera_at_once(
    holding: Callable[..., contextlib.AbstractContextManager[Person]],
) -> None:
    with holding() as someone:
        someone.page.goto(f"{someone.address}/#camera")
        expect(someone.page.locator("#live video")).to_be_visible()
        someone.press("Escape")
        someone.page.reload()
        expect(someone.page.locator("#live")).to_have_count(0)


def test_in_a_match_the_photo_button_opens_it(
    holding: Callable[..., contextlib.AbstractContextManager[Person]],
) -> None:
    with holding(alone=True) as someone:
        someone.open("/matches")
        for seat, name in enumerate(("Anna", "Bo", "陈", "Dmitri")):
            someone.page.locator("[name=player]").nth(seat).fill(name)
        someone.hit(someone.page.locator("#new-form > .button"))
        someone.page.wait_for_url("**/match/*")
        someone.hit(someone.page.locator("#actions label[for=camera]"))
        expect(someone.page.locator("#live video")).to_be_visible()
        someone.page.wait_for_url("**/photo/*?match=*", timeout=90_000)


def test_without_a_stream_one_sentence_says_why(driver: Playwright, served: tuple[str, Any]) -> None:
    name = socket.gethostname()  # secure contexts are HTTPS and localhost only
    address = served[0].replace("127.0.0.1", name)
    with (
        launched(driver, f"--host-resolver-rules=MAP {name} 127.0.0.1") as browser,
        person(browser, address, PHONE) as someone,
    ):
        someone.open("/")
        expect(someone.page.locator("#no-live")).to_contain_text("fanlens serve --https")
        expect(someone.page.locator("#live-camera")).to_be_hidden()
        expect(someone.page.locator("label[for=camera]")).to_be_visible()
        # Chromium itself says that its other protections need HTTPS too.
        assert [text for text in someone.complaints if "Cross-Origin-Opener-Policy" not in text] == []
