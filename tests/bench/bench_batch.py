"""How `fanlens batch` scales: compared with `fanlens photo`, by processes, by photo size, in memory, and resumed.

    python -m tests.bench.bench_batch                           # nine minutes on two idle cores
    python -m tests.bench.bench_batch --quick                   # one minute, to see that it runs
    python -m tests.bench.bench_batch --write docs/batch.md     # and write the tables between the marks of that page

Our renderer makes --scenes photos as large as those of phones. The others are the same scenes, scaled and saved at
another quality with another comment, so that no two files have the same content. Batch is compared with two ways to
call `fanlens photo`: once with the whole list, and once per photo, as a shell loop does; of that loop only the first
--calls photos are measured. The other ways take turns, --rounds times, and the fastest round counts. Each time is that
of a command from start to end, with its code compiled beforehand, as pip does.

Other work on the machine spoils these figures. Each line, and the tables, tell how much of the machine others used:
measure when that is next to nothing. Nothing is asserted about time.
"""

from __future__ import annotations

import argparse
import io
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import count
from pathlib import Path

from PIL import Image

from models.rendering import render_scene
from tests.bench.batch_costs import Cost, LongRun, Size, Ways, by, run
from tests.bench.batch_tables import BEGIN, PHONE, SMALL, page, write_between_marks


@dataclass(frozen=True)
class Plan:
    """How much to measure.

    small, phone: photos in the lists of the two sizes. calls: how many of them are also read with one call each.
    sizes: further sizes to measure the cost per photo, with `of_a_size` photos each.
    few, many: photos of the short and the long run; neither is made if `many` is 0.
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
    """Write `number` photos of that size; no two have the same content."""
    folder.mkdir()
    scaled = [scene.resize(size) if scene.size != size else scene for scene in scenes]
    for at in range(number):
        file = io.BytesIO()
        scene = scaled[at % len(scaled)]
        scene.save(file, "JPEG", quality=88 + at // len(scaled) % 8, comment=f"photo {at}".encode())
        (folder / f"{at:06}.jpg").write_bytes(file.getvalue())
    return sorted(folder.iterdir())


def compile_into(folder: Path) -> None:
    """Let Python keep compiled code in that folder, as an installed Fanlens is compiled too."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder)


def four_ways(folder: Path, photos: list[Path], size: Size, plan: Plan) -> Ways:
    """Read the same list with batch, with one call of `fanlens photo`, and with one call per photo."""
    numbers = count()

    def batch(processes: int) -> Cost:
        out = folder.with_name(f"{folder.name}-{next(numbers)}.jsonl")
        return run("batch", folder, "--quiet", "--processes", str(processes), "--out", out)

    def fastest(costs: Sequence[Cost]) -> Cost:
        return min(costs, key=lambda cost: cost.seconds)

    turns = [(batch(1), batch(plan.processes), run("photo", "--json", *photos)) for _ in range(plan.rounds)]
    one, several, listed = map(fastest, zip(*turns, strict=True))
    calls = photos[: plan.calls]
    looped = reduce(Cost.then, (run("photo", "--json", photo) for photo in calls))
    found = Ways(size, len(photos), one, several, listed, len(calls), looped)
    for name, number, cost in (
        ("batch, 1 process", len(photos), one),
        (f"batch, {plan.processes} processes", len(photos), several),
        ("photo, the whole list", len(photos), listed),
        ("photo, one call each", len(calls), looped),
    ):
        rate = f"{number:4} photos, {number / cost.seconds:5.2f} per second"
        print(f"{by(size):>10} {name:>22}: {rate}; {cost}", flush=True)
    processes, whole, single = found.gains()
    print(
        f"{by(size):>10} {plan.processes} processes against 1: {processes:.2f} times (goal: 1.7); batch against "
        f"photo with the whole list: {whole:.2f} times, against one call per photo: {single:.2f} times (goal: 1.3)",
        flush=True,
    )
    return found


def one_process(folder: Path, scenes: list[Image.Image], number: int, size: Size) -> Cost:
    """Read this number of photos of a size with one process."""
    make_photos(folder, scenes, number, size)
    out = folder.with_name(f"{folder.name}.jsonl")
    cost = run("batch", folder, "--quiet", "--processes", "1", "--out", out)
    print(f"{by(size):>10} {f'{number} photos, 1 process':>22}: {cost}", flush=True)
    return cost


def long_run(top: Path, scenes: list[Image.Image], plan: Plan) -> LongRun:
    """Make a short and a long run, and resume the long one once it has finished."""
    costs = {}
    for number in (plan.few, plan.many):
        folder = top / f"many{number}"
        make_photos(folder, scenes, number, plan.many_size)
        how = ("batch", folder, "--quiet", "--processes", str(plan.processes), "--out", f"{folder}.jsonl")
        costs[number] = run(*how)
        print(f"{by(plan.many_size):>10} {f'{number} photos':>22}: {costs[number]}", flush=True)
    found = LongRun(
        plan.many_size, plan.few, plan.many, costs[plan.few], costs[plan.many], run(*how, "--resume")
    )
    print(f"{by(plan.many_size):>10} {'the same, resumed':>22}: {found.resumed} (goal: under 5 s)")
    own = found.many_cost.own_mb / found.few_cost.own_mb
    worker = found.many_cost.worker_mb / found.few_cost.worker_mb
    print(f"memory, long against short (goal: within 10 %): {own:.3f} times, a worker {worker:.3f} times")
    return found


def _plan() -> tuple[Plan, argparse.Namespace]:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="measure little of everything")
    parser.add_argument("--markdown", action="store_true", help="print the tables of docs/batch.md too")
    parser.add_argument(
        "--write", type=Path, metavar="PAGE", help="write them between the marks of this page"
    )
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
    text = page(ways, start, sized, long, plan.processes)
    print(f"{(time.perf_counter() - began) / 60:.1f} minutes", flush=True)
    if args.markdown:
        print(text)
    if args.write is not None:
        write_between_marks(args.write, text)


if __name__ == "__main__":
    main()
