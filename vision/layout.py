"""What each tile is for: which rows are the declared hand, which tiles are melds, flowers, the winning tile.

The cues are those of the table (RULES.md section 11): the hand lies in a row before its owner, melds in front
of it or beside it, a concealed kong face down, flowers aside, the winning tile set apart. Whatever does not
fit into a hand of fourteen tiles (one more per kong) and lies away from it is a stray: discards, walls, other
hands.

Every way of telling the pieces apart gets a score in natural log-odds, made of the evidence of the faces
(does a piece read as sets?) and of the geometry (is it near, in line, set apart?); the best one is taken.
Nothing is forced: a heap, a tray or half a hand comes out as what it is, with a count that is not fourteen.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.rows import Frames, Row, find_rows, frames
from vision.sets import meld_evidence, split_into_melds
from vision.shape import is_winning
from vision.tiles import BACK, CLASS_INDEX, FACES, Tiles

_HAND = 14
_LAST_SUIT_OR_HONOUR = 34

_FLOWER = 0.5  # a tile more likely a flower than not
_BACK = 0.5
_MAX_PIECES = (
    9  # nearest pieces that may belong to the hand: four melds, flowers, halves of a row, a tile apart
)
_ACROSS = 3.4  # rows within this many tile heights of the main row may belong to the hand
_BESIDE = 6.0  # and within this many tile widths beyond its ends
_SIZE = (0.55, 1.7)  # with tiles of this size relative to the main row's
_TURN = np.cos(np.radians(25))  # and parallel to it within 25 degrees
_LONE_TURN = np.cos(np.radians(14))  # a lone tile lies as straight as the row, or straight across it
_FLOWER_APART = 0.8  # a flower outside the main row must be this sure: dice and chips look like flowers
_FLOWER_NEAR = 2.2  # as near as this, in tiles
_FLOWER_SIZE = 0.65  # and no smaller than this beside the main row's tiles
_RAISED = 0.38  # a tile standing out of its row by this share of its height is set apart

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
_LOOKED_AT = 24  # best readings whose faces are checked for a winning shape
_MELD_TOLD_BY_FACES = -0.3
_CLAIMED = 1.0
_STRAY_TOUCHING = -1.6
_STRAY_FAR = -0.15
_KONG_IN_ROW = -0.5


class Role(StrEnum):
    """What a tile is for."""

    CONCEALED = "concealed"
    MELD = "meld"
    WINNING = "winning"
    FLOWER = "flower"
    STRAY = "stray"


@dataclass(frozen=True)
class Group:
    """Tiles that belong together: `members` are row indices of the table in reading order."""

    role: Role
    members: tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """What each of the N tiles of a table is for.

    groups: flowers, then melds, then the concealed tiles, then the winning tile; no tile in two of them.
    sideways: for each tile, whether it lies across its row.
    set_apart: whether the winning tile was told by where it lies.

    Raises ValueError where a member is no tile of the table or belongs to two groups.
    """

    groups: tuple[Group, ...]
    sideways: tuple[bool, ...]

    def __post_init__(self) -> None:
        """Check that the groups are disjoint and name tiles of the table."""
        members = [index for group in self.groups for index in group.members]
        if len(set(members)) != len(members) or not set(members) <= set(range(len(self.sideways))):
            raise ValueError("a tile belongs to one group at most, and must be a tile of the table")

    @cached_property
    def group_of(self) -> tuple[int | None, ...]:
        """For each tile the index of its group; None for a stray."""
        ids: list[int | None] = [None] * len(self.sideways)
        for number, group in enumerate(self.groups):
            for index in group.members:
                ids[index] = number
        return tuple(ids)

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        """For each tile its role."""
        return tuple(Role.STRAY if group is None else self.groups[group].role for group in self.group_of)

    def members(self, role: Role) -> tuple[int, ...]:
        """All tiles of a role, group by group in reading order."""
        return tuple(index for group in self.groups if group.role is role for index in group.members)

    @property
    def reading_order(self) -> tuple[int, ...]:
        """All tiles: group by group in reading order, strays last."""
        ordered = [index for group in self.groups for index in group.members]
        return (*ordered, *(index for index, group in enumerate(self.group_of) if group is None))

    def renumbered(self) -> Layout:
        """The same layout of the same tiles taken in reading order."""
        place = {index: number for number, index in enumerate(self.reading_order)}
        groups = tuple(
            Group(group.role, tuple(place[index] for index in group.members)) for group in self.groups
        )
        return Layout(groups, tuple(self.sideways[index] for index in self.reading_order))

    @property
    def melds(self) -> tuple[Group, ...]:
        """The groups that are melds."""
        return tuple(group for group in self.groups if group.role is Role.MELD)

    @property
    def count(self) -> int:
        """Tiles of the hand with every meld counted as three: fourteen in a complete hand."""
        loose = len(self.members(Role.CONCEALED)) + len(self.members(Role.WINNING))
        return loose + 3 * len(self.melds)


@dataclass(frozen=True)
class _Piece:
    """A contiguous stretch of a run, all flowers or none; `row` counts the hand's rows from the far side."""

    row: int
    run: int
    members: tuple[int, ...]
    flowers: bool
    distance: float  # from the main row, in tiles; 0 within it


