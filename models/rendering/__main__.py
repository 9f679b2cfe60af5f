"""`python -m models.rendering`: write rendered photos and their labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from models.rendering.layout import KINDS
from models.rendering.optics import encode_jpeg
from models.rendering.scene import RenderedPhoto, render_scene


def label(photo: RenderedPhoto, image: str) -> dict[str, Any]:
    """One line of `labels.jsonl` as for the hand photos, with quads, roles, groups and the hand."""
    height, width = photo.pixels.shape[:2]
    return {
        "image": image,
        "scene": f"rendered-{photo.kind}",
        "source": "models.rendering",
        "width": width,
        "height": height,
        "tiles": [
            {
                "face": tile.face,
                "box": [round(v, 1) for v in tile.box],
                "quad": [[round(float(v), 1) for v in corner] for corner in tile.quad],
                "role": tile.role,
                "group": tile.group,
                "sideways": tile.sideways,
                "visible": round(tile.visible, 2),
            }
            for tile in photo.tiles
        ],
        "hand": photo.hand.to_json() if photo.hand else None,
    }


@click.command()
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder to write to."
)
@click.option("--count", default=16, show_default=True)
@click.option(
    "--seed",
    default=0,
    show_default=True,
    help="Seed of the first photo; the next follow.",
)
@click.option("--kind", type=click.Choice(KINDS), help="Render only this kind of scene.")
@click.option("--width", default=1280, show_default=True)
@click.option("--height", default=960, show_default=True)
def main(out: Path, *, count: int, seed: int, kind: str | None, width: int, height: int) -> None:
    """Render photos of tiles on tables as JPEG files with a labels.jsonl beside them."""
    if min(width, height) < 64:
        raise click.ClickException(f"a picture needs at least 64 pixels on each side, not {width}x{height}")
    (out / "images").mkdir(parents=True, exist_ok=True)
    lines = []
    for number in range(seed, seed + count):
        photo = render_scene(number, size=(width, height), kind=kind)
        name = f"images/{photo.kind}-{number:06d}.jpg"
        (out / name).write_bytes(encode_jpeg(photo.pixels, 92))
        lines.append(json.dumps(label(photo, name), ensure_ascii=False))
    (out / "labels.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    click.echo(f"{count} photos in {out}")


if __name__ == "__main__":
    main()
