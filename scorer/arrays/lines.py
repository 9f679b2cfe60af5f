"""Lines of JSON scored together: the fast way of :func:`scorer.jsonl.scored_texts`.

Only lines that hold a plain, possible, winning hand are answered here. All others go the slow way, which alone knows
every fault, so the answers are the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np

from scorer.arrays.codes import MELD_OF
from scorer.arrays.columns import HandColumns, tile_codes
from scorer.arrays.scores import SMALL_BATCH, score_columns, scores_together
from scorer.circumstances import Circumstances
from scorer.errors import HandError
from scorer.hand import Hand
from scorer.hand_json import FIELDS, field_meant, hand_from_json
from scorer.notes import WINDS_OF_A_WIN, winds_assumed
from scorer.profiles import Profile
from scorer.tiles import WINDS


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"JSON has no {constant}")


_loads: Callable[[str], Any] = json.JSONDecoder(parse_constant=_refuse).decode
if find_spec("orjson"):
    # Three times as fast. What it refuses, the slow way reads.
    _loads = import_module("orjson").loads

_NOT_TOLD: Final = object()
"""Stands for a wind that a line leaves out."""
_quoted = json.encoder.encode_basestring


def _all_ways() -> dict[tuple[object, ...], tuple[int, int]]:
    """Packed circumstances, and a mask of the winds that are assumed, by the flags and winds of a line."""
    found: dict[tuple[object, ...], tuple[int, int]] = {}
    winds = (*WINDS, _NOT_TOLD)
    for drawn, last, kong, fourth, seat, prevalent in product(*[(False, True)] * 4, winds, winds):
        told = ["E" if wind is _NOT_TOLD else str(wind) for wind in (seat, prevalent)]
        try:
            packed = Circumstances(drawn, last, kong, fourth, *told).packed
        except HandError:
            continue
        found[drawn, last, kong, fourth, seat, prevalent] = (
            packed,
            (prevalent is _NOT_TOLD) | (seat is _NOT_TOLD) << 1,
        )
    return found


_WAYS: Final = _all_ways()
_MELDS: Final = {(meld.kind.value, meld.tiles[0], *meld.tiles): code for code, meld in MELD_OF.items()}
"""The codes of melds by kind, tile and tiles."""


def _note_text(mask: int) -> str:
    note = winds_assumed([name for place, name in enumerate(WINDS_OF_A_WIN) if not mask >> place & 1])
    return f', "notes": [{json.dumps(note.to_json())}]' if note else ""


_NOTES: Final = [_note_text(mask) for mask in range(4)]


class _Line(NamedTuple):
    """A plain line, in the words that the columns need."""

    place: int
    concealed: str
    size: int
    winning: str
    melds: tuple[int, ...]
    flowers: int
    how: int
    assumed: int
    name: str
    """The ``id`` as JSON."""


class LineScorer:
    """Scores plain lines by one profile."""

    def __init__(self, rules: Profile) -> None:
        """Take the rules."""
        self._rules = rules
        self._harmless = {*FIELDS, "id"}
        """Keys that no field is meant by."""

    def texts(self, lines: list[str]) -> list[str | None]:
        """The answers to lines; None for a line that must be looked at by itself."""
        answers: list[str | None] = [None] * len(lines)
        if len(lines) < SMALL_BATCH or not scores_together(self._rules):
            return answers
        plain = [found for place, line in enumerate(lines) if (found := self._plain(place, line)) is not None]
        if len(plain) < SMALL_BATCH:
            return answers
        for place, text in self._scored(lines, plain):
            answers[place] = text
        return answers

    def _plain(self, place: int, line: str) -> _Line | None:
        """The hand of a line, None if anything about it is unusual."""
        try:
            obj = _loads(line)
            get = obj.get
            concealed, winning, melds, flowers = (
                obj["concealed"],
                obj["winning_tile"],
                get("melds", []),
                get("flowers", 0),
            )
            drawn, last = get("self_drawn", False), get("last_tile", False)
            kong, fourth = get("kong", False), get("fourth_tile", False)
            how, assumed = _WAYS[
                drawn, last, kong, fourth, get("seat_wind", _NOT_TOLD), get("prevalent_wind", _NOT_TOLD)
            ]
            codes = tuple([_meld_code(meld) for meld in melds]) if melds else ()
            row = ",".join(concealed)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        flags = drawn.__class__ is last.__class__ is kong.__class__ is fourth.__class__ is bool
        lists = concealed.__class__ is melds.__class__ is list
        if not (flags and lists and flowers.__class__ is int and 0 <= flowers <= 8 and len(codes) <= 4):
            return None
        if get("opening") is not None or not (obj.keys() <= self._harmless or self._are_harmless(obj)):
            return None
        name = _name_text(get("id"))
        if name is None or winning.__class__ is not str or len(winning) != 2:
            return None
        return tuple.__new__(_Line, (place, row, len(concealed), winning, codes, flowers, how, assumed, name))

    def _are_harmless(self, obj: dict[str, Any]) -> bool:
        for key in obj:
            if key not in self._harmless:
                if field_meant(key) is not None:
                    return False
                if len(self._harmless) < 1000:
                    self._harmless.add(key)
        return True

    def _scored(self, lines: list[str], plain: list[_Line]) -> list[tuple[int, str]]:
        """The answers to plain lines, with their places; hands that are impossible or do not win are left out."""
        places, rows, sizes, winning, melds, flowers, how, assumed, names = zip(*plain, strict=True)
        number = len(plain)
        codes = np.zeros((4, number), np.uint8)
        for place, own in enumerate(melds):
            if own:
                codes[: len(own), place] = own

        def source(place: int) -> tuple[Hand, Circumstances]:
            return hand_from_json(json.loads(lines[places[place]]))

        hands = HandColumns(
            tile_codes(list(rows), np.array(sizes), winning),
            codes,
            np.array(flowers, np.uint8),
            np.zeros(number, np.uint8),
            np.array(how, np.int64),
            source,
        )
        found = score_columns(hands, self._rules)
        texts = found.lists.texts
        profile, minimum = _quoted(self._rules.name), self._rules.minimum
        columns = (found.scored, found.points, found.total, found.list_numbers)
        values = zip(places, names, assumed, *(column.tolist() for column in columns), strict=True)
        return [
            (
                place,
                f'{{"id": {name}, "total": {total}, "fans": {texts[fans]}, "points": {{"qualifying": {points}, '
                f'"flowers": {total - points}}}, "legal": {"true" if points >= minimum else "false"}, '
                f'"profile": {profile}, "error": null{_NOTES[note]}}}',
            )
            for place, name, note, scored, points, total, fans in values
            if scored
        ]


def _meld_code(meld: dict[str, Any]) -> int:
    """The code of a meld with kind, tile and tiles in this order; raises KeyError or TypeError for others."""
    kind, tile, tiles = meld
    if (kind, tile, tiles) != ("kind", "tile", "tiles") or meld[tiles].__class__ is not list:
        raise KeyError(kind)
    return _MELDS[(meld[kind], meld[tile], *meld[tiles])]


def _name_text(name: object) -> str | None:
    """An ``id`` as JSON; None if that needs more thought."""
    if name is None:
        return "null"
    if name.__class__ is str:
        text = str(name)
        return _quoted(text) if text.isascii() else None
    return str(name) if name.__class__ is int else None
