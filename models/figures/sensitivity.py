"""What changes when each threshold of recognition is moved by a fifth: which matter, and which are dead.

    python -m models.figures sensitivity [--only GROUP]… [--photos N] [--scenes N]

Measured on training photos and on rendered hands, never on photos kept for measuring, because what is learned here is
used to choose thresholds. Every picture is read with every threshold moved down and up. The networks run only if what
they are shown has changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, date, datetime
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.figures.hands import KINDS
from models.figures.specimens import TileCounts, default_labels, of_rendered
from models.figures.specimens import compare as compare_centres
from models.figures.thresholds import Settings, Threshold, thresholds
from models.rendering import render_scene
from models.rendering.hands import LaidHand, same_hand
from vision.evaluation.labels import LabelledPhoto, read_labels
from vision.evaluation.measure import compare as compare_boxes
from vision.layout.roles import Role
from vision.networks.detector import Detector
from vision.networks.finder import Finder
from vision.networks.reader import Reader
from vision.networks.sessions import open_session
from vision.photo import Photo, load_photo
from vision.recognition import Recognition, interpret
from vision.settings import SETTINGS
from vision.threshold import FOR_SPEED
from vision.tiles import Tiles

FIRST_SCENE = 1_700_000
"""Seed of the first rendered hand: the rules of layout were chosen on hands from here on."""
PHOTOS, SCENES = 240, 60
FIFTH = 0.2
LEFT_OUT = {
    "cutting-mat": "its one to three tiles are lost among hundreds of false finds, which no threshold puts right",
}
"""Scenes of training photos that are not used, with the reason."""
WHAT_DEAD_MEANS = (
    "Such a threshold may still act on tables that these pictures lack, such as a kong with its fourth tile on top. "
    "Before one is removed, switch it off altogether and compare the readings of all photos; the tests of its stage "
    "say what it is for."
)
_SEED = 20261201
_SIZE = (1280, 960)


@dataclass(frozen=True)
class Counts:
    """What was read of some pictures: their tiles, photos of one row, rendered hands.

    changed: how many of the pictures are read differently, in whatever way, from how Fanlens reads them.
    """

    tiles: TileCounts = field(default_factory=TileCounts)
    rows: int = 0
    rows_exact: int = 0
    hands: int = 0
    hands_exact: int = 0
    changed: int = 0

    def __add__(self, other: Counts) -> Counts:
        """The sums of both."""
        mine, theirs = vars(self), vars(other)
        return Counts(**{name: mine[name] + theirs[name] for name in mine})


class Picture:
    """A photo of which the tiles are known. The networks run once for everything they are shown of it."""

    def __init__(self, photo: Photo, count: Callable[[Recognition], Counts]) -> None:
        """Take the photo, and what compares a reading with the truth."""
        self.count = count
        self._photo = photo
        self._detector, self._reader = (_Memo(open_session(name)) for name in ("detector", "reader"))
        self._tiles: dict[tuple[object, ...], Tiles] = {}

    def read(self, settings: Settings) -> Recognition:
        """Recognise the photo with these thresholds."""
        size = self._photo.width, self._photo.height
        return interpret(self._tiles_with(settings), size, settings=settings)

    def is_read_as_usual(self, settings: Settings) -> bool:
        """Whether these thresholds differ from the usual ones for the networks only, and give the same tiles."""
        usual_networks = {name: getattr(SETTINGS, name) for name in ("detection", "sizes", "reading")}
        if replace(settings, **usual_networks) != SETTINGS:
            return False
        tiles, usual = self._tiles_with(settings), self._tiles_with(SETTINGS)
        return all(
            np.array_equal(getattr(tiles, each.name), getattr(usual, each.name)) for each in fields(Tiles)
        )

    def _tiles_with(self, settings: Settings) -> Tiles:
        networks = settings.detection, settings.sizes, settings.reading
        if networks not in self._tiles:
            detector = Detector(self._detector, settings.detection)
            reader = Reader(self._reader, None, settings.reading)
            self._tiles[networks] = Finder(detector, reader, settings.sizes).find(self._photo)
        return self._tiles[networks]


class _Memo:
    """A session that remembers its answers."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._answers: dict[tuple[bytes, tuple[int, ...]], Any] = {}

    def run(self, outputs: list[str] | None, shown: Mapping[str, NDArray[np.uint8]]) -> Any:
        """The outputs for what the network is shown, always the same ones."""
        (pixels,) = shown.values()
        key = blake2b(pixels.tobytes()).digest(), pixels.shape
        if key not in self._answers:
            self._answers[key] = self._session.run(outputs, shown)
        return self._answers[key]


