"""What every test shares: the option `--long`, and the folder of shared data.

Tests marked `long` take minutes, and a shorter test beside each of them tries a sample of the same. They run only with
`--long`: `pytest --long` runs everything, `pytest --long -m long` (`make test-long`) runs only them.
"""

from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--long`."""
    parser.addoption("--long", action="store_true", help="also run the tests marked `long`")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests marked `long`, unless `--long` is given."""
    if not config.getoption("--long"):
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of shared photos and scored hands beside the checkout; tests that use it are marked `shared`."""
    folder = CHECKOUT.parent / "shared"
    assert folder.is_dir(), f"{folder} is missing: deselect these checks with -m 'not shared'"
    return folder
