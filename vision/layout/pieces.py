"""Which rows may be the hand's, and the pieces they are cut into at every visible space."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from vision.layout.flowers import stretches
from vision.layout.frames import Array
from vision.layout.rows import Row
from vision.layout.set_evidence import meld_evidence
from vision.layout.table import Table
from vision.layout.tidying import parts

_MELD, _KONG = 3, 4  # tiles


@dataclass(frozen=True)
class Piece:
    """A stretch of neighbours in a row, without flowers, from one space to the next.

    row: counts the hand's rows from the far side. space: how much farther than usual it lies from the piece
    before it in its row, in tiles. distance: from the main row, in tiles; 0 within it. crosswise: its row runs away
    from the hand, so that its tiles may be melds but not concealed. touches: no visible space parts it from its
    neighbor; it reads as a claimed meld.
    """

    row: int
    members: tuple[int, ...]
    space: float
    distance: float
    crosswise: bool = False
    touches: bool = False

    @property
    def tile(self) -> int | None:
        """The tile of a piece of one tile."""
        return self.members[0] if len(self.members) == 1 else None


@dataclass(frozen=True)
class HandRows:
    """The rows that may be the hand's, around its main row.

    rows: the main row and the tidy rows close and parallel to it, the one nearest to their owner last.
    across: lone tiles among them that lie across the main row; alone they could not tell which way their row runs.
    columns: rows that run away from the main row, as melds one behind the other do.
    """

    main: Row
    rows: tuple[Row, ...]
    across: frozenset[int]
    columns: tuple[Row, ...] = ()


def main_rows(rows: Sequence[Row], table: Table) -> list[Row]:
    """The rows that may be the hand's main one, likeliest first: those with the most tiles face up.

    Large tiles count more, because far hands and discards look smaller; so do tiles in the middle of the photo.
    """
    hand, frame = table.settings.hand, table.frames
    middle = table.photo_size / 2
    weights = []
    for row in rows:
        members = [index for index in row.members if not table.backs[index]]
        playing = [index for index in members if not table.flowers[index]] or members
        if members:
            off = np.hypot(*((frame.centres[members].mean(axis=0) - middle) / table.photo_size))
            size = float(np.mean(frame.sizes[members]))
            weights.append((len(playing) * size * (1 - hand.off_centre * float(off)), row))
    likeliest = sorted(weights, key=lambda pair: -pair[0])[: hand.main_rows]
    return [row for weight, row in likeliest if weight > hand.main_row_least * likeliest[0][0]]


def rows_around(main: Row, rows: Sequence[Row], table: Table) -> HandRows:
    """Return the rows that may belong to the hand whose main row this is."""
    frame = table.frames
    direction = _direction(main, table)
    units = frame.along / np.hypot(*frame.along.T)[:, None]
    parallel = np.minimum(np.abs(units @ direction), 1.0)
    chosen, columns = [main], []
    across: set[int] = set()
    for row, in_file in _in_file(rows, main, table):
        if row is main:
            continue
        members = list(row.members)
        straight, lies_across = _straight(members, parallel, in_file, table)
        if _runs_away(row, main, table):
            if _near_and_alike(members, main, table):
                columns.append(row)
        elif (straight or lies_across) and _near_and_alike(members, main, table):
            chosen.append(row)
            # If the file of a pair ran across the row, a tile read from its side lies straight.
            if lies_across and frame.upright[members[0]]:
                across.add(members[0])
    chosen += [
        row
        for row in rows
        if len(row.members) == 1
        and row not in chosen
        and _straight(list(row.members), parallel, False, table)[0]
        and any(_beside(row.members[0], other, table) for other in chosen)
    ]
    toward = np.array([-direction[1], direction[0]])
    chosen.sort(key=lambda row: float((frame.centres[list(row.members)] @ toward).mean()))
    return HandRows(main, tuple(chosen), frozenset(across), tuple(columns))


def _direction(row: Row, table: Table) -> Array:
    """The direction in which a row is read, a unit vector in the photo."""
    frame = table.frames
    first, last = row.members[0], row.members[-1]
    direction = frame.centres[last] - frame.centres[first]
    if not direction.any():
        direction = frame.along[first] * (frame.upright[first] or 1)
    unit: Array = direction / np.hypot(*direction)
    return unit


def _runs_away(row: Row, main: Row, table: Table) -> bool:
    """Whether a row of at least a meld runs away from the main row, as the main row's nearest tile sees it."""
    if len(row.members) < _MELD or len(main.members) < 2:
        return False
    frame = table.frames
    apart = frame.apart[np.ix_(main.members, row.members)]
    nearest = main.members[int(apart.min(axis=1).argmin())]
    # Seen along the table, rows that run away seem to turn, so only the near end counts.
    end = row.members[:_MELD] if apart[:, 0].min() < apart[:, -1].min() else row.members[-_MELD:]
    along, across = np.abs(np.subtract(*frame.local[nearest, [end[0], end[-1]]]))
    return bool(along < np.tan(np.radians(table.settings.hand.turn)) * across)


