"""Ways of telling the pieces of a hand apart: which are concealed, which tile won, which are melds or strays.

Each way gets a score in natural log-odds, made of the evidence of the faces (does a piece read as sets? does
the whole win?) and of the geometry (is it near, in line, set apart?). The best one is taken, nothing is
forced.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from vision.rows import Frames, stride
from vision.sets import SET_FACES, meld_evidence, split_into_melds
from vision.shape import is_winning
from vision.tiles import BACK, CLASS_INDEX

_HAND = 14
_BACK = 0.5
_RAISED = 0.38  # a tile standing out of its row by this share of its height is set apart
_END_GAP = 0.2  # so is the last tile of a row after a step longer by this share of a tile than the usual one
_END_GAP_CLEAR = 0.12  # and longer by this than any other in the row

# Natural log-odds, set by hand from how real hands lie.
_COMPLETE = 5.0
_ONE_SHORT = 4.0
_PER_TILE_OFF = -1.5
_MOST_OFF = -7.0
_NEAREST_ROW = 1.5
_EMPTY_GAP = -0.5
_TWO_ROWS = -1.5
_LONE_CONCEALED = -3.0
_APART = 1.5
_APART_FAR = -3.0  # for each tile that a tile set apart lies further away than one beside the row
_APART_NEAR = 1.7
_APART_FACE_DOWN = -5.0
_WINS = 2.5
_LONE_TILE_LOSES = -2.0
_LOOKED_AT = 24  # best partitions whose faces are checked for a winning shape
_MELD_TOLD_BY_FACES = -0.3
_CLAIMED = 1.0
_STRAY_TOUCHING = -1.6
_STRAY_FAR = -0.15
_KONG_IN_ROW = -0.5


@dataclass(frozen=True)
class Piece:
    """A contiguous stretch of a run, without flowers; `row` counts the hand's rows from the far side."""

    row: int
    run: int
    members: tuple[int, ...]
    distance: float  # from the main row, in tiles; 0 within it


@dataclass(frozen=True)
class Partition:
    """One way of telling the pieces apart, with its score in natural log-odds."""

    score: float
    concealed: tuple[int, ...]
    melds: tuple[tuple[int, ...], ...]
    winning: int | None
    lone: bool  # the winning tile was taken from outside the concealed tiles


def best_partition(pieces: Sequence[Piece], frame: Frames, faces: NDArray[np.float64]) -> Partition | None:
    """The best way of telling these pieces apart; None without pieces.

    faces: N×44 probabilities over `vision.tiles.CLASSES`, for the tiles that the pieces name.
    """
    ranked = heapq.nlargest(_LOOKED_AT, _partitions(pieces, frame, faces), key=lambda found: found.score)
    return max(ranked, key=lambda found: found.score + _win_score(found, faces), default=None)


def _back(faces: NDArray[np.float64]) -> NDArray[np.bool_]:
    backs: NDArray[np.bool_] = faces[:, CLASS_INDEX[BACK]] > _BACK
    return backs


def _partitions(pieces: Sequence[Piece], frame: Frames, faces: NDArray[np.float64]) -> Iterable[Partition]:
    """Every sensible choice of the concealed tiles, the winning tile, melds and strays."""
    splits = {piece: _split(piece, frame, faces) for piece in pieces}
    claimed = {index for piece in pieces if splits[piece][0] > 0 for index in piece.members}
    for chosen in _concealed_choices(pieces):
        rest = [piece for piece in pieces if piece not in chosen]
        row_tiles = [index for piece in chosen for index in piece.members]
        base = _concealed_score(chosen, pieces)
        alone = {piece.members[0] for piece in rest if len(piece.members) == 1}
        apart: list[tuple[int | None, float]] = [(None, 0.0)]
        apart += [(piece.members[0], _apart_score(piece, faces)) for piece in rest if len(piece.members) == 1]
        # Row by row: where one row ends and the next begins, no tile is in line.
        standing_out = [index for row in _by_row(chosen) for index in _standing_out(row, frame)]
        standing_out = [index for index in standing_out if index not in claimed]
        standing_out += [index for index in _end_apart(chosen, frame) if index not in standing_out]
        apart += [(index, _APART) for index in standing_out]
        for winning, bonus in apart:
            concealed = [index for index in row_tiles if index != winning]
            others = [piece for piece in rest if winning is None or winning not in piece.members]
            kongs = _kongs_in_row(faces, concealed)
            for number in range(len(kongs) + 1):
                for taken in combinations(kongs, number):
                    inside = {index for kong in taken for index in kong}
                    left = tuple(index for index in concealed if index not in inside)
                    score = base + bonus + sum(_kong_cost(faces, kong) for kong in taken)
                    yield from _with_melds(
                        Partition(score, left, taken, winning, winning in alone), others, splits
                    )


