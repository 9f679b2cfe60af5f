"""The text of a profile file: its tables, and the line of a mistake."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from reprlib import repr as shown
from typing import Any, Final, NoReturn

from scorer.errors import HandError

MOST_CHARACTERS: Final = 20_000
"""Several times what a file needs that names every fan and every ruling."""
_MOST_POINTS: Final = 9999
_LONG_NUMBER: Final = re.compile(r"[0-9_]{1000}")


class ProfileSource:
    """The text of a profile file, read with the line of any mistake; ``origin`` is its name in messages."""

    def __init__(self, text: str, origin: str) -> None:
        """Take the text; :meth:`read` reads it."""
        self.text = text
        self.lines = text.splitlines()
        self.origin = origin

    def fail(self, message: str, word: str = "", *, after: str = "") -> NoReturn:
        """Refuse the profile and name the first line that holds ``word``, after the first that holds ``after``."""
        start = self._lines_with(after)[0] if after and self._lines_with(after) else 1
        numbers = [number for number in self._lines_with(word) if number >= start]
        place = f"{self.origin}, line {numbers[0]}" if numbers else self.origin
        raise HandError("bad_profile", f"{place}: {message}")

    def _lines_with(self, word: str) -> list[int]:
        pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        return [n for n, line in enumerate(self.lines, 1) if word and pattern.search(line.split("#")[0])]

    def read(self) -> dict[str, Any]:
        """The tables in the text; raises ``bad_profile`` however the TOML is broken."""
        if len(self.text) > MOST_CHARACTERS:
            self.fail(f"the file is too long; a profile has at most {MOST_CHARACTERS} characters")
        place = ""
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            # The TOML reader names the line, except where the text ends too early.
            place = "" if "line" in str(error) else f", line {max(1, len(self.lines))}"
            reason = str(error)
        except ValueError:
            # Python refuses decimal numbers with thousands of digits.
            number = next((n for n, line in enumerate(self.lines, 1) if _LONG_NUMBER.search(line)), 1)
            place, reason = f", line {number}", f"the number is too long; points go from 0 to {_MOST_POINTS}"
        except RecursionError:
            reason = "its lists or tables are nested too deeply"
        raise HandError("bad_profile", f"{self.origin}{place}: {reason}")

    def check_keys(self, data: Mapping[str, Any], known: Sequence[str], *, after: str = "") -> None:
        """Refuse a key that is not ``known``, with the nearest one that is."""
        for key in data:
            if key not in known:
                near = get_close_matches(key, known, n=1)
                hint = f"; did you mean {near[0]}?" if near else ""
                self.fail(f"unknown key {key!r}{hint}; known keys are {', '.join(known)}", key, after=after)

    def text_at(self, data: Mapping[str, Any], key: str, default: str, *, after: str = "") -> str:
        """A text that is not empty."""
        value = data.get(key, default)
        if not isinstance(value, str) or not value:
            self.fail(f"{key} must be text in quotes", key, after=after)
        return value

    def table_at(self, data: Mapping[str, Any], key: str, title: str = "") -> Mapping[str, Any]:
        """A table, empty if the key is missing."""
        value = data.get(key, {})
        if not isinstance(value, Mapping):
            self.fail(f"{key} must be a table, [{title or key}]", key)
        return value

    def whole(self, value: object, key: str, *, after: str = "") -> int:
        """A number of points."""
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(f"{key} must be a whole number from 0, not {shown(value)}", key, after=after)
        if not 0 <= value <= _MOST_POINTS:
            # The number is not repeated: it may have thousands of digits.
            self.fail(f"{key} must be a whole number from 0 to {_MOST_POINTS}", key, after=after)
        return value

    def names(self, value: object, key: str, example: str, *, after: str = "") -> list[str]:
        """A list of fan names."""
        if not isinstance(value, list):
            self.fail(f'{key} must be a list of fan names, as in {key} = ["{example}"]', key, after=after)
        for name in value:
            if not isinstance(name, str):
                self.fail(f"write fan names in quotes, not {shown(name)}", key, after=after)
        return value

    def choices(self, value: object, key: str, allowed: range, *, after: str) -> tuple[int, ...]:
        """One number or a list of numbers, ascending, all of them ``allowed``."""
        numbers = value if isinstance(value, list) and value else [value]
        for number in numbers:
            if not isinstance(number, int) or isinstance(number, bool) or number not in allowed:
                wanted = f"a number from {allowed[0]} to {allowed[-1]}, or a list of such numbers"
                self.fail(f"{key} must be {wanted}, not {shown(number)}", key, after=after)
        return tuple(sorted(set(numbers)))
