"""The five principles, as a search.

Fans that combine sets are links between sets. Two principles speak about them: sets a fan has joined
are not regrouped (不拆移), and a set not yet used may join a used one once (套算一次), so that the same
sets never make a fan twice (不得相同). All three say one thing: a new fan may only join sets that are
not yet joined to each other, directly or through others. Any collection of fans with that property can
be claimed, in any order; the highest total wins (就高不就低). What a fan implies is dropped by name
(不重复).

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

Set = tuple[int, int]
"""A chow (suit, lowest rank) or a suit pung (suit, rank); also a pair (suit, rank)."""


class Link(NamedTuple):
    """A fan claimed over some sets; ``members`` are their places among the sets searched."""

    fan: Fan
    members: tuple[int, ...]


class Linker:
    """Finds the best claim of some fans, all over chows or all over pungs, in catalogue order."""

    def __init__(self, fans: Sequence[Fan]) -> None:
        """Link by ``fans``, which all see chows or all see pungs."""
        self._places = {fan.name: place for place, fan in enumerate(fans)}
        self._by_size = {size: [fan for fan in fans if fan.size == size] for size in (2, 3, 4)}
        self._view = Chows if any(fan.sees is Chows for fan in fans) else lambda sets, _: Pungs(sets)
        self._present = lru_cache(maxsize=1 << 13)(self._fans_over)

    def _fans_over(self, sets: tuple[Set, ...], pair: Set | None) -> tuple[Fan, ...]:
        """The fans that hold over exactly these sets, which are ascending."""
        view = self._view(sets, pair)
        return tuple(fan for fan in self._by_size[len(sets)] if fan.holds(view))

    def present(self, sets: tuple[Set, ...], pair: Set | None) -> list[Link]:
        """Every way each fan is present over ``sets`` (ascending), whether or not it may be counted.

        ``pair`` matters to fans over all four sets only; None if it is not of a suit or not known.
        """
        found = []
        for size in (4, 3, 2):
            for members in combinations(range(len(sets)), size):
                chosen = tuple(sets[member] for member in members)
                found += [Link(fan, members) for fan in self._present(chosen, pair if size == 4 else None)]
        return found

    def pairs_that_matter(self, sets: tuple[Set, ...]) -> list[Set]:
        """The suit pairs that make a fan together with these four sets."""
        fans = [fan for fan in self._by_size[4] if fan.needs_pair]
        pairs = [(suit, rank) for suit in range(3) for rank in range(1, 10)]
        return [pair for pair in pairs if any(fan.holds(self._view(sets, pair)) for fan in fans)]

    def best(self, sets: tuple[Set, ...], pair: Set | None) -> tuple[Link, ...]:
        """The links of the highest total that may be claimed together.

        Of equal totals the one wins whose fans come first in the catalogue.
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
    """Every collection of ``links`` in which none joins what is joined already.

    ``joined[i]`` is the group set ``i`` belongs to.
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
