"""A photo in, named tiles, the hand and its score out: detect, read, lay out, decode, score."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from scorer import (
    Circumstances,
    Hand,
    HandError,
    NotWinning,
    Profile,
    Score,
    hand_to_json,
    profile_named,
    score,
)
from scorer.profiles import DEFAULT
from vision.decoding.decode import Decoding, Doubt, Reading, decode
from vision.layout.arrange import FEWEST_OF_A_HAND, Layout, Role, arrange
from vision.layout.rows import distinct
from vision.networks.detector import Detector
from vision.networks.reader import Reader
from vision.networks.sessions import open_session
from vision.photo import Photo
from vision.tiles import CLASS_INDEX, CLASSES, NONE, Tiles
from vision.tilesets import TileSet, second_opinion

_ALTERNATIVES = 3

#: Every code a problem may bear, with what it means.
PROBLEMS: dict[str, str] = {
    "no_tiles": "no tile was found in the photo",
    "not_a_hand": "the tiles do not lie as a hand does",
    "wrong_count": "the hand has too few or too many tiles",
    "face_down": "a tile of the hand lies face down and must be named",
    "winning_tile_unknown": "no tile lies apart, so the last of the row was taken as the winning tile",
    "impossible_hand": "the circumstances do not fit the hand",
    "not_winning": "the hand is not a winning shape",
    "below_minimum": "the hand wins but does not reach the minimum of the profile",
    "doubtful_tile": "a tile that the person should look at",
}


@dataclass(frozen=True)
class Problem:
    """Something the person must know: a code of `PROBLEMS`, a sentence, and the tile it is about, if any.

    doubt: for `doubtful_tile` the code of the `Doubt`, which says whether the face is in doubt or something else.
    """

    code: str
    message: str
    tile: int | None = None
    doubt: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The problem as `photo --json` prints it; `tile` and `doubt` only where it is about a tile."""
        about = {key: value for key in ("tile", "doubt") if (value := getattr(self, key)) is not None}
        return {"code": self.code, "message": self.message, **about}


@dataclass(frozen=True)
class SeenTile:
    """One tile of the photo.

    face: a class of `vision.tiles.CLASSES` other than `none`; confidence: the reader's probability of it.
    alternatives: the next likeliest classes with their probabilities.
    quad: four (x, y) in pixels of the upright photo, clockwise from the tile's own top left.
    group: number of the group it belongs to, None for a stray. sideways: it lies across its row.
    doubt: why the person should look at it, None where nothing speaks against it.
    """

    face: str
    confidence: float
    alternatives: tuple[tuple[str, float], ...]
    quad: tuple[tuple[float, float], ...]
    group: int | None
    role: Role
    sideways: bool
    doubt: Doubt | None = None

    def to_json(self) -> dict[str, Any]:
        """The tile as `photo --json` prints it."""
        return {
            "face": self.face,
            "confidence": round(self.confidence, 4),
            "alternatives": [[face, round(probability, 4)] for face, probability in self.alternatives],
            "quad": [[round(x, 1), round(y, 1)] for x, y in self.quad],
            "group": self.group,
            "role": self.role.value,
            "sideways": self.sideways,
        }


@dataclass(frozen=True)
class Recognition:
    """Everything read from one photo; `timing_ms` has load, detect, read, decode, score and total.

    `tiles` come group by group in reading order (flowers, melds, concealed, winning), strays last.
    `hand` is the likeliest of `readings`, None where the tiles make none; `score` is None where it does
    not win.
    """

    image: str
    width: int
    height: int
    tiles: tuple[SeenTile, ...]
    readings: tuple[Reading, ...]
    circumstances: Circumstances
    score: Score | None
    problems: tuple[Problem, ...]
    timing_ms: dict[str, float]

    @property
    def hand(self) -> Hand | None:
        """The hand of the likeliest reading."""
        return self.readings[0].hand if self.readings else None

    def to_json(self) -> dict[str, Any]:
        """The object of `photo --json`, as DESIGN.md section 3 lays it down."""
        return {
            "image": self.image,
            "width": self.width,
            "height": self.height,
            "tiles": [tile.to_json() for tile in self.tiles],
            "hand": None if self.hand is None else hand_to_json(self.hand, self.circumstances),
            "readings": [reading.to_json() for reading in self.readings],
            "score": None if self.score is None else self.score.to_json(),
            "problems": [problem.to_json() for problem in self.problems],
            "timing_ms": {stage: round(spent, 1) for stage, spent in self.timing_ms.items()},
        }


def recognise(
    photo: Photo,
    circumstances: Circumstances | None = None,
    *,
    profile: str | Profile = DEFAULT,
    load_ms: float = 0.0,
    tileset: TileSet | None = None,
) -> Recognition:
    """Read a photo of a declared hand and score it.

    `tileset` is the set that lies on the table, where Fanlens was shown it (`vision.tilesets`).
    `load_ms` is what opening the photo took, to be counted in `timing_ms`. The networks are opened on first
    use, once a process. Raises `models.manifest.ModelError` where they are missing and `scorer.HandError` for
    an unknown profile; whatever is wrong with the hand itself comes back as a problem.
    """
    timing = {"load": load_ms}
    with _timed(timing, "detect"):
        detections = Detector(open_session("detector")).detect(photo)
    with _timed(timing, "read"):
        weigh = None if tileset is None else second_opinion(tileset.references)
        tiles = Reader(open_session("reader"), weigh).read(photo, detections)
    found = interpret(tiles, (photo.width, photo.height), circumstances, profile=profile, image=photo.name)
    timing |= {stage: found.timing_ms[stage] for stage in ("decode", "score")}
    return replace(found, timing_ms={**timing, "total": sum(timing.values())})


