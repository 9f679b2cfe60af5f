"""Rendered photos of tiles on a table, with the truth about every tile."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.rendering.camera import Camera, framed
from models.rendering.clutter import Thing, discs, furniture, parted, things, tray_walls
from models.rendering.hands import LaidHand
from models.rendering.layout import KINDS, Arrangement, Placed, Proportions, arrange, surroundings
from models.rendering.optics import Optics, photograph, random_optics
from models.rendering.paint import Canvas
from models.rendering.sets import Crops, RenderedSet, random_set
from models.rendering.solids import Light, Solid, cap_seen, pose, sides_seen
from models.rendering.table import KINDS as TABLES
from models.rendering.table import colour, room, surface
from scorer import BACK
from vision.tiles import Pixels

Quad = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class TileTruth:
    """The truth about one tile of a rendered photo.

    `face` is a tile code or `back`. `quad` holds the corners of its visible face in pixels (4 by 2, clockwise from
    the top left of the upright tile). `role` is concealed, meld, winning, flower or stray. `visible` is the share of
    the face that is neither covered nor outside the picture (0 to 1). `sides` holds the corners of the body's sides
    that the camera sees and no other tile touches.
    """

    face: str
    quad: Quad
    role: str
    group: int | None
    sideways: bool
    visible: float
    sides: tuple[Quad, ...] = ()

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The upright box around the quad: x0, y0, x1, y1, in pixels."""
        x0, y0 = self.quad.min(0)
        x1, y1 = self.quad.max(0)
        return float(x0), float(y0), float(x1), float(y1)


@dataclass(frozen=True, eq=False)
class RenderedPhoto:
    """A rendered photo: its pixels (H×W×3, RGB), the truth about its tiles, and the hand if it shows one."""

    pixels: Pixels
    tiles: tuple[TileTruth, ...]
    hand: LaidHand | None
    kind: str


@dataclass(frozen=True, eq=False)
class Setting:
    """What a photo shows and how it was taken; what is None is left to chance.

    `elevation` is in degrees above the table (90 looks straight down), `azimuth` in degrees around it (180 looks from
    across), `roll` in degrees. `fill` is the share of the picture that the tiles span (0 to 1). `lay` lays the tiles.
    """

    tile_set: RenderedSet | None = None
    optics: Optics | None = None
    table: str | None = None
    elevation: float | None = None
    azimuth: float | None = None
    roll: float | None = None
    fill: float | None = None
    strays: bool | None = None
    hand: LaidHand | None = None
    lay: Callable[[Proportions], Arrangement] | None = None


def render_scene(
    seed: int,
    *,
    size: tuple[int, int] = (1280, 960),
    faces: Crops | None = None,
    kind: str | None = None,
    setting: Setting | None = None,
) -> RenderedPhoto:
    """Render a photo of tiles on a table; the same arguments give the same pixels.

    `size` is width and height in pixels. `faces` are photographed faces of one tile set, by tile code: upright RGB or
    RGBA pictures, cut to the tile's face, that replace the drawn faces. `kind` is one of `layout.KINDS`. `setting`
    fixes what should not be left to chance. Raises ValueError for an unknown kind or a picture under 64 pixels.
    """
    if min(size) < 64:
        raise ValueError(f"a picture needs at least 64 pixels on each side, not {size[0]}x{size[1]}")
    rng = np.random.default_rng(seed)
    given = setting or Setting()
    chosen = kind or str(rng.choice(KINDS, p=(0.4, 0.15, 0.2, 0.12, 0.13)))
    tiles = given.tile_set or random_set(rng, faces)
    laid = given.lay and given.lay(tiles.proportions)
    arrangement = laid or arrange(chosen, rng, tiles.proportions, given.hand)
    with_strays = chosen != "grid" and rng.random() < 0.6 if given.strays is None else given.strays
    strays = surroundings(rng, tiles.proportions, arrangement.tiles) if with_strays else arrangement.strays
    camera = _camera(chosen, arrangement, tiles, size=size, rng=rng, given=given)
    light = random_light(rng)
    table = given.table or str(rng.choice(TABLES))
    return _Shoot(rng, size, camera, light, tiles, chosen, table).photo(arrangement, strays, given)


