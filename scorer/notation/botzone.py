"""Reading hands as Botzone writes them: ``W1 B2 T3 F1 J1`` and packs such as ``CHI W2 1``.

A pack is a word, a tile and the number of the player who offered it: ``CHI`` with its middle tile, ``PENG`` or
``GANG``; 0 stands for a concealed kong. Quotes, commas and round brackets, as Python prints them, do not matter. The
last tile outside packs is the winning tile.
"""

from __future__ import annotations

from typing import NoReturn

from scorer.errors import AmbiguousHand, ImpossibleHand, NotationError
from scorer.hand import Meld, MeldKind
from scorer.notation.dialects import FACE_OF_BOTZONE, TOKEN, Token
from scorer.notation.model import Body, Bracket, PlacedTile, check_size, fail, meld_of, placed


def scan_botzone(text: str, stop: int) -> Body:
    """The tiles and melds of ``text`` up to ``stop``."""
    return _Scanner(text, stop).body()


class _Scanner:
    def __init__(self, text: str, stop: int) -> None:
        self._tokens = _tokens(text, stop)
        self._stop = stop
        self._place = 0

    def body(self) -> Body:
        loose: list[PlacedTile] = []
        melds: list[Meld] = []
        laid: list[PlacedTile] = []
        brackets: list[Bracket] = []
        ends_with_meld = False
        while (token := self._next()) is not None:
            if token.kind == "tile":
                loose.append(_tile(token))
                ends_with_meld = False
            elif token.kind == "word":
                meld, tiles = self._pack(token)
                brackets.append(Bracket(tiles, "", token.position))
                melds.append(meld)
                laid += tiles
                ends_with_meld = True
            elif token.text == "[":
                bracket = self._bracket(token)
                brackets.append(bracket)
                check_size(loose, brackets)
                melds.append(meld_of(bracket))
                laid += bracket.tiles
                ends_with_meld = True
            elif token.kind == "offer":
                fail(
                    "expected a tile, CHI, PENG or GANG; a number only follows the tile of a pack",
                    token.position,
                )
            elif token.text == "]":
                fail("expected a tile or a pack; this bracket closes none", token.position)
        check_size(loose, brackets)
        return Body(loose, tuple(melds), laid, ends_with_meld)

    def _next(self) -> Token | None:
        if self._place == len(self._tokens):
            return None
        self._place += 1
        return self._tokens[self._place - 1]

    def _pack(self, word: Token) -> tuple[Meld, list[PlacedTile]]:
        token = self._next()
        if token is None or token.kind != "tile":
            fail(f"expected a tile after {word.text}, as in {word.text} W2 1", word.position)
        tile = _tile(token)
        offer = self._next()
        if offer is not None and offer.kind != "offer":
            self._place -= 1
            offer = None
        if offer is not None and offer.text not in ("0", "1", "2", "3"):
            fail("expected 0, 1, 2 or 3: who offered the tile, 0 for a concealed kong", offer.position)
        face = tile.face
        if word.text == "CHI":
            if face[1] == "z" or face[0] in "19":
                fail(
                    f"expected the middle tile of a chow after CHI, 2 to 8; {token.text} is not one",
                    token.position,
                )
            faces = [f"{int(face[0]) + step}{face[1]}" for step in (-1, 0, 1)]
            meld = Meld(MeldKind.CHOW, faces)
        elif word.text == "PENG":
            meld = Meld(MeldKind.PUNG, (face,) * 3)
        elif offer is None:
            raise AmbiguousHand(
                f"GANG {token.text} may be a concealed kong or a melded one: write GANG {token.text} 0 or "
                f"GANG {token.text} 1 (at character {word.position + 1})",
                word.position,
            )
        else:
            meld = Meld(MeldKind.CONCEALED_KONG if offer.text == "0" else MeldKind.MELDED_KONG, (face,) * 4)
        return meld, [PlacedTile(each, token.position) for each in meld.tiles]

    def _bracket(self, start: Token) -> Bracket:
        tiles: list[PlacedTile] = []
        source = ""
        while (token := self._next()) is not None and token.text != "]":
            if token.kind == "offer" and not source:
                source = "" if token.text == "0" else token.text
            elif token.kind == "tile":
                tiles.append(_tile(token))
            else:
                fail("expected the tiles of one meld and then ]", token.position)
        if token is None:
            fail("this bracket is not closed; expected ] after the tiles of one meld", start.position)
        return Bracket(tiles, source, start.position)


def _tokens(text: str, stop: int) -> list[Token]:
    found: list[Token] = []
    place = 0
    while place < stop:
        match = TOKEN.match(text, place, stop)
        if match is None:
            _unknown(text, place)
        if match.lastgroup and match[0] not in "()+":
            found.append(Token(match.lastgroup, match[0], place))
        place = match.end()
    return found


def _unknown(text: str, place: int) -> NoReturn:
    raise NotationError(
        f"{text[place]!r} is not part of Botzone's notation; expected W1-W9, B1-B9, T1-T9, F1-F4, J1-J3, or a pack "
        f"as in CHI W2 1 (at character {place + 1})",
        place,
    )


def _tile(token: Token) -> PlacedTile:
    face = FACE_OF_BOTZONE.get(token.text)
    if face is None:
        error = ImpossibleHand(
            "unknown_face", f"there is no tile {token.text}; winds are F1-F4, dragons J1-J3"
        )
        raise placed(error, token.position)
    return PlacedTile(face, token.position)
