"""How `fanlens batch` scales: processes, against `fanlens photo`, memory, resume; asserts nothing about time.

    python -m tests.bench.bench_batch [--photos 300] [--rounds 2] [--size 1600x1200]
                                      [--few 300] [--many 3000] [--many-size 320x240]
                                      [--sizes 800x600,1600x1200,4000x3000,8000x6000]

Our renderer makes --scenes photos, as large as phones send them; the others are the same saved again at another
quality and with another comment, so that no two files have the same content. For memory and resume they are
smaller, as reading 3,000 of full size takes a quarter of an hour: --many-size 1600x1200 does it.

One process and several take turns, and the quickest of each counts. Other work on the machine spoils these figures, so
each line says how much of the machine others used meanwhile: measure where that is next to nothing.
"""

from __future__ import annotations

import argparse
import io
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from PIL import Image

from models.rendering import render_scene

FANLENS = (sys.executable, "-m", "webapp.cli")
_TICK_S = 0.05


@dataclass(frozen=True)
class Run:
    """What one command cost.

    seconds: by the clock. cpu_s: of the command and its processes. others: share of the machine that other work
    used. own_mb, worker_mb: peak resident memory of the command and of its largest process.
    """

    seconds: float
    cpu_s: float
    others: float
    own_mb: float
    worker_mb: float

    def __str__(self) -> str:
        return (
            f"{self.seconds:7.1f} s, {self.cpu_s:6.1f} s of CPU, memory {self.own_mb:.0f} MB and "
            f"{self.worker_mb:.0f} MB a worker, others used {self.others:.0%} of the machine"
        )


def make_photos(folder: Path, scenes: list[Image.Image], number: int, size: tuple[int, int]) -> Path:
    """`number` photos of that size; no two have the same content."""
    folder.mkdir()
    scaled = [scene.resize(size) if scene.size != size else scene for scene in scenes]
    for at in range(number):
        file = io.BytesIO()
        scene = scaled[at % len(scaled)]
        scene.save(file, "JPEG", quality=88 + at // len(scaled) % 8, comment=f"photo {at}".encode())
        (folder / f"{at:06}.jpg").write_bytes(file.getvalue())
    return folder


def run(*arguments: str | Path) -> Run:
    """Run a command to its end and see what it cost; raises SystemExit where it could not run."""
    start, machine, own = time.perf_counter(), _busy_s(), _children_s()
    command = [*FANLENS, *map(str, arguments)]
    peaks: dict[int, int] = {}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        while process.poll() is None:
            for pid in _family(process.pid):
                peaks[pid] = max(peaks.get(pid, 0), _peak_kb(pid))
            time.sleep(_TICK_S)
        said = b"" if process.stderr is None else process.stderr.read()
    if process.returncode not in (0, 1):
        raise SystemExit(f"fanlens {arguments[0]} ended with {process.returncode}: {said.decode()}")
    seconds, cpu = time.perf_counter() - start, _children_s() - own
    others = (_busy_s() - machine - cpu) / (seconds * (os.cpu_count() or 1))
    own_kb = peaks.pop(process.pid, 0)
    return Run(seconds, cpu, max(0.0, others), own_kb / 1024, max(peaks.values(), default=0) / 1024)


def _family(pid: int) -> list[int]:
    """A process and its children."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return []
    return [pid, *map(int, children)]


def _peak_kb(pid: int) -> int:
    """Peak resident memory of a process so far; 0 once it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)


def _busy_s() -> float:
    """CPU seconds that all work on the machine has used since it started."""
    user, nice, system = map(int, Path("/proc/stat").read_text(encoding="ascii").split()[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def _children_s() -> float:
    """CPU seconds of all processes that this one has started and that have ended, theirs included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def throughput(folder: Path, top: Path, args: argparse.Namespace) -> None:
    """One process, several, and `fanlens photo`, in turns."""
    photos = sorted(folder.iterdir())
    numbers = count()
    ways = {
        "1 process": ("batch", folder, "--processes", "1", "--quiet", "--out"),
        f"{args.processes} processes": (
            "batch",
            folder,
            "--processes",
            str(args.processes),
            "--quiet",
            "--out",
        ),
        "fanlens photo": ("photo", "--json", *photos),
    }
    best: dict[str, float] = {}
    for _ in range(args.rounds):
        for name, way in ways.items():
            cost = run(*way, *([top / f"{next(numbers)}.jsonl"] if way[0] == "batch" else []))
            best[name] = min(best.get(name, cost.seconds), cost.seconds)
            print(f"{name:>14}: {len(photos) / cost.seconds:5.2f} photos a second; {cost}", flush=True)
    one, several, photo = best.values()
    print(f"{args.processes} processes against 1: {one / several:.2f} times (to show: 1.7)")
    print(f"batch against fanlens photo: {photo / several:.2f} times (to show: 1.3)", flush=True)


def by_size(scenes: list[Image.Image], top: Path, args: argparse.Namespace) -> None:
    """CPU seconds and memory of one process by the size of the photos."""
    for dimensions in args.sizes:
        name = "x".join(map(str, dimensions))
        folder = make_photos(top / name, scenes, args.of_a_size, dimensions)
        cost = run("batch", folder, "--quiet", "--processes", "1", "--out", top / f"{name}.jsonl")
        print(f"{name:>10}, {args.of_a_size} photos: {cost}", flush=True)


def long_runs(scenes: list[Image.Image], top: Path, args: argparse.Namespace) -> None:
    """Memory of a short and a long run, and `--resume` of each once finished."""
    costs = {}
    for number in (args.few, args.many):
        folder, out = (
            make_photos(top / f"many{number}", scenes, number, args.many_size),
            top / f"many{number}.jsonl",
        )
        how = ("batch", folder, "--quiet", "--processes", str(args.processes), "--out", out)
        costs[number] = run(*how)
        print(f"{number:>6} photos: {costs[number]}", flush=True)
        again = run(*how, "--resume")
        print(f"{number:>6} resumed: {again}", flush=True)
    few, many = costs[args.few], costs[args.many]
    print(f"memory of {args.many} against {args.few} photos (to show: within 10 %): ", end="")
    print(f"run {many.own_mb / few.own_mb:.3f} times, worker {many.worker_mb / few.worker_mb:.3f} times")
    print(f"resume of {args.many} finished photos: {again.seconds:.1f} s (to show: under 5)")


def size(text: str) -> tuple[int, int]:
    """Width and height from `1600x1200`."""
    width, _, height = text.partition("x")
    return int(width), int(height)


def sizes(text: str) -> list[tuple[int, int]]:
    """Sizes with commas between."""
    return [size(each) for each in text.split(",") if each]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", type=int, default=300, help="for throughput; 0 leaves it out")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--size", type=size, default=(1600, 1200))
    parser.add_argument("--scenes", type=int, default=24, help="photos that are rendered")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--few", type=int, default=300)
    parser.add_argument("--many", type=int, default=3000, help="for memory and resume; 0 leaves them out")
    parser.add_argument("--many-size", type=size, default=(320, 240))
    parser.add_argument("--sizes", type=sizes, default="800x600,1600x1200,4000x3000,8000x6000")
    parser.add_argument("--of-a-size", type=int, default=24)
    args = parser.parse_args()
    scenes = [Image.fromarray(render_scene(seed, size=args.size).pixels) for seed in range(args.scenes)]
    print(f"{args.scenes} scenes rendered; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        if args.photos:
            throughput(make_photos(top / "photos", scenes, args.photos, args.size), top, args)
        by_size(scenes, top, args)
        if args.many:
            long_runs(scenes, top, args)


if __name__ == "__main__":
    main()
