"""Rendered photos of tiles on tables, with the truth about every tile.

`python -m models.rendering` writes such photos and their labels.
"""

from models.rendering.scene import RenderedPhoto, Setting, TileTruth, render_scene

__all__ = ["RenderedPhoto", "Setting", "TileTruth", "render_scene"]
