"""The application factory."""

import io
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from flask import Flask, Request, Response, jsonify
from werkzeug.exceptions import BadRequest
from werkzeug.formparser import FormDataParser

from vision.isolation.service import PhotoService
from vision.photo_formats import MAX_BYTES
from webapp import (
    api,
    compression,
    errors,
    health,
    hosts,
    language,
    metrics,
    owner,
    pages,
    profiles,
    request_log,
    security,
)
from webapp.ledger import Ledger
from webapp.ledger.database import default_database
from webapp.pending_photos import PendingPhotos
from webapp.request_log import Quiet
from webapp.serving import refusals
from webapp.sprite import tile_sprite

MEBIBYTE = 1 << 20


class InMemoryRequest(Request):
    """A request that refuses broken forms and keeps uploads in memory: no unconfirmed photo reaches the disk."""

    def _get_file_stream(
        self,
        total_content_length: int | None,  # noqa: ARG002
        content_type: str | None,  # noqa: ARG002
        filename: str | None = None,  # noqa: ARG002
        content_length: int | None = None,  # noqa: ARG002
    ) -> io.BytesIO:
        return io.BytesIO()

    def _load_form_data(self) -> None:
        try:
            super()._load_form_data()
        except (ValueError, BadRequest) as error:
            message = language.gettext("The form is incomplete or damaged. Send it again.")
            raise errors.Refusal(400, "broken_form", message) from error

    def make_form_data_parser(self) -> FormDataParser:
        """A parser that raises for a broken form; Werkzeug's default treats it as empty."""
        parser = super().make_form_data_parser()
        parser.silent = False
        return parser


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The Flask application.

    `config` may set `DATABASE` (path of an SQLite file, or a PostgreSQL URL), `PROFILES` (profiles to score by
    besides the built-in ones), `PHOTO_LIFETIME_S` (seconds an unconfirmed photo is kept), `MAX_CONTENT_LENGTH`
    (bytes), `HOSTS` (further names that the server answers to), `OPERATOR_KEY` (opens `/metrics` from elsewhere) and
    Flask's own settings. Raises `webapp.ledger.LedgerError` when the database is unusable.
    """
    app = Quiet(__name__)
    app.request_class = InMemoryRequest
    app.config.from_mapping(
        DATABASE=default_database(),
        PROFILES=(),
        PHOTO_LIFETIME_S=3600.0,
        MAX_CONTENT_LENGTH=MAX_BYTES + MEBIBYTE,
        MAX_FORM_PARTS=20,
        HOSTS=(),
        OPERATOR_KEY=None,
    )
    app.config.from_mapping(config or {})
    app.json.ensure_ascii = app.json.sort_keys = False  # type: ignore[attr-defined]

    profiles.init_app(app, app.config["PROFILES"])
    app.extensions["ledger"] = Ledger(app.config["DATABASE"])
    app.extensions["pending_photos"] = PendingPhotos(app.config["PHOTO_LIFETIME_S"], app.extensions["ledger"])
    app.extensions["photo_service"] = PhotoService()

    _set_up_templates(app)
    metrics.init_app(app)
    request_log.init_app(app)
    errors.init_app(app)
    hosts.init_app(app, app.config["HOSTS"])
    security.init_app(app)
    owner.init_app(app)
    refusals.init_app(app)
    compression.init_app(app)
    pages.init_app(app)
    app.register_blueprint(api.blueprint)

    _add_watch_and_artwork(app)
    return app


def close(app: Flask) -> None:
    """Ends what the application started: its process for photos, its pending photos, its connections."""
    for name in ("photo_service", "pending_photos", "ledger"):
        app.extensions[name].close()


def _add_watch_and_artwork(app: Flask) -> None:
    """Add the addresses that belong to no page and to no version of the API."""

    @app.get("/healthz")
    def healthz() -> Response:
        """200 while the networks, the ledger, the disk and the memory are well; else 503 with what is not."""
        ledger: Ledger = app.extensions["ledger"]
        folder = (ledger.database.path or default_database()).parent
        told = health.to_json(list(health.watched(ledger, folder)))
        answer = jsonify(**told, version=version("fanlens"))
        answer.status_code = 503 if told["failing"] else 200
        return answer

    @app.get("/artwork/tiles.svg")
    def artwork() -> Response:
        """The sprite of tile drawings; browsers may keep it, because its address changes with its content."""
        answer = Response(tile_sprite().content, mimetype="image/svg+xml")
        answer.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return answer


def _set_up_templates(app: Flask) -> None:
    """Keep templates free of blank lines and let them translate."""
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        language.gettext, language.ngettext, newstyle=True
    )
