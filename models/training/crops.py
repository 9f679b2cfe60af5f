"""Single-tile patches for the reader, cut from labelled photos and tile crops.

A patch is a rectified square picture of a tile and its surroundings. The face is stretched to the middle square,
whatever its proportions, so that a quarter turn of the tile is a quarter turn of the patch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.training.augment import change_lens, change_light
from models.training.labels import FULLY_LABELLED_SCENES, Floats, TrainingPhoto
from models.training.tile_crops import read_tile_crops
from vision.networks.reader import CROP
from vision.networks.reader import FACE as CROP_FACE
from vision.tiles import CLASSES, FACES, WHITE_DRAGON, Pixels

PATCH = 112
"""Side of a stored patch in pixels; the face fills the middle 64."""
FACE = 64
"""Side of the face in a stored patch; in the reader's input it is `vision.networks.reader.FACE`."""

PALE, LIGHT = 0.22, 90.0
"""A colour is pale if its channels differ by less than this share, and light from this brightness (0 to 255)."""

COVERED = 0.05
"""The share of training crops of which a part is hidden."""

_ALL_TURNS = (0.25, 0.25, 0.25, 0.25)
_UPRIGHT = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Patches:
    """Patches: pixels (N×112×112×3), class numbers, names of their origin, and odds of the rotations (N×4)."""

    pixels: Pixels
    labels: np.ndarray
    origin: np.ndarray
    turns: Floats

    @classmethod
    def of(cls, rows: Sequence[tuple[Pixels, int, str, tuple[float, ...]]]) -> "Patches":
        """Build from rows of (patch, class number, origin, odds of the four rotations)."""
        pixels, labels, origin, turns = zip(*rows, strict=True)
        return cls(np.stack(pixels), np.array(labels), np.array(origin), np.array(turns, np.float32))

    def __add__(self, other: "Patches") -> "Patches":
        """Join both."""
        return Patches(
            np.concatenate([self.pixels, other.pixels]),
            np.concatenate([self.labels, other.labels]),
            np.concatenate([self.origin, other.origin]),
            np.concatenate([self.turns, other.turns]),
        )


