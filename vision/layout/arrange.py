"""What each tile is for: which rows are the declared hand, which tiles are melds, flowers, the winning tile.

The cues are those of the table (RULES.md section 11): the hand lies in a row before its owner, melds in front
of it or beside it, a concealed kong face down, flowers aside, the winning tile set apart. Whatever does not
fit into a hand of fourteen tiles (one more per kong) and lies away from it is a stray: discards, walls, other
hands.

Here the rows of the hand are found and cut into pieces, `vision.layout.partition` tells the pieces apart. Nothing is
forced: a heap, a tray or half a hand comes out as what it is, with a count that is not fourteen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import chain, groupby

import numpy as np
from numpy.typing import NDArray

from vision.layout.flowers import backs_shown, flowers_of, flowers_shown, stretches
from vision.layout.partition import Partition, Piece, best_partitions, disputed
from vision.layout.rows import Frames, Row, find_rows, frames, spaces
from vision.tiles import BACK, CLASS_INDEX, FACES, Tiles

FEWEST_OF_A_HAND = 5
"""Fewer tiles than these, the winning one among them, are no declared hand."""
_WHITE_DRAGON = "7z"
_BLANK = 0.5
_MAIN_ROWS = 3  # so many rows are tried as the main one of the hand
_MAIN_ROW_LEAST = 0.3  # of the weight of the likeliest one
_SPACE = 0.15  # tiles further apart than usual by this share of a tile are visibly parted
_MAX_PIECES = 12  # nearest pieces that may be the hand's: four melds, parts of a row, a tile apart
_ACROSS = 3.4  # rows within this many tile heights of the main row may belong to the hand
_BESIDE = 6.0  # and within this many tile widths beyond its ends
_SIZE = (0.55, 1.7)  # with tiles of this size relative to the main row's
_TURN = np.cos(np.radians(25))  # and parallel to it within 25 degrees
_LONE_TURN = np.cos(np.radians(14))  # a lone tile lies as straight as the row, or straight across it


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
    unsure: the tiles that may as well be for something else: another way of telling the hand apart is nearly as
        likely, or a flower lies neither clearly with the hand nor clearly away from it.

    Raises ValueError where a member is no tile of the table or belongs to two groups.
    """

    groups: tuple[Group, ...]
    sideways: tuple[bool, ...]
    unsure: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        """Check that the groups are disjoint and name tiles of the table."""
        members = [index for group in self.groups for index in group.members]
        if len(set(members)) != len(members) or not {*members, *self.unsure} <= set(
            range(len(self.sideways))
        ):
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
        return Layout(
            groups,
            tuple(self.sideways[index] for index in self.reading_order),
            frozenset(place[index] for index in self.unsure),
        )

    @property
    def melds(self) -> tuple[Group, ...]:
        """The groups that are melds."""
        return tuple(group for group in self.groups if group.role is Role.MELD)

    @property
    def count(self) -> int:
        """Tiles of the hand with every meld counted as three: fourteen in a complete hand."""
        loose = len(self.members(Role.CONCEALED)) + len(self.members(Role.WINNING))
        return loose + 3 * len(self.melds)


def arrange(tiles: Tiles, width: int, height: int) -> Layout:
    """Tell the declared hand from everything else, for a photo of width×height pixels.

    `tiles` should hold each tile once (`vision.layout.rows.distinct`). A photo without any row gives strays only; one
    whose rows make no hand (trays, loose tiles) gives every face that lies open as concealed.
    """
    if not len(tiles):
        return Layout((), ())
    frame = frames(tiles.quads)
    sideways = tuple(bool(flag) for flag in frame.sideways)
    faces = tiles.probabilities.astype(np.float64)
    rows = _with_stacked_kongs(_without_walls(find_rows(frame), frame, faces), frame, faces)
    found = _laid_around(rows, frame, faces, np.array([width, height], dtype=np.float64))
    if found is None:
        return Layout((), sideways)
    main, across, ways = found
    sideways = tuple(flag or index in across for index, flag in enumerate(sideways))
    best = ways[0] if ways else None
    playing: list[Group] = []
    if best is not None:
        playing += [Group(Role.MELD, members) for members in best.melds]
        if best.concealed:
            playing.append(Group(Role.CONCEALED, best.concealed))
        if best.winning is not None:
            playing.append(Group(Role.WINNING, (best.winning,)))
    hand = {index for group in playing for index in group.members}
    ours, doubtful = flowers_of(rows, main, hand, frame, faces)
    flowers = [Group(Role.FLOWER, members) for members in ours]
    unsure = disputed(ways, faces) | doubtful
    if len(hand) < FEWEST_OF_A_HAND:
        # No declared hand: what lies there is no litter beside one, but what the person has to work with.
        flower, shown = flowers_shown(faces), np.flatnonzero(~backs_shown(faces))
        loose = [(Role.FLOWER, shown[flower[shown]]), (Role.CONCEALED, shown[~flower[shown]])]
        flowers = []
        playing = [Group(role, tuple(map(int, members))) for role, members in loose if len(members)]
        unsure = frozenset()
    return Layout((*flowers, *playing), sideways, unsure)


