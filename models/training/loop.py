"""The training loop of both networks: learning-rate schedule, averaged weights and resumable checkpoints."""

import argparse
import json
import math
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel

from models.training.backbones import freeze_batch_norm
from vision.output_files import atomic_write

LARGEST_WEIGHT = 64
"""Weights of seven bits are whole numbers up to this, times the scale of their channel."""

Learn = Callable[[np.random.Generator], tuple[Tensor, dict[str, float]]]
"""Draws one batch with these random numbers; returns its loss and the figures to log."""


def averaged(model: nn.Module) -> AveragedModel:
    """Start an exponential moving average of the model's weights, which is the version that is exported."""
    average = AveragedModel(model, avg_fn=_move, use_buffers=True).eval()
    average.n_averaged.fill_(1)  # the first update moves the weights instead of replacing them
    return average


def _move(average: Tensor, weight: Tensor, updates: Tensor) -> Tensor:
    """Return the average moved towards the weight, faster during the first updates."""
    if not average.is_floating_point():
        return weight
    decay = min(0.998, int(updates) / (int(updates) + 10))
    return average.lerp(weight, 1 - decay)


def device() -> torch.device:
    """Return the GPU if there is one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(name: str, model: nn.Module, learn: Learn, options: argparse.Namespace) -> nn.Module:
    """Train a model, its `trunk` at a lower rate, and return the averaged model.

    Training resumes from the checkpoint in `options.run`, if there is one. Each step seeds its random numbers with the
    seed and the step's number, so that a resumed run ends like an uninterrupted one.
    """
    trunk = [weight for part, weight in model.named_parameters() if part.startswith("trunk.")]
    heads = [weight for part, weight in model.named_parameters() if not part.startswith("trunk.")]
    rates = (0.3 * options.rate, options.rate)
    groups = [{"params": part, "lr": rate} for part, rate in zip((trunk, heads), rates, strict=True)]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    average = averaged(model)
    options.run.mkdir(parents=True, exist_ok=True)
    record_command(options.run, options.init)
    checkpoint = options.run / f"{name}.pt"
    start = load_checkpoint(checkpoint, model, optimiser, average)
    if start == 0 and options.init:
        start_from(options.init, model, average)
    last = min(options.stop or options.steps, options.steps)
    began = time.monotonic()
    with (options.run / f"{name}.log.jsonl").open("a", encoding="utf-8") as log:
        for step in range(start, last):
            for group, rate in zip(optimiser.param_groups, rates, strict=True):
                group["lr"] = rate * cosine(step, options.steps, warm_up=200)
            model.train()
            freeze_batch_norm(model.trunk)
            optimiser.zero_grad()
            with rounded(model) if options.rounded else nullcontext():
                loss, figures = learn(np.random.default_rng((options.seed, step)))
                loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            average.update_parameters(model)
            if step % 20 == 0:
                print(
                    json.dumps({"step": step, **figures, "s": round(time.monotonic() - began)}),
                    file=log,
                    flush=True,
                )
            if step % 100 == 99 or step == last - 1:
                save_checkpoint(checkpoint, step + 1, model, optimiser, average)
    return average.module


@contextmanager
def rounded(model: nn.Module) -> Iterator[None]:
    """Round the weights of all convolutions as the export will, and give them back.

    Gradients taken meanwhile are those of the rounded weights, so that a network learns to do without what rounding
    takes away (Courbariaux et al., "BinaryConnect", 2015). Each output channel has its own scale, as in
    `models.training.quantise`.
    """
    weights = [layer.weight for layer in model.modules() if isinstance(layer, nn.Conv2d)]
    exact = [weight.detach().clone() for weight in weights]
    with torch.no_grad():
        for weight in weights:
            scale = weight.abs().amax((1, 2, 3), keepdim=True).clamp(min=1e-12) / LARGEST_WEIGHT
            weight.copy_((weight / scale).round() * scale)
    try:
        yield
    finally:
        with torch.no_grad():
            for weight, before in zip(weights, exact, strict=True):
                weight.copy_(before)


def add_training_arguments(parser: argparse.ArgumentParser, *, batch: int, rate: float) -> None:
    """Declare the options that both networks share."""
    parser.add_argument("--labels", type=Path, nargs="+", required=True, help="labels.jsonl files of photos")
    parser.add_argument("--run", type=Path, required=True, help="folder for checkpoint and log")
    parser.add_argument("--init", type=Path, help="checkpoint to start from")
    parser.add_argument("--steps", type=int, default=3000, help="length of the learning-rate schedule")
    parser.add_argument("--stop", type=int, help="stop after this step of the schedule")
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument(
        "--rate",
        type=float,
        default=rate,
        help="learning rate of the heads; that of the trunk is 0.3 times this",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounded", action="store_true", help="learn with weights rounded as in the export")


def cosine(step: int, steps: int, warm_up: int) -> float:
    """Return the factor of the learning rate: a linear warm-up, then half a cosine down to 1 %.

    >>> [round(cosine(step, 1200, 200), 3) for step in (0, 199, 200, 700, 1200)]
    [0.005, 1.0, 1.0, 0.505, 0.01]
    """
    if step < warm_up:
        return (step + 1) / warm_up
    done = (step - warm_up) / max(steps - warm_up, 1)
    return 0.01 + 0.99 * (1 + math.cos(math.pi * done)) / 2


def save_checkpoint(
    path: Path, step: int, model: nn.Module, optimiser: torch.optim.Optimizer, average: AveragedModel
) -> None:
    """Write everything that is needed to resume after `step`, replacing the old file in one step."""
    state = {
        "step": step,
        "model": model.state_dict(),
        "optimiser": optimiser.state_dict(),
        "average": average.module.state_dict(),
        "updates": int(average.n_averaged) - 1,
    }
    with atomic_write(path, durable=True) as file:
        torch.save(state, file)


def load_checkpoint(
    path: Path, model: nn.Module, optimiser: torch.optim.Optimizer, average: AveragedModel
) -> int:
    """Load a checkpoint, if there is one, and return the next step."""
    if not path.exists():
        return 0
    state = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(state["model"])
    optimiser.load_state_dict(state["optimiser"])
    average.module.load_state_dict(state["average"])
    average.n_averaged.fill_(state["updates"] + 1)
    return int(state["step"])


def load_average(path: Path, model: nn.Module) -> None:
    """Load the averaged weights of a checkpoint. Raises FileNotFoundError."""
    if not path.exists():
        raise FileNotFoundError(f"there is no checkpoint {path}: train the network first")
    model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True)["average"])


def start_from(path: Path, model: nn.Module, average: AveragedModel) -> None:
    """Load the averaged weights of another run into the layers that both networks have."""
    weights = torch.load(path, map_location="cpu", weights_only=True)["average"]
    shapes = {name: weight.shape for name, weight in model.state_dict().items()}
    known = {name: weight for name, weight in weights.items() if shapes.get(name) == weight.shape}
    for version in (model, average.module):
        version.load_state_dict(known, strict=False)


def record_command(run: Path, init: Path | None) -> None:
    """Write the commands that made `init`, and this one after them, to `commands.txt` in the run folder."""
    earlier = recorded_commands(init.parent) if init else []
    (run / "commands.txt").write_text("\n".join([*earlier, this_command()]) + "\n", encoding="utf-8")


def this_command() -> str:
    """Return the command line of this stage."""
    return shlex.join(["python", "-m", "models.training", *sys.argv[1:]])


def recorded_commands(run: Path) -> list[str]:
    """Return the commands that made the checkpoint in a run folder, in order."""
    return (run / "commands.txt").read_text(encoding="utf-8").splitlines()
