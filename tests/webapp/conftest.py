"""An application with a database of its own, and hands to send to it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from vision.tilesets import HOME
from webapp.app import close, create_app
from webapp.ledger import Ledger
from webapp.metrics import Metrics
from webapp.pending_photos import PendingPhotos


@pytest.fixture(autouse=True, scope="session")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Tile sets of these tests lie here and not where the person's own do."""
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        patch.setenv(HOME, str(home))
        yield home


@pytest.fixture(scope="session")
def application(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """One application for the session: creating one takes longer than most tests."""
    app = create_app({"DATABASE": tmp_path_factory.mktemp("application") / "ledger.sqlite3", "TESTING": True})
    yield app
    close(app)


@pytest.fixture
def app(application: Flask, tmp_path: Path) -> Iterator[Flask]:
    """The application with an empty ledger, no photos, fresh counters and its own configuration."""
    config, extensions = dict(application.config), dict(application.extensions)
    application.config["DATABASE"] = tmp_path / "ledger.sqlite3"
    application.extensions["ledger"] = Ledger(tmp_path / "ledger.sqlite3")
    application.extensions["pending_photos"] = PendingPhotos(application.config["PHOTO_LIFETIME_S"])
    application.extensions["metrics"] = Metrics(application)
    yield application
    application.extensions["pending_photos"].close()
    application.extensions["ledger"].close()
    application.config.clear()
    application.config.update(config)
    application.extensions.clear()
    application.extensions.update(extensions)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="session")
def good_hand() -> dict[str, Any]:
    """清龙 16, 门前清 2, 喜相逢 1, 缺一门 1, 边张 1: 21 points on a discard."""
    return {
        "concealed": ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1s", "2s", "5z", "5z"],
        "melds": [],
        "winning_tile": "3s",
        "self_drawn": False,
        "last_tile": False,
        "kong": False,
        "fourth_tile": False,
        "seat_wind": "E",
        "prevalent_wind": "E",
        "flowers": [],
    }


@pytest.fixture
def hand(good_hand: dict[str, Any]) -> dict[str, Any]:
    """A copy of the good hand, to be spoilt."""
    return dict(good_hand)