def _without_walls(rows: Sequence[Row], frame: Frames, faces: NDArray[np.float64]) -> list[Row]:
    """The rows without stretches of more blank tiles than a kong has.

    The sides of a wall look like blank tiles, that is like backs or like white dragons without a frame.
    """
    backs = backs_shown(faces)
    blank = faces[:, [CLASS_INDEX[BACK], CLASS_INDEX[_WHITE_DRAGON]]].sum(axis=1) > _BLANK
    kept: list[Row] = []
    for row in rows:
        wall: set[int] = set()
        for down, stretch in groupby(row.members, key=lambda index: bool(blank[index])):
            members = list(stretch)
            if down and len(members) > 4 and not _kongs_in_a_line(members, row, frame, backs):
                wall.update(members)
        runs = [tuple(index for index in run if index not in wall) for run in row.runs]
        if any(runs):
            kept.append(Row(tuple(run for run in runs if run)))
    return kept


def _kongs_in_a_line(blank: Sequence[int], row: Row, frame: Frames, backs: NDArray[np.bool_]) -> bool:
    """Whether blank tiles side by side are kongs face down, a space between them, and up to four white dragons."""
    white = 0
    for part, _ in _parts(row, frame):
        shown = not set(part) <= set(blank)
        for down, stretch in groupby(
            (tile for tile in part if tile in blank), key=lambda tile: bool(backs[tile])
        ):
            size = len(list(stretch))
            if not down:
                white += size
            elif not (size == 4 or (shown and size < 4)):
                return False
    return white <= 4


def _main_rows(
    rows: Sequence[Row], frame: Frames, faces: NDArray[np.float64], size: NDArray[np.float64]
) -> list[Row]:
    """The rows that may be the hand's, likeliest first: those with the most face-up tiles.

    Large tiles count more, far hands and discards look smaller; and so do tiles in the middle of the photo.
    """
    backs = backs_shown(faces)
    middle = size / 2
    weights = []
    for row in rows:
        members = [index for index in row.members if not backs[index]]
        if members:
            off = np.hypot(*((frame.centres[members].mean(axis=0) - middle) / size))
            weight = min(len(members), 18) * float(np.mean(frame.sizes[members])) * (1 - 0.3 * float(off))
            weights.append((weight, row))
    likeliest = sorted((pair for pair in weights if pair[0] > 0), key=lambda pair: -pair[0])[:_MAIN_ROWS]
    return [row for weight, row in likeliest if weight > _MAIN_ROW_LEAST * likeliest[0][0]]


def _laid_around(
    rows: Sequence[Row], frame: Frames, faces: NDArray[np.float64], size: NDArray[np.float64]
) -> tuple[Row, set[int], list[Partition]] | None:
    """The main row of the hand, the lone tiles across it, and the ways of telling the hand apart, best first.

    The likeliest row is the main one unless no hand around it wins and one around another does: discards before
    the hand may be larger and more.
    """
    found: tuple[Row, set[int], list[Partition]] | None = None
    looked_at: set[Row] = set()
    for main in _main_rows(rows, frame, faces, size):
        if main in looked_at:
            continue
        hand_rows, across = _hand_rows(main, rows, frame)
        ways = best_partitions(_pieces(hand_rows, main, frame, faces), frame, faces)
        if ways and ways[0].complete:
            return main, across, ways
        found = found or (main, across, ways)
        looked_at.update(hand_rows)
    return found


