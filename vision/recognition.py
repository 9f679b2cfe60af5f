"""A photo in, named tiles, the hand and its score out: detect, read, lay out, decode, score."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
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
from vision.decoding.decode import Decoding, Doubt, Reading, decode
from vision.layout.arrange import arrange
from vision.layout.doubles import distinct
from vision.layout.roles import HAND, Layout, Role
from vision.networks.detector import Detector
from vision.networks.finder import Finder
from vision.networks.presence import shows_tiles
from vision.networks.reader import Reader
from vision.networks.sessions import open_session
from vision.photo import Photo
from vision.settings import SETTINGS, RecognitionSettings
from vision.tiles import CLASS_INDEX, CLASSES, NONE, Tiles, name_of
from vision.tilesets import TileSet, second_opinion
from vision.totals import Totals, totals_of

_ALTERNATIVES = 3  # given for each tile, as `photo --json` promises

#: Every code a problem may have, with the sentence that says what is wrong and what to do.
PROBLEMS: dict[str, str] = {
    "no_tiles": "no tile was found: photograph the hand from above, close and in good light",
    "not_a_hand": (
        "these tiles do not look like a complete hand: lay it in one row with melds beside it, and check the "
        "doubtful tiles"
    ),
    "wrong_count": (
        "the hand has {count} tiles (a kong counts as three), {difference}: add or remove tiles, or photograph "
        "the whole hand again"
    ),
    "face_down": "a tile of the hand lies face down: say which tile it is",
    "winning_tile_unknown": (
        "no tile lies apart, so the last of the row, {tile}, was taken as the winning tile: choose another if that "
        "is wrong"
    ),
    "impossible_hand": "{reason}",
    "not_winning": "{reason}",
    "below_minimum": (
        "the hand wins with {points} points, but {minimum} are needed: check the circumstances and which tile won"
    ),
    "doubtful_tile": "tile {number} ({tile}): {reason}",
}


@dataclass(frozen=True)
class Problem:
    """Something the person must know: a code of `PROBLEMS`, its sentence, and the tile it is about, if any.

    doubt: for `doubtful_tile` the code of the `Doubt`, which says whether the face is in doubt or something else.
    """

    code: str
    message: str
    tile: int | None = None
    doubt: str | None = None

    @classmethod
    def of(cls, code: str, *, at: int | None = None, doubt: str | None = None, **told: object) -> Problem:
        """The problem with its sentence, in which `told` fills the places."""
        return cls(code, PROBLEMS[code].format(**told), at, doubt)

    def to_json(self) -> dict[str, Any]:
        """The problem as `photo --json` prints it; `tile` and `doubt` only if it is about a tile."""
        about = {key: value for key in ("tile", "doubt") if (value := getattr(self, key)) is not None}
        return {"code": self.code, "message": self.message, **about}


@dataclass(frozen=True)
class SeenTile:
    """One tile of the photo.

    face: a class of `vision.tiles.CLASSES` other than `none`; confidence: the reader's probability of it.
    alternatives: the three next likeliest classes with their probabilities.
    quad: four (x, y) in pixels of the upright photo, clockwise from the tile's own top left.
    group: number of the group it belongs to, None for a stray. sideways: it lies across its row.
    doubt: why the person should look at it, None if nothing speaks against it.
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
    `hand` is the likeliest of `readings`, None if the tiles make no hand; `score` is None if it does not win, and so
    is `totals`, what the hand may be worth in all likely readings.
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
    totals: Totals | None = None

    @property
    def hand(self) -> Hand | None:
        """The hand of the likeliest reading."""
        return self.readings[0].hand if self.readings else None

    def to_json(self) -> dict[str, Any]:
        """The object of `photo --json`, described in `docs/json.md`."""
        return {
            "image": self.image,
            "width": self.width,
            "height": self.height,
            "tiles": [tile.to_json() for tile in self.tiles],
            "hand": None if self.hand is None else hand_to_json(self.hand, self.circumstances),
            "readings": [reading.to_json() for reading in self.readings],
            "score": None if self.score is None else self.score.to_json(),
            "totals": None if self.totals is None else self.totals.to_json(),
            "problems": [problem.to_json() for problem in self.problems],
            "timing_ms": {stage: round(spent, 1) for stage, spent in self.timing_ms.items()},
        }


