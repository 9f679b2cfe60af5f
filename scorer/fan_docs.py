"""The coverage page ``docs/fans.md``, written from the catalogue.

    python -m scorer.fan_docs > docs/fans.md

Every row is data of the catalogue; a test compares the page with what this module writes.
"""

from __future__ import annotations

from collections.abc import Iterator

from scorer.fans import CATALOGUE, PLATFORM_FANS, Family, Fan
from scorer.fans.examples import EXAMPLES
from scorer.fans.model import Wait
from scorer.profile_file import SAMPLE
from scorer.profiles import NEEDS_JOKERS, OVER_SETS, PROFILES, RENAMED, RULINGS, UNDEFINED_NAMES, Profile

INTRODUCTION = """# The fans, one by one

Written by `python -m scorer.fan_docs` from the code that scores; do not edit. For each fan: the rule, what
is not counted beside it (because the fan implies it: 不重复), a hand that counts it, and a near miss, which
wins without it. Hands are in the [text notation](json.md#the-notation); every one is scored by the tests.

Three more of the five principles are not exclusions by name but one rule about sets, applied to every fan
that combines chows or pungs: a fan may only join sets that are not yet joined to each other, directly or
through others (不拆移, 不得相同, 套算一次). Of all readings and all choices the highest total counts
(就高不就低); equal totals are decided by the order of this page, so that the answer is always the same.
"""


def _absorbs(fan: Fan) -> str:
    return " Its own pungs are not 幺九刻 as well." if fan.absorbs else ""


def _values(fan: Fan) -> str:
    """What differs between the profiles."""
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
    hand, near_miss = EXAMPLES[fan.name]
    times = ", each" if fan.repeats else ""
    columns = (
        str(fan.number),
        f"{fan.name}<br>{fan.english}",
        f"{fan.points}{times}",
        f"{fan.rule}<br>{fan.rule_english}{_absorbs(fan)}",
        " ".join(fan.drops) or "-",
        f"`{hand}`".replace("|", "\\|"),
        f"`{near_miss}`".replace("|", "\\|"),
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
    yield "Write what differs into a TOML file and give its path wherever a profile's name goes:"
    yield ""
    yield "```toml"
    yield SAMPLE
    yield "```"
    yield ""
    yield "A mistake in it is refused with the line it is on."
    yield ""
    yield "## The platform list"
    yield ""
    renamed = ", ".join(f"{ours} as {theirs}" for ours, theirs in RENAMED.items())
    yield f"The `platform` profile shows {renamed}, and adds:"
    yield ""
    yield "| Fan | Points | Rule | Not also counted |"
    yield "|--|--|--|--|"
    for fan in PLATFORM_FANS:
        drops = " ".join(fan.drops) or "-"
        yield f"| {fan.name}<br>{fan.english} | {fan.points} | {fan.rule}<br>{fan.rule_english} | {drops} |"
    yield ""
    yield "The list writes 老少副 once, in an exclusion, as 老少配; the fan keeps its name."
    yield ""
    yield f"Refused: {NEEDS_JOKERS}."
    yield ""
    yield "Named by the source without a value or a definition, and therefore not implemented:"
    yield f"{'、'.join(UNDEFINED_NAMES)}; also the lines 三碰不如一暗杠 and 码牌不用数、两六一个五."


if __name__ == "__main__":
    print("\n".join(page()))