def _camera(
    kind: str,
    arrangement: Arrangement,
    tiles: RenderedSet,
    *,
    size: tuple[int, int],
    rng: np.random.Generator,
    given: Setting,
) -> Camera:
    standing = any(tile.tilt > 45 for tile in arrangement.tiles)
    elevation = float(rng.uniform(12, 45) if standing else rng.triangular(32, 62, 90))
    azimuth = float(rng.normal(0, 14))
    if kind == "across":
        azimuth += 180
    elif kind in ("grid", "scatter"):
        azimuth += float(rng.choice([0, 90, 180, 270], p=[0.6, 0.1, 0.2, 0.1]))
    roll = float(rng.normal(0, 4)) + float(rng.choice([0, 90, -90], p=[0.94, 0.03, 0.03]))
    # the tiles of the hand stay in the picture whole, or all tiles where there is no hand
    corners = np.concatenate([_solid(tile, tiles).cap(top=True) for tile in arrangement.tiles])
    return framed(
        corners,
        size,
        rng,
        elevation=elevation if given.elevation is None else given.elevation,
        azimuth=azimuth if given.azimuth is None else given.azimuth,
        roll=roll if given.roll is None else given.roll,
        fill=float(rng.triangular(0.4, 0.9, 0.97)) if given.fill is None else given.fill,
    )


def random_light(rng: np.random.Generator) -> Light:
    """A lamp somewhere above the table."""
    height, turn = math.radians(rng.uniform(35, 85)), rng.uniform(0, 2 * math.pi)
    towards = np.array(
        [math.cos(height) * math.cos(turn), math.cos(height) * math.sin(turn), math.sin(height)]
    )
    return Light(towards, ambient=float(rng.uniform(0.45, 0.85)), gloss=float(rng.uniform(0, 0.35)))


def _solid(tile: Placed, tiles: RenderedSet) -> Solid:
    width, height, thickness = tiles.extent
    axes = pose(tile.turn, tile.tilt, tile.face == BACK)
    lean = math.radians(tile.tilt)
    rise = (thickness * math.cos(lean) + height * math.sin(lean)) / 2 + tile.lift * width
    centre = np.array([tile.x * width, tile.y * width, rise])
    return Solid(
        (width, height, thickness),
        centre,
        axes,
        tiles.front,
        tiles.back,
        tiles.split,
        tiles.corner,
        tiles.bevel,
    )


