"""The draft: the hand that somebody edits on the page, tile by tile, and the hand JSON that it stands for."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from scorer import BACK, FACES, MeldKind
from webapp.errors import Refusal
from webapp.language import gettext

HAND_SIZE = 14
"""Tiles of a winning hand, without the one more that each kong brings."""
COPIES = 4
"""How often each face is in a set; each flower is in it once."""
MOST_TILES = 600
ROLES = ("concealed", "meld", "winning", "flower", "stray")
_PLAYED = frozenset({"concealed", "meld", "winning"})
_ORDER = {face: place for place, face in enumerate((*FACES, BACK))}


def is_flower(face: str) -> bool:
    """Whether a face is one of the eight flowers."""
    return face.endswith("f")


def in_order(faces: Sequence[str]) -> list[str]:
    """Faces in the order of `scorer.FACES`, face-down tiles last."""
    return sorted(faces, key=_ORDER.__getitem__)


@dataclass(frozen=True)
class DraftTile:
    """One tile of a draft.

    `group` is the number of its meld. `doubt` is the code of what is doubtful about it: "kong" (concealed or melded),
    "role" (where it belongs), "winning" (whether it won), anything else its face; None where nothing is.
    `confidence` is the reader's, 0 to 1. `photo` counts the photos of the hand from 0, and `at` is the tile's centre
    and width there: x, y, width in pixels of that photo. All four are None where they do not apply.

    `completed` is the hand size that this tile completed when Fanlens took it for the winning tile; None for a
    winning tile that a person marked.
    """

    id: int
    face: str
    role: str
    group: int | None = None
    doubt: str | None = None
    confidence: float | None = None
    photo: int | None = None
    at: tuple[float, float, float] | None = None
    completed: int | None = None


@dataclass(frozen=True)
class Draft:
    """Tiles in the order they lie, the melds that are concealed kongs, and the tile that was added last, if any."""

    tiles: tuple[DraftTile, ...]
    hidden: frozenset[int] = frozenset()
    added: int | None = None

    @cached_property
    def melds(self) -> dict[int, list[DraftTile]]:
        """The tiles of each meld by its number, in the order the melds lie."""
        found: dict[int, list[DraftTile]] = {}
        for tile in self.tiles:
            if tile.role == "meld" and tile.group is not None:
                found.setdefault(tile.group, []).append(tile)
        return found

    @cached_property
    def held(self) -> int:
        """How many tiles are in the hand; flowers and strays are not."""
        return sum(tile.role in _PLAYED for tile in self.tiles)

    @cached_property
    def expected(self) -> int:
        """How many tiles a hand with these melds has."""
        return HAND_SIZE + sum(len(tiles) > 3 for tiles in self.melds.values())

    @cached_property
    def winning(self) -> DraftTile | None:
        """The winning tile.

        A tile that a person marked stays the winning tile. Otherwise it is the tile that completed the hand when it
        was added, as long as no kong has been made since: a kong needs one more tile, so another tile has won.
        """
        for tile in self.tiles:
            if tile.role == "winning" and tile.completed in (None, self.expected):
                return tile
        last = next((tile for tile in self.tiles if tile.id == self.added), None)
        complete = self.held == self.expected
        return last if last and complete and last.role in ("concealed", "winning") else None

    def resolved(self) -> Self:
        """The draft with `winning` as the only tile in that role; one that Fanlens chose knows what it completed."""
        winning = self.winning

        def role_of(tile: DraftTile) -> DraftTile:
            if winning is not None and tile.id == winning.id:
                chosen = tile.role != "winning"
                completed = self.expected if chosen else tile.completed
                return replace(tile, role="winning", completed=completed)
            return replace(tile, role="concealed", completed=None) if tile.role == "winning" else tile

        return replace(self, tiles=tuple(map(role_of, self.tiles)))

    @cached_property
    def concealed(self) -> list[DraftTile]:
        """The concealed tiles without the winning tile."""
        winning = self.winning
        return [tile for tile in self.tiles if tile.role in ("concealed", "winning") and tile is not winning]

    @cached_property
    def places(self) -> dict[int, int]:
        """Where each tile lies in the row of all tiles, by its id."""
        return {tile.id: place for place, tile in enumerate(self.tiles)}

    @cached_property
    def loose_by_face(self) -> dict[str, list[int]]:
        """The ids of the concealed tiles of each face, in the order they lie."""
        found: dict[str, list[int]] = {}
        for tile in self.tiles:
            if tile.role == "concealed":
                found.setdefault(tile.face, []).append(tile.id)
        return found

    def kind_of(self, group: int) -> MeldKind:
        """The kind of a meld, from its tiles. The scorer refuses melds whose tiles do not fit their kind."""
        faces = [tile.face for tile in self.melds[group]]
        if len(faces) > 3:
            return MeldKind.CONCEALED_KONG if group in self.hidden else MeldKind.MELDED_KONG
        return MeldKind.PUNG if len(set(faces)) == 1 else MeldKind.CHOW

    def copies_left(self) -> dict[str, int]:
        """How many tiles of each face the set still has."""
        used = Counter(tile.face for tile in self.tiles if tile.role != "stray")
        return {face: max(0, (1 if is_flower(face) else COPIES) - used[face]) for face in FACES}

    def hand(self) -> dict[str, Any]:
        """The tiles as hand JSON, without `winning_tile` while it is not known."""
        melds = []
        for group, tiles in self.melds.items():
            faces = in_order([tile.face for tile in tiles])
            melds.append({"kind": str(self.kind_of(group)), "tile": faces[0], "tiles": faces})
        hand: dict[str, Any] = {
            "concealed": in_order([tile.face for tile in self.concealed]),
            "melds": melds,
            "flowers": in_order([tile.face for tile in self.tiles if tile.role == "flower"]),
        }
        if self.winning is not None:
            hand["winning_tile"] = self.winning.face
        return hand


def hand_with_winning(draft: Draft, tile: DraftTile) -> dict[str, Any]:
    """The hand JSON of a draft in which `tile`, a concealed or the winning tile, has won."""
    loose = [one for one in draft.tiles if one.role in ("concealed", "winning") and one.id != tile.id]
    return draft.hand() | {
        "concealed": in_order([one.face for one in loose]),
        "winning_tile": tile.face,
    }


def hand_key(hand: Mapping[str, Any]) -> str:
    """A text that is equal for two hands exactly when their tiles are, however they lie."""
    melds = sorted([meld["kind"], *meld["tiles"]] for meld in hand["melds"])
    return json.dumps([sorted(hand["concealed"]), melds, hand.get("winning_tile")])


def read_draft(body: object) -> Draft:
    """The draft in a JSON object with `tiles`, `hidden` and `added`. Raises Refusal `bad_draft`."""
    if not isinstance(body, Mapping):
        raise _bad_draft()
    tiles, hidden, added = body.get("tiles"), body.get("hidden", []), body.get("added")
    if not isinstance(tiles, list) or len(tiles) > MOST_TILES:
        raise _bad_draft()
    if not isinstance(hidden, list) or not all(map(_is_whole, hidden)) or not _is_whole_or_none(added):
        raise _bad_draft()
    return Draft(tuple(map(_read_tile, tiles)), frozenset(hidden), added)


def _read_tile(body: object) -> DraftTile:
    if not isinstance(body, Mapping) or not _is_whole(body.get("id")):
        raise _bad_draft()
    wholes = {name: body.get(name) for name in ("group", "photo", "completed")}
    doubt, confidence, at = body.get("doubt"), body.get("confidence"), body.get("at")
    sound = (
        isinstance(body.get("face"), str)
        and body["face"] in _ORDER
        and body.get("role") in ROLES
        and (wholes["group"] is not None or body["role"] != "meld")
        and all(map(_is_whole_or_none, wholes.values()))
        and (doubt is None or isinstance(doubt, str))
        and (confidence is None or (_is_number(confidence) and 0 <= confidence <= 1))
        and (at is None or (isinstance(at, list) and len(at) == 3 and all(map(_is_number, at)) and at[2] > 0))
    )
    if not sound:
        raise _bad_draft()
    place = None if at is None else (at[0], at[1], at[2])
    return DraftTile(
        body["id"], body["face"], body["role"], doubt=doubt, confidence=confidence, at=place, **wholes
    )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**6


def _is_whole_or_none(value: object) -> bool:
    return value is None or _is_whole(value)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 10**6


def _bad_draft() -> Refusal:
    message = gettext("The draft must be an object with a list of tiles, each with id, face and role.")
    return Refusal(400, "bad_draft", message)
