"""The best reading of many hands at once, by the fans and tables of one engine."""

from __future__ import annotations

from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.arrays.codes import COUNTS, KONGS, MELDED, MELDS, MeldKeys, TileKeys
from scorer.arrays.lookup import Numbers, Words
from scorer.arrays.masks import CHOW_REPEATS, HOGS, HONOUR_REPEATS, PUNG_REPEATS, MaskTables, words
from scorer.arrays.readings import Flags, Keys, Splits, joined, knitted, seven_pairs, shapes, standard
from scorer.arrays.suit_table import COUNTS as SUIT_COUNTS
from scorer.arrays.suit_table import FOURS, PAIR, PUNGS, suit_table
from scorer.bitboard import GREEN_FACES, PUNG_FIELD, REVERSIBLE_FACES
from scorer.engine.search import ANY_CHOW, CLOSED_CHOW, EDGE_CHOW, Engine

U64, I64 = np.uint64, np.int64
_ANY, _CLOSED, _EDGE = (np.array(chows, U64) for chows in (ANY_CHOW, CLOSED_CHOW, EDGE_CHOW))
_SUITED = (1 << 27) - 1
_TERMINALS_AND_HONOURS = sum(1 << face for face in (0, 8, 9, 17, 18, 26)) | 127 << 27


class Melds(NamedTuple):
    """What the melds of each hand add."""

    chows: Words
    sets: Numbers


class Readings(NamedTuple):
    """Rows of readings with the fans that are present in them."""

    owner: Numbers
    low: Words
    high: Words


class Best(NamedTuple):
    """The best reading of each hand."""

    wins: Flags
    points: Numbers
    """Without flowers."""
    lists: Numbers
    """Number of the list of fans in :attr:`MaskTables.lists`."""


