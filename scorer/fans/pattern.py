"""Fans that a profile file defines: a pattern over some sets instead of a predicate of our own.

>>> three_apart = SetPattern("pungs", 3, suits=(1,), steps=(2,))
>>> three_apart(Pungs(((0, 2), (0, 4), (0, 6)))), three_apart(Pungs(((0, 2), (1, 4), (0, 6))))
(True, False)
>>> print(three_apart.rule_english)
Three pungs or kongs in one suit, each 2 above the one before.
>>> print(three_apart.rule, three_apart.example)
一种花色三副每副递增2位的刻子(杠) 111m333m555mEEEW+W
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, islice, pairwise
from typing import Final, Literal

from scorer.fans.model import Chows, Family, Fan, Pungs

FIRST_NUMBER: Final = 201
"""The number of the first fan that a profile file defines."""
_WORDS: Final = ("none", "one", "two", "three", "four")
_FILLERS: Final = ("EEE", "SSS")


@dataclass(frozen=True)
class SetPattern:
    """So many chows, or suit pungs or kongs, whose lowest ranks go up by equal steps, in so many suits."""

    sets: Literal["chows", "pungs"]
    number: int
    """How many sets, 2-4."""
    suits: tuple[int, ...]
    """How many different suits they may be in."""
    steps: tuple[int, ...]
    """How far each may be above the one before: one of these, the same for all."""

    def __call__(self, view: Chows | Pungs) -> bool:
        """Whether exactly these sets have the pattern."""
        sets = view[0]
        ranks = sorted(rank for _, rank in sets)
        steps = {after - before for before, after in pairwise(ranks)}
        return (
            len(sets) == self.number
            and len({suit for suit, _ in sets}) in self.suits
            and len(steps) == 1
            and steps <= set(self.steps)
        )

    def matches(self) -> Iterator[tuple[tuple[int, int], ...]]:
        """Every choice of sets (suit, lowest rank) that has the pattern and that four tiles of a face allow."""
        ranks = range(1, 8 if self.sets == "chows" else 10)
        every = [(suit, rank) for suit in range(3) for rank in ranks]
        for chosen in combinations_with_replacement(every, self.number):
            view = Chows(chosen, None) if self.sets == "chows" else Pungs(chosen)
            if (
                self(view)
                and max(Counter(tile for each in chosen for tile in self._tiles(*each)).values()) <= 4
            ):
                yield chosen

    def _tiles(self, suit: int, rank: int) -> tuple[str, ...]:
        ranks = range(rank, rank + 3) if self.sets == "chows" else (rank,) * 3
        return tuple(f"{rank}{'mps'[suit]}" for rank in ranks)

    @cached_property
    def example(self) -> str:
        """A hand with the pattern, in the text notation; empty if no hand can have it."""
        chosen = next(islice(self.matches(), 1), None)
        if chosen is None:
            return ""
        sets = ["".join(tile[0] for tile in self._tiles(*each)) + "mps"[each[0]] for each in chosen]
        return "".join([*sets, *_FILLERS[: 4 - self.number], "W+W"])

    @cached_property
    def rule(self) -> str:
        """The definition in Chinese."""
        suits = "或".join("零一两三"[each] for each in self.suits) + "种花色"
        steps = "或".join(map(str, self.steps))
        step = "同一位置" if self.steps == (0,) else f"每副递增{steps}位"
        return f"{suits}{'零一两三四'[self.number]}副{step}的{'顺子' if self.sets == 'chows' else '刻子(杠)'}"

    @cached_property
    def rule_english(self) -> str:
        """The definition in English."""
        what = "chows" if self.sets == "chows" else "pungs or kongs"
        suits = " or ".join(_WORDS[each] for each in self.suits) + (
            " suit" if self.suits == (1,) else " suits"
        )
        steps = " or ".join(map(str, self.steps))
        step = "all of one rank" if self.steps == (0,) else f"each {steps} above the one before"
        return f"{_WORDS[self.number].capitalize()} {what} in {suits}, {step}."


def patterned_fan(
    place: int, name: str, english: str, points: int, drops: tuple[str, ...], pattern: SetPattern
) -> Fan:
    """The fan that a profile file defines as its ``place``-th, from 0."""
    chows = pattern.sets == "chows"
    return Fan(
        number=FIRST_NUMBER + place,
        name=name,
        english=english,
        points=points,
        family=Family.RANKS if chows else Family.PUNGS,
        sees=Chows if chows else Pungs,
        holds=pattern,
        rule=pattern.rule,
        rule_english=pattern.rule_english,
        drops=drops,
        size=pattern.number,
        repeats=pattern.number == 2,
        example=pattern.example,
    )
