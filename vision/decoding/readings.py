"""The hands that joint readings make, likeliest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer import Circumstances, Hand, HandError, Meld, MeldKind, hand_to_json
from vision.decoding.search import Joint, Search
from vision.decoding.thresholds import DecodingPriors
from vision.decoding.units import Option, Unit
from vision.layout.roles import Role
from vision.tiles import BACK, CLASSES


@dataclass(frozen=True)
class Reading:
    """One legal hand with the tiles as read, and its probability among all legal readings.

    faces: the class of each tile of the table.
    """

    hand: Hand
    faces: tuple[str, ...]
    probability: float
    circumstances: Circumstances

    def to_json(self) -> dict[str, Any]:
        """The hand and its probability as `photo --json` prints them."""
        return {
            "hand": hand_to_json(self.hand, self.circumstances),
            "probability": round(self.probability, 4),
        }


@dataclass
class _Parts:
    """The tiles of one joint reading by what they are for."""

    concealed: list[str]
    melds: list[Meld]
    flowers: list[str]
    winning: str | None = None

    def hand(self, won: str) -> Hand:
        """The hand that was won with this tile. Raises HandError if the tiles make no hand."""
        kept = list(self.concealed)
        if self.winning is None:
            kept.remove(won)
        return Hand(tuple(kept), tuple(self.melds), won, tuple(self.flowers))


def readings_of(
    found: Search, faces: Sequence[int], circumstances: Circumstances, priors: DecodingPriors
) -> tuple[Reading, ...]:
    """Return the likeliest hands. If no tile lies apart each may be the winning one, the last most likely.

    faces: the class index of each tile of the table by itself, which tiles outside the hand keep.
    """
    merged: dict[Hand, Reading] = {}
    for number, (joint, share) in enumerate(
        zip(found.joints[: priors.most_hands], found.shares, strict=False)
    ):
        classes = _faces_with(found.units, joint, faces)
        try:
            parts = _parts(found.units, joint)
            for won, chance in _winning_tiles(parts, priors):
                hand = parts.hand(won)
                earlier = merged.get(hand)
                probability = float(share) * chance + (earlier.probability if earlier else 0.0)
                merged[hand] = Reading(
                    hand, earlier.faces if earlier else classes, probability, circumstances
                )
        except HandError:
            if number == 0:
                return ()  # a face-down tile or a wrong count: no less likely reading may hide that
    ranked = sorted(merged.values(), key=lambda reading: -reading.probability)
    return tuple(ranked[: priors.most_readings])


def _faces_with(units: Sequence[Unit], joint: Joint, faces: Sequence[int]) -> tuple[str, ...]:
    """The class of each tile of the table in a joint reading."""
    named = list(faces)
    for unit, option in zip(units, joint.options, strict=True):
        for tile, face in zip(unit.tiles, option.classes, strict=True):
            named[tile] = face
    return tuple(CLASSES[face] for face in named)


def _parts(units: Sequence[Unit], joint: Joint) -> _Parts:
    """The parts of the hand in a joint reading. Raises HandError if a group is not a meld."""
    parts = _Parts([], [], [])
    for unit, option in zip(units, joint.options, strict=True):
        shown = [CLASSES[face] for face in option.classes]
        match unit.role:
            case Role.MELD:
                parts.melds.append(_as_meld(option, shown))
            case Role.FLOWER:
                parts.flowers += shown
            case Role.WINNING:
                parts.winning = shown[0]
            case _:
                parts.concealed += shown
    return parts


def _as_meld(option: Option, shown: Sequence[str]) -> Meld:
    kind = MeldKind(option.kind or MeldKind.PUNG)
    if kind is MeldKind.CONCEALED_KONG:
        known = [face for face in shown if face != BACK]
        return Meld(kind, tuple(known[:1] or [BACK]) * 4)
    return Meld(kind, tuple(shown))


def _winning_tiles(parts: _Parts, priors: DecodingPriors) -> list[tuple[str, float]]:
    """The tiles that may have won, with the chance of each."""
    if parts.winning is not None:
        return [(parts.winning, 1.0)]
    concealed = parts.concealed
    if not concealed:
        return []
    chances: dict[str, float] = dict.fromkeys(reversed(concealed), 0.0)
    for face in concealed:
        chances[face] += (1 - priors.last_tile) / len(concealed)
    chances[concealed[-1]] += priors.last_tile
    return list(chances.items())