class ArraySearch:
    """Scores columns of sound hands by one engine. Threads take turns."""

    def __init__(self, engine: Engine) -> None:
        """Build empty tables."""
        self.engine = engine
        self.tables = MaskTables(engine)
        self.lock = Lock()

    def best(self, tiles: NDArray[np.uint8], melds: NDArray[np.uint8], how: Numbers) -> Best:
        """The best reading of each hand: 14 rows of tile codes, four of meld codes, packed circumstances."""
        keys, added, hogs = self._keys(tiles, melds)
        low, high = self._base(keys, added, hogs, how, self._shown(melds, keys.winning))
        found = standard(keys)
        pairs, in_a_row = seven_pairs(keys)
        rest = np.ones(len(how), bool)
        rest[found.owner] = rest[pairs] = False
        left = np.flatnonzero(rest)
        readings = self._shapes(left, keys, low, high) if left.size else []
        if pairs.size:
            readings.append(self._seven_pairs(pairs, in_a_row, low, high))
        if left.size:
            straights = knitted(keys, left, body_waits=self.engine.profile.knitted_body_wait)
            found = joined(found, straights) if straights.owner.size else found
        readings.append(self._values(found, keys, added, how, low, high))
        owner = np.concatenate([each.owner for each in readings])
        rows = self.tables.answers.rows(
            np.concatenate([each.low for each in readings]), np.concatenate([each.high for each in readings])
        )
        return self._chosen(owner, rows, len(how))

    @staticmethod
    def _keys(tiles: NDArray[np.uint8], melds: NDArray[np.uint8]) -> tuple[Keys, Melds, Numbers]:
        """The tiles as numbers, what the melds add, and how many fours there are besides kongs."""
        table = suit_table()
        low, honours = TileKeys.low.take(tiles).sum(0), TileKeys.honours.take(tiles).sum(0)
        faces = np.bitwise_or.reduce(TileKeys.face.take(tiles), 0)
        suits = (low & 0x1FFFFF, low >> 21 & 0x1FFFFF, low >> 42, honours)
        first, second, third = (table.suit.take(key) for key in suits[:3])
        entries = (first, second, third, table.honours.take(honours))
        hogs = sum(entry >> FOURS & 7 for entry in entries)
        sets, chows = np.zeros(len(low), I64), np.zeros(len(low), U64)
        at = np.flatnonzero(melds[0])
        if at.size:
            codes = melds[:, at]
            sets[at], chows[at] = MeldKeys.sets.take(codes).sum(0), MeldKeys.chows.take(codes).sum(0)
            low = low[at] + MeldKeys.low.take(codes).sum(0)
            all_honours = honours[at] + MeldKeys.honours.take(codes).sum(0)
            whole = [table.suit.take(key) for key in (low & 0x1FFFFF, low >> 21 & 0x1FFFFF, low >> 42)]
            whole.append(table.honours.take(all_honours))
            hogs[at] = sum(entry >> FOURS & 7 for entry in whole)
            present = [entry & 511 for entry in whole]
            faces[at] = (
                present[0] | present[1] << 9 | present[2] << 18 | present[3] << 27
                | np.bitwise_or.reduce(MeldKeys.kongs.take(codes), 0)
            )  # fmt: skip
        keys = Keys(suits, entries, faces, tiles[13].astype(I64), sets >> MELDS & 7)
        return keys, Melds(chows, sets), hogs

    @staticmethod
    def _shown(melds: NDArray[np.uint8], winning: Numbers) -> Flags:
        """Whether the open melds hold the other three tiles of the winning face."""
        shown = np.zeros(len(winning), bool)
        at = np.flatnonzero(melds[0])
        if at.size:
            shown[at] = MeldKeys.shows[melds[:, at], winning[at]].sum(0) == 3
        return shown

    def _base(
        self, keys: Keys, added: Melds, hogs: Numbers, how: Numbers, shown: Flags
    ) -> tuple[Words, Words]:
        """The fans of the tiles and of how the hand was won, with the number of fours in the high word."""
        faces = keys.faces
        first, second, third, honours = faces & 511, faces >> 9 & 511, faces >> 18 & 511, faces >> 27
        palette = first | second | third
        palette |= (
            (first > 0).astype(I64) << 9 | (second > 0).astype(I64) << 10 | (third > 0).astype(I64) << 11
        )
        palette |= (honours & 15 > 0).astype(I64) << 12 | (honours > 15).astype(I64) << 13
        palette |= (faces & ~GREEN_FACES > 0).astype(I64) << 14 | (faces & ~REVERSIBLE_FACES > 0).astype(
            I64
        ) << 15
        melded = added.sets >> MELDED & 7
        win = how & 15 | (how >> 8) << 6 | (melded == 0).astype(I64) << 4 | (melded == 4).astype(I64) << 5
        win |= shown.astype(I64) << 3
        rows = self.tables.palettes.rows(palette.view(U64))
        low = self.tables.palettes.columns[0].take(rows) | self.tables.wins[0].take(win)
        high = self.tables.palettes.columns[1].take(rows) | self.tables.wins[1].take(win)
        at = np.flatnonzero(hogs)
        first_word, second_word = words(self.engine.hog)
        low[at] |= first_word
        high[at] |= second_word | hogs[at].view(U64) << U64(HOGS)
        return low, high

    def _seven_pairs(self, owner: Numbers, in_a_row: Flags, low: Words, high: Words) -> Readings:
        engine = self.engine
        first, second = words(~engine.barred_from_pairs & (1 << 128) - 1)
        own_low, own_high = low[owner] & first, high[owner] & second
        for flags, mask in ((None, engine.seven_pairs), (in_a_row, engine.seven_in_a_row)):
            _add(own_low, own_high, flags, mask)
        six, high_six = words(engine.of_six_faces)
        fewer = np.flatnonzero((own_low & six) | (own_high & high_six))
        own_high[fewer] -= U64(1 << HOGS)
        none = fewer[own_high[fewer] >> U64(HOGS) == 0]
        first, second = words(~engine.hog & (1 << 128) - 1)
        own_low[none] &= first
        own_high[none] &= second
        return Readings(owner, own_low, own_high)

    def _shapes(self, left: Numbers, keys: Keys, low: Words, high: Words) -> list[Readings]:
        """Thirteen orphans and knitted singles."""
        found = []
        for owner, shape in shapes(keys, left):
            first, second = words(self.engine.tables.shape(shape))
            found.append(Readings(owner, low[owner] | first, high[owner] | second))
        return found

    def _values(
        self, splits: Splits, keys: Keys, added: Melds, how: Numbers, low: Words, high: Words
    ) -> Readings:
        """The fans of every reading of hands with sets."""
        owner, parts, sole, gates, is_knitted = _every_reading(splits)
        chows, pungs, counts, pair = _together(parts)
        winning, own_how, fixed = keys.winning[owner], how[owner], added.sets[owner]
        own_low, own_high = low[owner], high[owner]
        _or(own_low, own_high, self._chows(chows + added.chows[owner], pair), CHOW_REPEATS)
        all_pungs = pungs | fixed & PUNG_FIELD
        tables = self.tables
        rows = tables.pungs.rows((all_pungs & _SUITED).view(U64))
        _or(own_low, own_high, [column.take(rows) for column in tables.pungs.columns], PUNG_REPEATS)
        key = all_pungs & _TERMINALS_AND_HONOURS | np.where(pair >= 27, pair - 26, 0) << 34
        key |= (own_how >> 4 & 15) << 38 | gates.astype(I64) << 42
        rows = tables.honours.rows(key.view(U64))
        _or(own_low, own_high, [column.take(rows) for column in tables.honours.columns], HONOUR_REPEATS)
        claimed = (own_how & 1 == 0) & (pungs >> winning & 1 > 0) & (pair != winning)
        claimed &= chows & _ANY.take(winning) == 0
        kongs = fixed >> KONGS & 63
        concealed = np.bitwise_count(pungs).astype(I64) + (kongs >> 3) - claimed
        frame = (
            counts + (fixed >> COUNTS & 511) | np.bitwise_count(all_pungs).astype(I64) << 9 | concealed << 12
        )
        frame |= (
            (kongs & 7) << 15
            | kongs >> 3 << 19
            | (pair < 27).astype(I64) << 23
            | is_knitted.astype(I64) << 24
        )
        rows = tables.frames.rows(frame.view(U64))
        own_low |= tables.frames.columns[0].take(rows) | tables.pairs[0].take(pair)
        own_high |= tables.frames.columns[1].take(rows) | tables.pairs[1].take(pair)
        engine = self.engine
        for flags, mask in (
            (sole & (chows & _EDGE.take(winning) > 0), engine.edge),
            (sole & (chows & _CLOSED.take(winning) > 0), engine.closed),
            (sole & (pair == winning), engine.single),
            (gates, engine.nine_gates),
            (is_knitted, engine.knitted_straight),
        ):
            _add(own_low, own_high, flags, mask)
        return Readings(owner, own_low, own_high)

    def _chows(self, chows: Words, pair: Numbers) -> list[NDArray[Any]]:
        """Low and high word and repeats of the chows, beside a pair that matters."""
        tables = self.tables
        rows = tables.chows.rows(chows)
        low, high, repeats, mattering = (column.take(rows) for column in tables.chows.columns)
        other = np.flatnonzero(mattering >> pair & 1)
        if other.size:
            again = tables.chows_beside.rows((rows[other] << 6 | pair[other]).view(U64))
            low[other], high[other], repeats[other] = (
                column.take(again) for column in tables.chows_beside.columns
            )
        return [low, high, repeats]

    def _chosen(self, owner: Numbers, rows: Numbers, number: int) -> Best:
        """The best reading of each hand; see :meth:`Engine.preference`."""
        points, lists, low, high, length = self.tables.answers.columns
        best = np.zeros(number, I64)
        best[owner] = rows
        times = np.bincount(owner, minlength=number)
        several = np.flatnonzero(times.take(owner) > 1)
        if several.size:
            own = rows[several]
            first, second = words(self.engine.waits)
            counted_low, counted_high = low.take(own), high.take(own)
            order = np.lexsort(
                (
                    counted_low,
                    counted_high,
                    counted_low & first,
                    counted_high & second,
                    length.take(own),
                    points.take(own),
                    owner[several],
                )
            )
            best[owner[several[order]]] = own[order]
        return Best(times > 0, points.take(best), lists.take(best))


