"""What recognition makes of simulated tables: which hands are right, and which questions are asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from models.rendering.hands import same_hand
from models.tables.kinds import KINDS, Table, table
from models.tables.seen import SeenTable, seen
from scorer import BACK
from vision.recognition import Recognition, interpret
from vision.settings import SETTINGS, RecognitionSettings

NO_QUESTION = frozenset({"below_minimum"})
"""Problems that ask nothing about the tiles."""


@dataclass(frozen=True)
class Outcome:
    """What became of one table.

    hand_set: exactly the tiles of the hand were put into it. roles: each of them is also what it was laid as.
    right: the hand is read as it was laid; without a hand, as `roles`. asked: something is asked about it.
    decided: the places of the tiles say what each is for, and no question is needed.
    """

    kind: str
    hand_set: bool
    roles: bool
    right: bool
    asked: bool
    decided: bool

    @property
    def silent(self) -> bool:
        """Wrong, and nobody is asked."""
        return not self.right and not self.asked

    @property
    def needless(self) -> bool:
        """Asked although the hand is right, and the places of the tiles decide what they are for."""
        return self.right and self.asked and self.decided


def outcomes(
    kind: str, first: int, count: int, settings: RecognitionSettings = SETTINGS
) -> Iterator[Outcome]:
    """Read `count` tables of a kind, with seeds from `first` on."""
    for seed in range(first, first + count):
        yield outcome(seen(table(kind, seed), seed), settings)


def outcome(view: SeenTable, settings: RecognitionSettings = SETTINGS) -> Outcome:
    """Read one table without pixels."""
    read = interpret(view.tiles, view.size, settings=settings)
    hand_set, roles = _roles(view, read)
    unreadable = _unreadable(view.table)
    right = roles if unreadable else same_hand(view.table.hand, read.hand)
    asked = any(problem.code not in NO_QUESTION for problem in read.problems)
    decided = KINDS[view.table.kind].decided and not unreadable
    return Outcome(view.table.kind, hand_set, roles, right, asked, decided)


def _roles(view: SeenTable, read: Recognition) -> tuple[bool, bool]:
    """Whether the tiles of the hand are right, and whether each has its role."""
    truth = {
        _spot(quad): "stray" if tile is None else tile.role
        for quad, tile in zip(view.tiles.quads, view.truth, strict=True)
    }
    given = dict.fromkeys(truth, "stray") | {_spot(tile.quad): tile.role.value for tile in read.tiles}
    hand_set = all((given[spot] == "stray") == (role == "stray") for spot, role in truth.items())
    return hand_set, given == truth


def _spot(quad: Iterable[Iterable[float]]) -> tuple[float, ...]:
    return tuple(float(value) for corner in quad for value in corner)


def _unreadable(table: Table) -> bool:
    """Whether there is no whole hand to read, or a kong of it lies face down altogether."""
    faces = {
        tile.group: {other.face for other in table.own if other.group == tile.group} for tile in table.own
    }
    return table.hand is None or {BACK} in faces.values()
