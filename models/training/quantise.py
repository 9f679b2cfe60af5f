"""Quantised networks: weights of seven bits and activations of eight instead of floats, which is twice as fast.

The ranges are measured on training pictures. Weights have seven bits, not eight, so that sums of products fit the
registers of every processor and all processors give the same answer (Jacob et al., "Quantization and Training of Neural
Networks for Efficient Integer-Arithmetic-Only Inference", 2018; `reduce_range` of onnxruntime).
"""

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from vision.networks.runtime import quantization_tools
from vision.tiles import Pixels

_TOOLS = quantization_tools()
_CalibrationDataReader: Any = _TOOLS.CalibrationDataReader

_INSIDE = ["Conv", "Clip", "Add", "Resize", "Concat", "GlobalAveragePool"]
"""Operations to quantise; the layers after the last convolutions keep floats."""


class _Feed(_CalibrationDataReader):
    def __init__(self, examples: Iterable[Pixels]) -> None:
        self._rest = iter(examples)

    def get_next(self) -> dict[str, NDArray[np.uint8]] | None:
        example = next(self._rest, None)
        return None if example is None else {"pixels": example}


def quantise(path: Path, examples: Iterable[Pixels], in_floats: Iterable[str] = ()) -> onnx.ModelProto:
    """Return the network of an ONNX file, quantised.

    `examples` are the inputs (uint8) on which the ranges are measured. Nodes whose name starts with one of `in_floats`
    keep floats. The input of the network must be `pixels` (uint8), cast to floats right before the first convolution;
    raises ValueError otherwise.
    """
    with tempfile.TemporaryDirectory() as folder:
        tidy, whole = Path(folder, "tidy.onnx"), Path(folder, "whole.onnx")
        _TOOLS.quant_pre_process(path, tidy, skip_symbolic_shape=True)
        kept = [
            node.name
            for node in onnx.load(str(tidy)).graph.node
            if any(node.name.startswith(start) for start in in_floats)
        ]
        _TOOLS.quantize_static(
            tidy, whole, _Feed(examples), quant_format=_TOOLS.QuantFormat.QDQ, op_types_to_quantize=_INSIDE,
            nodes_to_exclude=kept, per_channel=True, reduce_range=True,
            activation_type=_TOOLS.QuantType.QUInt8, weight_type=_TOOLS.QuantType.QInt8,
        )  # fmt: skip
        network = onnx.load(str(whole))
    _take_pixels_as_they_are(network.graph)
    return network


def _take_pixels_as_they_are(graph: onnx.GraphProto) -> None:
    """Remove the detour of the pixels through floats: they are integers of eight bits already."""
    cast = next(node for node in graph.node if node.op_type == "Cast")
    to_whole = next(node for node in graph.node if cast.output[0] in node.input)
    to_floats = next(node for node in graph.node if to_whole.output[0] in node.input)
    if (to_whole.op_type, to_floats.op_type) != ("QuantizeLinear", "DequantizeLinear"):
        raise ValueError("the pixels are not cast to floats right before the first convolution")
    graph.initializer.append(numpy_helper.from_array(np.array(1, np.float32), "pixel_scale"))
    graph.initializer.append(numpy_helper.from_array(np.array(0, np.uint8), "pixel_zero"))
    del to_floats.input[:]
    to_floats.input.extend([cast.input[0], "pixel_scale", "pixel_zero"])
    graph.node.remove(cast)
    graph.node.remove(to_whole)
    for number in [each for each in graph.initializer if each.name in to_whole.input]:
        graph.initializer.remove(number)  # onnxruntime warns about unused numbers
