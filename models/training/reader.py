"""The tile reader: it classifies a 64×64 crop as one of 42 faces, a back or no tile, and predicts its quarter turns.

The rotation is known for tile crops and drawn faces, but labels of photos lack it. For these tiles training keeps the
odds of the four rotations, and sharpens them each time a tile is shown with a known further turn (expectation
maximisation with the rotation as hidden variable).
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.training.backbones import EfficientNetTrunk
from models.training.crops import (
    Patches,
    blank_dragons,
    draw_crop,
    photo_patches,
    plain_backs,
    plain_crop,
    tile_crop_patches,
    without_white_backs,
)
from models.training.labels import read_training_photos
from models.training.loop import add_training_arguments, device, train
from models.training.scenes import is_of_drawn_tiles
from vision.tiles import CLASSES

HARDEST = 2.0
"""A patch with a higher loss is not shown more often."""
HOPELESS = 9.0
"""A patch with a higher loss teaches nothing: its label is wrong, or nothing can be seen."""


class TileReader(nn.Module):
    """An EfficientNet-Lite0 trunk, features pooled at two strides, a face head and a rotation head."""

    def __init__(self) -> None:
        """Build with a pretrained trunk."""
        super().__init__()
        self.trunk = EfficientNetTrunk()
        width = sum(self.trunk.channels)
        self.drop = nn.Dropout(0.2)
        self.face = nn.Linear(width, len(CLASSES))
        self.turn = nn.Linear(width, 4)

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Return face logits (N×44) and rotation logits (N×4) of N×3×64×64 pixels, 0 to 255."""
        features = torch.cat([level.mean((2, 3)) for level in self.trunk(pixels)], 1)
        features = self.drop(features)
        return self.face(features), self.turn(features)


def gather_patches(options: argparse.Namespace, rng: np.random.Generator) -> Patches:
    """Return the training patches that the options ask for."""
    photos = [photo for labels in options.labels for photo in read_training_photos(labels, "train")]
    if options.hold_out:  # a scene may show a photographed set that is held out
        photos = [each for each in photos if each.scene != "rendered" or is_of_drawn_tiles(each.path.name)]
    patches = without_white_backs(photo_patches(photos, rng))
    patches += plain_backs(patches, 600, rng) + blank_dragons(patches, 400, rng)
    if options.tile_crops:
        crops = tile_crop_patches(options.tile_crops)
        kept = ~np.isin(crops.origin, options.hold_out)
        patches += Patches(crops.pixels[kept], crops.labels[kept], crops.origin[kept], crops.turns[kept])
    if options.drawn:
        from models.training.drawn import drawn_patches  # noqa: PLC0415  (only this needs the artwork)

        patches += drawn_patches(options.drawn, rng)
    return patches


def sampling_odds(patches: Patches) -> np.ndarray:
    """Return the odds of each patch: fixed shares by kind of origin, and rare faces more often within a kind."""
    kinds = np.array([_kind(name) for name in patches.origin])
    shares = {
        "photo": 0.3,
        "rendered": 0.3,
        "set": 0.12,
        "sheet": 0.12,
        "drawn": 0.18,
        "nothing": 0.05,
        "mistake": 0.12,
        "back": 0.05,
        "blank": 0.006,
    }
    odds = np.zeros(len(kinds))
    for kind, share in shares.items():
        here = np.flatnonzero(kinds == kind)
        if len(here):
            counts = np.bincount(patches.labels[here], minlength=len(CLASSES))
            weight = 1 / np.sqrt(counts[patches.labels[here]])
            odds[here] = share * weight / weight.sum()
    return np.asarray(odds / odds.sum())


_KINDS = (
    ("photo:", "photo"), ("set-", "set"), ("drawn", "drawn"), ("painted", "back"), ("blank", "blank"),
    ("mistake", "mistake"),
)  # fmt: skip
"""How names of origins start, and their kinds; any other is a place without a tile."""


def _kind(origin: str) -> str:
    if origin == "photo:rendered":
        return "rendered"
    if origin == "photo:sheet":
        return "sheet"
    for start, kind in _KINDS:
        if origin.startswith(start):
            return kind
    return "nothing"


