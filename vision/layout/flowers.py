"""Which flowers belong to a hand: put aside with care, near it, and not among the discards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from vision.layout.rows import Row
from vision.layout.table import Table

_ROW = 3  # tiles of somebody else that make a row of theirs


@dataclass(frozen=True)
class HandFlowers:
    """The stretches of flowers that belong to a hand, and the flowers that may or may not."""

    stretches: tuple[tuple[int, ...], ...]
    doubtful: frozenset[int]


def stretches(run: Sequence[int], table: Table) -> list[tuple[bool, tuple[int, ...]]]:
    """A run cut where flowers and playing tiles meet, with whether each stretch is of flowers."""
    return [
        (is_flower, tuple(part))
        for is_flower, part in groupby(run, key=lambda index: bool(table.flowers[index]))
    ]


def flowers_of(rows: Sequence[Row], main: Row, hand: set[int], table: Table) -> HandFlowers:
    """Return the flowers of a hand: those in its main row, and those that are sure and near.

    Elsewhere dice and chips may look like flowers, and flowers may lie among the discards.
    """
    near = sorted(hand or main.members)
    playing = ~(table.flowers | table.backs)
    litter = [tile for tile in map(int, np.flatnonzero(playing)) if tile not in near]
    found: list[tuple[int, ...]] = []
    doubtful: set[int] = set()
    for row, run in [(each, run) for each in rows for run in each.runs]:
        for is_flower, members in stretches(run, table):
            if not is_flower:
                continue
            if row is main:
                found.append(members)
            elif not _sure_flowers(members, near, table.settings.flowers.apart, table):
                # Too small beside the nearest tile, but dice and chips seldom look that much like a flower.
                if len(members) == len(run) and _sure_flowers(
                    members, near, table.settings.flowers.small, table
                ):
                    doubtful.update(members)
            elif _among(members, litter, near, table) and not _marked(members, litter, table):
                # A row of flowers alone is seldom one of discards, nor is a flower alone beside the hand.
                beside = table.frames.away(members, near) < table.settings.flowers.side_by_side
                if len(members) == len(run) and (len(members) > 1 or beside):
                    doubtful.update(members)
            else:
                askew = _askew(members, near, table)
                if not askew:
                    found.append(members)
                beside = table.frames.away(members, near) <= table.settings.flowers.clearly_beside
                lone = len(members) == 1 and (askew or not beside)
                shared = len(set(row.members).intersection(litter)) >= _ROW
                if lone or shared or _marked(members, litter, table):
                    doubtful.update(members)
    return HandFlowers(tuple(found), frozenset(doubtful))


def _among(members: Sequence[int], litter: Sequence[int], hand: Sequence[int], table: Table) -> bool:
    """Whether one of these tiles lies side by side with litter, which is nearer than the hand."""
    away = table.frames.away
    return away(members, litter) < min(table.settings.flowers.side_by_side, away(members, hand))


def _marked(members: Sequence[int], litter: Sequence[int], table: Table) -> bool:
    """Whether a single thing lies beside these flowers and nothing else near it: the marker of a wind, no discard."""
    near = table.settings.flowers.side_by_side
    beside = [tile for tile in litter if table.frames.away(members, [tile]) < near]
    return len(beside) == 1 and not any(
        other not in beside and table.frames.away(beside, [other]) < near for other in litter
    )


def _askew(members: Sequence[int], hand: Sequence[int], table: Table) -> bool:
    """Whether a lone tile lies neither straight to the nearest tile of the hand nor straight across it.

    A tile that its owner put aside lies square to the hand, one that was left lying does not.
    """
    if len(members) > 1:
        return False
    frame, places = table.frames, table.settings.flowers
    nearest = hand[int(frame.apart[list(hand), members[0]].argmin())]
    along, across = frame.along[nearest], frame.across[nearest]
    # In lengths of that tile, which is higher than wide, perspective cancels out.
    x, y = np.linalg.solve(np.stack([along, across], axis=1), frame.edges[members[0]])
    turn = np.arctan2(y * places.high, x) % (np.pi / 2)
    askew = np.radians(places.askew)
    return bool(askew < turn < np.pi / 2 - askew)


def _sure_flowers(
    members: Sequence[int], hand: Sequence[int], limits: Sequence[tuple[float, float, float]], table: Table
) -> bool:
    """Whether these tiles are surely flowers, of the hand's size, and near it; the farther off the surer."""
    frame = table.frames
    run, near = list(members), list(hand)
    sure = float(table.flower_odds[run].min())
    gaps = frame.centres[run][:, None] - frame.centres[near][None]
    distances = (np.hypot(gaps[..., 0], gaps[..., 1]) / frame.sizes[near]).min(axis=0)
    away = float(distances.min())
    # Far tiles look smaller, so that the nearest tile of the hand is the measure.
    nearest = float(frame.sizes[near[int(distances.argmin())]])
    size = float(np.median(frame.sizes[run])) / min(nearest, float(np.median(frame.sizes[near])))
    return any(sure > least and away < farthest and size > smallest for least, farthest, smallest in limits)
