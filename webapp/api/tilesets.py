"""Tile sets in the API: teach one from a checked photo, list them, forget one.

Fanlens learns a tile only when a person asks for it and has checked its face.
"""

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, jsonify

from vision.photo import load_photo
from vision.tilesets import LEARNABLE, TileSet, TileSetError, forget, learn, list_tilesets, load_tileset
from webapp.api.bodies import json_body
from webapp.errors import Refusal
from webapp.language import gettext
from webapp.pending_photos import current_photos

blueprint = Blueprint("tilesets", __name__, url_prefix="/tilesets")

MOST_TILES = 200


def tilesets() -> list[dict[str, Any]]:
    """Every tile set that can be read, as the API gives it. Raises TileSetError."""
    found = []
    for name in list_tilesets():
        # One that is damaged, or was forgotten a moment ago, does not hide the others.
        with contextlib.suppress(TileSetError):
            found.append(_told(load_tileset(name)))
    return found


def _told(tileset: TileSet) -> dict[str, Any]:
    return {
        "name": tileset.name,
        "photos": len(tileset.lessons),
        "references": len(tileset.references),
        "missing": list(tileset.missing),
    }


@blueprint.get("")
def list_all() -> Response:
    """The tile sets: how many tiles were learned from how many photos, and which faces are missing."""
    return jsonify(tilesets=tilesets())


@blueprint.post("/<name>/lessons")
def teach(name: str) -> Response:
    """Learns the tiles of a pending photo: its token as `photo`, and `tiles`, each with `face` and `quad`.

    The quads are in pixels of the photo as `/recognise` gave them. 201 with the tile set. Nothing but the tiles
    themselves is kept.
    """
    body = json_body()
    token = body.get("photo") if isinstance(body, Mapping) else None
    pending = current_photos().get(token) if isinstance(token, str) else None
    if pending is None:
        raise Refusal(404, "no_such_photo", gettext("The photo has expired. Send it again."))
    photo = load_photo(pending.jpeg)
    scale = photo.width / pending.recognition["width"]
    named = [(face, [[x * scale, y * scale] for x, y in quad]) for face, quad in _named(body.get("tiles"))]
    learn(name, photo, named)
    answer = jsonify(_told(load_tileset(name)))
    answer.status_code = 201
    return answer


def _named(tiles: object) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """The faces and quads in a body; Refusal `bad_tiles` for anything else."""
    message = gettext("The tiles must be a list of objects with face and quad.")
    if not isinstance(tiles, list) or not 0 < len(tiles) <= MOST_TILES:
        raise Refusal(400, "bad_tiles", message)
    for tile in tiles:
        if (
            not isinstance(tile, Mapping)
            or tile.get("face") not in LEARNABLE
            or not _is_quad(tile.get("quad"))
        ):
            raise Refusal(400, "bad_tiles", message)
        yield tile["face"], tile["quad"]


def _is_quad(quad: object) -> bool:
    return (
        isinstance(quad, list)
        and len(quad) == 4
        and all(isinstance(point, list) and len(point) == 2 and all(map(_is_pixel, point)) for point in quad)
    )


def _is_pixel(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e6


@blueprint.delete("/<name>")
def forget_all(name: str) -> Response:
    """Forgets a tile set for good: how many tiles went."""
    return jsonify(name=name, forgotten=forget(name))
