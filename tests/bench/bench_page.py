"""How quickly the page answers a tap: `python -m tests.bench.bench_page [TAPS]`.

A real Chromium with a phone's window opens the real server on localhost. Each tap changes how a hand was won; timed is
from the tap until the page has drawn the score of the hand as it then is. The ratio says how much of that is the
scorer's own answer to the same question, asked of the application in the same run.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from scorer import hand_to_json, parse_hand
from tests.e2e.browser import PHONE, person, running_chromium, running_server
from webapp.app import create_app

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
    """Milliseconds from tap to score in the browser, `number` for each hand."""
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
    """Milliseconds that the application itself takes to assess a hand, without browser or sockets."""
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
        app.extensions["pending_photos"].close()
        app.extensions["ledger"].close()
    return found


def told(name: str, times: list[float]) -> float:
    """Prints median and 95th percentile; the median."""
    median, slow = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(f"{name}: {median:.1f} ms median, {slow:.1f} ms in the slowest twentieth, of {len(times)}")
    return median


def main(number: int) -> None:
    """Prints both and their ratio."""
    page = told("from tap to score on the page", taps(number))
    own = told("the application's answer alone", answers(number))
    print(f"page / answer: {page / own:.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
