"""How `fanlens batch` scales: processes, against `fanlens photo`, memory, resume; asserts nothing about time.

    python -m tests.bench.bench_batch [--photos 60] [--many 3000] [--few 300] [--processes 2]

The photos are the bundled ones, which our renderer made, at 800×600 and each with bytes of its own at the end.
For memory and resume, which do not depend on what is seen, they are 64×48: reading 3,000 full ones takes long.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

SAMPLES = sorted((Path(__file__).parents[2] / "vision" / "samples").glob("*.jpg"))
FANLENS = (sys.executable, "-m", "webapp.cli")


def make_photos(folder: Path, count: int, size: tuple[int, int]) -> Path:
    """`count` photos of that size; no two have the same content."""
    folder.mkdir()
    small = []
    for sample in SAMPLES:
        with Image.open(sample) as image:
            path = folder / "small.tmp"
            image.resize(size).save(path, "JPEG", quality=90)
            small.append(path.read_bytes())
            path.unlink()
    for number in range(count):
        (folder / f"{number:06}.jpg").write_bytes(small[number % len(small)] + b"%d" % number)
    return folder


def resident_kb(pid: int) -> int:
    """Peak resident memory of a process so far; 0 once it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)


def run(*arguments: str | Path) -> tuple[float, dict[str, int]]:
    """Seconds a command took, and the peak of memory in MB of itself and of its largest worker."""
    start = time.perf_counter()
    command = [*FANLENS, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        peaks: dict[int, int] = {}
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while process.poll() is None:
            try:
                pids = [process.pid, *map(int, children.read_text(encoding="ascii").split())]
            except OSError:
                break
            for pid in pids:
                peaks[pid] = max(peaks.get(pid, 0), resident_kb(pid))
            time.sleep(0.05)
        process.wait()
    own = peaks.pop(process.pid, 0)
    memory = {"run_mb": own // 1024, "worker_mb": max(peaks.values(), default=0) // 1024}
    return time.perf_counter() - start, memory


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", type=int, default=60)
    parser.add_argument("--few", type=int, default=300)
    parser.add_argument("--many", type=int, default=3000)
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        figures: dict[str, object] = {"photos": args.photos}
        folder = make_photos(top / "photos", args.photos, (800, 600))
        spent = {}
        for processes in (1, args.processes):
            out = top / f"{processes}.jsonl"
            spent[processes], memory = run(
                "batch", folder, "--out", out, "--quiet", "--processes", str(processes)
            )
            figures[f"{processes} processes"] = {
                "seconds": round(spent[processes], 1),
                "photos_per_second": round(args.photos / spent[processes], 2),
                **memory,
            }
        one_by_one, _ = run("photo", "--json", *sorted(folder.iterdir()))
        figures["fanlens photo, seconds"] = round(one_by_one, 1)
        figures[f"{args.processes} processes against 1"] = round(spent[1] / spent[args.processes], 2)
        figures["batch against photo"] = round(one_by_one / spent[args.processes], 2)
        print(json.dumps(figures, indent=1), flush=True)
        peaks = {}
        for count in (args.few, args.many):
            folder, out = make_photos(top / f"tiny{count}", count, (64, 48)), top / f"tiny{count}.jsonl"
            seconds, peaks[count] = run("batch", folder, "--out", out, "--quiet", "--processes", "1")
            again, _ = run("batch", folder, "--out", out, "--quiet", "--processes", "1", "--resume")
            print(
                f"{count} photos of 64×48: {seconds:.1f} s, {peaks[count]}, resume {again:.1f} s", flush=True
            )
        for what in ("run_mb", "worker_mb"):
            ratio = peaks[args.many][what] / max(1, peaks[args.few][what])
            print(f"{what}, {args.many} against {args.few} photos: {ratio:.3f}")


if __name__ == "__main__":
    main()