def of_photo(label: LabelledPhoto) -> Picture:
    """A labelled photo. Raises PhotoError if it cannot be opened."""

    def count(recognition: Recognition) -> Counts:
        result = compare_boxes(label, recognition)
        hand = [(face, tile) for face, tile in result.pairs() if tile.role is not Role.STRAY]
        wrong = [tile for face, tile in hand if tile.face != face]
        right = [tile for face, tile in hand if tile.face == face]
        tiles = TileCounts(
            tiles=len(label.tiles),
            found=sum(1 for _ in result.pairs()),
            right=result.right,
            wrong=len(wrong),
            wrong_flagged=sum(1 for tile in wrong if tile.doubt is not None),
            right_in_hand=len(right),
            right_flagged=sum(1 for tile in right if tile.doubt is not None),
        )
        row = label.shows_one_row
        return Counts(tiles, rows=int(row), rows_exact=int(row and result.exact))

    return Picture(load_photo(label.path), count)


def of_hand(seed: int) -> Picture:
    """A rendered hand."""
    scene = render_scene(seed, size=_SIZE, kind=KINDS[seed % len(KINDS)])
    specimen = of_rendered(scene, f"scene-{seed}")
    laid: LaidHand | None = scene.hand

    def count(recognition: Recognition) -> Counts:
        exact = same_hand(laid, recognition.hand)
        return Counts(compare_centres(specimen, recognition), hands=1, hands_exact=int(exact))

    return Picture(Photo(scene.pixels, specimen.name), count)


def training_photos(labels: Sequence[Path], count: int) -> list[LabelledPhoto]:
    """Training photos of these label files, from all scenes in turn; the same count gives the same photos."""
    rng = np.random.default_rng(_SEED)
    by_scene: dict[str, list[LabelledPhoto]] = {}
    for path in labels:
        for photo in read_labels(path, "train"):
            if photo.tiles and photo.scene not in LEFT_OUT:
                by_scene.setdefault(photo.scene, []).append(photo)
    shuffled = [[photos[at] for at in rng.permutation(len(photos))] for photos in by_scene.values()]
    in_turn = [
        photos[turn] for turn in range(max(map(len, shuffled))) for photos in shuffled if turn < len(photos)
    ]
    return in_turn[:count]


@dataclass(frozen=True)
class Movement:
    """What was counted with a threshold moved down and up; None for a way it cannot move."""

    threshold: Threshold
    down: Counts | None
    up: Counts | None

    @property
    def dead(self) -> bool:
        """Whether no picture is read differently either way."""
        return not any(moved is not None and moved.changed for moved in (self.down, self.up))


def measure(
    pictures: Iterator[Picture], moving: Sequence[Threshold], progress: Callable[[int], None] = lambda _: None
) -> tuple[Counts, list[Movement]]:
    """Read every picture as Fanlens does and with each threshold moved; return both counts."""
    ways = [(each.moved(SETTINGS, -FIFTH), each.moved(SETTINGS, FIFTH)) for each in moving]
    usual, counts = Counts(), [[Counts(), Counts()] for _ in moving]
    for number, picture in enumerate(pictures, 1):
        read = picture.read(SETTINGS)
        counted, told = picture.count(read), _told(read)
        usual += counted
        for sums, both in zip(counts, ways, strict=True):
            for way, settings in enumerate(both):
                if settings is None:
                    continue
                other = read if picture.is_read_as_usual(settings) else picture.read(settings)
                same = other is read or _told(other) == told
                sums[way] += counted if same else replace(picture.count(other), changed=1)
        progress(number)
    return usual, [
        Movement(each, *(None if settings is None else sums[way] for way, settings in enumerate(both)))
        for each, sums, both in zip(moving, counts, ways, strict=True)
    ]


