"""Fixtures for the tests of vision: tiles on a table that exists only as numbers, and the bundled photos as read."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.samples import NAMES, SAMPLES, circumstances_of
from vision import Recognition, load_photo, recognise
from vision.tiles import CLASS_INDEX, CLASSES, Tiles

WIDTH, HEIGHT = 30.0, 40.0
STEP = 32.0


class Table:
    """Tiles put down one by one, 30×40 pixels each, then seen under any turn, tilt and jitter."""

    def __init__(self) -> None:
        self.quads: list[NDArray[np.float64]] = []
        self.rows: list[NDArray[np.float64]] = []
        self.scores: list[float] = []

    def put(
        self,
        face: str,
        x: float,
        y: float,
        *,
        turn: float = 0.0,
        sure: float = 0.99,
        rival: str | None = None,
        scale: float = 1.0,
        score: float = 0.9,
    ) -> int:
        """One tile with its middle at x, y, turned clockwise in degrees; `rival` gets what `sure` leaves."""
        w, h = WIDTH / 2 * scale, HEIGHT / 2 * scale
        corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
        angle = np.radians(turn)
        spin = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        self.quads.append(corners @ spin + [x, y])
        row = np.full(len(CLASSES), 1e-5)
        row[CLASS_INDEX[face]] = sure
        if rival is not None:
            row[CLASS_INDEX[rival]] = 1 - sure
        self.rows.append(row / row.sum())
        self.scores.append(score)
        return len(self.quads) - 1

    def row(self, faces: str | Sequence[str], x: float, y: float, *, turn: float = 0.0) -> list[int]:
        """Upright tiles side by side from x on; a face with a trailing ~ lies sideways."""
        placed = []
        for face in faces.split() if isinstance(faces, str) else faces:
            sideways = face.endswith("~")
            room = STEP + (HEIGHT - WIDTH if sideways else 0)
            y_here = y + (HEIGHT - WIDTH) / 2 if sideways else y
            placed.append(
                self.put(face.rstrip("~"), x + room / 2, y_here, turn=turn + (90 if sideways else 0))
            )
            x += room
        return placed

    def tiles(
        self, *, turn: float = 0.0, tilt: float = 0.0, jitter: float = 0.0, seed: int = 0, zoom: float = 1.0
    ) -> Tiles:
        """The table as a camera sees it: turned, tilted (far tiles smaller), with jittered corners."""
        quads = np.array(self.quads).reshape(-1, 4, 2)
        middle = quads.reshape(-1, 2).mean(axis=0)
        angle = np.radians(turn)
        spin = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        points = (quads - middle) @ spin
        depth = 1 - tilt * points[..., 1:] / 400
        points = points * [1.0, 1 - 0.5 * tilt] / depth
        points = points * zoom + 600
        points = points + np.random.default_rng(seed).normal(0, jitter * zoom, points.shape)
        return Tiles(points, np.array(self.rows).reshape(-1, len(CLASSES)), self.scores)


@pytest.fixture(scope="session")
def seen() -> dict[str, Recognition]:
    """Every sample as it is read, under its own circumstances; read once for all tests."""
    return {name: recognise(load_photo(SAMPLES / f"{name}.jpg"), circumstances_of(name)) for name in NAMES}


@pytest.fixture
def table() -> Table:
    """An empty table."""
    return Table()
