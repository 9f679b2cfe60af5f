"""Fans that somebody may expect although they are not present: a wait that is not the only one, and 无番和.

>>> from scorer import parse_hand, score
>>> [each.reason() for each in absent_fans(score(*parse_hand("12345p678sEE[234m]+3p")))]
['not the only wait: 3p 6p would win']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scorer.bitboard import PAIR_SHIFT, bits_of
from scorer.engine.knitted import knitted_straight
from scorer.engine.search import CLOSED_CHOW, EDGE_CHOW
from scorer.engine.wait_masks import exhausted, standard_wait
from scorer.fans import CHICKEN_HAND
from scorer.fans.model import Fan, ShapeKind
from scorer.scoring import Score
from scorer.tiles import SUIT_AND_HONOUR_FACES as FACE


@dataclass(frozen=True)
class Absent:
    """A fan that is not present, and why."""

    fan: Fan
    chinese: str
    english: str

    def reason(self, language: str = "en") -> str:
        """The reason in words, ``zh`` or ``en``."""
        return self.chinese if language == "zh" else self.english

    def to_json(self) -> dict[str, Any]:
        """The fan as a JSON object, the reason in both languages."""
        return {
            "fan": self.fan.name,
            "english": self.fan.english,
            "points": self.fan.points,
            "reason": {"zh": self.chinese, "en": self.english},
        }


def absent_fans(score: Score) -> tuple[Absent, ...]:
    """The fans that somebody may expect."""
    return (*_waits(score), *_chicken(score))


def _waits(score: Score) -> Iterator[Absent]:
    """边张, 坎张 or 单钓将 that the winning tile makes in this reading, while other tiles would have won too."""
    packed, reading, kind = score.hand.packed, score.candidate.concealed, score.candidate.kind
    straight = knitted_straight(packed) if kind is ShapeKind.KNITTED_STRAIGHT else None
    if not reading or score.candidate.present & score.engine.waits:
        return
    pair = (reading >> PAIR_SHIFT) - 1
    waits = (
        straight.waits
        if straight
        else standard_wait(packed.own, packed.winning, pair, pairs=not packed.kinds)
    )
    if waits.bit_count() < 2:
        return
    made = (
        ("边张", reading & EDGE_CHOW[packed.winning]),
        ("坎张", reading & CLOSED_CHOW[packed.winning]),
        ("单钓将", pair == packed.winning),
    )
    used_up = waits & exhausted(packed)
    names = " ".join(FACE[face] for face in bits_of(waits))
    formal = " ".join(FACE[face] for face in bits_of(used_up))
    chinese, english = f"不是独听:还听{names}", f"not the only wait: {names} would win"
    if formal:
        chinese += f"(其中{formal}四张都在手中,仍算一种听牌)"
        english += f"; the hand holds all four {formal}, which still counts as a wait"
    for name, there in made:
        fan = next((fan for fan in score.engine.profile.fans if fan.number == _NUMBERS[name]), None)
        if there and fan is not None:
            yield Absent(fan, chinese, english)
            return


_NUMBERS = {"边张": 77, "坎张": 78, "单钓将": 79}


def _chicken(score: Score) -> Iterator[Absent]:
    """无番和, where a legal win would have needed it."""
    fan = score.engine.profile.by_name.get(CHICKEN_HAND)
    if fan is None or score.legal or CHICKEN_HAND in score.counts:
        return
    flowers = {"花牌", "季花"}
    others = [name for name in score.counts if name not in flowers]
    if others:
        names = "、".join(others)
        yield Absent(
            fan,
            f"已计{names};无番和不能有其他番种",
            f"{names} counts, and it needs a hand without any other fan",
        )
