"""The dictionary over arrays."""

from __future__ import annotations

from random import Random

import numpy as np

from scorer.arrays.lookup import Columns, Lookup, Words


def test_keys_of_one_word() -> None:
    asked: list[int] = []

    def fill(keys: Words, _: Words) -> Columns:
        asked.extend(keys.tolist())
        return [keys * np.uint64(3), keys.astype(np.int64) % 7]

    lookup = Lookup(fill, [np.uint64, np.int64])
    rng = Random(1)
    for _ in range(30):
        keys = np.array(
            [rng.choice((0, 1, 2**63, rng.getrandbits(64), rng.randrange(5000))) for _ in range(400)],
            np.uint64,
        )
        rows = lookup.rows(keys)
        assert (lookup.columns[0][rows] == keys * np.uint64(3)).all()
        assert (lookup.columns[1][rows] == keys.astype(np.int64) % 7).all()
    assert len(asked) == len(set(asked)) == lookup.size - 1


def test_keys_of_two_words() -> None:
    lookup = Lookup(lambda low, high: [low ^ high * np.uint64(5)], [np.uint64], wide=True)
    rng = Random(2)
    for _ in range(20):
        low = np.array([rng.randrange(40) for _ in range(500)], np.uint64)
        high = np.array([rng.randrange(40) for _ in range(500)], np.uint64)
        rows = lookup.rows(low, high)
        assert (lookup.columns[0][rows] == low ^ high * np.uint64(5)).all()
    assert lookup.size <= 1601


def test_a_full_lookup_starts_over() -> None:
    lookup = Lookup(lambda keys, _: [keys], [np.uint64], most=50)
    lookup.rows(np.arange(100, dtype=np.uint64))
    assert lookup.size == 101
    lookup.trim()
    assert lookup.size == 1
    rows = lookup.rows(np.arange(30, dtype=np.uint64))
    assert lookup.columns[0][rows].tolist() == list(range(30))
    assert lookup.bytes > 0
