"""How `fanlens batch` scales: beside `fanlens photo`, by processes, by size, in memory, and resumed.

    python -m tests.bench.bench_batch                           # nine minutes on two idle cores
    python -m tests.bench.bench_batch --quick                   # one minute, to see that it runs
    python -m tests.bench.bench_batch --write docs/batch.md     # and put the tables between the marks of that page

Our renderer makes --scenes photos as large as phones send them; the others are the same, scaled, saved again at another
quality and with another comment, so that no two files have the same content. Batch is compared with both ways to call
`fanlens photo` on the same list: once with the whole list, and once for each photo, as a loop in a shell does; of that
loop the first --calls photos are measured. The others take turns, --rounds times, and the quickest of each counts.
Each time is that of a command from its start to its end, its code compiled before as pip leaves it.

Other work on the machine spoils these figures, so each line, and the tables, say how much of it others used meanwhile:
measure where that is next to nothing. Asserts nothing about time.
"""

from __future__ import annotations

import argparse
import io
import os
import resource
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import count
from pathlib import Path
from select import select

from PIL import Image

from models.manifest import load_manifest
from models.rendering import render_scene

FANLENS = (sys.executable, "-m", "webapp.cli")
BEGIN, END = "<!-- bench_batch begins -->", "<!-- bench_batch ends -->"
SMALL, PHONE = (640, 480), (4000, 3000)
_TICK_S = 0.05

Size = tuple[int, int]


@dataclass(frozen=True)
class Cost:
    """What one command, or several in a row, cost.

    seconds: by the clock. cpu_s: of the commands and their processes. others: share of the machine that other work
    used. own_mb, worker_mb: peak resident memory of a command and of its largest process.
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

    def then(self, other: Cost) -> Cost:
        """Both in a row."""
        seconds = self.seconds + other.seconds
        return Cost(
            seconds,
            self.cpu_s + other.cpu_s,
            (self.others * self.seconds + other.others * other.seconds) / seconds,
            max(self.own_mb, other.own_mb),
            max(self.worker_mb, other.worker_mb),
        )


@dataclass(frozen=True)
class Ways:
    """One list of photos read in four ways: batch with one process and with several, one call of photo, many.

    looped: what a call of photo for each of the first `calls` photos cost.
    """

    size: Size
    photos: int
    one: Cost
    several: Cost
    listed: Cost
    calls: int
    looped: Cost

    def gains(self) -> tuple[float, float, float]:
        """Photos a second of several processes, as times those of one, of one call of photo, and of a call a photo."""
        each = self.several.seconds / self.photos
        alone, listed = self.one.seconds / self.photos, self.listed.seconds / self.photos
        return alone / each, listed / each, self.looped.seconds / self.calls / each


@dataclass(frozen=True)
class Long:
    """A short and a long run, and the long one resumed when finished."""

    size: Size
    few: int
    many: int
    few_cost: Cost
    many_cost: Cost
    resumed: Cost


@dataclass(frozen=True)
class Plan:
    """How much is measured.

    small, phone: photos in the lists of the two sizes. calls: most of them that are also read with a call for each.
    sizes: others whose cost a photo is measured, with `of_a_size`
    photos each. few, many: photos of the short and the long run, none where `many` is 0.
    """

    scenes: int = 6
    small: int = 400
    phone: int = 100
    calls: int = 60
    rounds: int = 3
    processes: int = 2
    sizes: tuple[Size, ...] = ((1600, 1200), (8000, 6000))
    of_a_size: int = 12
    few: int = 300
    many: int = 3000
    many_size: Size = (320, 240)


QUICK = Plan(scenes=2, small=8, phone=4, calls=3, rounds=1, of_a_size=2, few=20, many=60)


def make_photos(folder: Path, scenes: list[Image.Image], number: int, size: Size) -> list[Path]:
    """`number` photos of that size; no two have the same content."""
    folder.mkdir()
    scaled = [scene.resize(size) if scene.size != size else scene for scene in scenes]
    for at in range(number):
        file = io.BytesIO()
        scene = scaled[at % len(scaled)]
        scene.save(file, "JPEG", quality=88 + at // len(scaled) % 8, comment=f"photo {at}".encode())
        (folder / f"{at:06}.jpg").write_bytes(file.getvalue())
    return sorted(folder.iterdir())


def run(*arguments: str | Path) -> Cost:
    """Run a command to its end and see what it cost; raises SystemExit where it could not run."""
    start, machine, own = time.perf_counter(), _busy_s(), _children_s()
    command = [*FANLENS, *map(str, arguments)]
    peaks: dict[int, int] = {}
    with tempfile.TemporaryFile() as said:
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said) as process:
            ended = os.pidfd_open(process.pid)
            while not select([ended], [], [], _TICK_S)[0]:
                for pid in _family(process.pid):
                    peaks[pid] = max(peaks.get(pid, 0), _peak_kb(pid))
            os.close(ended)
        seconds = time.perf_counter() - start
        if process.returncode not in (0, 1):
            said.seek(0)
            words = said.read().decode("utf-8", "replace")
            raise SystemExit(f"fanlens {arguments[0]} ended with {process.returncode}: {words}")
    cpu = _children_s() - own
    others = (_busy_s() - machine - cpu) / (seconds * (os.cpu_count() or 1))
    own_kb = peaks.pop(process.pid, 0)
    return Cost(seconds, cpu, max(0.0, others), own_kb / 1024, max(peaks.values(), default=0) / 1024)


def compile_into(folder: Path) -> None:
    """Have Python keep what it compiles there, whatever this one was told: who installs Fanlens has it compiled."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder)


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