def _split(
    piece: Piece, frame: Frames, faces: NDArray[np.float64]
) -> tuple[float, tuple[tuple[int, ...], ...]]:
    """The piece cut into melds, with its log-odds; a tile lying sideways in a meld speaks for one."""
    evidence, melds = split_into_melds(faces, piece.members)
    return evidence + _CLAIMED * sum(bool(frame.sideways[list(meld)].any()) for meld in melds), melds


def _concealed_choices(pieces: Sequence[Piece]) -> Iterable[tuple[Piece, ...]]:
    """Neighbouring pieces of one row, or everything there is."""
    seen = set()
    for number in sorted({piece.row for piece in pieces}):
        row = [piece for piece in pieces if piece.row == number]
        for start in range(len(row)):
            for stop in range(start + 1, len(row) + 1):
                seen.add(tuple(row[start:stop]))
    if pieces:
        seen.add(tuple(pieces))
    return sorted(seen, key=lambda choice: [piece.members for piece in choice])


def _by_row(pieces: Sequence[Piece]) -> list[list[int]]:
    """The tiles of these pieces, row by row."""
    rows = sorted({piece.row for piece in pieces})
    return [[index for piece in pieces if piece.row == row for index in piece.members] for row in rows]


def _concealed_score(chosen: Sequence[Piece], pieces: Sequence[Piece]) -> float:
    rows = {piece.row for piece in chosen}
    runs = {(piece.row, piece.run) for piece in chosen}
    score = _EMPTY_GAP * (len(runs) - len(rows)) + _TWO_ROWS * (len(rows) - 1)
    score += _LONE_CONCEALED * sum(len(row) == 1 for row in _by_row(chosen) if len(rows) > 1)
    long_rows = {piece.row for piece in pieces if len(piece.members) > 1}
    if len(rows) == 1 and max(rows) >= max(long_rows, default=0):
        score += _NEAREST_ROW
    return score


def _standing_out(row_tiles: Sequence[int], frame: Frames) -> list[int]:
    """The one tile of a row that lies sideways or is pushed out of the line; none where the row is untidy."""
    members = list(row_tiles)
    if len(members) < 5:
        return []
    sideways = [index for index in members if frame.sideways[index]]
    if sideways:
        return sideways if len(sideways) == 1 else []
    centres = frame.centres[members]
    heights = np.hypot(*frame.across[members].T)
    raised = []
    for place, index in enumerate(members[1:-1], 1):
        # The line without this tile, from the two tiles on either side.
        start = min(max(place - 2, 0), len(members) - 5)
        near = [other for other in range(start, start + 5) if other != place]
        line = centres[near]
        slope = np.linalg.svd(line - line.mean(axis=0), full_matrices=False)[2][0]
        off = centres[place] - line.mean(axis=0)
        across = abs(float(off[0] * slope[1] - off[1] * slope[0]))
        if across > _RAISED * heights[place]:
            raised.append((across / heights[place], index))
    # A tile pushed out bends the line of its neighbours too: it must stand out clearly more than they do.
    raised.sort(reverse=True)
    return [raised[0][1]] if raised and all(more[0] < 0.7 * raised[0][0] for more in raised[1:]) else []


