"""Ways of sorting the pieces of a hand: which are concealed, which tile won, which are melds or strays.

Each way gets a score in natural log-odds (`vision.layout.weights.LayoutWeights`), made of the evidence of the faces
(does a piece read as sets? does the whole win?) and of the geometry (is it near, in line, set apart?). The best one is
taken, even if it is no whole hand, and rivals that come near are given too.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations, product
from math import exp, inf
from operator import attrgetter

import numpy as np

from scorer.winning import is_winning
from vision.layout.lines import MOST_MELDS, NOTHING, Best, lines_of, together
from vision.layout.pieces import Piece
from vision.layout.roles import HAND
from vision.layout.table import Table
from vision.layout.weights import LayoutWeights
from vision.layout.winning_tile import end_apart, standing_out
from vision.tiles import BACK, CLASS_INDEX, SET_FACES


@dataclass(frozen=True)
class Partition:
    """One way of sorting the pieces, with its score in natural log-odds."""

    score: float
    concealed: tuple[int, ...]
    melds: tuple[tuple[int, ...], ...]
    winning: int | None
    lone: bool  # the winning tile was taken from outside the concealed tiles
    picked: bool = False  # the concealed tiles lie in several rows, but not in all there are
    wins: bool = False  # the likeliest faces make a winning hand

    @cached_property
    def roles(self) -> dict[int, str | tuple[int, ...]]:
        """What each tile of the hand is for; for a tile of a meld, that meld. Strays are left out."""
        roles: dict[int, str | tuple[int, ...]] = dict.fromkeys(self.concealed, "concealed")
        roles |= {tile: meld for meld in self.melds for tile in meld}
        return roles if self.winning is None else roles | {self.winning: "winning"}

    def as_hand(self, names: Sequence[int]) -> tuple[object, ...]:
        """Which hand it is if these are the faces: the same for ways that differ only in equal tiles."""
        melds = sorted(sorted(names[tile] for tile in meld) for meld in self.melds)
        won = None if self.winning is None else names[self.winning]
        return sorted(names[tile] for tile in self.concealed), melds, won

    @property
    def complete(self) -> bool:
        """Whether it is a hand of fourteen tiles, a kong counted as three, that wins."""
        return self.wins and self.count == HAND

    @property
    def count(self) -> int:
        """How many tiles it has, a kong counted as three."""
        return len(self.concealed) + (self.winning is not None) + 3 * len(self.melds)


def best_partitions(pieces: Sequence[Piece], table: Table) -> list[Partition]:
    """Return the best ways of sorting these pieces, best first; an empty list without pieces."""
    likeliest, down = table.likeliest.tolist(), table.backs.tolist()
    most = table.settings.weights.looked_at
    ways = heapq.nlargest(most, _Ways(pieces, table).all(), attrgetter("score"))
    ranked = [_with_its_faces(found, likeliest, down, table) for found in ways]
    return sorted(ranked, key=lambda found: -found.score)


def _with_its_faces(
    partition: Partition, likeliest: Sequence[int], down: Sequence[bool], table: Table
) -> Partition:
    """The same way scored by its likeliest faces too: that they win speaks for it, beyond the right count."""
    weights = table.settings.weights
    loose = [*partition.concealed, *([] if partition.winning is None else [partition.winning])]
    counts = [0] * SET_FACES
    for tile in loose:
        counts[likeliest[tile]] += 1
    wins = not any(down[tile] for tile in loose) and is_winning(tuple(counts), len(partition.melds))
    bonus = weights.wins if wins else weights.lone_tile_loses if partition.lone else 0.0
    if wins and partition.picked:
        bonus -= weights.several_rows_lose
    return replace(partition, score=partition.score + bonus, wins=wins)


def disputed(ways: Sequence[Partition], table: Table) -> frozenset[int]:
    """The tiles that other likely ways see as something else than the best one, and so make another hand."""
    if not ways:
        return frozenset()
    names = table.faces[:, : CLASS_INDEX[BACK] + 1].argmax(axis=1).tolist()
    against: dict[int, float] = {}
    total = 0.0
    for way in ways:
        share = exp(way.score - ways[0].score)
        total += share
        if way.as_hand(names) != ways[0].as_hand(names):
            for tile in way.roles.keys() | ways[0].roles.keys():
                if way.roles.get(tile) != ways[0].roles.get(tile):
                    against[tile] = against.get(tile, 0.0) + share
    least = table.settings.weights.disputed
    return frozenset(tile for tile, share in against.items() if share > least * total)


def rivals(ways: Sequence[Partition], table: Table) -> list[tuple[Partition, float]]:
    """The likeliest ways that make other hands than the best one, one for each hand, with its chance."""
    weights = table.settings.weights
    names = table.faces[:, : CLASS_INDEX[BACK] + 1].argmax(axis=1).tolist()
    by_hand: dict[str, list[Partition]] = {}
    for way in ways:
        by_hand.setdefault(repr(way.as_hand(names)), []).append(way)
    shares = {
        hand: sum(exp((way.score - ways[0].score) / weights.temperature) for way in same)
        for hand, same in by_hand.items()
    }
    total = sum(shares.values())
    others = [(same[0], shares[hand] / total) for hand, same in list(by_hand.items())[1:]]
    others = [(way, chance) for way, chance in others if chance >= weights.real_chance]
    return sorted(others, key=lambda pair: -pair[1])[: weights.most_rivals]


_KONG = 4  # tiles; no set has more
_MANY = 4  # tiles; fewer do not tell how far they usually lie from one another
_MOST_ROWS = 3  # over which a person lays the concealed tiles of a hand

#: For each row whose pieces are concealed tiles, the first such piece and the one after the last.
_Chosen = dict[int, tuple[int, int]]


@dataclass(frozen=True)
class _Winner:
    """A tile that may have won, if any, with the score for that; `place` is its row and piece if it lies alone."""

    tile: int | None
    score: float
    place: tuple[int, int] | None = None


def _sets_apart(row: Sequence[Piece], weights: LayoutWeights) -> int:
    """How many sets lie apart from a longer stretch: who lays concealed sets apart lays all of them apart."""
    if max(len(piece.members) for piece in row) <= _KONG:
        return 0
    return sum(
        len(piece.members) in (_KONG - 1, _KONG)
        and (
            (number > 0 and piece.space >= weights.clear_space)
            or (number == 0 and row[1].space >= weights.clear_space)
        )
        for number, piece in enumerate(row)
    )


class _Ways:
    """Every sensible choice of the concealed tiles, the winning tile, melds and strays."""

    def __init__(self, pieces: Sequence[Piece], table: Table) -> None:
        self._table = table
        self._weights = table.settings.weights
        self._lines = lines_of(pieces, table)
        self._down = table.backs.tolist()
        self._claimed = set(chain.from_iterable(line.claimed for line in self._lines))
        self._rows = [number for number, line in enumerate(self._lines) if not line.crosswise]
        long = [number for number in self._rows if len(self._lines[number].tiles) > 1]
        self._nearest = max(long, default=0)
        self._lone = [
            (number, place, piece)
            for number, line in enumerate(self._lines)
            for place, piece in enumerate(line.pieces)
            if piece.tile is not None
        ]

    def all(self) -> Iterator[Partition]:
        """Neighbouring pieces of one row are the concealed tiles, or those of several rows behind one another."""
        for number in self._rows:
            for first, stop in combinations(range(len(self._lines[number].pieces) + 1), 2):
                yield from self._around({number: (first, stop)})
        for chosen in self._several_rows():
            yield from self._around(chosen)

    def _several_rows(self) -> Iterator[_Chosen]:
        """Two or three rows one behind the other, or all rows: whole, or without a piece at one end."""
        rows = self._rows
        for first, stop in combinations(range(len(rows) + 1), 2):
            count = stop - first
            if 1 < count <= _MOST_ROWS:
                ranges = [self._ranges(rows[place]) for place in range(first, stop)]
                for chosen in product(*ranges):
                    yield dict(zip(rows[first:stop], chosen, strict=True))
            elif count > _MOST_ROWS and count == len(rows):
                yield {number: (0, len(self._lines[number].pieces)) for number in rows}

    def _ranges(self, number: int) -> list[tuple[int, int]]:
        """Which pieces of a row may be concealed if another row holds more of them."""
        count = len(self._lines[number].pieces)
        return [(0, count), *([(0, count - 1), (1, count)] if count > 1 else [])]

    def _around(self, chosen: _Chosen) -> Iterator[Partition]:
        """Every way with these pieces concealed."""
        rows = [self._lines[number].pieces[first:stop] for number, (first, stop) in chosen.items()]
        by_row = [[tile for piece in row for tile in piece.members] for row in rows]
        base = self._concealed_score(chosen, rows)
        picked = 1 < len(chosen) < len(self._rows)
        if picked:  # given back if they win
            base += self._weights.several_rows_lose
        for winner in self._winners(chosen, by_row):
            aside = self._aside(chosen, winner.place)
            loose = [tile for row in by_row for tile in row if tile != winner.tile]
            lying = sum(bool(self._table.frames.sideways[tile]) for tile in loose)
            down = sum(self._down[tile] for tile in loose)
            score = base + winner.score + self._weights.lying_concealed * lying
            for kongs in self._kongs(chosen, winner.tile):
                hidden = down - sum(self._down[tile] for kong in kongs for tile in kong)
                total = score + sum(self._kong_cost(kong) for kong in kongs)
                total += self._weights.down_concealed * hidden
                yield from self._with_melds(total, loose, winner, kongs, aside, picked=picked)

    def _with_melds(
        self,
        score: float,
        loose: Sequence[int],
        winner: _Winner,
        kongs: tuple[tuple[int, ...], ...],
        aside: Best,
        *,
        picked: bool,
    ) -> Iterator[Partition]:
        """The ways with these kongs among the loose tiles, one for each number of melds beside them."""
        inside = set(chain.from_iterable(kongs))
        concealed = tuple(tile for tile in loose if tile not in inside)
        for best, melds in aside[: MOST_MELDS + 1 - len(kongs)]:
            if best == -inf:
                continue
            count = len(concealed) + (winner.tile is not None) + 3 * (len(melds) + len(kongs))
            total = score + best + self._count_score(count, apart=winner.tile is not None)
            lone = winner.place is not None
            yield Partition(total, concealed, (*melds, *kongs), winner.tile, lone, picked)

    def _concealed_score(self, chosen: _Chosen, rows: Sequence[Sequence[Piece]]) -> float:
        """For these pieces to be the concealed tiles."""
        weights = self._weights
        spaces = sum(min(piece.space / weights.clear_space, 1.0) for row in rows for piece in row[1:])
        score = weights.space_between * spaces + weights.two_rows * (len(rows) - 1)
        score += weights.one_set_apart * sum(_sets_apart(row, weights) for row in rows)
        if len(rows) > 1:
            lone = sum(len(row) == 1 and row[0].tile is not None for row in rows)
            score += weights.lone_concealed * lone
        elif max(chosen) >= self._nearest:
            score += weights.nearest_row
        return score

    def _winners(self, chosen: _Chosen, by_row: Sequence[Sequence[int]]) -> Iterator[_Winner]:
        """Which tile may have won: none that shows, one that lies alone, or one that stands out of the row."""
        yield _Winner(None, 0.0)
        usual = self._usual_distance(by_row)
        for number, place, piece in self._lone:
            first, stop = chosen.get(number, (0, 0))
            if not first <= place < stop and self._set_apart(number, place, chosen, usual):
                yield _Winner(piece.tile, self._apart_score(number, place, by_row), (number, place))
        if usual:
            return
        # Row by row: between the end of one row and the start of the next no tile is in line.
        found = [tile for row in by_row for tile in standing_out(row, self._table)]
        found = [tile for tile in found if tile not in self._claimed]
        if len(by_row) == 1:
            found += [tile for tile in end_apart(by_row[0], self._table) if tile not in found]
        for tile in found:
            yield _Winner(tile, self._weights.apart)

    def _aside(self, chosen: _Chosen, winning: tuple[int, int] | None) -> Best:
        """The best that everything but the concealed pieces and the lone winning tile can be."""
        best = NOTHING
        for number, line in enumerate(self._lines):
            taken = [chosen[number]] if number in chosen else []
            if winning is not None and winning[0] == number:
                taken.append((winning[1], winning[1] + 1))
            begin = 0
            for first, stop in sorted(taken):
                best = together(best, line.aside(begin, first))
                begin = stop
            best = together(best, line.aside(begin, len(line.pieces)))
        return best

    def _kongs(self, chosen: _Chosen, winning: int | None) -> Iterator[tuple[tuple[int, ...], ...]]:
        """Every choice of four equal neighbours, face down or up, that may be kongs left in the row."""
        found = [
            kong
            for number, (first, stop) in chosen.items()
            for kong in self._lines[number].kongs(first, stop, winning)
        ]
        for number in range(min(len(found), MOST_MELDS) + 1):
            for kongs in combinations(found, number):
                if len(set(chain.from_iterable(kongs))) == 4 * number:
                    yield kongs

    def _kong_cost(self, kong: Sequence[int]) -> float:
        """For a kong left in the row: four alike may as well be a pung and a chow, unless some lie face down."""
        return 0.0 if any(self._down[tile] for tile in kong) else self._weights.kong_in_row

    def _usual_distance(self, by_row: Sequence[Sequence[int]]) -> float:
        """How far tiles that lie loosely are from one another; 0 if they lie side by side."""
        tiles = [tile for row in by_row for tile in row]
        if len(tiles) < _MANY:
            return 0.0
        apart = self._table.frames.apart[np.ix_(tiles, tiles)]
        nearest: float = float(np.median(np.sort(apart, axis=1)[:, 1]))
        return nearest if nearest > self._weights.loosely else 0.0

    def _set_apart(self, number: int, place: int, chosen: _Chosen, usual: float) -> bool:
        """Whether a lone tile lies farther off than these pieces do from one another."""
        line, spread = self._lines[number], self._weights.apart_spread
        if number not in chosen:
            tiles = [tile for row in chosen for tile in self._lines[row].tiles_of(*chosen[row])]
            away = float(self._table.frames.apart[tiles, line.pieces[place].members[0]].min())
            return not usual or len(chosen) == 1 or away > usual + spread
        rows = [self._lines[row].pieces[begin:end] for row, (begin, end) in chosen.items()]
        spaces = sorted(piece.space for row in rows for piece in row[1:])
        if len(spaces) < _MANY - 1 or all(1 < len(piece.members) <= _KONG for row in rows for piece in row):
            return True
        first, stop = chosen[number]
        between = line.pieces[place + 1 : first + 1] or line.pieces[stop : place + 1]
        # One space may be that of a tile that was not found.
        return sum(piece.space for piece in between) > spaces[-2] + spread

    def _apart_score(self, number: int, place: int, by_row: Sequence[Sequence[int]]) -> float:
        """For a tile that lies alone to be the winning tile: it should be near, and face up."""
        weights, piece = self._weights, self._lines[number].pieces[place]
        tile = piece.members[0]
        near = min(piece.distance, *(float(self._table.frames.apart[row, tile].min()) for row in by_row))
        far = weights.apart_far * max(0.0, near - weights.apart_near)
        return weights.apart + far + (weights.apart_face_down if self._down[tile] else 0.0)

    def _count_score(self, count: int, *, apart: bool) -> float:
        """For a hand of so many tiles; `apart` says whether the winning tile is known."""
        weights = self._weights
        if count == HAND:
            return weights.complete
        if count == HAND - 1 and not apart:
            return weights.one_short
        return max(weights.most_off, weights.per_tile_off * abs(count - HAND))
