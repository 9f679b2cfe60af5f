"""The best one-to-one assignment of rows to columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def best_assignment(gains: NDArray[np.float64]) -> tuple[int, ...]:
    """Give each row its own column so that the sum of the gains is highest; return the column of each row.

    gains: R×C, finite, R ≤ C. The Hungarian method with potentials (Kuhn 1955, Munkres 1957): it adds the rows one by
    one, each along the cheapest chain of columns that change owners. Exact, in about R²·C steps.

    >>> best_assignment(np.array([[5.0, 4.0, 0.0], [5.0, 1.0, 0.0]]))
    (1, 0)
    """
    costs = gains.max(initial=0.0) - gains
    rows, columns = costs.shape
    owner = np.full(columns + 1, -1)  # the row that owns each column; a new row enters at the extra last one
    row_price, column_price = np.zeros(rows), np.zeros(columns + 1)
    for row in range(rows):
        owner[columns] = row
        here = columns
        reached = np.zeros(columns + 1, bool)
        slack = np.full(columns, np.inf)
        came_from = np.full(columns, columns)
        while owner[here] >= 0:
            reached[here] = True
            holder = owner[here]
            open_ones = ~reached[:columns]
            reduced = costs[holder] - row_price[holder] - column_price[:columns]
            better = open_ones & (reduced < slack)
            slack[better], came_from[better] = reduced[better], here
            step = slack[open_ones].min()
            there = int(np.flatnonzero(open_ones)[slack[open_ones].argmin()])
            row_price[owner[reached]] += step
            column_price[reached] -= step
            slack[open_ones] -= step
            here = there
        while here != columns:  # pass the columns on along the chain
            owner[here] = owner[came_from[here]]
            here = came_from[here]
    columns_of = {int(row): column for column, row in enumerate(owner[:columns]) if row >= 0}
    return tuple(columns_of[row] for row in range(rows))
