"""Ways of telling the pieces of a hand apart: which are concealed, which tile won, which are melds or strays.

Each way gets a score in natural log-odds, made of the evidence of the faces (does a piece read as sets? does
the whole win?) and of the geometry (is it near, in line, set apart?). The best one is taken, nothing is
forced, and rivals that come near are given too.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from math import exp, inf, log
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from scorer import is_winning
from vision.layout.flowers import backs_shown
from vision.layout.rows import Frames
from vision.layout.set_evidence import SET_FACES, meld_evidence
from vision.layout.winning_tile import end_apart, standing_out
from vision.tiles import BACK, CLASS_INDEX

_HAND = 14
_MOST_MELDS = 4

# Natural log-odds, set by hand from how real hands lie.
_COMPLETE = 5.0
_ONE_SHORT = 4.0
_PER_TILE_OFF = -1.5
_MOST_OFF = -7.0
_NEAREST_ROW = 1.5
_EMPTY_GAP = -0.5  # for a clear gap between concealed tiles
_CLEAR_GAP = 0.45  # in tiles; a smaller space counts in proportion
_TORN = -4.0  # for each tile of space inside a meld
_TWO_ROWS = -1.5
_LONE_CONCEALED = -3.0
_LYING_CONCEALED = -1.0  # for each concealed tile that lies sideways
_APART = 1.5
_APART_FAR = -3.0  # for each tile that a tile set apart lies further away than one beside the row
_APART_NEAR = 1.7
_APART_FACE_DOWN = -5.0
_WINS = 2.5
_LONE_TILE_LOSES = -2.0
_LOOKED_AT = 24  # best partitions whose faces are checked for a winning shape
_MELD_TOLD_BY_FACES = -0.2
_CLAIMED = 1.0
_STRAY_TOUCHING = -1.6
_STRAY_FAR = -0.15
_KONG_IN_ROW = -0.5
_KONG_FACE_DOWN = 0.0
_MAYBE_A_KONG = log(0.25)
_STRONG_RIVAL = 0.3  # the share of ways that differ in a tile from which on it is disputed


@dataclass(frozen=True)
class Piece:
    """A stretch of neighbours in a row, without flowers, from one space to the next.

    row: counts the hand's rows from the far side. space: how much further than usual it lies from the piece
    before it in its row, in tiles. distance: from the main row, in tiles; 0 within it.
    """

    row: int
    members: tuple[int, ...]
    space: float
    distance: float

    @property
    def tile(self) -> int | None:
        """The tile, where it is one only."""
        return self.members[0] if len(self.members) == 1 else None


@dataclass(frozen=True)
class Partition:
    """One way of telling the pieces apart, with its score in natural log-odds."""

    score: float
    concealed: tuple[int, ...]
    melds: tuple[tuple[int, ...], ...]
    winning: int | None
    lone: bool  # the winning tile was taken from outside the concealed tiles
    wins: bool = False  # the likeliest faces make a winning hand

    @cached_property
    def roles(self) -> dict[int, str | tuple[int, ...]]:
        """For each tile that is no stray what it is for; for one of a meld, that meld."""
        roles: dict[int, str | tuple[int, ...]] = dict.fromkeys(self.concealed, "concealed")
        roles |= {tile: meld for meld in self.melds for tile in meld}
        return roles if self.winning is None else roles | {self.winning: "winning"}

    def as_hand(self, names: Sequence[int]) -> tuple[object, ...]:
        """What hand it is if these are the faces: the same for ways that differ only in tiles alike."""
        melds = sorted(sorted(names[tile] for tile in meld) for meld in self.melds)
        won = None if self.winning is None else names[self.winning]
        return sorted(names[tile] for tile in self.concealed), melds, won

    @property
    def complete(self) -> bool:
        """Whether it is a hand of fourteen tiles, a kong counted as three, that wins."""
        return self.wins and self.count == _HAND

    @property
    def count(self) -> int:
        """How many tiles it has, a kong counted as three."""
        return len(self.concealed) + (self.winning is not None) + 3 * len(self.melds)


def best_partitions(pieces: Sequence[Piece], frame: Frames, faces: NDArray[np.float64]) -> list[Partition]:
    """The best ways of telling these pieces apart, best first; none without pieces.

    faces: N×44 probabilities over `vision.tiles.CLASSES`, for the tiles that the pieces name.
    """
    ways = _Ways(pieces, frame, faces).all()
    likeliest = faces[:, :SET_FACES].argmax(axis=1).tolist()
    down = frozenset(np.flatnonzero(backs_shown(faces)).tolist())
    ranked = [
        _looked_at(found, likeliest, down) for found in heapq.nlargest(_LOOKED_AT, ways, attrgetter("score"))
    ]
    return sorted(ranked, key=lambda found: -found.score)


def _looked_at(partition: Partition, likeliest: Sequence[int], down: frozenset[int]) -> Partition:
    """The same with what its likeliest faces say: that they win speaks for it, beyond the right count."""
    loose = [*partition.concealed, *([] if partition.winning is None else [partition.winning])]
    counts = [0] * SET_FACES
    for tile in loose:
        counts[likeliest[tile]] += 1
    wins = down.isdisjoint(loose) and is_winning(tuple(counts), len(partition.melds))
    bonus = _WINS if wins else _LONE_TILE_LOSES if partition.lone else 0.0
    return replace(partition, score=partition.score + bonus, wins=wins)


def disputed(ways: Sequence[Partition], faces: NDArray[np.float64]) -> frozenset[int]:
    """The tiles that ways as good as likely see as something else than the best one, and so another hand."""
    if not ways:
        return frozenset()
    names = faces[:, : CLASS_INDEX[BACK] + 1].argmax(axis=1).tolist()
    against: dict[int, float] = {}
    total = 0.0
    for way in ways:
        share = exp(way.score - ways[0].score)
        total += share
        if way.as_hand(names) != ways[0].as_hand(names):
            for tile in way.roles.keys() | ways[0].roles.keys():
                if way.roles.get(tile) != ways[0].roles.get(tile):
                    against[tile] = against.get(tile, 0.0) + share
    return frozenset(tile for tile, share in against.items() if share > _STRONG_RIVAL * total)


#: For each number of melds, 0 to 4, the best score of some tiles outside the concealed ones, and the melds.
_Best = list[tuple[float, tuple[tuple[int, ...], ...]]]
_NEVER: _Best = [(-inf, ())] * (_MOST_MELDS + 1)
_NOTHING: _Best = [(0.0, ()), *_NEVER[1:]]


def _together(one: _Best, other: _Best) -> _Best:
    """The best of two separate stretches together."""
    if one is _NOTHING or other is _NOTHING:
        return other if one is _NOTHING else one
    best = list(_NEVER)
    for number, (score, melds) in enumerate(one):
        if score == -inf:
            continue
        for more in range(_MOST_MELDS + 1 - number):
            total = score + other[more][0]
            if total > best[number + more][0]:
                best[number + more] = (total, melds + other[more][1])
    return best


class _Line:
    """The pieces of one row, and what every stretch of them may be besides concealed tiles."""

    def __init__(self, pieces: Sequence[Piece], frame: Frames, evidence: dict[int, dict[int, float]]) -> None:
        """The evidence is that of a meld of three or four tiles, by their number and the first of them."""
        self.pieces = pieces
        self.tiles = [tile for piece in pieces for tile in piece.members]
        self.lying = [bool(frame.sideways[tile]) for tile in self.tiles]
        self._evidence = evidence
        self._space = [
            piece.space if tile == piece.members[0] else 0.0 for piece in pieces for tile in piece.members
        ]
        self.starts = [0]
        for piece in pieces:
            self.starts.append(self.starts[-1] + len(piece.members))
        self._best: dict[int, list[_Best]] = {}

    def is_kong(self, place: int) -> bool:
        """Whether the four tiles from a place in the row on may be a kong."""
        return self._evidence[4].get(self.tiles[place], -inf) > _MAYBE_A_KONG

    @property
    def claimed(self) -> set[int]:
        """The tiles of pieces that are nothing but melds, a tile lying sideways in one: that tile did not win."""
        return {
            tile
            for number, piece in enumerate(self.pieces)
            if any(
                score > 0 and sum(map(len, melds)) == len(piece.members)
                for score, melds in self.aside(number, number + 1)
            )
            for tile in piece.members
        }

    def aside(self, first: int, stop: int) -> _Best:
        """The best that the pieces from `first` up to `stop` can be: melds, strays, or some of each."""
        if first >= stop:
            return _NOTHING
        if first not in self._best:
            self._best[first] = self._from(first)
        return self._best[first][stop - first]

    def _from(self, first: int) -> list[_Best]:
        """`aside` for every stretch that starts with one piece."""
        begin = self.starts[first]
        best: list[_Best] = [_NOTHING]
        ends = {self.starts[number + 1]: number for number in range(first, len(self.pieces))}
        for end in range(begin + 1, len(self.tiles) + 1):
            here = list(_NEVER)
            if end in ends:  # the last piece is a stray
                piece = self.pieces[ends[end]]
                cost = _stray_score(piece)
                before = best[end - len(piece.members) - begin]
                here = [(score + cost, melds) for score, melds in before]
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
        return [best[self.starts[number] - begin] for number in range(first, len(self.starts))]

    def _meld_score(self, start: int, size: int) -> float:
        """For tiles side by side to be a meld; one that lies sideways speaks for it, space within against."""
        inside = sum(self._space[start + 1 : start + size])
        claimed = _CLAIMED * any(self.lying[start : start + size])
        return self._evidence[size][self.tiles[start]] + claimed + _MELD_TOLD_BY_FACES + _TORN * inside


def _evidence(rows: Sequence[Sequence[int]], faces: NDArray[np.float64]) -> dict[int, dict[int, float]]:
    """For three and for four neighbours in a row, by the first of them, the evidence that they are a meld."""
    found: dict[int, dict[int, float]] = {}
    for size in (3, 4):
        groups = [row[place : place + size] for row in rows for place in range(len(row) - size + 1)]
        values = meld_evidence(faces[np.array(groups, dtype=np.intp).reshape(-1, size)]).tolist()
        found[size] = {group[0]: value for group, value in zip(groups, values, strict=True)}
    return found


class _Ways:
    """Every sensible choice of the concealed tiles, the winning tile, melds and strays."""

    def __init__(self, pieces: Sequence[Piece], frame: Frames, faces: NDArray[np.float64]) -> None:
        self._frame = frame
        rows = sorted({piece.row for piece in pieces})
        by_row = [[piece for piece in pieces if piece.row == row] for row in rows]
        evidence = _evidence([[tile for piece in row for tile in piece.members] for row in by_row], faces)
        self._lines = [_Line(row, frame, evidence) for row in by_row]
        self._down = backs_shown(faces).tolist()
        self._claimed = set(chain.from_iterable(line.claimed for line in self._lines))
        long = [number for number, line in enumerate(self._lines) if len(line.tiles) > 1]
        self._nearest = max(long, default=0)
        self._lone = [
            (number, place, piece)
            for number, line in enumerate(self._lines)
            for place, piece in enumerate(line.pieces)
            if piece.tile is not None
        ]

    def all(self) -> Iterator[Partition]:
        """Neighbouring pieces of one row are the concealed tiles, or everything there is."""
        for number, line in enumerate(self._lines):
            for first in range(len(line.pieces)):
                for stop in range(first + 1, len(line.pieces) + 1):
                    yield from self._around({number: (first, stop)})
        if len(self._lines) > 1:
            yield from self._around({n: (0, len(line.pieces)) for n, line in enumerate(self._lines)})

    def _around(self, chosen: dict[int, tuple[int, int]]) -> Iterator[Partition]:
        """Every way with these pieces concealed: for each row the first one and the one after the last."""
        rows = [self._lines[number].pieces[first:stop] for number, (first, stop) in chosen.items()]
        by_row = [[tile for piece in row for tile in piece.members] for row in rows]
        row_tiles = [tile for row in by_row for tile in row]
        base = self._concealed_score(chosen, rows)
        for winning, bonus, place in self._apart(chosen, by_row):
            aside = self._aside(chosen, place)
            lying = sum(bool(self._frame.sideways[tile]) for tile in row_tiles if tile != winning)
            loose = len(row_tiles) + (winning is not None and place is not None)
            score = base + bonus + _LYING_CONCEALED * lying
            for kongs in self._kongs(chosen, winning):
                inside = {tile for kong in kongs for tile in kong}
                concealed = tuple(tile for tile in row_tiles if tile != winning and tile not in inside)
                total = score + sum(self._kong_cost(kong) for kong in kongs)
                for number, (best, melds) in enumerate(aside):
                    if best == -inf or number + len(kongs) > _MOST_MELDS:
                        continue
                    count = loose - len(inside) + 3 * (number + len(kongs))
                    yield Partition(
                        total + best + _count_score(count, winning is not None),
                        concealed,
                        (*melds, *kongs),
                        winning,
                        place is not None,
                    )

    def _concealed_score(self, chosen: dict[int, tuple[int, int]], rows: Sequence[Sequence[Piece]]) -> float:
        spaces = sum(min(piece.space / _CLEAR_GAP, 1.0) for row in rows for piece in row[1:])
        score = _EMPTY_GAP * spaces + _TWO_ROWS * (len(rows) - 1)
        if len(rows) > 1:
            score += _LONE_CONCEALED * sum(len(row) == 1 and row[0].tile is not None for row in rows)
        elif max(chosen) >= self._nearest:
            score += _NEAREST_ROW
        return score

    def _apart(
        self, chosen: dict[int, tuple[int, int]], by_row: Sequence[Sequence[int]]
    ) -> Iterator[tuple[int | None, float, tuple[int, int] | None]]:
        """Which tile may be the winning one, with the score for that, and its piece if it lies alone."""
        yield None, 0.0, None
        for number, place, piece in self._lone:
            first, stop = chosen.get(number, (0, 0))
            if not first <= place < stop:
                yield piece.tile, self._apart_score(piece, by_row), (number, place)
        # Row by row: where one row ends and the next begins, no tile is in line.
        found = [tile for row in by_row for tile in standing_out(row, self._frame)]
        found = [tile for tile in found if tile not in self._claimed]
        if len(by_row) == 1:
            found += [tile for tile in end_apart(by_row[0], self._frame) if tile not in found]
        for tile in found:
            yield tile, _APART, None

    def _aside(self, chosen: dict[int, tuple[int, int]], winning: tuple[int, int] | None) -> _Best:
        """The best that everything but the concealed pieces and the lone winning tile can be."""
        best = _NOTHING
        for number, line in enumerate(self._lines):
            taken = [chosen[number]] if number in chosen else []
            if winning is not None and winning[0] == number:
                taken.append((winning[1], winning[1] + 1))
            begin = 0
            for first, stop in sorted(taken):
                best = _together(best, line.aside(begin, first))
                begin = stop
            best = _together(best, line.aside(begin, len(line.pieces)))
        return best

    def _kongs(
        self, chosen: dict[int, tuple[int, int]], winning: int | None
    ) -> Iterator[tuple[tuple[int, ...], ...]]:
        """Every choice of four neighbours alike, face down or up, that may be kongs left in the row."""
        found: list[tuple[int, ...]] = []
        for number, (first, stop) in chosen.items():
            line = self._lines[number]
            place, end = line.starts[first], line.starts[stop]
            while place + 4 <= end:
                four = tuple(line.tiles[place : place + 4])
                if winning not in four and line.is_kong(place):
                    found.append(four)
                    place += 4
                else:
                    place += 1
        for number in range(len(found) + 1):
            yield from combinations(found, number)

    def _kong_cost(self, kong: Sequence[int]) -> float:
        """Four alike in a row may as well be a pung and a chow, unless some lie face down."""
        return _KONG_FACE_DOWN if any(self._down[tile] for tile in kong) else _KONG_IN_ROW

    def _apart_score(self, piece: Piece, by_row: Sequence[Sequence[int]]) -> float:
        """For a tile that lies alone to be the winning tile: it should be near, and face up."""
        tile = piece.members[0]
        near = min(piece.distance, *(float(self._frame.apart[row, tile].min()) for row in by_row))
        far = _APART_FAR * max(0.0, near - _APART_NEAR)
        return _APART + far + (_APART_FACE_DOWN if self._down[tile] else 0.0)


def _stray_score(piece: Piece) -> float:
    near = max(0.0, 1 - max(piece.distance - 1, 0) / 3)
    return len(piece.members) * (_STRAY_FAR + (_STRAY_TOUCHING - _STRAY_FAR) * near)


def _count_score(count: int, apart: bool) -> float:
    if count == _HAND:
        return _COMPLETE
    if count == _HAND - 1 and not apart:
        return _ONE_SHORT
    return max(_MOST_OFF, _PER_TILE_OFF * abs(count - _HAND))
