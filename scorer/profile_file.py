"""Profile files: a club writes its own rules into a TOML file and gives its path in place of a name.

The file starts from a built-in profile, changes points and exclusions, switches fans on and off, chooses rulings and
defines fans of its own. Its text says what it changes; ``docs/profiles.md`` explains every key.

>>> club = parse_profile(SAMPLE)
>>> club.by_name["明暗杠"].points, club.by_name["天胡"].points, club.by_name["一色三隔刻"].rule_english
(6, 88, 'Three pungs or kongs in one suit, each 2 above the one before.')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from reprlib import repr as shown
from typing import Any, Final

from scorer.errors import HandError
from scorer.fans import PLATFORM_FANS, Fan, in_order, printed_place
from scorer.fans.pattern import SetPattern, patterned_fan
from scorer.profile_source import MOST_CHARACTERS, ProfileSource
from scorer.profiles import PROFILES, RULINGS, Profile

SAMPLE = """name = "club"                     # shown with every score
start = "guobiao"                 # the profile to start from
title = "Our club"                # optional
minimum = 6                       # optional: points that a win needs, without flowers
base = 8                          # optional: what every loser pays in addition to the points
off = ["花牌", "无番和"]            # fans that do not count
on = ["天胡", "地胡", "人胡"]        # fans of the platform list that count as well

[points]
"明暗杠" = 6
"天胡" = 88

[exclusions.add]
"组合龙" = ["五门齐"]               # 五门齐 does not count beside 组合龙

[exclusions.remove]
"七对" = ["不求人"]                 # 不求人 counts beside 七对

[rulings]
knitted_body_wait = false

[[fans]]                          # a fan of your own: three pungs of one suit, two ranks apart
name = "一色三隔刻"
english = "Pure Pungs Two Apart"
points = 12
sets = "pungs"                    # or "chows"
number = 3                        # how many of them: 2, 3 or 4
suits = 1                         # in how many suits: 1, 2, 3, or a choice such as [2, 3]
steps = 2                         # ranks from one to the next; 0 if all are equal, or a choice such as [1, 2]
excludes = []                     # optional: fans that do not count beside it"""
"""A profile that uses every key."""

_KEYS: Final = (
    "name", "start", "title", "minimum", "base", "off", "on", "points", "exclusions", "rulings", "fans",
)  # fmt: skip
_FAN_KEYS: Final = ("name", "english", "points", "sets", "number", "suits", "steps", "excludes")


def parse_profile(text: str, origin: str = "profile") -> Profile:
    """Read the text of a profile file; ``origin`` is its name in error messages.

    Raises :class:`HandError` ``bad_profile``, with the line of the mistake in its message.
    """
    source = ProfileSource(text, origin)
    data = source.read()
    source.check_keys(data, _KEYS)
    name = source.text_at(data, "name", "custom")
    if name in PROFILES:
        source.fail(f"{name!r} is a built-in profile; choose another name", "name")
    start = source.text_at(data, "start", "guobiao")
    if start not in PROFILES:
        source.fail(f"no profile {start!r} to start from; choose one of {', '.join(PROFILES)}", "start")
    base = PROFILES[start]
    title = source.text_at(data, "title", name)
    numbers = {key: source.whole(data[key], key) for key in ("minimum", "base") if key in data}
    return replace(
        base,
        name=name,
        title=title,
        title_english=title,
        fans=_fans(source, data, base),
        minimum=numbers.get("minimum", base.minimum),
        base=numbers.get("base", base.base),
        **_rulings(source, data),
    )


def _rulings(source: ProfileSource, data: Mapping[str, Any]) -> dict[str, bool]:
    rulings = source.table_at(data, "rulings")
    source.check_keys(rulings, tuple(RULINGS), after="[rulings]")
    for ruling, chosen in rulings.items():
        if not isinstance(chosen, bool):
            source.fail(f"{ruling} must be true or false", ruling)
    return dict(rulings)


def _fans(source: ProfileSource, data: Mapping[str, Any], base: Profile) -> tuple[Fan, ...]:
    """The fans of the file's profile, in the order of a score."""
    known = {fan.name: fan for fan in base.fans}
    for name in source.names(data.get("on", []), "on", "天胡"):
        added = next((fan for fan in PLATFORM_FANS if fan.name == name), None)
        if added is None or name in known:
            choice = "、".join(fan.name for fan in PLATFORM_FANS if fan.name not in known)
            what = f"{name!r} counts already" if name in known else f"no fan {name!r} to switch on"
            source.fail(f"{what}; on may name {choice or 'no fan here'}", name)
        known[name] = added
    own = list(_own_fans(source, data, known))
    known |= {fan.name: fan for fan in own}
    rules = replace(base, fans=tuple(known.values()))
    for fan in own:
        for other in fan.drops:
            _check_exclusion(source, rules, fan.name, other)
    for name, points in source.table_at(data, "points").items():
        _check_fan(source, rules, name)
        known[name] = replace(known[name], points=source.whole(points, name, after="[points]"))
    _change_exclusions(source, data, rules, known)
    for name in source.names(data.get("off", []), "off", "花牌"):
        _check_fan(source, rules, name)
        known.pop(name, None)
    return in_order(known.values())


