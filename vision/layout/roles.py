"""What each tile of a table is for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

HAND = 14
"""Tiles of a whole hand, a kong counted as three; follows from the rules."""


class Role(StrEnum):
    """What a tile is for."""

    CONCEALED = "concealed"
    MELD = "meld"
    WINNING = "winning"
    FLOWER = "flower"
    STRAY = "stray"


@dataclass(frozen=True)
class Group:
    """Tiles that belong together: `members` are row indices of the table in reading order."""

    role: Role
    members: tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """What each of the N tiles of a table is for.

    groups: flowers, then melds, then the concealed tiles, then the winning tile; no tile in two of them.
    sideways: for each tile, whether it lies across its row.
    unsure: the tiles that may be for something else: another way of sorting the hand is nearly as likely, or a flower
        lies neither clearly with the hand nor clearly away from it.

    Raises ValueError if a member is no tile of the table or belongs to two groups.
    """

    groups: tuple[Group, ...]
    sideways: tuple[bool, ...]
    unsure: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        """Check that the groups are disjoint and name tiles of the table."""
        members = [index for group in self.groups for index in group.members]
        if len(set(members)) != len(members) or not {*members, *self.unsure} <= set(
            range(len(self.sideways))
        ):
            raise ValueError("a tile belongs to one group at most, and must be a tile of the table")

    @cached_property
    def group_of(self) -> tuple[int | None, ...]:
        """For each tile the index of its group; None for a stray."""
        ids: list[int | None] = [None] * len(self.sideways)
        for number, group in enumerate(self.groups):
            for index in group.members:
                ids[index] = number
        return tuple(ids)

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        """For each tile its role."""
        return tuple(Role.STRAY if group is None else self.groups[group].role for group in self.group_of)

    def members(self, role: Role) -> tuple[int, ...]:
        """All tiles of a role, group by group in reading order."""
        return tuple(index for group in self.groups if group.role is role for index in group.members)

    @property
    def reading_order(self) -> tuple[int, ...]:
        """All tiles: group by group in reading order, strays last."""
        ordered = [index for group in self.groups for index in group.members]
        return (*ordered, *(index for index, group in enumerate(self.group_of) if group is None))

    def renumbered(self) -> Layout:
        """The same layout of the same tiles taken in reading order."""
        place = {index: number for number, index in enumerate(self.reading_order)}
        groups = tuple(
            Group(group.role, tuple(place[index] for index in group.members)) for group in self.groups
        )
        return Layout(
            groups,
            tuple(self.sideways[index] for index in self.reading_order),
            frozenset(place[index] for index in self.unsure),
        )

    @property
    def melds(self) -> tuple[Group, ...]:
        """The groups that are melds."""
        return tuple(group for group in self.groups if group.role is Role.MELD)

    @property
    def count(self) -> int:
        """Tiles of the hand with every meld counted as three: fourteen in a complete hand."""
        loose = len(self.members(Role.CONCEALED)) + len(self.members(Role.WINNING))
        return loose + 3 * len(self.melds)
