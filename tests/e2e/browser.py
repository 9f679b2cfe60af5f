"""A real Chromium and a person's hands on it; shared by the tests and by `take_pictures`."""

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Locator, Page, Playwright, expect, sync_playwright

from vision.tilesets import HOME
from webapp.app import close, create_app
from webapp.serving import Serving

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = (360, 740)
DESKTOP = (1280, 800)
# What Chromium itself logs when the server says 4xx on purpose.
EXPECTED_LOG = "Failed to load resource"

Json = dict[str, Any]


@contextlib.contextmanager
def launched(driver: Playwright, *more: str) -> Iterator[Browser]:
    """Debian's Chromium with a new, empty profile and `more` arguments; fails where it is missing."""
    assert Path(CHROMIUM).exists(), f"{CHROMIUM} is missing: apt-get install chromium"
    browser = driver.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *more])
    yield browser
    browser.close()


@contextlib.contextmanager
def running_chromium() -> Iterator[Browser]:
    """The same with a driver of its own, of which a process has one at a time."""
    with sync_playwright() as driver, launched(driver) as browser:
        yield browser


@contextlib.contextmanager
def running_server(folder: Path, **config: Any) -> Iterator[tuple[str, Any]]:
    """The real server with an empty ledger in `folder`: its address and the application.

    Tile sets that are taught lie in `folder` too.
    """
    os.environ[HOME] = str(folder)
    app = create_app({"DATABASE": folder / "ledger.sqlite3"} | config)
    try:
        with Serving(app, "127.0.0.1", 0) as serving:
            yield f"http://127.0.0.1:{serving.port}", app
    finally:
        close(app)


@dataclass
class Person:
    """Someone using the page: every tap and key press goes through here and is counted."""

    page: Page
    address: str
    touch: bool
    taps: int = 0
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Listen for what the page should never say."""
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on(
            "console",
            lambda message: (
                self.complaints.append(message.text)
                if message.type in {"error", "warning"} and EXPECTED_LOG not in message.text
                else None
            ),
        )

    def open(self, path: str) -> None:
        """Goes to a path and waits until the page has drawn itself."""
        self.page.goto(self.address + path)
        self.wait_until_drawn()

    def wait_until_drawn(self) -> None:
        """Waits until the scripts of the page have run and, where there is a hand, its score is shown."""
        self.page.wait_for_function(
            "() => !document.body.matches('.confirm') || document.body.dataset.busy === 'false'"
        )

    def tap(self, target: str | Locator) -> None:
        """One tap (or click), counted."""
        locator = self.page.locator(target) if isinstance(target, str) else target
        before = self.assessed()
        self.hit(locator)
        self.taps += 1
        self.settle(before)

    def hit(self, locator: Locator) -> None:
        """A finger or a mouse, whichever this person has."""
        if self.touch:
            locator.tap()
        else:
            locator.click()

    def type(self, keys: str) -> None:
        """Keys one after the other."""
        before = self.assessed()
        self.page.keyboard.type(keys)
        self.settle(before)

    def press(self, key: str) -> None:
        """One key or combination."""
        before = self.assessed()
        self.page.keyboard.press(key)
        self.settle(before)

    def assessed(self) -> tuple[str, str]:
        """The hand as the page holds it, and how often it has been scored."""
        return tuple(  # type: ignore[return-value]
            self.page.evaluate(
                """() => {
                    const held = sessionStorage.getItem(`fanlens${location.pathname}`) || "{}";
                    const now = JSON.stringify(JSON.parse(held).now || null);
                    return [now, document.body.dataset.assessed || "0"];
                }"""
            )
        )

    def settle(self, before: tuple[str, str]) -> None:
        """After a change, waits until the page has shown the score of the hand as it now is."""
        try:
            if self.page.locator("body.confirm").count() and self.assessed()[0] != before[0]:
                self.page.wait_for_function("() => document.body.dataset.busy !== 'true'")
        except Error as error:
            # The tap led to another page, and whoever tapped waits for that.
            if "navigation" not in error.message:
                raise

    def send_photo(self, photo: Path | Json) -> None:
        """Chooses a photo on the start page and waits for the confirmation page."""
        self.choose(photo)
        self.page.wait_for_url("**/photo/*", timeout=60_000)
        self.wait_until_drawn()
        expect(self.page.locator("#board .tile").first).to_be_visible()

    def choose(self, photo: Path | Json) -> None:
        """Chooses a photo on the start page: a file, or `{"name", "mimeType", "buffer"}`."""
        self.open("/")
        self.page.set_input_files("#gallery", photo)  # type: ignore[arg-type]

    def won(self, winner: str, source: str) -> None:
        """Says who won (a seat) and from whom: a seat, or "self_drawn"."""
        self.tap(f'[data-condition="winner"][data-value="{winner}"]')
        self.tap(f'[data-condition="from"][data-value="{source}"]')

    def confirm(self) -> None:
        """Confirms the hand and waits for the list."""
        self.hit(self.page.locator("#save"))
        self.page.wait_for_url("**/hands*#hand-*")

    def draft(self) -> Json:
        """The hand as the page holds it."""
        held: Json = json.loads(self.assessed()[0])
        return held

    def total(self) -> int:
        """The total the page shows."""
        return int((self.page.locator("#total").text_content() or "").split()[0])

    def read_notation(self, text: str) -> None:
        """Types a hand as text on the page for hands without a photo."""
        self.open("/hand")
        self.page.keyboard.press("Escape")
        self.hit(self.page.locator("#notation summary"))
        self.page.fill("#notation-text", text)
        before = self.assessed()
        self.hit(self.page.locator("#notation-form button").first)
        self.page.wait_for_function("(before) => document.body.dataset.assessed !== before", arg=before[1])
        self.settle(("", ""))


@contextlib.contextmanager
def person(
    browser: Browser,
    address: str,
    size: tuple[int, int] = PHONE,
    *,
    locale: str = "en-GB",
    dark: bool = False,
    scale: float = 1,
) -> Iterator[Person]:
    """A person with a fresh browser window of `size` CSS pixels; phones have touch."""
    phone = size[0] < 700
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        has_touch=phone,
        is_mobile=phone,
        locale=locale,
        color_scheme="dark" if dark else "light",
        device_scale_factor=scale,
        reduced_motion="reduce",
    )
    context.set_default_timeout(15_000)
    try:
        yield Person(context.new_page(), address, touch=phone)
    finally:
        context.close()
