"""F5, F6, F9: a locked ledger, names of other sites, malformed names: `python -m tests.attack.names`."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections import Counter

from tests.attack.harness import ask, at_once, serving, watching

HANDS = "/api/v1/hands"
JSON = {"Content-Type": "application/json"}


def main() -> None:
    """Attack one server."""
    with serving() as target:
        text = json.dumps({"text": "123456789m12s55z3s"}).encode()
        hand = json.loads(ask(target.port, "POST", "/api/v1/notation", text, JSON)[2]) | {"discarder": "S"}
        body = json.dumps(hand).encode()
        lock = sqlite3.connect(target.folder / "ledger.sqlite3", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        answers: Counter[int] = Counter()

        def confirm() -> None:
            answers[ask(target.port, "POST", HANDS, body, JSON)[0]] += 1

        waits: list[float] = []

        def score() -> None:
            for _ in range(20):
                begun = time.perf_counter()
                assert ask(target.port, "POST", "/api/v1/score", body, JSON)[0] == 200
                waits.append((time.perf_counter() - begun) * 1000)
                time.sleep(0.2)

        with watching(target) as watch:
            at_once([*(threading.Thread(target=confirm) for _ in range(48)), threading.Thread(target=score)])
        lock.execute("ROLLBACK")
        lock.close()
        print(f"locked ledger, 48 confirmations: answers {dict(answers)}; slowest score {max(waits):.0f} ms")
        print(f"  {watch.line()}")
        assert answers == {503: 48}
        assert ask(target.port, "POST", HANDS, body, JSON)[0] == 201

        statuses: Counter[int] = Counter()
        foreign = ("evil.example", "evil.example:8000", "localhost.evil.example")
        for host in (*foreign, "a..b", "x" * 64, "[bad"):
            headers = JSON | {"Host": host, "Origin": f"http://{host}"}
            for method, path in (("GET", "/"), ("GET", HANDS), ("POST", HANDS), ("DELETE", f"{HANDS}/1")):
                statuses[ask(target.port, method, path, body if method == "POST" else None, headers)[0]] += 1
        print(f"requests under names that are not ours: {dict(statuses)}")
        assert statuses == {421: 12, 400: 12}


if __name__ == "__main__":
    main()
