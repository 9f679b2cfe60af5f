"""The manifest that makes the page installable, and the service worker that opens it without a network.

Browsers use both only over HTTPS or on localhost; elsewhere the page works without them.
"""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify, render_template

from webapp import language
from webapp.language import gettext
from webapp.sprite import tile_sprite

blueprint = Blueprint("install", __name__)

STATIC = Path(__file__).parent.parent / "static"
# Pages that are useful without a photo and without an answer from the server.
SHELL = ("/", "/hand", "/fans", "/help")


@cache
def _assets() -> tuple[tuple[str, ...], str]:
    """The addresses of every static file and the sprite, and a version that changes with any of the files."""
    digest = hashlib.sha256(tile_sprite().version.encode())
    files = sorted(path for path in STATIC.rglob("*") if path.is_file())
    for path in files:
        digest.update(path.read_bytes())
    addresses = [f"/static/{path.relative_to(STATIC).as_posix()}" for path in files]
    return (*addresses, f"/artwork/tiles.svg?v={tile_sprite().version}"), digest.hexdigest()[:16]


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """The web app manifest, in the language of the request."""
    icon: dict[str, Any] = {"type": "image/png", "purpose": "any maskable"}
    answer = jsonify(
        name=gettext("Fanlens: mahjong scorer"),
        short_name="Fanlens",
        lang=language.current().tag,
        start_url="/",
        scope="/",
        display="standalone",
        background_color="#f5f4ef",
        theme_color="#1b634b",
        icons=[icon | {"src": f"/static/icons/{size}.png", "sizes": f"{size}x{size}"} for size in (192, 512)],
    )
    answer.mimetype = "application/manifest+json"
    return answer


@blueprint.get("/sw.js")
def worker() -> Response:
    """The service worker, with the list of addresses that it caches."""
    assets, version = _assets()
    script = render_template("sw.js", version=version, assets=list(assets), shell=list(SHELL))
    answer = Response(script, mimetype="text/javascript")
    answer.headers["Cache-Control"] = "no-cache"
    return answer
