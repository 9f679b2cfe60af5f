"""The tile detector: a heatmap of tile centres at stride 4, and the offset and half axes of each tile.

Channel 0 of the heatmap is for tiles that show a face, channel 1 for face-down tiles. A tile is a parallelogram: its
centre, `u` (half of the axis nearest to horizontal) and `v` (half of the other axis), in strides. Centre heatmaps
follow Zhou et al., "Objects as Points" (2019); the loss is its focal loss plus an L1 loss on the axes, relative to the
size of the tile.
"""

import argparse
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.training.augment import change_lens, change_light
from models.training.backbones import MobileNetTrunk
from models.training.labels import FULLY_LABELLED_SCENES, Floats, TrainingPhoto, corners, read_training_photos
from models.training.loop import add_training_arguments, device, train
from vision.tiles import Pixels

STRIDE = 4
SIDE = 256
"""Side of the square training crops in pixels."""
_CELLS = 2
"""Cells of stride 4 along each side of a cell of stride 8, where the head works."""


class TileDetector(nn.Module):
    """A MobileNetV2 trunk, features joined at stride 8, and a head that predicts four cells of stride 4 at once.

    Features of stride 4 join through a strided convolution; a head at stride 4 would cost as much as all other layers.
    """

    def __init__(self, width: int = 48) -> None:
        """Build with a pretrained trunk and `width` channels at stride 8."""
        super().__init__()
        self.trunk = MobileNetTrunk()
        four, eight, sixteen = self.trunk.channels
        self.context = _block(sixteen, 2 * width, dilation=2)
        self.from16 = _block(2 * width, width)
        self.lateral8 = nn.Conv2d(eight, width, 1)
        self.lateral4 = nn.Conv2d(four, width, 3, stride=2, padding=1, bias=False)
        self.merge8 = _block(width, width)
        self.tell = nn.Sequential(_block(width, 64), nn.Conv2d(64, 8 * _CELLS**2, 1))
        with torch.no_grad():
            self.tell[1].bias[: 2 * _CELLS**2] = -4.0

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Return centre logits (N×2×h×w) and geometry (N×6×h×w: offset, u, v in strides) of N×3×H×W pixels."""
        four, eight, sixteen = self.trunk(pixels)
        up = functional.interpolate(self.from16(self.context(sixteen)), scale_factor=2.0, mode="bilinear")
        up = self.merge8(up + self.lateral8(eight) + self.lateral4(four))
        maps = functional.pixel_shuffle(self.tell(up), _CELLS)
        return maps[:, :2], maps[:, 2:] * 4


def _block(inputs: int, outputs: int, dilation: int = 1) -> nn.Sequential:
    convolution = nn.Conv2d(inputs, outputs, 3, padding=dilation, dilation=dilation, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.ReLU6())


@dataclass(frozen=True)
class Example:
    """One training crop and the maps that the network should predict, at stride 4."""

    pixels: Pixels
    heat: Floats
    """Centres (2×h×w): Gaussians with peak 1."""
    judged: Floats
    """0 where an unlabelled tile may lie and a confident find costs nothing, 1 elsewhere (2×h×w)."""
    target: Floats
    """Geometry (6×h×w), valid where `weight` is above 0."""
    weight: Floats
    """Weight of the geometry (h×w)."""
    oriented: float
    """1 if the quads follow the tiles, 0 if only their enclosing boxes are known."""


def draw_example(photo: TrainingPhoto, rng: np.random.Generator, pixels: Pixels | None = None) -> Example:
    """Return a random crop of the photo: scaled, turned, mirrored, with other light and another lens."""
    image = photo.pixels() if pixels is None else pixels
    quads = photo.quads
    size_px = (
        float(np.exp(rng.uniform(np.log(12), np.log(80)))) if rng.random() < 0.4 else rng.uniform(22, 50)
    )
    middle, shown_px = _anchor(photo, image, rng)
    scale = min(size_px / max(shown_px, 1.0), 2.5)
    if photo.oriented:
        turn = rng.uniform(-25, 25) if rng.random() < 0.6 else rng.uniform(-180, 180)
    else:
        turn = 90.0 * rng.integers(4)
    stretch = np.exp(rng.uniform(-0.18, 0.18)) if photo.oriented or turn % 180 == 0 else 1.0
    matrix = _crop_matrix(middle, scale, turn, stretch, rng)
    if rng.random() < 0.5:
        matrix = np.array([[-1, 0, SIDE], [0, 1, 0]], np.float64) @ np.vstack([matrix, [0, 0, 1]])
    filter_kind = cv2.INTER_AREA if scale < 0.7 else cv2.INTER_LINEAR
    border = int(rng.choice([cv2.BORDER_REFLECT_101, cv2.BORDER_CONSTANT]))
    crop = cv2.warpAffine(
        image, matrix, (SIDE, SIDE), flags=filter_kind, borderMode=border, borderValue=(114, 114, 114)
    )
    crop = change_light(np.asarray(crop, np.uint8), rng)
    crop = change_lens(crop, rng, blur_px=0.03 * scale * shown_px + 0.3)
    moved = quads @ matrix[:, :2].T + matrix[:, 2]
    backs = np.asarray(photo.backs, dtype=bool)
    reflected = border == cv2.BORDER_REFLECT_101
    unjudged = [quad @ matrix[:, :2].T + matrix[:, 2] for quad in photo.unsure]
    inside = _inside(matrix, image.shape) if reflected else None
    return _targets(crop, moved.astype(np.float32), backs, photo, inside, unjudged)


def _anchor(photo: TrainingPhoto, image: Pixels, rng: np.random.Generator) -> tuple[Floats, float]:
    """Where a crop is to be taken, and the size of what is there: a tile, or what might be taken for one."""
    quads = photo.quads
    if len(photo.nothing) and rng.random() < (0.7 if not len(quads) else 0.4):
        quads = photo.nothing
    if len(quads):
        chosen = quads[[rng.integers(len(quads))]]
        return chosen[0].mean(0), float(np.sqrt(_quad_areas(chosen)[0]))
    longest = max(image.shape[:2])
    return rng.uniform(0, image.shape[1::-1]), longest * float(np.exp(rng.uniform(np.log(0.01), np.log(0.4))))


def _crop_matrix(
    anchor: Floats, scale: float, turn: float, stretch: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    angle = np.deg2rad(turn)
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    linear = scale * rotation @ np.diag([stretch, 1 / stretch])
    middle = SIDE / 2 + rng.uniform(-0.42, 0.42, 2) * SIDE
    return np.column_stack([linear, middle - linear @ anchor])


def _inside(matrix: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return which cells of stride 4 (h×w) show the photo itself, not its mirrored border."""
    mask = np.full(shape[:2], 255, np.uint8)
    warped = cv2.warpAffine(mask, matrix, (SIDE, SIDE), flags=cv2.INTER_NEAREST)
    return np.asarray(
        cv2.resize(warped, (SIDE // STRIDE, SIDE // STRIDE), interpolation=cv2.INTER_AREA) > 250
    )


def _targets(
    crop: Pixels,
    quads: Floats,
    backs: NDArray[np.bool_],
    photo: TrainingPhoto,
    inside: NDArray[np.bool_] | None,
    unjudged: list[NDArray[np.float64]],
) -> Example:
    cells = SIDE // STRIDE
    heat = np.zeros((2, cells, cells), np.float32)
    target = np.zeros((6, cells, cells), np.float32)
    weight = np.zeros((cells, cells), np.float32)
    y, x = np.mgrid[0:cells, 0:cells].astype(np.float32)
    covered = np.zeros((cells, cells), np.uint8)
    for quad, back in zip(quads, backs, strict=True):
        centre = quad.mean(0) / STRIDE - 0.5
        if not (-0.5 <= centre[0] < cells - 0.5 and -0.5 <= centre[1] < cells - 0.5):
            continue
        u, v = (
            half_axes(quad / STRIDE)
            if photo.oriented
            else half_axes(corners((_bounds(quad)[None] / STRIDE).astype(np.float32))[0])
        )
        spread = max(0.14 * 2 * min(float(np.hypot(*u)), float(np.hypot(*v))), 0.65)
        reach = int(np.ceil(3 * spread))
        column, row = round(float(centre[0])), round(float(centre[1]))
        box = np.s_[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1]
        blob = np.exp(-((x[box] - column) ** 2 + (y[box] - row) ** 2) / (2 * spread**2))
        heat[int(back)][box] = np.maximum(heat[int(back)][box], blob)
        here = blob > np.maximum(weight[box], 0.3)
        weight[box][here] = blob[here]
        for channel, value in enumerate((centre[0] - x[box], centre[1] - y[box])):
            target[channel][box][here] = value[here]
        for channel, number in enumerate((*u, *v), start=2):
            target[channel][box][here] = number
        cv2.fillConvexPoly(covered, np.rint(quad / STRIDE).astype(np.int32), 1)
    judged = np.ones((2, cells, cells), np.float32)
    if photo.scene not in FULLY_LABELLED_SCENES:
        judged[:] = covered
    if inside is not None:
        judged *= np.maximum(inside, covered)
    for quad in unjudged:
        for part in judged:
            cv2.fillConvexPoly(part, np.rint(quad / STRIDE).astype(np.int32), 0)
    return Example(crop, heat, judged, target, weight, float(photo.oriented))


def half_axes(quad: Floats) -> tuple[Floats, Floats]:
    """Return the half axes of a quad (4×2): u is nearest to horizontal and points right, v points down."""
    first = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    second = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
    u, v = (
        (first, second)
        if abs(first[0]) * np.hypot(*second) >= abs(second[0]) * np.hypot(*first)
        else (second, first)
    )
    return (u if u[0] >= 0 else -u), (v if v[1] >= 0 else -v)


def _bounds(quad: Floats) -> Floats:
    return np.concatenate([quad.min(0), quad.max(0)])


def _quad_areas(quads: Floats) -> Floats:
    first, second = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.asarray(np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2, dtype=np.float32)


def detector_loss(logits: Tensor, geometry: Tensor, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """Return the centre loss and the geometry loss of a batch."""
    heat, judged = batch["heat"], batch["judged"]
    probability = logits.sigmoid().clamp(1e-4, 1 - 1e-4)
    # stray tiles are mostly unlabelled, so a find that looks like a tile is not punished
    believed = ((probability.detach() > 0.25) & (judged == 0)).float()
    positive = (heat >= 0.999).float()
    found = positive * (1 - probability) ** 2 * probability.log()
    empty = (1 - positive) * (1 - heat) ** 4 * probability**2 * (1 - probability).log() * (1 - believed)
    tiles = positive.sum().clamp(min=1)
    centre_loss = -(found.sum() + empty.sum()) / tiles

    target, weight = batch["target"], batch["weight"]
    u, v = target[:, 2:4], target[:, 4:6]
    size = (u.norm(dim=1) * v.norm(dim=1)).sqrt().clamp(min=1)
    offset = (geometry[:, :2] - target[:, :2]).abs().sum(1)
    choices = torch.stack(
        [(geometry[:, 2:] - torch.cat(axes, 1)).abs().sum(1) for axes in ((u, v), (-v, u), (v, -u))]
    )
    axes = choices.min(0).values
    extents = geometry[:, 2:4].abs() + geometry[:, 4:6].abs() - u.abs() - v.abs()
    oriented = batch["oriented"].view(-1, 1, 1)
    error = offset + oriented * axes + (1 - oriented) * extents.abs().sum(1)
    return centre_loss, (weight * error / size).sum() / weight.sum().clamp(min=1)


def collate(examples: list[Example]) -> dict[str, Tensor]:
    """Stack examples into one batch of tensors."""
    batch = {
        name: torch.from_numpy(np.stack([getattr(example, name) for example in examples]))
        for name in ("heat", "judged", "target", "weight")
    }
    pixels = np.stack([example.pixels for example in examples])
    batch["pixels"] = (
        torch.from_numpy(pixels).permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last)
    )
    batch["oriented"] = torch.tensor([example.oriented for example in examples])
    return batch


def train_detector(options: argparse.Namespace) -> None:
    """Train on crops of the photos in `options.labels`; the share `options.rendered` comes from rendered scenes."""
    torch.manual_seed(options.seed)
    model = TileDetector().to(device()).to(memory_format=torch.channels_last)
    photos = [photo for labels in options.labels for photo in read_training_photos(labels, "train")]
    rendered = np.array([photo.scene == "rendered" for photo in photos])
    odds = np.where(
        rendered, options.rendered / max(rendered.sum(), 1), (1 - options.rendered) / (~rendered).sum()
    )
    odds /= odds.sum()

    def learn(rng: np.random.Generator) -> tuple[Tensor, dict[str, float]]:
        chosen = rng.choice(len(photos), options.batch, p=odds)
        batch = {
            name: part.to(device())
            for name, part in collate([draw_example(photos[i], rng) for i in chosen]).items()
        }
        with torch.autocast(device().type, torch.bfloat16):
            logits, geometry = model(batch["pixels"].float())
        centre, axes = detector_loss(logits.float(), geometry.float(), batch)
        return centre + axes, {"centre": round(centre.item(), 4), "geometry": round(axes.item(), 4)}

    train("detector", model, learn, options)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `python -m models.training detector`."""
    add_training_arguments(parser, batch=8, rate=1e-3)
    parser.add_argument(
        "--rendered", type=float, default=0.0, help="share of crops from rendered scenes, 0 to 1"
    )
    parser.set_defaults(main=train_detector)