def train_reader(options: argparse.Namespace) -> None:
    """Train on the patches that the options name, then measure on the tile sets held out, if any."""
    torch.manual_seed(options.seed)
    patches = gather_patches(options, np.random.default_rng(options.seed))
    odds = sampling_odds(patches)
    belief = np.log(patches.turns + 1e-9).clip(-30)
    known = patches.turns.max(1) > 0.99
    loss_of = np.ones(len(odds), np.float32)  # of each patch, when it was last shown
    model = TileReader().to(device()).to(memory_format=torch.channels_last)

    def learn(rng: np.random.Generator) -> tuple[Tensor, dict[str, float]]:
        # misread patches come again sooner; above `HARDEST` the label is probably wrong
        urge = odds * (0.25 + loss_of.clip(0, HARDEST))
        chosen = rng.choice(len(odds), options.batch, p=urge / urge.sum())
        turns = rng.integers(0, 4, options.batch)
        crops = np.stack(
            [draw_crop(patches.pixels[i], int(t), rng) for i, t in zip(chosen, turns, strict=True)]
        )
        pixels = torch.from_numpy(crops).permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last)
        labels = torch.from_numpy(patches.labels[chosen]).to(device())
        face, turn = model(pixels.to(device()).float())
        losses = functional.cross_entropy(face, labels, reduction="none")
        loss_of[chosen] = losses.detach().float().cpu().numpy()
        face_loss = losses.clamp(max=HOPELESS).mean()
        # undo the random turn, to compare with the rotation of the stored patch
        stored = torch.stack([row.roll(-int(t)) for row, t in zip(turn.log_softmax(1), turns, strict=True)])
        turn_loss = _rotation_loss(stored, torch.from_numpy(belief[chosen]).to(device()))
        if known.any():
            loose = ~known[chosen]
            news = stored.detach().float().cpu().numpy()[loose]
            belief[chosen[loose]] = (0.9 * belief[chosen[loose]] + 0.5 * news).clip(-30)
        right = (face.argmax(1) == labels).float().mean().item()
        figures = {
            "face": round(face_loss.item(), 4),
            "turn": round(turn_loss.item(), 4),
            "right": round(right, 3),
        }
        return face_loss + 0.3 * turn_loss, figures

    average = train("reader", model, learn, options)
    if options.hold_out:
        report_held_out(average, options)


def _rotation_loss(stored: Tensor, belief: Tensor) -> Tensor:
    """Return the cross entropy to the believed rotations, each tile weighted by how sure its rotation is."""
    target = belief.softmax(1).float()
    sure = (target.max(1).values - 0.25) / 0.75
    return -(target * stored).sum(1).mul(sure).sum() / sure.sum().clamp(min=1)


@torch.no_grad()
def report_held_out(model: nn.Module, options: argparse.Namespace) -> None:
    """Append the accuracy on the held-out tile sets to `held-out.jsonl` in the run folder."""
    crops = tile_crop_patches(options.tile_crops)
    with (options.run / "held-out.jsonl").open("a", encoding="utf-8") as out:
        for name in options.hold_out:
            here = crops.origin == name
            pixels = np.stack([plain_crop(patch) for patch in crops.pixels[here]])
            face, _ = model(torch.from_numpy(pixels).permute(0, 3, 1, 2).float())
            right = (face.argmax(1).numpy() == crops.labels[here]).sum()
            print(
                json.dumps({"set": name, "right": int(right), "tiles": int(here.sum())}), file=out, flush=True
            )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `python -m models.training reader`."""
    add_training_arguments(parser, batch=64, rate=2e-3)
    parser.add_argument("--tile-crops", type=Path, help="labels.jsonl of single-tile crops")
    parser.add_argument(
        "--hold-out", nargs="*", default=[], help="tile sets to leave out of training and measure on"
    )
    parser.add_argument("--drawn", type=int, default=0, help="number of drawn tiles to add")
    parser.set_defaults(main=train_reader)
