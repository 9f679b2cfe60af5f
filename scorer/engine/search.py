"""The search for the best reading, on packed integers and tables.

The engine knows only three fans by name, because the rules tie their count to something else: 无番和 (nothing
else counts), 四归一 (counted by faces) and 幺九刻 (see :mod:`scorer.engine.honours`).

Scoring a hand with one reading costs one look-up for each of: the four suits, the wait (two or three), the
chows, the pungs, the counts of sets, and the exclusions.
"""

from __future__ import annotations

from typing import NamedTuple

from scorer.bitboard import (
    CHOW_FIELD,
    COUNT_FIELD,
    COUNT_SHIFT,
    ODD,
    PAIR_SHIFT,
    PUNG_FIELD,
    PUNG_SHIFT,
    Packed,
)
from scorer.circumstances import Circumstances
from scorer.engine.knitted import knitted_readings, unrelated_knitted
from scorer.engine.suit_splits import SETS, SETS_AND_PAIR
from scorer.engine.tables import FanTables, Repeats, ranked
from scorer.engine.wait_masks import exhausted, knitted_wait, standard_wait
from scorer.fans import CHICKEN_HAND, TILE_HOG
from scorer.fans.model import HandShape, Pair, PlainCounts, ShapeKind, Wait
from scorer.hand import Hand
from scorer.profiles import OF_SIX_FACES, OVER_SETS, Profile

