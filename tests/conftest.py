"""Fixtures for every test."""

from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of shared photos and scored hands beside the checkout; tests that use it are marked `shared`."""
    folder = CHECKOUT.parent / "shared"
    assert folder.is_dir(), f"{folder} is missing: deselect these checks with -m 'not shared'"
    return folder
