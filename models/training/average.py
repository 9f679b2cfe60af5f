"""Average the weights of several checkpoints of one network.

The average of two stages of a training keeps the strengths of both at the cost of one network (Wortsman et al., "Model
soups", 2022).
"""

import argparse
from pathlib import Path

import torch

from models.training.loop import record_command
from models.training.reader import TileReader, report_held_out


def average(options: argparse.Namespace) -> None:
    """Write the average of `options.checkpoints` to `options.run`, under the name of the last checkpoint.

    If `options.hold_out` names tile sets, the averaged reader is then measured on them.
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
    parser.add_argument("--run", type=Path, required=True, help="folder for the average")
    parser.add_argument("--tile-crops", type=Path, help="labels.jsonl of single-tile crops to measure on")
    parser.add_argument(
        "--hold-out",
        nargs="*",
        default=[],
        help="tile sets to measure on, which no checkpoint was trained on",
    )
    parser.set_defaults(main=average)
