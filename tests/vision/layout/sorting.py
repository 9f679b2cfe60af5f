"""Tables sorted into groups, in words that tests compare."""

from typing import Any

from vision.layout.arrange import arrange
from vision.layout.roles import Role
from vision.tiles import Tiles

CONCEALED = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z 2z"


def laid(tiles: Tiles) -> dict[str, list[str]]:
    """Role → the groups of that role, each as its faces in reading order, sideways tiles with ~."""
    layout = arrange(tiles, 1200, 1200)
    faces = [face + "~" * side for face, side in zip(tiles.faces, layout.sideways, strict=True)]
    found: dict[str, list[str]] = {}
    for group in layout.groups:
        found.setdefault(group.role.value, []).append(" ".join(faces[index] for index in group.members))
    strays = [face for face, role in zip(faces, layout.roles, strict=True) if role is Role.STRAY]
    if strays:
        found["stray"] = [" ".join(strays)]
    return found


def laid_in_melds(table: Any, melds: tuple[str, ...], x: float, y: float, space: float = 9) -> None:
    """Put these melds down from x on, so many pixels apart."""
    for meld in melds:
        table.row(meld, x, y)
        x += 32 * len(meld.split()) + 10 * meld.count("~") + space
