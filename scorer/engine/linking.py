"""The five principles of counting, as a search.

A fan that combines sets is a link between these sets. Three principles limit the links: sets that a fan has
joined may not be regrouped (不拆移), the same sets may not make a fan twice (不得相同), and a used set may
join an unused one only once (套算一次). All three follow from one rule: a new fan may only join sets that are
not yet joined to each other, directly or through others. Any collection of links that obeys the rule can be
claimed, in any order, and the highest total wins (就高不就低). The fifth principle, 不重复, drops by name the
fans that another fan implies. ``docs/rules.md`` gives the sources.

>>> from scorer.fans import CATALOGUE
>>> linker = Linker([fan for fan in CATALOGUE if fan.sees is Chows])
>>> best = linker.best(((0, 1), (0, 4), (1, 7), (2, 1)), None)
>>> [(link.fan.name, link.members) for link in best]
[('花龙', (1, 2, 3)), ('喜相逢', (0, 3))]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from scorer.fans.model import Chows, Fan, Pungs

RankedSet = tuple[int, int]
"""A chow as (suit, lowest rank), or a suit pung or pair as (suit, rank); suits are 0-2, ranks 1-9."""


class Link(NamedTuple):
    """A fan over some sets; ``members`` are the places of these sets among the sets searched."""

    fan: Fan
    members: tuple[int, ...]


class Linker:
    """Finds which of some fans to claim over given sets, for the highest total."""

    def __init__(self, fans: Sequence[Fan]) -> None:
        """Take ``fans`` in the order of a score; all must see chows, or all pungs."""
        self._places = {fan.name: place for place, fan in enumerate(fans)}
        self._by_size = {size: [fan for fan in fans if fan.size == size] for size in (2, 3, 4)}
        self._view = Chows if any(fan.sees is Chows for fan in fans) else lambda sets, _: Pungs(sets)
        self._present = lru_cache(maxsize=1 << 13)(self._fans_over)

    def _fans_over(self, sets: tuple[RankedSet, ...], pair: RankedSet | None) -> tuple[Fan, ...]:
        """The fans that hold over exactly these sets, which must be ascending."""
        view = self._view(sets, pair)
        return tuple(fan for fan in self._by_size[len(sets)] if fan.holds(view))

    def present(self, sets: tuple[RankedSet, ...], pair: RankedSet | None) -> list[Link]:
        """Every way in which each fan is present over ``sets`` (ascending), claimed or not.

        Only fans over all four sets look at ``pair``; None if it is an honour or not known.
        """
        found = []
        for size in (4, 3, 2):
            for members in combinations(range(len(sets)), size):
                chosen = tuple(sets[member] for member in members)
                found += [Link(fan, members) for fan in self._present(chosen, pair if size == 4 else None)]
        return found

    def pairs_that_matter(self, sets: tuple[RankedSet, ...]) -> list[RankedSet]:
        """The suit pairs that make a fan together with these four sets."""
        fans = [fan for fan in self._by_size[4] if fan.needs_pair]
        pairs = [(suit, rank) for suit in range(3) for rank in range(1, 10)]
        return [pair for pair in pairs if any(fan.holds(self._view(sets, pair)) for fan in fans)]

    def best(self, sets: tuple[RankedSet, ...], pair: RankedSet | None) -> tuple[Link, ...]:
        """The links with the highest total that may be claimed together.

        Of equal totals, the one whose fans come first in the order of a score.
        """
        links = self.present(sets, pair)
        if len(links) < 2:
            return tuple(links)

        def preference(chosen: tuple[Link, ...]) -> tuple[int, list[int]]:
            return -sum(link.fan.points for link in chosen), sorted(
                self._places[link.fan.name] for link in chosen
            )

        best = min(claims(links, tuple(range(len(sets)))), key=preference)
        return tuple(sorted(best, key=lambda link: self._places[link.fan.name]))


def claims(links: Sequence[Link], joined: tuple[int, ...]) -> Iterator[tuple[Link, ...]]:
    """Every collection of ``links`` that may be claimed together.

    ``joined[i]`` is the group that set ``i`` belongs to so far; no link may join two sets of one group.
    """
    yield ()
    for place, link in enumerate(links):
        groups = {joined[member] for member in link.members}
        if len(groups) < len(link.members):
            continue
        merged = min(groups)
        regrouped = tuple(merged if group in groups else group for group in joined)
        for rest in claims(links[place + 1 :], regrouped):
            yield (link, *rest)


def may_join(link: Link, claimed: Sequence[Link]) -> bool:
    """Whether ``link`` joins only sets that the claimed links have not joined to each other."""
    group = {member: member for other in (*claimed, link) for member in other.members}
    for other in claimed:
        joined = {group[member] for member in other.members}
        group = {member: min(joined) if at in joined else at for member, at in group.items()}
    return len({group[member] for member in link.members}) == len(link.members)
