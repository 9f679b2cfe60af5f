"""The coverage page is what the code would write."""

from __future__ import annotations

from pathlib import Path

from scorer import CATALOGUE
from scorer.fan_docs import page

PAGE = Path(__file__).parents[2] / "docs" / "fans.md"


def test_the_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == "\n".join(page()) + "\n", (
        "run: python -m scorer.fan_docs > docs/fans.md"
    )


def test_the_page_has_a_row_for_every_fan() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for fan in CATALOGUE:
        assert f"| {fan.number} | {fan.name}<br>{fan.english} |" in text
