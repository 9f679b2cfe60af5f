"""The search for the best reading, on packed integers and tables.

One :class:`Engine` for each profile. Every table is filled by asking the fans' predicates once for each
different view (see :mod:`scorer.fans.model`), so the engine knows no fan by name except the few whose
counting the rules tie to others: 无番和 (nothing else counts), 四归一 (counted by faces) and 幺九刻 (not for
pungs that another fan has).

A hand of one reading costs: one look-up for each suit, the wait (two or three), the chows, the pungs, the
counts of sets, and one that drops what is implied.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from scorer.bitboard import (
    CHOW_FIELD,
    COUNT_FIELD,
    COUNT_SHIFT,
    ODD,
    PAIR_SHIFT,
    PUNG_FIELD,
    PUNG_SHIFT,
    Packed,
    bits_of,
    chows_of,
)
from scorer.engine.linking import Link, Linker
from scorer.fans import PLACE
from scorer.fans.model import (
    Chows,
    Fan,
    Frame,
    Honours,
    Pair,
    Palette,
    Pungs,
    Shape,
    ShapeKind,
    Tally,
    View,
    Wait,
    Win,
)
from scorer.hand import Circumstances, Hand, Opening
from scorer.knitted import knitted_readings, unrelated_knitted
from scorer.profiles import OVER_SETS, Profile
from scorer.suit_splits import SETS, SETS_AND_PAIR
from scorer.waitform import exhausted, knitted_wait, standard_wait

FLAGS_AND_OPENING = 0b11_0000_1111
"""The packed circumstances without the winds."""
NINE_GATES = 0o311111113
"""1112345678999 as a suit key."""
SEVEN_PAIRS_IN_A_ROW = 0o2222222
EDGE_CHOW, CLOSED_CHOW, ANY_CHOW = [0] * 34, [0] * 34, [0] * 34
for _face in range(27):
    for _place in range(3):
        _low = _face % 9 - _place
        if 0 <= _low <= 6:
            _field = 7 << (3 * (7 * (_face // 9) + _low))
            ANY_CHOW[_face] |= _field
            if _place == 1:
                CLOSED_CHOW[_face] |= _field
            if (_place, _low) in ((2, 0), (0, 6)):
                EDGE_CHOW[_face] |= _field

del _face, _place, _low, _field

Extras = tuple[tuple[int, int, int], ...]
"""Fans present more than once: (bit, points of the further ones, how often in all)."""


class Candidate(NamedTuple):
    """One reading with its value; :meth:`Engine.preference` says which of two is better."""

    points: int
    """Without flowers."""
    counted: int
    """Bit mask over the profile's fans, the first fan in the highest bit."""
    present: int
    concealed: int
    """The sets and the pair that are not melds, packed; 0 where the shape has none."""
    kind: ShapeKind
    repeats: Extras


