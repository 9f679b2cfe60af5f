"""What a hand of 13 tiles waits for, how far it is from ready, and what to discard from 14."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.circumstances import Circumstances
from scorer.errors import ImpossibleHand
from scorer.fans.model import ShapeKind
from scorer.hand import Hand, Meld, counted
from scorer.profiles import DEFAULT, Profile
from scorer.scoring import Score, engine_for, score
from scorer.tiles import FACE_INDEX, FLOWERS, chinese
from scorer.tiles import SUIT_AND_HONOUR_FACES as FACE
from scorer.winning.distance import counts_and_room, missing_by_shape


@dataclass(frozen=True)
class WaitingTile:
    """A tile that completes the hand.

    ``left`` is the number of copies that are neither in the hand nor visible on the table. ``self_drawn`` and
    ``discard`` are the scores of winning on it in either way; None if the circumstances exclude that way (a
    robbed kong is never self-drawn) or if no copy is left.
    """

    tile: str
    left: int
    self_drawn: Score | None
    discard: Score | None

    def to_json(self) -> dict[str, Any]:
        """The wait as a JSON object; its scores have no awards."""
        return {
            "tile": self.tile,
            "left": self.left,
            "exhausted": self.left == 0,
            "self_drawn": self.self_drawn.summary() if self.self_drawn else None,
            "discard": self.discard.summary() if self.discard else None,
        }


@dataclass(frozen=True)
class Discard:
    """A tile to discard, how far the hand is from ready without it, and the tiles that would improve it."""

    tile: str
    tiles_from_ready: int
    improving: tuple[str, ...]
    left: int
    """The number of improving tiles that are neither in the hand nor visible."""

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
    """How many tiles of each face are in the hand or visible; refuses a hand not possible with ``size`` tiles."""
    for tile in (*concealed, *visible):
        if tile not in FACE_INDEX or tile in FLOWERS:
            if tile in FLOWERS:
                raise ImpossibleHand(
                    "flower_in_hand", f"{tile} is the flower {chinese(tile)}; flowers are laid aside"
                )
            raise ImpossibleHand("unknown_face", f"{tile!r} is not a tile; faces are 1m-9m 1p-9p 1s-9s 1z-7z")
    if len(melds) > 4:
        raise ImpossibleHand("too_many_melds", f"{len(melds)} melds; a hand has at most four")
    if len(concealed) + 3 * len(melds) != size:
        raise ImpossibleHand(
            "wrong_tile_count",
            f"{counted(len(concealed), 'concealed tile')} besides {counted(len(melds), 'meld')}; there must be "
            f"{size - 3 * len(melds)}",
        )
    known = _held(concealed, melds) + Counter(visible)
    for tile, count in known.items():
        if count > 4:
            raise ImpossibleHand(
                "too_many_of_a_face",
                f"{tile} appears {count} times in the hand and on the table; a set of tiles has four",
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
    """How many tiles a hand of 13 is from ready, for each winning shape that its melds allow."""
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
    """Every tile that completes a hand of 13, in the order of ``FACES``; empty if the hand is not ready.

    ``visible`` are the tiles seen on the table outside the hand. If the other three copies of a tile are all
    visible or in open melds, it is scored as 和绝张. A tile is not a wait if the hand holds all four copies.
    Raises :class:`ImpossibleHand`.
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
    """The score of winning in this way, None if the hand cannot be won so."""
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
    """What to discard from a hand of 14, the best first, with one entry for each face.

    A discard is better if it leaves the hand nearer to ready; of equal ones, if more tiles are left that
    improve the hand. Raises :class:`ImpossibleHand`.
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
