"""How well hands are read from clips of a hand-held camera, against single frames of the same clips.

Each clip is made from one sharp picture, a labelled training photo or a rendered table (`models.rendering.handheld`).
Its frames are read one by one, and together as the live camera reads them (`vision.tracking`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from models.figures.specimens import Specimen, of_labelled, of_rendered
from models.rendering import Setting, render_scene
from models.rendering.handheld import HandHeld, random_handling
from models.rendering.optics import Optics
from scorer import SUIT_AND_HONOUR_FACES, is_winning
from vision.evaluation.labels import LabelledPhoto
from vision.layout.roles import Role
from vision.networks.detector import Detector
from vision.networks.reader import Reader
from vision.networks.sessions import open_session
from vision.photo import load_photo
from vision.recognition import Recognition, interpret
from vision.tracking.evidence import Evidence, follow
from vision.tracking.look import Look, look_at_tiles

FIRST_SCENE = 1_800_000
"""Seed of the first rendered table. Neither training nor any choice between networks used seeds from here on."""
CLIPS = 30
"""How many clips are made of photos, and how many of rendered tables."""
FRAMES = 10
"""Frames of a clip; the camera sends `PER_SECOND` of them."""
PER_SECOND = 5.0
FRAME_SIZE = (1152, 864)
_STILL_SIZE = (1600, 1200)


@dataclass(frozen=True)
class ClipResult:
    """One clip: which of its frames are read exactly alone, and which together with those before them.

    alone, together: for each frame whether the hand read has exactly the tiles of the picture.
    surest: the same for the frame alone that has the fewest problems, the first of several.
    settled: the number of frames after which the camera would take the picture, and whether the hand was exact then;
        None if it never would.
    """

    source: str
    alone: tuple[bool, ...]
    together: tuple[bool, ...]
    surest: bool
    settled: tuple[int, bool] | None


def winning_photos(photos: Sequence[LabelledPhoto], count: int) -> list[Specimen]:
    """The first `count` photos that show one row of tiles which win, flowers left out."""
    found = []
    for photo in photos:
        faces = Counter(photo.faces)
        counts = [faces[face] for face in SUIT_AND_HONOUR_FACES]
        if photo.shows_one_row and sum(counts) == 14 and is_winning(counts):
            found.append(of_labelled(photo))
        if len(found) == count:
            break
    return found


def rendered_tables(count: int) -> list[Specimen]:
    """The first `count` rendered tables."""
    return [rendered_table(seed) for seed in range(FIRST_SCENE, FIRST_SCENE + count)]


def rendered_table(seed: int) -> Specimen:
    """A rendered hand without other tiles around it, sharp and well lit: the clip makes it worse."""
    sharp = Setting(optics=Optics(blur=0.3, noise=0, jpeg=95), strays=False, fill=0.8)
    return of_rendered(render_scene(seed, size=_STILL_SIZE, kind="hand", setting=sharp), f"table-{seed}")


def camera_over(specimen: Specimen, seed: int, rests_at_s: float = 1e9) -> HandHeld:
    """A hand-held camera over a picture; the same seed gives the same clip."""
    rng = np.random.default_rng(seed)
    return HandHeld(specimen.pixels, specimen.quads, FRAME_SIZE, random_handling(rng, rests_at_s), rng)


def read_clip(specimen: Specimen, seed: int) -> ClipResult:
    """Read the frames of a clip alone and together."""
    detector, reader = Detector(open_session("detector")), Reader(open_session("reader"))
    evidence = Evidence.none()
    alone: list[Recognition] = []
    together: list[Look] = []
    for number, jpeg in enumerate(camera_over(specimen, seed).jpegs(FRAMES, PER_SECOND), 1):
        frame = load_photo(jpeg)
        tiles = reader.read(frame, detector.detect(frame))
        alone.append(interpret(tiles, FRAME_SIZE))
        evidence = follow(evidence, tiles, FRAME_SIZE, number)
        together.append(look_at_tiles(frame, evidence))
    exact = [is_exact(each.recognition, specimen) for each in together]
    surest = min(alone, key=lambda each: len(each.problems))
    settled = next((number for number, each in enumerate(together) if each.settled), None)
    return ClipResult(
        specimen.source,
        tuple(is_exact(each, specimen) for each in alone),
        tuple(exact),
        is_exact(surest, specimen),
        None if settled is None else (settled + 1, exact[settled]),
    )


def is_exact(recognition: Recognition, specimen: Specimen) -> bool:
    """Whether the hand has exactly the tiles that the picture shows."""
    hand = Counter(tile.face for tile in recognition.tiles if tile.role is not Role.STRAY)
    return hand == Counter(specimen.faces)


def measure(
    pictures: Sequence[Specimen], progress: Callable[[int], None] = lambda _: None
) -> list[ClipResult]:
    """Make a clip of every picture and read it."""
    results = []
    for number, picture in enumerate(pictures):
        results.append(read_clip(picture, number))
        progress(number + 1)
    return results


def section(results: Sequence[ClipResult]) -> str:
    """The section `clips` of the model card."""
    lines = [
        f"| hands read exactly, of clips of {FRAMES} frames | training photos | rendered tables | all |",
        "|---|---|---|---|",
    ]
    rows: dict[str, Callable[[ClipResult], bool]] = {
        "the median frame alone": lambda clip: bool(median(clip.alone)),
        "the frame alone that is least in doubt": lambda clip: clip.surest,
        "any one frame alone": lambda clip: any(clip.alone),
    }
    rows |= {
        f"{number} frames together": lambda clip, at=number - 1: clip.together[at]  # type: ignore[misc]
        for number in (3, 5, FRAMES)
    }
    for name, exact in rows.items():
        lines.append(f"| {name} | {' | '.join(_share(part, exact) for part in _parts(results))} |")
    settled = [clip.settled for clip in results if clip.settled is not None]
    right = sum(exact for _, exact in settled)
    lines += [
        "",
        f"{len(settled)} of {len(results)} clips settle within {FRAMES / PER_SECOND:g} s, so that the camera takes the "
        f"picture by itself; {right} of these hands are exact at that moment.",
    ]
    return "\n".join(lines)


def _parts(results: Sequence[ClipResult]) -> Iterator[list[ClipResult]]:
    yield [clip for clip in results if clip.source == "photo"]
    yield [clip for clip in results if clip.source == "rendered"]
    yield list(results)


def _share(clips: list[ClipResult], exact: Callable[[ClipResult], bool]) -> str:
    return f"{sum(map(exact, clips))} of {len(clips)}"
