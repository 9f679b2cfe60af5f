"""Rule profiles as data: the fans that count, their points and exclusions, and the rulings.

>>> PROFILES["wmo2006"].by_name["双暗杠"].points
8
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from hashlib import sha256
from typing import Final

from scorer.errors import HandError
from scorer.fans import CATALOGUE, PLATFORM_FANS, Fan, in_order
from scorer.fans.pattern import SetPattern

RULINGS: Final[dict[str, tuple[str, str]]] = {
    "knitted_body_wait": (
        "组合龙的牌也可计边张、坎张、单钓将",
        "a tile of the knitted straight may count as an edge, closed or single wait",
    ),
    "exhausted_wait": (
        "自己已有四张的牌仍算一种听牌",
        "a tile of which the hand holds all four still counts as a wait, so another is not the only one",
    ),
    "pairs_are_sets": (
        "七对可计清幺九、混幺九、字一色及全大等番种",
        "seven pairs may count fans whose definitions speak of sets",
    ),
    "unavoidable_hog": (
        "七对和清幺九、绿一色时,必有的一个四归一也计分",
        "seven pairs of 清幺九 or 绿一色 count the one 四归一 that six faces cannot avoid",
    ),
}
"""The questions each profile answers with yes or no, in Chinese and English."""

OF_SIX_FACES: Final = ("清幺九", "绿一色")
"""Fans of only six faces, so that seven pairs must hold one of them four times: see ``unavoidable_hog``."""
OVER_SETS: Final = ("清幺九", "混幺九", "字一色", "全大", "全中", "全小", "大于五", "小于五")
"""Fans whose definitions speak of sets, which seven pairs do not have: see ``pairs_are_sets``."""


@dataclass(frozen=True, eq=False)
class Profile:
    """A set of rules to score by.

    ``fans`` are in the order in which a score lists them. ``minimum`` is the number of points that a win
    needs, flowers not counted (起和分); ``base`` is what every loser pays in addition to the points
    (底分). :data:`RULINGS` explains the rulings.
    """

    name: str
    title: str
    title_english: str
    fans: tuple[Fan, ...] = field(default=CATALOGUE, repr=False)
    minimum: int = 8
    base: int = 8
    knitted_body_wait: bool = True
    exhausted_wait: bool = True
    pairs_are_sets: bool = True
    unavoidable_hog: bool = True

    @cached_property
    def by_name(self) -> dict[str, Fan]:
        """The fans of this profile by their Chinese name."""
        return {fan.name: fan for fan in self.fans}

    @cached_property
    def key(self) -> str:
        """A fingerprint of everything the profile says, 64 hexadecimal digits (SHA-256).

        Two profiles have the same key if and only if they have the same names, fans, patterns, points,
        exclusions, minimum, base and rulings. Store it beside results to notice later that a profile file was edited.
        """
        content = {
            "names": [self.name, self.title, self.title_english],
            "numbers": [self.minimum, self.base],
            "fans": [[fan.number, fan.name, fan.points, *fan.drops] for fan in self.fans],
            "patterns": [repr(fan.holds) for fan in self.fans if isinstance(fan.holds, SetPattern)],
            "rulings": {name: getattr(self, name) for name in RULINGS},
        }
        return sha256(json.dumps(content).encode("ascii")).hexdigest()

    def rulings(self) -> list[str]:
        """The minimum, the base and the rulings in words, one per line."""
        lines = [f"minimum: {self.minimum}", f"base: {self.base}"]
        for name, (chinese, english) in RULINGS.items():
            lines.append(f"{name}: {'yes' if getattr(self, name) else 'no'} - {chinese} / {english}")
        return lines

    def unknown_fan(self, name: str) -> str:
        """The error message for a fan name that this profile does not have, with near matches."""
        if name == "混杠":
            return NEEDS_JOKERS
        known = [fan.name for fan in self.fans] + [fan.english for fan in self.fans]
        near = get_close_matches(name, known, n=3)
        near = near or [full for full in known if name and name.casefold() in full.casefold()]
        hint = f"; did you mean {', '.join(near)}?" if near else "; `fanlens fan` lists them"
        return f"no fan {name!r} in profile {self.name}{hint}"

    def fan(self, name: str) -> Fan:
        """The fan with that Chinese name; raises :class:`HandError` ``unknown_fan`` or ``needs_jokers``."""
        found = self.by_name.get(name)
        if found is None:
            raise HandError("needs_jokers" if name == "混杠" else "unknown_fan", self.unknown_fan(name))
        return found


NEEDS_JOKERS: Final = (
    "混杠 is a kong of four jokers (混); no rule text that we know says what a joker may stand for, "
    "so Fanlens cannot score it"
)
UNDEFINED_NAMES: Final = (
    "清一色四步高",
    "清一色半条龙",
    "清一色清七对",
    "清一色清对对",
    "清一色混七对",
    "清一色混对对",
    "混一色一条龙",
    "混一色三节高",
    "混一色三步高",
    "混一色四节高",
    "混一色四步高",
    "混一色半条龙",
    "杂牌断幺九对对",
    "清一色带幺九对对",
    "清一色断幺九七对",
)
"""Fans that the platform's list names without a value or a definition; Fanlens has none of them."""


