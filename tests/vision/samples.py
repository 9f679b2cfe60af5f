"""The bundled photos and the truth about them."""

import json
from pathlib import Path
from typing import Any

from scorer import Circumstances, hand_from_json

SAMPLES = Path(__file__).parents[2] / "vision" / "samples"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.jpg"))


def truth_of(name: str) -> dict[str, Any]:
    """Tiles and hand of a sample."""
    truth: dict[str, Any] = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    return truth


def circumstances_of(name: str) -> Circumstances:
    """How the hand of a sample was won."""
    return hand_from_json(truth_of(name)["hand"])[1]
