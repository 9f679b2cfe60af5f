"""Tile sets: references of confirmed tiles, which help the reader with a set that it often misreads.

From Python:

    from vision.tilesets import TileSetError, forget, learn, list_tilesets, load_tileset

    list_tilesets() -> tuple[str, ...]                         names, in alphabetical order
    load_tileset(name) -> TileSet                              .name .lessons .counts {face: n} .missing (faces)
    learn(name, photo, [(face, quad), …], keep_photo=False) -> Lesson    a Photo and its *confirmed* tiles
    forget(name, face=None) -> int                             the number of forgotten references
    recognise(photo, circumstances, tileset=load_tileset(name))          reads with the help of the set

Quads are 4×2 in pixels of the upright photo, clockwise from the tile's own top left, as `photo --json` prints them;
faces are the 42 codes or `back`. Learning the same photo again replaces its lesson. Every fault raises `TileSetError`
with a `code` (one of `TILESET_REASONS`) and a `message`, and changes nothing.

Sets are kept under `$FANLENS_HOME/tilesets`, by default in the user's application folder (`vision.tilesets.store`).
`vision.tilesets.confirm` turns what a person says about a photo into confirmed tiles.
"""

from vision.tilesets.errors import TILESET_REASONS, TileSetError
from vision.tilesets.references import LEARNABLE, Lesson, Quad, Reference
from vision.tilesets.similarity import SecondOpinion, second_opinion
from vision.tilesets.store import (
    HOME,
    TileSet,
    forget,
    kept_photo,
    learn,
    list_tilesets,
    load_tileset,
    tilesets_folder,
)

__all__ = [
    "HOME",
    "LEARNABLE",
    "TILESET_REASONS",
    "Lesson",
    "Quad",
    "Reference",
    "SecondOpinion",
    "TileSet",
    "TileSetError",
    "forget",
    "kept_photo",
    "learn",
    "list_tilesets",
    "load_tileset",
    "second_opinion",
    "tilesets_folder",
]