@dataclass(frozen=True)
class _Reading:
    """One way of telling the pieces apart, with its score in natural log-odds."""

    score: float
    concealed: tuple[int, ...]
    melds: tuple[tuple[int, ...], ...]
    winning: int | None
    lone: bool  # the winning tile was taken from outside the concealed tiles


def arrange(tiles: Tiles, width: int, height: int) -> Layout:
    """Tell the declared hand from everything else, for a photo of width×height pixels.

    `tiles` should hold each tile once (`vision.rows.distinct`). A photo without any row gives strays only.
    """
    if not len(tiles):
        return Layout((), ())
    frame = frames(tiles.quads)
    sideways = tuple(bool(flag) for flag in frame.sideways)
    faces = tiles.probabilities.astype(np.float64)
    rows = find_rows(frame)
    main = _main_row(rows, frame, faces, np.array([width, height], dtype=np.float64))
    if main is None:
        return Layout((), sideways)
    hand_rows, across = _hand_rows(main, rows, frame)
    sideways = tuple(flag or index in across for index, flag in enumerate(sideways))
    pieces = _pieces(hand_rows, main, frame, faces)
    flowers = [piece.members for piece in pieces if piece.flowers]
    playing = [piece for piece in pieces if not piece.flowers]
    ranked = heapq.nlargest(_LOOKED_AT, _readings(playing, frame, faces), key=lambda reading: reading.score)
    best = max(ranked, key=lambda reading: reading.score + _win_score(reading, faces), default=None)
    groups = [Group(Role.FLOWER, members) for members in flowers]
    if best is not None:
        groups += [Group(Role.MELD, members) for members in best.melds]
        if best.concealed:
            groups.append(Group(Role.CONCEALED, best.concealed))
        if best.winning is not None:
            groups.append(Group(Role.WINNING, (best.winning,)))
    return Layout(tuple(groups), sideways)


def _flower(faces: NDArray[np.float64]) -> NDArray[np.bool_]:
    flowers: NDArray[np.bool_] = faces[:, _LAST_SUIT_OR_HONOUR : len(FACES)].sum(axis=1) > _FLOWER
    return flowers


def _back(faces: NDArray[np.float64]) -> NDArray[np.bool_]:
    backs: NDArray[np.bool_] = faces[:, CLASS_INDEX[BACK]] > _BACK
    return backs


def _main_row(
    rows: Sequence[Row], frame: Frames, faces: NDArray[np.float64], size: NDArray[np.float64]
) -> Row | None:
    """The row with the most face-up tiles, large ones counting more: far hands and discards look smaller."""
    backs = _back(faces)
    best, best_weight = None, 0.0
    middle = size / 2
    for row in rows:
        members = [index for index in row.members if not backs[index]]
        if not members:
            continue
        off = np.hypot(*((frame.centres[members].mean(axis=0) - middle) / size))
        weight = min(len(members), 18) * float(np.mean(frame.sizes[members])) * (1 - 0.3 * float(off))
        if weight > best_weight:
            best, best_weight = row, weight
    return best


def _separation(main: Row, others: Iterable[int], frame: Frames) -> tuple[float, float]:
    """How far the nearest of some tiles lies from a row, in the row's own tiles: across it and along it."""
    best = (np.inf, np.inf)
    for index in main.members:
        local = np.abs(frame.local(index))
        for other in others:
            along, across = float(local[other, 0]), float(local[other, 1])
            if np.hypot(along, across) < np.hypot(*best):
                best = (across, along)
    return best