def patch_of(image: Pixels, quad: Floats) -> Pixels:
    """Return the rectified patch of one quad (4×2, pixels)."""
    low, high = (PATCH - FACE) / 2, (PATCH + FACE) / 2
    square = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    size = float(np.sqrt(abs(cv2.contourArea(quad.astype(np.float32)))))
    if size > 1.6 * FACE:  # warping alone would skip pixels
        shrink = FACE / size * 1.2
        low_corner = np.floor(np.maximum(quad.min(0) - size, 0)).astype(int)
        high_corner = np.ceil(quad.max(0) + size).astype(int)
        region = image[low_corner[1] : high_corner[1], low_corner[0] : high_corner[0]]
        image = np.asarray(
            cv2.resize(region, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
        quad = (quad - low_corner) * shrink
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), square)
    return np.asarray(
        cv2.warpPerspective(image, matrix, (PATCH, PATCH), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def photo_patches(
    photos: list[TrainingPhoto],
    rng: np.random.Generator,
    nothing_per_photo: int = 6,
    mistakes_per_photo: int = 24,
) -> Patches:
    """Cut every labelled tile of the photos, and some places without a whole tile (`none`)."""
    rows = []
    for photo in photos:
        image = photo.pixels()
        for face, quad in zip(photo.faces, photo.quads, strict=True):
            if face is None:
                continue
            turns = _UPRIGHT if photo.scene == "rendered" else _ALL_TURNS
            rows.append((patch_of(image, quad), CLASSES.index(face), f"photo:{photo.scene}", turns))
        for quad in photo.nothing[rng.permutation(len(photo.nothing))[:mistakes_per_photo]]:
            rows.append((patch_of(image, quad), CLASSES.index("none"), "mistake", _ALL_TURNS))
        for _ in range(nothing_per_photo if len(photo.quads) else 0):
            quad = _place_without_tile(photo, image, rng)
            if quad is not None:
                rows.append((patch_of(image, quad), CLASSES.index("none"), "nothing", _ALL_TURNS))
    return Patches.of(rows)


def _place_without_tile(photo: TrainingPhoto, image: Pixels, rng: np.random.Generator) -> Floats | None:
    """Return a quad between, across or away from tiles, or None if an unlabelled tile might be there."""
    quad = photo.quads[rng.integers(len(photo.quads))]
    centre = quad.mean(0)
    if rng.random() < 0.6:  # across two tiles, or much too large or too small
        axis = (quad[1] - quad[0]) if rng.random() < 0.5 else (quad[3] - quad[0])
        shift, scale = axis * rng.choice([-0.5, 0.5]) * rng.uniform(0.9, 1.1), rng.uniform(0.8, 1.2)
        if rng.random() < 0.3:
            shift, scale = axis * rng.uniform(-0.1, 0.1), rng.choice([0.35, 2.6])
        return np.asarray((quad - centre) * scale + centre + shift, np.float32)
    if photo.scene not in FULLY_LABELLED_SCENES and photo.scene != "home-green":
        return None
    size = float(np.sqrt(abs(cv2.contourArea(quad)))) * rng.uniform(0.6, 1.5)
    if 2 * size >= min(image.shape[:2]):
        return None
    place = rng.uniform([size, size], [image.shape[1] - size, image.shape[0] - size])
    lowest = photo.boxes[:, 1].min() if photo.scene == "home-green" else 0  # stray tiles lie beyond the hand
    middles = np.concatenate(
        [photo.boxes.reshape(-1, 2, 2), *(quad[None, ::2] for quad in photo.unsure)]
    ).mean(1)
    if place[1] < lowest or np.min(np.hypot(*(middles - place).T)) < 1.6 * size:
        return None
    angle = rng.uniform(0, 2 * np.pi) + np.arange(4) * np.pi / 2
    return np.asarray(place + size / np.sqrt(2) * np.stack([np.cos(angle), np.sin(angle)], 1), np.float32)


def without_white_backs(patches: Patches) -> Patches:
    """Drop face-down tiles as pale as a face, which look like blank white dragons."""
    low, high = (PATCH - FACE) // 2 + 8, (PATCH + FACE) // 2 - 8
    backs = np.flatnonzero(patches.labels == CLASSES.index("back"))
    colours = patches.pixels[backs, low:high, low:high].reshape(len(backs), -1, 3).mean(1)
    pale = (colours.max(1) - colours.min(1)) < PALE * colours.max(1)
    light = colours.max(1) > LIGHT
    kept = np.ones(len(patches.labels), bool)
    kept[backs[pale & light]] = False
    return Patches(patches.pixels[kept], patches.labels[kept], patches.origin[kept], patches.turns[kept])


def tile_crop_patches(labels: Path) -> Patches:
    """Return patches of the upright crops of a `tile-crops` folder; their origin names the tile set."""
    rows = []
    for crop in read_tile_crops(labels):
        pixels = crop.pixels()
        height, width = pixels.shape[:2]
        x, y = 0.02 * width, 0.02 * height
        quad = np.array([[x, y], [width - x, y], [width - x, height - y], [x, height - y]], np.float32)
        rows.append((patch_of(pixels, quad), CLASSES.index(crop.face), crop.set, _UPRIGHT))
    return Patches.of(rows)


def plain_backs(patches: Patches, count: int, rng: np.random.Generator) -> Patches:
    """Return patches of face-down tiles: real tiles with the face painted over in one lightly shaded colour."""
    rows = []
    for index in rng.integers(len(patches.pixels), size=count):
        hue, saturation, value = rng.integers(0, 180), rng.integers(110, 256), rng.integers(60, 256)
        colour = cv2.cvtColor(np.array([[[hue, saturation, value]]], np.uint8), cv2.COLOR_HSV2RGB)[0, 0]
        painted = _painted_over(patches.pixels[index], colour.astype(np.float32), rng)
        rows.append((painted, CLASSES.index("back"), "painted back", _ALL_TURNS))
    return Patches.of(rows)


def blank_dragons(patches: Patches, count: int, rng: np.random.Generator) -> Patches:
    """Return patches of white dragons without a frame: photographed tiles painted over in their own colour."""
    rows: list[tuple[Pixels, int, str, tuple[float, ...]]] = []
    photographed = np.flatnonzero([name.startswith(("photo:", "set-")) for name in patches.origin])
    low, high = (PATCH - FACE) // 2 + 6, (PATCH + FACE) // 2 - 6
    for index in rng.choice(photographed, 3 * count):
        face = patches.pixels[index, low:high, low:high].reshape(-1, 3).astype(np.float32)
        ground = np.asarray(np.percentile(face, 75, axis=0), np.float32)
        pale = ground.max() - ground.min() < PALE * ground.max()
        if len(rows) < count and pale and ground.max() > LIGHT and patches.labels[index] < len(FACES):
            painted = _painted_over(patches.pixels[index], ground, rng)
            rows.append((painted, CLASSES.index(WHITE_DRAGON), "blank dragon", _ALL_TURNS))
    return Patches.of(rows)


def _painted_over(pixels: Pixels, colour: Floats, rng: np.random.Generator) -> Pixels:
    y, x = np.mgrid[-1 : 1 : FACE * 1j, -1 : 1 : FACE * 1j].astype(np.float32)
    low = (PATCH - FACE) // 2
    patch = pixels.astype(np.float32)
    shade = 1 + rng.uniform(-0.2, 0.2) * x + rng.uniform(-0.2, 0.2) * y
    edge = cv2.GaussianBlur(np.pad(np.ones((FACE - 4, FACE - 4), np.float32), 2), (0, 0), 1.2)[..., None]
    face = patch[low : low + FACE, low : low + FACE]
    face[:] = face * (1 - edge) + edge * np.clip(colour * shade[..., None], 0, 255)
    return np.asarray(patch.clip(0, 255), np.uint8)


def draw_crop(patch: Pixels, turn: int, rng: np.random.Generator) -> Pixels:
    """Return a crop of the patch turned clockwise by `turn` quarters, cut imprecisely and in other light."""
    low, high = (CROP - CROP_FACE) / 2, (CROP + CROP_FACE) / 2
    target = np.array([[low, low], [high, low], [high, high], [low, high]])
    middle = np.float32(CROP / 2)
    angle = np.deg2rad(rng.normal(0, 4)) + turn * np.pi / 2
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], np.float32)
    target = (target - middle) @ spin.T * np.exp(rng.normal(0, 0.06, 2)).astype(np.float32) + middle
    target += rng.normal(0, 0.035 * CROP_FACE, 2) + rng.normal(0, 0.02 * CROP_FACE, (4, 2))
    start, end = (PATCH - FACE) / 2, (PATCH + FACE) / 2
    source = np.array([[start, start], [end, start], [end, end], [start, end]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, target.astype(np.float32))
    crop = np.asarray(
        cv2.warpPerspective(patch, matrix, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    if rng.random() < 0.08:
        crop = crop[..., rng.permutation(3)]
    if rng.random() < 0.02:
        crop = 255 - crop
    if rng.random() < COVERED:
        crop = _partly_covered(crop, rng)
    crop = change_light(np.ascontiguousarray(crop), rng)
    if rng.random() < 0.5:  # a small tile far away
        small = max(int(CROP * rng.uniform(0.2, 1.0)), 12)
        crop = np.asarray(cv2.resize(crop, (small, small), interpolation=cv2.INTER_AREA), np.uint8)
        crop = change_lens(crop, rng, blur_px=max(0.4, small / 60))
        return np.asarray(cv2.resize(crop, (CROP, CROP), interpolation=cv2.INTER_LINEAR), np.uint8)
    return change_lens(crop, rng, blur_px=2.2)


def _partly_covered(crop: Pixels, rng: np.random.Generator) -> Pixels:
    """The crop with up to a quarter of the face hidden from one side, by a finger, a rim or another tile."""
    covered = np.rot90(crop, int(rng.integers(4))).copy()
    depth = round((CROP - CROP_FACE) / 2 + CROP_FACE * float(rng.uniform(0.05, 0.25)))
    edge = rng.normal(0, 0.04) * np.arange(CROP) + depth
    hidden = np.arange(CROP)[:, None] < edge[None]
    colour = rng.integers(0, 256, 3) if rng.random() < 0.6 else np.percentile(crop.reshape(-1, 3), 75, axis=0)
    covered[hidden] = np.clip(colour + rng.normal(0, 6, (int(hidden.sum()), 3)), 0, 255)
    return np.asarray(covered, np.uint8)


def plain_crop(patch: Pixels, turn: int = 0) -> Pixels:
    """Return the crop of a patch that a perfect detector would give."""
    scale = CROP_FACE / FACE
    # our pixel centres are at halves, those of OpenCV at whole numbers
    matrix = np.array([[scale, 0, CROP / 2 - 0.5], [0, scale, CROP / 2 - 0.5]])
    matrix[:, 2] -= scale * (PATCH / 2 - 0.5)
    crop = cv2.warpAffine(patch, matrix, (CROP, CROP), flags=cv2.INTER_LINEAR)
    return np.ascontiguousarray(np.rot90(np.asarray(crop, np.uint8), -turn))
