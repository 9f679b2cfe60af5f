"""Every reading of many hands, as columns.

A hand of one reading has one row here, a hand of several readings several, a hand that does not win none. The steps are
those of :mod:`scorer.engine.search`: sets and a pair, seven pairs, thirteen orphans and knitted singles, straights.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.arrays.lookup import Numbers
from scorer.arrays.suit_table import ODD, POWER, ROW, TO_PAIR, TO_SETS, suit_table
from scorer.fans.model import HandShape, ShapeKind
from scorer.tiles import FACE_INDEX, KNITTED_ARRANGEMENTS, ORPHANS

Flags = NDArray[np.bool_]

SUIT_OF: Final = np.array([face // 9 for face in range(36)])
RANK_POWER: Final = np.array([POWER[face % 9] for face in range(36)])
NINE_GATES: Final = sum(
    number * power for number, power in zip((3, 1, 1, 1, 1, 1, 1, 1, 3), POWER, strict=True)
)
IN_A_ROW: Final = np.array([sum(2 * power for power in POWER[low : low + 7]) for low in range(3)])
_ORPHANS: Final = sum(1 << FACE_INDEX[face] for face in ORPHANS)
_BODIES: Final = np.array([sum(1 << FACE_INDEX[face] for face in faces) for faces in KNITTED_ARRANGEMENTS])
"""The nine tiles of each arrangement as a mask over faces."""
_GROUPS: Final = np.array(
    [
        [sum(POWER[int(face[0]) - 1] for face in faces if face[1] == suit) for suit in "mps"] + [0]
        for faces in KNITTED_ARRANGEMENTS
    ]
)
"""The same as numbers in base 5, suit by suit."""
_HONOURS: Final = 127 << 27


class Keys(NamedTuple):
    """The tiles of each hand as numbers."""

    suits: tuple[Numbers, Numbers, Numbers, Numbers]
    """Concealed tiles and winning tile, suit by suit, in base 5."""
    entries: tuple[Numbers, Numbers, Numbers, Numbers]
    """Their entries in the suit table."""
    faces: Numbers
    """Mask of the faces, melds included."""
    winning: Numbers
    melds: Numbers
    """The number of melds, concealed kongs included."""

    def at(self, rows: Numbers) -> Keys:
        """The keys of some hands."""
        first, second, third, fourth = (key[rows] for key in self.suits)
        a, b, c, d = (entry[rows] for entry in self.entries)
        return Keys(
            (first, second, third, fourth),
            (a, b, c, d),
            self.faces[rows],
            self.winning[rows],
            self.melds[rows],
        )


class Splits(NamedTuple):
    """Hands that split into sets and a pair, beside nine knitted tiles if they have them."""

    owner: Numbers
    """The hand."""
    rows: tuple[Numbers, ...]
    """The row of each suit in the suit table."""
    sole: Flags
    """Whether no other tile would have won."""
    gates: Flags
    """Whether it is nine gates."""
    knitted: Flags


def joined(first: Splits, second: Splits) -> Splits:
    """The rows of both."""
    rows = tuple([np.concatenate(both) for both in zip(first.rows, second.rows, strict=True)])
    return Splits(
        np.concatenate([first.owner, second.owner]),
        rows,
        np.concatenate([first.sole, second.sole]),
        np.concatenate([first.gates, second.gates]),
        np.concatenate([first.knitted, second.knitted]),
    )


class Shapes(NamedTuple):
    """Hands without sets, of one shape."""

    owner: Numbers
    shape: HandShape


def pair_rows(rows: list[Numbers]) -> list[Flags]:
    """Whether the readings of each row have a pair."""
    return [suit_table().has_pair.take(row) for row in rows]


def standard(keys: Keys) -> Splits:
    """Every hand of four sets and a pair."""
    rows = [entry >> ROW for entry in keys.entries]
    pairs = pair_rows(rows)
    splits = rows[0] > 0
    number = pairs[0].astype(np.int8)
    for row, pair in zip(rows[1:], pairs[1:], strict=True):
        splits &= row > 0
        number += pair
    owner = np.flatnonzero(splits & (number == 1))
    own = keys.at(owner)
    concealed = own.melds == 0
    before, sole = _sole(own, [pair[owner] for pair in pairs], concealed)
    gates = concealed & (before == NINE_GATES) & (own.winning < 27)
    return Splits(owner, tuple([row[owner] for row in rows]), sole, gates, np.zeros(len(owner), bool))


def _sole(keys: Keys, pairs: list[Flags], may_pair: Flags) -> tuple[Numbers, Flags]:
    """Of hands of sets and a pair: the winning suit before the win, and whether no other tile would have done.

    ``may_pair`` says which hands may wait for seven pairs as well.
    """
    table = suit_table()
    suit = SUIT_OF.take(keys.winning)
    before = np.choose(suit, keys.suits) - RANK_POWER.take(keys.winning)
    entry = table.suit.take(np.where(suit == 3, 0, before))
    honours = np.flatnonzero(suit == 3)
    entry[honours] = table.honours.take(before[honours])
    in_pair_suit = np.choose(suit, pairs)
    number = np.bitwise_count(np.where(in_pair_suit, entry >> TO_PAIR, entry >> TO_SETS) & 511)
    row = entry >> ROW
    both = np.flatnonzero(~in_pair_suit & table.has_pair.take(row))
    for place in range(4):
        there = both[pairs[place][both]]
        number[there] += np.bitwise_count(keys.entries[place][there] >> TO_SETS & 511)
    # A hand with a single wait waits for its winning tile; seven pairs may want another one.
    some = np.flatnonzero(may_pair & (number == 1))
    odd = [np.where(suit[some] == at, entry[some], keys.entries[at][some]) >> ODD & 511 for at in range(4)]
    faces = odd[0] | odd[1] << 9 | odd[2] << 18 | odd[3] << 27
    pairs_too = (np.bitwise_count(faces) == 1) & (faces != 1 << keys.winning[some])
    number[some[pairs_too]] += 1
    return before, number == 1


def seven_pairs(keys: Keys) -> tuple[Numbers, Flags]:
    """Every hand of seven pairs, and whether they are seven in a row."""
    a, b, c, d = keys.entries
    owner = np.flatnonzero(((a | b | c | d) >> ODD & 511 == 0) & (keys.melds == 0))
    suits = [key[owner] for key in keys.suits]
    one_suit = sum((key == 0).astype(np.int8) for key in suits) == 3
    in_a_row = one_suit & np.isin(suits[0] + suits[1] + suits[2], IN_A_ROW)
    return owner, in_a_row


def shapes(keys: Keys, rest: Numbers) -> list[Shapes]:
    """The hands of thirteen orphans and of knitted singles among ``rest``."""
    faces = keys.faces[rest]
    concealed = keys.melds[rest] == 0
    orphans = rest[concealed & (faces == _ORPHANS)]
    found = [Shapes(orphans, HandShape(ShapeKind.THIRTEEN_ORPHANS))]
    singles = np.flatnonzero(concealed & (np.bitwise_count(faces) == 14))
    suited = faces[singles] & ~_HONOURS
    fits = (suited[:, None] & ~_BODIES[None, :] == 0).any(1)
    singles = singles[fits]
    honours = np.bitwise_count(faces[singles] & _HONOURS)
    for number in range(5, 8):
        shape = HandShape(ShapeKind.UNRELATED, honours=number, knitted=14 - number)
        found.append(Shapes(rest[singles[honours == number]], shape))
    return [each for each in found if each.owner.size]


def knitted(keys: Keys, rest: Numbers, *, body_waits: bool) -> Splits:
    """The hands of a knitted straight among ``rest``; with ``body_waits`` a knitted tile may be a sole wait."""
    # Melds count among the faces, so the concealed ones are asked.
    present = [entry[rest] & 511 for entry in keys.entries[:3]]
    faces = present[0] | present[1] << 9 | present[2] << 18
    held = (faces[:, None] & _BODIES[None, :] == _BODIES[None, :]) & (keys.melds[rest] <= 1)[:, None]
    # A hand can hold the nine tiles of two arrangements, and still be a straight by one of them only.
    places, which = np.nonzero(held)
    owner = rest[places]
    own = keys.at(owner)
    groups, bodies = _GROUPS[which].T, _BODIES[which]
    left = [key - group for key, group in zip(own.suits, groups, strict=True)]
    table = suit_table()
    entries = [table.suit.take(key) for key in left[:3]] + [table.honours.take(left[3])]
    rows = [entry >> ROW for entry in entries]
    pairs = pair_rows(rows)
    good = np.flatnonzero(
        np.logical_and.reduce([row > 0 for row in rows]) & (sum(pair.astype(np.int8) for pair in pairs) == 1)
    )
    remaining = Keys(
        (left[0], left[1], left[2], left[3]),
        (entries[0], entries[1], entries[2], entries[3]),
        own.faces,
        own.winning,
        own.melds,
    )
    chosen, winning = remaining.at(good), own.winning[good]
    in_body = bodies[good] >> winning & 1 > 0
    # The tile of the nine that was missing is the only one that wins.
    copies = np.choose(SUIT_OF.take(winning), chosen.suits) // RANK_POWER.take(winning) % 5
    missing = in_body & (copies == 0)
    ask = np.flatnonzero(~missing)
    sole = missing.copy()
    none = np.zeros(len(ask), bool)
    sole[ask] = _sole(chosen.at(ask), [pair[good][ask] for pair in pairs], none)[1]
    if not body_waits:
        sole &= ~in_body
    no = np.zeros(len(good), bool)
    return Splits(owner[good], tuple([row[good] for row in rows]), sole, no, ~no)