def recognise(
    photo: Photo,
    circumstances: Circumstances | None = None,
    *,
    profile: str | PathLike[str] | Profile = "guobiao",
    load_ms: float = 0.0,
    tileset: TileSet | None = None,
    earlier: Callable[[Tiles, tuple[int, int]], Tiles] | None = None,
    settings: RecognitionSettings = SETTINGS,
) -> Recognition:
    """Read a photo of a declared hand and score it.

    profile: the rules to score by, their name, or the path of a profile file.
    tileset: the tile set that lies on the table, if Fanlens was taught it (`vision.tilesets`).
    earlier: adds what frames of a camera said before to the tiles read in a photo of this width and height
        (`vision.tracking`).
    load_ms: what opening the photo took, to be counted in `timing_ms`.

    The networks are opened on first use, once per process. Raises `models.manifest.ModelError` if they are missing
    and `scorer.HandError` for an unknown or broken profile; anything wrong with the hand itself is a problem of the
    recognition.
    """
    rules = _rules(profile)
    timing = {"load": load_ms, "detect": 0.0, "read": 0.0}
    weigh = None if tileset is None else second_opinion(tileset.references)
    detector = Detector(open_session("detector"), settings.detection)
    reader = Reader(open_session("reader"), weigh, settings.reading)
    tiles = Finder(detector, reader, settings.sizes).find(photo, partial(_timed, timing))
    size = photo.width, photo.height
    if earlier is not None:
        tiles = earlier(tiles, size)
    found = interpret(tiles, size, circumstances, profile=rules, image=photo.name, settings=settings)
    timing |= {stage: found.timing_ms[stage] for stage in ("decode", "score")}
    return replace(found, timing_ms={**timing, "total": sum(timing.values())})


def interpret(
    tiles: Tiles,
    size: tuple[int, int],
    circumstances: Circumstances | None = None,
    *,
    profile: str | PathLike[str] | Profile = "guobiao",
    image: str = "photo",
    settings: RecognitionSettings = SETTINGS,
) -> Recognition:
    """Make a hand of tiles that have been read, and score it: everything after the networks.

    size: the photo's width and height in pixels. `timing_ms` holds decode (layout included), score and total.
    Raises `scorer.HandError` for an unknown or broken profile.
    """
    rules = _rules(profile)
    circumstances = circumstances or Circumstances()
    timing: dict[str, float] = {}
    with _timed(timing, "decode"):
        tiles = tiles.select(distinct(tiles, settings.layout.doubles))
        if not shows_tiles(tiles, settings.sizes):
            tiles = Tiles.empty()
        layout = arrange(tiles, *size, settings.layout)
        tiles = tiles.select(np.array(layout.reading_order, dtype=np.intp))
        layout = layout.renumbered()
        decoding = decode(tiles, layout, circumstances, settings.priors, settings.doubts)
    with _timed(timing, "score"):
        totals = totals_of(tiles, layout, decoding, circumstances, rules, settings)
        if totals is not None:
            decoding = decoding.with_unsure(_worth_asking(layout, totals))
        result, problems = _scored(decoding, layout, circumstances, rules, settings)
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
        totals,
    )


def _worth_asking(layout: Layout, totals: Totals) -> frozenset[int]:
    """The tiles whose role decides the total: those in doubt otherwise need no question."""
    weighed = {tile for other in layout.others for tile in layout.differing(other)}
    return (layout.unsure - weighed) | totals.unsure


def _rules(profile: str | PathLike[str] | Profile) -> Profile:
    return profile if isinstance(profile, Profile) else profile_named(profile)


@contextmanager
def _timed(timing: dict[str, float], stage: str) -> Iterator[None]:
    start = perf_counter()
    yield
    timing[stage] = timing.get(stage, 0.0) + (perf_counter() - start) * 1000


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
    decoding: Decoding,
    layout: Layout,
    circumstances: Circumstances,
    rules: Profile,
    settings: RecognitionSettings,
) -> tuple[Score | None, list[Problem]]:
    """The score of the likeliest hand, and what the person must know."""
    problems = list(_problems_of_layout(decoding, layout, settings))
    result = None
    if decoding.readings:
        try:
            result = score(decoding.readings[0].hand, circumstances, rules)
        except NotWinning as error:
            problems.append(Problem.of("not_winning", reason=error.message))
        except HandError as error:
            problems.append(Problem.of("impossible_hand", reason=error.message))
        if result is not None and not result.legal:
            points, minimum = result.qualifying, result.minimum
            problems.append(Problem.of("below_minimum", points=points, minimum=minimum))
    for doubt in decoding.doubts:
        told = {
            "number": doubt.tile + 1,
            "tile": name_of(decoding.faces[doubt.tile]),
            "reason": doubt.message,
        }
        problems.append(Problem.of("doubtful_tile", at=doubt.tile, doubt=doubt.code, **told))
    return result, problems


def _problems_of_layout(
    decoding: Decoding, layout: Layout, settings: RecognitionSettings
) -> Iterator[Problem]:
    """What keeps the tiles from being one hand, and what had to be assumed."""
    if not layout.sideways:
        yield Problem.of("no_tiles")
        return
    loose = layout.members(Role.CONCEALED)
    if not settings.layout.hand.fewest_tiles <= layout.count <= 2 * HAND:
        yield Problem.of("not_a_hand")
    elif layout.count != HAND:
        missing = HAND - layout.count
        difference = f"{missing} missing" if missing > 0 else f"{-missing} too many"
        yield Problem.of("wrong_count", count=layout.count, difference=difference)
    elif not decoding.readings and any(doubt.code == "face_down" for doubt in decoding.doubts):
        yield Problem.of("face_down")
    elif not decoding.readings:
        yield Problem.of("not_a_hand")
    elif not layout.members(Role.WINNING) and len({decoding.faces[tile] for tile in loose}) > 1:
        yield Problem.of("winning_tile_unknown", tile=name_of(decoding.faces[loose[-1]]))
