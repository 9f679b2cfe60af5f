"""Writes the page ``docs/fans.md`` from the catalogue of fans.

    python -m scorer.fan_docs > docs/fans.md

A test fails if the page is out of date.
"""

from __future__ import annotations

from collections.abc import Iterator

from scorer.fans import CATALOGUE, PLATFORM_FANS, Family, Fan
from scorer.fans.model import Wait
from scorer.profile_file import SAMPLE
from scorer.profiles import NEEDS_JOKERS, OVER_SETS, PROFILES, RENAMED, RULINGS, UNDEFINED_NAMES, Profile

INTRODUCTION = """# The fans, one by one

`python -m scorer.fan_docs` writes this page from the code that scores; do not edit it. For each fan it gives
the rule, the fans that do not count beside it because it implies them (不重复), a hand that counts it, and a
near miss that wins without it. Hands are in the [text notation](json.md#the-notation), and the tests score each of
them.

A fan that combines chows or pungs may only join sets that are not joined to each other yet, directly or through
other sets. This one rule covers three of the five principles of counting (不拆移, 不得相同, 套算一次). If a hand can
be read in several ways, the one with the highest total counts (就高不就低). If totals are equal, the fans that come
first on this page count, so that the answer is always the same.
"""


def _absorbs(fan: Fan) -> str:
    return " Its pungs do not count as 幺九刻 as well." if fan.absorbs else ""


def _values(fan: Fan) -> str:
    """How the profiles differ in this fan."""
    notes = []
    for profile in PROFILES.values():
        other = next((each for each in profile.fans if each.number == fan.number), None)
        if other is None:
            notes.append(f"{profile.name}: not counted")
        elif other.points != fan.points:
            notes.append(f"{profile.name}: {other.points} points")
        if other is not None and profile.name != "platform":
            more = [name for name in other.drops if name not in fan.drops]
            fewer = [name for name in fan.drops if name not in other.drops]
            notes += [f"{profile.name}: not beside {name}" for name in more]
            notes += [f"{profile.name}: beside {name}" for name in fewer]
        if other is not None and other.name != fan.name:
            notes.append(f"{profile.name}: called {other.name}")
        if fan.sees is Wait and not profile.knitted_body_wait:
            notes.append(f"{profile.name}: not on a tile of a knitted straight")
        if fan.name in OVER_SETS and not profile.pairs_are_sets:
            notes.append(f"{profile.name}: not with seven pairs")
    return "; ".join(notes)


def _row(fan: Fan) -> str:
    times = ", each" if fan.repeats else ""
    columns = (
        str(fan.number),
        f"{fan.name}<br>{fan.english}",
        f"{fan.points}{times}",
        f"{fan.rule}<br>{fan.rule_english}{_absorbs(fan)}",
        " ".join(fan.drops) or "-",
        f"`{fan.example}`".replace("|", "\\|"),
        f"`{fan.near_miss}`".replace("|", "\\|"),
        _values(fan) or "-",
    )
    return f"| {' | '.join(columns)} |"


def _profile(profile: Profile) -> Iterator[str]:
    yield f"### `{profile.name}`: {profile.title_english} ({profile.title})"
    yield ""
    yield f"- minimum {profile.minimum} points without flowers, base {profile.base}"
    for name, (chinese, english) in RULINGS.items():
        yield f"- `{name}`: {'yes' if getattr(profile, name) else 'no'}; {english} ({chinese})"
    yield ""


def page() -> Iterator[str]:
    """The page, line by line."""
    yield INTRODUCTION
    for family in Family:
        yield f"## {family}"
        yield ""
        yield "| # | Fan | Points | Rule | Not also counted | Hand | Near miss | Profiles |"
        yield "|--|--|--|--|--|--|--|--|"
        yield from (_row(fan) for fan in CATALOGUE if fan.family is family)
        yield ""
    yield "## Profiles"
    yield ""
    for profile in PROFILES.values():
        yield from _profile(profile)
    yield "### A profile of your own"
    yield ""
    yield "Write what differs into a TOML file and give its path in place of a profile's name:"
    yield ""
    yield "```toml"
    yield SAMPLE
    yield "```"
    yield ""
    yield "If the file has a mistake, the error message names its line."
    yield ""
    yield "## The platform list"
    yield ""
    renamed = ", ".join(f"{ours} as {theirs}" for ours, theirs in RENAMED.items())
    yield f"The `platform` profile shows {renamed}, and adds:"
    yield ""
    yield "| Fan | Points | Rule | Not also counted | Hand |"
    yield "|--|--|--|--|--|"
    for fan in PLATFORM_FANS:
        drops = " ".join(fan.drops) or "-"
        rule = f"{fan.rule}<br>{fan.rule_english}"
        hand = f"`{fan.example}`".replace("|", "\\|") + (f" ({fan.opening})" if fan.opening else "")
        yield f"| {fan.name}<br>{fan.english} | {fan.points} | {rule} | {drops} | {hand} |"
    yield ""
    yield "The list once writes 老少副 as 老少配, in an exclusion; the fan keeps its name."
    yield ""
    yield f"{NEEDS_JOKERS}."
    yield ""
    yield "The list names these fans without points or a definition, so Fanlens does not have them:"
    yield f"{'、'.join(UNDEFINED_NAMES)}. Nor does it have the lines 三碰不如一暗杠 and 码牌不用数、两六一个五."


if __name__ == "__main__":
    print("\n".join(page()))
