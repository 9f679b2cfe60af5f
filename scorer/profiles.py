"""Rule profiles as data: values, exclusions and rulings."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from scorer.errors import HandError
from scorer.fans import CATALOGUE, Fan


@dataclass(frozen=True)
class Profile:
    """One set of rules.

    ``fans`` are in the order a score lists them. ``minimum`` are the points needed without flowers.
    ``knitted_body_wait``: a tile of the knitted straight may count as a wait. ``exhausted_wait``: a kind
    of which the hand holds all four still counts as a wait, so that the wait is not the only one.
    ``pairs_are_sets``: seven pairs may hold fans defined over pungs or sets.
    """

    name: str
    title: str
    title_english: str
    fans: tuple[Fan, ...] = field(default=CATALOGUE, repr=False)
    minimum: int = 8
    base: int = 8
    knitted_body_wait: bool = True
    exhausted_wait: bool = True
    pairs_are_sets: bool = True

    @cached_property
    def by_name(self) -> dict[str, Fan]:
        """The fans of this profile by their Chinese name."""
        return {fan.name: fan for fan in self.fans}


DEFAULT: Final = Profile("guobiao", "国标麻将竞赛规则(默认)", "Competition practice (default)")
PROFILES: Final[dict[str, Profile]] = {DEFAULT.name: DEFAULT}


def profile_named(name: str) -> Profile:
    """The built-in profile called ``name``; raises :class:`HandError` ``unknown_profile``."""
    profile = PROFILES.get(name)
    if profile is None:
        raise HandError("unknown_profile", f"no profile {name!r}; there are {', '.join(PROFILES)}")
    return profile
