"""How fast hands are scored, as ratios to PyMahjongGB in the same run; asserts nothing.

    python -m tests.bench.bench_scorer [--passes 9] [--mix plain|patterned|conformance]

Processor time of this process alone, so that a busy machine blurs it less: a pass of PyMahjongGB (C++, with its
arguments prepared) and a pass of each job take turns, and the fastest pass of each counts. PyMahjongGB returns points
and names of the fans, so every job here ends with the total and the names too. The 4,000 hands are those of
:mod:`scorer.simulate`, or the 3,000 of ``tests/data/conformance/hands.jsonl``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from MahjongGB import MahjongFanCalculator

from scorer import Circumstances, Hand, hand_from_json, hand_to_json, score
from scorer.arrays import from_codes, from_faces, from_hands, memory, score_columns
from scorer.jsonl import scored_texts
from scorer.profiles import DEFAULT
from scorer.simulate import PATTERNED, PLAIN, Won, winning_hands
from tests.bench.compare_engines import peer_arguments

HANDS = Path(__file__).parent.parent / "data" / "conformance" / "hands.jsonl"
SEED = 20261201
MIXES = {"plain": PLAIN, "patterned": PATTERNED}
Job = Callable[[], object]


def hands_of(mix: str) -> list[Won]:
    """The hands to measure with."""
    if mix == "conformance":
        return [hand_from_json(json.loads(line)) for line in HANDS.read_text(encoding="utf-8").splitlines()]
    return list(winning_hands(4000, seed=SEED, mix=MIXES[mix]))


def array_jobs(wins: Sequence[Won]) -> dict[str, Job]:
    """Jobs over all hands at once."""
    columns = from_hands(wins)
    concealed = [tuple(hand.concealed) for hand, _ in wins]
    winning = [hand.winning_tile for hand, _ in wins]
    melds = [tuple((meld.kind.value, meld.tiles) for meld in hand.melds) for hand, _ in wins]
    how = [
        (one.self_drawn, one.last_tile, one.kong, one.fourth_tile, one.seat_wind, one.prevalent_wind)
        for _, one in wins
    ]
    flowers = [hand.flowers for hand, _ in wins]

    def held() -> None:
        scores = score_columns(columns)
        scores.total.tolist(), scores.fans

    def codes() -> None:
        hands = from_codes(columns.tiles, columns.melds, how=columns.how, flowers=columns.flowers)
        scores = score_columns(hands)
        scores.total.tolist(), scores.fans

    def names() -> None:
        scores = score_columns(from_faces(concealed, winning, melds, how=how, flowers=flowers))
        scores.total.tolist(), scores.fans

    return {
        "array of hands held as columns": held,
        "array of hands held as codes, checks included": codes,
        "array of tuples of strings, checks included": names,
    }


def single_jobs(wins: Sequence[Won]) -> dict[str, Job]:
    """Jobs over one hand after the other."""
    built = [
        (
            (hand.concealed, hand.melds, hand.winning_tile, hand.flowers),
            (how.self_drawn, how.last_tile, how.kong, how.fourth_tile, how.seat_wind, how.prevalent_wind),
        )
        for hand, how in wins
    ]
    lines = [json.dumps({"id": f"h{place}", **hand_to_json(*won)}) for place, won in enumerate(wins)]

    def parsed() -> None:
        for hand, how in wins:
            found = score(hand, how)
            found.total, found.counts  # noqa: B018

    def building() -> None:
        for hand, how in built:
            found = score(Hand(*hand), Circumstances(*how))
            found.total, found.counts  # noqa: B018

    def printing() -> None:
        for _ in scored_texts(lines, DEFAULT):
            pass

    def witnesses() -> None:
        for hand, how in wins:
            score(hand, how).fans  # noqa: B018

    return {
        "one hand already parsed": parsed,
        "hand and circumstances built, then scored": building,
        "score --jsonl, line to line": printing,
        "fans with the tiles that make them": witnesses,
    }


def seconds(job: Job) -> float:
    """Processor time of one pass."""
    start = time.process_time()
    job()
    return time.process_time() - start


def first_pass(mix: str) -> float:
    """The ratio of a first pass over 30,000 hands, its tables built on the way, in a process of its own."""
    out = subprocess.run(
        [sys.executable, "-m", "tests.bench.first_pass", mix], check=True, capture_output=True, text=True
    )
    return float(out.stdout)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passes", type=int, default=9)
    parser.add_argument("--mix", choices=[*MIXES, "conformance"], default="plain")
    options = parser.parse_args()
    wins = hands_of(options.mix)
    arguments = [peer_arguments(*won) for won in wins]

    def peer() -> None:
        for each in arguments:
            MahjongFanCalculator(*each)

    jobs = {"PyMahjongGB, prepared arguments": peer} | array_jobs(wins) | single_jobs(wins)
    fastest = dict.fromkeys(jobs, float("inf"))
    for _ in range(options.passes):
        for name, job in jobs.items():
            fastest[name] = min(fastest[name], seconds(job))
    print(f"{len(wins)} hands, {options.mix}, one thread, the fastest of {options.passes} passes")
    for name, best in fastest.items():
        print(
            f"  {name:48} {best / len(wins) * 1e6:7.2f} µs a hand   {fastest[next(iter(jobs))] / best:6.3f} of the peer"
        )
    if options.mix in MIXES:
        print(
            f"  {'first pass over 30,000 unseen hands':48} {'':17}   {first_pass(options.mix):6.3f} of the peer"
        )
    print(f"tables of scorer.arrays: {memory()} bytes")


if __name__ == "__main__":
    main()
