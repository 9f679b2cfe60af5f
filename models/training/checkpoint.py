"""What both trainings share: resumable checkpoints, averaged weights, the learning-rate schedule."""

import copy
import math
import shlex
import sys
from pathlib import Path

import torch
from torch import nn


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


def cosine(step: int, steps: int, warm_up: int) -> float:
    """Return the factor on the learning rate: linear warm-up, then half a cosine down to 1 %."""
    if step < warm_up:
        return (step + 1) / warm_up
    done = (step - warm_up) / max(steps - warm_up, 1)
    return 0.01 + 0.99 * (1 + math.cos(math.pi * done)) / 2


def save_checkpoint(
    path: Path, step: int, model: nn.Module, optimiser: torch.optim.Optimizer, average: Average
) -> None:
    """Write everything needed to go on after `step`, replacing the old file in one move."""
    partial = path.with_suffix(".partial")
    state = {
        "step": step,
        "model": model.state_dict(),
        "optimiser": optimiser.state_dict(),
        "average": average.model.state_dict(),
        "updates": average.updates,
    }
    torch.save(state, partial)
    partial.replace(path)


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


def record_command(run: Path, init: Path | None) -> None:
    """Write the command line of this training to `commands.txt` in the run folder, after those of `init`'s run."""
    earlier = recorded_commands(init.parent) if init else []
    here = shlex.join(["python", "-m", "models.training", *sys.argv[1:]])
    (run / "commands.txt").write_text("\n".join([*earlier, here]) + "\n", encoding="utf-8")


def recorded_commands(run: Path) -> list[str]:
    """Return the command lines that made the checkpoint in a run folder, first to last."""
    return (run / "commands.txt").read_text(encoding="utf-8").splitlines()
