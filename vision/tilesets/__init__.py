"""Tile sets of one's own: references of confirmed tiles, which the reader is helped by from then on.

From Python, and for the page:

    from vision.tilesets import TileSetError, forget, learn, list_tilesets, load_tileset

    list_tilesets() -> tuple[str, ...]                         names, in alphabetical order
    load_tileset(name) -> TileSet                              .name .lessons .counts {face: n} .missing (faces)
    learn(name, photo, [(face, quad), …], keep_photo=False) -> Lesson    a Photo and its *confirmed* tiles
    forget(name, face=None) -> int                             how many references went
    recognise(photo, circumstances, tileset=load_tileset(name))          reads with the set's help

Quads are 4×2 in pixels of the upright photo, clockwise from the tile's own top left, as `photo --json` gives them;
faces are the 42 codes or `back`. Learning the same photo again replaces what was learned from it. Whatever is wrong
is a `TileSetError` with `.code` (one of `TILESET_REASONS`) and `.message`, and nothing is changed then.

Sets lie under `$FANLENS_HOME/tilesets`, by default in the person's application folder (see `vision.tilesets.store`).
`vision.tilesets.confirm` turns what a person says of a photo into confirmed tiles.
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
