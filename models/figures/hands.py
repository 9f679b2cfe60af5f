"""How well hands on rendered tables are read: the role of each tile, and the hand as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from models.figures.specimens import ENOUGH_SEEN, compare, nearest, of_rendered
from models.rendering import RenderedPhoto, render_scene
from models.rendering.hands import same_hand
from vision.layout.roles import Role
from vision.photo import Photo
from vision.recognition import Recognition, recognise

FIRST_SCENE = 1_600_000
"""Seed of the first scene. Neither training nor any choice between networks used seeds from here on."""
SCENES = 40
"""How many hands are rendered."""
KINDS = ("hand", "across")
"""Half of the hands are seen from their player's seat, half from across the table."""
_SIZE = (1280, 960)


@dataclass(frozen=True)
class HandResult:
    """One rendered hand: how many of its tiles were found, named correctly, and given the correct role.

    `exact` is whether melds and their kinds, concealed tiles, winning tile and flowers all are as they were laid.
    """

    tiles: int
    found: int
    named: int
    roles: int
    exact: bool


def compare_hand(scene: RenderedPhoto, recognition: Recognition) -> HandResult:
    """Compare a reading with the hand that was laid; stray tiles do not count."""
    shown = of_rendered(scene, "scene")
    seen = [tile for tile in scene.tiles if tile.role != Role.STRAY.value and tile.visible >= ENOUGH_SEEN]
    counts = compare(shown, recognition)
    roles = sum(
        1
        for tile, at in zip(seen, nearest(shown.quads, recognition), strict=True)
        if at is not None and recognition.tiles[at].role.value == tile.role
    )
    exact = same_hand(scene.hand, recognition.hand)
    return HandResult(counts.tiles, counts.found, counts.right, roles, exact)


def measure(count: int = SCENES, progress: Callable[[int], None] = lambda _: None) -> list[HandResult]:
    """Render `count` hands of drawn tile sets and read them."""
    results = []
    for number in range(count):
        scene = render_scene(FIRST_SCENE + number, size=_SIZE, kind=KINDS[number % len(KINDS)])
        results.append(compare_hand(scene, recognise(Photo(scene.pixels, f"scene-{number}"))))
        progress(number + 1)
    return results


def section(results: Iterable[HandResult]) -> str:
    """The section `hands` of the model card."""
    hands = list(results)
    tiles, found = sum(hand.tiles for hand in hands), sum(hand.found for hand in hands)
    named, roles = sum(hand.named for hand in hands), sum(hand.roles for hand in hands)
    return (
        f"Of the {tiles:,} tiles of {len(hands)} rendered hands, {found / tiles:.1%} are found, {named / tiles:.1%} "
        f"are found and named correctly, and {roles / tiles:.1%} are found and given the correct role "
        f"(concealed, meld, winning tile, flower). {sum(hand.exact for hand in hands)} of the {len(hands)} hands are "
        "read exactly as they were laid, kinds of melds and winning tile included."
    )