def _straight(members: list[int], parallel: Array, in_file: bool, table: Table) -> tuple[bool, bool]:
    """Whether tiles lie along the main row, and whether a lone one lies across it.

    parallel: N, cosine of the angle of each tile to the main row. in_file: the tile is one of two behind one another,
    whose own row may run either way.
    """
    hand = table.settings.hand
    lone_turn = np.cos(np.radians(hand.lone_turn))
    lone = len(members) == 1
    least = lone_turn if lone else np.cos(np.radians(hand.turn))
    straight = in_file or float(np.mean(parallel[members])) > least
    across = lone and (in_file or np.sqrt(1 - parallel[members[0]] ** 2) > lone_turn)
    return bool(straight), bool(across)


def _near_and_alike(members: list[int], main: Row, table: Table) -> bool:
    """Whether tiles are near the main row and about as large as its tiles."""
    hand, frame = table.settings.hand, table.frames
    ratio = float(np.mean(frame.sizes[members])) / float(np.mean(frame.sizes[list(main.members)]))
    smallest, largest = hand.size
    if not smallest < ratio < largest:
        return False
    nearest = np.abs(frame.local[np.ix_(main.members, members)]).reshape(-1, 2)
    along, across = nearest[np.hypot(nearest[:, 0], nearest[:, 1]).argmin()]
    return bool(across < hand.across and along < hand.beside)


def _beside(tile: int, row: Row, table: Table) -> bool:
    """Whether a tile lies beside a row, as a winning tile behind the second or third one does."""
    hand, frame = table.settings.hand, table.frames
    smallest, largest = hand.size
    alike = smallest < frame.sizes[tile] / float(np.mean(frame.sizes[list(row.members)])) < largest
    return alike and bool(frame.apart[list(row.members), tile].min() < hand.loose)


def _in_file(rows: Iterable[Row], main: Row, table: Table) -> Iterator[tuple[Row, bool]]:
    """The rows; two tiles one behind the other, as seen from the main row, each as a row by itself and marked."""
    frame = table.frames
    for row in rows:
        behind = False
        if len(row.members) == 2 and row is not main:
            seen_from = main.members[int(frame.apart[list(main.members), row.members[0]].argmin())]
            along, across = np.abs(np.subtract(*frame.local[seen_from, list(row.members)]))
            behind = bool(along < across)
        yield from ((Row(((tile,),)), True) for tile in row.members) if behind else ((row, False),)


def cut(hand_rows: HandRows, table: Table) -> list[Piece]:
    """The stretches of playing tiles in the hand's rows, cut at every visible space; at most the nearest few."""
    main = hand_rows.main.members
    inside = set(main)
    pieces: list[Piece] = []
    for number, row in enumerate((*hand_rows.rows, *hand_rows.columns)):
        crosswise, space = number >= len(hand_rows.rows), 0.0
        for members, before in parts(row, table):
            space = max(space, before)
            for is_flower, stretch in stretches(members, table):
                if is_flower:
                    continue
                for part, touches in with_claimed_melds_apart(stretch, table):
                    distance = 0.0 if inside.issuperset(part) else table.frames.away(main, part)
                    pieces.append(Piece(number, part, space, distance, crosswise, touches))
                    space = 0.0
    ranked = sorted(pieces, key=lambda piece: (piece.distance, -len(piece.members)))
    nearest = ranked[: table.settings.hand.most_pieces]
    return [piece for piece in pieces if piece in nearest]


def with_claimed_melds_apart(stretch: tuple[int, ...], table: Table) -> list[tuple[tuple[int, ...], bool]]:
    """A stretch without a space, cut where claimed melds end it, with whether each part is such a meld.

    A claimed meld may lie so close to the concealed tiles that no space shows; its sideways tile does.
    """
    before: list[tuple[tuple[int, ...], bool]] = []
    after: list[tuple[tuple[int, ...], bool]] = []
    while len(stretch) > _MELD and not (len(stretch) == _KONG and _claimed_meld(stretch, table)):
        sizes = [size for size in (_KONG, _MELD) if size < len(stretch)]
        size = next((size for size in sizes if _claimed_meld(stretch[-size:], table)), 0)
        if size:
            after.insert(0, (stretch[-size:], True))
            stretch = stretch[:-size]
            continue
        size = next((size for size in sizes if _claimed_meld(stretch[:size], table)), 0)
        if not size:
            break
        before.append((stretch[:size], True))
        stretch = stretch[size:]
    return [*before, (stretch, False), *after]


def _claimed_meld(members: tuple[int, ...], table: Table) -> bool:
    """Whether tiles are likely a meld with a tile sideways."""
    if not any(table.frames.sideways[tile] for tile in members):
        return False
    weights = table.settings.weights
    evidence = float(meld_evidence(table.faces[list(members)], weights.least_evidence))
    return evidence > log(weights.maybe_a_meld)
