"""Real processes are killed with SIGKILL in the middle of their writes: nothing confirmed is lost, nothing is half."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from webapp.ledger import Ledger
from webapp.ledger.upkeep import check

CHECKOUT = Path(__file__).resolve().parents[3]


def killed_writer(address: Path | str, label: str, writes: int, delay_s: float) -> list[str]:
    """Lets a writer confirm so many entries, kills it a moment later, and returns what it has confirmed."""
    confirmed: list[str] = []
    command = [sys.executable, "-m", "tests.webapp.ledger.writer", str(address), label]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=CHECKOUT) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        for line in writer.stdout:
            confirmed.append(line)
            if len(confirmed) == writes:
                threading.Timer(delay_s, writer.kill).start()
        assert writer.wait() == -9
    return [line for line in confirmed if line.endswith("\n")]


def events_by_match(confirmed: list[str]) -> dict[str, int]:
    return {line.split()[1]: int(line.split()[2]) for line in confirmed if line.startswith("match")}


def check_what_is_there(ledger: Ledger, confirmed: list[str], label: str) -> None:
    matches = events_by_match(confirmed)
    last = list(matches)[-1]
    for key, events in matches.items():
        found = ledger.matches.find(key)
        assert found is not None
        # The writer may have been killed between the ledger's word and its own.
        assert events <= len(found[0].events) <= events + (key == last)
    hands = [int(line.split()[2]) for line in confirmed if line.startswith("hand")]
    assert all(ledger.entry(number) is not None for number in hands)
    begun = [one for one in ledger.matches.listed(limit=10_000) if one.title.startswith(f"{label}-")]
    assert len(matches) <= len(begun) <= len(matches) + 1


@pytest.mark.parametrize(
    "writes", [pytest.param(1000, id="sample"), pytest.param(10_000, id="whole", marks=pytest.mark.long)]
)
def test_a_killed_process_loses_nothing(
    address: Path | str, open_ledger: Callable[[], Ledger], writes: int
) -> None:
    seed = time.time_ns()
    print(f"seed {seed}")
    chance = random.Random(seed)
    written, killed = 0, 0
    while written < writes:
        killed += 1
        confirmed = killed_writer(address, str(killed), chance.randint(5, 200), chance.uniform(0, 0.05))
        written += len(confirmed)
        ledger = open_ledger()
        check_what_is_there(ledger, confirmed, str(killed))
        ledger.close()
    assert killed > 3
    ledger = open_ledger()
    assert list(check(ledger)) == []
    hands = ledger.entries(limit=100_000)
    # Numbers of hands that were not confirmed may be missing; no hand is there twice or half.
    assert len({entry.id for entry in hands}) == len(hands)
    assert all(sum(entry.payments.values()) == 0 for entry in hands)
