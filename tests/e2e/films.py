"""Films that Chromium's fake camera plays: a hand-held phone above a table, which comes to rest after a moment."""

from pathlib import Path

from models.figures.clips import camera_over
from models.figures.specimens import Specimen
from models.rendering.optics import encode_jpeg

PER_SECOND = 30
"""How many pictures of a film of JPEGs Chromium plays in a second."""


def film_of(
    specimen: Specimen, seed: int, path: Path, *, rests_at_s: float = 0.4, lasts_s: float = 20
) -> Path:
    """Write the film; at rest it shows one picture again and again."""
    camera = camera_over(specimen, seed, rests_at_s)
    moving = [
        encode_jpeg(camera.frame(number / PER_SECOND)[0], 88)
        for number in range(int(rests_at_s * PER_SECOND) + 1)
    ]
    resting = int((lasts_s - rests_at_s) * PER_SECOND)
    path.write_bytes(b"".join([*moving, *[moving[-1]] * resting]))
    return path


def playing(film: Path) -> tuple[str, ...]:
    """Arguments with which Chromium plays a film as what its camera sees."""
    return (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    )
