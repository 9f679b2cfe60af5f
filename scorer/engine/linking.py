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

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from scorer.engine.remembered import Remembered
from scorer.fans.model import ANY_PAIR, Chows, Fan, Pungs

RankedSet = tuple[int, int]
"""A chow as (suit, lowest rank), or a suit pung or pair as (suit, rank); suits are 0-2, ranks 1-9."""


PlacedLink = tuple[int, tuple[int, ...]]
"""A link as the place of its fan and its members."""


class Link(NamedTuple):
    """A fan over some sets; ``members`` are the places of these sets among the sets searched."""

    fan: Fan
    members: tuple[int, ...]


Claim = tuple[Link, ...]
"""Links that are claimed together."""


class Linker:
    """Finds which of some fans to claim over given sets, for the highest total."""

    def __init__(self, fans: Sequence[Fan]) -> None:
        """Take ``fans`` in the order of a score; all must see chows, or all pungs."""
        self._fans = fans
        self._places = {fan.name: place for place, fan in enumerate(fans)}
        sizes = [fan.size for fan in fans]
        self._by_size = {size: [at for at, own in enumerate(sizes) if own == size] for size in (2, 3, 4)}
        self._view = Chows if any(fan.sees is Chows for fan in fans) else lambda sets, _: Pungs(sets)
        self._fans_of_some = Remembered(lambda key: self._fans_over(_decoded(key), None))
        self._best = lru_cache(maxsize=1 << 13)(self._best_of)

    def _fans_over(self, sets: tuple[RankedSet, ...], pair: RankedSet | None) -> tuple[int, ...]:
        """The places of the fans that hold over exactly these sets, which must be ascending."""
        view = self._view(sets, pair)
        return tuple([place for place in self._by_size[len(sets)] if self._fans[place].holds(view)])

    def _structure(self, sets: tuple[RankedSet, ...], pair: RankedSet | None) -> tuple[PlacedLink, ...]:
        """Every link over ``sets``, by the place of its fan."""
        found: list[PlacedLink] = []
        if len(sets) == 4:
            found += [(place, _ALL_FOUR) for place in self._fans_over(sets, pair)]
        codes = [suit << 4 | rank for suit, rank in sets]
        for members in _members_of(len(sets)):
            key = 1
            for member in members:
                key = key << 6 | codes[member]
            for place in self._fans_of_some[key]:
                found.append((place, members))
        return tuple(found)

    def _links(self, structure: Iterable[PlacedLink]) -> Claim:
        return tuple([Link(self._fans[place], members) for place, members in structure])

    def present(self, sets: tuple[RankedSet, ...], pair: RankedSet | None) -> Claim:
        """Every way in which each fan is present over ``sets`` (ascending), claimed or not.

        Only fans over all four sets look at ``pair``; None if it is an honour or not known.
        """
        return self._links(self._structure(sets, pair))

    def pairs_that_matter(self, sets: tuple[RankedSet, ...]) -> list[RankedSet]:
        """The suit pairs that make a fan together with these four sets."""
        fans = [self._fans[place] for place in self._by_size[4] if self._fans[place].needs_pair]
        fans = [fan for fan in fans if fan.holds(Chows(sets, ANY_PAIR))]
        pairs = [(suit, rank) for suit in range(3) for rank in range(1, 10)] if fans else []
        return [pair for pair in pairs if any(fan.holds(self._view(sets, pair)) for fan in fans)]

    def best(self, sets: tuple[RankedSet, ...], pair: RankedSet | None) -> Claim:
        """The links with the highest total that may be claimed together.

        Of equal totals, the one whose fans come first in the order of a score.
        """
        structure = self._structure(sets, pair)
        # Few arrangements of links occur, however many sets there are.
        return self._best(structure, len(sets)) if len(structure) > 1 else self._links(structure)

    def _best_of(self, structure: tuple[PlacedLink, ...], number: int) -> Claim:
        def preference(chosen: Claim) -> tuple[int, list[int]]:
            places = sorted(self._place(link) for link in chosen)
            return -sum(link.fan.points for link in chosen), places

        best = min(claims(self._links(structure), tuple(range(number))), key=preference)
        return tuple(sorted(best, key=self._place))

    def every(self, sets: tuple[RankedSet, ...], pair: RankedSet | None) -> tuple[Claim, ...]:
        """Every claim but those with the same fans, the best first."""
        found: dict[tuple[int, ...], Claim] = {}
        for claim in (self.best(sets, pair), *claims(self.present(sets, pair), tuple(range(len(sets))))):
            found.setdefault(tuple(sorted(map(self._place, claim))), tuple(sorted(claim, key=self._place)))
        return tuple(found.values())

    def _place(self, link: Link) -> int:
        return self._places[link.fan.name]


@cache
def _members_of(number: int) -> tuple[tuple[int, ...], ...]:
    """Every choice of three or two out of so many sets."""
    return tuple(members for size in (3, 2) for members in combinations(range(number), size))


_ALL_FOUR = (0, 1, 2, 3)


def _decoded(key: int) -> tuple[RankedSet, ...]:
    """The sets of a key: a 1, and then six bits for each."""
    sets: list[RankedSet] = []
    while key > 1:
        sets.append((key >> 4 & 3, key & 15))
        key >>= 6
    return tuple(reversed(sets))


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