def _end_apart(chosen: Sequence[Piece], frame: Frames) -> list[int]:
    """The tile at an end of the row, where the step to it is clearly the longest though no gap."""
    members = [index for piece in chosen for index in piece.members]
    if len({piece.row for piece in chosen}) > 1 or len(members) < 5:
        return []
    steps = [stride(one, other, frame) for one, other in pairwise(members)]
    for end, tile in ((-1, members[-1]), (0, members[0])):
        others = sorted(steps[:-1] if end else steps[1:])
        usual = others[len(others) // 2]
        if steps[end] > usual + _END_GAP and steps[end] > others[-1] + _END_GAP_CLEAR:
            return [tile]
    return []


def _kongs_in_row(faces: NDArray[np.float64], members: Sequence[int]) -> list[tuple[int, ...]]:
    """Four neighbours alike, face down or up, that may be a kong left in the row; none overlaps another."""
    found: list[tuple[int, ...]] = []
    place = 0
    while place + 4 <= len(members):
        four = tuple(members[place : place + 4])
        if meld_evidence(faces, four) > np.log(0.25):
            found.append(four)
            place += 4
        else:
            place += 1
    return found


def _kong_cost(faces: NDArray[np.float64], kong: Sequence[int]) -> float:
    """Four alike in a row may as well be a pung and a chow, unless some lie face down."""
    return 2.0 if _back(faces[list(kong)]).any() else _KONG_IN_ROW


def _with_melds(
    partition: Partition,
    others: Sequence[Piece],
    splits: dict[Piece, tuple[float, tuple[tuple[int, ...], ...]]],
) -> Iterable[Partition]:
    """The same with each choice of which other pieces are melds and which are strays."""
    able = [piece for piece in others if splits[piece][1]]
    stray = {piece: _stray_score(piece) for piece in others}
    score = partition.score + sum(stray[piece] for piece in others if not splits[piece][1])
    loose = len(partition.concealed) + (partition.winning is not None)
    for number in range(len(able) + 1):
        for taken in combinations(able, number):
            melds = tuple(meld for piece in taken for meld in splits[piece][1]) + partition.melds
            if len(melds) > 4:
                continue
            total = score + sum(splits[piece][0] + _MELD_TOLD_BY_FACES for piece in taken)
            total += sum(stray[piece] for piece in able if piece not in taken)
            total += _count_score(loose + 3 * len(melds), partition.winning is not None)
            yield replace(partition, score=total, melds=melds)


def _apart_score(piece: Piece, faces: NDArray[np.float64]) -> float:
    """For a tile that lies alone to be the winning tile: it should be near, and face up."""
    far = _APART_FAR * max(0.0, piece.distance - _APART_NEAR)
    return _APART + far + (_APART_FACE_DOWN if _back(faces[list(piece.members)]).any() else 0.0)


def _win_score(partition: Partition, faces: NDArray[np.float64]) -> float:
    """Likeliest faces that make a winning hand speak for a reading beyond the right count."""
    loose = [*partition.concealed, *([] if partition.winning is None else [partition.winning])]
    counts = np.bincount(faces[loose, :SET_FACES].argmax(axis=1), minlength=SET_FACES)
    if not _back(faces[loose]).any() and is_winning(tuple(int(n) for n in counts), len(partition.melds)):
        return _WINS
    return _LONE_TILE_LOSES if partition.lone else 0.0


def _stray_score(piece: Piece) -> float:
    near = max(0.0, 1 - max(piece.distance - 1, 0) / 3)
    return len(piece.members) * (_STRAY_FAR + (_STRAY_TOUCHING - _STRAY_FAR) * near)


def _count_score(count: int, apart: bool) -> float:
    if count == _HAND:
        return _COMPLETE
    if count == _HAND - 1 and not apart:
        return _ONE_SHORT
    return max(_MOST_OFF, _PER_TILE_OFF * abs(count - _HAND))
