"""Which tiles of a decoded hand the person should look at, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from vision.decoding.search import Search
from vision.decoding.thresholds import DoubtThresholds
from vision.layout.roles import Layout, Role
from vision.tiles import BACK, CLASSES, SET_FACES, name_of

#: Codes of doubts about what a tile is for, not about what it shows.
NOT_ABOUT_THE_FACE = ("kong", "role")

#: What is said of a tile, by the code of the doubt.
_SENTENCES = {
    "changed": "it looks like {alone}, but the whole hand makes it {face}",
    "unsure": "read as {face} with only {confidence:.0%} confidence",
    "rival": "another reading makes it {rival} ({share:.0%})",
    "too_many": "there cannot be {count} of {face}",
    "face_down": "it lies face down: say which tile it is",
    "kong": "no tile of this kong lies sideways: was it melded or concealed?",
}
_ROLE_SENTENCES = {
    Role.CONCEALED: "it may belong to a meld, or be the winning tile",
    Role.MELD: "it may be a concealed tile",
    Role.WINNING: "another tile may have won",
    Role.FLOWER: "it lies away from the hand: is it one of its flowers?",
    Role.STRAY: "it was left out: add it if it belongs to the hand",
}


@dataclass(frozen=True)
class Doubt:
    """A tile the person should look at: its row index, a code and the reason in words.

    Codes: `changed` (the whole hand outvoted the tile), `unsure` (its own probability is low), `rival` (another likely
    reading differs here), `too_many` (a tile set has fewer of its face), `face_down` (what it is cannot be seen),
    `kong` (it may be melded or concealed), `role` (what it is for is not clear, nor what others of its group are for).
    """

    tile: int
    code: str
    message: str


@dataclass(frozen=True)
class Outcome:
    """What decoding made of the tiles of a table.

    chosen, alone: the class index of each tile in the likeliest hand and by itself.
    confidences: the reader's probability of the former.
    supported: whether the rest of the hand supports a tile, so that a lower probability is enough.
    """

    chosen: Sequence[int]
    alone: Sequence[int]
    confidences: Sequence[float]
    supported: Sequence[bool]
    found: Search
    layout: Layout
    thresholds: DoubtThresholds

    @cached_property
    def in_hand(self) -> Counter[int]:
        """How many tiles of each face the hand has, strays left out."""
        roles = self.layout.roles
        return Counter(face for tile, face in enumerate(self.chosen) if roles[tile] is not Role.STRAY)

    @cached_property
    def kongs(self) -> frozenset[int]:
        """The first tile of each kong that may well be of the other kind."""
        return self.found.kongs_of_two_kinds(self.thresholds.strong_rival)

    def rival(self, tile: int) -> tuple[int, float]:
        """The strongest other face of a tile in other readings, and its probability."""
        return self.found.disputed.get(tile, (self.chosen[tile], 0.0))

    def enough(self, tile: int) -> float:
        """The probability from which the face of a tile is not in doubt."""
        if not self.supported[tile]:
            return self.thresholds.sure
        flower = self.layout.roles[tile] is Role.FLOWER
        return self.thresholds.which_flower if flower else self.thresholds.supported

    def is_hidden(self, tile: int) -> bool:
        """Whether a tile lies face down."""
        return CLASSES[self.chosen[tile]] == BACK

    def shows_its_meld(self, tile: int) -> bool:
        """Whether a tile belongs to a meld of which a face can be seen."""
        number = self.layout.group_of[tile]
        group = None if number is None else self.layout.groups[number]
        return group is not None and group.role is Role.MELD and not all(map(self.is_hidden, group.members))


def doubts_of(outcome: Outcome) -> tuple[Doubt, ...]:
    """Return the doubts about the tiles of a table, at most one per tile, in the order of the table."""
    layout = outcome.layout
    doubts: list[Doubt] = []
    asked: set[int | None] = set()
    for tile, role in enumerate(layout.roles):
        stray = role is Role.STRAY
        if not stray and outcome.is_hidden(tile) and outcome.shows_its_meld(tile):
            continue
        code = None if stray else _code(tile, outcome)
        if code is not None:
            doubts.append(Doubt(tile, code, _sentence(code, tile, outcome)))
        elif tile in layout.unsure and (stray or layout.group_of[tile] not in asked):
            # One tile speaks for its group: a whole row of marks would hide a tile that is misread.
            asked.add(layout.group_of[tile])
            doubts.append(Doubt(tile, "role", _ROLE_SENTENCES[role]))
    return tuple(doubts)


def _code(tile: int, outcome: Outcome) -> str | None:
    """Why the face of a tile of the hand, or the kind of its kong, is in doubt."""
    face = outcome.chosen[tile]
    strong = outcome.rival(tile)[1] >= outcome.thresholds.strong_rival
    reasons = {
        "changed": face != outcome.alone[tile],
        "face_down": outcome.is_hidden(tile),
        "too_many": outcome.in_hand[face] > (4 if face < SET_FACES else 1),
        "unsure": outcome.confidences[tile] < outcome.enough(tile),
        "rival": strong and not outcome.supported[tile],
        "kong": tile in outcome.kongs,
    }
    return next((code for code, holds in reasons.items() if holds), None)


def _sentence(code: str, tile: int, outcome: Outcome) -> str:
    """The reason in words."""
    face = outcome.chosen[tile]
    rival, share = outcome.rival(tile)
    return _SENTENCES[code].format(
        face=name_of(CLASSES[face]),
        alone=name_of(CLASSES[outcome.alone[tile]]),
        rival=name_of(CLASSES[rival]),
        share=share,
        confidence=outcome.confidences[tile],
        count=outcome.in_hand[face],
    )
