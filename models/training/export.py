"""Write the trained networks as ONNX files and list them in the manifest, after checking them against torch.

The graph takes uint8 pixels, has the normalising in its first convolution, and works in whole numbers up to the last
layers; class list, version and input stand in the ONNX metadata.
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

from models.manifest import FOLDER
from models.training.calibration import calibration_pictures
from models.training.detector import STRIDE, TileDetector
from models.training.labels import Pixels, read_training_photos
from models.training.loop import Average, load_checkpoint, recorded_commands
from models.training.quantise import quantise
from models.training.reader import TileReader
from vision.networks.reader import CROP, FACE
from vision.networks.runtime import InferenceSession
from vision.tiles import CLASSES

DETECTOR_CLASSES = ("face", "back")
_PHOTOS_OF_A_FILE = 60
"""So many photos of each labels file are what ranges are measured on."""
_IN_FLOATS = {"detector": ("/detector/tell/tell.1",), "reader": ("/face", "/reader/turn")}
"""Last layers, whose output is the answer: how their nodes' names begin."""
_MOST_OFF = 0.1
"""By how much of their spread numbers may differ at the median from those of torch."""


class ExportedDetector(nn.Module):
    """uint8 pixels N×H×W×3 to the peaks of the centre heatmap (elsewhere 0) and the geometry."""

    def __init__(self, detector: TileDetector) -> None:
        """Wrap a trained detector, taking its trunk over."""
        super().__init__()
        self.detector = detector
        detector.trunk.take_pixels()

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Return peaks N×2×h×w (0 to 1) and geometry N×6×h×w in strides."""
        logits, geometry = self.detector(pixels.permute(0, 3, 1, 2))
        heat = logits.sigmoid()
        best = heat.amax(1, keepdim=True)
        highest = functional.max_pool2d(best, 3, stride=1, padding=1)
        return heat * (best >= highest).float(), geometry


class ExportedReader(nn.Module):
    """uint8 crops N×64×64×3 to calibrated probabilities of the classes, of the four rotations, and features."""

    def __init__(self, reader: TileReader, temperature: float) -> None:
        """Wrap a trained reader, taking its trunk and face head over; face logits are divided by the temperature."""
        super().__init__()
        reader.trunk.take_pixels()
        self.face, reader.face = reader.face, nn.Identity()
        self.reader, self.temperature = reader, temperature

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return face probabilities N×44, rotation probabilities N×4 and what the face head sees, N×432.

        `vision.tilesets` tells the faces of a set it was shown apart by the last.
        """
        features, turn = self.reader(crops.permute(0, 3, 1, 2))
        return (self.face(features) / self.temperature).softmax(1), turn.softmax(1), features


def export(options: argparse.Namespace) -> None:
    """Export both networks and write `models/manifest.json`."""
    detector, reader = TileDetector(), TileReader()
    for path, model in ((options.detector, detector), (options.reader, reader)):
        if not path.exists():
            raise FileNotFoundError(f"no checkpoint {path}: train first")
        load_checkpoint(path, model, None, Average(model))
    rng = np.random.default_rng(0)
    photos = []
    for labels in options.labels:
        every = read_training_photos(labels, "train")
        chosen = rng.permutation(len(every))[:_PHOTOS_OF_A_FILE]
        photos += [every[index] for index in sorted(chosen)]
    pictures, crops = calibration_pictures(photos, rng)
    rows = [
        _write(
            "detector", ExportedDetector(detector).eval(), pictures, ("peaks", "geometry"), DETECTOR_CLASSES, options,
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
    """Raise `ValueError` if onnxruntime and torch disagree by more than whole numbers explain."""
    session = InferenceSession(content, providers=["CPUExecutionProvider"])
    theirs = session.run(None, {"pixels": example})
    for ours, other in zip(module(torch.from_numpy(example)), theirs, strict=True):
        spread = float(ours.std()) + 1e-6
        error = float(np.median(np.abs(ours.numpy() - other))) / spread
        if error > _MOST_OFF:
            raise ValueError(f"onnxruntime and torch differ by {error:.2f} of the spread at the median")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `python -m models.training export`."""
    parser.add_argument("--detector", type=Path, required=True, help="checkpoint of the detector")
    parser.add_argument("--reader", type=Path, required=True, help="checkpoint of the reader")
    parser.add_argument(
        "--labels",
        type=Path,
        nargs="+",
        required=True,
        help="labels.jsonl files whose photos ranges are measured on",
    )
    parser.add_argument("--version", required=True, help="version to write into the files")
    parser.add_argument("--temperature", type=float, default=1.0, help="softens (>1) the face probabilities")
    parser.add_argument("--metrics", help="JSON file {model: {metric: value}} to put into the manifest")
    parser.set_defaults(main=export)
