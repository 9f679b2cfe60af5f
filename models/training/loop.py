"""What both trainings share: the loop with its schedule, averaged weights and resumable checkpoints."""

import argparse
import copy
import json
import math
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models.training.backbones import freeze_batch_norm
from vision.output_files import atomic_write

Learn = Callable[[np.random.Generator], tuple[Tensor, dict[str, float]]]
"""Draws one batch and returns its loss and the figures to log."""


class Average:
    """An exponential moving average of a model's weights, the version that is exported."""

    def __init__(self, model: nn.Module, decay: float = 0.998) -> None:
        """Start from the model as it is."""
        self.model = copy.deepcopy(model).eval()
        self.decay = decay
        self.updates = 0

    @torch.no_grad()
    def update(self, model: nn.Module) -> None:
        """Move towards the model's present weights, faster at the beginning."""
        self.updates += 1
        decay = min(self.decay, self.updates / (self.updates + 10))
        for mine, theirs in zip(self.model.state_dict().values(), model.state_dict().values(), strict=True):
            if mine.dtype.is_floating_point:
                mine.lerp_(theirs, 1 - decay)
            else:
                mine.copy_(theirs)


def device() -> torch.device:
    """Return the GPU where there is one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(name: str, model: nn.Module, learn: Learn, options: argparse.Namespace) -> nn.Module:
    """Train `model` (its `trunk` at a lower rate), going on from the checkpoint in `options.run` if there is one.

    Every step draws its random numbers from the seed and its own number, so that a stopped run goes on as it would
    have. Returns the averaged model.
    """
    trunk = [weight for part, weight in model.named_parameters() if part.startswith("trunk.")]
    heads = [weight for part, weight in model.named_parameters() if not part.startswith("trunk.")]
    rates = (0.3 * options.rate, options.rate)
    groups = [{"params": part, "lr": rate} for part, rate in zip((trunk, heads), rates, strict=True)]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    average = Average(model)
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
            loss, figures = learn(np.random.default_rng((options.seed, step)))
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            average.update(model)
            if step % 20 == 0:
                print(
                    json.dumps({"step": step, **figures, "s": round(time.monotonic() - began)}),
                    file=log,
                    flush=True,
                )
            if step % 100 == 99 or step == last - 1:
                save_checkpoint(checkpoint, step + 1, model, optimiser, average)
    return average.model


def add_training_arguments(parser: argparse.ArgumentParser, *, batch: int, rate: float) -> None:
    """Declare the options that both trainings have."""
    parser.add_argument("--labels", type=Path, nargs="+", required=True, help="labels.jsonl files of photos")
    parser.add_argument("--run", type=Path, required=True, help="folder for checkpoint and log")
    parser.add_argument("--init", type=Path, help="checkpoint to start from")
    parser.add_argument("--steps", type=int, default=3000, help="length of the learning-rate schedule")
    parser.add_argument("--stop", type=int, help="stop after this step of the schedule")
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument(
        "--rate", type=float, default=rate, help="learning rate of the heads; the trunk's is 0.3 of it"
    )
    parser.add_argument("--seed", type=int, default=1)


def cosine(step: int, steps: int, warm_up: int) -> float:
    """Return the factor on the learning rate: linear warm-up, then half a cosine down to 1 %.

    >>> [round(cosine(step, 1200, 200), 3) for step in (0, 199, 200, 700, 1200)]
    [0.005, 1.0, 1.0, 0.505, 0.01]
    """
    if step < warm_up:
        return (step + 1) / warm_up
    done = (step - warm_up) / max(steps - warm_up, 1)
    return 0.01 + 0.99 * (1 + math.cos(math.pi * done)) / 2


def save_checkpoint(
    path: Path, step: int, model: nn.Module, optimiser: torch.optim.Optimizer, average: Average
) -> None:
    """Write everything needed to go on after `step`, replacing the old file in one move."""
    state = {
        "step": step,
        "model": model.state_dict(),
        "optimiser": optimiser.state_dict(),
        "average": average.model.state_dict(),
        "updates": average.updates,
    }
    with atomic_write(path, durable=True) as file:
        torch.save(state, file)


def load_checkpoint(
    path: Path, model: nn.Module, optimiser: torch.optim.Optimizer | None, average: Average
) -> int:
    """Load a checkpoint if there is one and return the step to go on with; without optimiser take weights only."""
    if not path.exists():
        return 0
    state = torch.load(path, map_location="cpu", weights_only=True)
    if optimiser is None:
        model.load_state_dict(state["average"])
        average.model.load_state_dict(state["average"])
        return 0
    model.load_state_dict(state["model"])
    optimiser.load_state_dict(state["optimiser"])
    average.model.load_state_dict(state["average"])
    average.updates = state["updates"]
    return int(state["step"])


def start_from(path: Path, model: nn.Module, average: Average) -> None:
    """Take over the averaged weights of another run, as far as its network had the same layers."""
    weights = torch.load(path, map_location="cpu", weights_only=True)["average"]
    shapes = {name: weight.shape for name, weight in model.state_dict().items()}
    known = {name: weight for name, weight in weights.items() if shapes.get(name) == weight.shape}
    for version in (model, average.model):
        version.load_state_dict(known, strict=False)


def record_command(run: Path, init: Path | None) -> None:
    """Write the command line of this training to `commands.txt` in the run folder, after those of `init`'s run."""
    earlier = recorded_commands(init.parent) if init else []
    here = shlex.join(["python", "-m", "models.training", *sys.argv[1:]])
    (run / "commands.txt").write_text("\n".join([*earlier, here]) + "\n", encoding="utf-8")


def recorded_commands(run: Path) -> list[str]:
    """Return the command lines that made the checkpoint in a run folder, first to last."""
    return (run / "commands.txt").read_text(encoding="utf-8").splitlines()
