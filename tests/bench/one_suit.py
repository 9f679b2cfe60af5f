"""Every hand of one suit; the random hands are in :mod:`scorer.simulate`."""

from __future__ import annotations

from itertools import combinations_with_replacement


def one_suit_wins() -> list[tuple[int, ...]]:
    """The ranks of every hand of fourteen tiles of one suit that four sets and a pair or seven pairs make."""
    blocks = [(low, low + 1, low + 2) for low in range(1, 8)] + [(rank,) * 3 for rank in range(1, 10)]
    found = set()
    for sets in combinations_with_replacement(blocks, 4):
        for pair in range(1, 10):
            ranks = tuple(sorted([*(rank for block in sets for rank in block), pair, pair]))
            if all(ranks.count(rank) <= 4 for rank in ranks):
                found.add(ranks)
    for pairs in combinations_with_replacement(range(1, 10), 7):
        if all(pairs.count(rank) <= 2 for rank in pairs):
            found.add(tuple(sorted(pairs * 2)))
    return sorted(found)
