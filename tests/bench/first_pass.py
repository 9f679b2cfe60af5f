"""The first pass over 30,000 unseen hands in a new process, as a ratio to PyMahjongGB; `bench_scorer` calls it.

    python -m tests.bench.first_pass plain|patterned

The time is that of `scorer.arrays` from its import on, with numpy loaded: its tables are worked out on the way.
"""

import sys
import time

import numpy as np
from MahjongGB import MahjongFanCalculator

from scorer.simulate import PATTERNED, PLAIN, winning_hands
from tests.bench.compare_engines import peer_arguments

NUMBER = 30_000


def main() -> None:
    """Print the ratio."""
    wins = list(winning_hands(NUMBER, seed=7, mix={"plain": PLAIN, "patterned": PATTERNED}[sys.argv[1]]))
    arguments = [peer_arguments(*won) for won in wins]
    fastest = float("inf")
    for _ in range(3):
        start = time.process_time()
        for each in arguments:
            MahjongFanCalculator(*each)
        fastest = min(fastest, time.process_time() - start)
    # Whatever numpy loads late is no part of it.
    np.unique(np.lexsort((np.arange(9), np.arange(9))))
    start = time.process_time()
    from scorer.arrays import from_hands, score_columns

    loaded = time.process_time() - start
    columns = from_hands(wins)
    start = time.process_time()
    scores = score_columns(columns)
    scores.total.tolist(), scores.fans
    print(fastest / (loaded + time.process_time() - start))


if __name__ == "__main__":
    main()