def _own_fans(source: ProfileSource, data: Mapping[str, Any], known: Mapping[str, Fan]) -> Iterator[Fan]:
    """The fans that the file defines."""
    tables = data.get("fans", [])
    if not isinstance(tables, list) or not all(isinstance(table, Mapping) for table in tables):
        source.fail("write each fan of your own below its own line [[fans]]", "fans")
    names: list[str] = []
    for place, table in enumerate(tables):
        name = table.get("name")
        if not isinstance(name, str) or not name.strip():
            source.fail('a fan of your own needs a name, as in name = "一色三隔刻"', "fans")
        if name in known or name in names:
            source.fail(f"there is a fan {name!r} already; choose another name", name)
        names.append(name)
        source.check_keys(table, _FAN_KEYS, after=name)
        for key in ("points", "sets", "number", "suits", "steps"):
            if key not in table:
                source.fail(f"the fan {name!r} has no {key}", name)
        yield patterned_fan(
            place,
            name,
            source.text_at(table, "english", name, after=name),
            source.whole(table["points"], "points", after=name),
            tuple(source.names(table.get("excludes", []), "excludes", "碰碰和", after=name)),
            _pattern(source, table, name),
        )


def _pattern(source: ProfileSource, table: Mapping[str, Any], name: str) -> SetPattern:
    sets = table["sets"]
    if sets not in ("chows", "pungs"):
        source.fail(f'sets must be "chows" or "pungs", not {shown(sets)}', "sets", after=name)
    number = table["number"]
    if not isinstance(number, int) or isinstance(number, bool) or not 2 <= number <= 4:
        source.fail(f"number must be 2, 3 or 4, not {shown(number)}", "number", after=name)
    pattern = SetPattern(
        sets,
        number,
        source.choices(table["suits"], "suits", range(1, 4), after=name),
        source.choices(table["steps"], "steps", range(9), after=name),
    )
    if not pattern.example:
        source.fail(f"no hand can have the fan {name!r}: {pattern.rule_english}", name)
    return pattern


def _change_exclusions(
    source: ProfileSource, data: Mapping[str, Any], rules: Profile, known: dict[str, Fan]
) -> None:
    """Add and remove exclusions among the ``known`` fans."""
    changes = source.table_at(data, "exclusions")
    source.check_keys(changes, ("add", "remove"))
    for what in ("add", "remove"):
        title = f"exclusions.{what}"
        for name, value in source.table_at(changes, what, title).items():
            _check_fan(source, rules, name)
            for other in source.names(value, name, "不求人", after=title):
                _check_exclusion(source, rules, name, other, after=title)
                drops = known[name].drops
                if what == "remove" and other not in drops:
                    source.fail(
                        f"{name} does not exclude {other}, so there is nothing to remove", name, after=title
                    )
                added = (*drops, *([other] if other not in drops else []))
                kept = tuple(drop for drop in drops if drop != other)
                known[name] = replace(known[name], drops=added if what == "add" else kept)


def _check_exclusion(
    source: ProfileSource, rules: Profile, name: str, other: str, *, after: str = ""
) -> None:
    """Refuse an exclusion of a fan that does not exist or that comes first."""
    _check_fan(source, rules, other)
    if printed_place(rules.by_name[other]) <= printed_place(rules.by_name[name]):
        source.fail(
            f"{name} cannot exclude {other}: a fan can only exclude fans that come after it in the printed table; "
            f"let {other} exclude {name} instead",
            name,
            after=after or name,
        )


def _check_fan(source: ProfileSource, rules: Profile, name: str) -> None:
    if name not in rules.by_name:
        source.fail(rules.unknown_fan(name), name)


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
    scorer.errors.HandError: no profile 'club.toml'; choose one of guobiao, text1998, wmo2006, wmo2014, platform
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
            return _parsed(file.read(MOST_CHARACTERS + 1), path.name)
    except OSError as error:
        raise HandError("unknown_profile", f"the profile {name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise HandError("bad_profile", f"{path.name} is not UTF-8 text") from None


profile_from = profile_named
"""The same function under the name it had before version 0.5."""