def altered(fans: Iterable[Fan], changes: Mapping[str, Mapping[str, object]]) -> tuple[Fan, ...]:
    """The fans with some fields replaced, in the order of a score; ``changes`` are fields by fan name."""
    return in_order(replace(fan, **changes.get(fan.name, {})) for fan in fans)  # type: ignore[arg-type]


def without_drop(names: Iterable[str], dropped: str) -> dict[str, dict[str, object]]:
    """Changes for :func:`altered` that let ``dropped`` count beside each of the fans ``names``."""
    by_name = {fan.name: fan for fan in CATALOGUE}
    return {name: {"drops": tuple(d for d in by_name[name].drops if d != dropped)} for name in names}


def _text1998() -> Profile:
    changes = without_drop(("九莲宝灯", "四暗刻"), "不求人")
    terminals = next(fan for fan in CATALOGUE if fan.name == "清幺九")
    changes["清幺九"] = {"drops": (*terminals.drops, "三同刻")}
    fans = [fan for fan in CATALOGUE if fan.name != "明暗杠"]
    return Profile(
        "text1998",
        "1998年规则原文",
        "The printed table of 1998, read literally",
        altered(fans, changes),
        pairs_are_sets=False,
    )


def _wmo2006() -> Profile:
    concealed = ("九莲宝灯", "连七对", "十三幺", "四暗刻", "七对", "七星不靠", "全不靠")
    changes = without_drop(concealed, "不求人") | without_drop(("绿一色",), "混一色")
    changes["双暗杠"] = {"points": 8}
    changes["明暗杠"] = {"points": 6}
    return Profile(
        "wmo2006",
        "世界麻将组织规则(2006)",
        "World Mahjong Organization (2006)",
        altered(CATALOGUE, changes),
        knitted_body_wait=False,
    )


def _wmo2014() -> Profile:
    return replace(
        _wmo2006(),
        name="wmo2014",
        title="世界麻将组织规则(2006,含2014年修订)",
        title_english="World Mahjong Organization (2006, with the revision of 2014)",
        unavoidable_hog=False,
    )


RENAMED: Final = {"清龙": "青龙", "断幺": "断幺九", "单钓将": "单钓"}
"""The platform's own names of some fans."""


def _platform() -> Profile:
    fans = [
        replace(
            fan,
            name=RENAMED.get(fan.name, fan.name),
            drops=tuple(RENAMED.get(name, name) for name in fan.drops),
        )
        for fan in (*CATALOGUE, *PLATFORM_FANS)
    ]
    return replace(
        DEFAULT,
        name="platform",
        title="平台扩展规则",
        title_english="The extended list of a platform",
        fans=in_order(fans),
    )


DEFAULT: Final = Profile("guobiao", "国标麻将竞赛规则(默认)", "Competition practice (default)")
PROFILES: Final[dict[str, Profile]] = {
    profile.name: profile for profile in (DEFAULT, _text1998(), _wmo2006(), _wmo2014(), _platform())
}
"""The built-in profiles by name."""
