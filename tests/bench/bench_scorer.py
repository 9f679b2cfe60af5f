"""How fast hands are scored, as a ratio to PyMahjongGB in the same run; asserts nothing.

    python -m tests.bench.bench_scorer

Times are of this process alone, so that a busy machine does not blur them. Hands are parsed beforehand
where a row says so. "First pass" fills the tables; every later pass finds them filled, as a program that
scores many hands does.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from pathlib import Path

from MahjongGB import MahjongFanCalculator

from scorer import hand_from_json, score, score_many
from scorer.engine.search import Engine
from scorer.jsonl import scored_lines
from scorer.profiles import DEFAULT
from tests.bench.compare_engines import peer_arguments

HANDS = Path(__file__).parent.parent / "data" / "conformance" / "hands.jsonl"
PASSES = 7


def best_rate(work: Callable[[], object], number: int) -> float:
    """Hands a second in the fastest of a few passes."""
    fastest = float("inf")
    for _ in range(PASSES):
        start = time.process_time()
        work()
        fastest = min(fastest, time.process_time() - start)
    return number / fastest


def main() -> None:
    """Measure and print."""
    text = HANDS.read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    number = len(rows)
    start = time.process_time()
    first_lines = sum(1 for _ in scored_lines(io.StringIO(text), DEFAULT))
    first_jsonl = first_lines / (time.process_time() - start)
    hands = [hand_from_json(row) for row in rows]
    arguments = [peer_arguments(*hand) for hand in hands]
    peer = best_rate(lambda: [MahjongFanCalculator(*each) for each in arguments], number)
    engine = Engine(DEFAULT)
    start = time.process_time()
    for hand in hands:
        engine.best(*hand)
    first = number / (time.process_time() - start)
    rates = {
        "PyMahjongGB, prepared arguments": peer,
        "score(), hands already parsed": best_rate(lambda: [score(*hand) for hand in hands], number),
        "score_many()": best_rate(lambda: list(score_many(hands)), number),
        "engine alone": best_rate(lambda: [engine.best(*hand) for hand in hands], number),
        "engine, first pass over empty tables": first,
        "score() and its fans with tiles": best_rate(lambda: [score(*hand).fans for hand in hands], number),
        "hand_from_json()": best_rate(lambda: [hand_from_json(row) for row in rows], number),
        "score --jsonl, first pass": first_jsonl,
        "score --jsonl, parsing and printing": best_rate(
            lambda: [json.dumps(row, ensure_ascii=False) for row in scored_lines(io.StringIO(text), DEFAULT)],
            number,
        ),
    }
    print(f"{number} hands, one thread, the fastest of {PASSES} passes")
    for name, rate in rates.items():
        print(f"  {name:38} {rate:10,.0f} hands/s   {rate / peer:6.3f} of the peer")
    print("where the time of one hand of score --jsonl goes, in microseconds")
    whole = 1e6 / rates["score --jsonl, parsing and printing"]
    parts = {
        "hand and circumstances from the JSON object": 1e6 / rates["hand_from_json()"],
        "search for the best reading": 1e6 / rates["engine alone"],
        "checks and result object": 1e6 / rates["score(), hands already parsed"]
        - 1e6 / rates["engine alone"],
    }
    parts["JSON text in and out, names of the fans"] = whole - sum(parts.values())
    for name, microseconds in parts.items():
        print(f"  {name:44} {microseconds:6.1f}   {microseconds / whole:5.0%}")


if __name__ == "__main__":
    main()
