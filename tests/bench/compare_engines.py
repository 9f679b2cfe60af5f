"""Score random hands with Fanlens and with PyMahjongGB and print every kind of difference.

    python -m tests.bench.compare_engines [--hands 100000] [--seed 1]
    python -m tests.bench.compare_engines --one-suit      every winning hand of fourteen tiles of one suit

PyMahjongGB (the test extra) is C++ called from Python; it is a second opinion, never the rule. A kind
of difference is the set of fans only one side counts. Equal totals with another list are ties, which the
rules leave open; different totals are looked up in :data:`EXPLAINED`. Exit status 1 if a kind is not.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

from MahjongGB import MahjongFanCalculator

from scorer import Circumstances, Hand, MeldKind, format_hand, score
from scorer.simulate import random_win
from scorer.tiles import WINDS
from tests.bench.one_suit import one_suit_wins

EXPLAINED: dict[str, str] = {}
"""Kind of difference in the total -> why Fanlens is right by the rule text."""

_SUIT = {"m": "W", "p": "B", "s": "T"}
_PACK = {MeldKind.CHOW: "CHI", MeldKind.PUNG: "PENG"}
_NAMES = {"独听・边张": "边张", "独听・嵌张": "坎张", "独听・单钓": "单钓将"}


def peer_tile(face: str) -> str:
    """A face in the peer's code: W, B, T for the suits, F1-F4 winds, J1-J3 dragons."""
    rank = int(face[0])
    if face[1] == "z":
        return f"F{rank}" if rank < 5 else f"J{rank - 4}"
    return _SUIT[face[1]] + face[0]


def peer_arguments(hand: Hand, circumstances: Circumstances) -> tuple[object, ...]:
    """What the peer is called with, so that a benchmark can prepare it beforehand."""
    packs = tuple(
        (
            _PACK.get(meld.kind, "GANG"),
            peer_tile(meld.tiles[1 if meld.kind is MeldKind.CHOW else 0]),
            0 if meld.kind is MeldKind.CONCEALED_KONG else 1,
        )
        for meld in hand.melds
    )
    return (
        packs,
        tuple(map(peer_tile, hand.concealed)),
        peer_tile(hand.winning_tile),
        hand.flower_count,
        circumstances.self_drawn,
        circumstances.fourth_tile,
        circumstances.kong,
        circumstances.last_tile,
        WINDS.index(circumstances.seat_wind),
        WINDS.index(circumstances.prevalent_wind),
    )


def peer_counts(hand: Hand, circumstances: Circumstances) -> tuple[int, Counter[str]]:
    """Total and fans as the peer sees them, under our names."""
    total, counts = 0, Counter[str]()
    for points, count, name, _ in MahjongFanCalculator(*peer_arguments(hand, circumstances), True):
        total += points * count
        counts[_NAMES.get(name, name)] += count
    return total, counts


def describe(ours: Counter[str], theirs: Counter[str]) -> str:
    """The kind of a difference: what only we count, what only the peer counts."""
    only_ours, only_theirs = ours - theirs, theirs - ours
    return f"+{' '.join(sorted(only_ours.elements()))} -{' '.join(sorted(only_theirs.elements()))}"


def random_hands(number: int, seed: int) -> Iterator[tuple[Hand, Circumstances]]:
    """So many random winning hands."""
    rng = Random(seed)
    for _ in range(number):
        yield random_win(rng)


def one_suit_hands() -> Iterator[tuple[Hand, Circumstances]]:
    """Every hand of four sets and a pair or seven pairs in one suit, with every winning tile, won both ways."""
    for ranks in one_suit_wins():
        for winning in dict.fromkeys(ranks):
            rest = list(ranks)
            rest.remove(winning)
            for suit, how in (("s", Circumstances()), ("p", Circumstances(self_drawn=True))):
                yield Hand(tuple(f"{rank}{suit}" for rank in rest), (), f"{winning}{suit}"), how


def compare(hands: Iterable[tuple[Hand, Circumstances]]) -> int:
    """Compare these hands, print the kinds, return how many kinds are unexplained."""
    number = 0
    ties: Counter[str] = Counter()
    differing: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for hand, circumstances in hands:
        number += 1
        result = score(hand, circumstances)
        ours = Counter(result.counts)
        total, theirs = peer_counts(hand, circumstances)
        if ours == theirs and total == result.total:
            continue
        kind = describe(ours, theirs)
        (ties if total == result.total else differing)[kind] += 1
        examples.setdefault(kind, f"{format_hand(hand, circumstances)}  {result.total} against {total}")
    unexplained = [kind for kind in differing if kind not in EXPLAINED]
    print(f"{number} hands: {sum(ties.values())} ties, {sum(differing.values())} other totals")
    for title, kinds in (("equal total, another list", ties), ("another total", differing)):
        print(f"\n{title}: {len(kinds)} kinds")
        for kind, count in kinds.most_common(20 if kinds is ties else None):
            print(f"  {count:6}  {kind}\n          {examples[kind]}")
            if kind in EXPLAINED:
                print(f"          {EXPLAINED[kind]}")
    print(f"\nunexplained kinds: {len(unexplained)}")
    return len(unexplained)


def main() -> int:
    """Read the command line and compare."""
    parser = argparse.ArgumentParser(description="Compare Fanlens with PyMahjongGB on random hands.")
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one-suit", action="store_true")
    options = parser.parse_args()
    hands = one_suit_hands() if options.one_suit else random_hands(options.hands, options.seed)
    return 1 if compare(hands) else 0


if __name__ == "__main__":
    sys.exit(main())
