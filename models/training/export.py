"""Write the trained networks as ONNX files and list them in the manifest, after checking them against torch.

The graph takes uint8 pixels and does its own normalising; class list, version and preprocessing stand in the ONNX
metadata. Weights are stored as float16 and computed as float32.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from models.manifest import FOLDER
from models.training.detector import STRIDE, TileDetector
from models.training.loop import Average, load_checkpoint, recorded_commands
from models.training.reader import TileReader
from vision.read import CROP, FACE
from vision.tiles import CLASSES

DETECTOR_CLASSES = ("face", "back")


class ExportedDetector(nn.Module):
    """uint8 pixels N×H×W×3 to the peaks of the centre heatmap (elsewhere 0) and the geometry."""

    def __init__(self, detector: TileDetector) -> None:
        """Wrap a trained detector."""
        super().__init__()
        self.detector = detector

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Return peaks N×2×h×w (0 to 1) and geometry N×6×h×w in strides."""
        logits, geometry = self.detector(pixels.permute(0, 3, 1, 2).float())
        heat = logits.sigmoid()
        best = heat.amax(1, keepdim=True)
        highest = functional.max_pool2d(best, 3, stride=1, padding=1)
        return heat * (best >= highest).float(), geometry


class ExportedReader(nn.Module):
    """uint8 crops N×64×64×3 to calibrated probabilities of the classes, of the four rotations, and features."""

    def __init__(self, reader: TileReader, temperature: float) -> None:
        """Wrap a trained reader, taking its face head over; face logits are divided by the temperature."""
        super().__init__()
        self.face, reader.face = reader.face, nn.Identity()
        self.reader, self.temperature = reader, temperature

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return face probabilities N×44, rotation probabilities N×4 and what the face head sees, N×432.

        `vision.tileset` tells the faces of a set it was shown apart by the last.
        """
        features, turn = self.reader(crops.permute(0, 3, 1, 2).float())
        return (self.face(features) / self.temperature).softmax(1), turn.softmax(1), features


def export(options: argparse.Namespace) -> None:
    """Export both networks and write `models/manifest.json`."""
    detector, reader = TileDetector(), TileReader()
    for path, model in ((options.detector, detector), (options.reader, reader)):
        if not path.exists():
            raise FileNotFoundError(f"no checkpoint {path}: train first")
        load_checkpoint(path, model, None, Average(model))
    rng = np.random.default_rng(0)
    scene = torch.from_numpy(rng.integers(0, 256, (1, 256, 320, 3), dtype=np.uint8))
    crops = torch.from_numpy(rng.integers(0, 256, (5, CROP, CROP, 3), dtype=np.uint8))
    rows = [
        _write(
            "detector", ExportedDetector(detector).eval(), scene, ("peaks", "geometry"), DETECTOR_CLASSES, options,
            {"input": "uint8 RGB pixels 1×H×W×3, H and W multiples of 16", "stride": str(STRIDE)},
        ),
        _write(
            "reader", ExportedReader(reader, options.temperature).eval(), crops, ("faces", "turns", "features"),
            CLASSES, options,
            {
                "input": f"uint8 RGB crops N×{CROP}×{CROP}×3, the face in the middle {FACE}",
                "temperature": str(options.temperature),
            },
        ),
    ]  # fmt: skip
    text = json.dumps({"models": rows}, ensure_ascii=False, indent=2)
    (FOLDER / "manifest.json").write_text(text + "\n", encoding="utf-8")
    print(text)


def _write(
    name: str,
    module: nn.Module,
    example: Tensor,
    outputs: tuple[str, ...],
    classes: tuple[str, ...],
    options: argparse.Namespace,
    notes: dict[str, str],
) -> dict[str, object]:
    dynamic = {0: "n"} if name == "reader" else {1: "height", 2: "width"}
    path = FOLDER / f"{name}.onnx"
    torch.onnx.export(
        module, (example,), str(path), input_names=["pixels"], output_names=list(outputs),
        dynamic_axes={"pixels": dynamic, **{o: {0: "n"} if name == "reader" else {2: "h", 3: "w"} for o in outputs}},
        opset_version=17, dynamo=False,
    )  # fmt: skip
    graph = onnx.load(str(path))
    _store_weights_as_float16(graph)
    helper.set_model_props(
        graph,
        {
            "name": name,
            "version": options.version,
            "classes": json.dumps(classes, ensure_ascii=False),
            **notes,
        },
    )
    onnx.save(graph, str(path))
    content = path.read_bytes()
    _compare(module, example, content)
    return {
        "name": name,
        "version": options.version,
        "file": path.name,
        "sha256": hashlib.sha256(content).hexdigest(),
        "classes": list(classes),
        "input": notes["input"],
        "metrics": json.loads(Path(options.metrics).read_text())[name] if options.metrics else {},
        "commands": recorded_commands(getattr(options, name).parent),
    }


def _store_weights_as_float16(graph: onnx.ModelProto) -> None:
    kept, casts = [], []
    for weight in graph.graph.initializer:
        values = numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < 256:
            kept.append(weight)
            continue
        small = numpy_helper.from_array(values.astype(np.float16), f"{weight.name}_half")
        kept.append(small)
        casts.append(helper.make_node("Cast", [small.name], [weight.name], to=TensorProto.FLOAT))
    del graph.graph.initializer[:]
    graph.graph.initializer.extend(kept)
    nodes = [*casts, *graph.graph.node]
    del graph.graph.node[:]
    graph.graph.node.extend(nodes)


@torch.no_grad()
def _compare(module: nn.Module, example: Tensor, content: bytes) -> None:
    """Raise `ValueError` if onnxruntime and torch disagree by more than float16 storage explains."""
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    theirs = session.run(None, {"pixels": example.numpy()})
    for ours, other in zip(module(example), theirs, strict=True):
        error = float(np.median(np.abs(ours.numpy() - other)))
        if error > 0.02:
            raise ValueError(f"onnxruntime and torch differ by {error} at the median")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `python -m models.training export`."""
    parser.add_argument("--detector", type=Path, required=True, help="checkpoint of the detector")
    parser.add_argument("--reader", type=Path, required=True, help="checkpoint of the reader")
    parser.add_argument("--version", required=True, help="version to write into the files")
    parser.add_argument("--temperature", type=float, default=1.0, help="softens (>1) the face probabilities")
    parser.add_argument("--metrics", help="JSON file {model: {metric: value}} to put into the manifest")
    parser.set_defaults(main=export)
