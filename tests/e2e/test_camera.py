"""The live camera while the server reads no frames: the hints that it gives by itself, and a photo taken by hand."""

import base64
import contextlib
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageEnhance, ImageFilter
from playwright.sync_api import Playwright, expect

from tests.e2e.browser import PHONE, Person, launched, person
from tests.e2e.conftest import sample
from tests.e2e.films import playing

pytestmark = pytest.mark.e2e


def film(path: Path, image: Image.Image) -> Path:
    """A film of one standing picture, as Chromium's fake camera plays it."""
    frame = io.BytesIO()
    image.resize((1280, 960)).save(frame, "JPEG", quality=92)
    path.write_bytes(frame.getvalue() * 5)
    return path


@pytest.fixture
def photo() -> Iterator[Image.Image]:
    with Image.open(sample("three-chows")[0]) as image:
        image.load()
        yield image


@contextlib.contextmanager
def alone_with(driver: Playwright, served: tuple[str, Any], played: Path) -> Iterator[Person]:
    """A person whose camera sees a film, and whose server is too busy for its frames."""
    with launched(driver, *playing(played)) as browser, person(browser, served[0], PHONE) as someone:
        busy = {"frame": 1, "next_ms": 1000, "seen": None}
        someone.page.route("**/api/v1/look", lambda route: route.fulfill(json=busy))
        yield someone
        someone.page.unroute_all(behavior="ignoreErrors")


def test_live_camera_takes_the_photo(
    driver: Playwright, served: tuple[str, Any], tmp_path: Path, photo: Image.Image
) -> None:
    played = film(tmp_path / "hand.mjpeg", photo)
    with alone_with(driver, served, played) as someone:
        someone.open("/")
        someone.tap("#live-camera")
        expect(someone.page.locator("#live video")).to_be_visible()
        expect(someone.page.locator("#live .aim")).to_have_text("Fit the whole hand into the frame")
        someone.page.wait_for_function("() => document.querySelector('#live video').videoWidth > 0")
        someone.hit(someone.page.locator(".shutter"))
        someone.page.wait_for_url("**/photo/*", timeout=30_000)
        assert len([one for one in someone.draft()["tiles"] if one["role"] != "stray"]) >= 10
        assert someone.complaints == []


def test_live_camera_says_when_it_is_too_dark(
    driver: Playwright, served: tuple[str, Any], tmp_path: Path, photo: Image.Image
) -> None:
    played = film(tmp_path / "dark.mjpeg", ImageEnhance.Brightness(photo).enhance(0.15))
    with alone_with(driver, served, played) as someone:
        someone.open("/")
        someone.tap("#live-camera")
        expect(someone.page.locator("#live .aim")).to_contain_text("Too dark")
        someone.press("Escape")
        expect(someone.page.locator("#live")).to_have_count(0)
        assert someone.page.evaluate("() => document.activeElement.id") == "live-camera"


def grey(image: Image.Image) -> str:
    """The brightness of each pixel, one byte each, in base64."""
    small = image.convert("L").resize(
        (320, round(320 * image.height / image.width)), Image.Resampling.BILINEAR
    )
    return base64.b64encode(small.tobytes()).decode()


def far_away(image: Image.Image) -> Image.Image:
    table = Image.new("RGB", image.size, "#35704a")
    table.paste(image.resize((image.width // 4, image.height // 4)), (image.width // 3, image.height // 3))
    return table


def with_glare(image: Image.Image) -> Image.Image:
    shiny = image.copy()
    shiny.paste("white", (200, 200, 200 + image.width // 4, 200 + image.height // 4))
    return shiny


def said_of(someone: Person, picture: Image.Image) -> str:
    """What the camera itself says is wrong with a picture."""
    said: str = someone.page.evaluate(
        """async (encoded) => {
            const grey = [...atob(encoded)].map((byte) => byte.charCodeAt(0));
            return (await import('/static/js/live/sight.js')).complaint(grey, 320);
        }""",
        grey(picture),
    )
    return said


def white_on_dark(image: Image.Image) -> Image.Image:
    """Bright white tiles on a dark mat."""
    darker = ImageEnhance.Brightness(image).enhance(0.75)
    tiles = image.convert("L").point(lambda value: 255 if value > 150 else 0)
    darker.paste(ImageEnhance.Brightness(image).enhance(1.5), mask=tiles)
    return darker


@pytest.mark.parametrize("name", ["three-chows", "east-kong"])
def test_white_tiles_on_a_dark_mat_are_no_glare(new_person: Callable[..., Person], name: str) -> None:
    someone = new_person()
    someone.open("/")
    with Image.open(sample(name)[0]) as image:
        white = white_on_dark(image)
    assert (
        np.mean(np.asarray(white.convert("L").resize((320, 240))) >= 250) > 0.03
    )  # it once took this for glare
    assert said_of(someone, white) == ""


@pytest.mark.parametrize("name", ["three-chows", "east-kong"])
def test_hints_tell_good_pictures_from_bad(new_person: Callable[..., Person], name: str) -> None:
    someone = new_person()
    someone.open("/")
    with Image.open(sample(name)[0]) as image:
        image.load()
    spoilt = {
        "": image,
        "Too dark": ImageEnhance.Brightness(image).enhance(0.15),
        "Too far": far_away(image),
        "Blurred": image.filter(ImageFilter.GaussianBlur(12)),
        "Glare": with_glare(image),
    }
    for hint, picture in spoilt.items():
        assert said_of(someone, picture).split(":")[0] == hint


def test_live_camera_says_when_the_phone_is_tilted(
    driver: Playwright, served: tuple[str, Any], tmp_path: Path, photo: Image.Image
) -> None:
    played = film(tmp_path / "hand.mjpeg", photo)
    with alone_with(driver, served, played) as someone:
        someone.open("/")
        someone.tap("#live-camera")
        phone = someone.page.context.new_cdp_session(someone.page)
        for beta, gamma, said in ((70, 0, "Tilted"), (10, 5, "Fit the whole hand"), (0, -65, "Tilted")):
            phone.send(
                "DeviceOrientation.setDeviceOrientationOverride", {"alpha": 0, "beta": beta, "gamma": gamma}
            )
            expect(someone.page.locator("#live .aim")).to_contain_text(said)
        someone.press("Escape")
        assert someone.complaints == []
