"""Hypothesis strategies for hands."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from scorer import Circumstances, Hand
from scorer.simulate import random_win


def wins() -> st.SearchStrategy[tuple[Hand, Circumstances]]:
    """Winning hands of every shape, rich in patterns, with circumstances they can have been won in."""
    return st.integers(0, 2**32).map(lambda seed: random_win(Random(seed)))
