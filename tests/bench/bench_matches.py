"""Measure the server's time for matches: `python -m tests.bench.bench_matches [MATCHES] [DATABASE]`.

A ledger with MATCHES matches (200) of sixteen hands is listed, searched, counted and looked at as the pages do.
DATABASE is the URL of an empty PostgreSQL database; without it the ledger is an SQLite file.
"""

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from flask.testing import FlaskClient

from scorer import hand_to_json, parse_hand, score
from scorer.match import Draw, Win
from webapp import create_app
from webapp.app import close
from webapp.ledger import Ledger, NewMatch

PEOPLE = tuple(f"Player {number}" for number in range(40))
HANDS = [
    parse_hand(text)
    for text in ("123456789m12s55z3s", "234567p9s[EEE][999m]9s|EE1000|eb", "19m19p19s1234567z1m")
]
TIMES = 30


def fill(ledger: Ledger, number: int) -> list[str]:
    """Play the matches; returns their owners' keys."""
    chance = random.Random(1)
    keys = []
    scored = [(hand_to_json(*hand), score(*hand).to_json()) for hand in HANDS]
    for match in range(number):
        players = chance.sample(PEOPLE, 4)
        _, key = ledger.matches.start(NewMatch(players=tuple(players), title=f"Evening {match}"))
        for after in range(16):
            winner = chance.randrange(4)
            hand, result = chance.choice(scored)
            if chance.random() < 0.2:
                ledger.matches.add(key, Draw(), after=after)
                continue
            source = chance.choice([None, *(player for player in range(4) if player != winner)])
            win = Win(winner, result["total"], source)
            ledger.matches.add(key, win, after=after, hand=hand, score=result)
        keys.append(key)
    return keys


def measure(name: str, ask: Callable[[], object]) -> None:
    """Print the median time of an answer, and of the processor for it, which other programs disturb less."""
    times, busy = [], []
    for _ in range(TIMES):
        begun, worked = time.perf_counter(), time.process_time()
        ask()
        times.append((time.perf_counter() - begun) * 1000)
        busy.append((time.process_time() - worked) * 1000)
    print(
        f"{name}: median {statistics.median(times):.1f} ms, of which the processor {statistics.median(busy):.1f} ms"
    )


def run(client: FlaskClient, keys: list[str]) -> None:
    """Ask as the pages do."""

    def post(path: str, **body: object) -> None:
        answer = client.post(f"/api/v1/matches/{path}", json={"keys": keys, **body})
        assert answer.status_code == 200, answer.json

    measure("the newest 50", lambda: post("list"))
    measure("50 from the middle", lambda: post("list", before=len(keys) // 2))
    measure("searched by player", lambda: post("list", player="player 7"))
    measure("searched by fan", lambda: post("list", fan="十三幺"))
    measure("searched by points", lambda: post("list", points=88))
    measure("searched by all three", lambda: post("list", player="player 7", fan="清龙", points=20))
    measure("one match", lambda: client.get(f"/api/v1/matches/{keys[0]}"))
    measure("statistics of all", lambda: post("statistics"))


def main(number: int, database: str | None) -> None:
    """Fill a ledger and print the times."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"DATABASE": database or Path(folder) / "ledger.sqlite3"})
        begun = time.perf_counter()
        keys = fill(app.extensions["ledger"], number)
        entered = (time.perf_counter() - begun) * 1000 / (16 * number)
        print(f"{number} matches of 16 hands in {app.extensions['ledger'].database.name}")
        print(f"entering a hand: {entered:.1f} ms on average")
        run(app.test_client(), keys)
        close(app)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, sys.argv[2] if len(sys.argv) > 2 else None)