def _every_reading(splits: Splits) -> tuple[Numbers, list[Numbers], Flags, Flags, Flags]:
    """One row for each reading: its hand, its part in each suit, and the flags of its hand."""
    table = suit_table()
    owner, _, sole, gates, is_knitted = splits
    numbers = [table.number.take(row) for row in splits.rows]
    first = [table.first.take(row) for row in splits.rows]
    total = numbers[0] * numbers[1] * numbers[2] * numbers[3]
    several = np.flatnonzero(total > 1)
    if several.size:
        more = total[several] - 1
        again = np.repeat(several, more)
        nth = np.arange(len(again)) - np.repeat(np.cumsum(more) - more, more) + 1
        for place in range(4):
            choices = numbers[place][again]
            first[place] = np.concatenate([first[place], first[place][again] + nth % choices])
            nth //= choices
        owner = np.concatenate([owner, owner[again]])
        sole, gates, is_knitted = (
            np.concatenate([flags, flags[again]]) for flags in (sole, gates, is_knitted)
        )
    return owner, [table.readings.take(start) for start in first], sole, gates, is_knitted


def _together(parts: list[Numbers]) -> tuple[Words, Numbers, Numbers, Numbers]:
    """Chows, pungs, counts and face of the pair of readings given suit by suit."""
    a, b, c, d = parts
    chows = a & 0x1FFFFF | (b & 0x1FFFFF) << 21 | (c & 0x1FFFFF) << 42
    pungs = a >> PUNGS & 511 | (b >> PUNGS & 511) << 9 | (c >> PUNGS & 511) << 18 | (d >> PUNGS & 127) << 27
    counts = np.sum([part >> SUIT_COUNTS & 511 for part in parts], 0)
    pair = np.zeros(len(a), I64)
    for suit, part in enumerate(parts):
        rank = part >> PAIR
        pair += (rank + 9 * suit) * (rank > 0)
    return chows.view(U64), pungs, counts, pair - 1


def _or(low: Words, high: Words, found: list[NDArray[Any]], place: int) -> None:
    """Add the words of a lookup, and its repeats at ``place`` in the high word."""
    first, second, repeats = found
    low |= first
    high |= second | repeats.view(U64) << U64(place)


def _add(low: Words, high: Words, flags: Flags | None, mask: int) -> None:
    """Add the fans of ``mask`` where ``flags`` are set, or everywhere."""
    first, second = words(mask)
    at = slice(None) if flags is None else np.flatnonzero(flags)
    low[at] |= first
    high[at] |= second
