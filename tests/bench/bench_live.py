"""Measure the live camera in Chromium: `python -m tests.bench.bench_live [--clips 60] [--minutes 10]`.

Each clip is a film of a hand-held phone above a table, which Chromium plays as its camera: half of them made of
labelled training photos of winning hands (../shared), half of rendered tables, other ones than those of the model card.
The time runs from the tap that opens the camera to the score on the page, without another tap. A clip is right if
the page then holds exactly the tiles of the picture. A clip without a score after `PATIENCE_S` counts as wrong, and its
time as that.

With --minutes the camera stays open over one table, and the memory of the page is printed every half minute.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from playwright.sync_api import Playwright, sync_playwright
from playwright.sync_api import TimeoutError as NothingHappened

from models.figures.clips import CLIPS, FIRST_SCENE, rendered_table, winning_photos
from models.figures.specimens import Specimen, default_labels
from tests.e2e.browser import PHONE, Person, launched, person, running_server
from tests.e2e.films import film_of, playing
from vision.evaluation.labels import read_labels

PATIENCE_S = 15.0
RESTS_S = (0.3, 0.9)
"""After how many seconds the phone comes to rest: between these."""
SAMPLE_S = 30.0
ALONE = "fanlens camera takes alone"


def pictures(count: int) -> Iterator[Specimen]:
    """Photos and rendered tables in turn; those of the model card are left out."""
    labels = default_labels()
    photos: list[Specimen] = []
    if labels.exists():
        photos = winning_photos(read_labels(labels, "train"), CLIPS + count)[CLIPS:]
    for number in range(count):
        if number % 2 == 0 and number // 2 < len(photos):
            yield photos[number // 2]
        else:
            yield rendered_table(FIRST_SCENE + CLIPS + number)


def one_clip(
    driver: Playwright, address: str, picture: Specimen, seed: int, folder: Path
) -> tuple[float, bool]:
    """Seconds from the tap to the score, and whether the hand is right."""
    rests = float(np.random.default_rng(seed).uniform(*RESTS_S))
    film = film_of(picture, seed, folder / "film.mjpeg", rests_at_s=rests)
    with launched(driver, *playing(film)) as browser, person(browser, address, PHONE) as someone:
        someone.open("/")
        begun = time.perf_counter()
        someone.hit(someone.page.locator("#live-camera"))
        try:
            someone.page.wait_for_url("**/photo/*", timeout=1000 * PATIENCE_S)
            someone.wait_until_drawn()
        except NothingHappened:
            return PATIENCE_S, False
        taken = time.perf_counter() - begun
        hand = [tile["face"] for tile in someone.draft()["tiles"] if tile["role"] != "stray"]
        return taken, sorted(hand) == sorted(picture.faces)


def clips(driver: Playwright, address: str, count: int, folder: Path) -> None:
    """Print the median time and the share that is right."""
    found: list[tuple[str, float, bool]] = []
    for seed, picture in enumerate(pictures(count)):
        taken, right = one_clip(driver, address, picture, seed, folder)
        found.append((picture.source, taken, right))
        print(f"{picture.name}: {taken:.1f} s, {'right' if right else 'wrong'}", flush=True)
    for source in ("photo", "rendered"):
        part = [(taken, right) for kind, taken, right in found if kind == source]
        if part:
            times = [taken for taken, _ in part]
            print(
                f"{source}: median {median(times):.2f} s, right {sum(right for _, right in part)} of {len(part)}"
            )
    every = sum(right for *_, right in found)
    print(f"all: median {median(taken for _, taken, _ in found):.2f} s, right {every} of {len(found)}")


def memory(driver: Playwright, address: str, minutes: float, folder: Path) -> None:
    """Print the memory of a page whose camera stays open, after collecting garbage."""
    film = film_of(rendered_table(FIRST_SCENE), 0, folder / "film.mjpeg", rests_at_s=3, lasts_s=6)
    with launched(driver, *playing(film)) as browser, person(browser, address, PHONE) as someone:
        someone.page.add_init_script(f"localStorage.setItem('{ALONE}', 'no')")
        someone.open("/")
        someone.hit(someone.page.locator("#live-camera"))
        session = someone.page.context.new_cdp_session(someone.page)
        samples: list[tuple[float, int]] = []
        until = time.monotonic() + 60 * minutes
        while time.monotonic() < until or len(samples) < 2:
            someone.page.wait_for_timeout(1000 * min(SAMPLE_S, max(1.0, 60 * minutes / 4)))
            samples.append(sample(someone, session))
            heap, nodes = samples[-1]
            print(f"heap {heap / 1e6:.2f} MB, {nodes} nodes", flush=True)
    (first, nodes), (last, nodes_at_last) = samples[0], samples[-1]
    print(
        f"memory at the end: {last / first:.2f} times that at the start; nodes {nodes_at_last / nodes:.2f} times"
    )


def sample(someone: Person, session: Any) -> tuple[float, int]:
    """Bytes of the heap of the scripts, and the number of nodes."""
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    told = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    assert someone.page.locator("#live").is_visible()
    return float(told["JSHeapUsedSize"]), int(told["Nodes"])


def main() -> None:
    """Parse the command line and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clips", type=int, default=60)
    parser.add_argument("--minutes", type=float, default=0.0)
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {len(os.sched_getaffinity(0))} cores")
    with (
        tempfile.TemporaryDirectory() as name,
        running_server(Path(name)) as (address, app),
        sync_playwright() as driver,
    ):
        app.extensions["photo_service"].start()
        if options.clips:
            clips(driver, address, options.clips, Path(name))
        if options.minutes:
            memory(driver, address, options.minutes, Path(name))


if __name__ == "__main__":
    main()
