"""`python -m models.drawing`: write the artwork of the tiles, or a picture of all tiles."""

from __future__ import annotations

from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from models.drawing import Style, face_pixels, random_style, tile_svg
from models.drawing.style import CLASSIC
from scorer import BACK, FACES
from vision.artwork import SHEET, SHEET_TILE


def contact_sheet(styles: list[Style], height: int) -> NDArray[np.uint8]:
    """All 43 tiles of each style in rows of eleven on white: RGB."""
    rows: list[NDArray[np.uint8]] = []
    for style in styles:
        tiles = [
            np.pad(face_pixels(face, height, style), ((4, 4), (4, 4), (0, 0)), constant_values=255)
            for face in (*FACES, BACK)
        ]
        tiles.append(np.full_like(tiles[0], 255))
        rows += [np.hstack(tiles[i : i + 11]) for i in range(0, len(tiles), 11)]
    return np.vstack(rows)


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("vision/artwork"), show_default=True)
@click.option(
    "--sheet", type=click.Path(path_type=Path), help="Only write a picture of all 43 tiles to this PNG file."
)
@click.option(
    "--variants", default=0, help="Show this many random tile sets on the sheet instead of the classic one."
)
@click.option("--seed", default=0, show_default=True)
def main(out: Path, sheet: Path | None, variants: int, seed: int) -> None:
    """Draw the 42 faces and the back as SVG files, and all tiles in one picture."""
    if sheet is None:
        out.mkdir(parents=True, exist_ok=True)
        for face in (*FACES, BACK):
            (out / f"{face}.svg").write_text(tile_svg(face), encoding="utf-8")
        tiles = np.hstack([face_pixels(face, SHEET_TILE[1]) for face in (*FACES, BACK)])
        Image.fromarray(tiles).quantize(256, dither=Image.Dither.NONE).save(out / SHEET.name, optimize=True)
        click.echo(f"43 tiles drawn in {out}")
        return
    rng = np.random.default_rng(seed)
    styles = [random_style(rng) for _ in range(variants)] or [CLASSIC]
    sheet.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwrite(str(sheet), contact_sheet(styles, 96 if variants else 120)[..., ::-1]):
        raise click.ClickException(f"cannot write {sheet}: use a file name that ends in .png")
    click.echo(f"sheet written to {sheet}")


if __name__ == "__main__":
    main()
