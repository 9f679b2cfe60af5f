"""Measure the time of each stage from file to score, and the peak of memory.

    python -m tests.bench.bench_photo [PHOTO…]

Without photos a sample photo is measured at 0.4 and at 12 megapixels. Each photo has its own process, so that the peak
of memory is that of the photo. A first reading, which opens the networks, is not counted.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from PIL import Image

from vision.photo import load_photo
from vision.recognition import recognise

SAMPLE = Path(__file__).parents[2] / "vision" / "samples" / "dragons.jpg"
SIZES = {"0.4 MP": (730, 548), "12 MP": (4032, 3024)}
PASSES = 11
STAGES = ("load", "detect", "read", "decode", "score", "total")
_ALONE = "FANLENS_BENCH_ALONE"


def stages(path: Path) -> dict[str, float]:
    """The milliseconds of each stage in one pass."""
    start = time.perf_counter()
    photo = load_photo(path)
    load_ms = (time.perf_counter() - start) * 1000
    return recognise(photo, load_ms=load_ms).timing_ms


def measure(path: Path) -> dict[str, float]:
    """The median milliseconds of each stage, and the peak of memory in MB."""
    stages(path)
    passes = [stages(path) for _ in range(PASSES)]
    figures = {stage: median(each[stage] for each in passes) for stage in STAGES}
    peak_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {**figures, "fastest": min(each["total"] for each in passes), "peak_mb": peak_kb / 1024}


def measure_alone(path: Path) -> dict[str, float]:
    """Measure in a new process."""
    command = [sys.executable, "-m", "tests.bench.bench_photo", str(path)]
    done = subprocess.run(
        command, env={**os.environ, _ALONE: "1"}, capture_output=True, check=True, text=True
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def main() -> None:
    """Measure the photos and print the table."""
    given = [Path(name) for name in sys.argv[1:]]
    if os.environ.get(_ALONE):
        print(json.dumps(measure(given[0])))
        return
    with tempfile.TemporaryDirectory() as folder:
        photos = {path.name: path for path in given}
        if not photos:
            for name, size in SIZES.items():
                photos[name] = Path(folder) / f"{size[0]}.jpg"
                with Image.open(SAMPLE) as sample:
                    sample.resize(size, Image.Resampling.LANCZOS).save(photos[name], quality=92)
        columns = [*STAGES, "fastest", "peak_mb"]
        print(f"median of {PASSES} passes, ms; {len(os.sched_getaffinity(0))} cores")
        print(f"{'photo':>12} " + " ".join(f"{column:>8}" for column in columns))
        for name, path in photos.items():
            figures = measure_alone(path)
            print(f"{name:>12} " + " ".join(f"{figures[column]:>8.0f}" for column in columns))


if __name__ == "__main__":
    main()
