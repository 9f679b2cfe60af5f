"""One frame of a live camera: what it shows, together with the frames before it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorer import Circumstances, Profile
from vision.layout.roles import Role
from vision.networks.detector import Detector
from vision.networks.reader import Reader
from vision.networks.sessions import open_session
from vision.photo import Photo
from vision.recognition import Recognition, interpret
from vision.settings import SETTINGS, RecognitionSettings
from vision.tiles import Tiles
from vision.tilesets import TileSet, second_opinion
from vision.tracking.evidence import Evidence, follow
from vision.tracking.hints import Advice, advice_on
from vision.tracking.limits import HINTS, HintLimits


@dataclass(frozen=True, eq=False)
class Look:
    """What the frames up to one of them show.

    recognition: the hand and its score, tiles in pixels of the latest frame.
    numbers: by which each tile of the recognition is known from frame to frame.
    advice: what would make the hand surer; None if it is read.
    settled: whether the hand wins, nothing about it is in doubt, and more than one frame showed each of its tiles.
    """

    evidence: Evidence
    recognition: Recognition
    numbers: tuple[int, ...]
    advice: Advice | None
    settled: bool


def look(
    frame: Photo,
    evidence: Evidence,
    number: int,
    circumstances: Circumstances | None = None,
    *,
    profile: str | Profile = "guobiao",
    tileset: TileSet | None = None,
    settings: RecognitionSettings = SETTINGS,
) -> Look:
    """Read one frame and add it to the evidence of those before it; `number` says which frame it is, from 1 on.

    Raises what `vision.recognition.recognise` raises.
    """
    detections = Detector(open_session("detector"), settings.detection).detect(frame)
    weigh = None if tileset is None else second_opinion(tileset.references)
    tiles = Reader(open_session("reader"), weigh, settings.reading).read(frame, detections)
    size = frame.width, frame.height
    return look_at_tiles(frame, follow(evidence, tiles, size, number), circumstances, profile, settings)


def look_at_tiles(
    frame: Photo,
    evidence: Evidence,
    circumstances: Circumstances | None = None,
    profile: str | Profile = "guobiao",
    settings: RecognitionSettings = SETTINGS,
    limits: HintLimits = HINTS,
) -> Look:
    """What a frame shows whose tiles are in the evidence: everything after the networks."""
    counted = evidence.counted()
    tiles = counted.tiles()
    recognition = interpret(
        tiles, evidence.size, circumstances, profile=profile, image=frame.name, settings=settings
    )
    rows = _rows_of(recognition, tiles)
    hand = [row for row, tile in zip(rows, recognition.tiles, strict=True) if tile.role is not Role.STRAY]
    doubtful = any(tile.doubt is not None for tile in recognition.tiles if tile.role is not Role.STRAY)
    settled = recognition.score is not None and not doubtful
    return Look(
        evidence,
        recognition,
        tuple(int(counted.numbers[row]) for row in rows),
        advice_on(frame, recognition, _travelled(evidence), limits),
        settled and bool((counted.seen[hand] >= limits.settled).all()),
    )


def with_frames(evidence: Evidence, tiles: Tiles, size: tuple[int, int]) -> Tiles:
    """Return the tiles of a photo as the frames before it and the photo together show them, in pixels of the photo."""
    return follow(evidence, tiles, size, evidence.frame + 1).counted().tiles()


def _rows_of(recognition: Recognition, tiles: Tiles) -> list[int]:
    """For each tile of the recognition its row in the table that was interpreted."""
    rows = {quad.tobytes(): row for row, quad in enumerate(tiles.quads)}
    return [rows[np.array(tile.quad, np.float32).tobytes()] for tile in recognition.tiles]


def _travelled(evidence: Evidence) -> float:
    """How far the tiles moved from the frame before to the latest one, in sizes of a tile."""
    if not len(evidence):
        return 0.0
    middles = evidence.quads.mean(axis=1)
    sides = np.linalg.norm(evidence.quads[:, 1] - evidence.quads[:, 0], axis=1)
    matrix = evidence.motion
    before = (middles - matrix[:, 2]) @ np.linalg.inv(matrix[:, :2]).T
    return float(np.median(np.linalg.norm(middles - before, axis=1) / sides))