def four_ways(folder: Path, photos: list[Path], size: Size, plan: Plan) -> Ways:
    """The same list read by batch, and by `fanlens photo` called once and called for each photo."""
    numbers = count()

    def batch(processes: int) -> Cost:
        out = folder.with_name(f"{folder.name}-{next(numbers)}.jsonl")
        return run("batch", folder, "--quiet", "--processes", str(processes), "--out", out)

    def quickest(costs: Sequence[Cost]) -> Cost:
        return min(costs, key=lambda cost: cost.seconds)

    turns = [(batch(1), batch(plan.processes), run("photo", "--json", *photos)) for _ in range(plan.rounds)]
    one, several, listed = map(quickest, zip(*turns, strict=True))
    calls = photos[: plan.calls]
    looped = reduce(Cost.then, (run("photo", "--json", photo) for photo in calls))
    found = Ways(size, len(photos), one, several, listed, len(calls), looped)
    for name, number, cost in (
        ("batch, 1 process", len(photos), one),
        (f"batch, {plan.processes} processes", len(photos), several),
        ("photo, the whole list", len(photos), listed),
        ("photo, a call a photo", len(calls), looped),
    ):
        rate = f"{number:4} photos, {number / cost.seconds:5.2f} a second"
        print(f"{_by(size):>10} {name:>22}: {rate}; {cost}", flush=True)
    processes, whole, single = found.gains()
    print(
        f"{_by(size):>10} {plan.processes} processes against 1: {processes:.2f} times (to show: 1.7); batch against "
        f"photo with the whole list: {whole:.2f} times, against a call a photo: {single:.2f} times (to show: 1.3)",
        flush=True,
    )
    return found


def one_process(folder: Path, scenes: list[Image.Image], number: int, size: Size) -> Cost:
    """One process reading so many photos of a size."""
    make_photos(folder, scenes, number, size)
    out = folder.with_name(f"{folder.name}.jsonl")
    cost = run("batch", folder, "--quiet", "--processes", "1", "--out", out)
    print(f"{_by(size):>10} {f'{number} photos, 1 process':>22}: {cost}", flush=True)
    return cost


def long_run(top: Path, scenes: list[Image.Image], plan: Plan) -> Long:
    """A short and a long run, and `--resume` of the long one once finished."""
    costs = {}
    for number in (plan.few, plan.many):
        folder = top / f"many{number}"
        make_photos(folder, scenes, number, plan.many_size)
        how = ("batch", folder, "--quiet", "--processes", str(plan.processes), "--out", f"{folder}.jsonl")
        costs[number] = run(*how)
        print(f"{_by(plan.many_size):>10} {f'{number} photos':>22}: {costs[number]}", flush=True)
    found = Long(
        plan.many_size, plan.few, plan.many, costs[plan.few], costs[plan.many], run(*how, "--resume")
    )
    print(f"{_by(plan.many_size):>10} {'the same, resumed':>22}: {found.resumed} (to show: under 5 s)")
    own = found.many_cost.own_mb / found.few_cost.own_mb
    worker = found.many_cost.worker_mb / found.few_cost.worker_mb
    print(f"memory, long against short (to show: within 10 %): {own:.3f} times, a worker {worker:.3f} times")
    return found