def _hand_rows(main: Row, rows: Sequence[Row], frame: Frames) -> tuple[list[Row], set[int]]:
    """The main row and the tidy rows close and parallel to it, the one nearest to their owner last.

    Also lone tiles that lie across the main row, the indices of which come second: alone they could not tell
    which way the row runs.
    """
    ends = main.members[0], main.members[-1]
    direction = frame.centres[ends[1]] - frame.centres[ends[0]]
    if not direction.any():
        direction = frame.along[ends[0]] * (frame.upright[ends[0]] or 1)
    direction = direction / np.hypot(*direction)
    units = frame.along / np.hypot(*frame.along.T)[:, None]
    parallel = np.minimum(np.abs(units @ direction), 1.0)
    size = float(np.mean(frame.sizes[list(main.members)]))
    chosen = [main]
    turned: set[int] = set()
    for row, in_file in _in_file(rows, main, frame):
        if row is main:
            continue
        members = list(row.members)
        lone = len(members) == 1
        straight = in_file or float(np.mean(parallel[members])) > (_LONE_TURN if lone else _TURN)
        lone_across = lone and (in_file or np.sqrt(1 - parallel[members[0]] ** 2) > _LONE_TURN)
        ratio = float(np.mean(frame.sizes[members])) / size
        if not (_SIZE[0] < ratio < _SIZE[1] and (straight or lone_across)):
            continue
        nearest = np.abs(frame.local[np.ix_(main.members, members)]).reshape(-1, 2)
        along, across = nearest[np.hypot(nearest[:, 0], nearest[:, 1]).argmin()]
        if across < _ACROSS and along < _BESIDE:
            chosen.append(row)
            # Where the file of a pair ran across the row, a tile read from its side lies straight.
            if lone_across and frame.upright[members[0]]:
                turned.add(members[0])
    toward = np.array([-direction[1], direction[0]])
    chosen.sort(key=lambda row: float((frame.centres[list(row.members)] @ toward).mean()))
    return chosen, turned


def _in_file(rows: Iterable[Row], main: Row, frame: Frames) -> Iterator[tuple[Row, bool]]:
    """The rows; two tiles one behind the other, as seen from the main row, each by itself and marked."""
    for row in rows:
        behind = False
        if len(row.members) == 2 and row is not main:
            seen_from = main.members[int(frame.apart[list(main.members), row.members[0]].argmin())]
            along, across = np.abs(np.subtract(*frame.local[seen_from, list(row.members)]))
            behind = bool(along < across)
        yield from ((Row(((tile,),)), True) for tile in row.members) if behind else ((row, False),)


def _pieces(hand_rows: Sequence[Row], main: Row, frame: Frames, faces: NDArray[np.float64]) -> list[Piece]:
    """The stretches of playing tiles in the hand's rows, cut where there is a space; at most the nearest few."""
    flower = flowers_shown(faces)
    inside = set(main.members)
    pieces: list[Piece] = []
    for number, row in enumerate(hand_rows):
        space = 0.0
        for members, before in _parts(row, frame):
            space = max(space, before)
            for is_flower, stretch in stretches(members, flower):
                if not is_flower:
                    distance = 0.0 if inside.issuperset(stretch) else frame.away(main.members, stretch)
                    pieces.append(Piece(number, stretch, space, distance))
                    space = 0.0
    nearest = sorted(pieces, key=lambda piece: (piece.distance, -len(piece.members)))[:_MAX_PIECES]
    return [piece for piece in pieces if piece in nearest]


def _parts(row: Row, frame: Frames) -> list[tuple[tuple[int, ...], float]]:
    """The row cut at every visible space, with the width of the space before each part in tiles."""
    members = row.members
    parts: list[tuple[list[int], float]] = [([members[0]], 0.0)]
    for tile, space in zip(members[1:], spaces(members, frame), strict=True):
        if space > _SPACE:
            parts.append(([], space))
        parts[-1][0].append(tile)
    return [(tuple(tiles), space) for tiles, space in parts]


def _with_stacked_kongs(rows: Sequence[Row], frame: Frames, faces: NDArray[np.float64]) -> list[Row]:
    """The rows with a tile added on top of a claimed pung moved into that pung."""
    moved: dict[int, int] = {}
    for loner in (row.members[0] for row in rows if len(row.members) == 1):
        for run in (run for row in rows for run in row.runs if loner not in run):
            for place, under in enumerate(run):
                along, across = np.abs(frame.local[under, loner])
                stacked = along < 0.5 and 0.3 < across < 1.4
                if stacked and (frame.sideways[under] or frame.sideways[loner]):
                    around = [
                        tile for tile in run[max(place - 2, 0) : place + 3] if _alike(faces, tile, loner)
                    ]
                    if len(around) >= 3:
                        moved[loner] = under
    kept = [row for row in rows if not (len(row.members) == 1 and row.members[0] in moved)]
    return [
        Row(
            tuple(
                tuple(
                    chain.from_iterable((tile, *(top for top in moved if moved[top] == tile)) for tile in run)
                )
                for run in row.runs
            )
        )
        for row in kept
    ]


def _alike(faces: NDArray[np.float64], one: int, other: int) -> bool:
    return float(faces[one, : len(FACES)] @ faces[other, : len(FACES)]) > 0.5
