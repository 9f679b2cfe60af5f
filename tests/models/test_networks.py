"""The networks in torch: losses, stopping and going on, export. Needs the [train] extra: `make test-train`."""

import argparse
from pathlib import Path

import numpy as np
import pytest
import torch

from models.training import detector, loop, reader
from models.training.labels import LabelledPhoto


@pytest.fixture
def options(tmp_path: Path) -> argparse.Namespace:
    return argparse.Namespace(run=tmp_path / "run", init=None, steps=6, stop=None, batch=1, rate=1e-3, seed=1)


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


def test_a_stopped_training_goes_on_as_it_would_have(options: argparse.Namespace, tmp_path: Path) -> None:
    straight, stopped = Tiny(), Tiny()
    loop.train("tiny", straight, learn_with(straight), options)
    options.run, options.stop = tmp_path / "other", 3
    loop.train("tiny", stopped, learn_with(stopped), options)
    resumed, options.stop = Tiny(), None
    loop.train("tiny", resumed, learn_with(resumed), options)
    for one, other in zip(straight.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(one, other)


def test_a_network_begins_with_what_it_shares_with_another(
    options: argparse.Namespace, tmp_path: Path
) -> None:
    first, other = Tiny(), Tiny()
    loop.train("tiny", first, learn_with(first), options)
    with torch.no_grad():
        other.trunk.weight.fill_(7)
    other.head = torch.nn.Linear(2, 3)
    before = other.head.weight.clone()
    loop.start_from(tmp_path / "run" / "tiny.pt", other, loop.Average(other))
    taken = torch.load(tmp_path / "run" / "tiny.pt", weights_only=True)["average"]["trunk.weight"]
    assert torch.equal(other.trunk.weight, taken)
    assert torch.equal(other.head.weight, before)


def test_the_detectors_loss_is_least_for_the_true_answer() -> None:
    picture = np.zeros((300, 300, 3), np.uint8)
    quads = np.array([[[100, 100], [140, 100], [140, 155], [100, 155]]], np.float32)
    photo = LabelledPhoto(Path("x"), "tray", "train", ("1m",), np.array([[100, 100, 140, 155]]), quads, True)
    example = detector.draw_example(photo, np.random.default_rng(8), picture)
    assert example.heat.max() == 1
    batch = detector.collate([example])
    right = torch.logit(batch["heat"].clamp(1e-4, 1 - 1e-4))
    best = detector.detector_loss(right, batch["target"], batch)
    worse = detector.detector_loss(-right, batch["target"] + 3, batch)
    assert best[0] < worse[0]
    assert best[1] < 1e-6 < worse[1]


def test_both_networks_give_maps_and_probabilities_of_the_right_shape() -> None:
    with torch.no_grad():
        logits, geometry = detector.TileDetector().eval()(torch.zeros(1, 3, 64, 96))
        face, turn = reader.TileReader().eval()(torch.zeros(2, 3, 64, 64))
    assert logits.shape == (1, 2, 16, 24)
    assert geometry.shape == (1, 6, 16, 24)
    assert face.shape == (2, 44)
    assert turn.shape == (2, 4)
