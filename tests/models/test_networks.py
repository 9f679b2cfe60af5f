"""The networks in torch: losses, resumed training, export. Needs the [train] extra: `make test-train`."""

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import onnx
import pytest
import torch

from models.manifest import load_manifest
from models.training import backbones, detector, export, loop, quantise, reader, restore
from models.training.labels import TrainingPhoto
from vision.networks.reader import cut_crops
from vision.networks.runtime import InferenceSession
from vision.photo import load_photo

SAMPLES = Path(__file__).parents[2] / "vision" / "samples"


@pytest.fixture
def options(tmp_path: Path) -> argparse.Namespace:
    return argparse.Namespace(
        run=tmp_path / "run", init=None, steps=6, stop=None, batch=1, rate=1e-3, seed=1, rounded=False
    )


class Tiny(torch.nn.Module):
    """The smallest model with a trunk."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.trunk = torch.nn.Linear(2, 2)
        self.head = torch.nn.Linear(2, 1)


def learn_with(model: Tiny):
    def learn(rng: np.random.Generator):
        loss = model.head(model.trunk(torch.from_numpy(rng.normal(size=(4, 2))).float())).square().mean()
        return loss, {"loss": loss.item()}

    return learn


def test_a_resumed_training_ends_like_an_uninterrupted_one(
    options: argparse.Namespace, tmp_path: Path
) -> None:
    straight, stopped = Tiny(), Tiny()
    loop.train("tiny", straight, learn_with(straight), options)
    options.run, options.stop = tmp_path / "other", 3
    loop.train("tiny", stopped, learn_with(stopped), options)
    resumed, options.stop = Tiny(), None
    loop.train("tiny", resumed, learn_with(resumed), options)
    for one, other in zip(straight.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(one, other)
    ends = [torch.load(tmp_path / name / "tiny.pt", weights_only=True) for name in ("run", "other")]
    assert [end["updates"] for end in ends] == [6, 6]
    for one, other in zip(ends[0]["average"].values(), ends[1]["average"].values(), strict=True):
        assert torch.equal(one, other)


def test_weights_are_rounded_for_a_while_as_the_export_rounds_them() -> None:
    layer = torch.nn.Conv2d(2, 2, 1)
    exact = torch.tensor([[1.0, 0.3], [-0.01, 0.0071]]).view(2, 2, 1, 1)
    with torch.no_grad():
        layer.weight.copy_(exact)
    with loop.rounded(layer):
        assert layer.weight.flatten().tolist() == pytest.approx([1.0, 19 / 64, -0.01, 45 / 64 * 0.01])
        layer(torch.ones(1, 2, 1, 1)).sum().backward()
    assert torch.equal(layer.weight.detach(), exact)
    assert layer.weight.grad is not None


def test_the_average_follows_the_weights_faster_at_first() -> None:
    model = Tiny()
    with torch.no_grad():
        model.head.bias.fill_(0)
    average = loop.averaged(model)
    values = []
    with torch.no_grad():
        model.head.bias.fill_(1)
    for _ in range(3):
        average.update_parameters(model)
        values.append(average.module.head.bias.item())
    # each update keeps n / (n + 10) of the average
    assert values == pytest.approx([1 - 1 / 11, 1 - 1 / 11 * 2 / 12, 1 - 1 / 11 * 2 / 12 * 3 / 13])


def test_a_network_starts_from_the_layers_it_shares_with_another(
    options: argparse.Namespace, tmp_path: Path
) -> None:
    first, other = Tiny(), Tiny()
    loop.train("tiny", first, learn_with(first), options)
    with torch.no_grad():
        other.trunk.weight.fill_(7)
    other.head = torch.nn.Linear(2, 3)
    before = other.head.weight.clone()
    loop.start_from(tmp_path / "run" / "tiny.pt", other, loop.averaged(other))
    taken = torch.load(tmp_path / "run" / "tiny.pt", weights_only=True)["average"]["trunk.weight"]
    assert torch.equal(other.trunk.weight, taken)
    assert torch.equal(other.head.weight, before)


def test_the_loss_of_the_detector_is_smallest_for_the_true_answer() -> None:
    picture = np.zeros((300, 300, 3), np.uint8)
    quads = np.array([[[100, 100], [140, 100], [140, 155], [100, 155]]], np.float32)
    photo = TrainingPhoto(Path("x"), "tray", ("1m",), np.array([[100, 100, 140, 155]]), quads, True)
    example = detector.draw_example(photo, np.random.default_rng(8), picture)
    assert example.heat.max() == 1
    batch = detector.collate([example])
    right = torch.logit(batch["heat"].clamp(1e-4, 1 - 1e-4))
    best = detector.detector_loss(right, batch["target"], batch)
    worse = detector.detector_loss(-right, batch["target"] + 3, batch)
    assert best[0] < worse[0]
    assert best[1] < 1e-6 < worse[1]


def test_both_networks_return_maps_and_probabilities_of_the_right_shape() -> None:
    with torch.no_grad():
        logits, geometry = detector.TileDetector().eval()(torch.zeros(1, 3, 64, 96))
        face, turn = reader.TileReader().eval()(torch.zeros(2, 3, 64, 64))
    assert logits.shape == (1, 2, 16, 24)
    assert geometry.shape == (1, 6, 16, 24)
    assert face.shape == (2, 44)
    assert turn.shape == (2, 4)


def test_a_trunk_that_takes_pixels_gives_the_features_of_the_normalised_one() -> None:
    rng = np.random.default_rng(3)
    pixels = torch.from_numpy(rng.integers(0, 256, (1, 3, 64, 96), dtype=np.uint8))
    for trunk in (backbones.MobileNetTrunk().eval(), backbones.EfficientNetTrunk().eval()):
        with torch.no_grad():
            before = trunk(pixels.float())
            trunk.take_pixels()
            after = trunk(pixels)
        for one, other in zip(before, after, strict=True):
            assert (one - other).abs().median() < 0.03 * one.std()


def test_a_quantised_network_answers_like_the_one_with_floats(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    weights = {
        "first.weight": rng.normal(0, 0.01, (8, 3, 3, 3)),
        "last.weight": rng.normal(0, 1, (2, 8, 1, 1)),
        "low": np.array(0),
        "high": np.array(6),
    }
    make, uint8, float32 = onnx.helper.make_node, onnx.TensorProto.UINT8, onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        [
            make("Transpose", ["pixels"], ["channels"], perm=[0, 3, 1, 2]),
            make("Cast", ["channels"], ["floats"], to=float32),
            make("Conv", ["floats", "first.weight"], ["sums"], name="/first"),
            make("Clip", ["sums", "low", "high"], ["clipped"], name="/clip"),
            make("Conv", ["clipped", "last.weight"], ["answer"], name="/last"),
        ],
        "two convolutions",
        [onnx.helper.make_tensor_value_info("pixels", uint8, [1, 16, 16, 3])],
        [onnx.helper.make_tensor_value_info("answer", float32, [1, 2, 14, 14])],
        [onnx.numpy_helper.from_array(value.astype(np.float32), name) for name, value in weights.items()],
    )
    path = tmp_path / "floats.onnx"
    network = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(network, str(path))
    examples = [rng.integers(0, 256, (1, 16, 16, 3), dtype=np.uint8) for _ in range(3)]
    whole = quantise.quantise(path, examples, in_floats=["/last"])
    kinds = {weight.name: weight.data_type for weight in whole.graph.initializer}
    assert kinds["first.weight_quantized"] == onnx.TensorProto.INT8
    assert kinds["last.weight"] == float32
    assert set(kinds) <= {name for node in whole.graph.node for name in node.input}
    expected, answer = (
        InferenceSession(each.SerializeToString(), providers=["CPUExecutionProvider"]).run(
            None, {"pixels": examples[2]}
        )[0]
        for each in (network, whole)
    )
    assert 0 < np.abs(answer - expected).max() < 0.1 * expected.std()


def shown(name: str) -> np.ndarray:
    """What a network is shown of a bundled photo: the photo, or crops of its tiles."""
    photo = load_photo(SAMPLES / "dragons.jpg")
    if name == "detector":
        return np.asarray(cv2.resize(np.array(photo.pixels), (448, 336)), np.uint8)[None]
    label = json.loads((SAMPLES / "dragons.json").read_text(encoding="utf-8"))
    return cut_crops(photo, np.array([tile["quad"] for tile in label["tiles"]], np.float32))


@pytest.mark.parametrize("name", ["detector", "reader"])
def test_a_restored_network_answers_like_the_one_that_ships(name: str) -> None:
    model = load_manifest()[name]
    network = restore.restore_weights(name, model.path)
    exported = (
        export.ExportedDetector(network) if name == "detector" else export.ExportedReader(network, 0.75)
    )
    pixels = shown(name)
    session = InferenceSession(model.read(), providers=["CPUExecutionProvider"])
    theirs = session.run(None, {"pixels": pixels})[0]
    with torch.no_grad():
        ours = exported.eval()(torch.from_numpy(pixels))[0].numpy()
    if name == "detector":
        peaks = int((theirs > 0.35).sum())
        assert peaks > 10
        assert abs(int((ours > 0.35).sum()) - peaks) <= 1  # a peak may move to the next cell
    else:
        assert (ours.argmax(1) == theirs.argmax(1)).all()
        assert np.abs(ours - theirs).max() < 0.1


def test_a_file_of_another_network_is_not_restored() -> None:
    with pytest.raises(ValueError, match=r"has a layer trunk\.stride16\.0 of the shape"):
        restore.restore_weights("detector", load_manifest()["reader"].path)


def test_a_picture_without_tiles_is_all_background() -> None:
    nothing = np.array([[[100, 100], [140, 100], [140, 155], [100, 155]]], np.float32)
    picture = np.random.default_rng(1).integers(0, 256, (300, 300, 3)).astype(np.uint8)
    photo = TrainingPhoto(
        Path("x"), "nothing", (), np.empty((0, 4)), np.empty((0, 4, 2)), True, nothing=nothing
    )
    for seed in range(6):
        example = detector.draw_example(photo, np.random.default_rng(seed), picture)
        assert example.heat.max() == 0
        assert example.weight.max() == 0
        assert example.judged.any()