@dataclass(frozen=True, eq=False)
class _Shoot:
    """Everything that is fixed while one photo is rendered."""

    rng: np.random.Generator
    size: tuple[int, int]
    camera: Camera
    light: Light
    tiles: RenderedSet
    kind: str
    table: str

    def photo(self, arrangement: Arrangement, strays: tuple[Placed, ...], given: Setting) -> RenderedPhoto:
        bars = self._bars(arrangement)
        placed = [*arrangement.tiles, *(tile for tile in strays if self._clear(tile, bars))]
        solids = [_solid(tile, self.tiles) for tile in placed]
        middle = np.mean([solid.centre for solid in solids[: len(arrangement.tiles)]], axis=0)
        # what reaches behind the lens cannot be projected
        near = 4 * self.tiles.width_mm
        ahead = [i for i, solid in enumerate(solids) if self.camera.depth(solid.centre) > near]
        small = self._things(arrangement, placed) if given.strays is not False else []
        small = [*discs(self.rng, arrangement.discs, self.tiles.width_mm), *small]
        small = [thing for thing in small if self.camera.depth(thing.solid.centre) > 180]
        bars = [bar for bar in bars if (self.camera.depth(bar.cap(top=True)) > 20).all()]

        canvas = Canvas(self._ground(middle), self.camera, self.light, float(self.rng.uniform(0.05, 0.4)))
        casting = [solids[i] for i in ahead] + [t.solid for t in small] + bars
        canvas.shade(
            casting, softness=float(self.rng.uniform(1, 8)), strength=float(self.rng.uniform(0.2, 0.6))
        )
        for solid in parted(bars, self.camera, middle, beyond=True):
            canvas.body(solid)
        order = [(self._far(solids[i]), i) for i in ahead]
        order += [(self._far(thing.solid), len(solids) + k) for k, thing in enumerate(small)]
        quads: dict[int, Quad] = {}
        for _, index in sorted(order, reverse=True):
            if index >= len(solids):
                _lay_thing(canvas, small[index - len(solids)], self.camera)
            else:
                quads[index] = self._lay_tile(canvas, placed[index], solids[index], index)
        for solid in parted(bars, self.camera, middle, beyond=False):
            canvas.body(solid)
        self._finish(canvas, quads, with_arm=given.strays is not False)
        optics = given.optics or random_optics(self.rng)
        pixels = photograph(canvas.pixels, optics, self._defocus(middle), self.rng)
        truths = [self._truth(placed[i], solids, quads[i], canvas, i) for i in sorted(quads)]
        kept = tuple(truth for truth in truths if truth.visible > 0.02)
        return RenderedPhoto(pixels, kept, arrangement.hand, self.kind)

    def _far(self, solid: Solid) -> float:
        return float(np.linalg.norm(solid.centre - self.camera.position))

    def _lay_tile(self, canvas: Canvas, tile: Placed, solid: Solid, index: int) -> Quad:
        canvas.body(solid)
        top = cap_seen(solid, self.camera, top=True)
        if not top and not cap_seen(solid, self.camera, top=False):
            return self.camera.project(solid.cap(top=True)).astype(np.float32)
        if not top:
            plain = np.empty((32, 24, 3), np.uint8)
            plain[:] = self.tiles.back if self.tiles.split > 0 else self.tiles.front
            return canvas.cap(solid, plain, top=False, index=index)
        lamp = self.light.towards @ solid.axes[:, :2]
        texture = self.tiles.texture(tile.face, self.rng, (float(lamp[0]), float(lamp[1])))
        return canvas.cap(solid, texture, top=True, index=index)

    def _truth(self, tile: Placed, solids: list[Solid], quad: Quad, canvas: Canvas, index: int) -> TileTruth:
        solid = solids[index]
        top = cap_seen(solid, self.camera, top=True)
        visible = canvas.visible(solid, top=top, index=index)
        face = tile.face if top else BACK
        sides = tuple(side.astype(np.float32) for side in sides_seen(solid, self.camera, solids))
        return TileTruth(face, quad, tile.role, tile.group, tile.sideways, visible, sides)

    def _bars(self, arrangement: Arrangement) -> list[Solid]:
        unit, height, thickness = self.tiles.extent
        if arrangement.tray is None:
            return furniture(self.rng, arrangement.tiles, unit, height)
        x0, y0, x1, y1 = (v * unit for v in arrangement.tray)
        tint = colour(self.rng, (0, 1), (0, 0.4), (0.05, 0.4)).astype(float)
        return tray_walls((x0, y0, x1, y1), thickness * float(self.rng.uniform(0.5, 1.1)), tint)

    def _clear(self, tile: Placed, bars: list[Solid]) -> bool:
        """Whether a stray tile lies clear of every rim and rack."""
        unit, height, _ = self.tiles.extent
        return all(abs(tile.y * unit - bar.centre[1]) > (bar.extent[1] + 1.3 * height) / 2 for bar in bars)

    def _things(self, arrangement: Arrangement, placed: list[Placed]) -> list[Thing]:
        unit, height, _ = self.tiles.extent

        def free(x: float, y: float, radius: float) -> bool:
            clear = (radius + 0.8 * height) ** 2
            return all((x - t.x * unit) ** 2 + (y - t.y * unit) ** 2 > clear for t in placed)

        own = arrangement.tiles
        middle = (float(np.mean([t.x for t in own])) * unit, float(np.mean([t.y for t in own])) * unit)
        return things(self.rng, free, middle, 9 * unit)

    def _ground(self, middle: NDArray[np.float64]) -> Pixels:
        """The bare table, and the room beyond its edge."""
        to_picture = self.camera.ground()
        around = middle + np.array([(-20.0, 0.0, 0.0), (20.0, 0.0, 0.0)])
        per_mm = float(np.linalg.norm(np.diff(self.camera.project(around), axis=0))) / 40
        texture = surface(self.rng, self.table)
        step = float(np.clip(1.2 / max(per_mm, 1e-3), 0.35, 1.4))  # mm of table per pixel of the texture
        offset = np.array(
            [[step, 0, middle[0] - 512 * step], [0, -step, middle[1] + 512 * step], [0, 0, 1]], np.float64
        )
        matrix = to_picture @ offset
        image = cv2.warpPerspective(texture, matrix, self.size, borderMode=cv2.BORDER_REFLECT)
        edge = 420 + float(self.rng.uniform(0, 260))
        corners = np.array([(-edge, -edge), (edge, -edge), (edge, edge), (-edge, edge)]) + middle[:2]
        inside = self._inside(corners, to_picture)
        if inside.all():
            return np.asarray(image, np.uint8)
        return np.where(inside[..., None], image, room(self.rng, self.size)).astype(np.uint8)

    def _inside(self, corners: NDArray[np.float64], to_picture: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which pixels see the table, a square with these corners in mm."""
        width, height = self.size
        back = np.linalg.inv(to_picture)
        x = np.arange(width, dtype=np.float32)[None]
        y = np.arange(height, dtype=np.float32)[:, None]
        rows = [np.float32(r[0]) * x + np.float32(r[1]) * y + np.float32(r[2]) for r in back]
        low, high = corners.min(0), corners.max(0)
        depth = rows[2]
        with np.errstate(divide="ignore", invalid="ignore"):
            gx, gy = rows[0] / depth, rows[1] / depth
        axes = self.camera.axes / np.array([[self.camera.focal_px], [self.camera.focal_px], [1]])
        cx, cy = self.camera.centre
        falling = axes[0, 2] * (x - cx) + axes[1, 2] * (y - cy) + axes[2, 2] < -1e-3
        seen: NDArray[np.bool_] = falling & (gx > low[0]) & (gx < high[0]) & (gy > low[1]) & (gy < high[1])
        return seen

    def _finish(self, canvas: Canvas, quads: dict[int, Quad], *, with_arm: bool) -> None:
        """Add glare, and now and then an arm that reaches in from the edge."""
        rng = self.rng
        if rng.random() < 0.4 or self.table == "glass":
            spots = [
                tuple(
                    float(v)
                    for v in (*rng.uniform(0, 1, 2), *rng.uniform(0.04, 0.3, 2), rng.uniform(0.08, 0.6))
                )
                for _ in range(int(rng.integers(1, 4)))
            ]
            canvas.glow(spots, on_table=self.table == "glass")
        if not with_arm or rng.random() > 0.15 or not quads:
            return
        width, height = self.size
        tiles = np.concatenate(list(quads.values()))
        start = np.array([rng.uniform(0, width), rng.choice([-0.05, 1.05]) * height])
        if rng.random() < 0.5:
            start = np.array([rng.choice([-0.05, 1.05]) * width, rng.uniform(0, height)])
        nearest = tiles[np.argmin(np.linalg.norm(tiles - start, axis=1))]
        reach = start + (nearest - start) * rng.uniform(0.3, 0.85)
        skin = colour(rng, (0.03, 0.08), (0.3, 0.6), (0.35, 0.9))
        thick = float(np.linalg.norm(np.ptp(tiles, axis=0))) * float(rng.uniform(0.04, 0.1))
        bend = (start + reach) / 2 + rng.normal(0, 0.15 * width / 8, 2)
        canvas.limb(np.stack([start, bend, reach]), thick, (float(skin[0]), float(skin[1]), float(skin[2])))

    def _defocus(self, middle: NDArray[np.float64]) -> NDArray[np.float32]:
        """For each row of the picture, how blurred the table is there (0 is in focus, 1 fully blurred)."""
        height = self.size[1]
        y = np.arange(height)
        slope = (
            self.camera.axes[2, 2]
            + self.camera.axes[1, 2] * (y - self.camera.centre[1]) / self.camera.focal_px
        )
        depth = self.camera.position[2] / np.maximum(-slope, 1e-3)
        sharp = float(self.camera.depth(middle))
        return np.asarray(np.clip(1.6 * np.abs(1 - sharp / depth), 0, 1), np.float32)


def _lay_thing(canvas: Canvas, thing: Thing, camera: Camera) -> None:
    canvas.body(thing.solid)
    if thing.top is not None and cap_seen(thing.solid, camera, top=True):
        canvas.cap(thing.solid, thing.top, top=True)