def _hand_rows(main: Row, rows: Sequence[Row], frame: Frames) -> tuple[list[Row], set[int]]:
    """The main row and the tidy rows close and parallel to it, the one nearest to their owner last.

    Also lone tiles that lie across the main row: alone they could not tell which way the row runs.
    """
    ends = main.members[0], main.members[-1]
    direction = frame.centres[ends[1]] - frame.centres[ends[0]]
    if not direction.any():
        direction = frame.along[ends[0]] * (frame.upright[ends[0]] or 1)
    direction = direction / np.hypot(*direction)
    size = float(np.mean(frame.sizes[list(main.members)]))
    chosen = [main]
    turned: set[int] = set()
    for row in rows:
        if row is main:
            continue
        members = list(row.members)
        units = frame.along[members] / np.hypot(*frame.along[members].T)[:, None]
        parallel = float(np.mean(np.abs(units @ direction)))
        lone_across = len(members) == 1 and np.sqrt(1 - min(parallel, 1.0) ** 2) > _LONE_TURN
        ratio = float(np.mean(frame.sizes[members])) / size
        straight = parallel > (_LONE_TURN if len(members) == 1 else _TURN) or lone_across
        if not (_SIZE[0] < ratio < _SIZE[1] and straight):
            continue
        across, along = _separation(main, members, frame)
        if across < _ACROSS and along < _BESIDE:
            chosen.append(row)
            if lone_across:
                turned.add(members[0])
    toward = np.array([-direction[1], direction[0]])
    chosen.sort(key=lambda row: float((frame.centres[list(row.members)] @ toward).mean()))
    return chosen, turned


def _pieces(hand_rows: Sequence[Row], main: Row, frame: Frames, faces: NDArray[np.float64]) -> list[_Piece]:
    """The stretches of the hand's rows, flowers split from the rest; at most the nearest few."""
    flower = _flower(faces)
    pieces: list[_Piece] = []
    for number, row in enumerate(_with_stacked_kongs(hand_rows, frame, faces)):
        for place, run in enumerate(row.runs):
            start = 0
            for stop in range(1, len(run) + 1):
                if stop == len(run) or flower[run[stop]] != flower[run[start]]:
                    members = run[start:stop]
                    distance = 0.0
                    if not set(members) <= set(main.members):
                        distance = float(np.hypot(*_separation(main, members, frame)))
                    pieces.append(_Piece(number, place, members, bool(flower[run[start]]), distance))
                    start = stop
    flowers = [piece for piece in pieces if piece.flowers and _is_sure_flower(piece, main, frame, faces)]
    playing = [piece for piece in pieces if not piece.flowers]
    nearest = sorted(playing, key=lambda piece: (piece.distance, -len(piece.members)))[:_MAX_PIECES]
    return flowers + [piece for piece in playing if piece in nearest]


def _is_sure_flower(piece: _Piece, main: Row, frame: Frames, faces: NDArray[np.float64]) -> bool:
    if set(piece.members) <= set(main.members):
        return True
    if piece.distance > _FLOWER_NEAR:
        return False
    members = list(piece.members)
    sure = faces[members, _LAST_SUIT_OR_HONOUR : len(FACES)].max(axis=1).mean() > _FLOWER_APART
    usual = float(np.median(frame.sizes[list(main.members)]))
    return bool(sure and float(np.median(frame.sizes[members])) > _FLOWER_SIZE * usual)


def _with_stacked_kongs(hand_rows: Sequence[Row], frame: Frames, faces: NDArray[np.float64]) -> list[Row]:
    """The rows with a tile added on top of a claimed pung moved into that pung."""
    moved: dict[int, int] = {}
    loners = [row.members[0] for row in hand_rows if len(row.members) == 1]
    for loner in loners:
        for row in hand_rows:
            for run in row.runs:
                if loner in run:
                    continue
                for place, under in enumerate(run):
                    across = frame.local(under)[loner]
                    stacked = abs(across[0]) < 0.5 and 0.3 < abs(across[1]) < 1.4
                    claimed = frame.sideways[under] or frame.sideways[loner]
                    around = [i for i in run[max(place - 2, 0) : place + 3] if _alike(faces, i, loner)]
                    if stacked and claimed and len(around) >= 3:
                        moved[loner] = under
    rows = []
    for row in hand_rows:
        if row.members[0] in moved and len(row.members) == 1:
            continue
        runs = []
        for run in row.runs:
            longer: list[int] = []
            for index in run:
                longer += [index, *(top for top, under in moved.items() if under == index)]
            runs.append(tuple(longer))
        rows.append(Row(tuple(runs)))
    return rows


