"""What several frames together say about the tiles on a table.

`follow` takes the evidence so far and the tiles of one more frame, and returns the evidence with that frame in it. A
face that glare hides in one frame is told by another: logarithms of probabilities are added up, each frame's with the
chance that it is worthless. Frames of one camera share their faults, so that many do not make a face surer than a few.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from vision.tiles import CLASSES, Floats, Tiles
from vision.tracking.limits import EVIDENCE, MOTION, EvidenceLimits, MotionLimits
from vision.tracking.motion import STANDING_STILL, Matrix, motion_between, moved

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Evidence:
    """The tiles of a table as the frames up to one of them show them. Its arrays are read-only.

    frame: the number of the latest frame, 0 before the first. size: its width and height in pixels.
    numbers: N, by which a tile is known from frame to frame; `next_number` is the first that no tile had.
    quads: N×4×2, where each tile lies in the latest frame, clockwise from its own top left.
    logs: N×44, the sum of the logarithms that the frames gave each class, older frames counting less.
    seen, missed: N, in how many frames it was found and not found, older frames counting less.
    scores: N, how sure the detector was when it found the tile last.
    turns: N×4, how many frames began its quad at each of the corners, counted from the corner that is first now.
    motion: how places moved from the frame before to the latest one.
    """

    frame: int
    size: tuple[int, int]
    next_number: int
    numbers: Numbers
    quads: Floats
    logs: Floats
    seen: Floats
    missed: Floats
    scores: Floats
    turns: Floats
    motion: Matrix

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for name in ("numbers", "quads", "logs", "seen", "missed", "scores", "turns", "motion"):
            array = getattr(self, name).view()
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @classmethod
    def none(cls) -> Self:
        """No frame yet."""
        return cls._of(0, (1, 1), 1, Tiles.empty(), EVIDENCE)

    @classmethod
    def _of(
        cls, frame: int, size: tuple[int, int], number: int, tiles: Tiles, limits: EvidenceLimits
    ) -> Self:
        """The evidence of one frame alone; its tiles are numbered from `number` on."""
        count = len(tiles)
        turns = np.zeros((count, 4), np.float32)
        turns[:, 0] = 1
        return cls(
            frame,
            size,
            number + count,
            np.arange(number, number + count),
            tiles.quads,
            _logs(tiles, limits),
            np.ones(count, np.float32),
            np.zeros(count, np.float32),
            tiles.scores,
            turns,
            STANDING_STILL,
        )

    def __len__(self) -> int:
        """How many tiles are followed."""
        return len(self.numbers)

    def select(self, keep: NDArray[np.bool_] | NDArray[np.intp]) -> Self:
        """The tiles that a mask or an array of rows names."""
        names = ("numbers", "quads", "logs", "seen", "missed", "scores", "turns")
        return replace(self, **{name: getattr(self, name)[keep] for name in names})

    def counted(self, limits: EvidenceLimits = EVIDENCE) -> Self:
        """The tiles found in enough frames to be counted."""
        return self.select(self.seen >= limits.present * (self.seen + self.missed))

    def tiles(self, limits: EvidenceLimits = EVIDENCE) -> Tiles:
        """All tiles followed, row by row, with the probabilities that the frames together give their faces."""
        frames = self.seen[:, None]
        logs = self.logs * (np.minimum(frames, limits.most_frames) / frames)
        odds = np.exp(logs.astype(np.float64) - logs.max(axis=1, initial=-np.inf)[:, None])
        quads = [
            np.roll(quad, -int(turn), axis=0)
            for quad, turn in zip(self.quads, self.turns.argmax(axis=1), strict=True)
        ]
        return Tiles(np.array(quads).reshape(-1, 4, 2), odds / odds.sum(axis=1, keepdims=True), self.scores)


def follow(
    evidence: Evidence,
    tiles: Tiles,
    size: tuple[int, int],
    frame: int,
    limits: EvidenceLimits = EVIDENCE,
    motion_limits: MotionLimits = MOTION,
) -> Evidence:
    """Return the evidence with one more frame in it.

    size: the frame's width and height in pixels, which need not be those of the frames before: a photo taken at last is
    a frame like any other. A frame that is not later than the latest one comes out of order, and changes nothing. If
    the frame shows other tiles than those followed, the evidence begins anew with it; if it shows hardly any, as a
    blurred one does, the tiles followed stay where they were.
    """
    if frame <= evidence.frame:
        return evidence
    tiles = tiles.select(np.argsort(-tiles.scores, kind="stable")[: limits.most_tiles])
    motion = motion_between(evidence.tiles(limits), tiles, motion_limits)
    if motion is None and len(tiles) < motion_limits.least_share * len(evidence):
        return replace(_unseen(evidence, limits), frame=frame)
    if motion is None:
        return Evidence._of(frame, size, evidence.next_number, tiles, limits)
    rows, columns = motion.pairs.T
    found = np.zeros(len(evidence), bool)
    found[rows] = True
    new = np.setdiff1d(np.arange(len(tiles)), columns)
    first = Evidence._of(frame, size, evidence.next_number, tiles.select(new), limits)
    older = _older(evidence, motion.matrix, size, limits)
    again = _found_again(older.select(rows), tiles.select(columns), limits)
    lost = older.select(~found)
    lost = replace(lost, missed=lost.missed + 1)
    joined = _joined([again, lost.select(_worth_keeping(lost, limits)), first])
    kept = np.argsort(-joined.seen, kind="stable")[: limits.most_tiles]
    return replace(
        joined.select(np.sort(kept)),
        frame=frame,
        size=size,
        next_number=first.next_number,
        motion=motion.matrix,
    )


def _logs(tiles: Tiles, limits: EvidenceLimits) -> Floats:
    likely = tiles.probabilities * (1 - limits.worthless) + limits.worthless / len(CLASSES)
    return np.asarray(np.log(likely), np.float32)


def _unseen(evidence: Evidence, limits: EvidenceLimits) -> Evidence:
    """The evidence after a frame in which no tile was found again."""
    older = _older(evidence, STANDING_STILL, evidence.size, limits)
    lost = replace(older, missed=older.missed + 1)
    return replace(lost.select(_worth_keeping(lost, limits)), motion=STANDING_STILL)


def _older(evidence: Evidence, matrix: Matrix, size: tuple[int, int], limits: EvidenceLimits) -> Evidence:
    """The evidence one frame later: moved, and worth a little less."""
    return replace(
        evidence,
        size=size,
        quads=moved(evidence.quads, matrix),
        logs=evidence.logs * np.float32(limits.kept),
        seen=evidence.seen * np.float32(limits.kept),
        missed=evidence.missed * np.float32(limits.kept),
        turns=evidence.turns * np.float32(limits.kept),
    )


def _found_again(evidence: Evidence, tiles: Tiles, limits: EvidenceLimits) -> Evidence:
    """The evidence of tiles that the frame shows too, row by row."""
    begins = np.stack([np.roll(tiles.quads, -turn, axis=1) for turn in range(4)])
    apart = np.linalg.norm(begins - evidence.quads[None], axis=3).sum(axis=2)
    # The quad is kept beginning where it began; where the frame would begin it is one vote.
    turn = apart.argmin(axis=0)
    everything = np.arange(len(tiles))
    turns = evidence.turns.copy()
    turns[everything, -turn % 4] += 1
    return replace(
        evidence,
        quads=begins[turn, everything],
        logs=evidence.logs + _logs(tiles, limits),
        seen=evidence.seen + 1,
        scores=tiles.scores,
        turns=turns,
    )


def _worth_keeping(lost: Evidence, limits: EvidenceLimits) -> NDArray[np.bool_]:
    """Which of the tiles not found are followed on: those found often enough that still lie in the picture."""
    middles = lost.quads.mean(axis=1)
    inside = ((middles >= 0) & (middles <= np.array(lost.size))).all(axis=1)
    often = lost.seen >= limits.forgotten * (lost.seen + lost.missed)
    return np.asarray(inside & often)


def _joined(parts: list[Evidence]) -> Evidence:
    """The tiles of all parts, in the order of their numbers."""
    names = ("numbers", "quads", "logs", "seen", "missed", "scores", "turns")
    whole: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    joined = replace(parts[0], **whole)
    return joined.select(np.argsort(joined.numbers, kind="stable"))
