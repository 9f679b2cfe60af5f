"""Writes into a ledger until it is killed: `python -m tests.webapp.ledger.writer ADDRESS ROUND`.

Each entry is printed once the ledger has confirmed it, and only then: what was printed must be there afterwards.
"""

import itertools
import sys

from scorer import hand_to_json, parse_hand, score
from scorer.match import Draw, Penalty, Win
from webapp.ledger import ConfirmedHand, Ledger, NewMatch

WIN = parse_hand("123456789m12s55z3s")
HAND, SCORE = hand_to_json(*WIN), score(*WIN).to_json()
PAID = {"E": 45, "S": -29, "W": -8, "N": -8}
EVENTS = (Win(0, 21, 1), Penalty(2, 30), Draw(), Win(3, 21))


def main(address: str, label: str) -> None:
    """Write matches and single hands, on and on."""
    ledger = Ledger(address)
    hand = ConfirmedHand(hand=HAND, score=SCORE, payments=PAID, discarder="S", players={})
    print("ready", flush=True)
    for number in itertools.count():
        begun, _ = ledger.matches.start(NewMatch(players=("A", "B", "C", "D"), title=f"{label}-{number}"))
        print(f"match {begun.enter_key} 0", flush=True)
        for after in range(12):
            event = EVENTS[after % len(EVENTS)]
            details = {"hand": HAND, "score": SCORE} if isinstance(event, Win) else {}
            ledger.matches.add(begun.enter_key, event, after=after, **details)
            print(f"match {begun.enter_key} {after + 1}", flush=True)
            entry = ledger.add(hand, f"{label}-{number}-{after}")
            print(f"hand {label}-{number}-{after} {entry.id}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