def _alike(faces: NDArray[np.float64], one: int, other: int) -> bool:
    return float(faces[one, : len(FACES)] @ faces[other, : len(FACES)]) > 0.5


def _readings(pieces: Sequence[_Piece], frame: Frames, faces: NDArray[np.float64]) -> Iterable[_Reading]:
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
        standing_out = [index for index in _standing_out(row_tiles, frame) if index not in claimed]
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
                        _Reading(score, left, taken, winning, winning in alone), others, splits
                    )


def _split(
    piece: _Piece, frame: Frames, faces: NDArray[np.float64]
) -> tuple[float, tuple[tuple[int, ...], ...]]:
    """The piece cut into melds, with its log-odds; a tile lying sideways in a meld speaks for one."""
    evidence, melds = split_into_melds(faces, piece.members)
    return evidence + _CLAIMED * sum(bool(frame.sideways[list(meld)].any()) for meld in melds), melds


def _concealed_choices(pieces: Sequence[_Piece]) -> Iterable[tuple[_Piece, ...]]:
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


def _by_row(pieces: Sequence[_Piece]) -> list[list[int]]:
    """The tiles of these pieces, row by row."""
    rows = sorted({piece.row for piece in pieces})
    return [[index for piece in pieces if piece.row == row for index in piece.members] for row in rows]


def _concealed_score(chosen: Sequence[_Piece], pieces: Sequence[_Piece]) -> float:
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
    reading: _Reading,
    others: Sequence[_Piece],
    splits: dict[_Piece, tuple[float, tuple[tuple[int, ...], ...]]],
) -> Iterable[_Reading]:
    """The same with each choice of which other pieces are melds and which are strays."""
    able = [piece for piece in others if splits[piece][1]]
    stray = {piece: _stray_score(piece) for piece in others}
    score = reading.score + sum(stray[piece] for piece in others if not splits[piece][1])
    loose = len(reading.concealed) + (reading.winning is not None)
    for number in range(len(able) + 1):
        for taken in combinations(able, number):
            melds = tuple(meld for piece in taken for meld in splits[piece][1]) + reading.melds
            if len(melds) > 4:
                continue
            total = score + sum(splits[piece][0] + _MELD_TOLD_BY_FACES for piece in taken)
            total += sum(stray[piece] for piece in able if piece not in taken)
            total += _count_score(loose + 3 * len(melds), reading.winning is not None)
            yield replace(reading, score=total, melds=melds)


def _apart_score(piece: _Piece, faces: NDArray[np.float64]) -> float:
    """For a tile that lies alone to be the winning tile: it should be near, and face up."""
    far = _APART_FAR * max(0.0, piece.distance - _APART_NEAR)
    return _APART + far + (_APART_FACE_DOWN if _back(faces[list(piece.members)]).any() else 0.0)


def _win_score(reading: _Reading, faces: NDArray[np.float64]) -> float:
    """Likeliest faces that make a winning hand speak for a reading beyond the right count."""
    loose = [*reading.concealed, *([] if reading.winning is None else [reading.winning])]
    counts = np.bincount(faces[loose, :_LAST_SUIT_OR_HONOUR].argmax(axis=1), minlength=_LAST_SUIT_OR_HONOUR)
    if not _back(faces[loose]).any() and is_winning(tuple(int(n) for n in counts), len(reading.melds)):
        return _WINS
    return _LONE_TILE_LOSES if reading.lone else 0.0


def _stray_score(piece: _Piece) -> float:
    near = max(0.0, 1 - max(piece.distance - 1, 0) / 3)
    return len(piece.members) * (_STRAY_FAR + (_STRAY_TOUCHING - _STRAY_FAR) * near)


def _count_score(count: int, apart: bool) -> float:
    if count == _HAND:
        return _COMPLETE
    if count == _HAND - 1 and not apart:
        return _ONE_SHORT
    return max(_MOST_OFF, _PER_TILE_OFF * abs(count - _HAND))
