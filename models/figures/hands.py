"""Whether hands on rendered tables are taken apart rightly: which tile is for what, and the hand as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from models.figures.specimens import ENOUGH_SEEN, compare, nearest, of_rendered
from models.rendering import RenderedPhoto, render_scene
from models.rendering.hands import WinningHand
from scorer import Hand
from vision.layout.roles import Role
from vision.photo import Photo
from vision.recognition import Recognition, recognise

FIRST_SCENE = 1_600_000
"""Seed of the first scene, beyond all that training used and all on which a choice between networks was made."""
SCENES = 40
KINDS = ("hand", "across")
"""Half of the hands are seen from where their player sits, half from across the table."""
_SIZE = (1280, 960)


@dataclass(frozen=True)
class Taken:
    """One rendered hand: how many of its tiles were found, rightly named and rightly given a role.

    exact: melds and their kinds, concealed tiles, winning tile and flowers are all as they were laid.
    """

    tiles: int
    found: int
    named: int
    roles: int
    exact: bool


def take(scene: RenderedPhoto, recognition: Recognition) -> Taken:
    """Compare what was read with the hand that was laid; strays beside it do not count."""
    shown = of_rendered(scene, "scene")
    seen = [tile for tile in scene.tiles if tile.role != Role.STRAY.value and tile.visible >= ENOUGH_SEEN]
    tally = compare(shown, recognition)
    roles = sum(
        1
        for tile, at in zip(seen, nearest(shown.quads, recognition), strict=True)
        if at is not None and recognition.tiles[at].role.value == tile.role
    )
    return Taken(tally.tiles, tally.found, tally.right, roles, same_hand(scene.hand, recognition.hand))


def same_hand(laid: WinningHand | None, read: Hand | None) -> bool:
    """Whether the hand read is the one that was laid, whatever the order of its parts."""
    if laid is None or read is None or (isinstance(read.flowers, int) and read.flowers):
        return False
    flowers = read.flowers or ()  # a hand without flowers holds their number, none
    melds = sorted((meld.kind, tuple(sorted(meld.tiles))) for meld in laid.melds)
    return (
        sorted(laid.concealed) == sorted(read.concealed)
        and melds == sorted((meld.kind.value, tuple(sorted(meld.tiles))) for meld in read.melds)
        and laid.winning_tile == read.winning_tile
        and sorted(laid.flowers) == sorted(flowers)
    )


def measure(count: int = SCENES, progress: Callable[[int], None] = lambda _: None) -> list[Taken]:
    """Read so many rendered hands of drawn tile sets."""
    taken = []
    for number in range(count):
        scene = render_scene(FIRST_SCENE + number, size=_SIZE, kind=KINDS[number % len(KINDS)])
        taken.append(take(scene, recognise(Photo(scene.pixels, f"scene-{number}"))))
        progress(number + 1)
    return taken


def section(taken: Iterable[Taken]) -> str:
    """The section of the model card."""
    hands = list(taken)
    tiles, found = sum(hand.tiles for hand in hands), sum(hand.found for hand in hands)
    named, roles = sum(hand.named for hand in hands), sum(hand.roles for hand in hands)
    return (
        f"Of the {tiles:,} tiles of {len(hands)} rendered hands {found / tiles:.1%} are found, {named / tiles:.1%} "
        f"found and rightly named, {roles / tiles:.1%} found and given the right role (concealed, meld, winning "
        f"tile, flower). {sum(hand.exact for hand in hands)} of the {len(hands)} hands are taken apart just as they "
        "were laid, kinds of melds and the winning tile included."
    )