_FLAGS_AND_OPENING = 0b11_0000_1111
"""The packed circumstances without the winds."""
_NINE_GATES = 0o311111113
"""1112345678999 as a suit key."""
_SEVEN_PAIRS_IN_A_ROW = tuple(0o2222222 << 3 * low for low in range(3))
"""Seven consecutive pairs as suit keys."""
ANY_CHOW, _CLOSED_CHOW, _EDGE_CHOW = [0] * 34, [0] * 34, [0] * 34
"""For each face the chows it can complete, as fields of a packed reading: any, as 坎张, as 边张."""
for _face in range(27):
    for _place in range(3):
        _low = _face % 9 - _place
        if 0 <= _low <= 6:
            _field = 7 << (3 * (7 * (_face // 9) + _low))
            ANY_CHOW[_face] |= _field
            if _place == 1:
                _CLOSED_CHOW[_face] |= _field
            if (_place, _low) in ((2, 0), (0, 6)):
                _EDGE_CHOW[_face] |= _field

del _face, _place, _low, _field


class Candidate(NamedTuple):
    """One reading with its value; :meth:`Engine.preference` says which of two is better."""

    points: int
    """Without flowers."""
    counted: int
    """Bit mask over the profile's fans, the first fan in the highest bit."""
    present: int
    """The fans that count and those that other fans drop."""
    concealed: int
    """The sets and the pair that are not melds, packed; 0 if the shape has none."""
    kind: ShapeKind
    repeats: Repeats


class Engine:
    """Scores hands by one profile. Several threads may share it."""

    def __init__(self, profile: Profile) -> None:
        """Build empty tables for ``profile``."""
        self.profile = profile
        self.tables = tables = FanTables(profile)
        self._counted = tables.counted
        self._chows = tables.chows
        self._pungs = tables.pungs
        self._frame = tables.frame
        self._palette = tables.palette
        self._win = tables.win
        self._edge = tables.mask(Wait(True, False, False))
        self._closed = tables.mask(Wait(False, True, False))
        self._single = tables.mask(Wait(False, False, True))
        self._waits = self._edge | self._closed | self._single
        self._hog = tables.mask(PlainCounts(1, 0, 0))
        self._hog_points = tables.points(TILE_HOG)
        self._chicken = tables.bit.get(CHICKEN_HAND, 0)
        self._chicken_points = tables.points(CHICKEN_HAND)
        self._seven_pairs = tables.mask(HandShape(ShapeKind.SEVEN_PAIRS)) | self._single
        in_a_row = HandShape(ShapeKind.SEVEN_PAIRS, consecutive_pairs=True)
        self._seven_in_a_row = tables.mask(in_a_row) | self._single
        self._knitted_straight = tables.mask(HandShape(ShapeKind.KNITTED_STRAIGHT, knitted=9))
        self._nine_gates = tables.mask(HandShape(ShapeKind.STANDARD, nine_gates=True))
        self._pair = [tables.mask(Pair(*ranked(face))) for face in range(34)]
        self._of_six_faces = sum(tables.bit.get(name, 0) for name in OF_SIX_FACES)
        self._barred_from_pairs = 0
        if not profile.pairs_are_sets:
            self._barred_from_pairs = sum(tables.bit.get(name, 0) for name in OVER_SETS)

    def best(self, hand: Hand, circumstances: Circumstances) -> Candidate | None:
        """The reading with the highest value, None if the hand does not win."""
        found = self.candidates(hand, circumstances)
        if len(found) > 1:
            return max(found, key=self.preference)
        return found[0] if found else None

    def preference(self, candidate: Candidate) -> tuple[int, int, int, Candidate]:
        """What makes one reading better than another; ties are broken only to keep the answer stable.

        The higher total wins; then the highest fan; then 边张 before 坎张 before 单钓将; then the other fans
        from the highest down, which puts 一般高 before 喜相逢, 连六 and 老少副.
        """
        counted = candidate.counted
        return candidate.points, counted.bit_length(), counted & self._waits, candidate

    def candidates(self, hand: Hand, circumstances: Circumstances) -> list[Candidate]:
        """Every reading of the hand with its value, in no particular order; empty if it does not win."""
        packed = hand.packed
        how = circumstances.packed
        melded = packed.melded
        base = self._palette(packed.palette) | self._win(
            how & _FLAGS_AND_OPENING | (melded == 0) << 4 | (melded == 4) << 5 | packed.melds_show_three << 3
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
        gates = packed.melds == 0 and suits[winning // 9] - (1 << 3 * (winning % 9)) == _NINE_GATES
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
        winning, kongs = packed.winning, packed.kongs
        whole = reading + packed.fixed
        pair = (whole >> PAIR_SHIFT) - 1
        chow_mask, chow_count, chow_repeats, pairs = self._chows(whole & CHOW_FIELD, -1)
        if pairs and pairs >> pair & 1:
            chow_mask, chow_count, chow_repeats, _ = self._chows(whole & CHOW_FIELD, pair)
        pungs = whole >> PUNG_SHIFT & PUNG_FIELD
        pung_mask, pung_repeats = self._pungs(pungs, pair if pair >= 27 else -1, how >> 4 & 15, gates)
        concealed_pungs = (reading >> PUNG_SHIFT & PUNG_FIELD).bit_count() + (kongs >> 3)
        if not how & 1 and reading >> PUNG_SHIFT + winning & 1 and claimed_pung(reading, winning):
            concealed_pungs -= 1
        frame = self._frame(
            whole >> COUNT_SHIFT & COUNT_FIELD
            | pungs.bit_count() << 9
            | chow_count << 12
            | concealed_pungs << 15
            | kongs << 18
            | (pair < 27) << 24
            | (kind is ShapeKind.KNITTED_STRAIGHT) << 25
        )
        present = base | chow_mask | pung_mask | self._pair[pair] | frame
        if sole:
            present |= self._wait_fans(reading, winning, pair)
        counted, points = self._counted(present)
        repeats = chow_repeats + pung_repeats
        if packed.hogs > 1:
            repeats += self._more_hogs(packed.hogs)
        for bit, further, _ in repeats:
            if counted & bit:
                points += further
        if not counted and self._chicken:
            return Candidate(self._chicken_points, self._chicken, present, reading, kind, ())
        return Candidate(points, counted, present, reading, kind, repeats)

    def _more_hogs(self, hogs: int) -> Repeats:
        return ((self._hog, (hogs - 1) * self._hog_points, hogs),)

    def _wait_fans(self, reading: int, winning: int, pair: int) -> int:
        """The fans of a sole wait on ``winning``."""
        fans = 0
        if reading & _EDGE_CHOW[winning]:
            fans |= self._edge
        if reading & _CLOSED_CHOW[winning]:
            fans |= self._closed
        if pair == winning:
            fans |= self._single
        return fans

    def _seven_pairs_value(self, packed: Packed, base: int) -> Candidate:
        present = (base & ~self._barred_from_pairs) | self._seven_pairs
        run = packed.suits[0] or packed.suits[1] or packed.suits[2]
        if packed.suits.count(0) == 3 and run in _SEVEN_PAIRS_IN_A_ROW:
            present |= self._seven_in_a_row
        hogs = packed.hogs
        if present & self._of_six_faces and not self.profile.unavoidable_hog:
            hogs -= 1
            present &= ~self._hog if hogs == 0 else -1
        counted, points = self._counted(present)
        if hogs < 2 or not counted & self._hog:
            return Candidate(points, counted, present, 0, ShapeKind.SEVEN_PAIRS, ())
        points += (hogs - 1) * self._hog_points
        return Candidate(points, counted, present, 0, ShapeKind.SEVEN_PAIRS, self._more_hogs(hogs))

    def _rare(self, hand: Hand, how: int, base: int) -> list[Candidate]:
        """Thirteen orphans, unrelated tiles and hands with a knitted straight."""
        packed = hand.packed
        if packed.melds == 0:
            shape = special_shape(packed)
            if shape is not None:
                present = base | self.tables.mask(shape)
                counted, points = self._counted(present)
                return [Candidate(points, counted, present, 0, shape.kind, ())]
        found = []
        for reading, body in knitted_readings(packed):
            waits = knitted_wait(packed)
            if not self.profile.exhausted_wait:
                waits &= ~exhausted(hand)
            sole = waits.bit_count() == 1
            if body >> packed.winning & 1 and not self.profile.knitted_body_wait:
                sole = False
            kind = ShapeKind.KNITTED_STRAIGHT
            present = base | self._knitted_straight
            found.append(self._value(packed, how, present, reading, sole=sole, kind=kind))
        return found


def claimed_pung(reading: int, winning: int) -> bool:
    """Whether a discard of the face ``winning`` can only have completed a pung of this reading.

    Such a pung is not concealed. ``reading`` holds the sets and the pair that are not melds.
    """
    return bool(
        reading >> PUNG_SHIFT + winning & 1
        and not reading & ANY_CHOW[winning]
        and (reading >> PAIR_SHIFT) - 1 != winning
    )


def special_shape(packed: Packed) -> HandShape | None:
    """Thirteen orphans or unrelated tiles, for a hand without melds; None if it is neither."""
    characters, dots, bamboo, honours = packed.suits
    terminals = 0o700000007
    if (characters | dots | bamboo) & ~terminals == 0:
        faces = [characters & 7, dots & 7, bamboo & 7, characters >> 24, dots >> 24, bamboo >> 24]
        faces += [honours >> 3 * rank & 7 for rank in range(7)]
        if min(faces) == 1 and sum(faces) == 14:
            return HandShape(ShapeKind.THIRTEEN_ORPHANS)
    if honours & ~0o1111111 == 0:
        knitted = unrelated_knitted(characters, dots, bamboo)
        if knitted is not None and honours.bit_count() + knitted == 14:
            return HandShape(ShapeKind.UNRELATED, honours=honours.bit_count(), knitted=knitted)
    return None
