"""The search for the best reading, on packed integers and tables.

The engine knows only three fans by name, because the rules tie their count to something else: 四归一 (counted by
faces), 无番和 (nothing else counts; see :mod:`scorer.engine.tables`) and 幺九刻 (see :mod:`scorer.engine.honours`).

Scoring a hand with one reading costs one look-up for each of: the four suits, the chows, the pungs, the counts of
sets, the tiles, how it was won, and the exclusions; and up to three for the wait.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final, NamedTuple

from scorer.bitboard import (
    CHOW_FIELD,
    COUNT_FIELD,
    COUNT_SHIFT,
    DIGIT,
    ONE,
    ONES,
    PAIR_SHIFT,
    PUNG_FIELD,
    PUNG_SHIFT,
    SUIT,
    SUIT_FIELD,
    Packed,
)
from scorer.circumstances import Circumstances
from scorer.engine.knitted import knitted_straight, singles_and_orphans
from scorer.engine.linking import Claim
from scorer.engine.suits import SUITS
from scorer.engine.tables import ChowEntry, FanTables, PungEntry, Repeats, ranked
from scorer.engine.wait_masks import exhausted, standard_wait
from scorer.fans import TILE_HOG
from scorer.fans.model import HandShape, Pair, PlainCounts, ShapeKind, Wait
from scorer.hand import Hand
from scorer.profiles import OF_SIX_FACES, OVER_SETS, Profile

FLAGS_AND_OPENING: Final = 0b11_0000_1111
"""The packed circumstances without the winds."""
NINE_GATES: Final = sum(number << DIGIT * rank for rank, number in enumerate((3, 1, 1, 1, 1, 1, 1, 1, 3)))
"""1112345678999 as the digits of a suit."""
_PAIRS_IN_A_ROW: Final = frozenset(
    sum(2 * ONE[9 * suit + low + step] for step in range(7)) for suit in range(3) for low in range(3)
)
"""The tiles of seven consecutive pairs."""
_CHARACTERS, _DOTS, _BAMBOO, _HONOURS = SUITS
_new = tuple.__new__
ANY_CHOW, CLOSED_CHOW, EDGE_CHOW = [0] * 34, [0] * 34, [0] * 34
"""For each face the chows it can complete, as fields of a packed reading: any, as 坎张, as 边张."""
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
TIGHT_CHOW: Final = [edge | closed for edge, closed in zip(EDGE_CHOW, CLOSED_CHOW, strict=True)]
"""For each face the chows it can complete as 边张 or 坎张."""


class Claims(NamedTuple):
    """The combinations of sets that a candidate claims, if they need not be the best ones by their own points."""

    chows: Claim
    pungs: Claim


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
    claims: Claims | None = None
    """None: the best of the chows and the best of the pungs."""


Entries = tuple[ChowEntry, PungEntry]


class Engine:
    """Scores hands by one profile. Several threads may share it."""

    def __init__(self, profile: Profile) -> None:
        """Build empty tables for ``profile``."""
        self.profile = profile
        self.tables = tables = FanTables(profile)
        self._counted = tables.counted
        self._chows = tables.chows
        self._chows_beside = tables.chows_beside
        self._pungs = tables.pungs
        self._frame = tables.frame
        self._palette = tables.palette
        self._win = tables.win
        self.edge = tables.mask(Wait(True, False, False))
        self.closed = tables.mask(Wait(False, True, False))
        self.single = tables.mask(Wait(False, False, True))
        self.waits = self.edge | self.closed | self.single
        self.hog = tables.mask(PlainCounts(1, 0, 0))
        self.hog_points = tables.points(TILE_HOG)
        self.seven_pairs = tables.mask(HandShape(ShapeKind.SEVEN_PAIRS)) | self.single
        in_a_row = HandShape(ShapeKind.SEVEN_PAIRS, consecutive_pairs=True)
        self.seven_in_a_row = tables.mask(in_a_row) | self.single
        self.knitted_straight = tables.mask(HandShape(ShapeKind.KNITTED_STRAIGHT, knitted=9))
        self.nine_gates = tables.mask(HandShape(ShapeKind.STANDARD, nine_gates=True))
        self.pair = [tables.mask(Pair(*ranked(face))) for face in range(34)]
        self.of_six_faces = 0
        if not profile.unavoidable_hog:
            self.of_six_faces = sum(tables.bit.get(name, 0) for name in OF_SIX_FACES)
        self.barred_from_pairs = 0
        if not profile.pairs_are_sets:
            self.barred_from_pairs = sum(tables.bit.get(name, 0) for name in OVER_SETS)

    @cached_property
    def _special(self) -> dict[int, tuple[ShapeKind, int]]:
        """Shape and fans of each hand of thirteen orphans or knitted singles, by its tiles."""
        return {
            tiles: (shape.kind, self.tables.shape(shape)) for tiles, shape in singles_and_orphans().items()
        }

    def best(self, hand: Hand, circumstances: Circumstances) -> Candidate | None:
        """The reading with the highest value, None if the hand does not win."""
        found = self.candidates(hand, circumstances)
        if len(found) > 1:
            return max(found, key=self.preference)
        return found[0] if found else None

    def preference(self, candidate: Candidate) -> tuple[int, int, int, int, int, int, Repeats]:
        """What makes one reading better than another; ties are broken only to keep the answer stable.

        The higher total wins; then the highest fan; then 边张 before 坎张 before 单钓将; then the other fans
        from the highest down, which puts 一般高 before 喜相逢, 连六 and 老少副.
        """
        points, counted, present, concealed, _, repeats, _ = candidate
        return points, counted.bit_length(), counted & self.waits, counted, present, concealed, repeats

    def candidates(self, hand: Hand, circumstances: Circumstances) -> list[Candidate]:
        """Every reading of the hand with its value, in no particular order; empty if it does not win."""
        packed = hand.packed
        own, winning, _, everything, palette, kinds = packed
        how = circumstances.packed
        characters, characters_pair, characters_palette = _CHARACTERS[own & SUIT_FIELD]
        dots, dots_pair, dots_palette = _DOTS[own >> SUIT & SUIT_FIELD]
        bamboo, bamboo_pair, bamboo_palette = _BAMBOO[own >> 2 * SUIT & SUIT_FIELD]
        honours, honours_pair, honours_palette = _HONOURS[own >> 3 * SUIT]
        win = how & FLAGS_AND_OPENING
        melded = kinds >> 4 & 15
        if not melded:
            win |= 16
        else:
            if melded == 4:
                win |= 32
            if everything - own >> DIGIT * winning & 31 == 3:
                win |= 8
        base = (
            self._palette[characters_palette | dots_palette | bamboo_palette | honours_palette | palette]
            | self._win[win]
        )
        hogs = (everything >> 2 & ONES).bit_count()
        if hogs:
            hogs -= (kinds >> 8 & 15) + (kinds >> 12)
            if hogs:
                base |= self.hog
        found: list[Candidate] = []
        if characters_pair + dots_pair + bamboo_pair + honours_pair == 1:
            if len(characters) == len(dots) == len(bamboo) == len(honours) == 1:
                readings = [characters[0] + dots[0] + bamboo[0] + honours[0]]
            else:
                readings = [a + b + c + d for a in characters for b in dots for c in bamboo for d in honours]
            if readings:
                found = self._standard(packed, how, base, hogs, readings)
        if not kinds and own & ONES == 0:
            found.append(self._seven_pairs(packed, base, hogs))
        return found or self._rare(packed, how, base, hogs)

    def _standard(
        self, packed: Packed, how: int, base: int, hogs: int, readings: list[int]
    ) -> list[Candidate]:
        """Every reading as four sets and a pair."""
        own, winning, *_, kinds = packed
        gates = False
        if not kinds and winning < 27:
            suit = winning // 9
            gates = (own >> SUIT * suit & SUIT_FIELD) - (1 << DIGIT * (winning % 9)) == NINE_GATES
            if gates:
                base |= self.nine_gates
        if len(readings) == 1:
            return [self._value(packed, how, base, hogs, readings[0], None, gates)]
        sole = self._is_sole(packed, (readings[0] >> PAIR_SHIFT) - 1)
        return [self._value(packed, how, base, hogs, reading, sole, gates) for reading in readings]

    def _is_sole(self, packed: Packed, pair: int) -> bool:
        """Whether no other tile would have completed this hand of four sets and a pair."""
        own, winning, _, _, _, kinds = packed
        waits = standard_wait(own, winning, pair, pairs=not kinds)
        if not self.profile.exhausted_wait:
            waits &= ~exhausted(packed)
        return waits & (waits - 1) == 0

    def _value(
        self,
        packed: Packed,
        how: int,
        base: int,
        hogs: int,
        reading: int,
        sole: bool | None,
        gates: bool,
        kind: ShapeKind = ShapeKind.STANDARD,
        entries: Entries | None = None,
    ) -> Candidate:
        """The value of one reading that has sets; ``reading`` holds those that are not melds.

        ``sole`` says whether another tile would have won; None to find out if it matters. ``entries`` are those of its
        chows and pungs if they are not to be looked up.
        """
        _, winning, fixed, _, _, kinds = packed
        whole = reading + fixed
        pair = (whole >> PAIR_SHIFT) - 1
        pungs = whole >> PUNG_SHIFT & PUNG_FIELD
        chow_fans, repeats, mattering = entries[0] if entries else self._chows[whole & CHOW_FIELD]
        if mattering and mattering >> pair & 1:
            chow_fans, repeats, _ = self._chows_beside[(whole & CHOW_FIELD) << 6 | pair]
        present = base | chow_fans | self.pair[pair]
        frame = whole >> COUNT_SHIFT & COUNT_FIELD | (pair < 27) << 23
        if pungs:
            pung_fans, more = entries[1] if entries else self._pungs[pung_key(pungs, pair, how, gates)]
            present |= pung_fans
            if more:
                repeats += more
            own_pungs = reading >> PUNG_SHIFT & PUNG_FIELD
            concealed_pungs = own_pungs.bit_count() + (kinds >> 12)
            if own_pungs >> winning & 1 and not how & 1 and claimed_pung(reading, winning):
                concealed_pungs -= 1
            frame |= pungs.bit_count() << 9 | concealed_pungs << 12 | kinds >> 8 << 15
        if kind is not ShapeKind.STANDARD:
            frame |= 1 << 24
        present |= self._frame[frame]
        if (pair == winning or reading & TIGHT_CHOW[winning]) and (
            self._is_sole(packed, pair) if sole is None else sole
        ):
            present |= self._wait_fans(reading, winning, pair)
        counted, points = self._counted[present]
        if hogs > 1:
            repeats += self.more_hogs(hogs)
        for bit, further, _ in repeats:
            if counted & bit:
                points += further
        return _new(Candidate, (points, counted, present, reading, kind, repeats, None))

    def _wait_fans(self, reading: int, winning: int, pair: int) -> int:
        """The fans of a sole wait on ``winning``."""
        fans = self.single if pair == winning else 0
        if reading & EDGE_CHOW[winning]:
            fans |= self.edge
        if reading & CLOSED_CHOW[winning]:
            fans |= self.closed
        return fans

    def more_hogs(self, hogs: int) -> Repeats:
        """The repeats of a hand with two or more fours."""
        return ((self.hog, (hogs - 1) * self.hog_points, hogs),)

    def _seven_pairs(self, packed: Packed, base: int, hogs: int) -> Candidate:
        present = (base & ~self.barred_from_pairs) | self.seven_pairs
        if packed.own in _PAIRS_IN_A_ROW:
            present |= self.seven_in_a_row
        if present & self.of_six_faces:
            hogs -= 1
            present &= -1 if hogs else ~self.hog
        counted, points = self._counted[present]
        if hogs < 2 or not counted & self.hog:
            return Candidate(points, counted, present, 0, ShapeKind.SEVEN_PAIRS, ())
        points += (hogs - 1) * self.hog_points
        return Candidate(points, counted, present, 0, ShapeKind.SEVEN_PAIRS, self.more_hogs(hogs))

    def _rare(self, packed: Packed, how: int, base: int, hogs: int) -> list[Candidate]:
        """Thirteen orphans, knitted singles and hands with a knitted straight."""
        if not packed.kinds and packed.own in self._special:
            kind, fans = self._special[packed.own]
            counted, points = self._counted[base | fans]
            return [Candidate(points, counted, base | fans, 0, kind, ())]
        straight = knitted_straight(packed)
        if straight is None:
            return []
        waits = straight.waits
        if not self.profile.exhausted_wait:
            waits &= ~exhausted(packed)
        sole = waits.bit_count() == 1
        if straight.body >> packed.winning & 1 and not self.profile.knitted_body_wait:
            sole = False
        base |= self.knitted_straight
        kind = ShapeKind.KNITTED_STRAIGHT
        return [
            self._value(packed, how, base, hogs, reading, sole, False, kind) for reading in straight.readings
        ]


def pung_key(pungs: int, pair: int, how: int, gates: bool) -> int:
    """The key of :attr:`FanTables.pungs`: pungs, pair, packed circumstances, and whether it is nine gates."""
    return pungs | (pair - 26 << 34 if pair >= 27 else 0) | (how >> 4 & 15) << 38 | gates << 42


def claimed_pung(reading: int, winning: int) -> bool:
    """Whether a discard of the face ``winning`` can only have completed a pung of this reading.

    Such a pung is not concealed. ``reading`` holds the sets and the pair that are not melds.
    """
    return bool(
        reading >> PUNG_SHIFT + winning & 1
        and not reading & ANY_CHOW[winning]
        and (reading >> PAIR_SHIFT) - 1 != winning
    )
