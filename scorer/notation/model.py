"""What scanning finds: tiles, melds and fields, each with its place in the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, NoReturn

from scorer.errors import ImpossibleHand, NotationError
from scorer.hand import Meld, MeldKind
from scorer.tiles import BACK

_SET_OF_TILES: Final = 144
MOST_MELDS: Final = 4


class PlacedTile(NamedTuple):
    """A tile and where it stands in the text, in characters from 0."""

    face: str
    position: int


class Bracket(NamedTuple):
    """The tiles of a meld, and from whom one of them came."""

    tiles: list[PlacedTile]
    source: str
    position: int


@dataclass(frozen=True, slots=True)
class Body:
    """The tiles of a text, without winds, flags and flowers."""

    loose: list[PlacedTile]
    """The tiles outside brackets."""
    melds: tuple[Meld, ...]
    meld_tiles: list[PlacedTile]
    ends_with_meld: bool


class Fields(NamedTuple):
    """The parts of a text that ``|`` separates, and where they start; None if a part is missing."""

    end_of_tiles: int
    flags: str | None
    flags_at: int
    flowers: str | None
    flowers_at: int


def fail(message: str, position: int) -> NoReturn:
    """Refuse text that is not the notation."""
    raise NotationError(f"{message} (at character {position + 1})", position)


def placed(error: ImpossibleHand, position: int) -> ImpossibleHand:
    """The same error with its place in the text."""
    copy = ImpossibleHand(error.code, f"{error.message} (at character {position + 1})")
    copy.position = position
    return copy


def meld_of(bracket: Bracket) -> Meld:
    """The meld that a bracket holds."""
    faces = [tile.face for tile in bracket.tiles]
    known = [face for face in faces if face != BACK]
    if BACK in faces and len(faces) == 4 and known and len(set(known)) == 1:
        faces = [known[0]] * 4
    if len(faces) == 4:
        kind = MeldKind.MELDED_KONG if bracket.source else MeldKind.CONCEALED_KONG
    else:
        kind = MeldKind.PUNG if len(set(faces)) == 1 else MeldKind.CHOW
    try:
        return Meld(kind, tuple(faces))
    except ImpossibleHand as error:
        raise placed(error, bracket.position) from None


def check_size(loose: Sequence[PlacedTile], brackets: Sequence[Bracket]) -> None:
    """Refuse far too many tiles before anything looks at them more closely."""
    if len(brackets) > MOST_MELDS:
        error = ImpossibleHand("too_many_melds", f"{len(brackets)} melds; a hand has at most four")
        raise placed(error, brackets[MOST_MELDS].position)
    if len(loose) > _SET_OF_TILES:
        message = f"{len(loose)} tiles; a hand has 13 or 14, a whole set {_SET_OF_TILES}"
        raise placed(ImpossibleHand("wrong_tile_count", message), loose[_SET_OF_TILES].position)
