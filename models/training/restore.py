"""Turn the ONNX files that ship back into checkpoints, so that training can go on without the runs that made them.

Weights come back as they were quantised. Batch normalisation was folded into the convolutions: each one gets back the
scales of the pretrained network, so that a learning rate means the same to every channel.
"""

import argparse
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from models.manifest import load_manifest
from models.training.backbones import IMAGENET_MEAN, IMAGENET_STD
from models.training.detector import TileDetector
from models.training.loop import this_command
from models.training.reader import TileReader

NETWORKS: dict[str, type[nn.Module]] = {"detector": TileDetector, "reader": TileReader}


class Weights:
    """The numbers of an ONNX graph by the name of the node that uses them."""

    def __init__(self, path: Path) -> None:
        """Read the file."""
        graph = onnx.load(str(path)).graph
        self._numbers = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
        self._makers = {output: node for node in graph.node for output in node.output}
        self._layers = [node for node in graph.node if node.op_type in ("Conv", "Gemm")]

    def __iter__(self) -> Iterator[tuple[str, Tensor, Tensor | None]]:
        """Each layer's path in the module, with its weight and bias."""
        for node in self._layers:
            values = [torch.from_numpy(self._value(name).astype(np.float32)) for name in node.input[1:]]
            yield path_of(node.name), values[0], values[1] if len(values) > 1 else None

    def _value(self, name: str) -> NDArray[np.generic]:
        """The numbers with this name, in floats if they were quantised."""
        if name in self._numbers:
            return self._numbers[name]
        whole, scale, zero = (self._numbers[each] for each in self._makers[name].input)
        shape = (-1,) + (1,) * (whole.ndim - 1)
        return (whole.astype(np.float32) - zero.reshape(shape)) * scale.reshape(shape)


def path_of(node: str) -> str:
    """The path in the network of the layer that a node was exported from.

    >>> path_of("/detector/trunk/stride4/stride4.0/stride4.0.0/convolution/Conv")
    'trunk.stride4.0.0'
    >>> path_of("/face/Gemm")
    'face'
    """
    parts: list[str] = []
    for part in node.strip("/").split("/")[:-1]:
        parts = parts[:-1] if parts and part.startswith(f"{parts[-1]}.") else parts
        parts.append(part)
    return ".".join(part for part in parts if part not in (*NETWORKS, "convolution"))


def restore_weights(name: str, path: Path) -> nn.Module:
    """Return the network `name` with the weights of an ONNX file. Raises ValueError if the file has other layers."""
    model = NETWORKS[name]().eval()
    # EfficientNet's convolutions hold a module for their padding.
    layers = [
        (where, layer) for where, layer in model.named_modules() if not where.endswith(".static_padding")
    ]
    following = {where: after for (where, _), (_, after) in pairwise(layers)}
    given = set()
    for where, weight, bias in Weights(path):
        layer = dict(layers).get(where)
        if not isinstance(layer, nn.Conv2d | nn.Linear) or layer.weight.shape != weight.shape:
            raise ValueError(
                f"{path} has a layer {where} of the shape {tuple(weight.shape)}, which {name} lacks"
            )
        given.add(where)
        first = where == _first(model)
        _put(
            layer, following.get(where), *(_without_normalisation(weight, bias) if first else (weight, bias))
        )
    missing = [
        where for where, layer in layers if isinstance(layer, nn.Conv2d | nn.Linear) and where not in given
    ]
    if missing:
        raise ValueError(f"{path} lacks the layers {', '.join(missing)}")
    return model


@torch.no_grad()
def _put(layer: nn.Conv2d | nn.Linear, after: nn.Module | None, weight: Tensor, bias: Tensor | None) -> None:
    """Give a layer its weight; a bias that it does not have belongs to the batch normalisation after it."""
    if bias is not None and layer.bias is None and isinstance(after, nn.BatchNorm2d):
        _unfold(layer, after, weight, bias)
        return
    layer.weight.copy_(weight)
    if layer.bias is not None and bias is not None:
        layer.bias.copy_(bias)


def _first(model: nn.Module) -> str:
    return next(where for where, layer in model.named_modules() if isinstance(layer, nn.Conv2d))


def _without_normalisation(weight: Tensor, bias: Tensor | None) -> tuple[Tensor, Tensor | None]:
    """Undo `PixelConvolution`: the first layer that takes normalised pixels."""
    mean, std = torch.tensor(IMAGENET_MEAN), torch.tensor(IMAGENET_STD)
    shifted = None if bias is None else bias + weight.sum((2, 3)) @ mean
    return weight * std.view(1, 3, 1, 1), shifted


def _unfold(layer: nn.Conv2d | nn.Linear, normalised: nn.BatchNorm2d, weight: Tensor, bias: Tensor) -> None:
    """Share a folded weight between a convolution, at its present scale, and its batch normalisation."""
    before = layer.weight.flatten(1).norm(dim=1)
    scale = weight.flatten(1).norm(dim=1) / before.clamp(min=1e-6)
    scale = torch.where(scale > 1e-6, scale, torch.ones_like(scale))
    layer.weight.copy_(weight / scale.view(-1, 1, 1, 1))
    normalised.weight.copy_(scale)
    normalised.bias.copy_(bias)
    normalised.running_mean.zero_()
    normalised.running_var.fill_(1 - normalised.eps)


def restore(options: argparse.Namespace) -> None:
    """Write `NETWORK.pt` and `commands.txt` to `options.run`."""
    shipped = load_manifest()[options.network]
    state = restore_weights(options.network, shipped.path).state_dict()
    options.run.mkdir(parents=True, exist_ok=True)
    torch.save(
        {"step": 0, "model": state, "average": state, "updates": 0}, options.run / f"{options.network}.pt"
    )
    commands = "\n".join([*shipped.commands, this_command()])
    (options.run / "commands.txt").write_text(commands + "\n", encoding="utf-8")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `python -m models.training restore`."""
    parser.add_argument("network", choices=sorted(NETWORKS))
    parser.add_argument("--run", type=Path, required=True, help="folder for the checkpoint")
    parser.set_defaults(main=restore)
