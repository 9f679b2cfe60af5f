"""Scoring of thousands of hands at once: columns in, columns out.

This needs numpy; everything else in :mod:`scorer` does without. The fans are those of :mod:`scorer.fans`, asked through
the tables of :mod:`scorer.engine`, so no rule is written here a second time.

>>> from scorer.arrays import from_faces, score_columns
>>> hands = from_faces(["1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 2s 9s 9s".split()] * 3, ["3s", "9s", "X"])
>>> scores = score_columns(hands)
>>> scores.total.tolist(), dict(scores.fans[0])
([14, 0, 0], {'花龙': 1, '门前清': 1, '平和': 1, '喜相逢': 1, '边张': 1})
>>> {place: error.code for place, error in scores.errors.items()}
{1: 'not_winning', 2: 'unknown_face'}

The tables that it keeps are worked out as hands come: 17 MB for every way to hold the tiles of a suit, and about
1 MB for a profile after 4,000 hands. They grow with every new combination, and each starts over after 131,072 rows.
:func:`memory` says how much they take, the lists of fans aside.
"""

from scorer.arrays.columns import HandColumns, from_codes, from_faces, from_hands
from scorer.arrays.scores import ScoreColumns, memory, score_columns

__all__ = ["HandColumns", "ScoreColumns", "from_codes", "from_faces", "from_hands", "memory", "score_columns"]