def page(
    ways: list[Ways], start: Cost, sized: dict[Size, tuple[int, Cost]], long: Long | None, plan: Plan
) -> str:
    """The measured part of docs/batch.md; `start` is a run of one photo, `sized` runs of so many with one process."""
    costs = [cost for each in ways for cost in (each.one, each.several, each.listed, each.looped)]
    costs += [cost for _, cost in sized.values()]
    costs += [] if long is None else [long.few_cost, long.many_cost, long.resumed]
    networks = ", ".join(f"{model.name} {model.version}" for model in load_manifest().models)
    lines = [
        f"Photos of our renderer, {networks}, {os.cpu_count()} cores; of the machine others used "
        f"{reduce(Cost.then, costs).others:.0%} meanwhile. Start and end included:",
        "",
        f"| photos | `batch`, 1 process | `batch`, {plan.processes} processes | `photo`, the whole list "
        "| `photo`, a call a photo |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {each.photos} of {_by(each.size)} | "
        + " | ".join(
            f"{cost.seconds:.1f} s, {each.photos / cost.seconds:.1f} a second"
            for cost in (each.one, each.several, each.listed)
        )
        + f" | {each.looped.seconds:.1f} s for {each.calls}, {each.calls / each.looped.seconds:.1f} a second |"
        for each in ways
    ]
    lines.append("")
    for each in ways:
        processes, whole, single = each.gains()
        lines.append(
            f"- {_by(each.size)}: {plan.processes} processes against 1 {processes:.2f} times, `batch` against one call "
            f"of `photo` {whole:.2f} times, against a call a photo {single:.1f} times the photos a second."
        )
    lines += ["", "| photo | CPU a photo | memory of a process |", "|---|---|---|"]
    number, cost = sized[SMALL]
    bare = start.cpu_s - (cost.cpu_s - start.cpu_s) / (number - 1)  # the start without its photo
    each_s = {size: max(0.0, cost.cpu_s - bare) / number for size, (number, cost) in sized.items()}
    lines += [
        f"| {_by(size)} | {each_s[size]:.2f} s | {cost.worker_mb:,.0f} MB |"
        for size, (_, cost) in sorted(sized.items())
    ]
    lines += ["", f"Starting takes {bare:.1f} s of CPU."]
    if each_s[PHONE]:
        hours = 1e6 * each_s[PHONE] / 3600
        lines[-1] += (
            f" A million photos of 12 megapixels at {each_s[PHONE]:.2f} s each are {hours:.0f} core hours, "
            f"{hours / 16:.1f} hours on sixteen cores, which have to be fed {16 / each_s[PHONE] * 4:.0f} MB a second "
            "at 4 MB a photo."
        )
    if long is not None:
        lines += [
            "",
            f"With {long.many:,} photos of {_by(long.size)} the run took {long.many_cost.own_mb:.0f} MB, "
            f"{long.many_cost.own_mb / long.few_cost.own_mb:.2f} times what it took with {long.few}, and a process "
            f"{long.many_cost.worker_mb:.0f} MB, {long.many_cost.worker_mb / long.few_cost.worker_mb:.2f} times; "
            f"{long.many / long.many_cost.seconds:.1f} photos a second with {plan.processes} processes. `--resume` of "
            f"the finished run took {long.resumed.seconds:.1f} s.",
        ]
    return "\n".join(line if line.startswith("|") else "\n".join(_wrapped(line)) for line in lines)


def _wrapped(line: str) -> list[str]:
    """A paragraph or item as lines of the page's width."""
    return textwrap.wrap(line, 120, subsequent_indent="  " if line.startswith("- ") else "") or [""]


def write_between_marks(path: Path, text: str) -> None:
    """Replace what stands between the marks of a page. Raises SystemExit where it has none."""
    before, begin, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{path} lacks the lines {BEGIN} and {END}")
    path.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")


def _by(size: Size) -> str:
    return f"{size[0]}×{size[1]}"


def _plan() -> tuple[Plan, argparse.Namespace]:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few of everything")
    parser.add_argument("--markdown", action="store_true", help="print the tables of docs/batch.md too")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put them between the marks of this page")
    for name in ("scenes", "small", "phone", "calls", "rounds", "processes", "few", "many"):
        usual = f"by default {getattr(Plan, name)}"
        parser.add_argument(f"--{name}", type=int, default=argparse.SUPPRESS, help=usual)
    args = parser.parse_args()
    given = {name: value for name, value in vars(args).items() if name in Plan.__dataclass_fields__}
    return replace(QUICK if args.quick else Plan(), **given), args


def main() -> None:
    """Measure and print."""
    plan, args = _plan()
    if args.write is not None and BEGIN not in args.write.read_text(encoding="utf-8"):
        raise SystemExit(f"{args.write} lacks the line {BEGIN}")
    began = time.perf_counter()
    scenes = [Image.fromarray(render_scene(seed, size=PHONE).pixels) for seed in range(plan.scenes)]
    spent = time.perf_counter() - began
    load = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    print(f"{plan.scenes} scenes rendered in {spent:.0f} s; {load}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        compile_into(top / "compiled")
        one_process(top / "first", scenes, 1, SMALL)
        start = one_process(top / "start", scenes, 1, SMALL)
        ways = []
        for size, number in ((SMALL, plan.small), (PHONE, plan.phone)):
            folder = top / f"list{size[0]}"
            ways.append(four_ways(folder, make_photos(folder, scenes, number, size), size, plan))
        sized = {each.size: (each.photos, each.one) for each in ways}
        for size in plan.sizes:
            cost = one_process(top / f"of{size[0]}", scenes, plan.of_a_size, size)
            sized[size] = (plan.of_a_size, cost)
        long = long_run(top, scenes, plan) if plan.many else None
    text = page(ways, start, sized, long, plan)
    print(f"{(time.perf_counter() - began) / 60:.1f} minutes", flush=True)
    if args.markdown:
        print(text)
    if args.write is not None:
        write_between_marks(args.write, text)


if __name__ == "__main__":
    main()
