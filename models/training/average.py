"""The mean of the averaged weights of several checkpoints of one training that went on from another.

One way to keep what each of two stages of a training is good at without running two networks (Wortsman et al., "Model
soups", 2022).
"""

import argparse
from pathlib import Path

import torch

from models.training.loop import record_command
from models.training.reader import TileReader, report_held_out


def average(options: argparse.Namespace) -> None:
    """Write the mean of `options.checkpoints` as a checkpoint of the same name in `options.run`.

    A mean of readers is then measured on the tile sets held out of them, if any are named.
    """
    states = [torch.load(path, map_location="cpu", weights_only=True) for path in options.checkpoints]
    weights = [state["average"] for state in states]
    mean = {
        name: torch.stack([one[name] for one in weights]).mean(0) if first.is_floating_point() else first
        for name, first in weights[0].items()
    }
    options.run.mkdir(parents=True, exist_ok=True)
    torch.save({**states[-1], "model": mean, "average": mean}, options.run / options.checkpoints[-1].name)
    record_command(options.run, options.checkpoints[-1])
    if options.hold_out:
        reader = TileReader()
        reader.load_state_dict(mean)
        report_held_out(reader.eval(), options)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `python -m models.training average`."""
    parser.add_argument("checkpoints", type=Path, nargs="+", help="checkpoints of one network")
    parser.add_argument("--run", type=Path, required=True, help="folder for the mean")
    parser.add_argument("--tile-crops", type=Path, help="labels.jsonl of single-tile crops to measure on")
    parser.add_argument(
        "--hold-out", nargs="*", default=[], help="tile sets that no checkpoint was trained on"
    )
    parser.set_defaults(main=average)
