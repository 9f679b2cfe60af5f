"""Measure how fast the page answers a tap: `python -m tests.bench.bench_page [TAPS]`.

Chromium with the window of a phone opens a server on localhost. Each tap changes how a hand was won, and the time runs
until the page has drawn the new score. For comparison, the application assesses the same hands without a browser.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from scorer import hand_to_json, parse_hand
from tests.e2e.browser import PHONE, person, running_chromium, running_server
from webapp.app import close, create_app

HANDS = ("345s3p55p5567p[7777s]4p|EE0000|3", "EEE234567p9s[NNN]9s", "1133m5577p2288sEE")
TAP = """(key) => new Promise((resolve) => {
    const begun = performance.now();
    const before = document.body.dataset.assessed;
    new MutationObserver((_, watching) => {
        if (document.body.dataset.assessed === before) return;
        watching.disconnect();
        resolve(performance.now() - begun);
    }).observe(document.body, { attributes: true, attributeFilter: ["data-assessed"] });
    document.querySelector(`[data-key="${key}"]`).click();
})"""
KEYS = (
    "self_drawn-true",
    "seat_wind-N",
    "prevalent_wind-S",
    "self_drawn-false",
    "seat_wind-E",
    "prevalent_wind-E",
)


def taps(number: int) -> list[float]:
    """The milliseconds from tap to score in the browser, for `number` taps per hand."""
    found: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        running_chromium() as chromium,
        running_server(Path(folder)) as (address, _),
        person(chromium, address, PHONE) as someone,
    ):
        for text in HANDS:
            someone.read_notation(text)
            found += [someone.page.evaluate(TAP, KEYS[tap % len(KEYS)]) for tap in range(number)]
    return found


def answers(number: int) -> list[float]:
    """The milliseconds of assessing a hand without browser and network, `number` times per hand."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"DATABASE": Path(folder) / "ledger.sqlite3"})
        client = app.test_client()
        for text in HANDS:
            hand = hand_to_json(*parse_hand(text))
            for tap in range(number):
                body = hand | {"self_drawn": bool(tap % 2)}
                begun = time.perf_counter()
                client.post("/api/v1/assess", json=body)
                found.append((time.perf_counter() - begun) * 1000)
        close(app)
    return found


def report(name: str, times: list[float]) -> float:
    """Print median and 95th percentile, and return the median."""
    median, slow = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(f"{name}: median {median:.1f} ms, 95th percentile {slow:.1f} ms, {len(times)} times")
    return median


def main(number: int) -> None:
    """Print both and their ratio."""
    page = report("from tap to score on the page", taps(number))
    own = report("the application alone", answers(number))
    print(f"ratio: {page / own:.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