def _told(recognition: Recognition) -> str:
    """Everything that a reading says, without what it took."""
    doubts = [tile.doubt and tile.doubt.code for tile in recognition.tiles]
    return json.dumps([recognition.to_json() | {"timing_ms": None}, doubts])


def document(usual: Counts, movements: Sequence[Movement], command: str, data: str, today: date) -> str:
    """A Markdown page: how it was made, the usual counts, one table per group, the dead thresholds."""
    tiles = usual.tiles
    lines = [
        "# How recognition depends on its thresholds",
        "",
        f"Made by `{command}` on {today.isoformat()}. {data} Nothing here was measured on photos kept for measuring.",
        "",
        f"As Fanlens reads them, {tiles.right:,} of {tiles.tiles:,} tiles are found and named correctly, "
        f"{usual.rows_exact} of {usual.rows} photos of one row and {usual.hands_exact} of {usual.hands} rendered hands "
        f"are read exactly; {tiles.right_flagged} of {tiles.right_in_hand:,} correct tiles of hands are flagged, and "
        f"{tiles.wrong_flagged} of {tiles.wrong} wrong ones.",
        "",
        "Each cell is the change if the number is moved down / up by a fifth (whole numbers by at least one).",
    ]
    for group in dict.fromkeys(movement.threshold.group for movement in movements):
        lines += [
            "",
            f"## {group}",
            "",
            "| threshold | value | what it decides | where it comes from | tiles | rows | hands | correct flagged "
            "| wrong not flagged | pictures changed |",
            "|---|---|---|---|---|---|---|---|---|---|",
            *(_row(movement, usual) for movement in movements if movement.threshold.group == group),
        ]
    dead = [each.threshold for each in movements if each.dead]
    bounds = [each for each in dead if each.note.origin == FOR_SPEED]
    lines += ["", "## Thresholds that change no picture", "", WHAT_DEAD_MEANS, ""]
    lines += [f"Those that only bound time or memory: {_paths(bounds)}.", ""]
    lines += [f"Others: {_paths([each for each in dead if each not in bounds])}."]
    return "\n".join(lines) + "\n"


def _paths(found: Sequence[Threshold]) -> str:
    return ", ".join(f"`{each.group}.{each.label}`" for each in found) or "none"


def _row(movement: Movement, usual: Counts) -> str:
    figures: tuple[Callable[[Counts], int], ...] = (
        lambda counts: counts.tiles.right,
        lambda counts: counts.rows_exact,
        lambda counts: counts.hands_exact,
        lambda counts: counts.tiles.right_flagged,
        lambda counts: counts.tiles.wrong - counts.tiles.wrong_flagged,
        lambda counts: counts.changed,
    )
    both = (movement.down, movement.up)
    cells = [
        " / ".join("-" if moved is None else _signed(figure(moved) - figure(usual)) for moved in both)
        for figure in figures
    ]
    each = movement.threshold
    told = (each.label, f"{each.value:.4g} {each.note.unit}", each.note.meaning, each.note.origin, *cells)
    return f"| {' | '.join(told)} |"


def _signed(change: int) -> str:
    return f"{change:+}" if change else "0"


def table(
    only: Sequence[str],
    photos: int | None,
    scenes: int | None,
    command: str,
    progress: Callable[[int], None] = lambda _: None,
) -> str:
    """Measure so many training photos and rendered hands; return a Markdown page. Raises LabelError without labels."""
    folder = default_labels().parents[1]
    labels = [folder / name / "labels.jsonl" for name in ("hand-photos", "phone-rows")]
    chosen = training_photos(labels, photos or PHOTOS)
    seeds = range(FIRST_SCENE, FIRST_SCENE + (scenes or SCENES))
    pictures = chain(map(of_photo, chosen), map(of_hand, seeds))
    usual, movements = measure(pictures, thresholds(SETTINGS, only), progress)
    data = (
        f"{len(chosen)} training photos of `shared/data/hand-photos` and `phone-rows`, from all scenes in turn"
        + "".join(f" ({scene} left out: {reason})" for scene, reason in LEFT_OUT.items())
        + f", and {len(seeds)} rendered hands (seeds from {FIRST_SCENE})."
    )
    return document(usual, movements, command, data, datetime.now(UTC).date())
