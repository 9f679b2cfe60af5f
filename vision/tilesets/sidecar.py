"""The JSON beside a photo that says what its tiles are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vision.layout.roles import Role
from vision.tilesets.confirm import Confirmed
from vision.tilesets.errors import TileSetError


def read_sidecar(path: Path, size: tuple[int, int]) -> Confirmed | Mapping[str, Any]:
    """Read the JSON beside a photo of this width and height in pixels.

    Returns the tiles that it names or, if it names none, the JSON object of its hand. It may be the object that
    `fanlens photo --json` printed, checked and corrected by a person; {"tiles": [{"face": "1m", "quad": [[x, y], …]},
    …]}; or {"hand": {…}}. Strays are left out, because people do not correct those.

    Raises TileSetError `bad_sidecar`.
    """
    found = _read(path)
    told = (found.get("width", size[0]), found.get("height", size[1]))
    if told != size:
        raise TileSetError(
            "bad_sidecar",
            f"{path} describes a photo of {told[0]}×{told[1]} pixels, but this photo has {size[0]}×{size[1]}: its "
            "corners would be in the wrong places",
        )
    tiles = found.get("tiles")
    if isinstance(tiles, list) and tiles:
        named = []
        for number, tile in enumerate(tiles, 1):
            if not isinstance(tile, dict) or not {"face", "quad"} <= set(tile):
                raise TileSetError("bad_sidecar", f"{path}: tile {number} needs a face and a quad")
            if tile.get("role") != Role.STRAY.value:
                named.append((tile["face"], tile["quad"]))
        return Confirmed(tuple(named))
    hand = found.get("hand")
    if isinstance(hand, dict):
        return hand
    raise TileSetError("bad_sidecar", f"{path} names neither tiles nor a hand")


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise TileSetError(
            "bad_sidecar",
            f"nothing says what the tiles are: lay out all faces and use --in-order, or write {path.name} beside "
            "the photo",
        ) from error
    except (OSError, ValueError, RecursionError) as error:
        raise TileSetError("bad_sidecar", f"{path} cannot be read as JSON ({error})") from error
    if not isinstance(found, dict):
        raise TileSetError(
            "bad_sidecar", f'{path} is not a JSON object: write {{"tiles": [{{"face", "quad"}}, …]}}'
        )
    return found
