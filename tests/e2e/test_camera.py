"""The live camera, fed with a photo through Chromium's own fake device."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageEnhance
from playwright.sync_api import expect

from tests.e2e.browser import PHONE, person, running_chromium
from tests.e2e.conftest import sample

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


def arguments(played: Path) -> tuple[str, ...]:
    return (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={played}",
    )


def test_live_camera_takes_the_photo(served: tuple[str, Any], tmp_path: Path, photo: Image.Image) -> None:
    played = film(tmp_path / "hand.mjpeg", photo)
    with running_chromium(*arguments(played)) as browser, person(browser, served[0], PHONE) as someone:
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
    served: tuple[str, Any], tmp_path: Path, photo: Image.Image
) -> None:
    played = film(tmp_path / "dark.mjpeg", ImageEnhance.Brightness(photo).enhance(0.15))
    with running_chromium(*arguments(played)) as browser, person(browser, served[0], PHONE) as someone:
        someone.open("/")
        someone.tap("#live-camera")
        expect(someone.page.locator("#live .aim")).to_contain_text("Too dark")
        someone.press("Escape")
        expect(someone.page.locator("#live")).to_have_count(0)
        assert someone.page.evaluate("() => document.activeElement.id") == "live-camera"
