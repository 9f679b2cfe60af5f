"""Profile files: a club writes its own rules into a TOML file and gives its path in place of a name.

The file starts from a built-in profile, changes points, switches fans off and chooses rulings.

>>> parse_profile(SAMPLE).by_name["明暗杠"].points
6
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from reprlib import repr as shown
from typing import Any, Final, NoReturn

from scorer.errors import HandError
from scorer.profiles import PROFILES, RULINGS, Profile, altered

SAMPLE = """name = "club"                     # shown with every score
start = "guobiao"                 # the profile to start from
title = "Our club"                # optional
minimum = 6                       # optional: points that a win needs, without flowers
base = 8                          # optional: what every loser pays in addition to the points
off = ["花牌", "无番和"]            # fans that do not count

[points]
"明暗杠" = 6

[rulings]
knitted_body_wait = false"""
"""A profile that uses every key."""

_MOST_CHARACTERS: Final = 20_000
"""Several times what a file needs that names every fan and every ruling."""
_MOST_POINTS: Final = 9999
_LONG_NUMBER: Final = re.compile(r"[0-9_]{1000}")
_KEYS = ("name", "start", "title", "minimum", "base", "off", "points", "rulings")


class _Source:
    """The text of a profile file, which finds the line of a mistake."""

    def __init__(self, text: str, origin: str) -> None:
        self.lines = text.splitlines()
        self.origin = origin

    def fail(self, message: str, word: str = "") -> NoReturn:
        """Refuse the profile and name the first line that holds ``word``."""
        pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        numbers = [n for n, line in enumerate(self.lines, 1) if word and pattern.search(line.split("#")[0])]
        place = f"{self.origin}, line {numbers[0]}" if numbers else self.origin
        raise HandError("bad_profile", f"{place}: {message}")


def parse_profile(text: str, origin: str = "profile") -> Profile:
    """Read the text of a profile file; ``origin`` is its name in error messages.

    Raises :class:`HandError` ``bad_profile``, with the line of the mistake in its message.
    """
    source = _Source(text, origin)
    data = _read(source, text)
    for key in data:
        if key not in _KEYS:
            source.fail(f"unknown key {key!r}; known keys are {', '.join(_KEYS)}", key)
    name = _text(source, data, "name", "custom")
    if name in PROFILES:
        source.fail(f"{name!r} is a built-in profile; choose another name", "name")
    start = _text(source, data, "start", "guobiao")
    if start not in PROFILES:
        source.fail(f"no profile {start!r} to start from; choose one of {', '.join(PROFILES)}", "start")
    base = PROFILES[start]
    title = _text(source, data, "title", name)
    off = data.get("off", [])
    if not isinstance(off, list):
        source.fail('off must be a list of fan names, as in off = ["花牌"]', "off")
    for fan in off:
        _check_fan(source, base, fan)
    changes: dict[str, dict[str, object]] = {}
    for fan, points in _table(source, data, "points").items():
        _check_fan(source, base, fan)
        changes[fan] = {"points": _whole(source, points, fan)}
    rulings: dict[str, bool] = {}
    for ruling, chosen in _table(source, data, "rulings").items():
        if ruling not in RULINGS:
            source.fail(f"unknown ruling {ruling!r}; known rulings are {', '.join(RULINGS)}", ruling)
        if not isinstance(chosen, bool):
            source.fail(f"{ruling} must be true or false", ruling)
        rulings[ruling] = chosen
    numbers = {key: _whole(source, data[key], key) for key in ("minimum", "base") if key in data}
    return replace(
        base,
        name=name,
        title=title,
        title_english=title,
        fans=altered([fan for fan in base.fans if fan.name not in off], changes),
        minimum=numbers.get("minimum", base.minimum),
        base=numbers.get("base", base.base),
        **rulings,
    )


def _read(source: _Source, text: str) -> dict[str, Any]:
    """The tables in the text; raises ``bad_profile`` however the TOML is broken."""
    if len(text) > _MOST_CHARACTERS:
        source.fail(f"the file is too long; a profile has at most {_MOST_CHARACTERS} characters")
    place = ""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # The TOML reader names the line, except where the text ends too early.
        place = "" if "line" in str(error) else f", line {max(1, len(source.lines))}"
        reason = str(error)
    except ValueError:
        # Python refuses decimal numbers with thousands of digits.
        number = next((n for n, line in enumerate(source.lines, 1) if _LONG_NUMBER.search(line)), 1)
        place, reason = f", line {number}", f"the number is too long; points go from 0 to {_MOST_POINTS}"
    except RecursionError:
        reason = "its lists or tables are nested too deeply"
    raise HandError("bad_profile", f"{source.origin}{place}: {reason}")


def _text(source: _Source, data: Mapping[str, Any], key: str, default: str) -> str:
    value = data.get(key, default)
    if not isinstance(value, str) or not value:
        source.fail(f"{key} must be text in quotes", key)
    return value


def _table(source: _Source, data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key, {})
    if not isinstance(value, Mapping):
        source.fail(f"{key} must be a table, [{key}]", key)
    return value


def _whole(source: _Source, value: object, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        source.fail(f"{key} must be a whole number from 0, not {shown(value)}", key)
    if not 0 <= value <= _MOST_POINTS:
        # The number is not repeated: it may have thousands of digits.
        source.fail(f"{key} must be a whole number from 0 to {_MOST_POINTS}", key)
    return value


def _check_fan(source: _Source, base: Profile, name: object) -> None:
    if not isinstance(name, str):
        source.fail(f"write fan names in quotes, not {shown(name)}", "off")
    if name not in base.by_name:
        source.fail(base.unknown_fan(name), name)


@lru_cache(maxsize=8)
def _parsed(text: str, origin: str) -> Profile:
    # The same text gives the same object, so that its engine is built only once.
    return parse_profile(text, origin)


def profile_named(name: str | PathLike[str], *, files: bool = True) -> Profile:
    """The built-in profile with that name, or the profile in the TOML file at that path.

    With ``files=False`` only built-in names are accepted: use it for names that arrive over a network, so that
    no request can read a file. A file is read again on every call; the same text gives the same
    object. Raises :class:`HandError` ``unknown_profile`` or ``bad_profile``.

    >>> profile_named("wmo2006").by_name["双暗杠"].points
    8
    >>> profile_named("club.toml", files=False)
    Traceback (most recent call last):
        ...
    scorer.errors.HandError: no profile 'club.toml'; choose one of guobiao, text1998, wmo2006, platform
    """
    name = fspath(name)
    if name in PROFILES:
        return PROFILES[name]
    if not files or not name.endswith(".toml"):
        choice = f"no profile {shown(name)}; choose one of {', '.join(PROFILES)}"
        raise HandError("unknown_profile", f"{choice}, or give the path of a .toml file" if files else choice)
    path = Path(name)
    try:
        if path.exists() and not path.is_file():
            raise HandError("unknown_profile", f"{name} is not a file; give the path of a .toml file")
        with path.open(encoding="utf-8") as file:
            return _parsed(file.read(_MOST_CHARACTERS + 1), path.name)
    except OSError as error:
        raise HandError("unknown_profile", f"the profile {name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise HandError("bad_profile", f"{path.name} is not UTF-8 text") from None


profile_from = profile_named
"""The same function under the name it had before version 0.5."""
