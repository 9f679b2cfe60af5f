"""What a hand that is not complete waits for, how far it is from ready, and what to discard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.circumstances import Circumstances
from scorer.errors import ImpossibleHand
from scorer.fans.model import ShapeKind
from scorer.hand import Hand, Meld
from scorer.profiles import DEFAULT, Profile
from scorer.scoring import Score, engine_for, score
from scorer.tiles import FACE_INDEX, FLOWERS, chinese
from scorer.tiles import SUIT_AND_HONOUR_FACES as FACE
from scorer.winning.distance import counts_and_room, missing_by_shape


@dataclass(frozen=True)
class WaitingTile:
    """A tile that completes the hand.

    ``left`` is how many are not in the hand and not visible on the table. ``self_drawn`` and
    ``discard`` are the scores of winning on it either way; None where the circumstances given leave
    that way out (a robbed kong is never self-drawn) and where no copy is left to win on.
    """

    tile: str
    left: int
    self_drawn: Score | None
    discard: Score | None

    def to_json(self) -> dict[str, Any]:
        """The wait as a JSON object, scores without their awards."""
        return {
            "tile": self.tile,
            "left": self.left,
            "exhausted": self.left == 0,
            "self_drawn": self.self_drawn.summary() if self.self_drawn else None,
            "discard": self.discard.summary() if self.discard else None,
        }


@dataclass(frozen=True)
class Discard:
    """A tile to discard: tiles away from ready after it, and the tiles that would come nearer still."""

    tile: str
    tiles_from_ready: int
    improving: tuple[str, ...]
    left: int
    """How many improving tiles are not in the hand and not visible."""

    def to_json(self) -> dict[str, Any]:
        """The discard as a JSON object."""
        return {
            "tile": self.tile,
            "tiles_from_ready": self.tiles_from_ready,
            "improving": list(self.improving),
            "left": self.left,
        }


def _held(concealed: Sequence[str], melds: Sequence[Meld]) -> Counter[str]:
    return Counter(concealed) + Counter(tile for meld in melds for tile in meld.tiles)


def _check(
    concealed: Sequence[str], melds: Sequence[Meld], visible: Iterable[str], size: int
) -> Counter[str]:
    """Copies of each face that are known, once the hand proves to be sound and of ``size`` tiles."""
    for tile in (*concealed, *visible):
        if tile not in FACE_INDEX or tile in FLOWERS:
            if tile in FLOWERS:
                raise ImpossibleHand(
                    "flower_in_hand", f"{chinese(tile)} ({tile}) is a flower; flowers are laid aside"
                )
            raise ImpossibleHand(
                "unknown_face", f"{tile!r} is not a playing tile; faces are 1m-9m 1p-9p 1s-9s 1z-7z"
            )
    if len(melds) > 4:
        raise ImpossibleHand("too_many_melds", f"{len(melds)} melds; a hand has at most four")
    if len(concealed) + 3 * len(melds) != size:
        raise ImpossibleHand(
            "wrong_tile_count",
            f"{len(concealed)} concealed tiles beside {len(melds)} melds; "
            f"there must be {size - 3 * len(melds)}",
        )
    known = _held(concealed, melds) + Counter(visible)
    for tile, count in known.items():
        if count > 4:
            raise ImpossibleHand(
                "too_many_of_a_face",
                f"{tile} appears {count} times in the hand and on the table, not four",
            )
    return known


def _by_shape(concealed: Sequence[str], melds: Sequence[Meld]) -> dict[ShapeKind, int]:
    melded = [FACE_INDEX[tile] for meld in melds for tile in meld.tiles]
    counts, room = counts_and_room([FACE_INDEX[tile] for tile in concealed], melded)
    return missing_by_shape(counts, room, len(melds))


def _missing(concealed: Sequence[str], melds: Sequence[Meld]) -> int:
    return min(_by_shape(concealed, melds).values())


def tiles_from_ready(concealed: Sequence[str], melds: Sequence[Meld] = ()) -> int:
    """向听: how many tiles a hand of 13 must exchange to be ready; 0 if it is ready.

    >>> tiles_from_ready("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 2s 9s 9s".split())
    0
    """
    _check(concealed, melds, (), 13)
    return _missing(concealed, melds) - 1


def from_ready_by_shape(concealed: Sequence[str], melds: Sequence[Meld] = ()) -> dict[ShapeKind, int]:
    """The same for each winning shape the melds leave open."""
    _check(concealed, melds, (), 13)
    return {shape: missing - 1 for shape, missing in _by_shape(concealed, melds).items()}


def waits(
    concealed: Sequence[str],
    melds: Sequence[Meld] = (),
    circumstances: Circumstances | None = None,
    *,
    flowers: int | tuple[str, ...] = 0,
    visible: Iterable[str] = (),
    profile: str | Profile = DEFAULT,
) -> tuple[WaitingTile, ...]:
    """Every tile that completes a hand of 13, in the order of ``FACES``; empty if it is not ready.

    ``visible`` are tiles seen on the table outside the hand. A tile whose other three are all visible or
    in open melds is scored as 和绝张. Tiles of which all four are in the hand are no waits. Raises
    :class:`ImpossibleHand`.
    """
    seen = list(visible)
    known = _check(concealed, melds, seen, 13)
    engine = engine_for(profile)
    how = circumstances or Circumstances()
    held = _held(concealed, melds)
    if _missing(concealed, melds) != 1:
        return ()
    found = []
    for tile in FACE:
        if held[tile] == 4:
            continue
        hand = Hand(tuple(concealed), tuple(melds), tile, flowers)
        if not engine.candidates(hand, how):
            continue
        left = 4 - known[tile]
        drawn = _won(hand, how, True, seen, profile) if left else None
        claimed = _won(hand, how, False, seen, profile) if left else None
        found.append(WaitingTile(tile, left, drawn, claimed))
    return tuple(found)


def _won(
    hand: Hand, how: Circumstances, self_drawn: bool, seen: Sequence[str], profile: str | Profile
) -> Score | None:
    """The score of winning this way, None if the hand cannot have been won so."""
    tile = hand.winning_tile
    last_of_four = tile not in hand.concealed and (
        how.fourth_tile or seen.count(tile) + sum(meld.tiles.count(tile) for meld in hand.melds) >= 3
    )
    try:
        return score(hand, replace(how, self_drawn=self_drawn, fourth_tile=last_of_four), profile)
    except ImpossibleHand:
        return None


def best_discards(
    concealed: Sequence[str], melds: Sequence[Meld] = (), *, visible: Iterable[str] = ()
) -> tuple[Discard, ...]:
    """What to discard from a hand of 14, the best first.

    Best is nearest to ready, then most tiles left that come nearer still. One entry for each face.
    Raises :class:`ImpossibleHand`.
    """
    known = _check(concealed, melds, visible, 14)
    found = []
    for tile in dict.fromkeys(sorted(concealed, key=FACE_INDEX.__getitem__)):
        rest = list(concealed)
        rest.remove(tile)
        missing = _missing(rest, melds)
        improving = tuple(
            face for face in FACE if known[face] < 4 and _missing([*rest, face], melds) < missing
        )
        left = sum(4 - known[face] for face in improving)
        found.append(Discard(tile, missing - 1, improving, left))
    return tuple(sorted(found, key=lambda each: (each.tiles_from_ready, -each.left, FACE_INDEX[each.tile])))
