"""Firefox and WebKit, the engine of every iPhone, as Debian ships them: driven through WebDriver.

Playwright drives neither of these builds. Selenium speaks to WebKit's own driver. Firefox answers WebDriver BiDi
itself, and what the tests need of it is below.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Protocol

import websocket
from selenium import webdriver
from selenium.common.exceptions import ElementNotInteractableException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.file_detector import UselessFileDetector
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options

FIREFOX: Final = "/usr/bin/firefox-esr"
WEBKIT_DRIVER: Final = "/usr/bin/WebKitWebDriver"
PATIENCE_S: Final = 60.0


class Window(Protocol):
    """A browser window. `target` is a CSS selector; the element meant is the one at `place` among its matches."""

    def open(self, address: str) -> None:
        """Go to an address and wait until the page has loaded."""

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page."""

    def click(self, target: str, place: int = 0) -> None:
        """Scroll the element into view and press the pointer on it."""

    def choose(self, target: str, file: Path) -> None:
        """Put a file into a file field."""

    def screenshot(self) -> bytes:
        """The window as a PNG."""


def wait_for(window: Window, expression: str) -> None:
    """Waits until a JavaScript expression is true."""
    deadline = time.monotonic() + PATIENCE_S
    while not window.evaluate(f"Boolean({expression})"):
        if time.monotonic() > deadline:
            page = window.evaluate("location.href + '\\n' + document.body.innerText")
            raise AssertionError(f"never true: {expression}\n{page}")
        time.sleep(0.1)


def _clicked(element: WebElement) -> bool:
    element.click()
    return True


class _WebKit:
    def __init__(self, driver: webdriver.Remote) -> None:
        self._driver = driver

    def open(self, address: str) -> None:
        self._driver.get(address)

    def evaluate(self, expression: str) -> Any:
        return self._driver.execute_script(f"return {expression}")

    def click(self, target: str, place: int = 0) -> None:
        element = self._driver.find_elements(By.CSS_SELECTOR, target)[place]
        self._driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        # Under load the engine may still be laying out the page.
        waiting = WebDriverWait(
            self._driver, PATIENCE_S, ignored_exceptions=[ElementNotInteractableException]
        )
        waiting.until(lambda _: _clicked(element))

    def choose(self, target: str, file: Path) -> None:
        self._driver.find_element(By.CSS_SELECTOR, target).send_keys(str(file))

    def screenshot(self) -> bytes:
        return self._driver.get_screenshot_as_png()


@contextlib.contextmanager
def webkit(size: tuple[int, int]) -> Iterator[Window]:
    """WebKitGTK's MiniBrowser on a screen of its own."""
    browsers = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    assert browsers, "MiniBrowser is missing: run `make test`, or apt-get install webkit2gtk-driver"
    with _screen() as display, contextlib.ExitStack() as stack:
        port = _free_port()
        driving = stack.enter_context(
            _running([WEBKIT_DRIVER, "-p", str(port)], {**os.environ, "DISPLAY": display})
        )
        _wait_for_port(port, driving)
        options = Options()
        options.binary_location = str(browsers[-1])
        options.add_argument("--automation")
        connection = RemoteConnection(client_config=ClientConfig(f"http://127.0.0.1:{port}"))
        # The browser runs on this machine: files need not be sent to it.
        driver = webdriver.Remote(connection, options=options, file_detector=UselessFileDetector())
        stack.callback(driver.quit)
        driver.set_window_size(*size)
        yield _WebKit(driver)


class _Firefox:
    """Firefox through WebDriver BiDi: a command is a JSON object with a number, and so is its answer."""

    def __init__(self, connection: websocket.WebSocket) -> None:
        self._connection = connection
        self._number = 0
        self._send("session.new", capabilities={})
        self._context = self._send("browsingContext.getTree")["contexts"][0]["context"]

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        self._connection.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._connection.recv())
            if answer.get("id") == self._number:
                break  # whatever else comes in between are events
        assert answer["type"] == "success", answer
        result: dict[str, Any] = answer["result"]
        return result

    def resize(self, size: tuple[int, int]) -> None:
        width, height = size
        self._send(
            "browsingContext.setViewport",
            context=self._context,
            viewport={"width": width, "height": height},
        )

    def open(self, address: str) -> None:
        self._send("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def _evaluated(self, expression: str) -> dict[str, Any]:
        answer = self._send(
            "script.evaluate",
            expression=expression,
            target={"context": self._context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        result: dict[str, Any] = answer["result"]
        return result

    def evaluate(self, expression: str) -> Any:
        # BiDi has a notation of its own for objects; JSON spares reading it.
        return json.loads(self._evaluated(f"JSON.stringify({expression} ?? null)")["value"])

    def _element(self, target: str, place: int) -> dict[str, str]:
        found = self._evaluated(f"document.querySelectorAll({json.dumps(target)})[{place}]")
        assert found["type"] == "node", f"there is no {target}"
        return {"sharedId": found["sharedId"]}

    def click(self, target: str, place: int = 0) -> None:
        element = self._element(target, place)
        self._evaluated(
            f"document.querySelectorAll({json.dumps(target)})[{place}].scrollIntoView({{block: 'center'}})"
        )
        origin = {"type": "element", "element": element}
        actions = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        pointer = {"type": "pointer", "id": "mouse", "actions": actions}
        self._send("input.performActions", context=self._context, actions=[pointer])

    def choose(self, target: str, file: Path) -> None:
        self._send(
            "input.setFiles", context=self._context, element=self._element(target, 0), files=[str(file)]
        )

    def screenshot(self) -> bytes:
        return base64.b64decode(
            self._send("browsingContext.captureScreenshot", context=self._context)["data"]
        )


@contextlib.contextmanager
def firefox(size: tuple[int, int]) -> Iterator[Window]:
    """Firefox without a screen, with a new profile."""
    assert Path(FIREFOX).exists(), f"{FIREFOX} is missing: run `make test`, or apt-get install firefox-esr"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        log = Path(profile, "log")
        command = [FIREFOX, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", profile]
        with log.open("wb") as output, _running(command, dict(os.environ), output) as browser:
            deadline = time.monotonic() + PATIENCE_S
            while not (found := re.search(r"BiDi listening on (ws://\S+)", log.read_text(errors="replace"))):
                assert browser.poll() is None, log.read_text(errors="replace")
                assert time.monotonic() < deadline, "Firefox does not listen"
                time.sleep(0.1)
            connection = websocket.create_connection(
                f"{found[1]}/session", timeout=PATIENCE_S, suppress_origin=True
            )
            with contextlib.closing(connection):
                window = _Firefox(connection)
                window.resize(size)
                yield window


@contextlib.contextmanager
def _running(
    command: list[str], environment: dict[str, str], output: Any = subprocess.DEVNULL
) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


@contextlib.contextmanager
def _screen() -> Iterator[str]:
    """A screen in memory; its name as DISPLAY has it."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
    with subprocess.Popen(
        command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        os.close(writing)
        try:
            with os.fdopen(reading) as told:
                number = told.readline().strip()
            assert number, "Xvfb does not start"
            yield f":{number}"
        finally:
            process.terminate()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert process.poll() is None, "the driver has ended"
            assert time.monotonic() < deadline, "the driver does not listen"
            time.sleep(0.1)
