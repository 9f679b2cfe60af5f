"""What a hand may be worth: the totals of all likely ways of taking its tiles, and by what they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scorer import Circumstances, Hand, HandError, Profile, score
from vision.decoding.decode import Decoding, Reading, decode
from vision.layout.roles import Layout, OtherWay, Role
from vision.settings import RecognitionSettings
from vision.tiles import Tiles

#: By what a likely hand may differ from the likeliest one, in words.
DIFFERENCES = {
    "winning_tile": "which tile won",
    "kong": "whether a kong is melded or concealed",
    "face": "what a doubtful tile shows",
    "role": "what each tile is for",
    "flower": "which flowers belong to it",
}


@dataclass(frozen=True)
class LikelyTotal:
    """One total that the hand may have.

    probability: how likely it is, 0 to 1. differs: by what the hand differs from the likeliest one (a code of
    `DIFFERENCES`), None for that one. tiles: the tiles that are for something else then.
    """

    total: int
    probability: float
    differs: str | None = None
    tiles: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Totals:
    """The likely totals of a hand, that of the likeliest hand first."""

    likely: tuple[LikelyTotal, ...]

    @property
    def lowest(self) -> int:
        """The lowest likely total."""
        return min(each.total for each in self.likely)

    @property
    def highest(self) -> int:
        """The highest likely total."""
        return max(each.total for each in self.likely)

    @property
    def differs(self) -> tuple[str, ...]:
        """By what the hands of other totals differ from the likeliest one, the likeliest difference first."""
        others = [each for each in self.likely if each.total != self.likely[0].total and each.differs]
        ranked = sorted(others, key=lambda each: -each.probability)
        return tuple(dict.fromkeys(each.differs for each in ranked if each.differs))

    @property
    def unsure(self) -> frozenset[int]:
        """The tiles that are for something else in a likely hand with another total."""
        first = self.likely[0].total
        return frozenset(tile for each in self.likely if each.total != first for tile in each.tiles)

    @property
    def text(self) -> str | None:
        """The range in words, None if all likely totals are the same."""
        if self.lowest == self.highest:
            return None
        why = " and ".join(DIFFERENCES[code] for code in self.differs)
        return f"{self.lowest} to {self.highest} points, depending on {why}"

    def to_json(self) -> dict[str, Any]:
        """The range as `photo --json` prints it."""
        return {
            "lowest": self.lowest,
            "highest": self.highest,
            "differs": list(self.differs),
            "text": self.text,
        }


def totals_of(
    tiles: Tiles,
    layout: Layout,
    decoding: Decoding,
    circumstances: Circumstances,
    rules: Profile,
    settings: RecognitionSettings,
) -> Totals | None:
    """Return the likely totals of a hand, None if its likeliest reading has none."""
    if not decoding.readings:
        return None
    scorer = _Scorer(circumstances, rules)
    first = decoding.readings[0]
    total = scorer.total(first.hand)
    if total is None:
        return None
    likely = [LikelyTotal(total, first.probability)]
    for reading in decoding.readings[1:]:
        differs = _difference(first, reading)
        # If no tile lies apart any may have won, however unlikely each is by itself.
        if differs == "winning_tile" or reading.probability >= settings.doubts.strong_rival:
            other = scorer.total(reading.hand)
            if other is not None:
                likely.append(LikelyTotal(other, reading.probability, differs))
    others = list(_of_other_ways(tiles, layout, scorer, settings))
    if sum(each.probability for each in others if each.total != total) >= settings.doubts.other_way:
        likely += others
    return Totals(tuple(likely))


@dataclass(frozen=True)
class _Scorer:
    circumstances: Circumstances
    rules: Profile

    def total(self, hand: Hand) -> int | None:
        """The total of a hand, None if it does not win or cannot be."""
        try:
            return score(hand, self.circumstances, self.rules).total
        except HandError:
            return None


def _of_other_ways(
    tiles: Tiles, layout: Layout, scorer: _Scorer, settings: RecognitionSettings
) -> Iterator[LikelyTotal]:
    """The totals of the hands that the tiles make if they are taken another way."""
    for other in layout.others:
        readings = decode(
            tiles, layout.taken(other), scorer.circumstances, settings.priors, settings.doubts
        ).readings
        total = scorer.total(readings[0].hand) if readings else None
        if total is not None:
            yield LikelyTotal(total, other.chance, _what_differs(layout, other), layout.differing(other))


def _what_differs(layout: Layout, other: OtherWay) -> str:
    """Whether only flowers are taken another way."""

    def playing(groups: Sequence[Any]) -> list[Any]:
        return [group for group in groups if group.role is not Role.FLOWER]

    return "flower" if playing(layout.groups) == playing(other.groups) else "role"


def _difference(first: Reading, other: Reading) -> str:
    """By what two readings of tiles taken the same way differ."""
    mine, theirs = first.hand, other.hand
    if first.faces != other.faces:
        return "face"
    return "winning_tile" if mine.winning_tile != theirs.winning_tile else "kong"
