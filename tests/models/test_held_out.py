"""Sets held out of training: their names, their scenes, and reading with a checkpoint. Needs [train]."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from models.figures.held_out import CheckpointReader, SetResult, held_out_sets, scenes, table
from models.figures.specimens import TileCounts
from models.training.loop import averaged, save_checkpoint
from models.training.reader import TileReader
from models.training.tile_crops import faces_of_set, read_tile_crops
from vision.tiles import CLASSES


@pytest.fixture
def crops(tmp_path: Path) -> Path:
    """Two sets of one face each: 1m in red, 2m in blue."""
    rows = []
    for number, (name, face, colour) in enumerate(
        (("set-1", "1m", (0, 0, 200)), ("set-2", "2m", (200, 0, 0)))
    ):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((320, 240, 3), colour, np.uint8))
        rows.append(json.dumps({"image": f"{number}.png", "face": face, "set": name}))
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_faces_of_one_set_in_rgb_without_the_cut_edge(crops: Path) -> None:
    faces = faces_of_set(read_tile_crops(crops), "set-1")
    assert list(faces) == ["1m"]
    assert faces["1m"][0].shape == (294, 220, 3)
    assert tuple(faces["1m"][0][0, 0]) == (200, 0, 0)
    with pytest.raises(ValueError, match="no tile crops of set-9"):
        faces_of_set(read_tile_crops(crops), "set-9")


def test_only_faces_of_the_set_count_in_its_scenes(crops: Path) -> None:
    faces = faces_of_set(read_tile_crops(crops), "set-1")
    for scene in scenes(faces, 2):
        assert set(scene.faces) <= {"1m"}
        assert len(scene.faces) == len(scene.quads)


def test_the_sets_a_run_left_out(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"held-out\.jsonl is missing"):
        held_out_sets(tmp_path)
    line = '{"set": "set-3", "right": 1, "tiles": 2}\n'
    (tmp_path / "held-out.jsonl").write_text(line + line.replace("3", "4", 1) + line, encoding="utf-8")
    assert held_out_sets(tmp_path) == ("set-3", "set-4")


def test_a_checkpoint_reads_as_its_network_does(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no checkpoint"):
        CheckpointReader(tmp_path / "reader.pt")
    torch.manual_seed(1)
    model = TileReader()
    optimiser = torch.optim.AdamW(model.parameters())
    save_checkpoint(tmp_path / "reader.pt", 1, model, optimiser, averaged(model))
    looks = CheckpointReader(tmp_path / "reader.pt").look(
        np.random.default_rng(2).integers(0, 256, (3, 64, 64, 3), dtype=np.uint8)
    )
    assert looks.probabilities.shape == (3, len(CLASSES))
    assert looks.probabilities.sum(1) == pytest.approx(1, abs=1e-5)
    assert looks.turns.shape == (3, 4)
    assert looks.features.shape[0] == 3


def test_the_table_adds_the_sets_up() -> None:
    text = table(
        [
            SetResult("set-1", TileCounts(10, 9, 8, 1, 1, 8, 0)),
            SetResult("set-2", TileCounts(10, 10, 10, 0, 0, 10, 1)),
        ]
    )
    assert "| 1 | 10 | 90.0% | 80.0% | 1 of 1 | 0 of 8 |" in text
    assert "| all | 20 | 95.0% | 90.0% | 1 of 1 | 1 of 18 |" in text