def interpret(
    tiles: Tiles,
    size: tuple[int, int],
    circumstances: Circumstances | None = None,
    *,
    profile: str | Profile = DEFAULT,
    image: str = "photo",
) -> Recognition:
    """Make a hand of tiles that have been read, and score it: everything after the networks.

    `size` is the photo's width and height in pixels; `timing_ms` holds decode (layout included), score and
    total.
    """
    circumstances = circumstances or Circumstances()
    timing: dict[str, float] = {}
    with _timed(timing, "decode"):
        tiles = tiles.select(distinct(tiles))
        layout = arrange(tiles, *size)
        tiles = tiles.select(np.array(layout.reading_order, dtype=np.intp))
        layout = layout.renumbered()
        decoding = decode(tiles, layout, circumstances)
    with _timed(timing, "score"):
        rules = profile if isinstance(profile, Profile) else profile_named(profile)
        result, problems = _scored(decoding, layout, circumstances, rules)
    timing["total"] = sum(timing.values())
    return Recognition(
        image,
        *size,
        _seen(tiles, layout, decoding),
        decoding.readings,
        circumstances,
        result,
        tuple(problems),
        timing,
    )


@contextmanager
def _timed(timing: dict[str, float], stage: str) -> Iterator[None]:
    start = perf_counter()
    yield
    timing[stage] = (perf_counter() - start) * 1000


def _seen(tiles: Tiles, layout: Layout, decoding: Decoding) -> tuple[SeenTile, ...]:
    doubts = {doubt.tile: doubt for doubt in decoding.doubts}
    probabilities = tiles.probabilities.astype(np.float64)
    probabilities[:, CLASS_INDEX[NONE]] = -1
    order = np.argsort(-probabilities, axis=1, kind="stable")
    seen = []
    for index, face in enumerate(decoding.faces):
        others = [int(other) for other in order[index] if CLASSES[other] not in (face, NONE)][:_ALTERNATIVES]
        seen.append(
            SeenTile(
                face,
                decoding.confidences[index],
                tuple((CLASSES[other], float(probabilities[index, other])) for other in others),
                tuple((float(x), float(y)) for x, y in tiles.quads[index]),
                layout.group_of[index],
                layout.roles[index],
                layout.sideways[index],
                doubts.get(index),
            )
        )
    return tuple(seen)


def _scored(
    decoding: Decoding, layout: Layout, circumstances: Circumstances, profile: Profile
) -> tuple[Score | None, list[Problem]]:
    """The score of the likeliest hand, and what the person must know."""
    problems = list(_problems_of_layout(decoding, layout))
    result = None
    if decoding.readings:
        try:
            result = score(decoding.readings[0].hand, circumstances, profile)
        except NotWinning as error:
            problems.append(Problem("not_winning", error.message))
        except HandError as error:
            problems.append(Problem("impossible_hand", error.message))
        if result is not None and not result.legal:
            problems.append(
                Problem(
                    "below_minimum",
                    f"the hand wins with {result.qualifying} points, but {profile.minimum} are needed: "
                    "check the circumstances and which tile won",
                )
            )
    for doubt in decoding.doubts:
        name = f"tile {doubt.tile + 1} ({decoding.faces[doubt.tile]})"
        problems.append(Problem("doubtful_tile", f"{name}: {doubt.message}", doubt.tile, doubt.code))
    return result, problems


def _problems_of_layout(decoding: Decoding, layout: Layout) -> Iterator[Problem]:
    if not layout.sideways:
        yield Problem(
            "no_tiles", "no tile was found: photograph the hand from above, close and in good light"
        )
        return
    loose = layout.members(Role.CONCEALED)
    if layout.count < FEWEST_OF_A_HAND or layout.count > 2 * 14:
        yield Problem("not_a_hand", "the tiles do not lie as a hand: lay it in one row, melds beside it")
    elif layout.count != 14:
        missing = 14 - layout.count
        what = f"{missing} missing" if missing > 0 else f"{-missing} too many"
        yield Problem(
            "wrong_count",
            f"the hand has {layout.count} tiles (a kong counted as three), {what}: "
            "add or remove tiles, or photograph the whole hand again",
        )
    elif not decoding.readings and any(doubt.code == "face_down" for doubt in decoding.doubts):
        yield Problem("face_down", "a tile of the hand lies face down: say which tile it is")
    elif not decoding.readings:
        yield Problem("not_a_hand", "the tiles make no legal hand: look at the doubtful ones")
    elif not layout.members(Role.WINNING) and len({decoding.faces[tile] for tile in loose}) > 1:
        yield Problem(
            "winning_tile_unknown",
            f"no tile lies apart: {decoding.faces[loose[-1]]}, the last of the row, was taken as the winning "
            "tile; choose another if that is wrong",
        )
