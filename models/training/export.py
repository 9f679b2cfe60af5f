"""Write the trained networks as ONNX files and the manifest, after comparing them with torch.

Each graph takes uint8 pixels, normalises them in its first convolution, and is quantised up to the last layers. The
ONNX metadata hold class list, version and input.
"""

import argparse
import hashlib
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from onnx import helper
from torch import Tensor, nn
from torch.nn import functional

from models.manifest import FOLDER, load_manifest
from models.training.calibration import calibration_pictures
from models.training.detector import STRIDE, TileDetector
from models.training.labels import read_training_photos
from models.training.loop import load_average, recorded_commands, rounded
from models.training.quantise import quantise
from models.training.reader import TileReader
from vision.networks.reader import CROP, FACE
from vision.networks.runtime import InferenceSession
from vision.tiles import CLASSES, Pixels

DETECTOR_CLASSES = ("face", "back")
_PHOTOS_PER_FILE = 60
"""How many photos of each labels file are used to measure ranges."""
_IN_FLOATS = {"detector": ("/detector/tell/tell.1",), "reader": ("/face", "/reader/turn")}
"""The last layers of each network, which keep floats: how the names of their nodes start."""
_LARGEST_ERROR = 0.1
"""The largest median difference from torch, as a share of the spread of the values."""


class ExportedDetector(nn.Module):
    """From uint8 pixels (N×H×W×3) to the peaks of the centre heatmap and the geometry."""

    def __init__(self, detector: TileDetector) -> None:
        """Wrap a trained detector, and change its trunk."""
        super().__init__()
        self.detector = detector
        detector.trunk.take_pixels()

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Return peaks (N×2×h×w, 0 to 1, 0 beside a peak) and geometry (N×6×h×w, in strides)."""
        logits, geometry = self.detector(pixels.permute(0, 3, 1, 2))
        heat = logits.sigmoid()
        best = heat.amax(1, keepdim=True)
        highest = functional.max_pool2d(best, 3, stride=1, padding=1)
        return heat * (best >= highest).float(), geometry


class ExportedReader(nn.Module):
    """From uint8 crops (N×64×64×3) to calibrated probabilities of classes and rotations, and features."""

    def __init__(self, reader: TileReader, temperature: float) -> None:
        """Wrap a trained reader, and change its trunk and face head; face logits are divided by `temperature`."""
        super().__init__()
        reader.trunk.take_pixels()
        self.face, reader.face = reader.face, nn.Identity()
        self.reader, self.temperature = reader, temperature

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return face probabilities (N×44), rotation probabilities (N×4) and the input of the face head (N×432).

        `vision.tilesets` compares tiles with the references of a tile set by the last.
        """
        features, turn = self.reader(crops.permute(0, 3, 1, 2))
        return (self.face(features) / self.temperature).softmax(1), turn.softmax(1), features


def export(options: argparse.Namespace) -> None:
    """Export the networks given and write `models/manifest.json`, in which a network not given stays as it is."""
    rng = np.random.default_rng(0)
    photos = []
    for labels in options.labels:
        every = read_training_photos(labels, "train")
        chosen = rng.permutation(len(every))[:_PHOTOS_PER_FILE]
        photos += [every[index] for index in sorted(chosen)]
    pictures, crops = calibration_pictures(photos, rng)
    rows = {model.name: model.to_json() for model in load_manifest().models}
    if options.detector:
        detector = TileDetector()
        load_average(options.detector, detector)
        rows["detector"] = _write(
            "detector", ExportedDetector(detector).eval(), pictures, ("peaks", "geometry"), DETECTOR_CLASSES, options,
            {"input": "uint8 RGB pixels 1×H×W×3, H and W multiples of 16", "stride": str(STRIDE)},
        )  # fmt: skip
    if options.reader:
        reader = TileReader()
        load_average(options.reader, reader)
        rows["reader"] = _write(
            "reader", ExportedReader(reader, options.temperature).eval(), crops, ("faces", "turns", "features"),
            CLASSES, options,
            {
                "input": f"uint8 RGB crops N×{CROP}×{CROP}×3, the face in the middle {FACE}",
                "temperature": str(options.temperature),
            },
        )  # fmt: skip
    text = json.dumps({"models": list(rows.values())}, ensure_ascii=False, indent=2)
    (FOLDER / "manifest.json").write_text(text + "\n", encoding="utf-8")
    print(text)


def _write(
    name: str,
    module: nn.Module,
    examples: Sequence[Pixels],
    outputs: tuple[str, ...],
    classes: tuple[str, ...],
    options: argparse.Namespace,
    notes: dict[str, str],
) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        floats = Path(folder, "floats.onnx")
        _export_floats(name, module, examples[0], outputs, floats)
        network = quantise(floats, examples, _IN_FLOATS[name])
    helper.set_model_props(
        network,
        {
            "name": name,
            "version": options.version,
            "classes": json.dumps(classes, ensure_ascii=False),
            **notes,
        },
    )
    content = network.SerializeToString()
    _compare(module, examples[-1], content)
    path = FOLDER / f"{name}.onnx"
    path.write_bytes(content)
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


def _export_floats(
    name: str, module: nn.Module, example: Pixels, outputs: tuple[str, ...], path: Path
) -> None:
    free = {"pixels": {0: "n"}} if name == "reader" else {"pixels": {1: "height", 2: "width"}}
    free |= {output: {0: "n"} if name == "reader" else {2: "h", 3: "w"} for output in outputs}
    torch.onnx.export(
        module, (torch.from_numpy(example),), str(path), input_names=["pixels"], output_names=list(outputs),
        dynamic_axes=free, opset_version=17, dynamo=False,
    )  # fmt: skip


@torch.no_grad()
def _compare(module: nn.Module, example: Pixels, content: bytes) -> None:
    """Raise ValueError if onnxruntime differs from torch with rounded weights by more than quantisation explains."""
    session = InferenceSession(content, providers=["CPUExecutionProvider"])
    theirs = session.run(None, {"pixels": example})
    with rounded(module):
        answers = module(torch.from_numpy(example))
    for ours, other in zip(answers, theirs, strict=True):
        spread = float(ours.std()) + 1e-6
        error = float(np.median(np.abs(ours.numpy() - other))) / spread
        if error > _LARGEST_ERROR:
            raise ValueError(f"the median difference of onnxruntime and torch is {error:.2f} of the spread")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `python -m models.training export`."""
    parser.add_argument("--detector", type=Path, help="checkpoint of the detector")
    parser.add_argument("--reader", type=Path, help="checkpoint of the reader")
    parser.add_argument(
        "--labels",
        type=Path,
        nargs="+",
        required=True,
        help="labels.jsonl files of photos to measure ranges on",
    )
    parser.add_argument("--version", required=True, help="version to write to the files")
    parser.add_argument(
        "--temperature",
        type=float,
        default=1.0,
        help="divides the face logits (above 1: softer)",
    )
    parser.add_argument("--metrics", help="JSON file {network: {metric: value}} to copy to the manifest")
    parser.set_defaults(main=export)
