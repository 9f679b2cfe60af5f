"""Measure how well photos are read, against labels (`vision.evaluation.labels`).

A found tile and a label belong together if the boxes around them overlap by at least half of their union. The best
overlap comes first, and each box is used once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.errors import PhotoError
from vision.evaluation.labels import LabelledPhoto
from vision.layout.roles import Role
from vision.photo import load_photo
from vision.recognition import Recognition, SeenTile, recognise

#: Scenes of the hand photos in which all tiles are labelled, except for face-up tiles far from the hand.
CLEAN_SCENES = ("home-green", "tray")
_OVERLAP = 0.5
_BINS = 15
_ALTERNATIVES = 3

Boxes = NDArray[np.float64]


@dataclass(frozen=True)
class PhotoResult:
    """What was read in one labelled photo.

    matches: for each labelled tile the index of the found tile that belongs to it, or None.
    """

    label: LabelledPhoto
    recognition: Recognition
    matches: tuple[int | None, ...]

    @property
    def right(self) -> int:
        """The number of labelled tiles that were found and read correctly."""
        return sum(1 for face, tile in self.pairs() if face == tile.face)

    def pairs(self) -> Iterator[tuple[str, SeenTile]]:
        """Each labelled face with the found tile that belongs to it."""
        for label, index in zip(self.label.tiles, self.matches, strict=True):
            if index is not None:
                yield label.face, self.recognition.tiles[index]

    def roles(self) -> Iterator[tuple[Role, SeenTile]]:
        """Each labelled role with the found tile that belongs to it."""
        for label, index in zip(self.label.tiles, self.matches, strict=True):
            if label.role is not None and index is not None:
                yield label.role, self.recognition.tiles[index]

    @property
    def claimed(self) -> tuple[SeenTile, ...]:
        """The found tiles that count for precision: those of the hand, and strays that have a label."""
        matched = set(self.matches)
        return tuple(
            tile
            for index, tile in enumerate(self.recognition.tiles)
            if tile.role is not Role.STRAY or index in matched
        )

    @property
    def exact(self) -> bool:
        """Whether the hand has exactly the labelled tiles, all read correctly, and none of them is a stray."""
        hand = [tile for tile in self.recognition.tiles if tile.role is not Role.STRAY]
        named = [tile for face, tile in self.pairs() if face == tile.face and tile.role is not Role.STRAY]
        return len(named) == len(self.label.faces) == len(hand)


@dataclass(frozen=True)
class Evaluation:
    """The measurements over several photos; `failed` has a message for each photo that could not be opened."""

    results: tuple[PhotoResult, ...]
    failed: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """All figures, as `fanlens eval --json` prints them; shares are between 0 and 1."""
        scenes = sorted({result.label.scene for result in self.results})
        return {
            "photos": len(self.results),
            "failed": list(self.failed),
            **_counts(self.results),
            "clean_precision": _precision([r for r in self.results if r.label.scene in CLEAN_SCENES]),
            "scenes": {
                scene: _counts([result for result in self.results if result.label.scene == scene])
                for scene in scenes
            },
            "calibration_error": calibration_error(self._scored()),
            "right_among_first_three": _share(
                (face in (tile.face, *_named(tile)[: _ALTERNATIVES - 1]) for face, tile in self._pairs())
            ),
            "flagged": self._flagging(),
            "decoding": self._decoding(),
            "roles": self._roles(),
            "confusions": [[want, got, count] for (want, got), count in self.confusions.most_common()],
            "timing_ms": self._timing(),
        }

    @property
    def confusions(self) -> Counter[tuple[str, str]]:
        """How often each labelled face was read as another face."""
        return Counter((face, tile.face) for face, tile in self._pairs() if face != tile.face)

    def _pairs(self) -> Iterator[tuple[str, SeenTile]]:
        for result in self.results:
            yield from result.pairs()

    def _scored(self) -> list[tuple[float, bool]]:
        return [(tile.confidence, tile.face == face) for face, tile in self._pairs()]

    def _flagging(self) -> dict[str, float | None]:
        """How many tiles of the hand are wrong and right, and which share of each is flagged as doubtful."""
        hand = [(face, tile) for face, tile in self._pairs() if tile.role is not Role.STRAY]
        wrong = [tile.doubt is not None for face, tile in hand if face != tile.face]
        right = [tile.doubt is not None for face, tile in hand if face == tile.face]
        return {
            "of_wrong": _share(wrong),
            "of_right": _share(right),
            "wrong": len(wrong),
            "right": len(right),
        }

    def _roles(self) -> dict[str, float | None]:
        """How many found tiles have a labelled role, and which share of them got that role."""
        right = [tile.role is role for result in self.results for role, tile in result.roles()]
        return {"labelled": len(right), "right": _share(right)}

    def _decoding(self) -> dict[str, int]:
        """How many tiles the decoding of the whole hand changed, and how many of these became right or wrong."""
        changed = [
            (face, tile)
            for face, tile in self._pairs()
            if tile.doubt is not None and tile.doubt.code == "changed"
        ]
        better = sum(1 for face, tile in changed if tile.face == face)
        worse = sum(1 for face, tile in changed if _named(tile)[0] == face)
        return {"changed": len(changed), "better": better, "worse": worse}

    def _timing(self) -> dict[str, float]:
        if not self.results:
            return {}
        stages = self.results[0].recognition.timing_ms
        return {
            stage: round(median(result.recognition.timing_ms[stage] for result in self.results), 1)
            for stage in stages
        }


def evaluate(
    photos: Iterable[LabelledPhoto], progress: Callable[[PhotoResult], None] = lambda _: None
) -> Evaluation:
    """Read every photo and compare it with its labels; photos that cannot be opened are listed in `failed`."""
    results, failed = [], []
    for label in photos:
        start = perf_counter()
        try:
            photo = load_photo(label.path)
        except PhotoError as error:
            failed.append(error.message)
            continue
        load_ms = (perf_counter() - start) * 1000
        result = compare(label, recognise(photo, load_ms=load_ms))
        results.append(result)
        progress(result)
    return Evaluation(tuple(results), tuple(failed))


def compare(label: LabelledPhoto, recognition: Recognition) -> PhotoResult:
    """Match the tiles found in a photo with its labels."""
    quads = np.array([tile.quad for tile in recognition.tiles], dtype=np.float64).reshape(-1, 4, 2)
    finds = np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1)
    labels = np.array(label.boxes, dtype=np.float64).reshape(-1, 4)
    return PhotoResult(label, recognition, match(labels, finds))


def match(labels: Boxes, finds: Boxes) -> tuple[int | None, ...]:
    """For each label box (N×4) the index of the found box (M×4) that belongs to it, or None; none is used twice.

    >>> match(np.array([[0.0, 0, 10, 10]]), np.array([[50.0, 50, 60, 60], [1, 0, 11, 10]]))
    (1,)
    """
    low = np.maximum(labels[:, None, :2], finds[None, :, :2])
    high = np.minimum(labels[:, None, 2:], finds[None, :, 2:])
    shared = np.prod(np.clip(high - low, 0, None), axis=2)
    area = [np.prod(boxes[:, 2:] - boxes[:, :2], axis=1) for boxes in (labels, finds)]
    overlap = shared / np.maximum(area[0][:, None] + area[1][None] - shared, 1e-9)
    matches: list[int | None] = [None] * len(labels)
    used: set[int] = set()
    for place in np.argsort(-overlap, axis=None, kind="stable"):
        row, column = divmod(int(place), len(finds))
        if overlap[row, column] < _OVERLAP:
            break
        if matches[row] is None and column not in used:
            matches[row] = column
            used.add(column)
    return tuple(matches)


def calibration_error(scored: Sequence[tuple[float, bool]]) -> float | None:
    """Expected calibration error of (confidence, right) pairs over 15 equal bins (Guo et al. 2017); None without pairs.

    >>> calibration_error([(0.75, True), (0.75, True), (0.75, True), (0.75, False)])
    0.0
    """
    if not scored:
        return None
    confidence = np.array([pair[0] for pair in scored])
    right = np.array([pair[1] for pair in scored], dtype=np.float64)
    bins = np.minimum((confidence * _BINS).astype(int), _BINS - 1)
    total = sum(
        abs(float(confidence[bins == number].sum() - right[bins == number].sum())) for number in range(_BINS)
    )
    return round(total / len(scored), 4)


def _named(tile: SeenTile) -> list[str]:
    return [face for face, _ in tile.alternatives]


def _share(flags: Iterable[bool]) -> float | None:
    known = list(flags)
    return round(sum(known) / len(known), 4) if known else None


def _precision(results: Sequence[PhotoResult]) -> float | None:
    """Share of the tiles assigned to the hand that have a label and the right face."""
    claimed = sum(len(result.claimed) for result in results)
    return round(sum(result.right for result in results) / claimed, 4) if claimed else None


def _counts(results: Sequence[PhotoResult]) -> dict[str, Any]:
    tiles = sum(len(result.label.faces) for result in results)
    found = sum(1 for result in results for index in result.matches if index is not None)
    right = sum(result.right for result in results)
    rows = [result for result in results if result.label.shows_one_row]
    seen = sum(len(result.recognition.tiles) for result in results)
    return {
        "tiles": tiles,
        "found": _ratio(found, tiles),
        "recall": _ratio(right, tiles),
        "precision": _precision(results),
        "precision_with_strays": _ratio(right, seen),
        "rows": len(rows),
        "rows_exact": sum(1 for result in rows if result.exact),
        "rows_exact_share": _share(result.exact for result in rows),
    }


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
