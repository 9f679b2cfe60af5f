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
class OtherWay:
    """Another likely way of taking the tiles: its groups, and its chance (0 to 1)."""

    groups: tuple[Group, ...]
    chance: float


@dataclass(frozen=True)
class Layout:
    """What each of the N tiles of a table is for.

    groups: flowers, then melds, then the concealed tiles, then the winning tile; no tile in two of them.
    sideways: for each tile, whether it lies across its row.
    unsure: the tiles that may be for something else: another way of sorting the hand is nearly as likely, or a flower
        lies neither clearly with the hand nor clearly away from it.
    others: other likely ways of taking the tiles, which make other hands, likeliest first.

    Raises ValueError if a member is no tile of the table or belongs to two groups.
    """

    groups: tuple[Group, ...]
    sideways: tuple[bool, ...]
    unsure: frozenset[int] = frozenset()
    others: tuple[OtherWay, ...] = ()

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

        def moved(groups: tuple[Group, ...]) -> tuple[Group, ...]:
            return tuple(
                Group(group.role, tuple(place[index] for index in group.members)) for group in groups
            )

        return Layout(
            moved(self.groups),
            tuple(self.sideways[index] for index in self.reading_order),
            frozenset(place[index] for index in self.unsure),
            tuple(OtherWay(moved(other.groups), other.chance) for other in self.others),
        )

    def taken(self, other: OtherWay) -> Layout:
        """The same tiles taken the other way."""
        return Layout(other.groups, self.sideways)

    def differing(self, other: OtherWay) -> frozenset[int]:
        """The tiles that are for something else, or in another meld, if the tiles are taken the other way."""
        mine, theirs = self._places, self.taken(other)._places
        return frozenset(tile for tile in mine.keys() | theirs.keys() if mine.get(tile) != theirs.get(tile))

    @cached_property
    def _places(self) -> dict[int, tuple[Role, tuple[int, ...]]]:
        """For each tile of the hand its role, and the whole group for a tile of a meld."""
        return {
            tile: (group.role, group.members if group.role is Role.MELD else ())
            for group in self.groups
            for tile in group.members
        }

    @property
    def melds(self) -> tuple[Group, ...]:
        """The groups that are melds."""
        return tuple(group for group in self.groups if group.role is Role.MELD)

    @property
    def count(self) -> int:
        """Tiles of the hand with every meld counted as three: fourteen in a complete hand."""
        loose = len(self.members(Role.CONCEALED)) + len(self.members(Role.WINNING))
        return loose + 3 * len(self.melds)
