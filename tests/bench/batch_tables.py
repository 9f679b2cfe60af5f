"""The measured part of docs/batch.md, written from the costs that `bench_batch` measured."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path

from models.manifest import load_manifest
from tests.bench.batch_costs import Cost, LongRun, Size, Ways, by

BEGIN, END = "<!-- bench_batch begins -->", "<!-- bench_batch ends -->"
SMALL, PHONE = (640, 480), (4000, 3000)

Sized = Mapping[Size, tuple[int, Cost]]
"""Runs with one process by the size of their photos: how many photos, and the cost."""


def page(ways: Sequence[Ways], start: Cost, sized: Sized, long: LongRun | None, processes: int) -> str:
    """The measured part as Markdown; `start` is a run of one photo."""
    costs = [cost for each in ways for cost in (each.one, each.several, each.listed, each.looped)]
    costs += [cost for _, cost in sized.values()]
    costs += [] if long is None else [long.few_cost, long.many_cost, long.resumed]
    networks = ", ".join(f"{model.name} {model.version}" for model in load_manifest().models)
    lines = [
        f"Photos from our renderer, {networks}, {os.cpu_count()} cores; other work used "
        f"{reduce(Cost.then, costs).others:.0%} of the machine meanwhile. Start and end included:",
        "",
        *_ways(ways, processes),
        *_sizes(start, sized),
    ]
    if long is not None:
        lines += ["", _long(long, processes)]
    return "\n".join(line if line.startswith("|") else "\n".join(_wrapped(line)) for line in lines)


def _ways(ways: Sequence[Ways], processes: int) -> Iterator[str]:
    """The table of the four ways, and how many times faster batch is."""
    yield (
        f"| photos | `batch`, 1 process | `batch`, {processes} processes | `photo`, the whole list "
        "| `photo`, one call per photo |"
    )
    yield "|---|---|---|---|---|"
    for each in ways:
        cells = [
            f"{cost.seconds:.1f} s, {each.photos / cost.seconds:.1f} per second"
            for cost in (each.one, each.several, each.listed)
        ]
        rate = each.calls / each.looped.seconds
        cells.append(f"{each.looped.seconds:.1f} s for {each.calls}, {rate:.1f} per second")
        yield f"| {each.photos} of {by(each.size)} | {' | '.join(cells)} |"
    yield ""
    for each in ways:
        against_one, whole, single = each.gains()
        yield (
            f"- {by(each.size)}: {processes} processes are {against_one:.2f} times as fast as 1; `batch` is "
            f"{whole:.2f} times as fast as one call of `photo`, and {single:.1f} times as fast as one call per photo."
        )


def _sizes(start: Cost, sized: Sized) -> Iterator[str]:
    """The table of sizes, and what a million photos take."""
    number, cost = sized[SMALL]
    bare_s = start.cpu_s - (cost.cpu_s - start.cpu_s) / (number - 1)  # the start without its photo
    each_s = {size: max(0.0, cost.cpu_s - bare_s) / number for size, (number, cost) in sized.items()}
    yield from ("", "| photo | CPU per photo | memory of a process |", "|---|---|---|")
    for size, (_, cost) in sorted(sized.items()):
        yield f"| {by(size)} | {each_s[size]:.2f} s | {cost.worker_mb:,.0f} MB |"
    starting = f"Starting takes {bare_s:.1f} s of CPU."
    if each_s[PHONE]:
        hours = 1e6 * each_s[PHONE] / 3600
        starting += (
            f" A million photos of 12 megapixels at {each_s[PHONE]:.2f} s each take {hours:.0f} core hours, or "
            f"{hours / 16:.1f} hours on sixteen cores, which must then receive {16 / each_s[PHONE] * 4:.0f} MB per "
            "second at 4 MB per photo."
        )
    yield from ("", starting)


def _long(long: LongRun, processes: int) -> str:
    few, many = long.few_cost, long.many_cost
    return (
        f"With {long.many:,} photos of {by(long.size)} the run used {many.own_mb:.0f} MB, "
        f"{many.own_mb / few.own_mb:.2f} times as much as with {long.few}, and a process {many.worker_mb:.0f} MB, "
        f"{many.worker_mb / few.worker_mb:.2f} times; it read {long.many / many.seconds:.1f} photos per second with "
        f"{processes} processes. `--resume` of the finished run took {long.resumed.seconds:.1f} s."
    )


def _wrapped(line: str) -> list[str]:
    """A paragraph or item as lines of the page's width."""
    return textwrap.wrap(line, 120, subsequent_indent="  " if line.startswith("- ") else "") or [""]


def write_between_marks(path: Path, text: str) -> None:
    """Replace the text between the marks of a page. Raises SystemExit if it has none."""
    before, begin, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{path} lacks the lines {BEGIN} and {END}")
    path.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
