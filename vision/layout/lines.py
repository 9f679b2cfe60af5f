"""One row of pieces, and the best that every stretch of it can be besides concealed tiles: melds and strays."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log

import numpy as np

from vision.layout.pieces import Piece
from vision.layout.set_evidence import meld_evidence
from vision.layout.table import Table
from vision.layout.weights import LayoutWeights

MOST_MELDS = 4
#: For each number of melds, 0 to 4, the best score of some tiles outside the concealed ones, and the melds.
Best = list[tuple[float, tuple[tuple[int, ...], ...]]]
#: The first of some neighbours in a row, to the log of the probability that they are a meld.
Evidence = dict[int, float]

_NEVER: Best = [(-inf, ())] * (MOST_MELDS + 1)
NOTHING: Best = [(0.0, ()), *_NEVER[1:]]


def together(one: Best, other: Best) -> Best:
    """The best of two separate stretches together."""
    if one is NOTHING or other is NOTHING:
        return other if one is NOTHING else one
    best = list(_NEVER)
    for number, (score, melds) in enumerate(one):
        if score == -inf:
            continue
        for more in range(MOST_MELDS + 1 - number):
            total = score + other[more][0]
            if total > best[number + more][0]:
                best[number + more] = (total, melds + other[more][1])
    return best


def lines_of(pieces: Sequence[Piece], table: Table) -> list[Line]:
    """The pieces row by row, from the far side."""
    by_row: dict[int, list[Piece]] = {}
    for piece in pieces:
        by_row.setdefault(piece.row, []).append(piece)
    rows = [by_row[row] for row in sorted(by_row)]
    evidence = _evidence([[tile for piece in row for tile in piece.members] for row in rows], table)
    return [Line(row, table, evidence) for row in rows]


def _evidence(rows: Sequence[Sequence[int]], table: Table) -> dict[int, Evidence]:
    """For three and for four neighbours in a row the evidence that they are a meld."""
    found: dict[int, Evidence] = {}
    for size in (3, 4):
        groups = [row[place : place + size] for row in rows for place in range(len(row) - size + 1)]
        faces = table.faces[np.array(groups, dtype=np.intp).reshape(-1, size)]
        values = meld_evidence(faces, table.settings.weights.least_evidence).tolist()
        found[size] = {group[0]: value for group, value in zip(groups, values, strict=True)}
    return found


class Line:
    """The pieces of one row."""

    def __init__(self, pieces: Sequence[Piece], table: Table, evidence: dict[int, Evidence]) -> None:
        """Take the pieces from left to right, and the evidence of melds of three and of four tiles."""
        self.pieces = pieces
        self.crosswise = pieces[0].crosswise
        self.tiles = [tile for piece in pieces for tile in piece.members]
        self._lying = [bool(table.frames.sideways[tile]) for tile in self.tiles]
        self._evidence = evidence
        self._weights = table.settings.weights
        self._space = [
            piece.space if tile == piece.members[0] else 0.0 for piece in pieces for tile in piece.members
        ]
        self._starts = [0]
        for piece in pieces:
            self._starts.append(self._starts[-1] + len(piece.members))
        self._strays_before = self._ways_to_be_strays()
        self._best: dict[int, list[Best]] = {}

    @property
    def claimed(self) -> set[int]:
        """The tiles of pieces that are nothing but melds, one with a tile sideways: that tile did not win."""
        return {
            tile
            for number, piece in enumerate(self.pieces)
            if not piece.touches
            and any(
                score > 0 and sum(map(len, melds)) == len(piece.members)
                for score, melds in self.aside(number, number + 1)
            )
            for tile in piece.members
        }

    def tiles_of(self, first: int, stop: int) -> list[int]:
        """The tiles of the pieces from `first` up to `stop`."""
        return self.tiles[self._starts[first] : self._starts[stop]]

    def kongs(self, first: int, stop: int, winning: int | None) -> list[tuple[int, ...]]:
        """Four neighbours each that may be kongs, in the pieces from `first` up to `stop`, without the winning tile.

        Two may overlap: the last back of one kong and three tiles beside it look like a kong too.
        """
        least = log(self._weights.maybe_a_kong)
        fours = (
            tuple(self.tiles[place : place + 4])
            for place in range(self._starts[first], self._starts[stop] - 3)
        )
        return [
            four for four in fours if winning not in four and self._evidence[4].get(four[0], -inf) > least
        ]

    def aside(self, first: int, stop: int) -> Best:
        """The best that the pieces from `first` up to `stop` can be: melds, strays, or some of each."""
        if first >= stop:
            return NOTHING
        if first not in self._best:
            self._best[first] = self._from(first)
        return self._best[first][stop - first]

    def _from(self, first: int) -> list[Best]:
        """`aside` for every stretch that starts with one piece."""
        begin = self._starts[first]
        best: list[Best] = [NOTHING]
        for end in range(begin + 1, len(self.tiles) + 1):
            here = list(_NEVER)
            for size, cost in self._strays_before[end]:
                for number, (score, melds) in enumerate(best[end - size - begin]):
                    if score + cost > here[number][0]:
                        here[number] = (score + cost, melds)
            for size in (3, 4):
                start = end - size
                if start < begin:
                    continue
                gain = self._meld_score(start, size)
                meld = tuple(self.tiles[start:end])
                for number, (score, melds) in enumerate(best[start - begin][:-1], 1):
                    if score + gain > here[number][0]:
                        here[number] = (score + gain, (*melds, meld))
            best.append(here)
        return [best[self._starts[number] - begin] for number in range(first, len(self._starts))]

    def _ways_to_be_strays(self) -> list[list[tuple[int, float]]]:
        """For each place in the row, how many tiles before it may be strays, and the score for that.

        A whole piece may be, or the tile at either end of a piece, which touches a meld.
        """
        found: list[list[tuple[int, float]]] = [[] for _ in range(len(self.tiles) + 1)]
        for number, piece in enumerate(self.pieces):
            start, size = self._starts[number], len(piece.members)
            cost = _stray_score(piece, self._weights)
            found[start + size].append((size, cost))
            if size > 3:
                for end in (start + 1, start + size):
                    found[end].append((1, cost / size + self._weights.stray_beside_meld))
        return found

    def _meld_score(self, start: int, size: int) -> float:
        """For neighbours to be a meld: one that lies sideways speaks for it, space within against.

        So does it if no space parts them from what lies before them and none of them lies sideways.
        """
        weights, turned = self._weights, any(self._lying[start : start + size])
        inside = sum(self._space[start + 1 : start + size])
        run_together = not turned and start not in self._starts
        score = self._evidence[size][self.tiles[start]] + weights.meld_read + weights.torn * inside
        return score + weights.claimed * turned + weights.run_together * run_together


def _stray_score(piece: Piece, weights: LayoutWeights) -> float:
    """For a piece to be strays: the farther it lies from the main row, the likelier."""
    touching, far = weights.stray_between
    near = max(0.0, 1 - max(piece.distance - touching, 0) / (far - touching))
    return len(piece.members) * (weights.stray_far + (weights.stray_touching - weights.stray_far) * near)
