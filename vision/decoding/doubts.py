"""Which tiles of a decoded hand the person should look at, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from vision.layout.roles import Group, Layout, Role
from vision.tiles import BACK, CLASS_INDEX, CLASSES, SET_FACES

#: A tile whose face has less than this probability is flagged.
SURE = 0.97
#: Less than `SURE` is enough where the hand wins as read and no likely reading differs; but for the winning tile, as
#: there may be several to win with.
BORNE_OUT = 0.7
#: So is it for which flower a flower is, as each is worth the same.
WHICH_FLOWER = 0.95
#: A rival reading with at least this probability flags the tiles it reads differently.
STRONG_RIVAL = 0.05

#: Codes of doubts about what a tile is for, not about what it shows.
NOT_ABOUT_THE_FACE = ("kong", "role")

_ROLE_DOUBTS = {
    Role.CONCEALED: "it may as well be of a meld, or the winning tile",
    Role.MELD: "it may as well be a concealed tile",
    Role.WINNING: "another tile may have won",
    Role.FLOWER: "it lies away from the hand: is it one of its flowers?",
}


@dataclass(frozen=True)
class Doubt:
    """A tile the person should look at: its row index, a code and the reason in words.

    Codes: `changed` (the whole hand outvoted the tile), `unsure` (its own probability is low), `rival`
    (another likely reading differs here), `too_many` (a set of tiles has fewer of its face), `face_down`
    (what it is cannot be seen), `kong` (it may be melded or concealed), `role` (what
    it is for is not clear, nor what others of its group are for).
    """

    tile: int
    code: str
    message: str


def doubts_of(
    chosen: Sequence[int],
    alone: Sequence[int],
    confidences: Sequence[float],
    borne_out: Sequence[bool],
    disputed: dict[int, tuple[int, float]],
    kongs: dict[int, str],
    layout: Layout,
) -> tuple[Doubt, ...]:
    """The doubts about the tiles of a table, at most one a tile, in the order of the table.

    chosen, alone: the class index of each tile in the likeliest hand and by itself.
    confidences: the reader's probability of the first. borne_out: whether `BORNE_OUT` is enough for the tile.
    disputed: for a tile the strongest other face and its probability.
    kongs: for the first tile of a kong that may be of the other kind the name of that kind.
    """
    doubts = []
    said: set[int | None] = set()
    in_hand = Counter(face for tile, face in enumerate(chosen) if layout.roles[tile] is not Role.STRAY)
    for tile, face in enumerate(chosen):
        if layout.roles[tile] is Role.STRAY:
            if tile in layout.unsure:
                doubts.append(Doubt(tile, "role", "it was left out: if it belongs to the hand, add it"))
            continue
        rival, share = disputed.get(tile, (face, 0.0))
        if face != alone[tile]:
            message = (
                f"by itself it looks like {CLASSES[alone[tile]]}, the whole hand makes it {CLASSES[face]}"
            )
            doubts.append(Doubt(tile, "changed", message))
        elif CLASSES[face] == BACK:
            if layout.roles[tile] is not Role.MELD or not _kong_shows_face(chosen, tile, layout):
                doubts.append(Doubt(tile, "face_down", "it lies face down: say which tile it is"))
        elif in_hand[face] > (4 if face < SET_FACES else 1):
            doubts.append(Doubt(tile, "too_many", f"there cannot be {in_hand[face]} of {CLASSES[face]}"))
        elif confidences[tile] < _enough(borne_out[tile], layout.roles[tile]):
            doubts.append(Doubt(tile, "unsure", f"read as {CLASSES[face]} with {confidences[tile]:.0%} only"))
        elif share >= STRONG_RIVAL and not borne_out[tile]:
            doubts.append(Doubt(tile, "rival", f"another reading makes it {CLASSES[rival]} ({share:.0%})"))
        elif tile in kongs:
            doubts.append(Doubt(tile, "kong", f"no tile of this kong lies sideways: it may be {kongs[tile]}"))
        elif tile in layout.unsure and layout.group_of[tile] not in said:
            # One tile speaks for its group: a whole row of marks would hide the tile that is read wrong.
            said.add(layout.group_of[tile])
            doubts.append(Doubt(tile, "role", _ROLE_DOUBTS[layout.roles[tile]]))
    return tuple(doubts)


def _enough(borne_out: bool, role: Role) -> float:
    """The probability from which the face of a tile is not in doubt."""
    if not borne_out:
        return SURE
    return WHICH_FLOWER if role is Role.FLOWER else BORNE_OUT


def _kong_shows_face(chosen: Sequence[int], tile: int, layout: Layout) -> bool:
    number = layout.group_of[tile]
    group: Group | None = None if number is None else layout.groups[number]
    return group is not None and any(chosen[member] != CLASS_INDEX[BACK] for member in group.members)