class Engine:
    """Scores hands by one profile. Thread-safe to the extent dictionaries are."""

    def __init__(self, profile: Profile) -> None:
        """Build empty tables for ``profile``."""
        self.profile = profile
        last = len(profile.fans) - 1
        self.bit = {fan.name: 1 << (last - place) for place, fan in enumerate(profile.fans)}
        self._seeing: dict[type[Any], list[Fan]] = {}
        for fan in profile.fans:
            self._seeing.setdefault(fan.sees, []).append(fan)
        self.chow_linker = Linker(self._seeing.get(Chows, []))
        self.pung_linker = Linker(self._seeing.get(Pungs, []))
        self.resolve = lru_cache(maxsize=1 << 16)(self._resolve)
        self.chow_entry = lru_cache(maxsize=1 << 15)(self._chow_entry)
        self.pung_entry = lru_cache(maxsize=1 << 16)(self._pung_entry)
        self.frame = lru_cache(maxsize=None)(self._frame)
        self.palette = lru_cache(maxsize=None)(self._palette)
        self.win = lru_cache(maxsize=None)(self._win)
        self._edge = self._mask(Wait(True, False, False))
        self._closed = self._mask(Wait(False, True, False))
        self._single = self._mask(Wait(False, False, True))
        self._waits = self._edge | self._closed | self._single
        self._hog = self._mask(Tally(1, 0, 0))
        self._hog_points = profile.by_name["四归一"].points if self._hog else 0
        self._seven_pairs = self._mask(Shape(ShapeKind.SEVEN_PAIRS)) | self._single
        self._seven_in_a_row = self._mask(Shape(ShapeKind.SEVEN_PAIRS, consecutive_pairs=True)) | self._single
        self._nine_gates = self._mask(Shape(ShapeKind.STANDARD, nine_gates=True))
        pairs = [Pair(face // 9, face % 9 + 1) for face in range(34)]
        self._pair = [self._mask(pair) for pair in pairs]
        self._chicken = self.bit.get("无番和", 0)
        self._chicken_points = profile.by_name["无番和"].points if self._chicken else 0
        self._barred_from_pairs = 0
        if not profile.pairs_are_sets:
            self._barred_from_pairs = sum(self.bit.get(name, 0) for name in OVER_SETS)

    # -- the search -------------------------------------------------------------------------------

    def best(self, hand: Hand, circumstances: Circumstances) -> Candidate | None:
        """The reading of the highest value, None if the hand does not win."""
        found = self.candidates(hand, circumstances)
        return max(found, key=self.preference) if found else None

    def preference(self, candidate: Candidate) -> tuple[int, int, int, Candidate]:
        """What makes one reading better than another; ties are only broken so that the answer is stable.

        The total; then the highest fan; then 边张 before 坎张 before 单钓将; then the other fans from the
        highest down, which puts 一般高 before 喜相逢, 连六 and 老少副.
        """
        counted = candidate.counted
        return candidate.points, counted.bit_length(), counted & self._waits, candidate

    def candidates(self, hand: Hand, circumstances: Circumstances) -> list[Candidate]:
        """Every reading of the hand with its value, in no particular order."""
        packed = hand.packed
        how = circumstances.packed
        melded = packed.melded
        base = self.palette(packed.palette) | self.win(
            how & FLAGS_AND_OPENING | (melded == 0) << 4 | (melded == 4) << 5 | packed.melds_show_three << 3
        )
        if packed.hogs:
            base |= self._hog
        found = self._standard(hand, how, base) if packed.pair_suit >= 0 else []
        characters, dots, bamboo, honours = packed.suits
        if packed.melds == 0 and (characters | dots | bamboo | honours) & ODD == 0:
            found.append(self._seven_pairs_value(packed, base))
        return found or self._rare(hand, how, base)

    def _standard(self, hand: Hand, how: int, base: int) -> list[Candidate]:
        """Every reading as four sets and a pair."""
        packed = hand.packed
        suits, pair_suit = packed.suits, packed.pair_suit
        characters, dots, bamboo, honours = suits
        split = list(SETS)
        split[pair_suit] = SETS_AND_PAIR[pair_suit]
        readings = [
            a + b + c + d
            for a in split[0][characters]
            for b in split[1][dots]
            for c in split[2][bamboo]
            for d in split[3][honours]
        ]
        if not readings:
            return []
        waits = standard_wait(packed)
        if not self.profile.exhausted_wait:
            waits &= ~exhausted(hand)
        sole = waits & (waits - 1) == 0
        winning = packed.winning
        gates = packed.melds == 0 and suits[winning // 9] - (1 << 3 * (winning % 9)) == NINE_GATES
        if gates:
            base |= self._nine_gates
        return [
            self._value(packed, how, base, reading, sole=sole, kind=ShapeKind.STANDARD, gates=gates)
            for reading in readings
        ]

    def _value(
        self,
        packed: Packed,
        how: int,
        base: int,
        reading: int,
        *,
        sole: bool,
        kind: ShapeKind,
        gates: bool = False,
    ) -> Candidate:
        """The value of one reading that has sets; ``reading`` holds those that are not melds."""
        winning = packed.winning
        kongs = packed.kongs
        whole = reading + packed.fixed
        pair = (whole >> PAIR_SHIFT) - 1
        chow_mask, chow_count, chow_extras, terminal_pair = self.chow_entry(whole & CHOW_FIELD, -1)
        if terminal_pair and terminal_pair >> pair & 1:
            chow_mask, chow_count, chow_extras, _ = self.chow_entry(whole & CHOW_FIELD, pair)
        pungs = whole >> PUNG_SHIFT & PUNG_FIELD
        pung_mask, pung_extras = self.pung_entry(pungs, pair if pair >= 27 else -1, how >> 4 & 15, gates)
        concealed = reading >> PUNG_SHIFT & PUNG_FIELD
        alone = concealed.bit_count() + (kongs >> 3)
        in_chow = reading & ANY_CHOW[winning]
        if not how & 1 and concealed >> winning & 1 and not in_chow and pair != winning:
            alone -= 1
        present = (
            base
            | chow_mask
            | pung_mask
            | self._pair[pair]
            | self.frame(
                whole >> COUNT_SHIFT & COUNT_FIELD
                | pungs.bit_count() << 9
                | chow_count << 12
                | alone << 15
                | kongs << 18
                | (pair < 27) << 24
                | (kind is ShapeKind.KNITTED_STRAIGHT) << 25
            )
        )
        if sole:
            if reading & EDGE_CHOW[winning]:
                present |= self._edge
            if reading & CLOSED_CHOW[winning]:
                present |= self._closed
            if pair == winning:
                present |= self._single
        counted, points = self.resolve(present)
        repeats = chow_extras + pung_extras
        for bit, further, _ in repeats:
            if counted & bit:
                points += further
        if packed.hogs > 1 and counted & self._hog:
            points += (packed.hogs - 1) * self._hog_points
        if not counted and self._chicken:
            return Candidate(self._chicken_points, self._chicken, present, reading, kind, ())
        return Candidate(points, counted, present, reading, kind, repeats)

    def _seven_pairs_value(self, packed: Packed, base: int) -> Candidate:
        present = (base & ~self._barred_from_pairs) | self._seven_pairs
        run = packed.suits[0] or packed.suits[1] or packed.suits[2]
        if packed.suits.count(0) == 3 and run in (
            SEVEN_PAIRS_IN_A_ROW,
            SEVEN_PAIRS_IN_A_ROW << 3,
            SEVEN_PAIRS_IN_A_ROW << 6,
        ):
            present |= self._seven_in_a_row
        counted, points = self.resolve(present)
        if packed.hogs > 1 and counted & self._hog:
            points += (packed.hogs - 1) * self._hog_points
        return Candidate(points, counted, present, 0, ShapeKind.SEVEN_PAIRS, ())

    def _rare(self, hand: Hand, how: int, base: int) -> list[Candidate]:
        """Thirteen orphans, unrelated tiles and hands with a knitted straight."""
        packed = hand.packed
        if packed.melds == 0:
            shape = special_shape(packed)
            if shape is not None:
                present = base | self._mask(shape)
                counted, points = self.resolve(present)
                return [Candidate(points, counted, present, 0, shape.kind, ())]
        straight = self._mask(Shape(ShapeKind.KNITTED_STRAIGHT, knitted=9))
        found = []
        for reading, body in knitted_readings(packed):
            waits = knitted_wait(packed)
            if not self.profile.exhausted_wait:
                waits &= ~exhausted(hand)
            sole = waits.bit_count() == 1
            if body >> packed.winning & 1 and not self.profile.knitted_body_wait:
                sole = False
            kind = ShapeKind.KNITTED_STRAIGHT
            found.append(self._value(packed, how, base | straight, reading, sole=sole, kind=kind))
        return found

    # -- the tables -------------------------------------------------------------------------------

    def _mask(self, view: View) -> int:
        """Bits of the fans that hold for ``view``."""
        return sum(self.bit[fan.name] for fan in self._seeing.get(type(view), ()) if fan.holds(view))

    def _resolve(self, present: int) -> tuple[int, int]:
        """Of the fans present those that count (each as one), and their points: the higher drops by name."""
        counted = points = 0
        # By the printed values, not the profile's: a fan is dropped by what implies it at any price.
        for fan in sorted(self.fans_of(present), key=lambda fan: PLACE[fan.number]):
            if present & self.bit[fan.name]:
                counted |= self.bit[fan.name]
                points += fan.points
                for name in fan.drops:
                    present &= ~self.bit.get(name, 0)
        return counted, points

    def fans_of(self, mask: int) -> list[Fan]:
        """The fans of a mask, the highest first."""
        last = len(self.profile.fans) - 1
        return [self.profile.fans[last - place] for place in reversed(bits_of(mask))]

    def chow_links(self, codes: list[int], pair: int) -> tuple[Link, ...]:
        """The best claim over these chows; ``pair`` is a face or -1."""
        chows = tuple((code // 7, code % 7 + 1) for code in codes)
        return self.chow_linker.best(chows, None if pair < 0 else (pair // 9, pair % 9 + 1))

    def _chow_entry(self, field: int, pair: int) -> tuple[int, int, Extras, int]:
        """(fans, number of chows, fans present more than once, pairs that would change the answer)."""
        codes = chows_of(field)
        plain = self.chow_links(codes, pair)
        changing = 0
        if pair < 0 and len(codes) == 4:
            chows = tuple((code // 7, code % 7 + 1) for code in codes)
            changing = sum(
                1 << 9 * suit + rank - 1 for suit, rank in self.chow_linker.pairs_that_matter(chows)
            )
        mask, extras = self._linked(plain)
        return mask, len(codes), extras, changing

    def _linked(self, links: Iterable[Link]) -> tuple[int, Extras]:
        mask = 0
        counts: dict[str, int] = {}
        for link in links:
            mask |= self.bit[link.fan.name]
            counts[link.fan.name] = counts.get(link.fan.name, 0) + 1
        return mask, self._extras(counts)

    def _extras(self, counts: dict[str, int]) -> Extras:
        by_name = self.profile.by_name
        return tuple(
            (self.bit[name], (count - 1) * by_name[name].points, count)
            for name, count in counts.items()
            if count > 1
        )

    def pung_links(self, pungs: int) -> tuple[Link, ...]:
        """The best claim over the suit pungs of this mask of faces."""
        faces = [face for face in bits_of(pungs) if face < 27]
        return self.pung_linker.best(tuple((face // 9, face % 9 + 1) for face in faces), None)

    def honour_fans(self, pungs: int, pair: int, winds: int, gates: bool) -> dict[str, int]:
        """Fans over all pungs, and the pungs that make each.

        ``pair`` is an honour or -1; ``winds`` the seat wind + 4 * the prevalent wind, both from 0.
        """
        view = Honours(pungs, 1 << pair if pair >= 0 else 0, 1 << 27 + (winds & 3), 1 << 27 + (winds >> 2))
        made = {fan.name: fan.holds(view) for fan in self._seeing.get(Honours, ())}
        absorbed = 0
        for fan in self._seeing.get(Honours, ()):
            if fan.absorbs:
                absorbed |= made[fan.name]
        if "幺九刻" in made:
            left = made["幺九刻"] & ~absorbed
            # Nine gates already implies one pung of 1s or 9s.
            made["幺九刻"] = left & (left - 1) if gates else left
        return {name: faces for name, faces in made.items() if faces}

    def honour_pungs(self, pungs: int) -> int:
        """Those of ``pungs`` that are a 幺九刻 in themselves."""
        fans = [fan for fan in self._seeing.get(Honours, ()) if fan.name == "幺九刻"]
        return fans[0].holds(Honours(pungs, 0, 0, 0)) if fans else 0

    def _pung_entry(self, pungs: int, pair: int, winds: int, gates: bool) -> tuple[int, Extras]:
        mask, extras = self._linked(self.pung_links(pungs))
        by_name = self.profile.by_name
        counts = {}
        for name, faces in self.honour_fans(pungs, pair, winds, gates).items():
            mask |= self.bit[name]
            if by_name[name].repeats:
                counts[name] = faces.bit_count()
        return mask, extras + self._extras(counts)

    def _frame(self, key: int) -> int:
        return self._mask(
            Frame(
                chows=key >> 12 & 7,
                pungs=key >> 9 & 7,
                concealed_pungs=key >> 15 & 7,
                melded_kongs=key >> 18 & 7,
                concealed_kongs=key >> 21 & 7,
                fives=key & 7,
                outsiders=key >> 3 & 7,
                evens=key >> 6 & 7,
                suit_pair=bool(key >> 24 & 1),
                knitted=bool(key >> 25 & 1),
            )
        )

    def _palette(self, key: int) -> int:
        return self._mask(
            Palette(
                ranks=key & 511,
                suits=(key >> 9 & 7).bit_count(),
                winds=bool(key >> 12 & 1),
                dragons=bool(key >> 13 & 1),
                green=bool(key >> 14 & 1),
                reversible=bool(key >> 15 & 1),
            )
        )

    def _win(self, key: int) -> int:
        opening = key >> 8 & 3
        return self._mask(
            Win(
                self_drawn=bool(key & 1),
                last_tile=bool(key & 2),
                kong=bool(key & 4),
                fourth_tile=bool(key & 8),
                concealed=bool(key & 16),
                all_melded=bool(key & 32),
                opening=list(Opening)[opening - 1] if opening else "",
            )
        )


def special_shape(packed: Packed) -> Shape | None:
    """Thirteen orphans or unrelated tiles, for a hand without melds; None if it is neither."""
    characters, dots, bamboo, honours = packed.suits
    terminals = 0o700000007
    if (characters | dots | bamboo) & ~terminals == 0:
        faces = [characters & 7, dots & 7, bamboo & 7, characters >> 24, dots >> 24, bamboo >> 24]
        faces += [honours >> 3 * rank & 7 for rank in range(7)]
        if min(faces) == 1 and sum(faces) == 14:
            return Shape(ShapeKind.THIRTEEN_ORPHANS)
    if honours & ~0o1111111 == 0:
        knitted = unrelated_knitted(characters, dots, bamboo)
        if knitted is not None and honours.bit_count() + knitted == 14:
            return Shape(ShapeKind.UNRELATED, honours=honours.bit_count(), knitted=knitted)
    return None
