"""Lower limits of recognition on the photos in ../shared that were kept for measuring (the `valid` split).

They are measured against the corrected labels, so that reading a mislabelled tile correctly is not a fault.
"""

from pathlib import Path
from typing import Any

import pytest

from vision.evaluation.corrections import read_corrections
from vision.evaluation.labels import read_labels
from vision.evaluation.measure import evaluate

CORRECTIONS = Path(__file__).parents[3] / "models" / "training" / "corrections.jsonl"


@pytest.fixture(scope="module")
def figures(shared_dir: Path) -> dict[str, Any]:
    """All figures for the 228 photos."""
    labels = shared_dir / "data" / "hand-photos" / "labels.jsonl"
    measured = evaluate(read_labels(labels, "valid", read_corrections(CORRECTIONS)))
    assert measured.failed == ()
    return measured.to_json()


@pytest.mark.shared
def test_tile_recall(figures: dict[str, Any]) -> None:
    assert figures["photos"] == 228
    assert figures["recall"] >= 0.997


@pytest.mark.shared
def test_precision_where_all_tiles_are_labelled(figures: dict[str, Any]) -> None:
    assert figures["clean_precision"] >= 0.995


@pytest.mark.shared
def test_rows_read_without_any_error(figures: dict[str, Any]) -> None:
    assert figures["rows"] >= 74
    assert figures["rows_exact_share"] >= 0.95


@pytest.mark.shared
def test_the_right_face_is_among_the_first_three(figures: dict[str, Any]) -> None:
    assert figures["right_among_first_three"] >= 0.995


@pytest.mark.shared
def test_few_right_tiles_are_flagged(figures: dict[str, Any]) -> None:
    assert figures["flagged"]["of_right"] <= 0.05


@pytest.mark.shared
def test_decoding_does_more_good_than_harm(figures: dict[str, Any]) -> None:
    assert figures["decoding"]["better"] >= figures["decoding"]["worse"]
