"""One Chromium and one server for all end-to-end tests; a fresh window for each."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.e2e.browser import PHONE, Json, Person, launched, person, running_server

SAMPLES = Path(__file__).resolve().parents[2] / "vision" / "samples"


class _Running:
    """Playwright's driver and one Chromium, started when a test first needs them.

    The driver runs an event loop in this thread, and other tests of the session start loops of their own. So both end
    after the last end-to-end test, and not with the session.
    """

    def __init__(self) -> None:
        self._open = ExitStack()
        self._started: tuple[Playwright, Browser] | None = None

    def start(self) -> tuple[Playwright, Browser]:
        if self._started is not None and not self._started[1].is_connected():
            self.end()  # it crashed: that fails the test that was running, and no other
        if self._started is None:
            driver = self._open.enter_context(sync_playwright())
            self._started = driver, self._open.enter_context(launched(driver))
        return self._started

    def end(self) -> None:
        self._started = None
        self._open.close()


_running = _Running()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Ends the browser after the last end-to-end test, once that test has closed its windows."""
    yield
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        _running.end()


@pytest.fixture
def driver() -> Playwright:
    """Playwright's driver, of which a process has one."""
    return _running.start()[0]


@pytest.fixture
def chromium() -> Browser:
    return _running.start()[1]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Any]]:
    with running_server(tmp_path_factory.mktemp("e2e")) as address_and_app:
        yield address_and_app


@pytest.fixture
def new_person(chromium: Browser, served: tuple[str, Any]) -> Iterator[Callable[..., Person]]:
    """Makes people; afterwards no page of theirs may have logged an error."""
    people: list[Person] = []
    with ExitStack() as stack:

        def make(size: tuple[int, int] = PHONE, **options: Any) -> Person:
            people.append(stack.enter_context(person(chromium, served[0], size, **options)))
            return people[-1]

        yield make
        complaints = [complaint for one in people for complaint in one.complaints]
    assert complaints == []


def sample(name: str) -> tuple[Path, Json]:
    """A bundled sample photo and its truth."""
    truth: Json = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    return SAMPLES / f"{name}.jpg", truth


def laid_out(served: tuple[str, Any], name: str, photo: bytes | None = None, **changes: Any) -> str:
    """Where a sample photo waits as if every tile of it had been read rightly: tests of the page, not of reading.

    `photo` is shown instead of the sample; `changes` replace entries of the recognition, such as its `problems`.
    """
    path, truth = sample(name)
    tiles = [
        {key: one[key] for key in ("face", "quad", "group", "role", "sideways")}
        | {"confidence": 0.99, "alternatives": []}
        for one in truth["tiles"]
    ]
    recognition = {
        "image": "photo",
        "width": truth["width"],
        "height": truth["height"],
        "tiles": tiles,
        "hand": truth["hand"],
        "readings": [{"hand": truth["hand"], "probability": 0.99}],
        "score": None,
        "problems": [],
        "timing_ms": {},
    } | changes
    return f"/photo/{served[1].extensions['pending_photos'].put(photo or path.read_bytes(), recognition)}"
